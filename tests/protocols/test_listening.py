"""Reading along: every byte of a stream is in what was heard, at its offset, with its meaning."""

from __future__ import annotations

import random

import pytest

from protocols.angel_eye import messages as a
from protocols.angel_eye.frame import Ack
from protocols.angel_eye.options import BccForm
from protocols.bee_tek import messages as b
from protocols.cards import Card
from protocols.codec import Garbage
from protocols.felt_link import messages as m
from protocols.listening import Heard, Saying
from protocols.registry import PROTOCOLS
from tests.protocols.subjects import SUBJECTS, Subject, broken_traffic

EIGHT = bytes.fromhex("05 31 44 81 B8 03 34 46")
LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03") + b"1B"
"""What each protocol lets stand between its frames."""
BUTTON = b"\x02BUTTON|11||green\x030173"


def hear(protocol: str, *chunks: bytes) -> list[Heard]:
    listener = PROTOCOLS[protocol].listener()
    found: list[Heard] = []
    for chunk in chunks:
        listener.feed(chunk)
        while (heard := listener.next()) is not None:
            found.append(heard)
    rest = listener.end()
    return found if rest is None else [*found, rest]


def test_each_protocol_can_be_listened_to() -> None:
    assert PROTOCOLS.keys() >= {"felt-link", "angel-eye-iiex", "bee-tek"}


def test_each_copy_of_a_report_is_heard() -> None:
    drawn = a.WireCardDrawn(a.Place(a.Target.PLAYER, 1), Card.parse("8s"))
    assert hear("angel-eye-iiex", EIGHT * 3) == [
        Heard(8 * n, EIGHT, Saying(drawn, (("seq", "1"), ("copy", n + 1)))) for n in range(3)
    ]


def test_both_directions_of_a_shoes_line_in_one_stream() -> None:
    found = hear("angel-eye-iiex", LOCK + b"\x06" + EIGHT)
    marks = (("check_covers_stx", True), ("check_form", BccForm.DIGITS))
    assert found[0] == Heard(0, LOCK, Saying(a.SetLock(is_locked=True), marks))
    assert found[1] == Heard(10, b"\x06", Saying(Ack()))
    assert found[2].offset == 11


def test_a_command_that_no_shoe_takes_is_heard_with_its_refusal() -> None:
    (heard,) = hear("angel-eye-iiex", b"\x02OPXX00\x03" + b"1E")
    assert isinstance(heard.saying, Saying)
    assert heard.saying.said == a.UnknownCommand("OPXX00", a.NakCode.TYPE)


def test_felt_link_is_heard_with_its_numbers() -> None:
    (heard,) = hear("felt-link", BUTTON)
    assert heard == Heard(0, BUTTON, Saying(m.WireButtonPressed("green"), (("seq", 11), ("resent", False))))


def test_what_means_nothing_between_frames_is_not_heard() -> None:
    card, four = b"[Game]<Card:4S>", Saying(b.CardPassed(b.Operation.GAME, Card.parse("4s")))
    assert hear("bee-tek", card, b" \r\n", card, b" \r\n") == [
        Heard(0, card, four),
        Heard(18, card, four),
    ]
    button = Saying(m.WireButtonPressed("green"), (("seq", 11), ("resent", False)))
    assert hear("felt-link", BUTTON + b"\r\n" + BUTTON + b"\r\n") == [
        Heard(0, BUTTON, button),
        Heard(len(BUTTON) + 2, BUTTON, button),
    ]


@pytest.mark.parametrize(
    ("protocol", "sound"), [("felt-link", BUTTON), ("angel-eye-iiex", EIGHT), ("bee-tek", b"<W0x01>")]
)
def test_damage_and_what_was_unfinished_are_heard_where_they_are(protocol: str, sound: bytes) -> None:
    noise = b"\xffnoise" + (b"\n" if protocol != "bee-tek" else b"")
    found = hear(protocol, noise + sound + sound[:-2])
    assert [(heard.offset, heard.data) for heard in found] == [
        (0, noise),
        (len(noise), sound),
        (len(noise + sound), sound[:-2]),
    ]
    assert isinstance(found[0].saying, Garbage)
    assert isinstance(found[1].saying, Saying)
    assert found[2].saying == Garbage(sound[:-2], "unfinished when the bytes ended")


def test_what_was_heard_is_not_printed_with_its_bytes() -> None:
    assert "4S" not in repr(hear("bee-tek", b" [Game]<Card:4S> \r\n 4S"))


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_every_byte_is_heard_once_and_in_order_however_the_stream_is_cut(subject: Subject) -> None:
    for seed in range(20):
        data = broken_traffic(subject, random.Random(seed), 400)
        whole = hear(subject.name, data)
        unheard = bytearray(data)
        for heard in reversed(whole):
            del unheard[heard.offset : heard.offset + len(heard.data)]
        assert not unheard.strip(subject.blank), f"seed {seed}"
        assert [data[heard.offset :][: len(heard.data)] for heard in whole] == [heard.data for heard in whole]
        assert hear(subject.name, *(bytes((byte,)) for byte in data)) == whole, f"seed {seed}"
