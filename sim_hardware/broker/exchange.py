"""The broker's state and what moves it: sessions, retained messages, wills. No sockets, no clock.

Theory of operation. A connection asks to `attach` to the session of its client id; an older connection of the same
client is told so and ended. `publish` stores a retained message, and gives the message to every session with a
filter that takes its topic. A session without a connection waits until its expiry; a will waits for its delay or
for the end of the session, whichever is first. Both are found by `handle_timeout`, which the owner calls at
`next_timeout_ns`. Time is monotonic nanoseconds and comes in with every call.

What is refused is refused by reason code. In particular a QoS 1 message for which one subscriber's queue has no
room is given to nobody and answered "quota exceeded": a broker that acknowledges and then drops would hide from
the bench exactly the fault that the outbox must survive.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from mqtt5 import (
    ConnAckReasonCode,
    ConnectPacket,
    DisconnectReasonCode,
    PubAckReasonCode,
    PublishPacket,
    QoS,
    RetainHandling,
    SubAckReasonCode,
    TopicFilter,
    UnsubAckReasonCode,
    Will,
)

from sim_hardware.broker.session import NS_PER_S, ClientSocket, Limits, Message, Session
from sim_hardware.broker.topics import SHARED, is_topic_filter, is_topic_name, matches

_QOS_GRANTED: Final = (QoS.AT_MOST_ONCE, QoS.AT_LEAST_ONCE, QoS.AT_LEAST_ONCE)
_SUBACK: Final = (
    SubAckReasonCode.GRANTED_QOS_AT_MOST_ONCE,
    SubAckReasonCode.GRANTED_QOS_AT_LEAST_ONCE,
    SubAckReasonCode.GRANTED_QOS_AT_LEAST_ONCE,
)
"""Both by the QoS that was asked for. A client that asks for 2 gets 1."""


class Exchange:
    """The state of one broker."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.sessions: dict[str, Session] = {}
        self.retained: dict[str, Message] = {}

    def admit(self, connect: ConnectPacket, now_ns: int) -> ConnAckReasonCode | None:
        """Return why this client is refused, or None."""
        self.handle_timeout(now_ns)
        if connect.will is not None and not is_topic_name(connect.will.topic):
            return ConnAckReasonCode.TOPIC_NAME_INVALID
        if connect.will is not None and connect.will.qos == QoS.EXACTLY_ONCE:
            return ConnAckReasonCode.QUALITY_NOT_SUPPORTED
        if connect.authentication_method is not None:
            return ConnAckReasonCode.BAD_AUTHENTICATION_METHOD
        if connect.max_packet_size is not None and connect.max_packet_size < self.limits.packet_bytes_max:
            return ConnAckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR
        if connect.client_id not in self.sessions and len(self.sessions) >= self.limits.sessions_max:
            return ConnAckReasonCode.QUOTA_EXCEEDED
        return None

    def open(self, client_id: str, now_ns: int, *, clean: bool) -> tuple[Session, bool]:
        """Return the session of an admitted client, and whether it existed. End an older connection."""
        old = self.sessions.get(client_id)
        if old is not None and old.socket is not None:
            old.socket.end(DisconnectReasonCode.SESSION_TAKEN_OVER)
            self.leave(old, old.socket, now_ns, keep_will=True)
        if old is not None and (clean or old.expiry_s == 0):
            self._forget(old, now_ns)
        session = self.sessions.setdefault(client_id, Session(client_id, self.limits))
        return session, session is old

    def leave(self, session: Session, socket: ClientSocket, now_ns: int, *, keep_will: bool) -> None:
        """Note the end of connection `socket`. Do nothing if another connection has taken the session meanwhile."""
        if session.socket is not socket:
            return
        session.detach(now_ns)
        if not keep_will:
            session.will = None
        if session.will is not None:
            session.will_due_ns = now_ns + session.will.will_delay_interval * NS_PER_S
        self.handle_timeout(now_ns)

    def publish(self, packet: PublishPacket, now_ns: int, publisher: str = "") -> PubAckReasonCode:
        """Store a retained message, and give it to every subscriber. Return the answer for a publisher at QoS 1."""
        if not is_topic_name(packet.topic):
            return PubAckReasonCode.TOPIC_NAME_INVALID
        message = Message(packet, now_ns)
        takers = list(self._takers(packet, publisher))
        if not self._has_room(packet, takers, now_ns):
            return PubAckReasonCode.QUOTA_EXCEEDED
        if packet.retain:
            self._retain(message)
        for session, qos, as_published in takers:
            session.deliver(message, qos, now_ns, retain=packet.retain and as_published)
        return PubAckReasonCode.SUCCESS if takers else PubAckReasonCode.NO_MATCHING_SUBSCRIBERS

    def _takers(self, packet: PublishPacket, publisher: str) -> Iterator[tuple[Session, QoS, bool]]:
        """Give one copy to each session, at the highest QoS that one of its filters grants (3.3.4)."""
        for session in self.sessions.values():
            hits = [
                entry
                for entry in session.filters.values()
                if matches(entry.pattern, packet.topic) and not (entry.no_local and session.client_id == publisher)
            ]
            if hits:
                qos = granted(packet.qos, max(int(entry.max_qos) for entry in hits))
                yield session, qos, any(entry.retain_as_published for entry in hits)

    def _has_room(self, packet: PublishPacket, takers: list[tuple[Session, QoS, bool]], now_ns: int) -> bool:
        if not all(session.has_room or qos == QoS.AT_MOST_ONCE for session, qos, _ in takers):
            return False
        if not packet.retain or packet.topic in self.retained or len(self.retained) < self.limits.retained_max:
            return True
        self.retained = {topic: kept for topic, kept in self.retained.items() if not kept.expired(now_ns)}
        return len(self.retained) < self.limits.retained_max

    def _retain(self, message: Message) -> None:
        """Store a retained message. An empty payload clears the topic (3.3.1.3)."""
        if message.packet.payload:
            self.retained[message.packet.topic] = message
        else:
            self.retained.pop(message.packet.topic, None)

    def subscribe(self, session: Session, entry: TopicFilter) -> tuple[SubAckReasonCode, bool]:
        """Return the answer for one filter, and whether its retained messages are now due (3.3.1.3)."""
        refusal = self._filter_refusal(session, entry)
        if refusal is not None:
            return refusal, False
        is_new = entry.pattern not in session.filters
        session.filters[entry.pattern] = entry
        due = entry.retain_handling == RetainHandling.SEND_ALWAYS or (
            is_new and entry.retain_handling == RetainHandling.SEND_IF_SUBSCRIPTION_NOT_EXISTS
        )
        return _SUBACK[int(entry.max_qos)], due

    def _filter_refusal(self, session: Session, entry: TopicFilter) -> SubAckReasonCode | None:
        if entry.pattern.startswith(SHARED):
            return SubAckReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED
        if not is_topic_filter(entry.pattern):
            return SubAckReasonCode.TOPIC_FILTER_INVALID
        if entry.pattern not in session.filters and len(session.filters) >= self.limits.filters_max:
            return SubAckReasonCode.QUOTA_EXCEEDED
        return None

    def send_retained(self, session: Session, entry: TopicFilter, now_ns: int) -> None:
        """Send the retained messages of a filter. A queue without room ends the connection, so that none is skipped."""
        for topic, message in list(self.retained.items()):
            if message.expired(now_ns):
                del self.retained[topic]
            elif matches(entry.pattern, topic):
                qos = granted(message.packet.qos, int(entry.max_qos))
                if not session.has_room and session.socket is not None:
                    session.socket.end(DisconnectReasonCode.QUOTA_EXCEEDED)
                    return
                session.deliver(message, qos, now_ns, retain=True)

    def unsubscribe(self, session: Session, pattern: str) -> UnsubAckReasonCode:
        """Remove one filter, and return the answer."""
        if session.filters.pop(pattern, None) is None:
            return UnsubAckReasonCode.NO_SUBSCRIPTION_EXISTED
        return UnsubAckReasonCode.SUCCESS

    def next_timeout_ns(self) -> int | None:
        """Return when a will or the end of a session is due next."""
        due = (time_ns for session in self.sessions.values() for time_ns in (session.expires_ns, session.will_due_ns))
        return min((time_ns for time_ns in due if time_ns is not None), default=None)

    def handle_timeout(self, now_ns: int) -> None:
        """Publish the wills and forget the sessions whose time has come."""
        for session in list(self.sessions.values()):
            if session.expires_ns is not None and session.expires_ns <= now_ns:
                self._forget(session, now_ns)
            elif session.will_due_ns is not None and session.will_due_ns <= now_ns:
                self._publish_will(session, now_ns)

    def _forget(self, session: Session, now_ns: int) -> None:
        """Return when a will is due: at the latest at the end of its session (3.1.3.2.2)."""
        self.sessions.pop(session.client_id, None)
        if session.will_due_ns is not None:
            self._publish_will(session, now_ns)

    def _publish_will(self, session: Session, now_ns: int) -> None:
        will, session.will, session.will_due_ns = session.will, None, None
        if will is not None:
            self.publish(_will_packet(will), now_ns, session.client_id)


def granted(published: QoS, asked: int) -> QoS:
    """Return the lower QoS. The codec's QoS is an integer without an order, so compare the numbers."""
    return _QOS_GRANTED[min(int(published), asked)]


def _will_packet(will: Will) -> PublishPacket:
    return PublishPacket(
        will.topic,
        will.payload or b"",
        qos=will.qos,
        retain=will.retain,
        packet_id=1 if will.qos != QoS.AT_MOST_ONCE else None,
        payload_format_indicator=will.payload_format_indicator,
        message_expiry_interval=will.message_expiry_interval,
        content_type=will.content_type,
        response_topic=will.response_topic,
        correlation_data=will.correlation_data,
        user_properties=will.user_properties,
    )
