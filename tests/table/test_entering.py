"""What may be entered while a round stands still, and what nobody may learn from an entry."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.table.inputs import EnterCards
from daemon.table.round_facts import IrregularityFound, RoundVoided
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Irregularity, Ruling, SeatNumber
from drivers.events import Button, EventsLost, PacketDispensed, Restarted
from protocols.cards import DECK, Card, parse_cards
from tests.table.playing import SEES_ALL, Table, settings

HAND = parse_cards("Ah Kh Qh Jh Th")


def first_of_two() -> Table:
    """The first of two hands is at its seat, the other still in the shuffler."""
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.deliver(1)
    return table


def test_a_dealer_who_stopped_the_round_cannot_change_or_guess_what_a_device_read() -> None:
    table = Table().dealt(1, 2)
    table.press(Button.VOID)
    wanted, guessed = tuple(DECK[-5:]), tuple(DECK[:5])
    for cards in (wanted, guessed):
        assert table.ask(EnterCards(SeatNumber(2), cards), Actor.DEALER).code == "read-by-device"
    assert table.enter(2, wanted).accepted


@pytest.mark.parametrize("role", [Actor.DEALER, Actor.SUPERVISOR])
def test_a_hand_that_the_shuffler_has_not_given_cannot_be_entered(role: Actor) -> None:
    """Else the packet that comes later is one too many, and voids the round: a void at the dealer's will."""
    table = first_of_two()
    table.press(Button.VOID)
    assert table.ask(EnterCards(SeatNumber(2), HAND), role).code == "not-dealt"
    table.rule(Ruling.CONTINUE)
    table.dispense(2)
    assert table.phase() is Phase.DEALING


def test_a_guess_is_answered_alike_whether_the_card_lies_face_down_elsewhere_or_not() -> None:
    """Seat 1 holds the first five cards of the deck, which no player has shown."""
    answers = set()
    for guess in (DECK[0], DECK[40]):
        table = first_of_two()
        table.device(Restarted("boot-2"))
        answers.add(table.enter(2, (*DECK[20:24], guess)))
    assert [answer.accepted for answer in answers] == [True]


def test_a_hand_of_which_no_device_told_is_entered_by_a_supervisor_only() -> None:
    """A dealer cut the record, named a royal flush for a hand that lay face down, and a supervisor had it go on."""
    table = first_of_two()
    table.device(EventsLost(3, "its store was full"))
    assert table.ask(EnterCards(SeatNumber(2), HAND), Actor.DEALER).code == "not-permitted"
    assert table.enter(2, HAND).accepted


@pytest.mark.parametrize(("faces", "count"), [(HAND, 5), (HAND, None), (None, 5), (None, None)])
def test_a_packet_that_says_what_was_entered_before_it_came_changes_nothing(
    faces: tuple[Card, ...] | None, count: int | None
) -> None:
    table = entered_before_its_packet(faces, count)
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.RECONCILING


@pytest.mark.parametrize("count", [5, None])
def test_a_hand_that_was_entered_is_held_against_its_packet_that_comes_later(count: int | None) -> None:
    """The packet was dropped without a word: what the shuffler had read of the hand was nowhere."""
    table = entered_before_its_packet(DECK[5:10], count)
    assert table.rule(Ruling.CONTINUE).accepted
    found = table.last(IrregularityFound)
    assert (found.irregularity, found.seat, table.phase()) == (Irregularity.DISPUTED_CARD, 2, Phase.HELD)


@pytest.mark.parametrize(("faces", "count"), [(HAND[:4], None), (HAND[:4], 4), (None, 4), (None, 6), (HAND, 6)])
def test_a_packet_of_another_count_voids_also_where_its_hand_was_entered_before(
    faces: tuple[Card, ...] | None, count: int | None
) -> None:
    table = entered_before_its_packet(faces, count)
    assert table.rule(Ruling.CONTINUE).accepted
    while table.phase() is Phase.HELD:
        assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT


def entered_before_its_packet(faces: tuple[Card, ...] | None, count: int | None) -> Table:
    """The second hand was entered while its packet was still in the shuffler, which then tells of it."""
    table = first_of_two()
    table.device(EventsLost(3, "its store was full"))
    assert table.enter(2, HAND).accepted
    table.device(PacketDispensed(2, count, faces))
    table.deliver(2)
    return table


def test_the_proof_finds_a_card_that_was_entered_and_lies_face_down_elsewhere() -> None:
    table = first_of_two()
    table.device(Restarted("boot-2"))
    assert table.enter(2, (*DECK[20:24], DECK[0])).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(IrregularityFound).irregularity is Irregularity.DUPLICATE_CARD


def test_a_hand_that_lies_face_down_is_entered_by_a_supervisor_only_before_its_turn() -> None:
    table = Table(settings(source=replace(SEES_ALL, reads_faces=False))).dealt(1, 2)
    table.press(Button.VOID)
    assert table.ask(EnterCards(SeatNumber(2), HAND), Actor.DEALER).code == "not-asked"
    assert table.enter(2, HAND).accepted
