"""Big 50, clause by clause (games/big-50.md)."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.big_50 import (
    COLOURS,
    RULES,
    Big50House,
    FiveColours,
    RedBlack,
    colours_of,
    total_of,
)
from daemon.rules.evaluator import PokerHand
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import Outcome, RefusalCode, Settled, Voided, VoidReason, WagerResult
from daemon.rules.scales import POKER, TOTALS
from daemon.rules.wagers import Colour, Wager, WagerName
from protocols.cards import DECK, Face, Misread, parse_cards
from tests.support.sentences import Says

SPOTS = tuple(RULES.spots)
settle, check_wager = RULES.settle, RULES.check_wager
NAMED = Big50House(red_black=RedBlack.NAMED)


def _settled(
    cards: str, name: WagerName, stake: int = 100, colour: Colour | None = None, house: Big50House | None = None
) -> WagerResult:
    settled = settle(parse_cards(cards), [Wager(name, Cents(stake), colour)], house or Big50House())
    assert isinstance(settled, Settled)
    (result,) = settled.wagers
    assert result.returned == result.stake + result.pays
    return result


JUST_MADE_AND_JUST_MISSED = [
    ("Ah Kh Qh Jh Th", "royal flush", 1000),
    ("Kh Qh Jh Th 9h", "straight flush", 500),
    ("5c 4c 3c 2c Ac", "straight flush", 500),
    ("Ah Kh Qh Jh Ts", "straight", 6),
    ("2c 2d 2h 2s 3c", "four of a kind", 100),
    ("2c 2d 2h 3s 3c", "full house", 20),
    ("2c 2d 2h 3s 4c", "three of a kind", 4),
    ("7c 5c 4c 3c 2c", "flush", 10),
    ("6c 4c 3c 2c Ac", "flush", 10),
    ("2h Kh Qh Jh Ah", "flush", 10),
    ("7c 5c 4c 3c 2d", None, -1),
    ("5c 4d 3c 2c Ac", "straight", 6),
    ("6c 5d 4c 3c 2c", "straight", 6),
    ("Ac Kd Qc Jc Tc", "straight", 6),
    ("2c Ad Kc Qc Jc", None, -1),
    ("3c 2d Ac Kc Qc", None, -1),
    ("6c 4d 3c 2c Ac", None, -1),
    ("2c 2d 3h 3s 4c", "two pair", 3),
    ("8c 8d 2h 3s 4c", "pair of eights or better", 1),
    ("7c 7d Ah Ks Qc", None, -1),
    ("Ac Ad 2h 3s 4c", "pair of eights or better", 1),
    ("Kc Kd 2h 3s 4c", "pair of eights or better", 1),
    ("Ac Kd Qh Js 9c", None, -1),
]


@pytest.mark.parametrize(("cards", "row", "odds"), JUST_MADE_AND_JUST_MISSED)
def test_poker_hand_row_by_row_just_made_and_just_missed(cards: str, row: str | None, odds: int) -> None:
    result = _settled(cards, WagerName.POKER_HAND)
    assert result.decided_by is not None
    assert result.decided_by.row == row
    assert result.pays == 100 * odds


@pytest.mark.parametrize("colour", [None, Colour.RED, Colour.BLACK])
@pytest.mark.parametrize(
    ("cards", "seen"),
    [
        ("2h 3d 4h 5d 7h", FiveColours.RED),
        ("2s 3c 4s 5c 7s", FiveColours.BLACK),
        ("2h 3d 4h 5d 7s", FiveColours.MIXED),
        ("2s 3c 4s 5c 7h", FiveColours.MIXED),
    ],
)
def test_red_black_in_both_readings(cards: str, seen: FiveColours, colour: Colour | None) -> None:
    house = NAMED if colour else Big50House()
    wins = {
        None: {FiveColours.RED, FiveColours.BLACK},
        Colour.RED: {FiveColours.RED},
        Colour.BLACK: {FiveColours.BLACK},
    }
    result = _settled(cards, WagerName.RED_BLACK, 100, colour, house)
    won = seen in wins[colour]
    assert (result.outcome, result.pays) == ((Outcome.WIN, 1700) if won else (Outcome.LOSE, -100))
    assert result.decided_by is not None
    assert result.decided_by.row == (seen.value if won else None)


@pytest.mark.parametrize(("cards", "pays"), [("Th Td Jc Qs Ks", 50_000), ("9h Td Jc Qs Ks", -100)])
def test_big_50_is_exactly_fifty(cards: str, pays: int) -> None:
    assert _settled(cards, WagerName.BIG_50).pays == pays


@pytest.mark.parametrize(
    ("cards", "total", "row", "pays"),
    [
        ("Ac Ad Ah As 2c", 6, "6-9", 50_000),
        ("Ac Ad Ah 3s 3c", 9, "6-9", 50_000),
        ("Ac Ad Ah 3s 4c", 10, "10-19", 300),
        ("Ac 2d 3h 4s 9c", 19, "10-19", 300),
        ("Ac 2d 3h 4s Tc", 20, "20-29", -50),
        ("9c 2d 3h 5s Tc", 29, "20-29", -50),
        ("9c 2d 4h 5s Tc", 30, "30-39", -100),
        ("9c 9d 9h 2s Tc", 39, "30-39", -100),
        ("9c 9d 9h 3s Tc", 40, "40-49", 150),
        ("9c Kd Qh Js Tc", 49, "40-49", 150),
        ("Kc Kd Qh Js Tc", 50, "50", 10_000),
    ],
)
def test_range_row_by_row_at_both_ends(cards: str, total: int, row: str, pays: int) -> None:
    assert total_of(parse_cards(cards)) == total
    result = _settled(cards, WagerName.RANGE)
    assert result.decided_by is not None
    assert (result.decided_by.row, result.pays) == (row, pays)


@pytest.mark.parametrize(
    ("breakage", "returned", "rounding"),
    [(Breakage.PLAYER, 3, Fraction(1, 2)), (Breakage.HOUSE, 2, Fraction(-1, 2))],
)
def test_half_of_an_odd_stake_follows_breakage(breakage: Breakage, returned: int, rounding: Fraction) -> None:
    house = Big50House(money=MoneyRule(breakage=breakage))
    result = _settled("Ac 2d 3h 4s Tc", WagerName.RANGE, 5, house=house)
    assert (result.outcome, result.returned, result.rounding) == (Outcome.PARTIAL, returned, rounding)


def test_exact_breakage_refuses_a_stake_with_half_a_cent_when_it_is_placed() -> None:
    house = Big50House(money=MoneyRule(breakage=Breakage.EXACT))
    refused = check_wager(Wager(WagerName.RANGE, Cents(5)), [], house)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_PAID_EXACTLY
    assert check_wager(Wager(WagerName.RANGE, Cents(6)), [], house) is None


def test_a_total_of_fifty_wins_big_50_and_the_fifty_row_of_range() -> None:
    wagers = [Wager(name, Cents(100)) for name in (WagerName.BIG_50, WagerName.RANGE)]
    settled = settle(parse_cards("Kc Kd Qh Js Tc"), wagers)
    assert isinstance(settled, Settled)
    assert [result.pays for result in settled.wagers] == [50_000, 10_000]
    assert settled.findings.total == 50


FULL = parse_cards("Ah Kh Qh Jh Th")
ALL_SPOTS = [Wager(name, Cents(250)) for name in SPOTS]


@pytest.mark.parametrize(
    ("faces", "reason"),
    [
        (FULL[:4], VoidReason.WRONG_COUNT),
        ((*FULL, DECK[0]), VoidReason.WRONG_COUNT),
        ((), VoidReason.WRONG_COUNT),
        ((*FULL[:4], FULL[0]), VoidReason.DUPLICATE_CARD),
        ((*FULL[:4], Misread.UNREADABLE), VoidReason.UNREADABLE_CARD),
        ((*FULL[:4], Misread.BOXED), VoidReason.BOXED_CARD),
        ((*FULL[:4], Misread.FOREIGN), VoidReason.FOREIGN_CARD),
        ((FULL[0], FULL[0], Misread.FOREIGN), VoidReason.WRONG_COUNT),
    ],
)
def test_a_hand_that_cannot_be_is_void_with_its_reason_and_every_stake_back(
    faces: tuple[Face, ...], reason: VoidReason
) -> None:
    result = settle(faces, ALL_SPOTS)
    assert isinstance(result, Voided)
    assert result.why.reason is reason
    assert [(w.name, w.stake, w.outcome, w.pays, w.returned) for w in result.wagers] == [
        (name, 250, Outcome.VOID, 0, 250) for name in SPOTS
    ]


def test_a_void_says_which_hand_and_names_no_card() -> None:
    result = settle((*FULL[:4], FULL[0]), ALL_SPOTS)
    assert isinstance(result, Voided)
    assert "hand" in result.why.detail
    assert "Ah" not in result.why.detail


def test_a_named_bet_carries_its_colour_and_no_other_bet_does() -> None:
    bet, named = Wager(WagerName.RED_BLACK, Cents(100)), Wager(WagerName.RED_BLACK, Cents(100), Colour.RED)
    refusals = [
        check_wager(bet, [], NAMED),
        check_wager(named, []),
        check_wager(Wager(WagerName.RANGE, Cents(100), Colour.RED), [], NAMED),
    ]
    assert [refused and refused.code for refused in refusals] == [
        RefusalCode.COLOUR_MISSING,
        RefusalCode.COLOUR_NOT_NAMED_HERE,
        RefusalCode.COLOUR_NOT_NAMED_HERE,
    ]
    assert check_wager(bet, []) is None
    assert check_wager(named, [], NAMED) is None


def test_another_games_wager_is_refused_with_what_there_is(says: Says) -> None:
    refused = check_wager(Wager(WagerName.ANTE, Cents(100)), [])
    assert refused is not None
    assert refused.code is RefusalCode.NOT_OFFERED
    says(refused.message)


def test_a_result_names_paytable_hash_row_and_the_cards() -> None:
    result = _settled("Ah Kh Qh Jh Th", WagerName.POKER_HAND)
    (paytable,) = RULES.paytables_of(WagerName.POKER_HAND)
    assert result.decided_by is not None
    assert (result.decided_by.paytable, result.decided_by.sha256) == (paytable.name, paytable.sha256)
    assert result.cards == FULL


HANDS = st.lists(st.sampled_from(DECK), min_size=5, max_size=5, unique=True)


@given(HANDS, st.lists(st.integers(1, 40_000), min_size=4, max_size=4), st.sampled_from(list(Breakage)[:2]))
def test_what_players_and_house_get_sums_to_nothing(cards: list[Face], stakes: list[int], breakage: Breakage) -> None:
    wagers = [Wager(name, Cents(stake)) for name, stake in zip(SPOTS, stakes, strict=True)]
    settled = settle(cards, wagers, Big50House(money=MoneyRule(breakage=breakage)))
    assert isinstance(settled, Settled)
    to_house = sum(result.stake - result.returned for result in settled.wagers)
    assert to_house + sum(result.pays for result in settled.wagers) == 0
    assert all(result.returned >= 0 for result in settled.wagers)


def test_findings_name_what_the_cards_are() -> None:
    settled = settle(parse_cards("Ah Ad 2h 3d 9h"), [])
    assert isinstance(settled, Settled)
    assert settled.findings.hand is PokerHand.PAIR_OF_ACES
    assert (settled.findings.total, settled.findings.colours) == (16, FiveColours.RED)
    assert colours_of(parse_cards("As 2c")) is FiveColours.BLACK


def test_a_house_pays_by_its_own_paytables_and_checks_stakes_by_them() -> None:
    own = Big50House(
        money=MoneyRule(breakage=Breakage.EXACT),
        poker_hand_pays=read_paytable("p", "s", POKER, {"royal flush": "5 to 2"}),
        red_black_pays=read_paytable("r", "s", COLOURS, {"all red": "7 to 1"}),
        big_50_pays=read_paytable("b", "s", TOTALS, {"6-50": "9 to 1"}),
        range_pays=read_paytable("g", "s", TOTALS, {"6-50": "11 to 1"}),
    )
    settled = settle(FULL, [Wager(name, Cents(100)) for name in SPOTS], own)
    assert isinstance(settled, Settled)
    assert [result.pays for result in settled.wagers] == [250, 700, 900, 1100]
    refused = check_wager(Wager(WagerName.POKER_HAND, Cents(1)), [], own)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_PAID_EXACTLY
    assert [RULES.paytables_of(name, own) for name in (*SPOTS, WagerName.ANTE)] == [
        (own.poker_hand_pays,),
        (own.red_black_pays,),
        (own.big_50_pays,),
        (own.range_pays,),
        (),
    ]


def test_a_wager_that_no_check_would_have_passed_is_a_programming_error() -> None:
    with pytest.raises(KeyError):
        settle(FULL, [Wager(WagerName.ANTE, Cents(100))])
