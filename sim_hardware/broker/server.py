"""The broker's sockets: one task a connection, packets in order, answers by reason code.

Theory of operation. A connection's first packet is a CONNECT, within `CONNECT_S_MAX`. From then on every packet is
answered before the next one is read, so answers come in order, and a silence longer than one and a half times the
agreed keepalive ends the connection with its will. The exchange calls back to write to any connection; it never
waits, because the queues are bounded there and what the network has not taken is counted.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from enum import Enum
from typing import Final

import structlog
from mqtt5 import (
    ConnAckPacket,
    ConnAckReasonCode,
    ConnectPacket,
    DisconnectPacket,
    DisconnectReasonCode,
    Packet,
    PingReqPacket,
    PingRespPacket,
    PubAckPacket,
    PubAckReasonCode,
    PublishPacket,
    QoS,
    SubAckPacket,
    SubscribePacket,
    UnsubAckPacket,
    UnsubscribePacket,
)

from sim_hardware.broker.exchange import Exchange
from sim_hardware.broker.framing import (
    MQTT_5,
    REFUSED_VERSION,
    ProtocolFault,
    asked_version,
    parse,
    read_packet_bytes,
)
from sim_hardware.broker.session import Limits, Session
from sim_hardware.loop import loop_ns, loop_s

CONNECT_S_MAX: Final = 10.0
LINGER_S_MAX: Final = 1.0
"""How long a connection that ends may take to deliver its last packets."""
KEEPALIVE_GRACE: Final = 1.5
"""MQTT 5.0, 3.1.2.10: one and a half times the keepalive."""
RECEIVE_MAX: Final = 1_000
WAITING_CONNECTIONS_MAX: Final = 100

log = structlog.get_logger("broker")


class Verdict(Enum):
    """What a judge lets happen to one published message. All but the first are faults of a broker."""

    ACCEPT = "accept"
    DENY = "deny"  # a negative PUBACK, as an access list gives
    SWALLOW = "swallow"  # routed, and never acknowledged
    CUT = "cut"  # the connection ends before the message is taken


Judge = Callable[[str, PublishPacket], Verdict]


def accept_all(_client_id: str, _packet: PublishPacket) -> Verdict:
    """Return the judge of a sound broker."""
    return Verdict.ACCEPT


class Broker:
    """A small MQTT 5 broker for the bench. Its sessions and retained messages survive `close` and a new `start`."""

    def __init__(self, limits: Limits | None = None, judge: Judge = accept_all) -> None:
        self.exchange = Exchange(limits)
        self.judge = judge
        self.port = 0
        self._server: asyncio.Server | None = None
        self._connections: dict[asyncio.Task[None], ClientConnection] = {}
        self._alarm: asyncio.TimerHandle | None = None
        self._ids_given = 0

    async def start(self, port: int = 0, host: str = "127.0.0.1") -> int:
        """Listen, and return the port, which is a free one if 0 was asked for."""
        self._server = await asyncio.start_server(self._accept, host, port)
        self.port = self._server.sockets[0].getsockname()[1]
        self.set_alarm()
        return self.port

    async def close(self) -> None:
        """Tell every client that the server ends, and stop listening."""
        if self._server is not None:
            self._server.close()
        for connection in self._connections.values():
            connection.end(DisconnectReasonCode.SERVER_SHUTTING_DOWN)
        await asyncio.gather(*self._connections, return_exceptions=True)
        if self._server is not None:
            await self._server.wait_closed()
            self._server = None
        self._drop_alarm()

    async def __aenter__(self) -> Broker:
        await self.start(self.port)
        return self

    async def __aexit__(self, *_exc: object) -> None:
        await self.close()

    def new_client_id(self) -> str:
        self._ids_given += 1
        return f"bench-{self._ids_given}"

    def set_alarm(self) -> None:
        """Set the timer for the next will or session end. Call this after each change of that time."""
        self._drop_alarm()
        due_ns = self.exchange.next_timeout_ns()
        if due_ns is not None and self._server is not None:
            self._alarm = asyncio.get_running_loop().call_at(loop_s(due_ns), self._on_alarm)

    def _on_alarm(self) -> None:
        """Do what is due: the loop's float clock can be just before that nanosecond."""
        due_ns = self.exchange.next_timeout_ns()
        if due_ns is not None:
            self.exchange.handle_timeout(max(loop_ns(), due_ns))
        self.set_alarm()

    def _drop_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if len(self._connections) >= self.exchange.limits.sessions_max + WAITING_CONNECTIONS_MAX:
            writer.transport.abort()
            return
        connection = ClientConnection(self, reader, writer)
        task = asyncio.create_task(connection.run())
        self._connections[task] = connection
        task.add_done_callback(self._forget)

    def _forget(self, task: asyncio.Task[None]) -> None:
        """Forget a task that ended. `result` gives a crash of ours to the loop's exception handler."""
        del self._connections[task]
        task.result()


