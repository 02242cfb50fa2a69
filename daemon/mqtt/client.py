"""One connection to the broker: aiomqtt with its silences made audible.

A publish is confirmed by its PUBACK and by nothing else: a broker that refuses says so in the PUBACK's reason
code, which aiomqtt drops, and a publish in flight does not notice that the connection went. So here every
publish has a future that always comes to something: delivered, refused, or lost with the connection.

A `Connection` lives for one connection and is never used again. It says goodbye when it is left, and whatever
happens it gives back its socket and its task. MQTT 3.1.1 has no reason codes: a broker that denies a topic to a
3.1.1 client acknowledges and drops, and nobody can tell. That is why 5 is the default.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import aiomqtt
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt import client as paho
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon.mqtt.delivery import (
    JSON_TYPE,
    BrokerAwayError,
    BrokerRefusesError,
    Delivered,
    Delivery,
    Lost,
    Refused,
)
from daemon.mqtt.settings import MqttSettings, MqttVersion, TlsSettings

QOS: Final = 1
NO_MATCHING_SUBSCRIBERS: Final = 16  # MQTT 5, 3.4.2.1: a success
UNSPECIFIED: Final = 0x80  # MQTT 5, 2.4; paho's word as well for a connection that simply ended
FAILURE_MIN: Final = 128  # MQTT 5, 2.4: reason codes from 0x80 up are failures
COMMANDS_UNANSWERED_MAX: Final = 32  # the broker keeps the rest, so a flood of commands fills no memory here
_NODELAY: Final = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

# Reason codes of a CONNACK that time does not mend (MQTT 5, 3.2.2.2; below 128 those of MQTT 3.1.1, 3.2.2.3).
_REFUSED_FOR_GOOD: Final = frozenset({1, 2, 4, 5, 0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C, 0x9D})


@dataclass(frozen=True, slots=True)
class Will:
    """What the broker says of us when we are silent."""

    topic: str
    payload: bytes


@asynccontextmanager
async def connected(settings: MqttSettings, client_id: str, will: Will) -> AsyncIterator[Connection]:
    """A connection to the broker, or BrokerAwayError or BrokerRefusesError; given back in every case."""
    tls = await asyncio.to_thread(_tls_context, settings)
    connection = Connection(settings, client_id, will, tls)
    try:
        await connection.open()
        yield connection
    finally:
        await connection.close()


class Connection(aiomqtt.Client):
    """One connection, from `open` to `close`."""

    def __init__(self, settings: MqttSettings, client_id: str, will: Will, tls: ssl.SSLContext | None) -> None:
        v5 = settings.version is MqttVersion.V5
        super().__init__(
            settings.host,
            settings.port,
            identifier=client_id,
            username=settings.user,
            password=settings.password,
            protocol=aiomqtt.ProtocolVersion.V5 if v5 else aiomqtt.ProtocolVersion.V311,
            will=aiomqtt.Will(will.topic, will.payload, QOS, retain=True),
            clean_session=None if v5 else False,
            clean_start=False if v5 else paho.MQTT_CLEAN_START_FIRST_ONLY,
            properties=_session_properties(settings) if v5 else None,
            timeout=settings.connect_s_max,
            keepalive=settings.keepalive_s,
            tls_context=tls,
            socket_options=(_NODELAY,),
            max_inflight_messages=0,  # the outbox has its own window, and what waits inside paho is not in flight
        )
        self.pending_calls_threshold = COMMANDS_UNANSWERED_MAX
        self._client.connect_timeout = settings.connect_s_max
        self._client.manual_ack_set(True)
        self._settings = settings
        self._v5 = v5
        self._awaited: dict[int, asyncio.Future[Delivery]] = {}
        self._waiting: deque[_Post] = deque()
        self._in_flight_max = settings.in_flight_max
        self._progress_s = 0.0  # when the broker last acknowledged, or was first owed an acknowledgement again

    async def open(self) -> None:
        """Connect. The blocking half of it runs in a thread that cannot be stopped, so a cancel waits for it."""
        opening = asyncio.ensure_future(self.__aenter__())
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await asyncio.wait({opening})
            if not opening.cancelled():
                opening.exception()
            raise
        except MqttConnectError as error:
            code = _code(error.rc)
            kind = BrokerRefusesError if code in _REFUSED_FOR_GOOD else BrokerAwayError
            raise kind(self._settings, str(error)) from error
        except aiomqtt.MqttError as error:
            kind = BrokerRefusesError if isinstance(error.__context__, ssl.SSLError) else BrokerAwayError
            raise kind(self._settings, str(error)) from error
        self._disconnected.add_done_callback(self._lose_all)

    async def close(self) -> None:
        """Say goodbye if anyone listens, and give everything back."""
        if self._connected.done() and not self._disconnected.done():
            with suppress(aiomqtt.MqttError):
                await self.__aexit__(None, None, None)
        self._client._sock_close()  # aiomqtt leaves the socket open when the goodbye or the CONNACK times out
        if self._misc_task is not None:
            self._misc_task.cancel()
            await asyncio.gather(self._misc_task, return_exceptions=True)
        self._lose_all()

    def post(
        self,
        topic: str,
        payload: bytes,
        *,
        retain: bool = False,
        content_type: str = JSON_TYPE,
        correlation: bytes | None = None,
    ) -> asyncio.Future[Delivery]:
        """Send at QoS 1; the future always comes to a delivery, never to an exception."""
        properties = self._properties_of(content_type, correlation)
        future: asyncio.Future[Delivery] = self._loop.create_future()
        self._waiting.append(_Post(topic, payload, retain, properties, future))
        self._send_waiting()
        self._write()  # now, and not after whatever the loop has to do first
        return future

    async def listen(self, topic: str, *, own: bool = True) -> None:
        """Subscribe, or BrokerRefusesError. Without `own`, what we publish ourselves does not come back (MQTT 5)."""
        how = {"options": SubscribeOptions(QOS, noLocal=not own)} if self._v5 else {"qos": QOS}
        try:
            codes = await self.subscribe(topic, **how)
        except aiomqtt.MqttError as error:
            raise BrokerAwayError(self._settings, str(error)) from error
        if any(_code(code) >= FAILURE_MIN for code in codes):
            raise BrokerRefusesError(self._settings, f"we may not subscribe to {topic}")

    def settle(self, message: aiomqtt.Message) -> None:
        """Tell the broker that this message was dealt with and need not come again."""
        self._client.ack(message.mid, message.qos)

    async def until_lost(self) -> None:
        """Wait for the end of the connection, or for a broker that owes acknowledgements and gives none."""
        ack_s_max = self._settings.ack_s_max
        wait_s = ack_s_max
        while not (await asyncio.wait({self._disconnected}, timeout=wait_s))[0]:
            wait_s = ack_s_max
            if self._awaited:
                wait_s -= self._loop.time() - self._progress_s
            if wait_s <= 0:
                raise BrokerAwayError(self._settings, f"it has acknowledged nothing for {ack_s_max:g} s")
        error = self._disconnected.exception()
        code = _code(error.rc) if isinstance(error, aiomqtt.MqttCodeError) else None
        reason = "the connection ended without a word" if error is None or code == UNSPECIFIED else str(error)
        raise BrokerAwayError(self._settings, reason) from error

    def _on_publish(
        self,
        client: paho.Client,
        userdata: Any,  # noqa: ANN401  # as aiomqtt declares it
        mid: int,
        reason_code: ReasonCode,
        properties: Properties,
    ) -> None:
        super()._on_publish(client, userdata, mid, reason_code, properties)
        future = self._awaited.pop(mid, None)
        if future is None:
            return
        self._progress_s = self._loop.time()
        if reason_code.is_failure:
            _come_to(future, Refused(reason_code.value, str(reason_code)))
        else:
            _come_to(future, Delivered(heard=reason_code.value != NO_MATCHING_SUBSCRIBERS))
        self._send_waiting()

    def _on_connect(
        self,
        client: paho.Client,
        userdata: Any,  # noqa: ANN401
        flags: paho.ConnectFlags,
        reason_code: ReasonCode,
        properties: Properties | None = None,
    ) -> None:
        super()._on_connect(client, userdata, flags, reason_code, properties)
        receive_max = getattr(properties, "ReceiveMaximum", None)
        if receive_max is not None:  # paho does not keep to it, and a broker may hang up on whoever does not
            self._in_flight_max = min(self._in_flight_max, receive_max)

    def _on_socket_register_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:  # noqa: ANN401
        """Watch for room to write; asks for the descriptor only when it is used, since by then it may be another's."""

        def watch() -> None:
            if sock.fileno() >= 0:
                self._loop.add_writer(sock.fileno(), self._write)

        if _on_the_loop():
            watch()
        else:
            self._loop.call_soon_threadsafe(watch)

    def _on_socket_unregister_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:  # noqa: ANN401
        if sock.fileno() >= 0:
            self._loop.remove_writer(sock.fileno())

    def _properties_of(self, content_type: str, correlation: bytes | None) -> Properties | None:
        if not self._v5:
            return None
        return (
            _content_properties(content_type) if correlation is None else _publish_properties(content_type, correlation)
        )

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except Exception as error:  # whatever it is, the connection is gone
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def _lose_all(self, _: object = None) -> None:
        if self._disconnected.done() and not self._disconnected.cancelled():
            self._disconnected.exception()  # asked for, so that the loop does not report it as never retrieved
        lost = [*self._awaited.values(), *(post.future for post in self._waiting)]
        self._awaited.clear()
        self._waiting.clear()
        for future in lost:
            _come_to(future, Lost())

    def _send_waiting(self) -> None:
        while self._waiting and len(self._awaited) < self._in_flight_max and not self._disconnected.done():
            post = self._waiting.popleft()
            info = self._client.publish(post.topic, post.payload, QOS, post.retain, post.properties)
            if info.rc == paho.MQTT_ERR_SUCCESS:
                if not self._awaited:
                    self._progress_s = self._loop.time()
                self._awaited[info.mid] = post.future
            else:
                _come_to(post.future, Lost())
        if self._disconnected.done():
            self._lose_all()


