"""One connection to the broker, on top of aiomqtt.

aiomqtt drops the reason code of a PUBACK, and does not end a publish in flight when the connection ends. Here every
publish has a future that ends as delivered, refused or lost.

A `Connection` is used for one connection only. `close` disconnects, and returns the socket and the task in every
case. MQTT 3.1.1 has no reason codes: when a broker denies a topic to a 3.1.1 client, it acknowledges and drops the
message. The client cannot notice this, so MQTT 5 is the default.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections import deque
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

import aiomqtt
import structlog
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt import client as paho
from paho.mqtt.enums import MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from daemon.mqtt.delivery import (
    JSON_TYPE,
    BrokerAwayError,
    BrokerProtocolError,
    BrokerRefusesError,
    Delivered,
    Delivery,
    Lost,
    Refused,
    unless_ended,
)
from daemon.mqtt.diagnosis import USE_3_1_1, find_remedy
from daemon.mqtt.properties import publish_properties
from daemon.mqtt.reasons import (
    FAILURE_MIN,
    NO_MATCHING_SUBSCRIBERS,
    NO_SUCH_VERSION,
    REFUSED_PERMANENTLY,
    SESSION_TAKEN_OVER,
    UNSPECIFIED,
    number_of,
    reason_of,
)
from daemon.mqtt.settings import MqttSettings, MqttVersion
from daemon.mqtt.tls import tls_context
from daemon.mqtt.wire import Wire, puback_packet, publish_packet
from protocols.frozen import dataclass

QOS: Final = 1
COMMANDS_UNANSWERED_MAX: Final = 256  # for all users: `daemon.mqtt.waiting` has the share of each
PACKET_BYTES_MAX: Final = 1 << 20  # far above a command; the broker drops what is longer
TOPIC_TOLD_MAX: Final = 200
_NODELAY: Final = (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
_QUICKACK: Final = getattr(socket, "TCP_QUICKACK", None)  # Linux has it

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Will:
    """The message that the broker publishes, retained, when this connection ends without a DISCONNECT."""

    topic: str
    payload: bytes


@asynccontextmanager
async def connected(settings: MqttSettings, client_id: str, will: Will | None = None) -> AsyncIterator[Connection]:
    """Connect, and close the connection on leaving. Raise BrokerAwayError or BrokerRefusesError."""
    tls = await asyncio.to_thread(tls_context, settings)  # it reads files
    connection = Connection(settings, client_id, will, tls)
    try:
        await connection.open()
        yield connection
    finally:
        await connection.close()


class Connection(aiomqtt.Client):
    """One connection, from `open` to `close`."""

    def __init__(self, settings: MqttSettings, client_id: str, will: Will | None, tls: ssl.SSLContext | None) -> None:
        v5 = settings.version is MqttVersion.V5
        session = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        session.SessionExpiryInterval = settings.session_expiry_s
        session.ReceiveMaximum = COMMANDS_UNANSWERED_MAX
        session.MaximumPacketSize = PACKET_BYTES_MAX
        super().__init__(
            settings.host,
            settings.port,
            identifier=client_id,
            username=settings.name_said,
            password=settings.password,
            protocol=aiomqtt.ProtocolVersion.V5 if v5 else aiomqtt.ProtocolVersion.V311,
            will=None if will is None else aiomqtt.Will(will.topic, will.payload, QOS, retain=True),
            # A 3.1.1 broker keeps a session permanently or not at all.
            clean_session=None if v5 else settings.session_expiry_s == 0,
            clean_start=False if v5 else paho.MQTT_CLEAN_START_FIRST_ONLY,
            properties=session if v5 else None,
            timeout=settings.connect_s_max,
            keepalive=settings.keepalive_s,
            tls_context=tls,
            socket_options=(_NODELAY,),
            max_inflight_messages=0,  # no queue inside paho: `_waiting` is the only one, so `_awaited` is exact
        )
        self.pending_calls_threshold = COMMANDS_UNANSWERED_MAX
        self._client.connect_timeout = settings.connect_s_max
        self._client.manual_ack_set(True)
        self._client.disable_logger()  # two lines for each message, for nobody; what goes wrong is raised as well
        self._settings = settings
        self._v5 = v5
        self._client_id = client_id
        self._take: Callable[[aiomqtt.Message], None] | None = None
        self._told_of_no_topic = False
        self.sent_again: Final[set[int]] = set()  # packet ids of messages that the broker says it has sent before
        self._awaited: dict[int, _Post] = {}
        self._last_topic: str | None = None  # the oldest that the broker had not acknowledged when it ended
        self._waiting: deque[_Post] = deque()
        self._wire = Wire(self._client, self._on_acknowledged)
        self._watches_for_room = False
        self._in_flight_max = settings.in_flight_max
        self._progress_s = 0.0  # of the last acknowledgement, or of the first publish after all were acknowledged

    async def open(self) -> None:
        """Connect. A cancellation waits for paho's blocking connect, whose thread cannot be stopped."""
        opening = asyncio.ensure_future(self.__aenter__())
        try:
            await asyncio.shield(opening)
        except asyncio.CancelledError:
            await asyncio.wait({opening})
            if not opening.cancelled():
                opening.exception()  # retrieved, or the loop would log it
            raise
        except MqttConnectError as error:
            code = number_of(error.rc)
            if code in NO_SUCH_VERSION:
                raise BrokerProtocolError(self._settings, str(error), USE_3_1_1) from error
            kind = BrokerRefusesError if code in REFUSED_PERMANENTLY else BrokerAwayError
            raise kind(self._settings, str(error)) from error
        except aiomqtt.MqttError as error:
            is_listening = not isinstance(error.__context__, ConnectionRefusedError)
            remedy = await find_remedy(self._settings) if is_listening else None
            if remedy is not None:
                raise BrokerProtocolError(self._settings, str(error), remedy) from error
            kind = BrokerRefusesError if isinstance(error.__context__, ssl.SSLError) else BrokerAwayError
            raise kind(self._settings, str(error)) from error
        self._disconnected.add_done_callback(self._end_publishes)

    async def close(self) -> None:
        """Disconnect, and return the socket and the task. Every publish that is still open ends as lost."""
        if self._connected.done() and not self._disconnected.done():
            with suppress(aiomqtt.MqttError):
                await self.__aexit__(None, None, None)
        self._client._sock_close()  # aiomqtt leaves it open when DISCONNECT or CONNACK times out
        if self._misc_task is not None:
            self._misc_task.cancel()
            await asyncio.gather(self._misc_task, return_exceptions=True)
        self._end_publishes()

    def post(
        self,
        topic: str,
        payload: bytes,
        *,
        retain: bool = False,
        content_type: str = JSON_TYPE,
        correlation: bytes | None = None,
        more: bool = False,
    ) -> asyncio.Future[Delivery]:
        """Publish at QoS 1. The future ends with a delivery, never with an exception.

        If `more` is posted at once, both are written together, with the last.
        """
        properties = publish_properties(content_type, correlation) if self._v5 else None
        future: asyncio.Future[Delivery] = self._loop.create_future()
        self._waiting.append(_Post(topic, payload, retain, properties, future))
        if not more:
            self._send_waiting()  # now: waiting for the loop would add its other work to each message's latency
        return future

    async def listen(
        self, *topics: str, qos: int = QOS, own: bool = True, retained: bool = True, answer_s_max: float | None = None
    ) -> None:
        """Subscribe, or raise BrokerRefusesError. MQTT 5 can leave out our own, and what was retained before."""
        if not topics:
            return
        # What we retain ourselves comes at QoS 0. At QoS 1 Mosquitto has it wait behind a window full of commands,
        # and it takes the place of one at NATS, because MQTT 3.1.1 cannot leave our own out.
        qos = qos if own else 0
        # With retainAsPublished a retained command is seen to be one also when it comes live.
        options = SubscribeOptions(qos, noLocal=not own, retainAsPublished=True, retainHandling=0 if retained else 2)
        how: Any = options if self._v5 else qos
        try:  # the answer comes behind what the broker has for us already: in a flood later than `connect_s_max`
            wait_s = self._settings.ack_s_max if answer_s_max is None else answer_s_max
            asked = self.subscribe([(topic, how) for topic in topics], timeout=wait_s)
            codes: Any = await unless_ended(asked, self._disconnected)
        except aiomqtt.MqttError as error:  # some brokers refuse a topic like this
            raise BrokerAwayError(self._settings, f"{error}, in answer to the subscription to {topics[0]}") from error
        if len(codes) != len(topics):
            raise BrokerAwayError(self._settings, f"it answered for {len(codes)} topics, and not for {len(topics)}")
        refused = [topic for topic, code in zip(topics, codes, strict=True) if number_of(code) >= FAILURE_MIN]
        if refused and (self._v5 or qos == 0):
            raise BrokerRefusesError(self._settings, f"it refuses the subscription to {refused[0]}")
        if refused:  # our list for NATS gives most users QoS 0 only
            await self.listen(*refused, qos=0, own=own, retained=retained)

    async def stop_listening(self, topics: Collection[str]) -> None:
        """End subscriptions, also some that the broker does not have. Raise BrokerAwayError."""
        try:
            if topics:
                asked = self.unsubscribe(list(topics), timeout=self._settings.ack_s_max)
                await unless_ended(asked, self._disconnected)
        except aiomqtt.MqttError as error:
            raise BrokerAwayError(self._settings, f"{error}, in answer to the end of a subscription") from error

    def deliver_to(self, take: Callable[[aiomqtt.Message], None]) -> None:
        """Call `take` with each message as it is read, also with those that are here already, instead of `messages`.

        `messages` would take several turns of the loop for each one, and in a flood the loop reads faster than that.
        """
        while not self._queue.empty():
            take(self._queue.get_nowait())
        self._take = take

    def acknowledge(self, message: aiomqtt.Message) -> None:
        """Send the PUBACK: the broker then does not deliver this message again."""
        if message.qos:  # nobody subscribes at QoS 2
            self._wire.send(puback_packet(message.mid))

    async def until_lost(self) -> None:
        """Wait until the connection ends, or until nothing was acknowledged for `ack_s_max`. Raise BrokerAwayError."""
        ack_s_max = wait_s = self._settings.ack_s_max
        while not (await asyncio.wait({self._disconnected}, timeout=wait_s))[0]:
            wait_s = ack_s_max
            if self._awaited:
                wait_s -= self._loop.time() - self._progress_s
            if wait_s <= 0:
                raise BrokerAwayError(self._settings, f"it acknowledged nothing for {ack_s_max:g} s")
        error = self._disconnected.exception()
        raise BrokerAwayError(self._settings, self._end_reason(error)) from error

    def _end_reason(self, error: BaseException | None) -> str:
        code = number_of(error.rc) if isinstance(error, aiomqtt.MqttCodeError) else None
        if code == SESSION_TAKEN_OVER:
            return f"another client logged in with our client id {self._client_id}"
        reason = str(error)
        if error is None or code == UNSPECIFIED:
            reason = "the broker closed the connection without a reason code"
        if self._last_topic is None:
            return reason
        # NATS and RabbitMQ close the connection where others refuse the message.
        return f"{reason}; it had not acknowledged the message on {self._last_topic}"

    def _on_message(self, client: paho.Client, userdata: Any, message: paho.MQTTMessage) -> None:  # noqa: ANN401
        (self.sent_again.add if message.dup else self.sent_again.discard)(message.mid)
        try:
            super()._on_message(client, userdata, message)
        except ValueError:
            # The topic is not valid: RabbitMQ makes a `+` of a user's `*`, and NATS passes on what is not UTF-8. Raised
            # here it would end the connection, and each next one, where it is delivered again.
            self._client.ack(message.mid, message.qos)
            self._tell_of_no_topic(message)
            return
        if self._take is not None:
            self._take(self._queue.get_nowait())

    def _tell_of_no_topic(self, message: paho.MQTTMessage) -> None:
        """Name it in the log once for each connection: more could be as many as somebody likes."""
        if not self._told_of_no_topic:
            self._told_of_no_topic = True
            topic = bytes(message._topic).decode(errors="backslashreplace")  # `topic` raises
            _log.warning("mqtt-no-topic", topic=topic[:TOPIC_TOLD_MAX])

    def _on_acknowledged(self, mid: int, code: int) -> None:
        post = self._awaited.pop(mid, None)
        if post is None:
            return
        self._progress_s = self._loop.time()
        if code >= FAILURE_MIN:
            _end(post.future, Refused(code, reason_of(code)))
        else:
            _end(post.future, Delivered(heard=code != NO_MATCHING_SUBSCRIBERS))
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
        if receive_max is not None:  # paho ignores it, and a broker may disconnect a client that exceeds it
            self._in_flight_max = min(self._in_flight_max, receive_max)

    def _on_socket_open(self, client: paho.Client, userdata: Any, sock: Any) -> None:  # noqa: ANN401
        """Have what is read acknowledged at once.

        A broker without TCP_NODELAY holds its next packet back until the last one is acknowledged, and the kernel
        delays that by 40 ms.
        """
        read = self._wire.read

        def read_and_acknowledge(max_packets: int = 1) -> MQTTErrorCode:
            done = read(max_packets)
            if _QUICKACK is not None and sock.fileno() >= 0:  # the kernel forgets it with each packet
                sock.setsockopt(socket.IPPROTO_TCP, _QUICKACK, 1)
            return done

        client.loop_read = read_and_acknowledge  # type: ignore[method-assign]
        super()._on_socket_open(client, userdata, sock)

    def _on_socket_register_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:  # noqa: ANN401
        """Watch the socket for room to write. paho calls this on the loop, and from its connecting thread."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._loop.call_soon_threadsafe(self._watch_for_room, sock)
        else:
            self._watch_for_room(sock)

    def _watch_for_room(self, sock: Any) -> None:  # noqa: ANN401
        if sock is not None and sock.fileno() >= 0:  # a closed socket's number may already be another's
            self._loop.add_writer(sock.fileno(), self._write)
            self._watches_for_room = True

    def _on_socket_unregister_write(self, client: paho.Client, userdata: Any, sock: Any) -> None:  # noqa: ANN401
        if self._watches_for_room and sock.fileno() >= 0:
            self._loop.remove_writer(sock.fileno())
            self._watches_for_room = False

    def _write(self) -> None:
        try:
            self._client.loop_write()
        except Exception as error:  # after any error here the connection cannot be used
            if not self._disconnected.done():
                self._disconnected.set_exception(error)

    def _end_publishes(self, _: object = None) -> None:
        if self._disconnected.done() and not self._disconnected.cancelled():
            self._disconnected.exception()  # retrieved, or the loop would log it
        if self._awaited:
            self._last_topic = next(iter(self._awaited.values())).topic
        lost = [post.future for post in (*self._awaited.values(), *self._waiting)]
        self._awaited.clear()
        self._waiting.clear()
        for future in lost:
            _end(future, Lost())

    def _send_waiting(self) -> None:
        """Write what waits, as much as may be unacknowledged, in one piece."""
        packets = []
        while self._waiting and len(self._awaited) < self._in_flight_max and not self._disconnected.done():
            post = self._waiting.popleft()
            if self._client.socket() is None:
                _end(post.future, Lost())
                continue
            if not self._awaited:
                self._progress_s = self._loop.time()
            mid = self._free_mid()
            packets.append(publish_packet(post.topic, post.payload, post.retain, post.properties, mid))
            self._awaited[mid] = post
        if packets:
            self._wire.send(packets[0] if len(packets) == 1 else b"".join(packets))
        if self._disconnected.done():
            self._end_publishes()

    def _free_mid(self) -> int:
        mid = self._client._mid_generate()
        while mid in self._awaited:
            mid = self._client._mid_generate()
        return mid


@dataclass(frozen=True, slots=True)
class _Post:
    """A publish that waits until fewer than `in_flight_max` are unacknowledged."""

    topic: str
    payload: bytes
    retain: bool
    properties: Properties | None
    future: asyncio.Future[Delivery]


def _end(future: asyncio.Future[Delivery], delivery: Delivery) -> None:
    if not future.done():  # it is done when the task that awaited it was cancelled
        future.set_result(delivery)
