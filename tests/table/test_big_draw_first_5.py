"""First 5, clause by clause (big-draw.md, steps 1, 3 and 4 of the round)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from daemon.rules.big_draw import DrawStyle, Variant
from daemon.rules.limits import AggregateLimit, Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.round_facts import DealerPrompted, HandDealt, HandSettled, RoundSettled, RoundVoided, WinToVerify
from daemon.table.settings import Reconciling, SourceSettings
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Evidence, PromptAction, Ruling
from drivers.events import Button
from protocols.cards import Card, parse_cards
from tests.support.sentences import Says
from tests.table.big_draw_playing import BOTH, JACKS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.playing import SEES_ALL
from tests.table.test_view import cards_in

FIRST_5 = (WagerName.FIRST_5,)
COUNTS = replace(SEES_ALL, reads_faces=False)
MORE_NOTHING = parse_cards("2h 5s 9h Td Qs")
ROYAL = parse_cards("Ac Kc Qc Jc Tc")


def said(table: BigDrawTable) -> list[tuple[int, Outcome, int]]:
    facts = table.said(FirstFiveSettled)
    return [(fact.seat, fact.wager.outcome, fact.wager.pays_cents) for fact in facts]


def four_hands(**changes: object) -> BigDrawTable:
    """Winning hands at seats 1 and 3, losing ones at 2 and 4; nobody draws but seat 4, one card."""
    table = BigDrawTable(TWO_PAIR, NOTHING, JACKS, MORE_NOTHING, **changes).hands_out(1, 2, 3, 4)
    return table.drawing((1, 0), (2, 0), (3, 0), (4, 1))


# --- step 1: the bet ---


def test_it_has_a_least_of_one_dollar_alone() -> None:
    table = BigDrawTable().opened()
    assert table.bet(1, WagerName.FIRST_5, 99).code == "below-least"
    assert table.bet(1, WagerName.FIRST_5, 100).accepted


def test_alone_the_house_may_set_a_higher_least() -> None:
    table = BigDrawTable(options=BigDrawAtTable(first_5_alone_least_cents=Cents(1000))).opened()
    assert table.bet(1, WagerName.FIRST_5, 500).code == "below-least"
    assert table.bet(1, WagerName.BIG_DRAW, 500).accepted
    assert table.bet(1, WagerName.FIRST_5, 500).accepted


def test_a_house_may_want_a_big_draw_bet_beside_it() -> None:
    table = BigDrawTable(options=BigDrawAtTable(first_5_needs_big_draw=True)).opened()
    assert table.bet(1, WagerName.FIRST_5).code == "needs-another-wager"


def test_each_bet_has_its_own_limits() -> None:
    stakes = {WagerName.FIRST_5: StakeRange(Cents(100), Cents(2500), Cents(100))}
    table = BigDrawTable(limits=LimitSchedule(((Day(0), Limits(stakes=stakes)),))).opened()
    assert table.bet(1, WagerName.BIG_DRAW, 5000).accepted
    assert table.bet(1, WagerName.FIRST_5, 5000).code == "above-most"


@pytest.mark.parametrize("wager", BOTH)
def test_either_bet_alone_gets_a_hand(wager: WagerName) -> None:
    table = BigDrawTable(TWO_PAIR).hands_out(1, wagers=(wager,))
    assert [fact.seat for fact in table.said(HandDealt)] == [1]


# --- step 4: before any draw, losing bets first, then the winning hands ---


def test_it_is_settled_before_any_draw() -> None:
    table = four_hands()
    assert table.phase() is Phase.FIRST_FIVE
    table.through_first_5()
    kinds = [type(fact) for fact in table.facts if isinstance(fact, FirstFiveSettled | HandDealt)]
    assert kinds == [HandDealt] * 4 + [FirstFiveSettled] * 4 + [HandDealt]


def test_losing_bets_are_taken_first_then_winning_ones_paid_each_from_the_right() -> None:
    table = four_hands().through_first_5()
    assert said(table) == [
        (4, Outcome.LOSE, -500),
        (2, Outcome.LOSE, -500),
        (3, Outcome.WIN, 500),
        (1, Outcome.WIN, 2000),
    ]


def test_the_dealer_is_told_in_that_order_and_waited_for(says: Says) -> None:
    table = four_hands()
    told = table.last(DealerPrompted)
    assert [(step.seat, step.action, step.amount_cents) for step in told.steps] == [
        (4, PromptAction.TAKE, 500),
        (2, PromptAction.TAKE, 500),
    ]
    assert len(said(table)) == 2
    table.press(Button.NEXT)
    says(table.last(DealerPrompted).sentence)
    table.press(Button.NEXT)
    assert [(step.seat, step.amount_cents) for step in table.last(DealerPrompted).steps] == [(1, 2000)]
    table.press(Button.NEXT)
    assert table.phase() is Phase.DEALING


def test_a_losing_hand_stays_face_down_and_a_winning_one_is_exposed_as_dealt() -> None:
    table = four_hands()
    assert cards_in(tuple(table.facts)) == cards_in(public(table.state)) == set()
    table.press(Button.NEXT)
    assert cards_in(tuple(table.facts)) == cards_in(public(table.state)) == set(JACKS)
    assert table.last(FirstFiveSettled).hand == "pair of jacks"
    assert public(table.state).seats[2].first_5 == table.last(FirstFiveSettled)
    assert public(table.state).seats[0].first_5 is None


def test_on_the_other_side_of_the_button_deuces_are_wild() -> None:
    table = BigDrawTable(parse_cards("2c 2d 9h 4s Kc")).opened(Variant.DEUCES_NEVER_LOSES).bets(1)
    table.press()
    table.give_all().drawing((1, 0))
    assert said(table) == [(1, Outcome.WIN, 1500)]
    assert table.last(FirstFiveSettled).wager.row == "three of a kind"


def test_it_can_run_through_at_once() -> None:
    table = four_hands(reconciling=Reconciling.THROUGH)
    assert len(said(table)) == 4
    assert table.phase() is Phase.DEALING


def test_without_such_a_bet_there_is_nothing_to_settle() -> None:
    table = BigDrawTable(TWO_PAIR).hands_out(1, wagers=(WagerName.BIG_DRAW,)).drawing((1, 1))
    assert table.phase() is Phase.DEALING
    assert table.said(FirstFiveSettled) == []


def test_a_hand_with_nothing_else_is_not_asked_to_draw_and_ends_with_it() -> None:
    table = BigDrawTable(TWO_PAIR).hands_out(1, wagers=FIRST_5)
    assert said(table) == [(1, Outcome.WIN, 2000)]
    table.through_first_5().collect()
    assert table.said(HandSettled) == []
    settled = table.last(RoundSettled)
    assert (settled.stakes_cents, settled.returned_cents, settled.hands) == (500, 2500, 1)


def test_a_house_may_forbid_looking_at_such_a_hand_before_all_draws_are_complete() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING, options=BigDrawAtTable(first_5_alone_waits=True)).opened()
    table.bets(1, wagers=FIRST_5).bets(2).press()
    table.give_all().drawing((2, 5))
    assert said(table) == [(2, Outcome.LOSE, -500)]
    table.through_first_5()
    assert set(TWO_PAIR).isdisjoint(cards_in(tuple(table.facts)))
    table.collect()
    waited = table.last(HandSettled)
    assert (waited.seat, waited.cards, waited.evidence) == (1, TWO_PAIR, Evidence.SEEN_BY_DEVICE)
    assert [(wager.wager, wager.pays_cents) for wager in waited.wagers] == [(WagerName.FIRST_5, 2000)]


def test_a_fixed_prize_does_not_grow_with_the_stake_and_is_looked_at_before_it_is_paid() -> None:
    table = BigDrawTable(ROYAL).opened().bets(1, stake=2500)
    table.press()
    table.give_all().drawing((1, 0))
    wager = table.last(FirstFiveSettled).wager
    assert (wager.pays_cents, wager.returned_cents) == (500_000, 502_500)
    assert table.last(WinToVerify).pays_cents == 500_000


def test_what_one_deal_may_pay_is_shared_by_all_winners_also_by_one_that_waits() -> None:
    """Two fours of a kind at 200 to 1 would win 2,000 dollars, of which the deal may pay 1,500."""
    limits = Limits(aggregates=(AggregateLimit(WagerName.FIRST_5, Cents(150_000)),))
    fours = (parse_cards("9c 9d 9h 9s 2c"), parse_cards("8c 8d 8h 8s 3c"))
    options = BigDrawAtTable(first_5_alone_waits=True)
    table = BigDrawTable(*fours, options=options, limits=LimitSchedule(((Day(0), limits),))).opened()
    table.bets(1, wagers=FIRST_5).bets(2).press()
    table.give_all().drawing((2, 0))
    assert said(table) == [(2, Outcome.WIN, 75_000)]
    table.through_first_5().collect()
    assert [wager.pays_cents for wager in table.last(HandSettled).wagers] == [75_000]


@pytest.mark.parametrize("draw", DrawStyle)
@pytest.mark.parametrize("source", [SEES_ALL, COUNTS])
@pytest.mark.parametrize(
    ("drawing", "pays"), [((), {1: 50_000, 2: 50_000, 3: 50_000}), ((1,), {1: 100_000, 2: 25_000, 3: 25_000})]
)
def test_hands_that_wait_share_what_one_deal_may_pay_whatever_read_them(
    source: SourceSettings, drawing: tuple[int, ...], pays: dict[int, int], draw: DrawStyle
) -> None:
    """Three fours of a kind at 200 to 1 would win 3,000 dollars. The deal may pay 1,500, and each was paid 1,000."""
    limits = Limits(aggregates=(AggregateLimit(WagerName.FIRST_5, Cents(150_000)),))
    fours = tuple(parse_cards(cards) for cards in ("9c 9d 9h 9s 2c", "8c 8d 8h 8s 3c", "7c 7d 7h 7s 4c"))
    options = BigDrawAtTable(first_5_alone_waits=True, draw=draw)
    schedule = LimitSchedule(((Day(0), limits),))
    table = BigDrawTable(*fours, options=options, limits=schedule, source=source).opened().bets(1, 2, 3, wagers=FIRST_5)
    table.bets(*drawing, wagers=(WagerName.BIG_DRAW,)).press()
    table.give_all().drawing(*((seat, 0) for seat in drawing))
    _play_out(table, fours)
    won = {fact.seat: fact.wager.pays_cents for fact in table.said(FirstFiveSettled)}
    waited = [(hand.seat, each) for hand in table.said(HandSettled) for each in hand.wagers]
    won |= {seat: each.pays_cents for seat, each in waited if each.wager is WagerName.FIRST_5}
    together = source is SEES_ALL  # all are worked out when the first is settled
    assert won == ({1: 50_000, 2: 50_000, 3: 50_000} if together else pays)
    assert table.last(RoundSettled).hands == 3


def _play_out(table: BigDrawTable, hands: Sequence[tuple[Card, ...]]) -> None:
    """The dealer enters every hand that is asked for, and goes on."""
    if table.phase() is Phase.FIRST_FIVE and table.state.settings.source is COUNTS:
        assert table.enter(1, hands[0]).accepted
    table.through_first_5()
    while not table.said(RoundSettled):
        played = table.state.round
        assert played is not None
        if table.phase() is Phase.DEALT:
            table.collect()
        elif table.is_asked_for_cards() and played.showing is not None:
            assert table.enter(played.showing, hands[played.showing - 1]).accepted, table.answer
        else:
            table.press(Button.NEXT)


# --- hands that no device read: their players tell the dealer ---


def test_who_won_is_entered_and_the_others_lose(says: Says) -> None:
    table = four_hands(source=COUNTS)
    says(table.state.prompt)
    assert table.enter(3, JACKS).accepted
    table.through_first_5()
    assert said(table) == [
        (4, Outcome.LOSE, -500),
        (2, Outcome.LOSE, -500),
        (1, Outcome.LOSE, -500),
        (3, Outcome.WIN, 500),
    ]
    assert {fact.evidence for fact in table.said(FirstFiveSettled)} == {Evidence.ENTERED_BY_PERSON}


def test_a_hand_that_is_entered_and_does_not_win_loses() -> None:
    table = four_hands(source=COUNTS)
    table.enter(2, NOTHING)
    table.through_first_5()
    assert {outcome for _, outcome, _ in said(table)} == {Outcome.LOSE}
    assert cards_in(tuple(table.facts)) == set()


@pytest.mark.parametrize(
    ("seat", "cards", "code"),
    [(5, JACKS, "not-asked"), (2, JACKS[:4], "wrong-count"), (2, TWO_PAIR, "duplicate-card")],
)
def test_what_cannot_be_entered(seat: int, cards: tuple, code: str) -> None:  # type: ignore[type-arg]
    table = four_hands(source=COUNTS)
    assert table.enter(1, TWO_PAIR).accepted
    assert table.enter(seat, cards).code == code


def test_nothing_is_entered_once_the_results_are_said() -> None:
    table = four_hands(source=COUNTS)
    table.press(Button.NEXT)
    assert table.enter(1, TWO_PAIR).code == "not-asked"


# --- standing still and void ---


def test_a_hold_goes_on_where_it_stood_and_says_nothing_twice() -> None:
    table = four_hands()
    table.press(Button.NEXT)
    before = said(table)
    table.press(Button.VOID)
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).accepted
    assert (table.phase(), said(table)) == (Phase.FIRST_FIVE, before)
    table.through_first_5()
    assert len(said(table)) == 4


def test_a_void_after_it_was_settled_undoes_it() -> None:
    table = four_hands().through_first_5()
    table.void()
    voided = table.last(RoundVoided)
    assert voided.returned_cents == 4000
    assert [(step.seat, step.action, step.amount_cents) for step in voided.undone] == [
        (4, PromptAction.RETURN, 500),
        (2, PromptAction.RETURN, 500),
        (3, PromptAction.TAKE, 500),
        (1, PromptAction.TAKE, 2000),
    ]


def test_a_result_that_was_not_said_is_not_undone() -> None:
    table = four_hands()
    table.void()
    assert [step.seat for step in table.last(RoundVoided).undone] == [4, 2]
