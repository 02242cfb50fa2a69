"""The broker's example configuration with certificates in place of passwords: the common name is the user."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from daemon.errors import FeltdError
from daemon.mqtt.client import connected
from daemon.mqtt.delivery import Delivered, Refused
from daemon.mqtt.settings import MqttSettings, TlsSettings
from tests.sim_hardware.free_port import free_port
from tests.support.certificates import Certificates, certificates, client_certificate
from tests.support.processes import gone_afterwards
from tests.systemd.test_mosquitto_example import EXAMPLES, TABLE, program, wait_until_running

OF_CERTIFICATES = ("cafile", "certfile", "keyfile", "require_certificate", "use_identity_as_username")
OF_PASSWORDS = "password_file"


def with_certificates(example: str) -> str:
    """The example as a site changes it that uses certificates: lines are uncommented, and the password file goes."""
    lines = []
    for line in example.splitlines():
        option = line.removeprefix("#").partition(" ")[0]
        if option == OF_PASSWORDS:
            continue
        lines.append(line.removeprefix("#") if option in OF_CERTIFICATES else line)
    return "\n".join(lines) + "\n"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture(scope="module")
def port(made: Certificates, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    directory, port = tmp_path_factory.mktemp("mosquitto"), free_port()
    shutil.copy(EXAMPLES / "feltd.acl", directory)
    (directory / "feltd.acl").chmod(0o600)
    example = with_certificates((EXAMPLES / "feltd.conf").read_text(encoding="utf-8"))
    for name, file in (("ca.pem", made.authority), ("broker.pem", made.certificate), ("broker.key", made.key)):
        example = example.replace(f"/etc/mosquitto/certs/{name}", str(file))
    example = example.replace("/etc/mosquitto/", f"{directory}/").replace("listener 1883", f"listener {port} 127.0.0.1")
    config = directory / "mosquitto.conf"
    config.write_text(f"user root\nlog_dest stderr\n{example}")
    with gone_afterwards(
        subprocess.Popen([program("mosquitto"), "-c", str(config)], stderr=subprocess.PIPE, text=True)
    ) as process:
        assert process.stderr is not None
        wait_until_running(process.stderr)
        yield port


def reach(port: int, made: Certificates, own: Certificates | None) -> MqttSettings:
    certificate, key = (None, None) if own is None else (own.certificate, own.key)
    tls = TlsSettings(ca_file=made.authority, certificate_file=certificate, key_file=key)
    return MqttSettings(host="localhost", port=port, tls=tls, session_expiry_s=0)


async def test_a_certificate_is_a_user(port: int, made: Certificates) -> None:
    async with connected(reach(port, made, client_certificate(made, "table7")), "any") as table:
        assert isinstance(await table.post(f"{TABLE}/status", b"{}"), Delivered)
        assert isinstance(await table.post("felt/v1/harbour/table8/status", b"{}"), Refused)
    async with connected(reach(port, made, client_certificate(made, "ana-diaz")), "any") as ana:
        assert isinstance(await ana.post(f"{TABLE}/cmd/ana-diaz/rule", b"{}"), Delivered)
        assert isinstance(await ana.post(f"{TABLE}/cmd/kim-lee/rule", b"{}"), Refused)
        assert isinstance(await ana.post(f"{TABLE}/status", b"{}"), Refused)


async def test_nobody_comes_in_without_a_certificate_of_the_sites_authority(
    port: int, made: Certificates, tmp_path: Path
) -> None:
    of_another = client_certificate(certificates(tmp_path), "table7")
    for own in (None, of_another):
        with pytest.raises(FeltdError):
            async with connected(reach(port, made, own), "any"):
                pass
