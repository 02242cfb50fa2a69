"""Connecting to a broker: TLS, users and passwords, and errors that tell a technician what to change."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.errors import SetupError
from daemon.mqtt.client import Will, connected
from daemon.mqtt.delivery import BrokerAwayError, BrokerProtocolError, BrokerRefusesError, Delivered
from daemon.mqtt.diagnosis import USE_3_1_1, USE_NO_TLS, USE_TLS
from daemon.mqtt.settings import MqttSettings, MqttVersion, TlsSettings
from sim_hardware.broker import Verdict
from sim_hardware.broker.server import accept_all
from tests.mqtt.conftest import bench_broker, reach
from tests.sim_hardware.free_port import free_port
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
    with pytest.raises(BrokerRefusesError, match="certificate verify failed") as refusal:
        async with connected(settings, "c", WILL):
            pass
    assert "name the authority's own certificate as ca_file" in refusal.value.remedy


async def test_a_certificate_for_another_name_is_not_enough(encrypted: Mosquitto, made: Certificates) -> None:
    settings = replace(reach(encrypted.port), host="127.0.0.1", tls=TlsSettings(ca_file=made.authority))
    with pytest.raises(BrokerRefusesError, match=r"certificate verify failed.*127\.0\.0\.1") as refusal:
        async with connected(settings, "c", WILL):
            pass
    assert "write that name as host" in refusal.value.remedy


def test_a_certificate_that_has_expired_is_told_with_its_clock() -> None:
    """OpenSSL's words for it, which a broker that is set up for this test would have to wait for."""
    said = "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1029)"
    assert "timedatectl" in BrokerRefusesError(MqttSettings(), said).remedy


async def test_a_certificate_file_that_is_not_there_is_named(broker: Mosquitto, tmp_path: Path, says: Says) -> None:
    settings = replace(reach(broker.port), tls=TlsSettings(ca_file=tmp_path / "missing.pem"))
    with pytest.raises(BrokerRefusesError) as raised:
        async with connected(settings, "c", WILL):
            pass
    says(raised.value)


async def test_a_port_that_speaks_tls_is_named_when_it_is_spoken_to_in_the_clear(
    encrypted: Mosquitto, version: MqttVersion
) -> None:
    with pytest.raises(BrokerProtocolError) as refusal:
        async with connected(reach(encrypted.port, version), "c", WILL):
            pass
    assert refusal.value.remedy.startswith(USE_TLS)


async def test_a_port_in_the_clear_is_named_when_it_is_spoken_to_in_tls(broker: Mosquitto, made: Certificates) -> None:
    with pytest.raises(BrokerProtocolError) as refusal:
        async with connected(replace(reach(broker.port), tls=TlsSettings(ca_file=made.authority)), "c", WILL):
            pass
    assert refusal.value.remedy.startswith(USE_NO_TLS)


@asynccontextmanager
async def old_broker(to_version_5: bytes) -> AsyncIterator[int]:
    """Lets in who speaks MQTT 3.1.1, and answers MQTT 5 with these bytes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        said = await reader.read(1024)
        if said[:1] == b"\x10":  # a CONNECT; the level of the protocol is its ninth byte
            writer.write(b"\x20\x02\x00\x00" if said[8] == 4 else to_version_5)
            await reader.read()
        writer.close()

    port = free_port()
    async with await asyncio.start_server(serve, "127.0.0.1", port):
        yield port


@pytest.mark.parametrize(
    "to_version_5", [b"\x20\x02\x00\x01", b"\x20\x03\x00\x84\x00", b""], ids=["3.1.1", "5", "silence"]
)
async def test_a_broker_without_mqtt_5_is_named_with_what_to_set(to_version_5: bytes) -> None:
    """As Mosquitto 1, NATS and RabbitMQ 3.10 answer. The last says nothing at all."""
    async with old_broker(to_version_5) as port:
        with pytest.raises(BrokerProtocolError) as refusal:
            async with connected(reach(port, connect_s_max=2.0), "c", WILL):
                pass
    assert refusal.value.remedy.startswith(USE_3_1_1)


async def test_a_client_id_that_another_client_took_is_named(says: Says) -> None:
    """By MQTT 5's reason code 0x8E. Mosquitto 2.0.11 gives none."""
    async with (
        bench_broker(accept_all) as bench,
        connected(reach(bench.port), "feltd-north-7", WILL) as first,
        connected(reach(bench.port), "feltd-north-7", WILL),
    ):
        with pytest.raises(BrokerAwayError) as lost:
            await first.until_lost()
    says(lost.value)


async def test_the_message_at_which_a_broker_closed_the_connection_is_named(says: Says) -> None:
    """NATS and RabbitMQ refuse a topic like this."""
    async with (
        bench_broker(lambda _client, _packet: Verdict.CUT) as bench,
        connected(reach(bench.port), "c", WILL) as connection,
    ):
        connection.post("felt/v1/north/7/event/hand-dealt", b"{}")
        with pytest.raises(BrokerAwayError) as lost:
            await connection.until_lost()
    says(lost.value)
