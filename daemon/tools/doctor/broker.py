"""The broker: whether it accepts the table's connection, subscriptions and messages.

The check has a client id of its own and leaves no session behind. Its messages are empty, not retained, and on names
that nothing else uses (`event/doctor-check`, `device/doctor-check`, …), so no consumer takes them for results.
"""

from __future__ import annotations

import asyncio
import statistics
import time
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
from daemon.tools.access import DOCTOR_CHECK
from daemon.tools.doctor.findings import Finding, fine, problem, warning
from drivers.transports.holders import Holder

NAME: Final = DOCTOR_CHECK
ANSWER_S_MAX: Final = 5.0
MEASURED: Final = 20
AT_ONCE: Final = 3
SLOW_MS: Final = 20.0  # a delayed acknowledgement of TCP takes 40 ms
_START: Final = "Start the broker, or correct host and port in [mqtt]."
_ACCESS: Final = "Write the broker's access list again from the file of people: feltd access (systemd/README.md)."


async def check_broker(settings: MqttSettings, topics: Topics) -> list[Finding]:
    """Check everything about the broker. Return one finding if there is no connection."""
    where = f"{settings.host}:{settings.port}"
    client_id = f"{settings.own_client_id(topics.site, topics.table)}:doctor"
    asking = replace(settings, session_expiry_s=0)
    try:
        async with connected(asking, client_id, Will(topics.reply(NAME), b"")) as connection:
            user = f"user {settings.user}" if settings.user else "no user"
            let_in = fine("broker", where, f"lets us in over MQTT {settings.version.value} with {user}.")
            found = [let_in, *[found async for found in _topics(connection, settings, topics)]]
            return [*found, await _speed(connection, where, topics)]
    except (OutageError, SetupError) as error:
        remedy = _START if isinstance(error, BrokerAwayError) else error.remedy
        return [problem("broker", where, error.message, remedy)]


async def check_beside(settings: MqttSettings, daemon: Holder) -> Finding:
    """Check that something listens at the broker's port, and leave the login to the daemon that runs.

    With use_username_as_clientid a second connection of the user ends the daemon's.
    """
    where = f"{settings.host}:{settings.port}"
    try:
        async with asyncio.timeout(ANSWER_S_MAX):
            _, writer = await asyncio.open_connection(settings.host, settings.port)
    except OSError as error:
        reason = error.strerror or f"no answer in {ANSWER_S_MAX:g} s"
        return problem("broker", where, BrokerAwayError(settings, reason).message, _START)
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return fine("broker", where, f"is there; the login is left to the running daemon, {daemon}.")


async def _speed(connection: Connection, where: str, topics: Topics) -> Finding:
    """Measure how long the broker takes to acknowledge messages that follow each other as a table's do."""
    taken_s = []
    try:
        async with asyncio.timeout(ANSWER_S_MAX):
            for _ in range(MEASURED):
                began_s = time.perf_counter()
                await asyncio.gather(*(connection.post(topics.event(NAME), b"") for _ in range(AT_ONCE)))
                taken_s.append(time.perf_counter() - began_s)
    except TimeoutError:
        taken_s.append(ANSWER_S_MAX)
    median_ms, worst_ms = statistics.median(taken_s) * 1e3, max(taken_s) * 1e3
    said = f"acknowledges {AT_ONCE} messages in {median_ms:.1f} ms, at worst in {worst_ms:.1f} ms."
    if median_ms < SLOW_MS:
        return fine("broker-speed", where, said)
    remedy = "In Mosquitto set set_tcp_nodelay true. Otherwise look at the broker's disk and at the network."
    return warning("broker-speed", where, said, remedy)


async def _topics(connection: Connection, settings: MqttSettings, topics: Topics) -> AsyncIterator[Finding]:
    for topic in (topics.commands, topics.status, topics.state, topics.alerts, topics.devices):
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
