"""Sections 4 to 7: what each message is on the line. The bytes here were written by hand."""

from __future__ import annotations

from typing import get_args

import pytest

from protocols.cards import Misread, parse_cards
from protocols.felt_link import messages as m
from protocols.felt_link.frame import Frame, FrameReader, encode
from protocols.felt_link.wording import from_frame, to_frame

FIVE = parse_cards("Ah Td 2c Ks 9d")
STRANGE = (FIVE[0], Misread.UNREADABLE, Misread.BOXED, Misread.FOREIGN, FIVE[2])
IDENTITY = m.Identity("FS-1", "10042", "1.4.2", ("faces", "counts"))

LITERALS: list[tuple[bytes, m.Message]] = [
    (b"\x02DECK|1|\x03B72A", m.Numbered(1, False, m.DeckLoaded())),
    (b"\x02SHUFFLING|2|\x03A7AA", m.Numbered(2, False, m.ShuffleStarted())),
    (b"\x02SHUFFLED|3||52\x03F3C5", m.Numbered(3, False, m.ShuffleFinished(52))),
    (b"\x02SHUFFLED|3||-\x03CC07", m.Numbered(3, False, m.ShuffleFinished(None))),
    (b"\x02PACKET|4||1|5|Ah Td 2c Ks 9d\x039614", m.Numbered(4, False, m.PacketDispensed(1, 5, FIVE))),
    (b"\x02PACKET|5||2|4|-\x031FE9", m.Numbered(5, False, m.PacketDispensed(2, 4, None))),
    (b"\x02PACKET|6||3|-|-\x039FDD", m.Numbered(6, False, m.PacketDispensed(3, None, None))),
    (b"\x02PACKET|7||4|5|Ah ?? [] ## 2c\x031C0D", m.Numbered(7, False, m.PacketDispensed(4, 5, STRANGE))),
    (b"\x02REMOVED|8||1\x03640F", m.Numbered(8, False, m.PacketRemoved(1))),
    (b"\x02REMAINDER|9||2|Qs 3h\x0312E8", m.Numbered(9, False, m.RemainderEjected(2, parse_cards("Qs 3h")))),
    (b"\x02REMAINDER|10||0|\x03B66B", m.Numbered(10, False, m.RemainderEjected(0, ()))),
    (b"\x02BUTTON|11||green\x030173", m.Numbered(11, False, m.WireButtonPressed("green"))),
    (b"\x02BUTTON|11|R|green\x037DE3", m.Numbered(11, True, m.WireButtonPressed("green"))),
    (b"\x02FAULT|12||jam|tray\x03A20F", m.Numbered(12, False, m.WireFaultRaised("jam", "tray"))),
    (b"\x02FAULT|13||door-open|\x030805", m.Numbered(13, False, m.WireFaultRaised("door-open", ""))),
    (b"\x02CLEARED|14||jam\x035B3D", m.Numbered(14, False, m.WireFaultCleared("jam"))),
    (b"\x02MODE|15||5\x031B1B", m.Numbered(15, False, m.ModeChanged(5))),
    (b"\x02POWER|16|\x035579", m.Numbered(16, False, m.PowerReturned())),
    (b"\x02CARD|17||1|Ah|game\x0341CC", m.Numbered(17, False, m.WireCardDrawn(1, FIVE[0], "game"))),
    (b"\x02CARD|18||2|??|burn\x03AD36", m.Numbered(18, False, m.WireCardDrawn(2, Misread.UNREADABLE, "burn"))),
    (b"\x02BACK|19||2\x0394DA", m.Numbered(19, False, m.WireCardReturned(2))),
    (b"\x02CUT|20||0\x0376FE", m.Numbered(20, False, m.WireCutCardDrawn(0))),
    (b"\x02STAKE|21||3|poker-hand|1500\x03832A", m.Numbered(21, False, m.StakeSeen(3, "poker-hand", 1500))),
    (b"\x02STAKE|22||1|ante|0\x03B0F1", m.Numbered(22, False, m.StakeSeen(1, "ante", 0))),
    (b"\x02DO|0||t1:9:0|mode|5\x039B59", m.Order("t1:9:0", m.SetMode(5))),
    (b"\x02DO|0||t1:9:1|dispense|3\x0359C7", m.Order("t1:9:1", m.Dispense(3))),
    (b"\x02DO|0||a|eject\x032315", m.Order("a", m.EjectRemainder())),
    (b"\x02DO|0||a|reshuffle\x03C9BF", m.Order("a", m.Reshuffle())),
    (b"\x02DO|0||a|lock\x039C25", m.Order("a", m.Lock())),
    (b"\x02DO|0||a|unlock\x03A386", m.Order("a", m.Unlock())),
    (b"\x02DO|0||a|lamp|1\x03910C", m.Order("a", m.SetLamp(True))),
    (b"\x02DO|0||a|lamp|0\x03A23D", m.Order("a", m.SetLamp(False))),
    (b"\x02ANSWER|0||a|accepted\x0324B6", m.WireAnswer("a", None)),
    (b"\x02ANSWER|0||a|refused|busy\x03C894", m.WireAnswer("a", m.Refusal.BUSY)),
    (b"\x02HELLO|0||1|FS-1|10042|1.4.2|faces,counts|7C1A|1|1\x03E447", m.Hello((1,), IDENTITY, "7C1A", 1, 1)),
    (b"\x02WELCOME|0||1|7C1A|41\x032CA3", m.Welcome(1, "7C1A", 41)),
    (b"\x02REFUSE|0||version|needs version 2\x030425", m.Refuse(m.HostRefusal.VERSION, "needs version 2")),
    (b"\x02BEAT|0||41\x038D3E", m.Beat(41)),
]


