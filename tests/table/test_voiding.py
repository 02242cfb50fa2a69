"""Clause 8: a void is a procedure. The dealer is told why and what to do, step by step, and says when it is done."""

from __future__ import annotations

import pytest

from daemon.rules.wagers import WagerName
from daemon.table.facts import AlertCleared, AlertRaised
from daemon.table.inputs import ChangeDeck, CloseTable, Configured, Request, VoidRound
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import DealerPrompted, PromptStep, RoundOpened, RoundVoided
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import (
    Actor,
    Decision,
    Irregularity,
    PromptAction,
    RequestId,
    Ruling,
    SeatNumber,
    SourceKind,
)
from drivers.commands import Reshuffle
from drivers.events import Button, ShuffleFinished, ShuffleStarted, WentStale
from protocols.cards import DECK, Misread, parse_cards
from tests.support.sentences import Says
from tests.table.blackjack_playing import Blackjack, house_of
from tests.table.playing import Table, settings
from tests.table.recorded_rounds import EVERY_ROUND, recorded
from tests.table.test_silence import AT

FOUR_ACES = parse_cards("Ac Ad Ah As Kc")


def miscounted() -> Table:
    """Two seats have stakes, and the first hand has four cards."""
    table = Table().ready().staked(1, 2)
    assert table.bet(2, WagerName.RANGE, 300).accepted
    table.press()
    table.dispense(1, count=4)
    return table


def lying_and_moved() -> Table:
    """The hand on the right is paid; the other is not settled yet."""
    first = (*parse_cards("2c 5d 8h Ts Qc"), *FOUR_ACES)
    table = Table(deck=(*first, *(card for card in DECK if card not in first))).reconciling(1, 2)
    assert table.phase() is Phase.RECONCILING
    return table


def steps(table: Table) -> list[tuple[int | None, PromptAction, int]]:
    return [(step.seat, step.action, step.amount_cents) for step in table.last(RoundVoided).steps]


def test_clause_8_the_dealer_is_told_why_and_every_step_with_its_amount(says: Says) -> None:
    table = miscounted()
    assert table.phase() is Phase.VOIDING
    prompt = table.last(DealerPrompted)
    says(prompt.sentence)
    assert prompt.steps == table.last(RoundVoided).steps
    assert steps(table) == [(1, PromptAction.RETURN, 500), (2, PromptAction.RETURN, 500), (2, PromptAction.RETURN, 300)]


def test_clause_8_what_was_paid_is_taken_back_and_what_lies_there_is_returned(says: Says) -> None:
    table = lying_and_moved()
    table.void()
    assert steps(table) == [(1, PromptAction.RETURN, 500), (2, PromptAction.TAKE, 50_000)]
    says(table.state.prompt)


def test_clause_8_what_a_push_gave_back_is_not_listed_again() -> None:
    table = Blackjack(house_of(peek=True)).deal("Tc Th Td Ts", 1).says(1, Decision.STAND)
    assert table.phase() is Phase.RECONCILING
    table.void()
    assert table.last(RoundVoided).returned_cents > 0
    assert steps(table) == []


def test_clause_8_of_a_split_hand_only_the_part_that_was_taken_is_undone() -> None:
    table = Blackjack().deal("8c 9c 8d 7d", 1)
    table.says(1, Decision.SPLIT, "Tc").says(1, Decision.HIT, "Kd")
    (taken,) = table.results(1)
    table.void()
    hand_1, other = table.last(RoundVoided).steps
    assert (hand_1.action, hand_1.amount_cents, hand_1.hand) == (PromptAction.RETURN, taken.stake_cents, 1)
    assert (other.action, other.amount_cents, other.hand) == (PromptAction.RETURN, taken.stake_cents, None)


def test_clause_8_the_picture_shows_it_and_an_alert_stands() -> None:
    table = miscounted()
    picture = public(table.state)
    assert (picture.phase, picture.round_id) == (Phase.VOIDING, "t7-1")
    assert [(alert.alert, alert.blocks_play) for alert in picture.alerts] == [("void-t7-1", True)]
    assert table.clear("void-t7-1").code == "cause-stands"


def test_clause_8_no_bet_of_the_next_round_is_taken_before_the_dealer_says_next(says: Says) -> None:
    table = miscounted()
    refused = table.bet(1)
    assert refused.code == "not-while-voiding"
    says(refused.message)
    assert len(table.said(RoundOpened)) == 1
    assert table.command_press(Button.NEXT).accepted
    assert (table.phase(), len(table.said(RoundOpened))) == (Phase.BETTING, 2)
    cleared = table.last(AlertCleared)
    assert (cleared.alert, cleared.role) == ("void-t7-1", Actor.DEALER)
    assert table.state.alerts == ()


