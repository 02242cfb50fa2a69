"""What the letters and payload bytes of the device page say."""

from __future__ import annotations

import pytest

from protocols.angel_eye import messages as m
from protocols.angel_eye.frame import FrameReader, ReportFrame
from protocols.angel_eye.wording import read_command, read_face, read_report, write_command, write_report
from protocols.cards import DECK, Card, Misread
from protocols.errors import LocalProtocolError
from tests.support.sentences import Says

EIGHT = Card.parse("8s")
PLAYER_1 = m.Place(m.Target.PLAYER, 1)


@pytest.mark.parametrize(
    ("data", "report"),
    [
        (b"S", m.Started()),
        (b"P", m.Standby()),
        (b"C", m.WireCutCardDrawn()),
        (b"D\x81\xb8", m.WireCardDrawn(PLAYER_1, EIGHT)),
        (b"D\x90\x91", m.WireCardDrawn(m.Place(m.Target.BANKER, 0), Card.parse("Ad"))),
        (b"D\xaa\xcd", m.WireCardDrawn(m.Place(m.Target.BURN, 10), Card.parse("Kh"))),
        (b"D\xc0\xab", m.WireCardDrawn(m.Place(m.Target.FIRST_CARD, 0), Card.parse("Jc"))),
        (b"D\xd3\xba", m.WireCardDrawn(m.Place(m.Target.BURN_COUNT, 3), Card.parse("Ts"))),
        (b"d\x80\xb8", m.CardDrawnOutside(m.OutsideReason.LOCKED, 0, EIGHT)),
        (b"d\x91\xb8", m.CardDrawnOutside(m.OutsideReason.IN_ERROR, 1, EIGHT)),
        (b"d\xa0\xb8", m.CardDrawnOutside(m.OutsideReason.SETTING_MODE, 0, EIGHT)),
        (b"R\x81\xb8", m.CardAgain(PLAYER_1, EIGHT)),
        (b"G\x90", m.GameEnded(m.Winner.PLAYER, m.Pairs.NONE)),
        (b"G\xa1", m.GameEnded(m.Winner.TIE, m.Pairs.PLAYER)),
        (b"G\xc2", m.GameEnded(m.Winner.BANKER, m.Pairs.BANKER)),
        (b"G\xf3", m.GameEnded(m.Winner.FORCED_END, m.Pairs.BOTH)),
        (b"E\xc1", m.ErrorRaised(m.ErrorCode.CANNOT_READ, True)),
        (b"E\x82", m.ErrorRaised(m.ErrorCode.OVERDRAW, False)),
        (b"E\xc3", m.ErrorRaised(m.ErrorCode.BUTTON_MISHANDLED, True)),
        (b"E\xc4", m.ErrorRaised(m.ErrorCode.REVERSE_RUN_AT_EXIT, True)),
        (b"E\xc5", m.ErrorRaised(m.ErrorCode.REVERSE_RUN_MIDWAY, True)),
        (b"E\xc6", m.ErrorRaised(m.ErrorCode.CARD_CODE, True)),
        (b"e\x87", m.ErrorCancelled(m.ErrorCode.DRAWING_TIME_OUT, False)),
        (b"L\x81", m.LockChanged(True)),
        (b"L\x80", m.LockChanged(False)),
        (b"M\xb0\xb1\xb0\xb0\xb1\xb2", m.PresetChanged("01", "0012")),
    ],
)
def test_a_report_of_the_page_is_read_and_written(data: bytes, report: m.WireReport) -> None:
    assert read_report(data) == report
    assert write_report(report) == data


def test_a_preset_is_read_with_and_without_bit_7() -> None:
    assert read_report(b"M010012") == m.PresetChanged("01", "0012")


SUITS = {"d": 1, "c": 2, "s": 3, "h": 4}
RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13, "T": 10} | {str(rank): rank for rank in range(2, 10)}


def test_each_of_the_52_cards_has_its_byte() -> None:
    for card in DECK:
        assert read_face(SUITS[card.suit.letter] << 4 | RANKS[card.rank.letter]) is card


