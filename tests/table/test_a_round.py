"""Big 50 at the table, clause by clause (big-50.md, games/README.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.results import Outcome
from daemon.rules.wagers import Colour, WagerName
from daemon.table.facts import AlertRaised, ButtonRefused
from daemon.table.inputs import ClearBets, CloseTable, Configured, JournalDoubted, OpenTable
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import (
    BettingClosed,
    CardsAsked,
    DealerPrompted,
    DeckAccounted,
    HandDealt,
    HandSettled,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SeatReconciled,
    StubCountAsked,
    WinToVerify,
)
from daemon.table.settings import PayingStyle, Reconciling, SourceSettings
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Actor, DeckProof, Evidence, PromptAction, Ruling, SeatNumber
from drivers.commands import Dispense, EjectRemainder, SetMode
from drivers.events import Button
from protocols.cards import DECK, parse_cards
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table, settings

ROYAL = parse_cards("Ah Kh Qh Jh Th")
FLUSH = parse_cards("Ah Kh Qh 9h Th")
NOTHING_MUCH = parse_cards("2c 4d 6h 8s 9c")  # total 29: half the range stake is lost
BLIND = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=True)
NOT_COUNTING = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=False)


def stacked(*hands: tuple[object, ...]) -> tuple[object, ...]:
    """A deck that deals these hands first."""
    first = [card for hand in hands for card in hand]
    return (*first, *(card for card in DECK if card not in first))


def table_with(*hands: tuple[object, ...], **changes: object) -> Table:
    return Table(settings(**changes), stacked(*hands))  # type: ignore[arg-type]


def test_betting_opens_by_itself_when_the_shuffler_is_there_and_set_to_this_games_packets() -> None:
    table = Table()
    assert table.phase() is Phase.IDLE
    table.link_up()
    assert table.phase() is Phase.IDLE
    table.set_mode()
    assert table.phase() is Phase.BETTING
    assert table.last(RoundOpened).number == 1


def test_the_shuffler_is_told_five_cards_a_packet() -> None:
    table = Table()
    table.link_up()
    assert table.commands == [SetMode(5)]


def test_a_stake_replaces_the_one_that_lay_there() -> None:
    table = Table().ready()
    table.bet(2, stake=500)
    table.bet(2, stake=700)
    assert [stake.stake_cents for stake in table.state.round.stakes] == [700]  # type: ignore[union-attr]


def test_a_player_may_take_his_stakes_back_until_green() -> None:
    table = Table().ready().staked(2)
    assert table.ask(ClearBets(SeatNumber(2)), Actor.PLAYER).accepted
    table.press()
    assert table.last(ButtonRefused).code == "no-bets"


@pytest.mark.parametrize("seat", [0, 7, -1])
def test_a_bet_for_a_seat_that_is_not_there_is_refused_with_the_seats_that_are(seat: int, says: Says) -> None:
    answer = Table().ready().bet(seat)
    assert (answer.accepted, answer.code) == (False, "no-such-seat")
    says(answer.message)


def test_nothing_is_accepted_after_no_more_bets() -> None:
    table = Table().ready().staked(1)
    table.press()
    assert table.bet(2).code == "not-while-dealing"
    assert table.ask(ClearBets(SeatNumber(1)), Actor.PLAYER).code == "not-while-dealing"


def test_green_is_refused_while_the_deck_is_not_shuffled() -> None:
    table = Table()
    table.link_up()
    table.set_mode()
    table.bet(1)
    table.press()
    assert table.last(ButtonRefused).code == "deck-not-ready"
    assert table.phase() is Phase.BETTING


def test_every_seat_with_a_stake_gets_one_packet_from_the_dealers_left() -> None:
    table = Table().ready().staked(5, 2, 4)
    table.press()
    assert [stake.seat for stake in table.last(BettingClosed).stakes] == [2, 4, 5]
    for position in (1, 2, 3):
        assert table.commands[-1] == Dispense(position)
        table.dispense(position)
        table.deliver(position)
    assert [fact.seat for fact in table.said(HandDealt)] == [2, 4, 5]
    assert table.phase() is Phase.DEALT


def test_the_next_packet_waits_until_the_dealer_took_the_last_one() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    assert table.commands[-1] == Dispense(1)
    table.deliver(1)
    assert table.commands[-1] == Dispense(2)


def test_green_after_the_deal_collects_the_rest_and_52_different_cards_prove_the_deck() -> None:
    table = Table().dealt(1, 2)
    table.press()
    assert table.commands[-1] == EjectRemainder()
    table.eject()
    accounted = table.last(DeckAccounted)
    assert (accounted.proof, accounted.dealt, accounted.remaining) == (DeckProof.READ, 10, 42)


def test_hands_are_reconciled_from_the_dealers_right_to_left() -> None:
    table = Table().reconciling(1, 3, 5)
    seats = [5, 3, 1]
    for number, seat in enumerate(seats):
        assert [fact.seat for fact in table.said(HandSettled)] == seats[: number + 1]
        table.press(Button.NEXT)
        assert table.last(SeatReconciled).seat == seat
    assert table.said(RoundSettled)


def test_reconciling_can_run_through_at_once() -> None:
    table = Table(settings(reconciling=Reconciling.THROUGH)).reconciling(1, 2)
    assert len(table.said(RoundSettled)) == 1
    assert table.phase() is Phase.BETTING


def test_no_card_is_said_before_its_seats_turn() -> None:
    table = Table().reconciling(1, 2)
    assert [fact.seat for fact in table.said(HandSettled)] == [2]
    table.press(Button.NEXT)
    assert [fact.seat for fact in table.said(HandSettled)] == [2, 1]


def test_a_royal_flush_pays_a_thousand_to_one_and_is_verified_before_it_is_paid() -> None:
    table = table_with(ROYAL).reconciling(1)
    (wager,) = table.last(HandSettled).wagers
    assert (wager.outcome, wager.pays_cents, wager.row) == (Outcome.WIN, 500_000, "royal flush")
    assert table.last(WinToVerify).pays_cents == 500_000
    assert table.state.alert(table.state.alerts[-1].alert) is not None
    assert table.facts.index(table.last(WinToVerify)) < table.facts.index(table.last(DealerPrompted))


def test_spots_are_prompted_in_the_order_of_the_layout() -> None:
    table = table_with(NOTHING_MUCH).ready()
    for wager in (WagerName.RANGE, WagerName.BIG_50, WagerName.RED_BLACK, WagerName.POKER_HAND):
        table.bet(1, wager, 500)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.press()
    table.eject()
    steps = table.last(DealerPrompted).steps
    order = [WagerName.POKER_HAND, WagerName.RED_BLACK, WagerName.BIG_50, WagerName.RANGE]
    assert list(dict.fromkeys(step.spot for step in steps)) == order
    assert [(step.action, step.amount_cents) for step in steps[3:]] == [
        (PromptAction.TAKE, 250),
        (PromptAction.RETURN, 250),
    ]


def test_lay_and_pay_gives_back_before_it_takes_and_changes_no_amount() -> None:
    table = table_with(NOTHING_MUCH, paying=PayingStyle.LAY_AND_PAY).ready()
    table.bet(1, WagerName.RANGE, 500)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.press()
    table.eject()
    steps = table.last(DealerPrompted).steps
    assert [(step.action, step.amount_cents) for step in steps] == [
        (PromptAction.RETURN, 250),
        (PromptAction.TAKE, 250),
    ]


def test_the_money_of_a_round_balances() -> None:
    table = table_with(ROYAL, NOTHING_MUCH).reconciling(1, 2)
    table.press(Button.NEXT)
    table.clear(table.state.alerts[-1].alert)
    table.press(Button.NEXT)
    settled = table.last(RoundSettled)
    assert (settled.stakes_cents, settled.returned_cents, settled.take_cents) == (1000, 500_500, -499_500)


def test_the_next_round_opens_by_itself_with_the_next_number() -> None:
    table = Table(settings(reconciling=Reconciling.THROUGH)).reconciling(1)
    assert [fact.number for fact in table.said(RoundOpened)] == [1, 2]
    assert table.deck_state() is Deck.UNKNOWN


def test_a_closed_table_opens_no_round_after_the_one_that_runs() -> None:
    table = Table(settings(reconciling=Reconciling.THROUGH)).dealt(1)
    assert table.ask(CloseTable()).accepted
    table.press()
    table.eject()
    assert table.phase() is Phase.IDLE
    assert table.ask(OpenTable()).accepted
    assert table.phase() is Phase.BETTING


def test_a_hand_that_no_device_read_is_asked_for_at_its_turn_and_says_so() -> None:
    table = Table(settings(source=BLIND)).reconciling(1, 2)
    assert table.last(CardsAsked).seat == 2
    assert table.press(Button.NEXT) == [table.last(ButtonRefused)]
    assert table.enter(2, FLUSH).accepted
    settled = table.last(HandSettled)
    assert (settled.seat, settled.evidence) == (2, Evidence.ENTERED_BY_PERSON)
    table.press(Button.NEXT)
    assert table.last(CardsAsked).seat == 1


@pytest.mark.parametrize(
    ("cards", "code"),
    [("Ah Kh Qh Jh", "wrong-count"), ("Ah Kh Qh Jh Jh", "duplicate-card"), ("2c 2d 2h 2s Th", "duplicate-card")],
)
def test_entered_cards_that_cannot_be_a_hand_are_refused_and_the_round_waits(cards: str, code: str) -> None:
    table = Table(settings(source=BLIND)).reconciling(1, 2)
    table.enter(2, FLUSH)
    table.press(Button.NEXT)
    answer = table.enter(1, parse_cards(cards))
    assert (answer.accepted, answer.code) == (False, code)
    assert table.phase() is Phase.RECONCILING


def test_a_device_that_counts_and_does_not_read_proves_the_deck_by_its_count() -> None:
    table = Table(settings(source=BLIND)).reconciling(1)
    assert table.last(DeckAccounted).proof is DeckProof.COUNTED


def play_uncounted(table: Table, rounds: int) -> None:
    for _ in range(rounds):
        table.deck = list(DECK)
        table.shuffle(None)
        table.staked(1).press()
        table.dispense(1)
        table.deliver(1)
        table.press()
        table.eject()
        if table.phase() is Phase.COUNTING:
            return
        table.enter(1, FLUSH)


def test_a_stub_count_is_asked_at_least_every_five_rounds() -> None:
    table = Table(settings(source=NOT_COUNTING, reconciling=Reconciling.THROUGH)).ready()
    play_uncounted(table, 5)
    assert [fact.proof for fact in table.said(DeckAccounted)] == [DeckProof.NOT_DUE] * 4
    assert table.said(StubCountAsked)
    assert table.stub(47).accepted
    assert (table.last(DeckAccounted).proof, table.last(DeckAccounted).who) == (DeckProof.STUB_COUNTED, "kim")
    assert table.state.rounds_since_stub_count == 0


@pytest.mark.parametrize("count", [-1, 53])
def test_a_count_that_no_deck_can_have_is_refused(count: int) -> None:
    table = Table(settings(source=NOT_COUNTING, stub_count_rounds_max=1)).reconciling(1)
    assert table.stub(count).code == "no-such-count"
    assert table.phase() is Phase.COUNTING


def test_a_replay_of_the_inputs_makes_the_same_table() -> None:
    table = table_with(ROYAL).reconciling(1, 2, 3)
    table.rule(Ruling.VOID)
    first = table.inputs[0]
    assert isinstance(first, Configured)
    state = blank(first)
    for happened in table.inputs:
        state = apply(state, happened).state
    assert state == table.state


def configured_anew(table: Table, **changes: object) -> None:
    first = table.inputs[0]
    assert isinstance(first, Configured)
    table.take(replace(first, settings=settings(**changes)))


def test_a_round_ends_under_the_settings_that_it_began_with() -> None:
    table = Table().dealt(1)
    configured_anew(table, seats=3)
    assert table.state.settings.seats == 6
    table.link_up()
    table.press()
    table.eject()
    table.press(Button.NEXT)
    assert table.state.settings.seats == 3
    assert table.state.settings_next is None


def test_stakes_go_back_when_the_table_is_configured_anew_while_betting() -> None:
    table = Table().ready().staked(5)
    configured_anew(table, seats=3)
    assert table.last(RoundVoided).returned_cents == 500
    assert table.state.settings.seats == 6
    table.put_back()
    assert table.state.settings.seats == 3


def test_a_restart_with_the_same_settings_changes_no_round() -> None:
    table = Table().dealt(1)
    configured_anew(table)
    assert table.phase() is Phase.DEALT
    assert not table.said(RoundVoided)


def test_a_doubt_in_the_journal_is_an_alert_that_stops_no_round() -> None:
    table = Table()
    table.ready()
    table.take(JournalDoubted(table.state.at, "record 7: its content is not what was hashed"))
    assert table.last(AlertRaised).alert == "journal-doubted"
    assert table.state.blocked_by == ()
    assert table.state.phase is Phase.BETTING


def test_named_red_and_named_black_are_two_bets_and_the_prompt_names_the_colour(says: Says) -> None:
    table = Table(settings(options=Big50House(red_black=RedBlack.NAMED))).ready()
    for colour, stake in ((Colour.RED, 500), (Colour.BLACK, 300), (Colour.RED, 700)):
        assert table.bet(1, WagerName.RED_BLACK, stake, colour=colour).accepted, table.answer
    lying = {stake.colour: stake.stake_cents for stake in table.last(BettingClosed).stakes} if table.press() else {}
    assert lying == {Colour.RED: 700, Colour.BLACK: 300}
    table.dispense(1)
    table.deliver(1)
    table.press()
    table.eject()
    settled = table.last(HandSettled).wagers
    assert [(wager.colour, wager.stake_cents) for wager in settled] == [(Colour.BLACK, 300), (Colour.RED, 700)]
    says(table.state.prompt)
    table.void()
    assert {step.colour for step in table.last(RoundVoided).steps} == {Colour.RED, Colour.BLACK}
    says(table.state.prompt)


def test_in_a_journal_from_before_the_ruling_one_colour_takes_the_place_of_the_other() -> None:
    house = Big50House(red_black=RedBlack.NAMED, colours_are_two_bets=False)
    table = Table(settings(options=house)).ready()
    for colour in Colour:
        assert table.bet(1, WagerName.RED_BLACK, 500, colour=colour).accepted, table.answer
    assert table.state.round is not None
    assert [stake.colour for stake in table.state.round.stakes] == [Colour.BLACK]
