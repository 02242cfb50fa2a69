"""Clauses 9 to 11: a fold is finished at the fold, the house's cards are steps, and Play turns the cards face up."""

from __future__ import annotations

import pytest

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FiveCardBonus
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import WagerName
from daemon.table.big_raise.facts import (
    CommunityShown,
    DealerHandShown,
    FoldSettled,
    PlayerCardsShown,
)
from daemon.table.round_facts import (
    DealerPrompted,
    HandSettled,
    IrregularityFound,
    PromptStep,
    RoundSettled,
    RoundVoided,
    SeatReconciled,
    StakeCorrected,
)
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Decision, Evidence, Irregularity, PromptAction, Ruling, SeatNumber
from drivers.events import Button
from protocols.cards import Card
from tests.support.sentences import Says
from tests.table.playing import Table
from tests.table.test_big_raise import (
    COMMON,
    DEALERS,
    NO_PAIR,
    PAIR,
    dealt,
    decide,
    fold,
    open_house,
    ready,
    table_with,
)
from tests.table.test_unread_cards import BLIND, UP, deal, enter
from tests.table.test_view import cards_in

ONE, TWO = SeatNumber(1), SeatNumber(2)
BONUS = WagerName.TWO_CARD_BONUS


def with_bonuses(*hands: tuple[Card, ...], **changes: object) -> Table:
    """Every player has an Ante and a 2 Card Bonus; a device reads the cards."""
    table = ready(table_with(*hands, DEALERS, COMMON, **changes))
    seats = range(1, len(hands) + 1)
    for seat in seats:
        table.bet(seat, WagerName.ANTE, 500)
        table.bet(seat, BONUS, 500)
    deal(table, len(hands))
    return table


# --- 9: a fold is finished at the fold ---


def test_clause_9_the_bonus_is_shown_and_paid_first_then_cards_and_ante_go(says: Says) -> None:
    table = with_bonuses(PAIR, NO_PAIR)
    assert decide(table, 1, Decision.FOLD).accepted
    settled = table.last(FoldSettled)
    assert (settled.seat, settled.cards, settled.evidence) == (1, PAIR, Evidence.SEEN_BY_DEVICE)
    prompt = table.last(DealerPrompted)
    assert prompt.steps == (
        PromptStep(BONUS, PromptAction.PAY, 2500, ONE),
        PromptStep(WagerName.ANTE, PromptAction.TAKE, 500, ONE),
    )
    says(prompt.sentence)


def test_clause_9_two_cards_that_do_not_qualify_stay_face_down(says: Says) -> None:
    table = with_bonuses(NO_PAIR, PAIR)
    decide(table, 1, Decision.FOLD)
    settled = table.last(FoldSettled)
    assert (settled.cards, settled.evidence) == ((), Evidence.NOT_SHOWN)
    assert {wager.wager: wager.pays_cents for wager in settled.wagers if wager.stake_cents} == {
        WagerName.ANTE: -500,
        BONUS: -500,
    }
    assert cards_in(public(table.state)) == set(UP)
    says(table.state.prompt)


def test_clause_9_the_next_player_is_asked_only_when_the_dealer_says_next() -> None:
    table = with_bonuses(PAIR, NO_PAIR)
    decide(table, 1, Decision.FOLD)
    assert decide(table, 2, Decision.FOLD).code == "fold-first"
    assert table.command_press(Button.NEXT).accepted
    assert table.last(SeatReconciled).seat == 1
    assert table.last(DealerPrompted).seat == 2
    assert table.command_press(Button.NEXT).code == "not-now"
    assert decide(table, 2, Decision.FOLD).accepted


def test_clause_9_a_house_that_runs_through_asks_the_next_player_at_once() -> None:
    table = with_bonuses(PAIR, NO_PAIR, reconciling=Reconciling.THROUGH)
    decide(table, 1, Decision.FOLD)
    assert table.last(FoldSettled).seat == 1
    assert table.last(DealerPrompted).seat == 2


def test_clause_9_a_fold_is_not_settled_again_with_the_others() -> None:
    table = with_bonuses(PAIR, NO_PAIR)
    fold(table, 1)
    decide(table, 2, Decision.PLAY, 1000)
    open_house(table)
    assert [fact.seat for fact in table.said(HandSettled)] == [2]
    table.press(Button.NEXT)
    settled = table.last(RoundSettled)
    said = [wager for fact in table.said(FoldSettled) for wager in fact.wagers]
    said += [wager for fact in table.said(HandSettled) for wager in fact.wagers]
    assert settled.take_cents == -sum(wager.pays_cents for wager in said)


def test_clause_9_a_hold_in_mid_fold_goes_on_there_and_a_void_undoes_what_was_paid() -> None:
    table = with_bonuses(PAIR, NO_PAIR)
    decide(table, 1, Decision.FOLD)
    table.press(Button.VOID)
    assert table.rule(Ruling.CONTINUE).accepted
    assert len(table.said(FoldSettled)) == 1
    assert decide(table, 2, Decision.FOLD).code == "fold-first"
    table.void()
    of_one = [(step.spot, step.action, step.amount_cents) for step in table.last(RoundVoided).steps if step.seat == 1]
    assert sorted(of_one, key=str) == sorted(
        [(WagerName.ANTE, PromptAction.RETURN, 500), (BONUS, PromptAction.TAKE, 2500)], key=str
    )


