"""Big Draw Poker, clause by clause (games/big-draw.md)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.big_draw import (
    BigDrawHouse,
    Variant,
    check_discards,
    check_wager,
    paytable_of,
    settle,
    settle_big_draw,
    settle_first_5,
)
from daemon.rules.big_draw_pays import DEUCES as DEUCES_SCALE
from daemon.rules.big_draw_pays import DEUCES_FIRST_5
from daemon.rules.evaluator import PokerHand
from daemon.rules.limits import AggregateLimit, within_aggregate
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import Outcome, RefusalCode, Settled, Voided, VoidReason, WagerResult
from daemon.rules.scales import POKER
from daemon.rules.wagers import Colour, Wager, WagerName
from protocols.cards import DECK, Card, Face, Misread, parse_cards, spell
from tests.support.sentences import Says

DRAW, DEUCES = Variant
BIG = Wager(WagerName.BIG_DRAW, Cents(200))
FIRST = Wager(WagerName.FIRST_5, Cents(200))


def _pat(cards: str, variant: Variant, house: BigDrawHouse | None = None) -> tuple[WagerResult, WagerResult]:
    """First 5 and Big Draw of a hand that stands pat."""
    settled = settle(parse_cards(cards), (), (), [BIG, FIRST], variant, house or BigDrawHouse())
    assert isinstance(settled, Settled)
    first, big = settled.wagers
    assert (first.name, big.name) == (WagerName.FIRST_5, WagerName.BIG_DRAW)
    return first, big


@pytest.mark.parametrize(
    ("cards", "row", "big_draw", "first_5"),
    [
        ("Ah Kh Qh Jh Th", "royal flush", 40_000, 500_000),
        ("9h Kh Qh Jh Th", "straight flush", 10_000, 100_000),
        ("5h 4h 3h 2h Ah", "straight flush", 10_000, 100_000),
        ("9h 9d 9c 9s Th", "four of a kind", 5_000, 40_000),
        ("9h 9d 9c Ts Th", "full house", 1_200, 12_000),
        ("2h 4h 6h 8h Th", "flush", 1_000, 5_000),
        ("2h Kh Qh Jh Ah", "flush", 1_000, 5_000),
        ("Ac Kh Qh Jh Th", "straight", 600, 4_000),
        ("5c 4h 3h 2h Ah", "straight", 600, 4_000),
        ("9h 9d 9c Ts Jh", "three of a kind", 400, 1_800),
        ("9h 9d Tc Ts Jh", "two pair", 200, 800),
        ("Jh Jd Tc 9s 8h", "jacks or better", 0, 200),
        ("Qh Qd Tc 9s 8h", "jacks or better", 0, 200),
        ("Kh Kd Tc 9s 8h", "jacks or better", 0, 200),
        ("Ah Ad Tc 9s 8h", "jacks or better", 0, 200),
        ("Th Td Jc 9s 8h", None, -200, -200),
        ("2h 4h 6h 8h Tc", None, -200, -200),
        ("6c 4h 3h 2h Ah", None, -200, -200),
        ("2c Kh Qh Jh Ah", None, -200, -200),
    ],
)
def test_5_card_draw_row_by_row_just_made_and_just_missed(
    cards: str, row: str | None, big_draw: int, first_5: int
) -> None:
    first, big = _pat(cards, DRAW)
    assert (first.pays, big.pays) == (first_5, big_draw)
    for result in (first, big):
        assert result.decided_by is not None
        assert result.decided_by.row == row
        assert result.returned == result.stake + result.pays


@pytest.mark.parametrize(
    ("cards", "row", "big_draw", "first_5"),
    [
        ("2h 2d 2c 2s Ah", "four deuces", 44_400, 222_200),
        ("Ah Kh Qh Jh Th", "royal flush, no deuces", 44_400, 222_200),
        ("Ah Kh Qh Jh 2d", "wild royal", 2_000, 44_400),
        ("2s 2c Qh Jh 2d", "wild royal", 2_000, 44_400),
        ("9h 9c 2h 9s 2d", "five of a kind", 1_800, 15_000),
        ("9h Kh Qh Jh 2d", "straight flush", 1_400, 6_000),
        ("9h 9c 2h 9s 3d", "four of a kind", 800, 2_400),
        ("9h 9c 3h 3s 2d", "full house", 400, 1_200),
        ("9h 9c 9d 3s 3d", "full house", 400, 1_200),
        ("9h 4h 3h Jh 2d", "flush", 300, 1_000),
        ("9h Kc Qh Jh 2d", "straight", 200, 800),
        ("Ah 3c 4h 5h 2d", "straight", 200, 800),
        ("9h 9c 4h Js 2d", "three of a kind", 0, 600),
        ("9h 9c 4h 4s Jd", None, -200, -200),
        ("9h Ac 4h Js 2d", None, -200, -200),
    ],
)
def test_deuces_never_loses_row_by_row_just_made_and_just_missed(
    cards: str, row: str | None, big_draw: int, first_5: int
) -> None:
    first, big = _pat(cards, DEUCES)
    assert (first.pays, big.pays) == (first_5, big_draw)
    assert first.decided_by is not None
    assert first.decided_by.row == row


@pytest.mark.parametrize(("stake", "pays"), [(100, 500_000), (40_000, 500_000)])
def test_a_fixed_prize_does_not_grow_and_the_stake_goes_back_with_it(stake: int, pays: int) -> None:
    bet = Wager(WagerName.FIRST_5, Cents(stake))
    settled = settle_first_5(parse_cards("Ah Kh Qh Jh Th"), [bet], DRAW)
    assert isinstance(settled, Settled)
    (result,) = settled.wagers
    assert (result.outcome, result.pays, result.returned) == (Outcome.WIN, pays, pays + stake)


def test_fixed_prizes_do_not_count_towards_the_aggregate_limit() -> None:
    prize, odds = (_pat(cards, DEUCES)[0] for cards in ("2h 2d 2c 2s Ah", "Ah Kh Qh Jh 2d"))
    cut = within_aggregate(AggregateLimit(WagerName.FIRST_5, Cents(30_000)), [prize, odds], DEUCES_FIRST_5)
    assert [result.pays for result in cut] == [222_200, 30_000]


def test_first_5_is_on_the_cards_as_dealt_and_big_draw_on_those_after_the_draw() -> None:
    settled = settle(parse_cards("Jh Jd 2c 3s 4h"), parse_cards("2c 3s"), parse_cards("Jc Js"), [FIRST, BIG], DRAW)
    assert isinstance(settled, Settled)
    assert [result.pays for result in settled.wagers] == [200, 5_000]
    assert spell(settled.findings.final.cards) == "Jh Jd 4h Jc Js"
    assert settled.wagers[0].cards == parse_cards("Jh Jd 2c 3s 4h")


def test_each_bet_can_be_settled_at_its_own_moment() -> None:
    first = settle_first_5(parse_cards("Jh Jd 2c 3s 4h"), [BIG, FIRST], DRAW)
    big = settle_big_draw(parse_cards("Jh Jd Jc 3s 4h"), [BIG, FIRST], DRAW)
    assert isinstance(first, Settled)
    assert isinstance(big, Settled)
    assert [(result.name, result.pays) for result in (*first.wagers, *big.wagers)] == [
        (WagerName.FIRST_5, 200),
        (WagerName.BIG_DRAW, 400),
    ]
    assert first.findings.hand is PokerHand.PAIR_OF_JACKS
    assert spell(big.findings.cards) == "Jh Jd Jc 3s 4h"


def test_a_hand_that_cannot_be_voids_the_bet_whose_moment_it_is(says: Says) -> None:
    first = settle_first_5(parse_cards("Jh Jd Jc 3s"), [BIG, FIRST], DRAW)
    big = settle_big_draw(parse_cards("Jh Jd Jc 3s"), [BIG, FIRST], DRAW)
    assert isinstance(first, Voided)
    assert isinstance(big, Voided)
    assert [result.name for result in (*first.wagers, *big.wagers)] == [WagerName.FIRST_5, WagerName.BIG_DRAW]
    says("\n".join([void.why.detail for void in (first, big)]))
    assert first.why.reason is VoidReason.WRONG_COUNT


@pytest.mark.parametrize(("count", "allowed"), [(-1, False), (0, True), (5, True), (6, False)])
def test_a_player_discards_none_to_five(count: int, allowed: bool) -> None:
    refused = check_discards(count)
    assert (refused is None) == allowed
    assert refused is None or refused.code is RefusalCode.ILLEGAL_ACTION


DEALT = parse_cards("Jh Jd 2c 3s 4h")


@pytest.mark.parametrize(
    ("first", "discards", "drawn", "reason"),
    [
        (DEALT[:4], "", "", VoidReason.WRONG_COUNT),
        (DEALT, "2c", "", VoidReason.WRONG_COUNT),
        (DEALT, "", "Kc", VoidReason.WRONG_COUNT),
        (DEALT, "2c", "Kc Kd", VoidReason.WRONG_COUNT),
        (DEALT, "2c", "2c", VoidReason.DUPLICATE_CARD),
        (DEALT, "2c 2c", "Kc Kd", VoidReason.DUPLICATE_CARD),
        (DEALT, "2c 3s", "Kc Kc", VoidReason.DUPLICATE_CARD),
        ((*DEALT[:4], Misread.UNREADABLE), "", "", VoidReason.UNREADABLE_CARD),
        (DEALT, "2d", "Kc", VoidReason.DISCARD_NOT_HELD),
    ],
)
def test_cards_that_cannot_be_make_the_hand_void(
    first: tuple[Face, ...], discards: str, drawn: str, reason: VoidReason
) -> None:
    result = settle(first, parse_cards(discards), parse_cards(drawn), [FIRST, BIG], DRAW)
    assert isinstance(result, Voided)
    assert result.why.reason is reason
    assert [(spot.outcome, spot.returned) for spot in result.wagers] == [(Outcome.VOID, 200)] * 2


@pytest.mark.parametrize(
    ("stake", "beside", "house", "code"),
    [
        (99, [BIG], BigDrawHouse(), RefusalCode.BELOW_LEAST),
        (100, [BIG], BigDrawHouse(), None),
        (100, [], BigDrawHouse(), None),
        (99, [], BigDrawHouse(), RefusalCode.BELOW_LEAST),
        (499, [], BigDrawHouse(first_5_alone_least_cents=Cents(500)), RefusalCode.BELOW_LEAST),
        (500, [], BigDrawHouse(first_5_alone_least_cents=Cents(500)), None),
        (100, [BIG], BigDrawHouse(first_5_alone_least_cents=Cents(500)), None),
        (100, [BIG], BigDrawHouse(first_5_needs_big_draw=True), None),
        (100, [], BigDrawHouse(first_5_needs_big_draw=True), RefusalCode.NEEDS_ANOTHER_WAGER),
    ],
)
def test_first_5_has_its_least_and_may_need_big_draw(
    stake: int, beside: list[Wager], house: BigDrawHouse, code: RefusalCode | None
) -> None:
    refused = check_wager(Wager(WagerName.FIRST_5, Cents(stake)), beside, house)
    assert (refused and refused.code) is code


def test_big_draw_may_stand_alone_and_other_wagers_are_none_of_this_game() -> None:
    assert check_wager(Wager(WagerName.BIG_DRAW, Cents(1)), []) is None
    refusals = [
        check_wager(Wager(WagerName.ANTE, Cents(100)), []),
        check_wager(Wager(WagerName.BIG_DRAW, Cents(100), Colour.RED), []),
    ]
    assert [refused and refused.code for refused in refusals] == [
        RefusalCode.NOT_OFFERED,
        RefusalCode.COLOUR_NOT_NAMED_HERE,
    ]


def test_a_stake_has_to_be_payable_on_both_sides_of_the_button() -> None:
    house = BigDrawHouse(money=MoneyRule(breakage=Breakage.EXACT))
    refused = check_wager(Wager(WagerName.BIG_DRAW, Cents(5)), [], house)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_PAID_EXACTLY
    assert "flush" in refused.message


def test_three_to_two_on_an_odd_stake_follows_breakage() -> None:
    for breakage, pays in ((Breakage.PLAYER, 8), (Breakage.HOUSE, 7)):
        house = BigDrawHouse(money=MoneyRule(breakage=breakage))
        bet = Wager(WagerName.BIG_DRAW, Cents(5))
        settled = settle_big_draw(parse_cards("9h 4h 3h Jh 2d"), [bet], DEUCES, house)
        assert isinstance(settled, Settled)
        assert settled.wagers[0].pays == pays


TEN = st.lists(st.sampled_from(DECK), min_size=10, max_size=10, unique=True)


@given(TEN, st.integers(0, 5), st.integers(100, 9999), st.integers(1, 9999), st.sampled_from(Variant))
def test_what_players_and_house_get_sums_to_nothing(
    cards: list[Card], draws: int, first_5: int, big: int, variant: Variant
) -> None:
    wagers = [Wager(WagerName.FIRST_5, Cents(first_5)), Wager(WagerName.BIG_DRAW, Cents(big))]
    settled = settle(cards[:5], cards[:draws], cards[5 : 5 + draws], wagers, variant)
    assert isinstance(settled, Settled)
    to_house = sum(result.stake - result.returned for result in settled.wagers)
    assert to_house + sum(result.pays for result in settled.wagers) == 0
    assert set(settled.findings.final.cards) == {*cards[draws:5], *cards[5 : 5 + draws]}


def test_a_house_pays_by_its_own_paytables_and_checks_stakes_by_them() -> None:
    own = BigDrawHouse(
        money=MoneyRule(breakage=Breakage.EXACT),
        draw_big_draw_pays=read_paytable("a", "s", POKER, {"royal flush": "7 to 1"}),
        draw_first_5_pays=read_paytable("b", "s", POKER, {"royal flush": "9 to 4"}),
        deuces_big_draw_pays=read_paytable("c", "s", DEUCES_SCALE, {"royal flush, no deuces": "11 to 1"}),
        deuces_first_5_pays=read_paytable("d", "s", DEUCES_SCALE, {"royal flush, no deuces": "13 to 1"}),
    )
    assert [result.pays for result in _pat("Ah Kh Qh Jh Th", DRAW, own)] == [450, 1400]
    assert [result.pays for result in _pat("Ah Kh Qh Jh Th", DEUCES, own)] == [2600, 2200]
    final = settle_big_draw(parse_cards("Ah Kh Qh Jh Th"), [BIG], DRAW, own)
    assert isinstance(final, Settled)
    assert final.wagers[0].pays == 1400
    refused = check_wager(Wager(WagerName.FIRST_5, Cents(102)), [BIG], own)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_PAID_EXACTLY
    assert paytable_of(WagerName.ANTE, DRAW, own) is None


def test_a_wager_that_no_check_would_have_passed_is_a_programming_error(says: Says) -> None:
    with pytest.raises(ValueError) as raised:
        settle(DEALT, (), (), [Wager(WagerName.BIG_DRAW, Cents(1)), Wager(WagerName.ANTE, Cents(1))], DRAW)
    says(raised.value)
