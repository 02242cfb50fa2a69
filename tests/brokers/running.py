"""Mosquitto, NATS and RabbitMQ as Debian has them, each with the list that `feltd access` writes for it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.tools import access
from tests.brokers.site import USERS, password, people
from tests.sim_hardware.free_port import free_port
from tests.support.certificates import Certificates
from tests.support.mosquitto import mosquitto

SYSTEMD: Final = Path(__file__).resolve().parents[2] / "systemd"
PATH: Final = f"/usr/lib/rabbitmq/bin:{os.environ['PATH']}:/usr/sbin"
START_S_MAX: Final = 300.0  # RabbitMQ took 75 s beside nine other runs


@dataclass(frozen=True)
class Guarded:
    """A running broker that lets in the users of the site."""

    name: str
    port: int
    version: MqttVersion
    own_port: int | None = None  # for the broker's own protocol

    def settings(self, user: str) -> MqttSettings:
        """Return how this user reaches the broker. Beside eight other runs NATS did not answer within five seconds."""
        return MqttSettings(
            host="127.0.0.1",
            port=self.port,
            version=self.version,
            user=user,
            password=password(user),
            connect_s_max=60.0,
        )


def program(name: str, package: str) -> str:
    found = shutil.which(name, path=PATH)
    assert found is not None, f"these tests need {name}: .ci/prepare test installs it, or apt-get install {package}"
    return found


@contextmanager
def guarded_mosquitto(directory: Path, version: MqttVersion) -> Iterator[Guarded]:
    passwords = directory / "passwords"
    passwords.touch(mode=0o600)
    for user in USERS:
        command = [program("mosquitto_passwd", "mosquitto"), "-b", str(passwords), user, password(user)]
        subprocess.run(command, check=True, capture_output=True)
    options = (f"password_file {passwords}", "use_username_as_clientid true")
    with mosquitto(directory, access.mosquitto(people()), options, anonymous=False) as running:
        yield Guarded("mosquitto", running.port, version)


@contextmanager
def guarded_nats(directory: Path, tls: str = "") -> Iterator[Guarded]:
    """Run NATS with our list, and with lines of a `tls` block for MQTT."""
    (directory / "access.conf").write_text(access.nats(people()))
    variables = "".join(f'{access.password_variable(user)}: "{password(user)}"\n' for user in USERS)
    (directory / access.NATS_PASSWORDS).write_text(variables)
    own_port = free_port()
    with nats(directory, "include ./access.conf", own_port, tls) as port:
        yield Guarded("nats", port, MqttVersion.V3_1_1, own_port)


@contextmanager
def nats(directory: Path, line: str = "", own_port: int | None = None, tls: str = "") -> Iterator[int]:
    """Run NATS, open to everybody or with another line of configuration, and yield its port for MQTT."""
    port, mqtt_port = own_port or free_port(), free_port()
    config = directory / "nats.conf"
    config.write_text(
        f"server_name: felt\nlisten: 127.0.0.1:{port}\n{line}\n"
        f'jetstream {{ store_dir: "{directory}" }}\nmqtt {{ host: 127.0.0.1, port: {mqtt_port}\n{tls} }}\n'
    )
    with nats_process(config, mqtt_port):
        yield mqtt_port


@contextmanager
def nats_process(config: Path, mqtt_port: int) -> Iterator[None]:
    """Run NATS with a configuration that lets it listen there."""
    with _process([program("nats-server", "nats-server"), "-c", str(config)], config.parent, mqtt_port, {}):
        yield


@contextmanager
def guarded_rabbitmq(
    directory: Path, amqp: int | None = None, plugins: Iterable[str] = (), tls: Certificates | None = None
) -> Iterator[Guarded]:
    """Run RabbitMQ with the configuration that we ship, and at a test's wish with AMQP, which that switches off."""
    port = free_port()
    directory.chmod(0o755)
    users = [{"name": user, "password": password(user), "tags": ""} for user in USERS]
    definitions = {"vhosts": [{"name": "/"}], "users": users, **json.loads(access.rabbitmq(people()))}
    (directory / "definitions.json").write_text(json.dumps(definitions))
    example = (SYSTEMD / "rabbitmq" / "rabbitmq.conf").read_text()
    ours = example.replace("mqtt.listeners.tcp.default = 1883", f"mqtt.listeners.tcp.1 = 127.0.0.1:{port}")
    assert ours != example
    if tls is not None:
        ours = _encrypted(ours, port, tls)
    if amqp is not None:
        ours = ours.replace("listeners.tcp = none", f"listeners.tcp.1 = 127.0.0.1:{amqp}", 1)
    (directory / "rabbitmq.conf").write_text(f"{ours}load_definitions = {directory}/definitions.json\n")
    shutil.copy(SYSTEMD / "rabbitmq" / "advanced.config", directory)
    (directory / "enabled_plugins").write_text(f"[{','.join(('rabbitmq_mqtt', *plugins))}].")
    with rabbitmq_process(directory, directory) as (_, start), start(port):
        yield Guarded("rabbitmq", port, MqttVersion.V3_1_1, amqp)


