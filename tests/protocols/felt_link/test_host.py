"""The host's end: sections 4 to 7 of the specification, seen from the host."""

from __future__ import annotations

from itertools import product

import pytest

from protocols.cards import parse_cards
from protocols.codec import Garbage
from protocols.errors import LocalProtocolError
from protocols.felt_link import messages as m
from protocols.felt_link.events import FOREIGN_ORDER, Answered, Delivered, DeviceOddity, Dropped, Greeted, Standing
from protocols.felt_link.frame import Ack, Frame, Nak, encode
from protocols.felt_link.host import HOST_TRANSITIONS, HostLinkInput, HostLinkState
from protocols.felt_link.limits import BEAT_NS, COMMAND_AGAIN_NS, NAK_AGAIN_NS, SILENCE_NS, WINDOW_EVENTS
from protocols.felt_link.memory import COMMANDS_WAITING_MAX, HostMemory
from tests.protocols.felt_link.pair import GREEN, IDENTITY, MS, Host, hello, line
from tests.support.sentences import Says

FROM_THE_LINE = (HostLinkInput.HELLO, HostLinkInput.SAME_HELLO, HostLinkInput.SILENCE)


def numbered(seq: int, event: m.WireEvent = GREEN, resent: bool = False) -> m.Numbered:
    return m.Numbered(seq, resent, event)


def delivered(seq: int, event: m.WireEvent = GREEN, resent: bool = False) -> Delivered:
    return Delivered("B1", seq, resent, event)


def linked(memory: HostMemory | None = None) -> Host:
    host = Host(memory)
    host.meet()
    host.says()
    return host


def test_whatever_the_line_does_moves_or_keeps_every_state() -> None:
    assert set(product(HostLinkState, FROM_THE_LINE)) <= set(HOST_TRANSITIONS)
    assert set(HOST_TRANSITIONS.values()) == set(HostLinkState)


def test_nothing_is_written_before_the_application_has_read_the_hello() -> None:
    host = Host()
    host.hear(m.Beat(3), numbered(1), hello(), Ack(3), at_ns=1)
    host.link.handle_timeout(10 * SILENCE_NS)
    assert host.says() == []
    assert host.link.next_timeout_ns() is None


def test_a_first_hello_is_greeted_and_welcomed_from_the_start() -> None:
    host = Host()
    assert host.meet() == [Greeted(hello(), 1, Standing.FIRST, 0)]
    assert host.says() == [m.Welcome(1, "B1", 0)]
    assert host.link.state is HostLinkState.LINKED


def test_a_device_that_was_at_another_table_is_taken_from_where_it_is() -> None:
    host = Host()
    assert host.meet(hello(first=40, following=42)) == [Greeted(hello(first=40, following=42), 1, Standing.FIRST, 0)]
    assert host.says() == [m.Welcome(1, "B1", 39)]
    assert host.hear(numbered(40)) == [delivered(40)]


def test_the_highest_common_version_is_chosen() -> None:
    host = Host()
    host.meet(hello(versions=(3, 1, 2)))
    assert host.says() == [m.Welcome(1, "B1", 0)]


def test_a_device_without_a_common_version_can_only_be_refused() -> None:
    host = Host()
    [greeted] = host.hear(hello(versions=(2, 3)))
    assert isinstance(greeted, Greeted)
    assert greeted.version is None
    with pytest.raises(LocalProtocolError, match="no protocol version"):
        host.link.welcome(0)
    host.link.refuse(m.HostRefusal.VERSION, "this host speaks version 1", 0)
    assert host.says() == [m.Refuse("version", "this host speaks version 1")]
    assert host.hear(hello(versions=(2, 3)), hello("B2")) == []
    assert host.says() == []


@pytest.mark.parametrize("act", ["welcome", "refuse"])
def test_only_a_hello_can_be_answered(act: str) -> None:
    for host in (Host(), linked()):
        with pytest.raises(LocalProtocolError, match="answers a hello"):
            host.link.welcome(0) if act == "welcome" else host.link.refuse(m.HostRefusal.DEVICE, "", 0)


