"""The Bee-Tek's lines: those of the device page as they are there, and what is made of everything else."""

from __future__ import annotations

import pytest

from protocols.bee_tek import messages as m
from protocols.bee_tek.connection import DeviceConnection, HostConnection
from protocols.bee_tek.wording import read_record, write_line
from protocols.cards import DECK, Card, Misread
from protocols.codec import Gap, Garbage
from protocols.errors import LocalProtocolError
from protocols.lines import LINE_LENGTH_MAX, NOT_TEXT, TOO_LONG, HostSpoke

GAME = m.Operation.GAME
MANUAL = m.Operation.MANUAL_BURN_CARDS
FOUR = m.CardPassed(GAME, Card.parse("4s"))


def hear(host: HostConnection, data: bytes) -> list[m.ShoeRecord | Garbage | Gap]:
    host.receive(data, 7)
    found: list[m.ShoeRecord | Garbage | Gap] = []
    while (event := host.next_event()) is not None:
        found.append(event)
    return found


def listen(data: bytes) -> list[m.ShoeRecord | Garbage | Gap]:
    return hear(HostConnection(0), data)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (" [Game]<Card:4S> ", FOUR),
        (" [Manual Burn Cards]<Card:H3> ", m.CardPassed(MANUAL, Card.parse("3h"))),
        (" [Game]<Game> ", m.CardPassed(GAME, Misread.UNREADABLE)),
        (" [Manual Burn Cards]<Game> ", m.CardPassed(MANUAL, Misread.UNREADABLE)),
        (" [Game]<Alarm:E3 Card Not Read> ", m.Alarm(GAME, "E3", "E3 Card Not Read")),
        (" [GameAlarm]<Alarm:E3 Card Not Read> ", m.Alarm(m.Operation.GAME_ALARM, "E3", "E3 Card Not Read")),
        (" [GameAlarm]<Alarm:Cover Open> ", m.Alarm(m.Operation.GAME_ALARM, None, "Cover Open")),
        ("<W0x01>", m.Warned(1)),
        ("<W0xfe>", m.Warned(0xFE)),
    ],
)
def test_a_line_of_the_page_is_read(text: str, meaning: m.ShoeRecord) -> None:
    assert listen(text.encode() + b"\r\n") == [meaning]


RANK_WORDS = {"T": ("T", "t", "10")}


def test_each_of_the_52_cards_in_both_orders_and_both_cases() -> None:
    for card in DECK:
        rank, suit = card.rank.letter, card.suit.letter
        for word in RANK_WORDS.get(rank, (rank, rank.lower())):
            for text in (word + suit, word + suit.upper(), suit + word, suit.upper() + word):
                assert read_record(f"[Game]<Card:{text}>") == m.CardPassed(GAME, card), text


@pytest.mark.parametrize("text", ["[Game]<Card:4S>", "  [Game] <Card:4S>", "[game]<card:4s> "])
def test_blanks_and_cases_carry_nothing(text: str) -> None:
    assert listen(text.encode()) == [FOUR]


@pytest.mark.parametrize(
    "text",
    [
        "[Game]<Card:44>",
        "[Game]<Card:SS>",
        "[Game]<Card:1S>",
        "[Game]<Card:11S>",
        "[Game]<Card:0S>",
        "[Game]<Card:4S4S>",
        "[Game]<Card:4 S>",
        "[Game]<Card: 4S>",
        "[Game]<Card:>",
        "[Test]<Card:4S>",
        "[GameAlarm]<Card:4S>",
        "[Game] x<Card:4S>",
        "<W0x>",
    ],
)
def test_a_record_that_does_not_fit_is_kept_and_never_guessed_at(text: str) -> None:
    assert listen(text.encode() + b"\r\n") == [m.UnknownText(text)]


@pytest.mark.parametrize(
    "text", ["[Game]<Card:4S", "Game]<Card:4S>", "ard:4S>", "<Card:4S>", "<W0xZZ>", "Bee-Tek 1.2", "4S", ">", "[", "]<"]
)
def test_a_piece_of_a_record_is_text(text: str) -> None:
    assert listen(text.encode() + b"\r\n") == [m.UnknownText(text)]


def test_an_empty_line_is_nothing() -> None:
    assert listen(b"\r\n \r\n\n") == []


CARD = b"[Game]<Card:4S>"
KING = m.CardPassed(GAME, Card.parse("Kh"))