@pytest.mark.parametrize("ruling", ["by the ruling", "by void-round"])
def test_clause_8_a_void_keeps_its_cause_after_a_ruling(ruling: str, says: Says) -> None:
    table = Table(settings(supervised=(Irregularity.UNREADABLE_CARD,))).ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.dispense(2, [*table.draw(4), Misread.UNREADABLE])
    table.deliver(2)
    table.press()
    table.eject(count=42)
    assert table.phase() is Phase.HELD
    assert (table.rule(Ruling.VOID) if ruling == "by the ruling" else table.void()).accepted
    voided = table.last(RoundVoided)
    assert (voided.irregularity, voided.who) == (Irregularity.UNREADABLE_CARD, "kim")
    says(voided.reason)


def test_clause_8_the_first_cause_stays_through_a_second_stop() -> None:
    table = Table().dealt(1)
    table.press(Button.VOID)
    table.device(WentStale(4))
    table.rule(Ruling.CONTINUE)
    assert table.state.round is not None
    assert table.state.round.stop is None
    table.void()
    assert table.last(RoundVoided).reason.startswith("kim: ")


def test_clause_8_the_deck_may_be_shuffled_meanwhile() -> None:
    table = miscounted()
    assert table.commands[-1] == Reshuffle()
    table.answer_orders()
    table.device(ShuffleStarted())
    table.device(ShuffleFinished(52))
    assert table.phase() is Phase.VOIDING
    table.put_back().staked(1)
    assert table.command_press(Button.GREEN).accepted


def test_clause_8_the_table_can_be_closed_and_its_deck_cannot_be_changed_meanwhile() -> None:
    table = miscounted()
    assert table.ask(ChangeDeck()).code == "not-while-voiding"
    assert table.ask(CloseTable()).accepted
    assert table.put_back().phase() is Phase.IDLE


def test_where_nobody_has_a_stake_and_no_card_is_out_there_is_nothing_to_do() -> None:
    table = Table().ready()
    table.void()
    assert (table.phase(), table.said(AlertRaised)) == (Phase.BETTING, [])


@pytest.mark.parametrize("name", EVERY_ROUND)
def test_clause_8_at_every_place_of_a_round_of_every_game(name: str) -> None:
    """Everybody has their stake afterwards: what was moved so far, and the steps of the void, come to all stakes."""
    inputs = recorded(name).inputs
    assert isinstance(inputs[0], Configured)
    state = blank(inputs[0])
    for happened in inputs:
        state = apply(state, happened).state
        if state.round is None or not state.round.stakes:
            continue
        played = state.round
        asked = Request(AT, RequestId("v"), "kim", Actor.SUPERVISOR, None, VoidRound("a test"), played.id)
        step = apply(state, asked)
        assert step.answer is not None
        assert step.answer.accepted
        assert step.state.phase is Phase.VOIDING
        given = sum(said.wager.returned_cents for said in played.said)
        (voided,) = (fact.data for fact in step.facts if isinstance(fact.data, RoundVoided))
        moved = sum(_to_player(one) for one in voided.steps)
        assert given + moved == played.staked_cents == voided.returned_cents


def _to_player(step: PromptStep) -> int:
    return step.amount_cents if step.action is PromptAction.RETURN else -step.amount_cents


def test_the_seats_are_in_order() -> None:
    table = miscounted()
    seats = [step.seat for step in table.last(RoundVoided).steps]
    assert seats == sorted(seats, key=lambda seat: seat or SeatNumber(0))


@pytest.mark.parametrize("name", [name for name in EVERY_ROUND if "big-draw" in name])
def test_whenever_a_round_is_void_no_ledger_of_a_shoe_for_draws_outlives_it(name: str) -> None:
    configured, *happened = recorded(name).inputs
    assert isinstance(configured, Configured)
    state = blank(configured)
    for each in (configured, *happened):
        state = apply(state, each).state
        if state.round is None:
            continue
        void = Request(state.at, RequestId("v"), "sue", Actor.SUPERVISOR, None, VoidRound("spilled"), state.round.id)
        over = apply(state, void).state
        if over.settings.source.kind is not SourceKind.SHOE:
            assert over.shoe is None, state.phase
