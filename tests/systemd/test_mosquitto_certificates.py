"""Certificates as users, as the guide for IT has them: its own commands make them, and a broker runs both listeners."""

from __future__ import annotations

import asyncio
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest

from daemon.errors import FeltdError
from daemon.mqtt.client import Connection, connected
from daemon.mqtt.delivery import BrokerRefusesError, Delivered, Refused
from daemon.mqtt.documents import STATUS, Running, Status
from daemon.mqtt.settings import MqttSettings, TlsSettings
from daemon.mqtt.topics import Topics
from daemon.tools.check import PluginStatus
from daemon.tools.doctor.findings import Verdict
from daemon.tools.doctor.identity import Trial, check_identity
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import feltd
from tests.sim_hardware.free_port import free_port
from tests.support.certificates import certificates, client_certificate
from tests.support.processes import gone_afterwards
from tests.systemd.test_mosquitto_example import EXAMPLES, PASSWORD, SYSTEMD, TABLE, program, wait_until_running

TOPICS: Final = Topics("harbour", "table7")
NAME, TABLE_NAME = 'name = "7"', 'name = "table7"'
GUIDE: Final = SYSTEMD / "README.md"
OF_PASSWORDS, OF_CERTIFICATES = "feltd.conf", "feltd-certificates.conf"
USUAL_PORTS: Final = {OF_PASSWORDS: 8883, OF_CERTIFICATES: 8884}
# What only the broker's machine has: the service, the users that the files belong to, and time for long keys.
ELSEWHERE: Final = {
    "systemctl restart mosquitto": "true",
    "-o mosquitto -g mosquitto ": "",
    "-g feltd ": "",
    "rsa:3072": "rsa:2048",
}
SECONDS_FOR_KEYS: Final = 300


@dataclass(frozen=True, slots=True)
class Pair:
    certificate: Path
    key: Path