@pytest.mark.parametrize("stays", [True, False])
def test_clause_9_a_five_card_bonus_that_stays_in_play_is_settled_with_the_others(stays: bool) -> None:
    house = BigRaiseHouse(five_card_bonus=FiveCardBonus.BRH_04, five_card_bonus_on_fold=stays)
    table = ready(table_with(PAIR, DEALERS, COMMON, options=house))
    table.bet(1, WagerName.ANTE, 500)
    table.bet(1, WagerName.FIVE_CARD_BONUS, 500)
    deal(table, 1)
    fold(table, 1)
    open_house(table)
    of_the_rest = [wager.wager for fact in table.said(HandSettled) for wager in fact.wagers]
    assert of_the_rest == ([WagerName.FIVE_CARD_BONUS] if stays else [])


# --- 10: the dealer's hand and the community cards are steps ---


def test_clause_10_nothing_of_the_house_is_public_before_the_dealer_has_turned_it_over(says: Says) -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON), 1)
    decide(table, 1, Decision.PLAY, 1000)
    assert table.phase() is Phase.SHOWING
    says(table.state.prompt)
    assert cards_in(public(table.state)) == {*UP, *PAIR}
    assert not table.said(DealerHandShown)
    assert not table.said(HandSettled)
    assert table.command_press(Button.NEXT).accepted
    assert table.last(DealerHandShown).cards == DEALERS
    assert cards_in(public(table.state)) - set(PAIR) == set(DEALERS)
    assert not table.said(CommunityShown)
    says(table.state.prompt)  # which card goes, and why, stands until the community cards lie open
    assert not table.said(HandSettled)
    assert table.command_press(Button.NEXT).accepted
    assert table.last(CommunityShown).cards == COMMON
    assert table.said(HandSettled)


def test_clause_10_it_is_so_where_a_house_runs_through_as_well() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON, reconciling=Reconciling.THROUGH), 1)
    decide(table, 1, Decision.PLAY, 1000)
    assert table.phase() is Phase.SHOWING
    open_house(table)
    assert table.said(RoundSettled)


def test_clause_10_cards_that_no_device_read_are_entered_in_these_steps() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON, source=BLIND), 1)
    enter(table, 0, UP)
    decide(table, 1, Decision.PLAY, 1000)
    enter(table, 1, PAIR)
    assert table.command_press(Button.NEXT).code == "cards-missing"
    assert enter(table, 0, DEALERS).accepted
    assert table.command_press(Button.NEXT).code == "cards-missing"
    assert enter(table, -1, COMMON).accepted
    assert table.said(HandSettled)


def test_clause_10_a_hold_between_the_steps_goes_on_at_the_same_one() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON), 1)
    decide(table, 1, Decision.PLAY, 1000)
    table.press(Button.NEXT)
    before = table.state.prompt
    table.press(Button.VOID)
    table.rule(Ruling.CONTINUE)
    assert (table.phase(), table.state.prompt) == (Phase.SHOWING, before)
    assert len(table.said(DealerHandShown)) == 1


# --- 11: Play turns the cards face up ---


def test_clause_11_cards_that_a_device_read_are_public_with_the_play_bet() -> None:
    table = dealt(table_with(PAIR, NO_PAIR, DEALERS, COMMON), 1, 2)
    assert cards_in(public(table.state)) == set(UP)
    decide(table, 1, Decision.PLAY, 2000)
    assert table.last(PlayerCardsShown) == PlayerCardsShown(ONE, PAIR, Evidence.SEEN_BY_DEVICE)
    assert public(table.state).seats[0].open_cards == PAIR
    assert cards_in(public(table.state)) == {*UP, *PAIR}


def test_a_fold_that_is_paid_its_2_card_bonus_has_shown_its_cards_and_one_that_is_not_has_none() -> None:
    table = table_with(PAIR, NO_PAIR, DEALERS, COMMON)
    ready(table)
    for seat in (1, 2):
        assert table.bet(seat, WagerName.ANTE, 500).accepted
        assert table.bet(seat, WagerName.TWO_CARD_BONUS, 500).accepted
    deal(table, 2)
    decide(table, 1, Decision.FOLD)
    table.press(Button.NEXT)
    decide(table, 2, Decision.FOLD)
    one, two, *_ = public(table.state).seats
    assert (one.open_cards, one.backs) == (PAIR, 0)
    assert (two.open_cards, two.backs) == ((), 2)


def test_what_stands_of_four_antes_without_a_pair_is_a_bet_that_the_limits_take() -> None:
    """Fifteen dollars stood where Play is bet by tens."""
    limits = LimitSchedule(((Day(0), Limits({WagerName.PLAY: StakeRange(Cents(1000), None, Cents(1000))})),))
    table = dealt(table_with(NO_PAIR, DEALERS, COMMON, source=BLIND, limits=limits), 1)
    enter(table, 0, UP)
    assert decide(table, 1, Decision.PLAY, 1500).code == "off-step"
    assert decide(table, 1, Decision.PLAY, 2000).accepted
    assert enter(table, 1, NO_PAIR).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(StakeCorrected) == StakeCorrected(ONE, WagerName.PLAY, 1000, 1000)


def test_clause_11_four_antes_are_checked_against_the_pair_at_once() -> None:
    table = dealt(table_with(NO_PAIR, PAIR, DEALERS, COMMON, source=BLIND), 1, 2)
    enter(table, 0, UP)
    decide(table, 1, Decision.PLAY, 2000)
    assert enter(table, 1, NO_PAIR).accepted
    assert table.last(IrregularityFound).irregularity is Irregularity.RAISE_WITHOUT_PAIR
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(StakeCorrected) == StakeCorrected(ONE, WagerName.PLAY, 1500, 500)
    assert (table.phase(), table.last(DealerPrompted).seat) == (Phase.DECIDING, 2)