def test_events_are_handed_on_once_and_in_order_and_acknowledged_only_when_told() -> None:
    host = linked()
    assert host.hear(numbered(1), numbered(2, m.DeckLoaded())) == [delivered(1), delivered(2, m.DeckLoaded())]
    assert host.says() == []
    host.link.acknowledge("B1", 2, 0)
    assert host.says() == [Ack(2)]
    host.link.acknowledge("B1", 1, 0)
    assert host.says() == []


def test_what_was_never_delivered_cannot_be_on_disk(says: Says) -> None:
    host = linked()
    host.hear(numbered(1))
    with pytest.raises(LocalProtocolError) as raised:
        host.link.acknowledge("B1", 2, 0)
    says(raised.value)


def test_a_gap_is_asked_for_once_and_what_is_behind_it_waits_to_come_again() -> None:
    host = linked()
    assert host.hear(numbered(2), numbered(3), at_ns=1) == []
    assert host.says() == [Nak(1, "gap")]
    found = host.hear(numbered(1, resent=True), numbered(2, resent=True), at_ns=2)
    assert found == [delivered(1, resent=True), delivered(2, resent=True)]


def test_a_gap_that_stays_is_asked_for_again_after_a_while() -> None:
    host = linked()
    host.hear(numbered(2), at_ns=0)
    host.hear(numbered(3), at_ns=NAK_AGAIN_NS - 1)
    assert host.says() == [Nak(1, "gap")]
    host.hear(numbered(4), at_ns=NAK_AGAIN_NS)
    assert host.says() == [Nak(1, "gap")]


def test_a_damaged_frame_is_asked_for_and_noise_is_not() -> None:
    host = linked()
    damaged = line(numbered(1))[:-1] + b"x"
    assert [type(found) for found in host.hear_bytes(b"noise" + damaged + b"\x02")] == [Garbage, Garbage, Garbage]
    assert host.says() == [Nak(1, "check")]
    assert linked().hear_bytes(b"noise\x06") == [Garbage(b"noise", "outside any frame")]


def test_a_beat_that_names_an_event_which_never_came_shows_a_lost_tail() -> None:
    host = linked()
    host.hear(numbered(1))
    host.hear(m.Beat(1))
    assert host.says() == []
    host.hear(m.Beat(2))
    assert host.says() == [Nak(2, "gap")]


def test_a_duplicate_is_acknowledged_again_only_when_it_is_on_disk() -> None:
    host = linked()
    host.hear(numbered(1), numbered(2))
    host.link.acknowledge("B1", 1, 0)
    host.says()
    assert host.hear(numbered(2, resent=True)) == []
    assert host.says() == []
    assert host.hear(numbered(1, resent=True)) == []
    assert host.says() == [Ack(1)]


def test_a_number_that_comes_again_with_another_content_is_an_anomaly_and_the_first_stands() -> None:
    host = linked()
    hand = m.PacketDispensed(1, 5, parse_cards("Ah Td 2c Ks 9d"))
    other = m.PacketDispensed(1, 5, parse_cards("Ah Td 2c Ks 8d"))
    host.hear(numbered(1, hand))
    [oddity] = host.hear(numbered(1, other, resent=True))
    assert isinstance(oddity, DeviceOddity)
    assert oddity.code == "number-reused"
    assert "Ah" not in oddity.detail


def test_contents_are_compared_over_twice_the_window() -> None:
    host = linked()
    for seq in range(1, 2 * WINDOW_EVENTS + 2):
        host.hear(numbered(seq))
        host.link.acknowledge("B1", seq, 0)
    assert host.hear(numbered(1, m.DeckLoaded())) == []
    assert len(host.hear(numbered(2, m.DeckLoaded()))) == 1


def test_a_device_that_goes_beyond_the_window_is_not_followed_until_something_is_on_disk() -> None:
    host = linked()
    *events, oddity = host.hear(*(numbered(seq) for seq in range(1, WINDOW_EVENTS + 2)))
    assert events == [delivered(seq) for seq in range(1, WINDOW_EVENTS + 1)]
    assert isinstance(oddity, DeviceOddity)
    assert oddity.code == "window-exceeded"
    host.link.acknowledge("B1", 1, 0)
    assert host.hear(numbered(WINDOW_EVENTS + 1)) == [delivered(WINDOW_EVENTS + 1)]


