"""Frames of the Angel Eye's link. Bytes of the device page stand here as they are there; others were made by hand."""

from __future__ import annotations

import pytest

from protocols.angel_eye import frame as f
from protocols.angel_eye.limits import FRAME_LENGTH_MAX
from protocols.angel_eye.options import BccForm
from protocols.codec import Garbage
from protocols.errors import LocalProtocolError

EIGHT_OF_SPADES = bytes.fromhex("05 31 44 81 B8 03 34 46")
EIGHT_FRAME = f.ReportFrame(0x31, b"D\x81\xb8")
LOCK_TEXT = b"OPLK02"
LOCK_WITH_STX = bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"
LOCK_WITHOUT_STX = bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"19"


def read(*chunks: bytes) -> list[f.AnyFrame | Garbage]:
    reader = f.FrameReader()
    found: list[f.AnyFrame | Garbage] = []
    for chunk in chunks:
        reader.feed(chunk)
        while (one := reader.next()) is not None:
            found.append(one)
    return found


@pytest.mark.parametrize(
    ("data", "frame"),
    [
        (EIGHT_OF_SPADES, EIGHT_FRAME),
        (b"\x05" + b"2S\x03" + b"62", f.ReportFrame(0x32, b"S")),
        (LOCK_WITH_STX, f.CommandFrame(LOCK_TEXT, True, BccForm.DIGITS)),
        (LOCK_WITHOUT_STX, f.CommandFrame(LOCK_TEXT, False, BccForm.DIGITS)),
        (LOCK_WITH_STX[:8] + b"\x1b", f.CommandFrame(LOCK_TEXT, True, BccForm.BYTE)),
        (LOCK_WITHOUT_STX[:8] + b"\x19", f.CommandFrame(LOCK_TEXT, False, BccForm.BYTE)),
        (b"\x06", f.Ack()),
        (b"\x15\x21", f.Nak(0x21)),
        (b"\x15\x02", f.Nak(0x02)),
        (b"\x15\xff", f.Nak(0xFF)),
    ],
)
def test_a_frame_written_by_hand_is_read_and_written(data: bytes, frame: f.AnyFrame) -> None:
    assert read(data) == [frame]
    assert f.encode(frame) == data


def test_a_report_is_not_printed_with_its_card() -> None:
    assert "81" not in repr(EIGHT_FRAME)
    assert "b8" not in repr(EIGHT_FRAME).lower()


@pytest.mark.parametrize("at", range(1, len(EIGHT_OF_SPADES)))
def test_a_frame_in_two_chunks_is_one_frame(at: int) -> None:
    assert read(EIGHT_OF_SPADES[:at], EIGHT_OF_SPADES[at:]) == [EIGHT_FRAME]


@pytest.mark.parametrize("at", range(1, len(EIGHT_OF_SPADES)))
def test_a_frame_cut_off_by_the_next_one_costs_only_itself(at: int) -> None:
    *damage, last = read(EIGHT_OF_SPADES[:at] + EIGHT_OF_SPADES)
    assert last == EIGHT_FRAME
    assert b"".join(piece.data for piece in damage if isinstance(piece, Garbage)) == EIGHT_OF_SPADES[:at]


@pytest.mark.parametrize("at", range(len(EIGHT_OF_SPADES)))
def test_no_flipped_bit_goes_unnoticed(at: int) -> None:
    for bit in range(8):
        damaged = bytearray(EIGHT_OF_SPADES)
        damaged[at] ^= 1 << bit
        assert not any(isinstance(one, f.ReportFrame) for one in read(bytes(damaged)))
        assert read(bytes(damaged) + EIGHT_OF_SPADES)[-1] == EIGHT_FRAME


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (EIGHT_OF_SPADES[:-1] + b"E", f.CHECK_FAILED),
        (b"\x05" + b"1\x03" + b"32", f.TOO_SHORT),
        (b"hello\xff" + b"\x06", f.OUTSIDE),
        (EIGHT_OF_SPADES[:4] + b"\x05", f.CUT_OFF),
        (EIGHT_OF_SPADES[:4] + b"\x00" + EIGHT_OF_SPADES[5:], f.CHECK_FAILED),
        (EIGHT_OF_SPADES[:6] + b"4f", f.CHECK_CUT_OFF),
        (LOCK_WITH_STX[:8] + b"1C", f.CHECK_FAILED),
        (LOCK_WITH_STX[:8] + b"\x1c", f.CHECK_FAILED),
        (b"\x15\x05", f.CUT_OFF),
    ],
)
def test_damage_is_named(data: bytes, reason: str) -> None:
    first = read(data)[0]
    assert isinstance(first, Garbage)
    assert first.reason == reason


def test_a_check_in_small_letters_is_none() -> None:
    small = EIGHT_OF_SPADES[:-1] + b"f"
    assert [type(one) for one in read(small + EIGHT_OF_SPADES)] == [Garbage, Garbage, f.ReportFrame]


def test_a_command_with_a_wrong_byte_check_does_not_swallow_the_next_start() -> None:
    assert read(LOCK_WITH_STX[:8] + EIGHT_OF_SPADES) == [Garbage(LOCK_WITH_STX[:8], f.CHECK_FAILED), EIGHT_FRAME]


def longest(text_length: int) -> bytes:
    return f.encode(f.ReportFrame(0x31, b"x" * (text_length - 1)))


def test_a_frame_of_64_bytes_is_read() -> None:
    frame = longest(60)
    assert len(frame) == FRAME_LENGTH_MAX == 64
    assert isinstance(read(frame)[0], f.ReportFrame)


def test_a_frame_of_65_bytes_is_damage_and_the_next_one_is_read() -> None:
    with pytest.raises(LocalProtocolError):
        longest(61)
    text = b"1" + b"x" * 60
    check = b"%02X" % (0x31 ^ 0x03)
    *damage, last = read(b"\x05" + text + b"\x03" + check + EIGHT_OF_SPADES)
    assert last == EIGHT_FRAME
    assert isinstance(damage[0], Garbage)
    assert damage[0].reason == f.TOO_LONG


def test_64_bytes_without_an_end_are_given_up() -> None:
    found = read(b"\x05" + b"x" * 63)
    assert found == [Garbage(b"\x05" + b"x" * 63, f.TOO_LONG)]
    assert read(b"\x05" + b"x" * 62) == []
    assert read(b"\x05" + b"x" * 200 + EIGHT_OF_SPADES)[-1] == EIGHT_FRAME


def test_a_text_with_a_control_byte_is_never_sent() -> None:
    with pytest.raises(LocalProtocolError):
        f.encode(f.ReportFrame(0x31, b"D\x03"))
