"""The shoe's end: what the emulator says is what the page says, and a host understands it."""

from __future__ import annotations

import pytest

from protocols.angel_eye import events as e
from protocols.angel_eye import messages as m
from protocols.angel_eye.device import DeviceConnection
from protocols.angel_eye.host import HostConnection
from protocols.angel_eye.options import AngelEyeOptions, BccForm
from protocols.cards import Card
from protocols.codec import Gap, Garbage
from protocols.errors import LocalProtocolError

LOCK_BYTES = bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"
LOCK = m.SetLock(is_locked=True)


def hear(shoe: DeviceConnection, data: bytes) -> list[e.DeviceSideEvent | Garbage | Gap]:
    shoe.receive(data, 0)
    found: list[e.DeviceSideEvent | Garbage | Gap] = []
    while (event := shoe.next_event()) is not None:
        found.append(event)
    return found


def test_the_example_of_the_page_goes_out_three_times() -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    shoe.send_report(m.Standby())
    shoe.data_to_send()
    assert shoe.send_report(m.WireCardDrawn(m.Place(m.Target.PLAYER, 1), Card.parse("8s"))) == 0x31
    assert shoe.data_to_send() == bytes.fromhex("05 31 44 81 B8 03 34 46") * 3


def test_the_numbers_run_over_their_range() -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    assert [chr(shoe.send_report(m.Standby())) for _ in range(12)] == list("012345678901")


def test_a_command_is_for_the_program_to_answer() -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    assert hear(shoe, LOCK_BYTES) == [e.Commanded(LOCK)]
    assert shoe.data_to_send() == b""
    shoe.answer(None)
    assert shoe.data_to_send() == b"\x06"
    with pytest.raises(LocalProtocolError):
        shoe.answer(None)


def test_a_command_can_be_refused() -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    hear(shoe, LOCK_BYTES)
    shoe.answer(m.NakCode.WRITING)
    assert shoe.data_to_send() == b"\x15\x22"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (LOCK_BYTES[:-2] + b"1C", m.NakCode.BCC),
        (LOCK_BYTES[:-2] + b"19", m.NakCode.BCC),
        (LOCK_BYTES[:-2] + b"\x1b", m.NakCode.BCC),
        (LOCK_BYTES[:-2] + b"1x", m.NakCode.BCC),
        (LOCK_BYTES[:6] + b"\x00", m.NakCode.NO_ETX),
        (b"\x02" + b"O" * 63, m.NakCode.LENGTH),
        (b"\x02OPLK2\x03" + b"2B", m.NakCode.LENGTH),
        (b"\x02OPXX00\x03" + b"1E", m.NakCode.TYPE),
        (b"\x02XPLK02\x03" + b"0C", m.NakCode.COMMAND),
    ],
)
def test_a_command_that_is_none_is_refused_with_its_code(data: bytes, code: m.NakCode) -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    assert e.RefusedAtOnce(code) in hear(shoe, data)
    assert shoe.data_to_send() == bytes((0x15, code))


def test_a_second_command_meets_a_busy_shoe() -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    assert hear(shoe, LOCK_BYTES * 2) == [e.Commanded(LOCK), e.RefusedAtOnce(m.NakCode.BUSY)]
    assert shoe.data_to_send() == b"\x15\x21"


def test_what_only_a_shoe_says_is_left_alone() -> None:
    shoe = DeviceConnection(AngelEyeOptions(), 0)
    assert hear(shoe, b"\x06\x15\x21" + bytes.fromhex("05 31 44 81 B8 03 34 46")) == [e.HostOddity()] * 3
    assert shoe.data_to_send() == b""


@pytest.mark.parametrize("form", BccForm)
@pytest.mark.parametrize("covers_stx", [True, False])
def test_both_ends_with_the_same_options_understand_each_other(form: BccForm, covers_stx: bool) -> None:
    options = AngelEyeOptions(commands_armed=True, command_bcc_covers_stx=covers_stx, command_bcc_form=form)
    host, shoe = HostConnection(options, 0), DeviceConnection(options, 0)
    cancels: list[m.Command] = [m.AnswerError(answer) for answer in m.ErrorAnswer]
    for command in (LOCK, m.SetLock(is_locked=False), m.ConfirmProcess(), *cancels):
        host.send_command(command, 0)
        assert hear(shoe, host.data_to_send()) == [e.Commanded(command)]
        shoe.answer(None)
        host.receive(shoe.data_to_send(), 0)
        assert host.next_event() == e.Accepted(command)
