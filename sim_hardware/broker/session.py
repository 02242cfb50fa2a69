"""What the broker keeps for one client: its filters, what waits for it, and what it has not acknowledged.

A session outlives its connections. Messages of QoS 1 wait in a bounded queue, in order; at most the client's
receive maximum of them are under way, and those that were under way when a connection ended are sent again
first, marked as duplicates. Messages of QoS 0 are sent or forgotten.
"""

from __future__ import annotations

from collections import deque
from dataclasses import field
from typing import Final, Protocol

from mqtt5 import ConnectPacket, DisconnectReasonCode, Packet, PublishPacket, QoS, TopicFilter, Will

from protocols.frozen import dataclass

NS_PER_S: Final = 1_000_000_000
NEVER_S: Final = 0xFFFFFFFF
"""MQTT 5.0, 3.1.2.11.2: this session expiry interval means that the session does not expire."""
PACKET_IDS: Final = 65535


@dataclass(frozen=True, slots=True)
class Limits:
    """How much one broker holds. What would exceed it is refused by a reason code, never dropped in silence."""

    sessions_max: int = 1_000
    filters_max: int = 1_000  # of one session
    queue_max: int = 100_000  # messages that wait for one session
    under_way_max: int = 1_000  # messages sent to one session and not acknowledged
    retained_max: int = 100_000
    backlog_bytes_max: int = 4 << 20  # written to one connection and not yet taken by the network
    packet_bytes_max: int = 1 << 20


class ClientSocket(Protocol):
    """The session's connection to its client, while there is one."""

    def send(self, packet: Packet) -> None:
        """Write bytes. Do nothing if the connection has ended."""

    def backlog_bytes(self) -> int:
        """Return how many written bytes were not taken yet."""

    def end(self, reason: DisconnectReasonCode) -> None:
        """Send the reason, and close."""


@dataclass(frozen=True, slots=True)
class Message:
    """Something published, and when."""

    packet: PublishPacket
    at_ns: int

    def expired(self, now_ns: int) -> bool:
        interval_s = self.packet.message_expiry_interval
        return interval_s is not None and now_ns - self.at_ns >= interval_s * NS_PER_S

    def addressed(
        self, qos: QoS, now_ns: int, *, retain: bool, packet_id: int | None = None, again: bool = False
    ) -> PublishPacket:
        """Return the packet for one subscriber, with what is left of its life (3.3.2.3.3)."""
        packet = self.packet
        interval_s = packet.message_expiry_interval
        left_s = None if interval_s is None else max(0, interval_s - (now_ns - self.at_ns) // NS_PER_S)
        return PublishPacket(
            packet.topic,
            packet.payload,
            qos=qos,
            retain=retain,
            packet_id=packet_id,
            duplicate=again,
            payload_format_indicator=packet.payload_format_indicator,
            message_expiry_interval=left_s,
            content_type=packet.content_type,
            response_topic=packet.response_topic,
            correlation_data=packet.correlation_data,
            user_properties=packet.user_properties,
        )


@dataclass(frozen=True, slots=True)
class Waiting:
    """A message on its way to one session, and whether it goes as a retained one."""

    message: Message
    retain: bool


@dataclass(slots=True)
class Session:
    """One client's session. Mutable: the exchange owns it."""

    client_id: str
    limits: Limits
    filters: dict[str, TopicFilter] = field(default_factory=dict)
    queue: deque[Waiting] = field(default_factory=deque)
    under_way: dict[int, Waiting] = field(default_factory=dict)
    socket: ClientSocket | None = None
    expiry_s: int = 0
    receive_max: int = PACKET_IDS
    will: Will | None = None
    expires_ns: int | None = None
    will_due_ns: int | None = None
    _last_id: int = 0

    def attach(self, connect: ConnectPacket, socket: ClientSocket, now_ns: int) -> None:
        """Begin a connection, whose CONNACK was sent: send again what was under way."""
        self.socket, self.will = socket, connect.will
        self.expiry_s, self.expires_ns, self.will_due_ns = connect.session_expiry_interval, None, None
        self.receive_max = min(connect.receive_max, self.limits.under_way_max)
        for packet_id, waiting in self.under_way.items():
            self._transmit(packet_id, waiting, now_ns, again=True)
        self.pump(now_ns)

    def detach(self, now_ns: int) -> None:
        """End the connection. The session lives on for as long as was agreed."""
        self.socket = None
        self.expires_ns = None if self.expiry_s == NEVER_S else now_ns + self.expiry_s * NS_PER_S

    @property
    def has_room(self) -> bool:
        return len(self.queue) < self.limits.queue_max

    def deliver(self, message: Message, qos: QoS, now_ns: int, *, retain: bool) -> None:
        """Send a message, or let it wait. Ask `has_room` first."""
        if qos == QoS.AT_MOST_ONCE:
            if self.socket is not None and self._network_keeps_up():
                self.socket.send(message.addressed(qos, now_ns, retain=retain))
            return
        self.queue.append(Waiting(message, retain))
        self.pump(now_ns)

    def acknowledge(self, packet_id: int, now_ns: int) -> None:
        """End a message under way. A refusal ends it too: the client has had the message."""
        self.under_way.pop(packet_id, None)
        self.pump(now_ns)

    def pump(self, now_ns: int) -> None:
        """Send what the client's receive maximum and the network allow."""
        while self.socket is not None and self.queue and self._may_send():
            waiting = self.queue.popleft()
            if not waiting.message.expired(now_ns):
                packet_id = self._free_id()
                self.under_way[packet_id] = waiting
                self._transmit(packet_id, waiting, now_ns, again=False)

    def _may_send(self) -> bool:
        """Call `pump` again. Each acknowledgement does; if none is outstanding, send without waiting for the socket."""
        return len(self.under_way) < self.receive_max and (not self.under_way or self._network_keeps_up())

    def _network_keeps_up(self) -> bool:
        return self.line_backlog() < self.limits.backlog_bytes_max

    def line_backlog(self) -> int:
        """Return how many bytes the network has not taken yet, 0 without a connection."""
        return 0 if self.socket is None else self.socket.backlog_bytes()

    def _transmit(self, packet_id: int, waiting: Waiting, now_ns: int, *, again: bool) -> None:
        assert self.socket is not None
        packet = waiting.message.addressed(
            QoS.AT_LEAST_ONCE, now_ns, retain=waiting.retain, packet_id=packet_id, again=again
        )
        self.socket.send(packet)

    def _free_id(self) -> int:
        """Return a free id. There always is one: `under_way_max` is far below the number of ids."""
        while True:
            self._last_id = self._last_id % PACKET_IDS + 1
            if self._last_id not in self.under_way:
                return self._last_id
