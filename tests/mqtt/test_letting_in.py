"""Connecting to a broker: TLS, users and passwords, and errors that tell a technician what to change."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.errors import SetupError
from daemon.mqtt.client import Will, connected
from daemon.mqtt.delivery import BrokerRefusesError, Delivered
from daemon.mqtt.settings import MqttSettings, MqttVersion, TlsSettings
from tests.mqtt.conftest import reach
from tests.support.certificates import Certificates, certificates
from tests.support.mosquitto import Mosquitto, mosquitto
from tests.support.sentences import Says

WILL = Will("felt/will", b"gone")
RIGHT = "right"


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with one user."""
    passwords = tmp_path / "passwords"
    subprocess.run(["mosquitto_passwd", "-c", "-b", str(passwords), "feltd", RIGHT], check=True, capture_output=True)
    with mosquitto(tmp_path, options=(f"password_file {passwords}",), anonymous=False) as running:
        yield running


async def test_the_right_password_lets_in(guarded: Mosquitto, version: MqttVersion) -> None:
    settings = replace(reach(guarded.port, version), user="feltd", password=RIGHT)
    async with connected(settings, "c", WILL) as connection:
        assert isinstance(await connection.post("felt/x", b"1"), Delivered)


@pytest.mark.parametrize(("user", "password"), [("feltd", "wrong"), ("somebody", "right"), (None, None)])
async def test_a_wrong_password_is_for_a_technician_to_set_right(
    guarded: Mosquitto, version: MqttVersion, user: str | None, password: str | None, says: Says
) -> None:
    settings = replace(reach(guarded.port, version), user=user, password=password)
    with pytest.raises(BrokerRefusesError) as refusal:
        async with connected(settings, "c", WILL):
            pass
    says(refusal.value)
    assert isinstance(refusal.value, SetupError)
    assert "wrong" not in str(refusal.value)


def test_a_password_is_in_no_repr() -> None:
    assert RIGHT not in repr(MqttSettings(user="feltd", password=RIGHT))


@pytest.fixture
def made(tmp_path: Path) -> Certificates:
    return certificates(tmp_path)


@pytest.fixture
def encrypted(tmp_path: Path, made: Certificates) -> Iterator[Mosquitto]:
    options = (f"certfile {made.certificate}", f"keyfile {made.key}")
    with mosquitto(tmp_path, options=options) as running:
        yield running


async def test_a_broker_that_the_authority_vouches_for_is_spoken_to(
    encrypted: Mosquitto, made: Certificates, version: MqttVersion
) -> None:
    settings = replace(reach(encrypted.port, version), host="localhost", tls=TlsSettings(ca_file=made.authority))
    async with connected(settings, "c", WILL) as connection:
        assert isinstance(await connection.post("felt/x", b"x" * 100_000), Delivered)


async def test_a_broker_that_nobody_vouches_for_is_not_spoken_to(encrypted: Mosquitto) -> None:
    settings = replace(reach(encrypted.port), host="localhost", tls=TlsSettings())
    with pytest.raises(BrokerRefusesError, match="certificate verify failed"):
        async with connected(settings, "c", WILL):
            pass


async def test_a_certificate_for_another_name_is_not_enough(encrypted: Mosquitto, made: Certificates) -> None:
    settings = replace(reach(encrypted.port), host="127.0.0.1", tls=TlsSettings(ca_file=made.authority))
    with pytest.raises(BrokerRefusesError, match=r"certificate verify failed.*127\.0\.0\.1"):
        async with connected(settings, "c", WILL):
            pass


async def test_a_certificate_file_that_is_not_there_is_named(broker: Mosquitto, tmp_path: Path, says: Says) -> None:
    settings = replace(reach(broker.port), tls=TlsSettings(ca_file=tmp_path / "missing.pem"))
    with pytest.raises(BrokerRefusesError) as raised:
        async with connected(settings, "c", WILL):
            pass
    says(raised.value)
