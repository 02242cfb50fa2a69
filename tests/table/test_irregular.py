"""Wrong deals: each irregularity by name, and what the house does about it (games/README.md)."""

from __future__ import annotations

import pytest

from daemon.table.inputs import EnterCards
from daemon.table.round_facts import (
    DeckAccounted,
    HandSettled,
    IrregularityFound,
    RoundHeld,
    RoundVoided,
)
from daemon.table.settings import SourceSettings
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Actor, DeckProof, Irregularity, Policy, Ruling, SeatNumber
from drivers.commands import Reshuffle
from drivers.events import Button
from protocols.cards import DECK, Misread
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table, settings

EVERY_POLICY = tuple(irregularity for irregularity in Irregularity)
SUPERVISED = settings(supervised=EVERY_POLICY)
OBSERVED = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=True)


def stakes_all_back(table: Table) -> bool:
    voided = table.last(RoundVoided)
    return voided.returned_cents == sum(stake.stake_cents for stake in voided.returned) and not table.said(HandSettled)


@pytest.mark.parametrize("cards", [4, 6])
@pytest.mark.parametrize("policy", ["void", "supervisor"])
def test_a_wrong_count_in_any_hand_voids_all_hands_whatever_the_house_says(cards: int, policy: str) -> None:
    table = Table(SUPERVISED if policy == "supervisor" else settings()).ready().staked(1, 2, 3)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.dispense(2, table.draw(cards), count=cards)
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT
    assert stakes_all_back(table)
    assert table.commands[-1] == Reshuffle()


def test_sensor_and_reader_must_agree_on_the_count() -> None:
    table = Table().ready().staked(1)
    table.press()
    table.dispense(1, table.draw(4), count=5)
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT


MISREADS = [
    (Misread.UNREADABLE, Irregularity.UNREADABLE_CARD),
    (Misread.BOXED, Irregularity.BOXED_CARD),
    (Misread.FOREIGN, Irregularity.FOREIGN_CARD),
]


@pytest.mark.parametrize(("mark", "irregularity"), MISREADS)
def test_a_card_that_cannot_be_named_voids_by_default(mark: Misread, irregularity: Irregularity) -> None:
    table = misread(Table(), mark)
    assert table.last(RoundVoided).irregularity is irregularity
    assert stakes_all_back(table)


def misread(table: Table, mark: Misread) -> Table:
    table.ready().staked(1, 2).press()
    table.dispense(1)
    table.deliver(1)
    table.dispense(2, [*table.draw(5)[:4], mark])
    table.deliver(2)
    table.press()
    table.eject()
    return table


@pytest.mark.parametrize(("mark", "irregularity"), MISREADS)
def test_or_stands_still_until_a_supervisor_has_read_the_hand(mark: Misread, irregularity: Irregularity) -> None:
    table = Table(SUPERVISED)
    unnamed = table.deck[9]
    misread(table, mark)
    assert table.phase() is Phase.HELD
    found = table.last(IrregularityFound)
    assert (found.irregularity, found.policy, found.seat) == (irregularity, Policy.SUPERVISOR, 2)
    assert table.rule(Ruling.CONTINUE).code == "cards-unnamed"
    hand = table.state.round.hand_of(table.state.round.places[1])  # type: ignore[union-attr]
    assert hand is not None
    assert hand.faces is not None
    read = (*hand.faces[:4], unnamed)
    assert table.enter(2, read).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(DeckAccounted).proof is DeckProof.CONFIRMED
    assert table.last(DeckAccounted).who == "kim"


def test_hands_that_are_entered_exchanged_are_named_before_the_round_goes_on(says: Says) -> None:
    """They are 52 different cards all the same, so the proof finds nothing."""
    table = Table(SUPERVISED)
    first, second = DECK[:5], DECK[5:10]
    misread(table, Misread.UNREADABLE)
    assert table.enter(2, first).accepted, "to refuse it would tell who guesses what lies there"
    assert table.enter(1, second).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.HELD
    assert [said.irregularity for said in table.said(IrregularityFound)][1:] == [Irregularity.DISPUTED_CARD] * 2
    says(table.last(RoundHeld).reason)
    assert table.enter(1, first).accepted
    assert table.enter(2, second).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(DeckAccounted).proof is DeckProof.CONFIRMED


def test_a_supervisor_may_say_twice_that_the_reader_was_wrong() -> None:
    table = Table(SUPERVISED)
    hand = (*DECK[5:8], DECK[9], DECK[40])
    misread(table, Misread.UNREADABLE)
    assert table.enter(2, hand).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.said(IrregularityFound)[-1].irregularity is Irregularity.DUPLICATE_CARD, "one of the rest"


def test_cards_that_are_entered_after_a_ruling_are_found_again() -> None:
    """A wrong hand was put right for the supervisor to see, and entered again before the next ruling."""
    table = Table(SUPERVISED)
    right, wrong = DECK[5:10], (*DECK[5:9], DECK[40])
    misread(table, Misread.UNREADABLE)
    assert table.enter(2, wrong).accepted
    for _ in range(3):
        assert table.rule(Ruling.CONTINUE).accepted
        assert table.phase() is Phase.HELD
        assert table.said(IrregularityFound)[-1].irregularity is Irregularity.DUPLICATE_CARD, "one of the rest"
        assert table.enter(2, right).accepted
        assert table.enter(2, wrong).accepted
    assert table.enter(2, right).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(DeckAccounted).proof is DeckProof.CONFIRMED


