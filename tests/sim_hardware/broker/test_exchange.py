"""What the broker keeps and moves, in passed-in time: queues, windows, expiry, wills, takeover, bounds."""

from __future__ import annotations

from dataclasses import dataclass, field

import mqtt5 as m
import pytest

from sim_hardware.broker import Exchange, Limits
from sim_hardware.broker.session import NEVER_S, NS_PER_S, Session

AT_LEAST_ONCE = m.QoS.AT_LEAST_ONCE


@dataclass(slots=True, eq=False)
class Wire:
    """A connection's other end: what was written to it, and why it was ended."""

    sent: list[m.Packet] = field(default_factory=list)
    ended: m.DisconnectReasonCode | None = None
    backlog: int = 0

    def send(self, packet: m.Packet) -> None:
        self.sent.append(packet)

    def backlog_bytes(self) -> int:
        return self.backlog

    def end(self, reason: m.DisconnectReasonCode) -> None:
        self.ended = reason

    def messages(self) -> list[m.PublishPacket]:
        return [packet for packet in self.sent if isinstance(packet, m.PublishPacket)]

    def payloads(self) -> list[bytes]:
        return [packet.payload for packet in self.messages()]


def seconds(count: float) -> int:
    return int(count * NS_PER_S)


def join(
    exchange: Exchange,
    client_id: str = "c",
    now_ns: int = 0,
    *,
    wire: Wire | None = None,
    clean: bool = False,
    expiry_s: int = 60,
    receive_max: int = 65535,
    will: m.Will | None = None,
) -> tuple[Session, Wire, bool]:
    wire = wire or Wire()
    connect = m.ConnectPacket(
        client_id, clean_start=clean, session_expiry_interval=expiry_s, receive_max=receive_max, will=will
    )
    assert exchange.admit(connect, now_ns) is None
    session, present = exchange.open(client_id, now_ns, clean=clean)
    session.attach(connect, wire, now_ns)
    return session, wire, present


def listen(exchange: Exchange, session: Session, pattern: str = "#", **options: object) -> None:
    entry = m.TopicFilter(pattern, max_qos=AT_LEAST_ONCE, **options)  # type: ignore[arg-type]
    exchange.subscribe(session, entry)


def say(
    exchange: Exchange, payload: str, topic: str = "t", now_ns: int = 0, *, by: str = "", **options: object
) -> m.PubAckReasonCode:
    packet = m.PublishPacket(topic, payload.encode(), qos=AT_LEAST_ONCE, packet_id=1, **options)  # type: ignore[arg-type]
    return exchange.publish(packet, now_ns, by)


def test_what_nobody_hears_is_a_success_that_says_so() -> None:
    assert say(Exchange(), "x") == m.PubAckReasonCode.NO_MATCHING_SUBSCRIBERS


def test_a_subscriber_away_gets_what_it_missed_in_order() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session)
    exchange.leave(session, wire, seconds(1), keep_will=False)
    for number in range(100):
        say(exchange, str(number), now_ns=seconds(2))
    _, again, present = join(exchange, now_ns=seconds(3))
    assert present
    assert again.payloads() == [str(number).encode() for number in range(100)]


def test_what_was_not_acknowledged_comes_again_first_and_marked() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange, receive_max=2)
    listen(exchange, session)
    for payload in "abc":
        say(exchange, payload)
    assert wire.payloads() == [b"a", b"b"]
    exchange.leave(session, wire, 1, keep_will=False)
    _, again, _ = join(exchange, now_ns=2, receive_max=2)
    assert [(packet.payload, packet.duplicate) for packet in again.messages()] == [(b"a", True), (b"b", True)]
    session.acknowledge(again.messages()[0].packet_id or 0, 3)
    assert again.payloads() == [b"a", b"b", b"c"]


def test_no_more_than_the_receive_maximum_is_under_way() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange, receive_max=3)
    listen(exchange, session)
    for number in range(10):
        say(exchange, str(number))
    seen = 3
    assert len(wire.messages()) == seen
    while seen < 10:
        session.acknowledge(wire.messages()[seen - 3].packet_id or 0, 0)
        seen += 1
        assert len(wire.messages()) == seen


def test_packet_ids_in_use_are_passed_over() -> None:
    exchange = Exchange()
    session, _, _ = join(exchange, receive_max=2)
    listen(exchange, session)
    say(exchange, "held")
    (held,) = session.under_way
    ids = set()
    for number in range(65_534):
        say(exchange, str(number))
        (other,) = session.under_way.keys() - {held}
        ids.add(other)
        session.acknowledge(other, 0)
    assert ids == set(range(1, 65_536)) - {held}
    say(exchange, "once round")
    assert list(session.under_way) == [held, min(ids)]


def test_a_network_that_does_not_keep_up_holds_messages_back() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session)
    say(exchange, "a")
    wire.backlog = exchange.limits.backlog_bytes_max
    say(exchange, "b")
    assert wire.payloads() == [b"a"]
    wire.backlog = 0
    session.acknowledge(wire.messages()[0].packet_id or 0, 0)
    assert wire.payloads() == [b"a", b"b"]