@pytest.mark.parametrize(
    ("stream", "found"),
    [
        (CARD, [FOUR]),
        (CARD + CARD, [FOUR, FOUR]),
        (CARD + b"\r" + CARD + b"\r", [FOUR, FOUR]),
        (CARD + b"\n" + CARD + b"\n", [FOUR, FOUR]),
        (CARD + b" <W0x01> \r\n" + CARD, [FOUR, m.Warned(1), FOUR]),
        (b"<W0x01>" + CARD, [m.Warned(1), FOUR]),
        (b"Bee-Tek 1.2 " + CARD, [m.UnknownText("Bee-Tek 1.2 "), FOUR]),
        (b"\xff\x00" + CARD, [Garbage(b"\xff\x00", NOT_TEXT), FOUR]),
        (CARD + b"noise\r\n" + CARD, [FOUR, m.UnknownText("noise"), FOUR]),
        (b"[Game]<Card:4S" + b"[Game]<Card:KH>", [m.UnknownText("[Game]<Card:4S"), KING]),
        (b"[Ga" + b"[Game]<Card:KH>", [m.UnknownText("[Ga"), KING]),
        (b"[Game]\r\n<Card:4S>\r\n" + CARD, [m.UnknownText("[Game]"), m.UnknownText("<Card:4S>"), FOUR]),
        (b"[Game]<Ca<W0x01>" + CARD, [m.UnknownText("[Game]<Ca"), m.Warned(1), FOUR]),
    ],
    ids=lambda value: repr(value) if isinstance(value, bytes) else "",
)
def test_records_are_found_in_the_stream(stream: bytes, found: list[m.ShoeRecord | Garbage]) -> None:
    """As public readers of this shoe find them. What is around a record is told apart from it."""
    assert listen(stream) == found
    host = HostConnection(0)
    assert [event for byte in stream for event in hear(host, bytes((byte,)))] == found


def test_texts_that_may_name_a_card_are_not_printed() -> None:
    assert "4S" not in repr(listen(b"4S is here\r\n [Game]<Alarm:E9 4S> \r\n4S\xff\r\n"))


@pytest.mark.parametrize("damage", [b"\x00", b"\xff", b"\x1b", b"\xc4"])
def test_a_record_with_anything_but_text_is_damage_from_end_to_end(damage: bytes) -> None:
    for record in (b"[Game]" + damage + b"<Card:4S>", b"[Ga" + damage + b"me]<Card:4S>"):
        assert listen(b" " + record + b"\r\n [Game]<Card:4S> \r\n") == [Garbage(record, NOT_TEXT), FOUR]


def test_text_without_an_end_is_damage_and_a_record_behind_it_is_read() -> None:
    endless = b"x" * (LINE_LENGTH_MAX + 50)
    assert listen(endless + b" [Game]<Card:4S> \r\n") == [
        Garbage(endless[:LINE_LENGTH_MAX], TOO_LONG),
        m.UnknownText("x" * 50 + " "),
        FOUR,
    ]


def test_only_a_line_is_a_sign_of_life() -> None:
    host = HostConnection(0)
    hear(host, b"\xff\r\n")
    assert host.heard_ns is None
    hear(host, b"<W0x01>\r\n")
    assert host.heard_ns == 7


def test_a_host_never_writes() -> None:
    host = HostConnection(0)
    hear(host, b" [Game]<Card:4S> \r\n\xff\r\nwhat\r\n")
    host.handle_timeout(10**12)
    assert host.data_to_send() == b""
    assert host.next_timeout_ns() is None


@pytest.mark.parametrize(
    ("line", "suit_first", "data"),
    [
        (FOUR, False, b" [Game]<Card:4S> \r\n"),
        (FOUR, True, b" [Game]<Card:S4> \r\n"),
        (m.CardPassed(MANUAL, Misread.BOXED), False, b" [Manual Burn Cards]<Game> \r\n"),
        (
            m.Alarm(m.Operation.GAME_ALARM, "E3", "E3 Card Not Read"),
            False,
            b" [GameAlarm]<Alarm:E3 Card Not Read> \r\n",
        ),
        (m.Warned(1), False, b"<W0x01>\r\n"),
        (m.UnknownText("Bee-Tek 1.2"), False, b"Bee-Tek 1.2\r\n"),
    ],
)
def test_a_shoe_says_the_lines_of_the_page(line: m.ShoeRecord, suit_first: bool, data: bytes) -> None:
    shoe = DeviceConnection(0, suit_first=suit_first)
    shoe.send(line)
    assert shoe.data_to_send() == data


@pytest.mark.parametrize("text", ["", "two\r\nlines", "x" * LINE_LENGTH_MAX, "ä", "<W0x01>"])
def test_a_shoe_says_nothing_that_would_be_read_as_something_else(text: str) -> None:
    with pytest.raises(LocalProtocolError):
        write_line(m.UnknownText(text))


def test_a_shoe_leaves_alone_what_a_host_says() -> None:
    shoe = DeviceConnection(0)
    shoe.receive(b"hello\r\n", 0)
    assert shoe.next_event() == HostSpoke()
    assert shoe.data_to_send() == b""
