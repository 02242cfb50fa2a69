"""Other ways into a broker than with one's own name over MQTT: without a name, and over AMQP.

Over AMQP RabbitMQ has what MQTT has not: copies of a message by a header, and queues whose messages go on under another
routing key. With both a user gives commands as anybody, and no permission forbids it. So the way must be closed, and
doctor tries whether the user can log in on it.
"""

from __future__ import annotations

import asyncio
import struct
from dataclasses import replace
from typing import Final

from daemon.errors import FeltdError
from daemon.mqtt.client import connected
from daemon.mqtt.settings import MqttSettings
from daemon.tools.access import DOCTOR_CHECK
from daemon.tools.doctor.findings import Finding, fine, problem
from daemon.tools.login import with_certificate

AMQP_PORT: Final = 5672
ANSWER_S_MAX: Final = 5.0
_HEADER: Final = b"AMQP\x00\x00\x09\x01"
_START_OK: Final = (10, 11)
_TUNE: Final = (10, 30)  # what RabbitMQ says to who has logged in
_METHOD: Final = 1
_FRAME_END: Final = b"\xce"
_FRAME_BYTES_MAX: Final = 1 << 17
_NO_NAMES: Final = (
    "Let nobody in without a name: allow_anonymous false in Mosquitto, mqtt.allow_anonymous = false in RabbitMQ."
)
_NO_AMQP: Final = "Switch AMQP off: listeners.tcp = none in rabbitmq.conf (systemd/rabbitmq/rabbitmq.conf)."


async def check_namelessness(settings: MqttSettings) -> Finding:
    """Try to log in without a name. A table that itself has none gets no other answer than it had."""
    tls = with_certificate(settings.tls, None, None)
    nobody = replace(settings, user=None, password=None, tls=tls, session_expiry_s=0)
    try:
        async with connected(nobody, DOCTOR_CHECK):
            said = "lets in who gives no name, with rights that no access list of ours gives."
            return problem("identity-nobody", f"{settings.host}:{settings.port}", said, _NO_NAMES)
    except FeltdError:
        return fine("identity-nobody", f"{settings.host}:{settings.port}", "lets in nobody who gives no name.")


async def check_amqp(host: str, user: str, password: str | None, port: int = AMQP_PORT) -> Finding:
    """Try to log in over AMQP as this user."""
    try:
        async with asyncio.timeout(ANSWER_S_MAX):
            may = await _may_log_in(host, port, user, password or "")
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        may = False
    if may:
        said = f"lets in {user} over AMQP too: everybody who may log in there gives commands as anybody."
        return problem("identity-amqp", f"{host}:{port}", said, _NO_AMQP)
    return fine("identity-amqp", f"{host}:{port}", f"does not let in {user} over AMQP.")


async def _may_log_in(host: str, port: int, user: str, password: str) -> bool:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(_HEADER)
        await _method(reader)  # its greeting
        secret = f"\0{user}\0{password}".encode()
        arguments = b"\0\0\0\0" + b"\x05PLAIN" + struct.pack(">I", len(secret)) + secret + b"\x05en_US"
        body = struct.pack(">HH", *_START_OK) + arguments
        writer.write(struct.pack(">BHI", _METHOD, 0, len(body)) + body + _FRAME_END)
        return await _method(reader) == _TUNE
    finally:
        writer.close()


async def _method(reader: asyncio.StreamReader) -> tuple[int, int]:
    """Read one frame, and return which method it is. Raise OSError at anything else."""
    kind, _, length = struct.unpack(">BHI", await reader.readexactly(7))
    if kind != _METHOD or not 4 <= length <= _FRAME_BYTES_MAX:
        raise OSError
    body = await reader.readexactly(length + 1)
    class_, method = struct.unpack(">HH", body[:4])
    return class_, method