@dataclass(frozen=True, slots=True)
class Machine:
    """The broker's machine in a directory: what the guide puts below / is below `root`."""

    root: Path

    @property
    def authority(self) -> Path:
        return self.root / "root/feltd-authority"

    def follow(self, words: str, user: str = "table7") -> None:
        """Do the commands of the guide among which these words stand."""
        blocks = re.findall(r"```sh\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
        [said] = [block for block in blocks if words in block]
        for elsewhere, here in ELSEWHERE.items():
            said = said.replace(elsewhere, here)
        said = re.sub(r"/(root|etc)/", rf"{self.root}/\1/", said.replace("broker.harbour.example", "localhost"))
        said = said.replace("table7", user)
        where = self.authority if self.authority.is_dir() else self.root
        command = ["sh", "-e", "-c", said]
        done = subprocess.run(command, cwd=where, capture_output=True, text=True, timeout=SECONDS_FOR_KEYS, check=False)
        assert done.returncode == 0, done.stderr

    def pair(self, user: str) -> Pair:
        pair = Pair(self.authority / f"{user}.pem", self.authority / f"{user}.key")
        if not pair.certificate.exists():
            self.follow("-subj /CN=table7", user)
        return pair

    def reach(self, port: int, own: Pair | None, user: str | None = None, password: str | None = None) -> MqttSettings:
        tls = TlsSettings(
            ca_file=self.root / "etc/feltd/ca.pem",
            certificate_file=None if own is None else own.certificate,
            key_file=None if own is None else own.key,
        )
        return MqttSettings(host="localhost", port=port, tls=tls, session_expiry_s=0, user=user, password=password)

    @contextmanager
    def broker(self, configuration: str) -> Iterator[None]:
        config = self.root / f"mosquitto-{free_port()}.conf"
        config.write_text(f"user root\nlog_dest stderr\n{configuration}", encoding="utf-8")
        with gone_afterwards(
            subprocess.Popen([program("mosquitto"), "-c", str(config)], stderr=subprocess.PIPE, text=True)
        ) as process:
            assert process.stderr is not None
            wait_until_running(process.stderr)
            yield

    @contextmanager
    def both_listeners(self) -> Iterator[dict[str, int]]:
        """Run what the guide has put into conf.d; give the port of each file."""
        ports = {file: free_port() for file in USUAL_PORTS}
        configuration = ""
        for file in sorted(USUAL_PORTS):  # as Mosquitto takes a directory's files
            said = (self.root / "etc/mosquitto/conf.d" / file).read_text(encoding="utf-8")
            usual = f"\nlistener {USUAL_PORTS[file]}\n"
            assert usual in said
            configuration += said.replace(usual, f"\nlistener {ports[file]} 127.0.0.1\n")
        with self.broker(configuration.replace("/etc/", f"{self.root}/etc/")):
            yield ports


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Machine:
    root = tmp_path_factory.mktemp("machine")
    etc = root / "etc/mosquitto"
    for directory in ("root", "etc/feltd", "etc/mosquitto/conf.d", "etc/mosquitto/certs"):
        (root / directory).mkdir(parents=True)
    shutil.copytree(EXAMPLES, root / "root/feltd-files/systemd/mosquitto")
    shutil.copy(EXAMPLES / OF_PASSWORDS, etc / "conf.d")
    shutil.copy(EXAMPLES / "feltd.acl", etc)
    (etc / "feltd.acl").chmod(0o600)
    (etc / "feltd.passwd").touch(mode=0o600)
    made = [program("mosquitto_passwd"), "-b", str(etc / "feltd.passwd"), "ana-diaz", PASSWORD]
    subprocess.run(made, check=True, timeout=180)
    machine = Machine(root)
    machine.follow("openssl req -x509")
    machine.follow(OF_CERTIFICATES)
    return machine


@pytest.fixture(scope="module")
def ports(machine: Machine) -> Iterator[dict[str, int]]:
    with machine.both_listeners() as ports:
        yield ports


async def gives(client: Connection, topic: str) -> bool:
    delivery = await client.post(topic, b"{}")
    assert isinstance(delivery, Delivered | Refused)
    return isinstance(delivery, Delivered)


async def test_a_certificate_is_a_user(machine: Machine, ports: dict[str, int]) -> None:
    port = ports[OF_CERTIFICATES]
    async with connected(machine.reach(port, machine.pair("table7")), "any") as table:
        assert await gives(table, f"{TABLE}/status")
        assert not await gives(table, "felt/v1/harbour/table8/status")
        # One user is one connection: under the table's own id another user takes nothing from it.
        async with connected(machine.reach(port, machine.pair("ana-diaz")), "table7") as ana:
            assert await gives(ana, f"{TABLE}/cmd/ana-diaz/rule")
            assert not await gives(ana, f"{TABLE}/cmd/kim-lee/rule")
            assert not await gives(ana, f"{TABLE}/status")
        assert await gives(table, f"{TABLE}/status")


async def test_a_name_beside_the_certificate_changes_nothing(machine: Machine, ports: dict[str, int]) -> None:
    """A client with a certificate may say another user's name, and even their password."""
    as_ana = machine.reach(ports[OF_CERTIFICATES], machine.pair("kim-lee"), "ana-diaz", PASSWORD)
    async with connected(as_ana, "any") as kim:
        assert not await gives(kim, f"{TABLE}/cmd/ana-diaz/rule")
        assert await gives(kim, f"{TABLE}/cmd/kim-lee/clear-alert")


async def test_nobody_comes_in_without_a_certificate_of_the_sites_authority(
    machine: Machine, ports: dict[str, int], tmp_path: Path
) -> None:
    foreign = client_certificate(certificates(tmp_path), "table7")
    for own in (None, Pair(foreign.certificate, foreign.key)):
        with pytest.raises(FeltdError):
            async with connected(machine.reach(ports[OF_CERTIFICATES], own), "any"):
                pass


async def test_doctor_proves_what_the_user_of_a_certificate_may_do(machine: Machine, ports: dict[str, int]) -> None:
    ana = machine.pair("ana-diaz")
    trial = Trial("ana-diaz", None, ana.certificate, ana.key)
    found = await check_identity(machine.reach(ports[OF_CERTIFICATES], machine.pair("table7")), TOPICS, trial)
    open_ = {finding.check for finding in found if finding.verdict is not Verdict.OK}
    assert (open_ <= {"identity-share"}, len(found)) == (True, 15)


async def test_check_logs_in_with_a_certificate_of_its_own(machine: Machine, ports: dict[str, int]) -> None:
    """A table that logs in with one has no name in its file, and the check took the table's own certificate."""
    port = ports[OF_CERTIFICATES]
    file, table, screen = machine.root / "table7.toml", machine.pair("table7"), machine.pair("table7-display")
    files = f'certificate_file = "{table.certificate}"\nkey_file = "{table.key}"\n'
    tls = f'[mqtt.tls]\nca_file = "{machine.root}/etc/feltd/ca.pem"\n{files}'
    file.write_text(f"{GOOD.replace(NAME, TABLE_NAME)}[mqtt]\nport = {port}\n{tls}", encoding="utf-8")
    check = ("check", "--config", file)
    async with connected(machine.reach(port, table), "any") as serving:
        status = Status(Running.RUNNING, "0.1", "journal", "2026-11-19T00:00:00Z", ())
        await serving.post(TOPICS.status, STATUS.encode(status), retain=True)
        refused = await asyncio.to_thread(feltd, *check)
        looked = await asyncio.to_thread(
            feltd, *check, "--certificate-file", screen.certificate, "--key-file", screen.key
        )
        assert await gives(serving, f"{TABLE}/state"), "its connection was not ended"
    assert (refused.returncode, "with a certificate" in refused.stdout) == (PluginStatus.UNKNOWN, True)
    assert (looked.returncode, "published nothing" in looked.stdout) == (PluginStatus.CRITICAL, True), looked.stdout


async def test_passwords_stay_at_their_own_listener(machine: Machine, ports: dict[str, int]) -> None:
    async with connected(machine.reach(ports[OF_PASSWORDS], None, "ana-diaz", PASSWORD), "any") as ana:
        assert await gives(ana, f"{TABLE}/cmd/ana-diaz/rule")
    with pytest.raises(FeltdError):
        async with connected(machine.reach(ports[OF_CERTIFICATES], None, "ana-diaz", PASSWORD), "any"):
            pass


async def test_a_revoked_certificate_comes_in_no_more(machine: Machine) -> None:
    stolen = machine.pair("table7-dealer")
    with machine.both_listeners() as ports:
        async with connected(machine.reach(ports[OF_CERTIFICATES], stolen), "any") as thief:
            assert await gives(thief, f"{TABLE}/cmd/table7-dealer/press")
    machine.follow("-revoke", "table7-dealer")
    with machine.both_listeners() as ports:  # the restart of the guide
        with pytest.raises(FeltdError):
            async with connected(machine.reach(ports[OF_CERTIFICATES], stolen), "any"):
                pass
        async with connected(machine.reach(ports[OF_CERTIFICATES], machine.pair("table7")), "any") as table:
            assert await gives(table, f"{TABLE}/status")


async def test_a_users_certificate_cannot_stand_in_for_the_broker(machine: Machine) -> None:
    """Also when the request names the broker: the guide signs none of its names."""
    pair, port = Pair(machine.authority / "localhost.pem", machine.authority / "localhost.key"), free_port()
    machine.follow("-subj /CN=table7", "localhost")
    false = f"listener {port} 127.0.0.1\nallow_anonymous true\ncertfile {pair.certificate}\nkeyfile {pair.key}\n"
    with machine.broker(false), pytest.raises(BrokerRefusesError, match="unsuitable certificate purpose"):
        async with connected(machine.reach(port, None), "any"):
            pass