def test_whatever_names_no_card_is_a_misread_and_never_a_card() -> None:
    named = {SUITS[suit] << 4 | RANKS[rank] for suit in SUITS for rank in RANKS}
    unnamed = set(range(128)) - named
    assert {low for low in unnamed if low >> 4 == 0 or low & 15 in (0, 14, 15)} <= unnamed
    assert all(read_face(low) is Misread.UNREADABLE for low in unnamed)
    assert read_report(b"D\x81\x80") == m.WireCardDrawn(PLAYER_1, Misread.UNREADABLE)
    assert read_report(b"D\x81\xbe") == m.WireCardDrawn(PLAYER_1, Misread.UNREADABLE)
    assert read_report(b"D\x81\xd8") == m.WireCardDrawn(PLAYER_1, Misread.UNREADABLE)


@pytest.mark.parametrize("data", [b"D\x81\x18", b"D\x81\x38", b"D\x01\xb8", b"D\x01\x18"])
def test_a_card_with_a_payload_byte_without_bit_7_has_no_name(data: bytes) -> None:
    assert read_report(data) == m.WireCardDrawn(PLAYER_1, Misread.UNREADABLE)


def test_the_reason_of_a_card_outside_a_game_is_in_bits_6_to_4() -> None:
    """A byte string of a public program: in error, ace of hearts."""
    reader = FrameReader()
    reader.feed(bytes.fromhex("05 31 64 90 C1 03 30 37"))
    frame = reader.next()
    assert isinstance(frame, ReportFrame)
    outside = m.CardDrawnOutside(m.OutsideReason.IN_ERROR, 0, Card.parse("Ah"))
    assert read_report(frame.data) == outside
    assert write_report(outside) == frame.data


@pytest.mark.parametrize("misread", Misread)
def test_a_misread_is_written_as_no_card(misread: Misread) -> None:
    assert write_report(m.WireCardDrawn(PLAYER_1, misread)) == b"D\x81\x80"


@pytest.mark.parametrize(
    ("data", "report"),
    [
        (b"D\xb1\xb8", m.WireCardDrawn(m.Place(3, 1), EIGHT)),
        (b"D\x8f\xb8", m.WireCardDrawn(m.Place(m.Target.PLAYER, 15), EIGHT)),
        (b"d\xb0\xb8", m.CardDrawnOutside(3, 0, EIGHT)),
        (b"G\xd0", m.GameEnded(5, m.Pairs.NONE)),
        (b"E\x88", m.ErrorRaised(8, False)),
    ],
)
def test_a_number_that_the_page_does_not_explain_stays_a_number(data: bytes, report: m.WireReport) -> None:
    assert read_report(data) == report
    assert write_report(report) == data


@pytest.mark.parametrize(
    "data",
    [
        b"X\x81",
        b"s",
        b"\xc4\x81\xb8",
        b"D\x81",
        b"D\x81\xb8\xb8",
        b"P\x80",
        b"M\x80\x81\x82\x83\x84\x85",
    ],
)
def test_a_sound_report_that_is_not_of_the_page_is_kept_and_not_guessed_at(data: bytes, says: Says) -> None:
    report = read_report(data)
    assert isinstance(report, m.UnknownReport)
    says(report.reason)
    assert write_report(report) == data
    assert "payload=" not in repr(report)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (b"OPLK02", m.SetLock(True)),
        (b"OPLK01", m.SetLock(False)),
        (b"OPEC00", m.AnswerError(m.ErrorAnswer.CLEAR)),
        (b"OPEC01", m.AnswerError(m.ErrorAnswer.USE_CARD)),
        (b"OPEC02", m.AnswerError(m.ErrorAnswer.DISCARD_CARD)),
        (b"OPGP00", m.ConfirmProcess()),
    ],
)
def test_a_command_of_the_page_is_written_and_read(text: bytes, command: m.Command) -> None:
    assert write_command(command) == text
    assert read_command(text) == command


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (b"XXLK02", m.NakCode.COMMAND),
        (b"OPLK2", m.NakCode.LENGTH),
        (b"OPLK002", m.NakCode.LENGTH),
        (b"OPXX00", m.NakCode.TYPE),
        (b"OPLK03", m.NakCode.OTHER),
        (b"OPEC03", m.NakCode.OTHER),
        (b"OPEC99", m.NakCode.OTHER),
    ],
)
def test_a_command_that_is_none_has_its_code(text: bytes, code: m.NakCode) -> None:
    assert read_command(text) is code


@pytest.mark.parametrize("preset", [("1", "00123"), ("01", "001"), ("01", "00\x031"), ("01", "001é")])
def test_a_preset_that_could_not_be_read_back_is_never_sent(preset: tuple[str, str]) -> None:
    with pytest.raises(LocalProtocolError):
        write_report(m.PresetChanged(*preset))
