"""What somebody asked who built a device from SPEC.md alone: the answers of the link, held to the device's end."""

from __future__ import annotations

from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceLinkState
from protocols.felt_link.events import HostOddity, Ordered
from protocols.felt_link.frame import Ack, Frame, Nak
from protocols.felt_link.limits import COMMANDS_REMEMBERED, SILENCE_NS
from tests.protocols.felt_link.pair import GREEN, DeviceEnd, hello

LOCK = ("a", "lock")


def linked() -> DeviceEnd:
    device = DeviceEnd()
    device.be_welcomed()
    return device


def test_a_flag_that_is_not_known_changes_nothing() -> None:
    assert linked().hear(Frame("DO", 0, "XR", LOCK)) == [Ordered("a", m.Lock())]


def test_an_order_with_the_number_of_an_event_is_left_alone() -> None:
    device = linked()
    assert device.hear(Frame("DO", 5, "", LOCK)) == [HostOddity("unexpected-message")]
    assert device.says() == []


def test_a_sound_frame_of_an_unknown_kind_keeps_the_link() -> None:
    device = linked()
    device.hear(Frame("NEWS", 0, "", ("of", "another", "version")), at_ns=SILENCE_NS - 1)
    device.link.handle_timeout(SILENCE_NS)
    assert device.link.state is DeviceLinkState.LINKED


def test_a_device_that_is_refused_is_welcomed_no_longer() -> None:
    device = linked()
    device.hear(m.Refuse(m.HostRefusal.DEVICE, ""))
    assert device.link.state is DeviceLinkState.SEEKING
    assert device.hear(Frame("DO", 0, "", LOCK)) == []


def test_the_hello_after_a_silence_comes_at_once() -> None:
    device = linked()
    device.link.handle_timeout(SILENCE_NS)
    assert hello() in device.says()


def test_what_was_sent_over_an_earlier_connection_of_this_boot_can_be_acknowledged() -> None:
    device = linked()
    device.link.report_event(GREEN, 0)
    again = DeviceEnd(device.memory)
    assert again.hear(m.Welcome(1, "B1", 0)) != []
    assert again.hear(Ack(1)) == []
    assert again.memory.first_kept == 2


def test_a_refusal_of_a_frame_is_obeyed_whatever_its_word() -> None:
    device = linked()
    device.link.report_event(GREEN, 0)
    device.says()
    device.hear(Nak(1, "another-word"))
    assert device.says() == [m.Numbered(1, True, GREEN)]


def test_a_repeated_command_does_not_become_the_last_again() -> None:
    device = linked()
    for number in range(COMMANDS_REMEMBERED):
        device.hear(m.Order(str(number), m.Lock()))
        device.link.answer(str(number), None, 0)
    assert device.hear(m.Order("0", m.Lock())) == []
    assert device.hear(m.Order("new", m.Lock())) == [Ordered("new", m.Lock())]
    assert device.hear(m.Order("0", m.Lock())) == [Ordered("0", m.Lock())]


def test_the_first_answer_to_an_id_stays_after_another_command_under_it() -> None:
    device = linked()
    device.hear(m.Order("a", m.Lock()))
    device.link.answer("a", "busy", 0)
    device.says()
    device.hear(m.Order("a", m.Unlock()), m.Order("a", m.Lock()))
    assert device.says() == [m.WireAnswer("a", m.Refusal.ID_REUSED), m.WireAnswer("a", "busy")]