class ClientConnection:
    """One client's connection, from its CONNECT on."""

    def __init__(self, broker: Broker, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._broker = broker
        self._exchange = broker.exchange
        self._reader = reader
        self._writer = writer
        self._session: Session | None = None
        self._keep_will = True
        self._silence_s_max: float | None = CONNECT_S_MAX
        self._cut: asyncio.TimerHandle | None = None

    # What the exchange calls.
    def send(self, packet: Packet) -> None:
        if not self._writer.is_closing():
            self._writer.write(packet.write())

    def backlog_bytes(self) -> int:
        return self._writer.transport.get_write_buffer_size()

    def end(self, reason: DisconnectReasonCode) -> None:
        self.send(DisconnectPacket(reason_code=reason))
        self._hang_up()

    async def run(self) -> None:
        """Serve until either end ends it. The will is published unless the client sent DISCONNECT."""
        try:
            await self._converse()
        except ProtocolFault as fault:
            log.info("connection ended", client=self._name, reason=fault.reason.name, detail=str(fault))
            self.end(fault.reason)
        except (asyncio.IncompleteReadError, OSError):
            pass
        finally:
            await self._finish()

    async def _converse(self) -> None:
        if not await self._connect():
            return
        is_open = True
        while is_open:
            is_open = self._handle(parse(await self._next_bytes()))

    async def _next_bytes(self) -> bytes:
        """Read packets. The client has to take what it was sent before it is heard again, within its keepalive."""
        try:
            async with asyncio.timeout(self._silence_s_max):
                await self._writer.drain()
                return await read_packet_bytes(self._reader, self._exchange.limits.packet_bytes_max)
        except TimeoutError:
            raise ProtocolFault(DisconnectReasonCode.KEEP_ALIVE_TIMEOUT, "silent for too long") from None

    async def _finish(self) -> None:
        if self._session is not None:
            self._exchange.leave(self._session, self, loop_ns(), keep_will=self._keep_will)
            self._broker.set_alarm()
        cut = self._hang_up()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        cut.cancel()

    def _hang_up(self) -> asyncio.TimerHandle:
        """Deliver the last packets, or cut off a client that takes nothing. Both wake a writer that waits here."""
        self._writer.close()
        if self._cut is None:
            self._cut = asyncio.get_running_loop().call_later(LINGER_S_MAX, self._writer.transport.abort)
        return self._cut

    @property
    def _name(self) -> str:
        return self._session.client_id if self._session is not None else "not yet known"

    async def _connect(self) -> bool:
        data = await self._next_bytes()
        version = asked_version(data)
        if version is not None and version != MQTT_5:
            log.warning("client refused: the bench broker speaks MQTT 5 only", asked_level=version)
            self._writer.write(REFUSED_VERSION)
            return False
        packet = parse(data)
        if not isinstance(packet, ConnectPacket):
            raise ProtocolFault(DisconnectReasonCode.PROTOCOL_ERROR, "the first packet is a CONNECT")
        return self._admit(packet)

    def _admit(self, packet: ConnectPacket) -> bool:
        refusal = self._exchange.admit(packet, loop_ns())
        if refusal is not None:
            log.warning("client refused", client=packet.client_id, reason=refusal.name)
            self.send(ConnAckPacket(reason_code=refusal))
            return False
        client_id = packet.client_id or self._broker.new_client_id()
        self._session, present = self._exchange.open(client_id, loop_ns(), clean=packet.clean_start)
        self._silence_s_max = packet.keep_alive * KEEPALIVE_GRACE or None
        self.send(self._welcome(present, None if packet.client_id else client_id))
        self._session.attach(packet, self, loop_ns())
        self._broker.set_alarm()
        return True

    def _welcome(self, present: bool, assigned_id: str | None) -> ConnAckPacket:
        return ConnAckPacket(
            session_present=present,
            reason_code=ConnAckReasonCode.SUCCESS,
            assigned_client_id=assigned_id,
            receive_max=RECEIVE_MAX,
            max_qos=QoS.AT_LEAST_ONCE,
            max_packet_size=self._exchange.limits.packet_bytes_max,
            subscription_id_available=False,
            shared_subscription_available=False,
        )

    def _handle(self, packet: Packet) -> bool:
        """Act on a packet. Return False if the connection is over."""
        assert self._session is not None
        match packet:
            case PublishPacket():
                return self._take_publish(self._session, packet)
            case PubAckPacket():
                self._session.acknowledge(packet.packet_id, loop_ns())
            case SubscribePacket():
                self._take_subscribe(self._session, packet)
            case UnsubscribePacket():
                codes = [self._exchange.unsubscribe(self._session, pattern) for pattern in packet.patterns]
                self.send(UnsubAckPacket(packet.packet_id, codes))
            case PingReqPacket():
                self.send(PingRespPacket())
            case DisconnectPacket():
                self._take_leave(self._session, packet)
                return False
            case _:
                raise ProtocolFault(DisconnectReasonCode.PROTOCOL_ERROR, f"{type(packet).__name__} is not expected")
        return True

    def _take_publish(self, session: Session, packet: PublishPacket) -> bool:
        _check_publish(packet)
        verdict = self._broker.judge(session.client_id, packet)
        if verdict is Verdict.CUT:
            self._writer.transport.abort()
            return False
        code = PubAckReasonCode.NOT_AUTHORIZED
        if verdict is not Verdict.DENY:
            code = self._exchange.publish(packet, loop_ns(), session.client_id)
        if packet.packet_id is not None and verdict is not Verdict.SWALLOW:
            self.send(PubAckPacket(packet.packet_id, reason_code=code))
        return True

    def _take_subscribe(self, session: Session, packet: SubscribePacket) -> None:
        if packet.subscription_id is not None:
            raise ProtocolFault(DisconnectReasonCode.SUBSCRIPTION_IDS_NOT_SUPPORTED, "no subscription identifiers")
        answers = [self._exchange.subscribe(session, entry) for entry in packet.topic_filters]
        self.send(SubAckPacket(packet.packet_id, [code for code, _ in answers]))
        for entry, (_, retained_due) in zip(packet.topic_filters, answers, strict=True):
            if retained_due:
                self._exchange.send_retained(session, entry, loop_ns())

    def _take_leave(self, session: Session, packet: DisconnectPacket) -> None:
        self._keep_will = packet.reason_code == DisconnectReasonCode.DISCONNECT_WITH_WILL_MESSAGE
        if packet.session_expiry_interval is not None:
            if session.expiry_s == 0 and packet.session_expiry_interval != 0:
                raise ProtocolFault(DisconnectReasonCode.PROTOCOL_ERROR, "a session that ends cannot be prolonged")
            session.expiry_s = packet.session_expiry_interval


def _check_publish(packet: PublishPacket) -> None:
    if packet.qos == QoS.EXACTLY_ONCE:
        raise ProtocolFault(DisconnectReasonCode.QOS_NOT_SUPPORTED, "QoS 0 and 1 only")
    if packet.topic_alias is not None:
        raise ProtocolFault(DisconnectReasonCode.TOPIC_ALIAS_INVALID, "no topic aliases were granted")
    if packet.packet_id == 0:
        raise ProtocolFault(DisconnectReasonCode.MALFORMED_PACKET, "packet identifier 0")
