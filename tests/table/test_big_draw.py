"""Big Draw at the table, clause by clause (big-draw.md, steps 2, 3 and 5 of the round)."""

from __future__ import annotations

import pytest

from daemon.frozen import replace
from daemon.rules.big_draw import DrawStyle
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.inputs import Decide
from daemon.table.round_facts import (
    CardsAsked,
    DeckAccounted,
    HandDealt,
    HandSettled,
    IrregularityFound,
    PlayerDecided,
    RoundHeld,
    RoundInterrupted,
    RoundSettled,
    RoundVoided,
)
from daemon.table.settings import Reconciling
from daemon.table.state import Deck, Phase
from daemon.table.view import public
from daemon.table.vocabulary import (
    Actor,
    Decision,
    DeckProof,
    Irregularity,
    PromptAction,
    Ruling,
    SeatNumber,
)
from drivers.commands import Dispense, SetMode
from drivers.events import Button, EventsLost, FaultKind, FaultRaised, PacketDispensed, Restarted
from protocols.cards import Card, Face, Misread
from tests.support.sentences import Says
from tests.table.big_draw_playing import JACKS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.test_view import cards_in

BIG_DRAW = (WagerName.BIG_DRAW,)
FACE_UP = BigDrawAtTable(draw=DrawStyle.FACE_UP)


def three(**changes: object) -> BigDrawTable:
    """Seats 1, 2 and 3 have only a Big Draw bet; the button lies at 2."""
    table = BigDrawTable(NOTHING, JACKS, TWO_PAIR, **changes)
    table.move_button(2)
    return table.hands_out(1, 2, 3, wagers=BIG_DRAW)


def one(**changes: object) -> BigDrawTable:
    return BigDrawTable(TWO_PAIR, **changes).hands_out(1, wagers=BIG_DRAW)


def order_of(table: BigDrawTable, kind: type[HandDealt | HandSettled | PlayerDecided]) -> list[int]:
    return [fact.seat for fact in table.said(kind)]


# --- step 2: five cards each ---


def test_a_shuffler_gives_five_at_once_from_the_button_on() -> None:
    table = three()
    assert [(fact.seat, fact.count, fact.drawn) for fact in table.said(HandDealt)] == [
        (2, 5, False),
        (3, 5, False),
        (1, 5, False),
    ]


@pytest.mark.parametrize("count", [4, 6])
def test_a_wrong_count_is_seen_at_once_and_voids_all_hands(count: int) -> None:
    table = BigDrawTable(NOTHING, JACKS).opened().bets(1, 2)
    table.press()
    table.dispense(1, table.draw(count))
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT
    assert table.deck_state() is Deck.UNKNOWN


def test_a_card_that_is_there_twice_is_seen_before_money_moves_on_it() -> None:
    table = BigDrawTable(NOTHING).opened().bets(1, 2)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.dispense(2, [*JACKS[:4], NOTHING[0]])
    table.deliver(2)
    assert table.last(RoundVoided).irregularity is Irregularity.DUPLICATE_CARD
    assert table.said(PlayerDecided) == []


# --- step 3: discards ---


def test_players_are_asked_from_the_button_on(says: Says) -> None:
    table = three()
    says(table.state.prompt)
    assert table.draw_cards(1, 0).code == "out-of-turn"
    table.drawing((2, 1), (3, 2), (1, 3))
    assert order_of(table, PlayerDecided) == [2, 3, 1]


@pytest.mark.parametrize(("count", "code"), [(-1, "illegal-action"), (6, "illegal-action"), (None, "count-missing")])
def test_nought_to_five_cards_are_given_up(count: int | None, code: str) -> None:
    table = one()
    assert table.ask(Decide(SeatNumber(1), Decision.DRAW, None, count)).code == code


@pytest.mark.parametrize("cards", range(6))
def test_each_number_has_a_key(cards: int) -> None:
    table = one()
    table.press(Button(f"draw-{cards}"))
    assert table.last(PlayerDecided).discards == cards


def test_how_many_each_gave_up_is_public_and_which_is_not() -> None:
    table = one()
    assert table.draw_cards(1, 2, *TWO_PAIR[3:]).accepted
    assert public(table.state).seats[0].draws == 2
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == set()


@pytest.mark.parametrize("named", [TWO_PAIR[:1], (TWO_PAIR[0], TWO_PAIR[0]), (*TWO_PAIR[:2], TWO_PAIR[0])])
def test_whoever_names_discards_names_as_many_different_ones(named: tuple[Card, ...]) -> None:
    assert one().draw_cards(1, 2, *named).code == "wrong-count"


def test_a_player_says_how_many_cards_and_not_which(says: Says) -> None:
    """What is named is the hand that is paid: a player named one card and gave up another, and none was turned over."""
    table = one()
    named = Decide(SeatNumber(1), Decision.DRAW, None, 1, (TWO_PAIR[4],))
    refused = table.ask(named, Actor.PLAYER)
    assert refused.code == "not-permitted"
    says(refused.message)
    assert table.ask(replace(named, discarded=()), Actor.PLAYER).accepted