Start: TypeAlias = Callable[[int], AbstractContextManager[None]]


@contextmanager
def rabbitmq_process(directory: Path, configured: Path) -> Iterator[tuple[dict[str, str], Start]]:
    """Give a place for RabbitMQ whose configuration lies in `configured`: what its commands need, and how it starts."""
    epmd, server = free_port(), program("rabbitmq-server", "rabbitmq-server")
    environment = {
        "HOME": str(directory),
        "RABBITMQ_NODENAME": f"felt{epmd}@localhost",
        "RABBITMQ_BASE": str(directory),
        "RABBITMQ_MNESIA_BASE": f"{directory}/mnesia",
        "RABBITMQ_LOG_BASE": f"{directory}/log",
        "RABBITMQ_CONFIG_FILE": f"{configured}/rabbitmq",
        "RABBITMQ_ADVANCED_CONFIG_FILE": f"{configured}/advanced.config",
        "RABBITMQ_ENABLED_PLUGINS_FILE": f"{configured}/enabled_plugins",
        # RabbitMQ 4 asks its running server for it, and this one is started afterwards.
        "RABBITMQ_PLUGINS_DIR": str(Path(server).resolve().parents[1] / "plugins"),
        "RABBITMQ_DIST_PORT": str(free_port()),
        "RABBITMQ_PID_FILE": f"{directory}/pid",
        "ERL_EPMD_ADDRESS": "127.0.0.1",
        "ERL_EPMD_PORT": str(epmd),
    }

    @contextmanager
    def start(port: int) -> Iterator[None]:
        # Not the wrapper in sbin, which starts it as the user rabbitmq, who may not write here.
        with _process([server], directory, port, environment) as process:
            # Before it says so, it accepts connections and answers none.
            _until_it_says("startup complete", directory / "log", process)
            yield

    try:
        yield environment, start
    finally:  # Erlang's name server is not a child of it and would stay
        subprocess.run([program("epmd", "erlang-base"), "-port", str(epmd), "-kill"], check=False, capture_output=True)


def _encrypted(configuration: str, port: int, tls: Certificates) -> str:
    """Take away what makes the lines about TLS comments, and put in the files of a test."""
    lines = configuration.replace(f"mqtt.listeners.tcp.1 = 127.0.0.1:{port}\n", "")
    for shipped, here in {
        "#mqtt.listeners.tcp = none": "mqtt.listeners.tcp = none",
        "#mqtt.listeners.ssl.default = 8883": f"mqtt.listeners.ssl.1 = 127.0.0.1:{port}",
        "/etc/rabbitmq/ca.pem": str(tls.authority),
        "/etc/rabbitmq/broker.pem": str(tls.certificate),
        "/etc/rabbitmq/broker.key": str(tls.key),
        "#ssl_": "ssl_",
        "#mqtt.ssl_": "mqtt.ssl_",
    }.items():
        assert shipped in lines
        lines = lines.replace(shipped, here)
    return lines


@contextmanager
def _process(
    command: list[str], directory: Path, port: int, environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Run it in a process group of its own until it accepts connections, and end the whole group afterwards."""
    log = directory / "broker.log"
    with log.open("w") as output:
        process = subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            cwd=directory,
            env={**os.environ, **environment},
            start_new_session=True,
        )
        try:
            _until_it_listens(process, port, log)
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def _until_it_says(words: str, logs: Path, process: subprocess.Popen[bytes]) -> None:
    deadline_s = time.monotonic() + START_S_MAX
    while not any(words in log.read_text(errors="replace") for log in logs.glob("*.log")):
        assert process.poll() is None, [log.read_text(errors="replace")[-5000:] for log in logs.glob("*.log")]
        assert time.monotonic() < deadline_s, [log.read_text(errors="replace") for log in logs.glob("*.log")]
        time.sleep(0.05)


def _until_it_listens(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline_s = time.monotonic() + START_S_MAX
    while time.monotonic() < deadline_s:
        assert process.poll() is None, log.read_text()
        with socket.socket() as caller:
            if caller.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)  # nothing tells when it listens
    raise AssertionError(log.read_text())
