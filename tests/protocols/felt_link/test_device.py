"""The device's end: sections 4 to 7 of the specification, seen from the device."""

from __future__ import annotations

from itertools import product

import pytest

from protocols.errors import LocalProtocolError
from protocols.felt_link import messages as m
from protocols.felt_link.device import DEVICE_TRANSITIONS, DeviceLinkInput, DeviceLinkState
from protocols.felt_link.events import HostOddity, Linked, Ordered, Unlinked
from protocols.felt_link.frame import Ack, Frame, Nak, encode
from protocols.felt_link.limits import (
    BEAT_NS,
    COMMANDS_REMEMBERED,
    HELLO_NS,
    RETRANSMIT_NS,
    SILENCE_NS,
    STORE_DEPTH_MAX,
    STORE_RESERVE,
    WINDOW_EVENTS,
)
from protocols.felt_link.memory import DeviceMemory
from tests.protocols.felt_link.pair import GREEN, DeviceEnd, hello
from tests.support.sentences import Says


def linked(memory: DeviceMemory | None = None) -> DeviceEnd:
    device = DeviceEnd(memory)
    device.be_welcomed()
    return device


def numbers(device: DeviceEnd) -> list[tuple[int, bool]]:
    return [(said.seq, said.resent) for said in device.says() if isinstance(said, m.Numbered)]


def test_every_input_moves_or_keeps_every_state() -> None:
    assert set(DEVICE_TRANSITIONS) == set(product(DeviceLinkState, DeviceLinkInput))


def test_it_says_hello_at_once_and_then_every_second_until_it_is_welcomed() -> None:
    device = DeviceEnd()
    assert device.says() == [hello()]
    assert device.link.next_timeout_ns() == HELLO_NS
    device.link.handle_timeout(HELLO_NS - 1)
    assert device.says() == []
    device.link.handle_timeout(HELLO_NS)
    assert device.says() == [hello()]
    assert device.hear(m.Welcome(1, "B1", 0), at_ns=HELLO_NS) == [Linked(0)]
    assert device.says() == [m.Beat(0)]
    device.link.handle_timeout(2 * HELLO_NS)
    assert hello() not in device.says()


def test_a_device_that_seeks_keeps_its_events_and_obeys_nothing() -> None:
    device = DeviceEnd()
    device.link.report_event(GREEN, 0)
    assert device.hear(m.Order("a", m.EjectRemainder()), Ack(1), Nak(1, "gap"), m.Beat(1)) == []
    assert device.says() == [hello()]
    device.link.handle_timeout(HELLO_NS)
    assert device.says() == [hello(following=2)]


@pytest.mark.parametrize(
    ("welcome", "code"),
    [
        (m.Welcome(2, "B1", 0), "version-not-offered"),
        (m.Welcome(1, "B0", 0), "another-boot"),
        (m.Welcome(1, "B1", 1), "acknowledged-unsent"),
    ],
)
def test_a_welcome_that_is_not_for_it_is_left_alone(welcome: m.Welcome, code: str) -> None:
    device = DeviceEnd()
    device.link.report_event(GREEN, 0)
    assert device.hear(welcome) == [HostOddity(code)]
    assert device.link.state is DeviceLinkState.SEEKING


def test_a_refused_device_goes_on_saying_hello() -> None:
    device = linked()
    assert device.hear(m.Refuse("firmware", ""), at_ns=1) == [Unlinked("refused by the host: firmware")]
    device.link.handle_timeout(1 + HELLO_NS)
    assert device.says() == [hello()]


def test_after_the_silence_limit_it_says_hello_again() -> None:
    device = linked()
    device.link.handle_timeout(SILENCE_NS - 1)
    device.says()
    device.link.handle_timeout(SILENCE_NS)
    assert device.says() == [hello()]
    assert list(iter(device.link.next_event, None)) == [Unlinked("the host is silent")]