def test_a_full_queue_refuses_the_message_for_everyone() -> None:
    exchange = Exchange(Limits(queue_max=2))
    slow, wire, _ = join(exchange, "slow")
    _, fast_wire, _ = (fast := join(exchange, "fast"))
    for session in (slow, fast[0]):
        listen(exchange, session)
    exchange.leave(slow, wire, 0, keep_will=False)
    codes = [say(exchange, payload) for payload in "abc"]
    assert codes == [m.PubAckReasonCode.SUCCESS] * 2 + [m.PubAckReasonCode.QUOTA_EXCEEDED]
    assert fast_wire.payloads() == [b"a", b"b"]


def test_a_new_subscriber_gets_what_is_retained_marked_as_such() -> None:
    exchange = Exchange()
    for topic in ("status", "state", "other"):
        say(exchange, topic, topic, retain=True)
    say(exchange, "", "state", retain=True)
    session, wire, _ = join(exchange)
    entry = m.TopicFilter("+", max_qos=AT_LEAST_ONCE)
    assert exchange.subscribe(session, entry) == (m.SubAckReasonCode.GRANTED_QOS_AT_LEAST_ONCE, True)
    exchange.send_retained(session, entry, 0)
    assert [(packet.topic, packet.retain) for packet in wire.messages()] == [("status", True), ("other", True)]


def test_a_retained_message_expires() -> None:
    exchange = Exchange()
    say(exchange, "x", retain=True, message_expiry_interval=10)
    session, wire, _ = join(exchange)
    entry = m.TopicFilter("t", max_qos=AT_LEAST_ONCE)
    exchange.send_retained(session, entry, seconds(9.5))
    assert [packet.message_expiry_interval for packet in wire.messages()] == [1]
    exchange.send_retained(session, entry, seconds(10))
    assert len(wire.messages()) == 1
    assert not exchange.retained


def test_a_queued_message_expires_and_a_late_one_says_what_is_left() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session)
    exchange.leave(session, wire, 0, keep_will=False)
    say(exchange, "short", message_expiry_interval=5)
    say(exchange, "long", message_expiry_interval=30)
    _, again, _ = join(exchange, now_ns=seconds(20))
    assert [(packet.payload, packet.message_expiry_interval) for packet in again.messages()] == [(b"long", 10)]


@pytest.mark.parametrize("as_published", [True, False])
def test_a_live_message_keeps_its_retain_mark_only_when_asked(as_published: bool) -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session, retain_as_published=as_published)
    say(exchange, "x", retain=True)
    assert [packet.retain for packet in wire.messages()] == [as_published]


@pytest.mark.parametrize(
    ("handling", "first", "second"),
    [
        (m.RetainHandling.SEND_ALWAYS, True, True),
        (m.RetainHandling.SEND_IF_SUBSCRIPTION_NOT_EXISTS, True, False),
        (m.RetainHandling.SEND_NEVER, False, False),
    ],
)
def test_retain_handling(handling: m.RetainHandling, first: bool, second: bool) -> None:
    exchange = Exchange()
    session, _, _ = join(exchange)
    entry = m.TopicFilter("t", retain_handling=handling)
    assert [exchange.subscribe(session, entry)[1] for _ in range(2)] == [first, second]


def test_overlapping_filters_give_one_copy() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session, "#")
    listen(exchange, session, "t")
    say(exchange, "x")
    assert wire.payloads() == [b"x"]


def test_no_local_spares_the_publisher_its_own_words() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange, "me")
    listen(exchange, session, no_local=True)
    say(exchange, "mine", by="me")
    say(exchange, "theirs", by="other")
    assert wire.payloads() == [b"theirs"]


@pytest.mark.parametrize(
    ("pattern", "code"),
    [
        ("$share/group/t", m.SubAckReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED),
        ("a", m.SubAckReasonCode.QUOTA_EXCEEDED),
        ("t", m.SubAckReasonCode.GRANTED_QOS_AT_LEAST_ONCE),
    ],
)
def test_a_filter_is_granted_or_refused_by_code(pattern: str, code: m.SubAckReasonCode) -> None:
    exchange = Exchange(Limits(filters_max=1))
    session, _, _ = join(exchange)
    listen(exchange, session, "t")
    assert exchange.subscribe(session, m.TopicFilter(pattern))[0] == code


def test_unsubscribing_says_whether_there_was_anything() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session, "t")
    assert exchange.unsubscribe(session, "t") == m.UnsubAckReasonCode.SUCCESS
    assert exchange.unsubscribe(session, "t") == m.UnsubAckReasonCode.NO_SUBSCRIPTION_EXISTED
    say(exchange, "x")
    assert not wire.messages()


