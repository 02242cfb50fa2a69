"""Section 3 of the specification: frames, noise, and what is damaged. The bytes here were written by hand."""

from __future__ import annotations

import pytest

from protocols.checksum import crc16
from protocols.codec import Garbage
from protocols.errors import LocalProtocolError
from protocols.felt_link.frame import Ack, AnyFrame, Frame, FrameReader, Nak, encode
from protocols.felt_link.limits import FIELD_LENGTH_MAX, FIELDS_MAX, FRAME_LENGTH_MAX

BUTTON = b"\x02BUTTON|11||green\x030173"
BUTTON_FRAME = Frame("BUTTON", 11, "", ("green",))


def read(*chunks: bytes) -> list[AnyFrame | Garbage]:
    reader = FrameReader()
    found: list[AnyFrame | Garbage] = []
    for chunk in chunks:
        reader.feed(chunk)
        while (one := reader.next()) is not None:
            found.append(one)
    return found


def sound(body: bytes, start: bytes = b"\x02") -> bytes:
    """A frame whose check is right, whatever its text is."""
    return start + body + b"\x03" + b"%04X" % crc16(body + b"\x03")


@pytest.mark.parametrize(
    ("data", "frame"),
    [
        (BUTTON, BUTTON_FRAME),
        (b"\x02BUTTON|11|R|green\x037DE3", Frame("BUTTON", 11, "R", ("green",))),
        (b"\x02DECK|1|\x03B72A", Frame("DECK", 1, "", ())),
        (b"\x02DECK|1||\x03D538", Frame("DECK", 1, "", ("",))),
        (b"\x0641\x03D33E", Ack(41)),
        (b"\x1542|gap\x03C77A", Nak(42, "gap")),
    ],
)
def test_a_frame_written_by_hand_is_read_and_written(data: bytes, frame: AnyFrame) -> None:
    assert read(data) == [frame]
    assert encode(frame) == data


def test_frames_follow_each_other_without_anything_between() -> None:
    assert read(BUTTON + b"\x0641\x03D33E" + BUTTON) == [BUTTON_FRAME, Ack(41), BUTTON_FRAME]


@pytest.mark.parametrize("at", range(1, len(BUTTON)))
def test_a_frame_in_two_chunks_is_one_frame(at: int) -> None:
    assert read(BUTTON[:at], BUTTON[at:]) == [BUTTON_FRAME]


def test_noise_before_a_frame_is_told_and_harms_nothing() -> None:
    assert read(b"\x00hello\xff" + BUTTON) == [Garbage(b"\x00hello\xff", "outside any frame"), BUTTON_FRAME]


@pytest.mark.parametrize("at", range(1, len(BUTTON)))
def test_a_frame_cut_off_by_the_next_one_costs_only_itself(at: int) -> None:
    *damage, last = read(BUTTON[:at] + BUTTON)
    assert last == BUTTON_FRAME
    assert b"".join(piece.data for piece in damage if isinstance(piece, Garbage)) == BUTTON[:at]


@pytest.mark.parametrize("at", range(len(BUTTON)))
def test_no_flipped_bit_goes_unnoticed(at: int) -> None:
    for bit in range(8):
        damaged = bytearray(BUTTON)
        damaged[at] ^= 1 << bit
        assert BUTTON_FRAME not in read(bytes(damaged))
        assert read(bytes(damaged) + BUTTON)[-1] == BUTTON_FRAME


def test_a_wrong_check_is_named() -> None:
    assert read(BUTTON[:-1] + b"4") == [Garbage(BUTTON[:-1] + b"4", "check failed")]


def test_check_digits_are_capitals() -> None:
    capital = b"\x02SHUFFLED|3||52\x03F3C5"
    assert read(capital) == [Frame("SHUFFLED", 3, "", ("52",))]
    assert Frame("SHUFFLED", 3, "", ("52",)) not in read(capital.replace(b"F3C5", b"f3c5"))


@pytest.mark.parametrize(
    "body",
    [
        b"DECK",
        b"DECK|1",
        b"deck|1|",
        b"|1|",
        b"DECK|01|",
        b"DECK|-1|",
        b"DECK||",
        b"DECK|4294967296|",
        b"DECK|1|r",
        b"DECK|1|RRRRRRRRR",
        b"ABCDEFGHIJKLM|1|",
        b"DECK|1|" + b"|x" * (FIELDS_MAX + 1),
        b"DECK|1||" + b"x" * (FIELD_LENGTH_MAX + 1),
    ],
)
def test_a_sound_frame_that_breaks_the_form_is_damage(body: bytes) -> None:
    assert read(sound(body) + BUTTON) == [
        Garbage(sound(body), "sound, but not a frame of felt-link"),
        BUTTON_FRAME,
    ]


@pytest.mark.parametrize(
    ("start", "body"), [(b"\x06", b"x"), (b"\x06", b"1|gap"), (b"\x15", b"1"), (b"\x15", b"1|GAP"), (b"\x02", b"41")]
)
def test_one_kind_of_frame_does_not_pass_for_another(start: bytes, body: bytes) -> None:
    assert isinstance(read(sound(body, start))[0], Garbage)


def test_the_longest_frame_passes_and_a_longer_one_is_damage() -> None:
    first = b"x" * FIELD_LENGTH_MAX
    second = b"y" * (FRAME_LENGTH_MAX - len(sound(b"DECK|1||" + first + b"|")))
    longest = sound(b"DECK|1||" + first + b"|" + second)
    assert len(longest) == FRAME_LENGTH_MAX
    assert read(longest) == [Frame("DECK", 1, "", (first.decode(), second.decode()))]
    found = read(sound(b"DECK|1||" + first + b"|" + second + b"y") + BUTTON)
    assert found[-1] == BUTTON_FRAME
    assert all(isinstance(piece, Garbage) for piece in found[:-1])


def test_endless_text_does_not_fill_the_memory() -> None:
    reader = FrameReader()
    for _ in range(1000):
        reader.feed(b"\x02" + b"A" * 999)
        while reader.next() is not None:
            pass
        assert len(reader) < FRAME_LENGTH_MAX


@pytest.mark.parametrize(
    "frame",
    [
        Frame("deck", 1, "", ()),
        Frame("DECK", -1, "", ()),
        Frame("DECK", 2**32, "", ()),
        Frame("DECK", 1, "", ("a|b",)),
        Frame("DECK", 1, "", ("\x03",)),
        Frame("DECK", 1, "", ("é",)),
        Frame("DECK", 1, "", ("x" * (FIELD_LENGTH_MAX + 1),)),
        Frame("DECK", 1, "", ("x" * FIELD_LENGTH_MAX, "x" * FIELD_LENGTH_MAX)),
        Frame("DECK", 1, "", ("",) * (FIELDS_MAX + 1)),
        Nak(1, "Not A Word"),
    ],
)
def test_a_frame_that_could_not_be_read_back_is_never_written(frame: AnyFrame) -> None:
    with pytest.raises(LocalProtocolError):
        encode(frame)


def test_neither_a_frame_nor_damage_prints_what_may_be_cards() -> None:
    packet = b"\x02PACKET|4||1|5|Ah Td 2c Ks 9d\x039614"
    for found in read(packet, packet[:-1] + b"5"):
        assert "Ah" not in repr(found)