def test_it_beats_with_the_last_event_that_it_sent() -> None:
    device = linked()
    device.link.report_event(GREEN, 0)
    device.says()
    assert device.link.next_timeout_ns() == BEAT_NS
    device.link.handle_timeout(BEAT_NS)
    assert device.says() == [m.Beat(1)]


def test_events_are_numbered_from_one_and_sent_within_the_window() -> None:
    device = linked()
    assert [device.link.report_event(GREEN, 0) for _ in range(WINDOW_EVENTS + 2)] == list(range(1, WINDOW_EVENTS + 3))
    assert numbers(device) == [(seq, False) for seq in range(1, WINDOW_EVENTS + 1)]
    device.hear(Ack(1))
    assert numbers(device) == [(WINDOW_EVENTS + 1, False)]
    device.hear(m.Beat(2))
    assert numbers(device) == [(WINDOW_EVENTS + 2, False)]


def test_it_forgets_what_is_acknowledged_and_nothing_else() -> None:
    device = linked()
    for _ in range(3):
        device.link.report_event(GREEN, 0)
    device.hear(Ack(2))
    assert (device.memory.first_kept, device.memory.next_seq) == (3, 4)
    device.hear(Ack(1))
    assert (device.memory.first_kept, device.memory.next_seq) == (3, 4)
    assert device.hear(Ack(4)) == [HostOddity("acknowledged-unsent")]
    assert (device.memory.first_kept, device.memory.next_seq) == (3, 4)


def test_it_goes_back_to_what_the_host_expects() -> None:
    device = linked()
    for _ in range(3):
        device.link.report_event(GREEN, 0)
    device.says()
    device.hear(Nak(2, "gap"))
    assert numbers(device) == [(2, True), (3, True)]
    device.hear(Nak(4, "check"))
    assert numbers(device) == []
    device.hear(Ack(2))
    assert device.hear(Nak(2, "gap")) == [HostOddity("asked-for-acknowledged")]


def test_without_acknowledgement_it_goes_back_to_the_oldest() -> None:
    device = linked()
    device.link.report_event(GREEN, 0)
    device.link.report_event(GREEN, 0)
    device.says()
    device.link.handle_timeout(RETRANSMIT_NS - 1)
    assert numbers(device) == []
    device.link.handle_timeout(RETRANSMIT_NS)
    assert numbers(device) == [(1, True), (2, True)]
    device.hear(Ack(2), at_ns=RETRANSMIT_NS)
    device.link.handle_timeout(2 * RETRANSMIT_NS)
    assert numbers(device) == []


def test_the_next_connection_goes_on_after_what_the_host_has_on_disk() -> None:
    before = linked()
    for _ in range(3):
        before.link.report_event(GREEN, 0)
    before.hear(Ack(1))
    before.memory.record(GREEN)
    device = DeviceEnd(before.memory)
    assert device.says() == [hello(first=2, following=5)]
    assert device.hear(m.Welcome(1, "B1", 2)) == [Linked(2)]
    assert numbers(device) == [(3, True), (4, False)]


def test_a_second_welcome_is_obeyed_because_the_host_started_again() -> None:
    device = linked()
    for _ in range(2):
        device.link.report_event(GREEN, 0)
    device.says()
    assert device.hear(m.Welcome(1, "B1", 1)) == [Linked(1)]
    assert numbers(device) == [(2, True)]


def test_a_command_is_given_once_and_answered_as_often_as_it_is_asked() -> None:
    device = linked()
    order = m.Order("a", m.Dispense(1))
    assert device.hear(order, order) == [Ordered("a", m.Dispense(1))]
    device.link.answer("a", None, 0)
    assert device.says() == [m.WireAnswer("a", None)]
    assert device.hear(order) == []
    assert device.says() == [m.WireAnswer("a", None)]


def test_a_refused_command_stays_refused() -> None:
    device = linked()
    device.hear(m.Order("a", m.EjectRemainder()))
    device.link.answer("a", m.Refusal.NO_DECK, 0)
    device.says()
    assert device.hear(m.Order("a", m.EjectRemainder())) == []
    assert device.says() == [m.WireAnswer("a", "no-deck")]