def test_naming_a_card_that_is_not_there_is_answered_like_any_other() -> None:
    """A refusal would tell the asker what the hand holds; the hand is entered when it is turned over."""
    table = one()
    assert table.draw_cards(1, 1, NOTHING[0]).accepted
    table.give_all().collect()
    assert table.last(CardsAsked).seat == 1


@pytest.mark.parametrize("decision", [Decision.FOLD, Decision.PLAY, Decision.STAND])
def test_a_decision_of_another_game_is_refused(decision: Decision) -> None:
    assert one().ask(Decide(SeatNumber(1), decision)).code == "not-offered"


def test_no_stake_is_put_down_for_a_draw() -> None:
    assert one().ask(Decide(SeatNumber(1), Decision.DRAW, 500, 1), Actor.PLAYER).code == "not-offered"


# --- step 5: the draws ---


def test_a_draw_is_a_packet_of_as_many_cards_and_after_the_last_the_size_is_five_again() -> None:
    table = three().drawing((2, 3), (3, 0), (1, 1))
    table.give_all()
    ordered = [command for command in table.commands if isinstance(command, SetMode | Dispense)]
    assert ordered[-5:] == [SetMode(3), Dispense(4), SetMode(1), Dispense(5), SetMode(5)]
    drawn = [(fact.seat, fact.count) for fact in table.said(HandDealt) if fact.drawn]
    assert drawn == [(2, 3), (1, 1)]


def test_until_the_next_draw_is_known_the_shuffler_is_left_as_it_is() -> None:
    """Setting it back to five between two draws would be two orders for nothing."""
    table = three().drawing((2, 3), (3, 3), (1, 0))
    before = table.commands.count(SetMode(5))
    table.give_all()
    assert table.commands[-3:] == [Dispense(4), Dispense(5), SetMode(5)]
    assert table.commands.count(SetMode(5)) == before + 1


def test_face_down_nothing_is_shown_before_the_deck_is_proven() -> None:
    table = three().drawing((2, 5), (3, 5), (1, 5)).give_all()
    assert table.phase() is Phase.DEALT
    assert cards_in(tuple(table.facts)) == cards_in(public(table.state)) == set()
    table.collect()
    kinds = [type(fact) for fact in table.facts if isinstance(fact, DeckAccounted | HandSettled)]
    assert kinds == [DeckAccounted, HandSettled]


def test_big_draw_is_settled_from_the_button_on() -> None:
    table = three().drawing((2, 0), (3, 5), (1, 0)).give_all().collect().next_all()
    assert order_of(table, HandSettled) == [2, 3, 1]


def test_face_up_each_hand_is_settled_as_soon_as_its_draw_is_there() -> None:
    table = three(options=FACE_UP).drawing((2, 5), (3, 0), (1, 5))
    table.dispense(4)
    assert table.said(HandSettled) == []
    table.deliver(4)
    assert (table.phase(), order_of(table, HandSettled)) == (Phase.RECONCILING, [2])
    table.press(Button.NEXT)
    assert order_of(table, HandSettled) == [2, 3]
    table.press(Button.NEXT)
    assert table.phase() is Phase.DEALING
    table.give_all()
    assert order_of(table, HandSettled) == [2, 3, 1]
    table.press(Button.NEXT)
    assert table.phase() is Phase.DEALT
    table.collect()
    assert (len(table.said(DeckAccounted)), len(table.said(RoundSettled))) == (1, 1)


def test_face_up_it_can_run_through_at_once() -> None:
    table = three(options=FACE_UP, reconciling=Reconciling.THROUGH).drawing((2, 5), (3, 0), (1, 0))
    table.give_all()
    assert (table.phase(), order_of(table, HandSettled)) == (Phase.DEALT, [2, 3, 1])


def test_face_up_a_deck_that_is_not_proven_in_the_end_undoes_what_was_paid() -> None:
    table = one(options=FACE_UP).drawing((1, 0))
    assert table.last(HandSettled).wagers[0].pays_cents == 500
    table.press(Button.NEXT)
    table.press()
    table.eject(faces=table.draw(46))
    voided = table.last(RoundVoided)
    assert voided.irregularity is Irregularity.DECK_NOT_PROVEN
    assert [(step.action, step.amount_cents) for step in voided.undone] == [(PromptAction.TAKE, 500)]


def test_face_up_a_packet_that_comes_while_a_hand_lies_open_is_irregular() -> None:
    table = three(options=FACE_UP).drawing((2, 0), (3, 5), (1, 0))
    assert table.phase() is Phase.RECONCILING
    table.dispense(4, table.draw(5))
    assert table.last(IrregularityFound).irregularity is Irregularity.HAND_WITHOUT_STAKE