def test_a_dealer_enters_a_hand_of_a_held_round_once_and_a_supervisor_corrects_it() -> None:
    """A dealer could exchange two such hands after the supervisor's look, and before the ruling."""
    table = Table(SUPERVISED)
    right, wrong = EnterCards(SeatNumber(2), DECK[5:10]), EnterCards(SeatNumber(2), (*DECK[5:9], DECK[40]))
    misread(table, Misread.UNREADABLE)
    assert table.ask(wrong, Actor.DEALER).accepted
    assert table.ask(right, Actor.DEALER).code == "not-asked"
    assert table.ask(right, Actor.SUPERVISOR).accepted
    assert table.ask(wrong, Actor.DEALER).code == "not-asked"


def test_a_hand_that_was_entered_while_the_dealer_had_called_is_a_supervisors_word() -> None:
    table = Table().ready().staked(1)
    table.press()
    table.dispense(1)
    table.press(Button.VOID)
    assert table.enter(1, DECK[:5]).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    table.deliver(1)
    table.press()
    table.eject()
    assert table.last(DeckAccounted).proof is DeckProof.CONFIRMED


def test_the_same_card_twice_in_the_deck_voids() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    first = table.draw(5)
    table.dispense(1, first)
    table.deliver(1)
    table.dispense(2, [*table.draw(4), first[0]])
    table.deliver(2)
    table.press()
    table.eject()
    assert table.last(RoundVoided).irregularity is Irregularity.DUPLICATE_CARD


def test_a_deck_that_does_not_add_up_to_52_voids() -> None:
    table = Table().dealt(1)
    table.press()
    table.eject(faces=table.draw(46))
    assert table.last(RoundVoided).irregularity is Irregularity.DECK_NOT_PROVEN


def test_no_message_about_an_irregularity_names_a_card() -> None:
    table = misread(Table(SUPERVISED), Misread.UNREADABLE)
    said = " ".join(found.message for found in table.said(IrregularityFound)) + table.last(RoundHeld).reason
    names = {str(card) for hand in table.state.round.hands for card in hand.faces or ()}  # type: ignore[union-attr]
    assert not [name for name in names if name in said]


def test_a_packet_for_a_seat_without_a_stake_voids() -> None:
    table = Table(settings(source=OBSERVED)).ready().staked(1)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.dispense(2)
    assert table.last(RoundVoided).irregularity is Irregularity.HAND_WITHOUT_STAKE


def test_a_packet_that_never_came_is_a_missing_hand() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(2)
    assert table.last(RoundVoided).irregularity is Irregularity.MISSING_HAND


def test_the_rest_of_the_deck_before_every_seat_has_a_hand_is_a_missing_hand() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.eject()
    assert table.last(RoundVoided).irregularity is Irregularity.MISSING_HAND


def test_or_a_supervisor_enters_the_hand_that_lies_there() -> None:
    table = Table(SUPERVISED).ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.deliver(1)
    lies_there = tuple(table.draw(5))
    table.eject()
    assert table.rule(Ruling.CONTINUE).code == "hands-missing"
    assert table.enter(2, lies_there).accepted  # type: ignore[arg-type]
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.RECONCILING


def test_a_packet_that_comes_twice_is_irregular() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.dispense(1)
    assert table.last(RoundVoided).irregularity is Irregularity.UNEXPECTED_CARDS


def test_cards_out_of_a_ready_deck_while_betting_latch_until_it_is_shuffled_and_cleared() -> None:
    table = Table().ready().staked(1)
    table.dispense(1)
    assert table.deck_state() is Deck.UNKNOWN
    table.press()
    assert table.phase() is Phase.BETTING
    table.shuffle()
    assert table.clear("unexpected-cards-shuffler").accepted
    table.press()
    assert table.phase() is Phase.DEALING


def test_what_a_voided_round_left_behind_is_no_new_irregularity() -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.void()
    table.dispense(1)
    table.deliver(1)
    table.eject()
    table.put_back()
    assert not table.state.alerts
    assert not table.said(IrregularityFound)


def test_a_packet_for_nobody_that_comes_twice_stops_the_round_twice() -> None:
    """A ruling is on the packet that came. While the rest came out, the second one ended the daemon."""
    table = Table(SUPERVISED).dealt(1, 2)
    table.press()
    strays = [table.draw(5), table.draw(5)]
    for number, stray in enumerate(strays, start=1):
        table.dispense(3, stray)
        assert (table.phase(), len(table.said(IrregularityFound))) == (Phase.HELD, number)
        assert table.rule(Ruling.CONTINUE).accepted
        assert table.phase() is Phase.DEALT
        table.press()
    assert {found.irregularity for found in table.said(IrregularityFound)} == {Irregularity.HAND_WITHOUT_STAKE}
    table.eject()
    assert table.last(IrregularityFound).irregularity is Irregularity.DECK_NOT_PROVEN


def test_two_cards_without_a_name_in_one_hand_are_said_once() -> None:
    table = Table().ready().staked(1)
    table.press()
    table.dispense(1, [*table.draw(5)[:3], Misread.UNREADABLE, Misread.UNREADABLE])
    table.deliver(1)
    table.press()
    table.eject()
    (found,) = table.said(IrregularityFound)
    assert table.last(RoundVoided).reason == found.message