def test_commands_are_remembered_over_connections() -> None:
    before = linked()
    before.hear(m.Order("a", m.EjectRemainder()))
    before.link.answer("a", None, 0)
    device = linked(before.memory)
    assert device.hear(m.Order("a", m.EjectRemainder())) == []
    assert device.says() == [m.WireAnswer("a", None)]


def test_an_id_with_another_command_is_refused() -> None:
    device = linked()
    device.hear(m.Order("a", m.Dispense(1)))
    device.link.answer("a", None, 0)
    device.says()
    assert device.hear(m.Order("a", m.Dispense(2))) == []
    assert device.says() == [m.WireAnswer("a", "id-reused")]


def test_it_remembers_so_many_commands_and_no_more() -> None:
    device = linked()
    for number in range(COMMANDS_REMEMBERED + 1):
        device.hear(m.Order(str(number), m.Lock()))
    assert device.hear(m.Order("1", m.Lock())) == []
    assert device.hear(m.Order("0", m.Lock())) == [Ordered("0", m.Lock())]


@pytest.mark.parametrize(
    ("fields", "refusal"), [(("a", "dance"), "unknown-command"), (("a", "dispense"), "bad-argument")]
)
def test_an_order_that_it_cannot_read_is_refused(fields: tuple[str, ...], refusal: str) -> None:
    device = linked()
    device.link.receive(encode(Frame("DO", 0, "", fields)), 0)
    assert device.link.next_event() is None
    assert device.says() == [m.WireAnswer("a", refusal)]


def test_only_an_order_that_waits_can_be_answered(says: Says) -> None:
    device = linked()
    with pytest.raises(LocalProtocolError) as raised:
        device.link.answer("a", None, 0)
    says(raised.value)
    device.hear(m.Order("a", m.EjectRemainder()))
    device.link.answer("a", None, 0)
    with pytest.raises(LocalProtocolError) as raised:
        device.link.answer("a", None, 0)
    says(raised.value)


def test_what_only_devices_say_is_left_alone() -> None:
    assert linked().hear(hello()) == [HostOddity("unexpected-message")]


# The store


def fill(memory: DeviceMemory) -> None:
    while not memory.is_full:
        memory.record(GREEN)


def test_a_store_with_only_the_reserve_left_says_that_it_is_full() -> None:
    memory = DeviceMemory("B1")
    fill(memory)
    assert memory.next_seq - 1 == STORE_DEPTH_MAX - STORE_RESERVE + 1
    assert memory.event(memory.next_seq - 1) == m.WireFaultRaised("store-full", "the host acknowledges nothing")


def test_the_reserve_holds_how_a_motion_ends_and_then_nothing_is_dropped_silently() -> None:
    memory = DeviceMemory("B1")
    fill(memory)
    for _ in range(STORE_RESERVE - 1):
        memory.record(GREEN)
    with pytest.raises(LocalProtocolError, match="no room"):
        memory.record(GREEN)
    assert memory.event(1) == GREEN
    assert memory.next_seq == STORE_DEPTH_MAX + 1


def test_a_full_store_is_free_again_when_half_of_it_is_acknowledged() -> None:
    memory = DeviceMemory("B1")
    fill(memory)
    memory.sent_seq = memory.next_seq - 1
    enough = memory.next_seq - 1 - STORE_DEPTH_MAX // 2
    fullness = []
    for seq in (enough - 1, enough):
        memory.acknowledge(seq)
        fullness.append(memory.is_full)
    assert fullness == [True, False]
    assert memory.event(memory.next_seq - 1) == m.WireFaultCleared("store-full")


def test_a_boot_id_has_to_fit_its_field() -> None:
    for wrong in ("", "x" * 17, "a b", "a|b"):
        with pytest.raises(LocalProtocolError, match="boot id"):
            DeviceMemory(wrong)