def test_a_second_connection_takes_the_session_over() -> None:
    exchange = Exchange()
    session, first, _ = join(exchange)
    listen(exchange, session)
    _, second, present = join(exchange, now_ns=1)
    assert present
    assert first.ended == m.DisconnectReasonCode.SESSION_TAKEN_OVER
    exchange.leave(session, first, 2, keep_will=True)
    say(exchange, "x", now_ns=3)
    assert second.payloads() == [b"x"]


def test_a_clean_start_forgets() -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange)
    listen(exchange, session)
    exchange.leave(session, wire, 0, keep_will=False)
    _, _, present = join(exchange, clean=True)
    assert not present
    assert say(exchange, "x") == m.PubAckReasonCode.NO_MATCHING_SUBSCRIBERS


@pytest.mark.parametrize(
    ("expiry_s", "away_s", "kept"), [(0, 0, False), (60, 59, True), (60, 60, False), (NEVER_S, 10**9, True)]
)
def test_a_session_lives_as_long_as_agreed(expiry_s: int, away_s: int, kept: bool) -> None:
    exchange = Exchange()
    session, wire, _ = join(exchange, expiry_s=expiry_s)
    exchange.leave(session, wire, 0, keep_will=False)
    _, _, present = join(exchange, now_ns=seconds(away_s))
    assert present is kept


def test_a_will_is_published_when_the_client_is_lost_and_not_when_it_takes_leave() -> None:
    exchange = Exchange()
    watcher, seen, _ = join(exchange, "watcher")
    listen(exchange, watcher)
    for name, lost in (("lost", True), ("polite", False)):
        session, wire, _ = join(exchange, name, will=m.Will("t", payload=name.encode(), qos=AT_LEAST_ONCE))
        exchange.leave(session, wire, 1, keep_will=lost)
    assert seen.payloads() == [b"lost"]


@pytest.mark.parametrize(("expiry_s", "due_s"), [(60, 5), (3, 3)])
def test_a_delayed_will_waits_for_its_delay_or_the_end_of_the_session(expiry_s: int, due_s: int) -> None:
    exchange = Exchange()
    watcher, seen, _ = join(exchange, "watcher")
    listen(exchange, watcher)
    will = m.Will("t", payload=b"gone", will_delay_interval=5)
    session, wire, _ = join(exchange, expiry_s=expiry_s, will=will)
    exchange.leave(session, wire, 0, keep_will=True)
    assert exchange.next_timeout_ns() == seconds(due_s)
    exchange.handle_timeout(seconds(due_s) - 1)
    assert not seen.messages()
    exchange.handle_timeout(seconds(due_s))
    assert seen.payloads() == [b"gone"]


def test_a_client_that_comes_back_in_time_has_no_will_published() -> None:
    exchange = Exchange()
    watcher, seen, _ = join(exchange, "watcher")
    listen(exchange, watcher)
    session, wire, _ = join(exchange, will=m.Will("t", payload=b"gone", will_delay_interval=5))
    exchange.leave(session, wire, 0, keep_will=True)
    join(exchange, now_ns=seconds(4))
    exchange.handle_timeout(seconds(100))
    assert not seen.messages()


@pytest.mark.parametrize(
    ("connect", "code"),
    [
        (m.ConnectPacket("new"), m.ConnAckReasonCode.QUOTA_EXCEEDED),
        (m.ConnectPacket("c", max_packet_size=1000), m.ConnAckReasonCode.IMPLEMENTATION_SPECIFIC_ERROR),
        (m.ConnectPacket("c", authentication_method="SCRAM"), m.ConnAckReasonCode.BAD_AUTHENTICATION_METHOD),
        (m.ConnectPacket("c", will=m.Will("t", qos=m.QoS.EXACTLY_ONCE)), m.ConnAckReasonCode.QUALITY_NOT_SUPPORTED),
    ],
)
def test_who_may_not_come_in_is_told_why(connect: m.ConnectPacket, code: m.ConnAckReasonCode) -> None:
    exchange = Exchange(Limits(sessions_max=1))
    join(exchange)
    assert exchange.admit(connect, 0) == code


def test_retained_topics_are_bounded_and_expired_ones_make_room() -> None:
    exchange = Exchange(Limits(retained_max=1))
    say(exchange, "x", "a", retain=True, message_expiry_interval=1)
    assert say(exchange, "x", "b", retain=True) == m.PubAckReasonCode.QUOTA_EXCEEDED
    assert say(exchange, "y", "a", retain=True, message_expiry_interval=1) != m.PubAckReasonCode.QUOTA_EXCEEDED
    assert say(exchange, "x", "b", now_ns=seconds(1), retain=True) != m.PubAckReasonCode.QUOTA_EXCEEDED
    assert list(exchange.retained) == ["b"]


def test_retained_messages_without_room_end_the_connection() -> None:
    exchange = Exchange(Limits(queue_max=1))
    for topic in "abc":
        say(exchange, "x", topic, retain=True)
    session, wire, _ = join(exchange, receive_max=1)
    exchange.send_retained(session, m.TopicFilter("#", max_qos=AT_LEAST_ONCE), 0)
    assert wire.ended == m.DisconnectReasonCode.QUOTA_EXCEEDED