def test_an_event_that_means_nothing_is_delivered_and_can_be_acknowledged() -> None:
    host = linked()
    [found] = host.hear_bytes(encode(Frame("DANCE", 1, "", ("1", "Ah", "game"))))
    assert isinstance(found, Delivered)
    assert isinstance(found.event, m.Unintelligible)
    host.link.acknowledge("B1", 1, 0)
    assert host.says() == [Ack(1)]


@pytest.mark.parametrize("odd", [Ack(1), Nak(1, "gap"), m.Welcome(1, "B1", 0), m.Order("a", m.EjectRemainder())])
def test_what_only_hosts_say_is_an_anomaly(odd: m.Message | Ack | Nak) -> None:
    [oddity] = linked().hear(odd)
    assert isinstance(oddity, DeviceOddity)
    assert oddity.code == "unexpected-message"


# Resuming


def test_after_a_restart_of_the_host_the_device_is_told_what_is_on_disk() -> None:
    host = Host(HostMemory.resume("B1", 41))
    assert host.meet(hello(first=40, following=45)) == [Greeted(hello(first=40, following=45), 1, Standing.RESUMED, 0)]
    assert host.says() == [m.Welcome(1, "B1", 41)]
    assert host.hear(numbered(42, resent=True)) == [delivered(42, resent=True)]


def test_after_a_lost_connection_what_was_delivered_is_not_delivered_again() -> None:
    before = linked()
    before.hear(numbered(1), numbered(2), numbered(3))
    before.link.acknowledge("B1", 1, 0)
    host = Host(before.memory)
    host.meet(hello(first=2, following=5))
    assert host.says() == [m.Welcome(1, "B1", 1)]
    resent = [numbered(seq, resent=True) for seq in (2, 3, 4)]
    assert host.hear(*resent) == [delivered(4, resent=True)]
    host.link.acknowledge("B1", 3, 0)
    assert host.says() == [Ack(3)]


def test_what_is_journalled_between_two_connections_is_in_the_next_welcome() -> None:
    before = linked()
    before.hear(numbered(1), numbered(2))
    before.link.handle_timeout(SILENCE_NS)
    before.link.acknowledge("B1", 2, SILENCE_NS)
    assert before.says() == []
    host = Host(before.memory)
    host.meet(hello(first=1, following=3))
    assert host.says() == [m.Welcome(1, "B1", 2)]


def test_the_same_hello_is_welcomed_again_without_a_word_to_the_application() -> None:
    host = linked()
    host.hear(numbered(1))
    assert host.hear(hello(following=2)) == []
    assert host.says() == [m.Welcome(1, "B1", 0)]
    assert host.hear(numbered(1, resent=True), numbered(2)) == [delivered(2)]


def test_another_device_on_the_same_line_is_greeted() -> None:
    host = linked()
    other = m.Hello((1,), m.Identity("FS-1", "77", "1.4.2", IDENTITY.capabilities), "B1", 1, 1)
    [greeted] = host.hear(other)
    assert isinstance(greeted, Greeted)


def test_a_hello_that_waits_for_its_answer_is_not_told_twice() -> None:
    host = Host()
    assert len(host.hear(hello(), hello(following=2))) == 1
    host.link.welcome(0)
    assert host.link.state is HostLinkState.LINKED


# Staying in touch


def test_the_host_beats_with_what_it_has_on_disk() -> None:
    host = linked()
    host.hear(numbered(1), at_ns=0)
    host.link.acknowledge("B1", 1, 0)
    host.says()
    assert host.link.next_timeout_ns() == BEAT_NS
    host.link.handle_timeout(BEAT_NS - 1)
    assert host.says() == []
    host.link.handle_timeout(BEAT_NS)
    assert host.says() == [m.Beat(1)]