@dataclass(frozen=True, slots=True)
class _Post:
    """A publish that waits for its turn."""

    topic: str
    payload: bytes
    retain: bool
    properties: Properties | None
    future: asyncio.Future[Delivery]


def _come_to(future: asyncio.Future[Delivery], delivery: Delivery) -> None:
    if not future.done():  # else whoever waited was cancelled
        future.set_result(delivery)


def _on_the_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _session_properties(settings: MqttSettings) -> Properties:
    properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
    properties.SessionExpiryInterval = settings.session_expiry_s
    properties.ReceiveMaximum = COMMANDS_UNANSWERED_MAX
    return properties


@lru_cache(maxsize=8)  # making one takes paho longer than sending the message
def _content_properties(content_type: str) -> Properties:
    return _publish_properties(content_type, None)


def _publish_properties(content_type: str, correlation: bytes | None) -> Properties:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    properties.ContentType = content_type
    if correlation is not None:
        properties.CorrelationData = correlation
    return properties


def _tls_context(settings: MqttSettings) -> ssl.SSLContext | None:
    tls = settings.tls
    if tls is None:
        return None
    try:
        return _context(tls)
    except OSError as error:
        raise BrokerRefusesError(settings, f"the TLS files cannot be used: {error}") from error


class _TidySocket(ssl.SSLSocket):
    """paho forgets the socket of a handshake that fails, so it closes itself."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


def _context(tls: TlsSettings) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=None if tls.ca_file is None else str(tls.ca_file))
    context.sslsocket_class = _TidySocket
    if tls.certificate_file is not None:
        context.load_cert_chain(tls.certificate_file, tls.key_file)
    return context


def _code(code: int | ReasonCode | None) -> int:
    if code is None:
        return 0
    return code.value if isinstance(code, ReasonCode) else code
