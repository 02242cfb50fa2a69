"""Finds why a broker that answers does not let us in: its port speaks TLS or MQTT in another way than [mqtt] says.

A broker closes such a connection without a word, or waits for more. So this asks the port itself, with packets that
log nobody in and leave nothing behind.
"""

from __future__ import annotations

import asyncio
import ssl
from contextlib import suppress
from typing import Final

from daemon.mqtt.settings import MqttSettings, MqttVersion

ANSWER_S_MAX: Final = 1.0
USE_3_1_1: Final = 'The broker has no MQTT 5: set version = "3.1.1" in [mqtt].'
USE_TLS: Final = "This port speaks TLS: add [mqtt.tls], or name the broker's other port."
USE_NO_TLS: Final = "This port does not speak TLS: name the broker's other port (mostly 8883), or remove [mqtt.tls]."
# Clean sessions without a client id (MQTT 3.1.1, 3.1 and MQTT 5, 3.1).
_CONNECT: Final = {
    MqttVersion.V3_1_1: b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x05\x00\x00",
    MqttVersion.V5: b"\x10\x0d\x00\x04MQTT\x05\x02\x00\x05\x00\x00\x00",
}
_CONNACK: Final = b"\x20"
_CONNACK_BYTES: Final = 4  # type, length, flags, reason
_NO_SUCH_VERSION: Final = frozenset({0x01, 0x84})  # of a CONNACK of 3.1.1, and of 5


async def find_remedy(settings: MqttSettings) -> str | None:
    """Return what to change in [mqtt] if the port speaks something else than it says. Else return None."""
    if settings.tls is not None:
        return USE_NO_TLS if await _answers(settings, MqttVersion.V3_1_1) else None
    if await _is_tls(settings):
        return USE_TLS
    if settings.version is MqttVersion.V5 and await _answers(settings, MqttVersion.V3_1_1):
        return None if await _answers(settings, MqttVersion.V5) else USE_3_1_1
    return None


async def _is_tls(settings: MqttSettings) -> bool:
    anybody = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE  # only the question whether it speaks TLS
    with suppress(OSError, TimeoutError):
        async with asyncio.timeout(ANSWER_S_MAX):
            _, writer = await asyncio.open_connection(settings.host, settings.port, ssl=anybody)
            writer.close()
            return True
    return False


async def _answers(settings: MqttSettings, version: MqttVersion) -> bool:
    """Return whether the port answers in the clear, in this version. A refusal for another reason is an answer."""
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(ANSWER_S_MAX):
            reader, writer = await asyncio.open_connection(settings.host, settings.port)
            try:
                writer.write(_CONNECT[version])
                answer = await reader.readexactly(_CONNACK_BYTES)
            finally:
                writer.close()
            return answer[:1] == _CONNACK and answer[-1] not in _NO_SUCH_VERSION
    return False
