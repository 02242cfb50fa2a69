"""Big Raise Hold'em, clause by clause (games/big-raise-holdem.md)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.big_raise import (
    Action,
    BigRaiseFindings,
    BigRaiseHouse,
    Deal,
    check_action,
    check_before_cards,
    check_play,
    check_wager,
    paytable_of,
    play_range,
    settle,
)
from daemon.rules.big_raise_pays import (
    BRH_04,
    BRH_07,
    FIVE_CARD_BONUSES,
    TWO_CARD_BONUS,
    TWO_CARDS,
    Showdown,
    two_cards,
)
from daemon.rules.limits import Limits, StakeRange
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.paytable import to_one
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import Outcome, RefusalCode, Settled, Voided, VoidReason, WagerResult
from daemon.rules.scales import POKER
from daemon.rules.wagers import Colour, Wager, WagerName
from protocols.cards import DECK, Card, Misread, parse_cards, spell
from tests.rules.naive import naive_strength
from tests.support.sentences import Says

WITH_FIVE = BigRaiseHouse(five_card_bonus_pays=BRH_04)
ANTE = Wager(WagerName.ANTE, Cents(500))
PLAY = Wager(WagerName.PLAY, Cents(1500))
TWO = Wager(WagerName.TWO_CARD_BONUS, Cents(100))
FIVE = Wager(WagerName.FIVE_CARD_BONUS, Cents(100))


def _deal(player: str, dealer: str, community: str) -> Deal:
    return Deal(parse_cards(player), parse_cards(dealer), parse_cards(community))


def _settled(
    deal: Deal, *wagers: Wager, action: Action = Action.PLAY, house: BigRaiseHouse = WITH_FIVE
) -> tuple[dict[WagerName, WagerResult], BigRaiseFindings]:
    settled = settle(deal, action, wagers, house)
    assert isinstance(settled, Settled)
    assert all(result.returned == result.stake + result.pays for result in settled.wagers)
    return {result.name: result for result in settled.wagers}, settled.findings


# Step 3: fold or Play.
@pytest.mark.parametrize(
    ("player", "stake", "code"),
    [
        ("Ac Kd", 999, RefusalCode.BELOW_LEAST),
        ("Ac Kd", 1000, None),
        ("Ac Kd", 1500, None),
        ("Ac Kd", 1501, RefusalCode.ABOVE_MOST),
        ("Ac Kd", 2000, RefusalCode.ABOVE_MOST),
        ("2c 2d", 2000, None),
        ("2c 2d", 2001, RefusalCode.ABOVE_MOST),
        ("2c 2d", 1250, None),
    ],
)
def test_play_is_two_to_three_times_the_ante_and_four_with_a_pair(
    player: str, stake: int, code: RefusalCode | None
) -> None:
    refused = check_play(Wager(WagerName.PLAY, Cents(stake)), parse_cards(player), [ANTE])
    assert (refused and refused.code) is code


def test_whole_multiples_are_a_house_setting() -> None:
    house = BigRaiseHouse(play_in_whole_antes=True)
    refused = check_play(Wager(WagerName.PLAY, Cents(1250)), parse_cards("2c 2d"), [ANTE], house)
    assert refused is not None
    assert refused.code is RefusalCode.OFF_STEP
    assert check_play(PLAY, parse_cards("2c 2d"), [ANTE], house) is None
    assert play_range(Cents(500), parse_cards("2c 3d"), house).step == 500


def test_the_play_range_is_on_the_tables_step_and_chip() -> None:
    limits = Limits(stakes={WagerName.PLAY: StakeRange(step=Cents(50))})
    house = BigRaiseHouse(money=MoneyRule(Cents(20)))
    allowed = play_range(Cents(500), parse_cards("2c 2d"), house, limits)
    assert (allowed.least, allowed.most, allowed.step, allowed.with_pair) == (1000, 2000, 100, True)
    refused = check_play(Wager(WagerName.PLAY, Cents(1010)), parse_cards("2c 2d"), [ANTE], BigRaiseHouse(), limits)
    assert refused is not None
    assert refused.code is RefusalCode.OFF_STEP


@pytest.mark.parametrize(
    ("action", "wagers", "code"),
    [
        (Action.PLAY, [ANTE, PLAY], None),
        (Action.FOLD, [ANTE, TWO, FIVE], None),
        (Action.FOLD, [ANTE, PLAY], RefusalCode.ILLEGAL_ACTION),
        (Action.PLAY, [ANTE], RefusalCode.NEEDS_ANOTHER_WAGER),
        (Action.PLAY, [PLAY], RefusalCode.NEEDS_ANOTHER_WAGER),
        (Action.PLAY, [], RefusalCode.NEEDS_ANOTHER_WAGER),
        (Action.FOLD, [TWO], RefusalCode.NEEDS_ANOTHER_WAGER),
        (Action.PLAY, [ANTE, PLAY, PLAY], RefusalCode.ALREADY_PLACED),
        (Action.PLAY, [ANTE, Wager(WagerName.PLAY, Cents(2000))], RefusalCode.ABOVE_MOST),
        (Action.FOLD, [ANTE, Wager(WagerName.RANGE, Cents(1))], RefusalCode.NOT_OFFERED),
        (Action.FOLD, [Wager(WagerName.ANTE, Cents(5), Colour.RED)], RefusalCode.COLOUR_NOT_NAMED_HERE),
        (Action.FOLD, [Wager(WagerName.ANTE, Cents(0))], RefusalCode.STAKE_NOT_POSITIVE),
    ],
)
def test_bets_and_action_go_together(action: Action, wagers: list[Wager], code: RefusalCode | None) -> None:
    before = check_before_cards(wagers, WITH_FIVE)
    refused = before or check_action(action, wagers, parse_cards("Ac Kd"), WITH_FIVE)
    assert (refused and refused.code) is code


def test_without_a_paytable_there_is_no_five_card_bonus_and_play_is_no_bet_before_the_cards(says: Says) -> None:
    refusals = [check_wager(FIVE, [ANTE]), check_wager(PLAY, [ANTE])]
    assert [refused and refused.code for refused in refusals] == [RefusalCode.NOT_OFFERED] * 2
    says(refusals[0].message if refusals[0] else "")
    assert check_wager(FIVE, [ANTE], WITH_FIVE) is None


# Steps 5 and 6: the showdown.
@pytest.mark.parametrize(
    ("player", "showdown", "pays"),
    [
        ("Ah 4d", Showdown.PLAYER_BEATS, 1),
        ("Kh 3d", Showdown.TIE, 1),
        ("Qh Jd", Showdown.DEALER_BEATS, -1),
    ],
)
def test_a_player_who_beats_or_ties_is_paid_even_money_on_ante_and_play(
    player: str, showdown: Showdown, pays: int
) -> None:
    results, findings = _settled(_deal(player, "Ks 2d 3s", "5c 7d 9h"), ANTE, PLAY)
    assert findings.showdown is showdown
    assert results[WagerName.ANTE].pays == 500 * pays
    assert results[WagerName.PLAY].pays == 1500 * pays
    by = results[WagerName.ANTE].decided_by
    assert by is not None
    assert by.row == showdown.value


def test_each_hand_is_the_holders_two_and_the_three_in_common() -> None:
    results, findings = _settled(_deal("Ac 2d", "Kd Kh 3c", "Ad Kc 5h"), ANTE, PLAY)
    assert (findings.player_hand.value, findings.dealer_hand.value) == ("pair of aces", "three of a kind")
    assert spell(results[WagerName.PLAY].cards) == "Ac 2d Ad Kc 5h"


def test_a_folding_player_gives_up_ante_and_ante_bonus_and_is_paid_a_qualifying_two_card_bonus() -> None:
    results, findings = _settled(_deal("Ac Ad", "Kd Kh 3c", "Ah As 5h"), ANTE, TWO, FIVE, action=Action.FOLD)
    assert findings.showdown is Showdown.FOLDED
    assert results[WagerName.ANTE].pays == -500
    assert (results[WagerName.ANTE_BONUS].pays, results[WagerName.ANTE_BONUS].returned) == (0, 0)
    assert (results[WagerName.TWO_CARD_BONUS].pays, results[WagerName.TWO_CARD_BONUS].returned) == (3000, 3100)
    assert results[WagerName.FIVE_CARD_BONUS].pays == 3000, "it stays in play with a fold"


def test_the_five_card_bonus_is_lost_with_a_fold_where_the_house_says_so() -> None:
    house = BigRaiseHouse(five_card_bonus_pays=BRH_04, five_card_bonus_on_fold=False)
    results, _ = _settled(_deal("Ac Ad", "Kd Kh 3c", "Ah As 5h"), ANTE, FIVE, action=Action.FOLD, house=house)
    assert results[WagerName.FIVE_CARD_BONUS].pays == -100


# The Ante Bonus: row by row, just made and just missed.
@pytest.mark.parametrize(
    ("player", "community", "row", "odds"),
    [
        ("Ah Kh", "Qh Jh Th", "royal flush", 500),
        ("9h Kh", "Qh Jh Th", "straight flush", 250),
        ("5h 4h", "3h 2h Ah", "straight flush", 250),
        ("9h Kh", "Qh Jh Td", "straight", 3),
        ("9h 9d", "9c 9s Td", "four of a kind", 20),
        ("9h 9d", "9c Ts Td", "full house", 10),
        ("9h 9d", "9c Ts Jd", None, 0),
        ("9h 2h", "4h Th Jh", "flush", 5),
        ("9h 2h", "4h Th Jd", None, 0),
        ("5h 4h", "3h 2d Ah", "straight", 3),
        ("2h Ah", "Kh Qd Jh", None, 0),
    ],
)
def test_the_ante_bonus_is_paid_on_the_ante(player: str, community: str, row: str | None, odds: int) -> None:
    results, _ = _settled(_deal(player, "8c 8s 7c", community), ANTE, PLAY)
    bonus = results[WagerName.ANTE_BONUS]
    assert (bonus.stake, bonus.pays, bonus.returned) == (0, odds * 500, odds * 500)
    assert bonus.outcome is (Outcome.WIN if row else Outcome.LOSE)
    assert bonus.decided_by is not None
    assert bonus.decided_by.row == row


def test_a_hand_that_loses_to_the_dealer_still_collects_the_ante_bonus() -> None:
    results, findings = _settled(_deal("4h 5d", "Ah Kh 2c", "6c 7d 8h"), ANTE, PLAY)
    assert findings.showdown is Showdown.PLAYER_BEATS
    results, findings = _settled(_deal("4h 5d", "9h Ts 2c", "6c 7d 8h"), ANTE, PLAY)
    assert findings.showdown is Showdown.DEALER_BEATS
    assert [results[name].pays for name in (WagerName.ANTE, WagerName.PLAY, WagerName.ANTE_BONUS)] == [
        -500,
        -1500,
        1500,
    ]


# The 2 Card Bonus: row by row, just made and just missed.
@pytest.mark.parametrize(
    ("player", "row", "pays"),
    [
        ("Ac Ad", "pair of aces", 3000),
        ("Kc Kd", "pair of kings", 2000),
        ("Qc Qd", "pair of queens", 1500),
        ("Jc Jd", "pair of jacks", 1000),
        ("Tc Td", "other pairs", 500),
        ("2c 2d", "other pairs", 500),
        ("Ac Kd", "ace high", 150),
        ("2c Ad", "ace high", 150),
        ("Kc Qd", None, -100),
    ],
)
def test_the_two_card_bonus_row_by_row(player: str, row: str | None, pays: int) -> None:
    results, _ = _settled(_deal(player, "8c 8s 7c", "3h 4s 9d"), ANTE, PLAY, TWO)
    bonus = results[WagerName.TWO_CARD_BONUS]
    assert bonus.pays == pays
    assert bonus.decided_by is not None
    assert (bonus.decided_by.paytable, bonus.decided_by.row) == ("BRH-40 2 Card Bonus", row)
    assert bonus.cards == parse_cards(player)


def test_three_to_two_on_an_odd_stake_follows_breakage() -> None:
    house = BigRaiseHouse(money=MoneyRule(breakage=Breakage.HOUSE))
    odd = Wager(WagerName.TWO_CARD_BONUS, Cents(5))
    results, _ = _settled(_deal("Ac Kd", "8c 8s 7c", "3h 4s 9d"), ANTE, PLAY, odd, house=house)
    assert results[WagerName.TWO_CARD_BONUS].pays == 7


# BRH-04 to BRH-08: the player's five cards, win or lose.
@pytest.mark.parametrize(
    ("player", "community", "odds"),
    [
        ("Ah Kh", "Qh Jh Th", (50, 50, 50, 50, 50)),
        ("9h Kh", "Qh Jh Th", (40, 40, 40, 40, 40)),
        ("9h 9d", "9c 9s Td", (30, 30, 30, 30, 30)),
        ("9h 9d", "9c Ts Td", (20, 20, 20, 20, 20)),
        ("9h 2h", "4h Th Jh", (15, 15, 15, 15, 15)),
        ("9h 2h", "4h Th Jd", (-1, -1, -1, -1, -1)),
        ("5h 4h", "3h 2d Ah", (10, 10, 10, 10, 10)),
        ("9h 9d", "9c Ts Jd", (8, 7, 6, 7, 9)),
        ("9h 9d", "Tc Ts Jd", (3, 3, 3, 4, 3)),
        ("8h 8d", "Tc 9s Jd", (1, 1, 1, 1, 1)),
        ("7h 7d", "Tc 9s Jd", (-1, -1, -1, -1, -1)),
    ],
)
def test_the_five_card_bonuses_row_by_row(player: str, community: str, odds: tuple[int, ...]) -> None:
    for paytable, pays in zip(FIVE_CARD_BONUSES, odds, strict=True):
        house = BigRaiseHouse(five_card_bonus_pays=paytable)
        results, _ = _settled(_deal(player, "8c 8s 7c", community), ANTE, PLAY, FIVE, house=house)
        assert results[WagerName.FIVE_CARD_BONUS].pays == 100 * pays
    assert [paytable.name for paytable in FIVE_CARD_BONUSES] == ["BRH-04", "BRH-05", "BRH-06", "BRH-07", "BRH-08"]


FULL = _deal("Ac Kd", "Qh Jh Th", "2c 3c 4c")


@pytest.mark.parametrize(
    ("deal", "reason", "place"),
    [
        (Deal(FULL.player[:1], FULL.dealer, FULL.community), VoidReason.WRONG_COUNT, "player"),
        (Deal(FULL.player, FULL.dealer[:2], FULL.community), VoidReason.WRONG_COUNT, "dealer"),
        (Deal(FULL.player, FULL.dealer, (*FULL.community, DECK[9])), VoidReason.WRONG_COUNT, "community"),
        (Deal(FULL.player, FULL.dealer, (*FULL.community[:2], FULL.player[0])), VoidReason.DUPLICATE_CARD, "community"),
        (Deal(FULL.player, (*FULL.dealer[:2], Misread.BOXED), FULL.community), VoidReason.BOXED_CARD, "dealer"),
    ],
)
def test_a_wrong_deal_is_void_for_a_hand_that_folded_too(deal: Deal, reason: VoidReason, place: str) -> None:
    for action in Action:
        result = settle(deal, action, [ANTE, TWO])
        assert isinstance(result, Voided)
        assert result.why.reason is reason
        assert result.why.detail.startswith(place)
        assert [(spot.outcome, spot.returned) for spot in result.wagers] == [(Outcome.VOID, 500), (Outcome.VOID, 100)]


def test_spots_are_answered_in_the_order_in_which_they_are_reconciled() -> None:
    settled = settle(FULL, Action.PLAY, [FIVE, TWO, PLAY, ANTE], WITH_FIVE)
    assert isinstance(settled, Settled)
    assert [result.name.value for result in settled.wagers] == [
        "ante",
        "play",
        "ante_bonus",
        "two_card_bonus",
        "five_card_bonus",
    ]


def test_the_headings_of_the_layout_drawing_are_swapped_and_the_paytable_governs() -> None:
    assert TWO_CARD_BONUS.award_for(two_cards(parse_cards("Ac Ad"))) == to_one(30)


EIGHT = st.lists(st.sampled_from(DECK), min_size=8, max_size=8, unique=True)


@given(EIGHT, st.integers(1, 1000), st.integers(1, 999), st.sampled_from(Action), st.booleans())
def test_players_and_house_sum_to_nothing_and_the_better_hand_wins(
    cards: list[Card], ante: int, side: int, action: Action, on_fold: bool
) -> None:
    house = BigRaiseHouse(five_card_bonus_pays=BRH_07, five_card_bonus_on_fold=on_fold)
    wagers = [Wager(WagerName.ANTE, Cents(ante)), Wager(WagerName.TWO_CARD_BONUS, Cents(side))]
    wagers += [Wager(WagerName.FIVE_CARD_BONUS, Cents(side))]
    wagers += [Wager(WagerName.PLAY, Cents(2 * ante))] if action is Action.PLAY else []
    results, findings = _settled(Deal(cards[:2], cards[2:5], cards[5:]), *wagers, action=action, house=house)
    to_house = sum(result.stake - result.returned for result in results.values())
    assert to_house + sum(result.pays for result in results.values()) == 0
    ours = naive_strength([*cards[:2], *cards[5:]])
    theirs = naive_strength([*findings.dealer.keeps, *cards[5:]])
    if action is Action.PLAY:
        assert (findings.showdown is Showdown.DEALER_BEATS) == (ours < theirs)
        assert (findings.showdown is Showdown.TIE) == (ours == theirs)


OWN = BigRaiseHouse(
    ante_bonus_pays=read_paytable("a", "s", POKER, {"three of a kind": "3 to 2"}),
    two_card_bonus_pays=read_paytable("t", "s", TWO_CARDS, {"other pairs": "6 to 1"}),
    five_card_bonus_pays=read_paytable("f", "s", POKER, {"three of a kind": "12 to 1"}),
)


def test_a_house_pays_by_its_own_paytables_and_rounds_its_ante_bonus() -> None:
    deal, ante = _deal("9s 9d", "Ac Tc Td", "9c 3h 4h"), Wager(WagerName.ANTE, Cents(5))
    play = Wager(WagerName.PLAY, Cents(10))
    results, _ = _settled(deal, ante, play, TWO, FIVE, house=OWN)
    bonus = results[WagerName.ANTE_BONUS]
    assert (bonus.pays, bonus.rounding, bonus.cards) == (8, Fraction(1, 2), parse_cards("9s 9d 9c 3h 4h"))
    assert results[WagerName.TWO_CARD_BONUS].pays == 600
    assert results[WagerName.FIVE_CARD_BONUS].pays == 1200
    assert paytable_of(WagerName.ANTE_BONUS, OWN) == OWN.ante_bonus_pays
    assert paytable_of(WagerName.RANGE, OWN) is None


def test_an_ante_is_refused_whose_bonus_could_not_be_paid_exactly() -> None:
    exact = replace(OWN, money=MoneyRule(breakage=Breakage.EXACT))
    refused = check_wager(Wager(WagerName.ANTE, Cents(5)), [], exact)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_PAID_EXACTLY
    assert check_wager(Wager(WagerName.TWO_CARD_BONUS, Cents(5)), [ANTE], exact) is None


def test_limits_hold_for_bets_before_the_cards_and_for_play() -> None:
    limits = Limits(stakes={name: StakeRange(most=Cents(400)) for name in (WagerName.ANTE, WagerName.PLAY)})
    before = check_before_cards([ANTE], BigRaiseHouse(), limits)
    played = check_action(Action.PLAY, [ANTE, PLAY], parse_cards("Ac Kd"), BigRaiseHouse(), limits)
    assert [refused and refused.code for refused in (before, played)] == [RefusalCode.ABOVE_MOST] * 2


def test_a_refusal_of_play_says_what_would_be_accepted(says: Says) -> None:
    refused = check_play(Wager(WagerName.PLAY, Cents(9000)), parse_cards("Ac Kd"), [ANTE])
    says(refused.message if refused else "")


@pytest.mark.parametrize("stake", [1, 999, 1010, 1501, 2001, 9000])
def test_what_no_hand_may_play_is_refused_alike_whatever_the_hand(stake: int) -> None:
    """Also off the step of the table, and above what a hand without a pair may bet."""
    limits = Limits(stakes={WagerName.PLAY: StakeRange(step=Cents(50))})
    pair, none, unseen = (
        check_play(Wager(WagerName.PLAY, Cents(stake)), cards, [ANTE], BigRaiseHouse(), limits)
        for cards in (parse_cards("Ac Ad"), parse_cards("Ac Kd"), None)
    )
    assert pair == none == unseen
    assert pair is not None


def test_what_is_offered_before_the_cards_depends_on_the_house(says: Says) -> None:
    refused = check_wager(PLAY, [ANTE], WITH_FIVE)
    says(refused.message if refused else "")


def test_a_wager_that_no_check_would_have_passed_is_a_programming_error(says: Says) -> None:
    with pytest.raises(ValueError) as raised:
        settle(FULL, Action.PLAY, [ANTE, PLAY, FIVE])
    says(raised.value)
