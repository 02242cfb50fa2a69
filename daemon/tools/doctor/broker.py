"""The broker: whether it accepts the table's connection, subscriptions and messages.

The check has a client id of its own and leaves no session behind. Its messages are empty, not retained, and on names
that nothing else uses (`event/doctor-check`, `device/doctor-check`, …), so no consumer takes them for results.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from typing import Final, assert_never

import aiomqtt

from daemon.errors import OutageError, SetupError
from daemon.mqtt.client import Connection, Will, connected
from daemon.mqtt.delivery import BrokerAwayError, BrokerRefusesError, Delivered, Lost, Refused
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.mqtt.topics import Topics
from daemon.tools.doctor.findings import Finding, fine, problem, warning

NAME: Final = "doctor-check"
ANSWER_S_MAX: Final = 5.0
_CONNECT: Final = b"\x10\x0c\x00\x04MQTT\x04\x02\x00\x05\x00\x00"  # MQTT 3.1.1, 3.1: a clean session without client id
_CONNACK: Final = b"\x20"
_ACCESS: Final = "Allow it in the broker's access list (systemd/mosquitto has an example)."


async def check_broker(settings: MqttSettings, topics: Topics) -> list[Finding]:
    """Check everything about the broker. Return one finding if there is no connection."""
    where = f"{settings.host}:{settings.port}"
    client_id = f"{settings.own_client_id(topics.site, topics.table)}:doctor"
    asking = replace(settings, session_expiry_s=0)
    try:
        async with connected(asking, client_id, Will(topics.reply(NAME), b"")) as connection:
            user = f"user {settings.user}" if settings.user else "no user"
            let_in = fine("broker", where, f"lets us in over MQTT {settings.version.value} with {user}.")
            return [let_in, *[found async for found in _topics(connection, settings, topics)]]
    except (OutageError, SetupError) as error:
        remedy = await _remedy_for_tls(settings)
        if remedy is None and isinstance(error, BrokerAwayError):
            remedy = "Start the broker, or correct host and port in [mqtt]."
        return [problem("broker", where, error.message, remedy or error.remedy)]


async def _remedy_for_tls(settings: MqttSettings) -> str | None:
    """Return what to do if the port speaks TLS and we do not, or the other way. Else return None."""
    if settings.tls is None:
        tls = "This port speaks TLS: add [mqtt.tls], or name the broker's other port."
        return tls if await _is_tls(settings) else None
    if await _is_plain(settings):
        return "This port does not speak TLS: name the broker's other port (mostly 8883), or remove [mqtt.tls]."
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


async def _is_plain(settings: MqttSettings) -> bool:
    with suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
        async with asyncio.timeout(ANSWER_S_MAX):
            reader, writer = await asyncio.open_connection(settings.host, settings.port)
            writer.write(_CONNECT)
            answer = await reader.readexactly(1)
            writer.close()
            return answer == _CONNACK
    return False


async def _topics(connection: Connection, settings: MqttSettings, topics: Topics) -> AsyncIterator[Finding]:
    for topic in (topics.commands, topics.alerts, topics.devices):
        yield await _subscribe(connection, topic)
    if settings.version is not MqttVersion.V5:
        said = "MQTT 3.1.1 cannot say whether the broker lets us publish."
        yield warning("broker-publish", topics.base, said, 'Use version = "5" where the broker can.')
        return
    for topic in (topics.event(NAME), topics.device(NAME), topics.alert(NAME), topics.reply(NAME)):
        yield await _publish(connection, topic)


async def _subscribe(connection: Connection, topic: str) -> Finding:
    try:
        await connection.listen(topic)
        await connection.unsubscribe(topic)  # MQTT 3.1.1 would keep the session, and commands for it, permanently
    except BrokerRefusesError as error:
        return problem("broker-subscribe", topic, error.message, _ACCESS)
    except aiomqtt.MqttError as error:
        return problem("broker-subscribe", topic, f"no answer: {error}.", "Look into the broker's log.")
    return fine("broker-subscribe", topic, "may be read.")


async def _publish(connection: Connection, topic: str) -> Finding:
    posted = connection.post(topic, b"")
    await asyncio.wait({posted}, timeout=ANSWER_S_MAX)
    if not posted.done():
        said = f"was not acknowledged in {ANSWER_S_MAX:g} s."
        return problem("broker-publish", topic, said, "Look into the broker's log.")
    match posted.result():
        case Delivered():
            return fine("broker-publish", topic, "may be written.")
        case Refused(code, reason):
            return problem("broker-publish", topic, f"the broker refuses it: {reason} (code {code}).", _ACCESS)
        case Lost():
            return problem("broker-publish", topic, "the connection was lost over it.", "Look into the broker's log.")
        case unknown:
            assert_never(unknown)