@pytest.mark.parametrize(("data", "message"), LITERALS, ids=[data[1:12].decode() for data, _ in LITERALS])
def test_a_message_written_by_hand_is_read_and_written(data: bytes, message: m.Message) -> None:
    reader = FrameReader()
    reader.feed(data)
    frame = reader.next()
    assert isinstance(frame, Frame)
    assert from_frame(frame) == message
    assert encode(to_frame(message)) == data


def test_every_message_event_and_command_is_among_them() -> None:
    messages = {type(message) for _, message in LITERALS}
    events = {type(message.event) for _, message in LITERALS if isinstance(message, m.Numbered)}
    commands = {type(message.command) for _, message in LITERALS if isinstance(message, m.Order)}
    assert messages == set(get_args(m.Message))
    assert events == set(get_args(m.WireEvent))
    assert commands == set(get_args(m.WireCommand))


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("DANCE", ()),
        ("deck", ()),
        ("DECK", ("",)),
        ("SHUFFLED", ()),
        ("SHUFFLED", ("",)),
        ("SHUFFLED", ("052",)),
        ("SHUFFLED", ("1000",)),
        ("SHUFFLED", ("-1",)),
        ("PACKET", ("0", "5", "-")),
        ("PACKET", ("-", "5", "-")),
        ("PACKET", ("1", "5")),
        ("PACKET", ("1", "5", "-", "")),
        ("PACKET", ("1", "5", "Ah  Td")),
        ("PACKET", ("1", "5", " Ah")),
        ("PACKET", ("1", "5", "ah")),
        ("PACKET", ("1", "5", "10h")),
        ("CARD", ("0", "Ah", "game")),
        ("CARD", ("1", "Ah Kd", "game")),
        ("CARD", ("1", "-", "game")),
        ("CARD", ("1", "Ah")),
        ("BACK", ()),
        ("CUT", ("-",)),
        ("BUTTON", ("",)),
        ("BUTTON", ("Green",)),
        ("FAULT", ("jam",)),
        ("FAULT", ("jam", "x" * 65)),
        ("MODE", ("-",)),
    ],
)
def test_an_event_that_means_nothing_keeps_its_number_and_shows_no_card(kind: str, fields: tuple[str, ...]) -> None:
    found = from_frame(Frame(kind, 7, "R", fields))
    assert isinstance(found, m.Unintelligible)
    assert (found.seq, found.resent, found.kind, found.text) == (7, True, kind, "|".join(fields))
    assert "Ah" not in repr(found)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("PACKET", ("1", "5", "-")),
        ("DANCE", ()),
        ("BEAT", ()),
        ("BEAT", ("01",)),
        ("HELLO", ("", "FS-1", "1", "1", "", "B", "1", "1")),
        ("HELLO", ("x", "FS-1", "1", "1", "", "B", "1", "1")),
        ("HELLO", ("0", "FS-1", "1", "1", "", "B", "1", "1")),
        ("HELLO", ("1", "FS-1 ", "1", "1", "", "B", "1", "1")),
        ("HELLO", ("1", "FS-1", "1", "1", "Faces", "B", "1", "1")),
        ("HELLO", ("1", "FS-1", "1", "1", "", "", "1", "1")),
        ("HELLO", ("1", "FS-1", "1", "1", "", "B", "0", "1")),
        ("HELLO", ("1", "FS-1", "1", "1", "", "B", "2", "1")),
        ("WELCOME", ("0", "B", "0")),
        ("WELCOME", ("1", "", "0")),
        ("ANSWER", ("a", "maybe")),
        ("ANSWER", ("a", "refused")),
        ("ANSWER", ("a", "accepted", "")),
        ("DO", ("", "eject")),
        ("DO", ("a b", "eject")),
    ],
)
def test_a_message_outside_the_numbering_that_means_nothing_is_left_alone(kind: str, fields: tuple[str, ...]) -> None:
    assert isinstance(from_frame(Frame(kind, 0, "", fields)), m.Meaningless)


@pytest.mark.parametrize(
    ("fields", "refusal"),
    [
        (("dance",), m.Refusal.UNKNOWN_COMMAND),
        (("Dispense", "1"), m.Refusal.UNKNOWN_COMMAND),
        ((), m.Refusal.UNKNOWN_COMMAND),
        (("dispense",), m.Refusal.BAD_ARGUMENT),
        (("dispense", "0"), m.Refusal.BAD_ARGUMENT),
        (("eject", "1"), m.Refusal.BAD_ARGUMENT),
        (("lamp", "2"), m.Refusal.BAD_ARGUMENT),
    ],
)
def test_an_order_that_means_nothing_deserves_an_answer(fields: tuple[str, ...], refusal: m.Refusal) -> None:
    assert from_frame(Frame("DO", 0, "", ("a", *fields))) == m.BadOrder("a", refusal)


def test_flags_that_this_version_does_not_know_are_left_alone() -> None:
    assert from_frame(Frame("DECK", 1, "XRY", ())) == m.Numbered(1, True, m.DeckLoaded())
    assert from_frame(Frame("DECK", 1, "X", ())) == m.Numbered(1, False, m.DeckLoaded())
