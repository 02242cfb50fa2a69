"""Lines whose protocol has a check: a sound line becomes that protocol's frame, any other is damage."""

from __future__ import annotations

from protocols.checksum import xor
from protocols.codec import Garbage
from protocols.lines import NOT_TEXT, LineReader, TextLine

WRONG = "a wrong check"


def frame_of(line: TextLine) -> int | Garbage:
    words, _, check = line.text.partition("*")
    return int(words) if check == f"{xor(words.encode('ascii')):02X}" else Garbage(line.data, WRONG)


def sealed(words: bytes) -> bytes:
    return words + b"*%02X\r\n" % xor(words)


def test_a_line_whose_check_does_not_hold_is_damage_and_the_next_one_is_read() -> None:
    wrong = sealed(b"12").replace(b"12", b"13")
    reader = LineReader(frame_of)
    reader.feed(sealed(b"7") + wrong + b"\x8012\r\n" + sealed(b"12"))
    assert list(iter(reader.next, None)) == [7, Garbage(wrong, WRONG), Garbage(b"\x8012\r\n", NOT_TEXT), 12]
