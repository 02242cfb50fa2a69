"""The commands of the guide for RabbitMQ and for NATS, typed as they stand, and the brokers that come of them.

What only the broker's machine has is put in its place: the files below / lie in a directory, the service is started by
the test, and nobody is given to the system's users.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

import pytest

from daemon.errors import FeltdError
from daemon.mqtt.client import connected
from daemon.mqtt.delivery import Delivered
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.tools.access import password_variable
from tests.brokers.running import PATH, SYSTEMD, nats_process, rabbitmq_process
from tests.brokers.site import TOPICS, password
from tests.docs.documents import blocks
from tests.sim_hardware.free_port import free_port

README = (SYSTEMD / "README.md").read_text(encoding="utf-8")
TYPED_S_MAX = 300
USERS = ("table7-feltd", "ana")  # RabbitMQ's own command for a user takes a second of a processor
PEOPLE = """\
site = "harbour"
[tables]
table7 = { user = "table7-feltd" }
[people]
ana = { role = "dealer", tables = ["table7"] }
"""
_OWNERS = re.compile(r" -(o|g) (root|nats|rabbitmq)\b|&& chgrp nats \S+")


@dataclass(frozen=True, slots=True)
class Machine:
    """The broker's machine in a directory: what the guide puts below / is below `root`."""

    root: Path

    def type(self, lines: list[str], environment: dict[str, str], answers: str = "") -> None:
        """Type the lines, and fail at the first that does."""
        said = _OWNERS.sub("", "\n".join(lines))
        said = re.sub(r"(?<=[ =])/(etc|var)/", rf"{self.root}/\1/", said)
        path = f"{Path(sys.executable).parent}{os.pathsep}{PATH}"
        done = subprocess.run(
            ["bash", "-eo", "pipefail", "-c", said],
            cwd=self.root,
            env=os.environ | environment | {"PATH": path},
            input=answers,
            capture_output=True,
            text=True,
            timeout=TYPED_S_MAX,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def put(self, path: str, before: str, after: str) -> None:
        """Change what a test has elsewhere in a file of this machine."""
        file = self.root / path
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    for directory in ("etc/feltd", "etc/rabbitmq", "var/lib"):
        (tmp_path / directory).mkdir(parents=True)
    shutil.copytree(SYSTEMD, tmp_path / "systemd")
    (tmp_path / "etc/feltd/people.toml").write_text(PEOPLE, encoding="utf-8")
    tmp_path.chmod(0o755)
    return Machine(tmp_path)


def block(words: str) -> list[str]:
    """Return the lines of the guide's block in which these words stand, without comments."""
    (found,) = [block for block in blocks(README, "sh") if words in block]
    return [re.sub(r"\s+#.*$", "", line) for line in found.splitlines()]


async def only_who_is_known_may(port: int, user: str) -> None:
    """The table logs in, and may publish; a stranger and a wrong password may not log in."""
    table = MqttSettings(
        host="127.0.0.1", port=port, version=MqttVersion.V3_1_1, user=user, password=password(user), session_expiry_s=0
    )
    async with connected(table, "table") as connection:
        assert isinstance(await connection.post(TOPICS.status, b"{}"), Delivered)
    for stranger, secret in ((user, "wrong"), ("guest", "guest"), (None, None)):
        wrong = MqttSettings(host="127.0.0.1", port=port, version=MqttVersion.V3_1_1, user=stranger, password=secret)
        with pytest.raises(FeltdError):
            async with connected(wrong, "stranger"):
                pass


@pytest.mark.long
def test_rabbitmq_is_set_up_by_the_commands_of_the_guide(machine: Machine) -> None:
    lines = block("rabbitmqctl delete_user guest")
    enable, restart = lines[1].split(" && ")
    assert restart == "systemctl restart rabbitmq-server"
    port, table = free_port(), USERS[0]
    with rabbitmq_process(machine.root, machine.root / "etc/rabbitmq") as (environment, start):
        machine.type([lines[0], enable], environment)
        machine.put("etc/rabbitmq/rabbitmq.conf", "tcp.default = 1883", f"tcp.1 = 127.0.0.1:{port}")
        with start(port):
            for line in lines[2:]:  # one by one: each of RabbitMQ's commands takes what waits to be read
                for user in USERS if "add_user" in line else USERS[:1]:
                    machine.type([line.replace("table7", user, 1)], environment, f"{password(user)}\n")
            asyncio.run(only_who_is_known_may(port, table))


def test_nats_is_set_up_by_the_commands_of_the_guide(machine: Machine) -> None:
    lines = block("nats-server.conf /etc/nats-server.conf")
    assert lines[-1] == "systemctl daemon-reload && systemctl restart nats-server"
    machine.type(lines[:-1], {})
    its_store_is_bounded(machine.root)
    passwords = "".join(f'{password_variable(user)}: "{password(user)}"\n' for user in USERS)
    (machine.root / "etc/nats/feltd-passwords.conf").write_text(passwords, encoding="utf-8")
    port = free_port()
    config = machine.root / "etc/nats-server.conf"
    machine.put("etc/nats-server.conf", "/var/lib/nats", f"{machine.root}/var/lib/nats")
    machine.put("etc/nats-server.conf", "127.0.0.1:4222", f"127.0.0.1:{free_port()}")
    machine.put("etc/nats-server.conf", "  port: 1883", f"  port: {port}")
    for _ in range(2):
        with nats_process(config, port):
            asyncio.run(only_who_is_known_may(port, USERS[0]))
        shutil.rmtree(machine.root / "var/lib/nats/jetstream")  # as at each start of the unit: the file system is new


def its_store_is_bounded(root: Path) -> None:
    """By the memory of the unit: the file system that the commands give it has more room, or it would fill up first."""
    said = ConfigParser()
    said.optionxform = str  # type: ignore[assignment,method-assign]
    said.read(root / "etc/systemd/system/nats-server.service.d/feltd.conf", encoding="utf-8")
    service = dict(said["Service"])
    place, _, options = service["TemporaryFileSystem"].partition(":")
    (size,) = re.findall(r"size=(\d+)G", options)
    assert service["Restart"] == "always"
    assert int(size) > int(service["MemoryMax"].removesuffix("G"))
    store = place.removeprefix(str(root))  # what a test types lies below its own root
    assert f'store_dir: "{store}"' in (root / "etc/nats-server.conf").read_text(encoding="utf-8")