# --- irregular draws ---


@pytest.mark.parametrize("count", [1, 3])
def test_a_draw_of_another_number_voids_all_hands(count: int, says: Says) -> None:
    table = one().drawing((1, 2))
    table.dispense(2, table.draw(count))
    voided = table.last(RoundVoided)
    assert voided.irregularity is Irregularity.WRONG_COUNT
    says(voided.reason)


def test_a_draw_for_a_player_who_stood_is_for_nobody() -> None:
    table = one().drawing((1, 0))
    table.dispense(2, table.draw(1))
    assert table.last(RoundVoided).irregularity is Irregularity.HAND_WITHOUT_STAKE


def test_cards_that_come_while_players_still_decide_are_irregular() -> None:
    table = one()
    table.dispense(2, table.draw(2))
    assert table.last(RoundVoided).irregularity is Irregularity.HAND_WITHOUT_STAKE


def test_the_rest_of_the_deck_before_a_draw_is_a_missing_hand() -> None:
    table = one().drawing((1, 2))
    table.eject()
    assert table.last(RoundVoided).irregularity is Irregularity.MISSING_HAND


def test_a_draw_that_the_machine_will_never_give_is_entered_before_the_round_goes_on() -> None:
    """The rest of the deck is out. To go on without the two cards left the table waiting for them without end."""
    table = one(supervised=(Irregularity.MISSING_HAND,)).drawing((1, 2))
    drawn = tuple(card for card in table.deck[:2] if isinstance(card, Card))
    rest = table.deck[2:]
    table.eject(faces=rest)
    refused = table.rule(Ruling.CONTINUE)
    assert (refused.code, "the draw of seat 1" in refused.message) == ("hands-missing", True)
    assert table.phase() is Phase.HELD
    assert table.enter(1, drawn).accepted, table.answer
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.RECONCILING


def test_a_drawn_card_that_was_dealt_before_is_a_duplicate() -> None:
    table = one().drawing((1, 1))
    table.dispense(2, [TWO_PAIR[0]])
    table.deliver(2)
    assert table.last(RoundVoided).irregularity is Irregularity.DUPLICATE_CARD


def test_a_drawn_card_without_a_name_is_entered_by_a_supervisor() -> None:
    table = one(supervised=(Irregularity.UNREADABLE_CARD,)).drawing((1, 1))
    unread: list[Face] = [Misread.UNREADABLE]
    (card,) = table.draw(1)
    table.dispense(2, unread)
    table.deliver(2)
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).code == "cards-unnamed"
    assert isinstance(card, Card)
    assert table.enter(1, (card,)).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALT
    assert table.collect().last(DeckAccounted).proof is DeckProof.CONFIRMED


def test_the_same_misread_in_a_hand_and_in_its_draw_stops_twice() -> None:
    table = BigDrawTable(supervised=(Irregularity.UNREADABLE_CARD,)).opened().bets(1, wagers=BIG_DRAW)
    table.press()
    table.dispense(1, [*TWO_PAIR[:4], Misread.UNREADABLE])
    table.deliver(1)
    table.enter(1, TWO_PAIR)
    assert table.rule(Ruling.CONTINUE).accepted
    table.drawing((1, 1))
    table.dispense(2, [Misread.UNREADABLE])
    table.deliver(2)
    assert table.phase() is Phase.HELD


def test_a_hole_in_the_record_while_players_decide_interrupts_and_draws_still_come_after_a_ruling() -> None:
    table = one()
    table.device(EventsLost(None, "gone"))
    assert len(table.said(RoundInterrupted)) == 1
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DECIDING
    table.drawing((1, 5)).give_all()
    assert table.phase() is Phase.DEALT
    assert table.collect().last(DeckAccounted).proof is DeckProof.CONFIRMED


def test_a_hole_in_the_record_after_the_last_draw_waives_the_rest_of_the_deck() -> None:
    table = one().drawing((1, 5)).give_all()
    table.device(Restarted("boot-2"))
    assert table.rule(Ruling.CONTINUE).accepted
    assert (table.phase(), table.last(DeckAccounted).proof) == (Phase.RECONCILING, DeckProof.CONFIRMED)


def test_a_packet_twice_is_irregular() -> None:
    table = one().drawing((1, 2))
    table.dispense(2)
    table.device(PacketDispensed(2, 2, TWO_PAIR[:2]))
    assert table.last(IrregularityFound).irregularity is Irregularity.UNEXPECTED_CARDS


def test_a_fault_of_the_machine_after_all_cards_are_out_moves_no_round() -> None:
    table = one().drawing((1, 0)).give_all().collect()
    assert table.phase() is Phase.RECONCILING
    table.device(FaultRaised(FaultKind.JAM, ""))
    assert (table.phase(), table.said(RoundHeld)) == (Phase.RECONCILING, [])