def test_after_the_silence_limit_the_host_falls_quiet_until_it_hears_a_hello() -> None:
    host = linked()
    host.link.handle_timeout(SILENCE_NS)
    assert host.link.state is HostLinkState.LISTENING
    assert host.link.next_timeout_ns() is None
    assert host.hear(numbered(1), at_ns=SILENCE_NS + 1) == []
    assert host.says() == []
    assert host.hear(hello(following=2), at_ns=SILENCE_NS + 2) == []
    assert host.says() == [m.Welcome(1, "B1", 0)]


def test_noise_is_no_sign_of_life() -> None:
    host = linked()
    host.hear_bytes(b"noise\x02", SILENCE_NS - 1)
    assert host.link.heard_ns == 0
    host.hear(m.Beat(0), at_ns=5 * MS)
    assert host.link.heard_ns == 5 * MS


# Commands


def test_one_command_at_a_time_each_until_it_is_answered() -> None:
    host = linked()
    host.link.order_command("a", m.Dispense(1), 0)
    host.link.order_command("b", m.EjectRemainder(), 0)
    assert host.says() == [m.Order("a", m.Dispense(1))]
    host.link.handle_timeout(COMMAND_AGAIN_NS)
    assert m.Order("a", m.Dispense(1)) in host.says()
    assert host.hear(m.WireAnswer("a", None)) == [Answered("a", None)]
    assert host.says() == [m.Order("b", m.EjectRemainder())]
    assert host.hear(m.WireAnswer("b", "no-deck")) == [Answered("b", "no-deck")]
    assert host.says() == []


def test_an_answer_that_comes_twice_is_told_once() -> None:
    host = linked()
    host.link.order_command("a", m.EjectRemainder(), 0)
    assert host.hear(m.WireAnswer("a", None), m.WireAnswer("a", None)) == [Answered("a", None)]
    later = Host(host.memory)
    later.meet(hello(first=1, following=1))
    assert later.hear(m.WireAnswer("a", None)) == [], "it may come again over a later connection as well"


@pytest.mark.parametrize("refusal", [None, "locked"])
def test_an_answer_to_an_order_that_was_not_given_here_is_told(refusal: str | None) -> None:
    """A device server admits several clients and sends what the device says to all: somebody else gives orders."""
    host = linked()
    host.link.order_command("a", m.Lock(), 0)
    [oddity] = host.hear(m.WireAnswer("z", refusal))
    assert isinstance(oddity, DeviceOddity)
    assert oddity.code == FOREIGN_ORDER
    assert host.hear(m.WireAnswer("a", None)) == [Answered("a", None)], "and our own order is still answered"


def test_commands_wait_for_the_link_and_go_on_over_the_next_one() -> None:
    host = Host()
    host.link.order_command("a", m.Lock(), 0)
    host.link.order_command("a", m.Lock(), 0)
    assert host.says() == []
    host.meet()
    assert host.says() == [m.Welcome(1, "B1", 0), m.Order("a", m.Lock())]
    later = Host(host.memory)
    later.meet(hello(first=1, following=1))
    assert later.says() == [m.Welcome(1, "B1", 0), m.Order("a", m.Lock())]
    assert later.hear(m.WireAnswer("a", None)) == [Answered("a", None)]
    assert not later.memory.commands


def test_commands_of_an_earlier_boot_are_dropped_and_said_to_be() -> None:
    host = linked()
    host.link.order_command("a", m.Dispense(1), 0)
    host.link.order_command("b", m.Dispense(2), 0)
    host.says()
    assert host.meet(hello("B2"))[1:] == [Dropped("a"), Dropped("b")]
    assert host.says() == [m.Welcome(1, "B2", 0)]


def test_an_id_that_waits_cannot_name_another_command() -> None:
    host = linked()
    host.link.order_command("a", m.Dispense(1), 0)
    with pytest.raises(LocalProtocolError, match="names two commands"):
        host.link.order_command("a", m.Dispense(2), 0)


def test_waiting_commands_are_bounded() -> None:
    host = Host()
    for number in range(COMMANDS_WAITING_MAX):
        host.link.order_command(str(number), m.Lock(), 0)
    with pytest.raises(LocalProtocolError, match="wait already"):
        host.link.order_command("one more", m.Lock(), 0)
