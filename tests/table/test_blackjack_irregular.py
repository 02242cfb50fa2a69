"""What goes wrong at a shoe, and what it does to a round of blackjack: each irregularity, its void or its ruling."""

from __future__ import annotations

import pytest

from daemon.table.facts import ButtonRefused, DeviceAnomaly
from daemon.table.inputs import CloseTable
from daemon.table.round_facts import (
    CardBurned,
    CardDealt,
    HandSettled,
    IrregularityFound,
    RoundSettled,
    RoundVoided,
)
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, Evidence, Irregularity, Policy, Ruling
from drivers.events import (
    Button,
    CardDrawn,
    CardReturned,
    Claim,
    Confidence,
    DealCleared,
    DeviceEvent,
    FaultCleared,
    FaultKind,
    FaultRaised,
    OutsideGame,
    ReadFailed,
    ShoeLockChanged,
)
from protocols.cards import Card, Face, Misread
from tests.support.sentences import Says
from tests.table.blackjack_playing import MAIN, Blackjack, house_of

EVERY = tuple(irregularity for irregularity in Irregularity if irregularity is not Irregularity.WRONG_COUNT)
FIRST_CARDS = "5c 9c 6d 9s"


def supervised(first_cards: str = "", **changes: object) -> Blackjack:
    """A house in which a supervisor rules on everything that may be ruled on."""
    table = Blackjack(supervised=EVERY, **changes)  # type: ignore[arg-type]
    return table.deal(first_cards) if first_cards else table


def found(table: Blackjack) -> Irregularity | None:
    """What was found last."""
    facts = table.said(IrregularityFound)
    return facts[-1].irregularity if facts else None


def draw(table: Blackjack, face: Face, **more: object) -> None:
    table.device(CardDrawn(face, Confidence.CHECKED, **more))  # type: ignore[arg-type]


ANY_CARD = Card.parse("2h")


# --- a card that nothing made due ---


@pytest.mark.parametrize(
    "reach",
    [
        pytest.param(lambda table: table.deal("5c 9c 6d 9s"), id="while a player decides"),
        pytest.param(lambda table: table.deal("5c Ac 6d 9s"), id="while insurance is sold"),
        pytest.param(lambda table: table.deal("Ac 9c Kd 9s"), id="while a natural is paid"),
        pytest.param(lambda table: table.deal("Tc 9c Td 9s").says(1, Decision.STAND), id="past the dealer's 17"),
    ],
)
@pytest.mark.parametrize(
    ("happening", "irregularity"),
    [
        pytest.param(CardDrawn(ANY_CARD, Confidence.CHECKED), Irregularity.CARD_OUT_OF_TURN, id="one more is drawn"),
        pytest.param(CardReturned(4), Irregularity.CARD_RETURNED, id="one is pushed back"),
    ],
)
def test_once_cards_are_seen_a_hand_at_the_shoe_voids_no_round(
    reach: object, happening: DeviceEvent, irregularity: Irregularity
) -> None:
    """A dealer who sees that the wrong player loses could otherwise void the round alone, also after its results."""
    table = Blackjack()
    reach(table)  # type: ignore[operator]
    table.device(happening)
    assert table.last(IrregularityFound).policy is Policy.SUPERVISOR
    assert (found(table), table.phase()) == (irregularity, Phase.HELD)
    assert table.said(RoundVoided) == []
    table.rule(Ruling.VOID)
    assert table.last(RoundVoided).who is not None


def test_a_card_while_bets_are_taken_is_an_irregularity_at_once() -> None:
    table = Blackjack()
    table.stake(1)
    table.card(ANY_CARD)
    assert table.last(IrregularityFound).policy is Policy.VOID
    assert table.last(RoundVoided).irregularity is Irregularity.CARD_OUT_OF_TURN


def test_a_second_card_for_a_double_is_one_too_many() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    table.says(1, Decision.DOUBLE, "2c")
    assert table.phase() is Phase.RECONCILING
    table.card(ANY_CARD)
    assert found(table) is Irregularity.CARD_OUT_OF_TURN


def test_where_the_house_has_a_supervisor_rule_the_card_is_put_aside_and_the_round_goes_on() -> None:
    table = supervised(FIRST_CARDS)
    table.card(ANY_CARD)
    assert table.phase() is Phase.HELD
    assert table.decide(1, Decision.STAND).code == "not-while-held"
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DECIDING
    table.says(1, Decision.DOUBLE, "Tc").finish()
    assert table.pays(1) == {MAIN: 2000}


def test_while_bets_are_taken_a_ruling_goes_back_to_the_bets() -> None:
    table = supervised()
    table.stake(1)
    table.card(ANY_CARD)
    assert table.phase() is Phase.HELD
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.BETTING
    assert table.bet(1, MAIN, 500).accepted


def test_every_card_that_comes_while_the_round_is_held_is_found() -> None:
    table = supervised(FIRST_CARDS)
    table.card(ANY_CARD)
    table.card(ANY_CARD)
    assert len(table.said(IrregularityFound)) == 2
    assert table.phase() is Phase.HELD


def test_with_no_round_a_stray_card_keeps_the_next_one_from_opening() -> None:
    table = Blackjack()
    table.ask(CloseTable())
    table.void()
    assert table.phase() is Phase.IDLE
    table.card(ANY_CARD)
    assert table.state.blocked_by == ("card-out-of-turn-shuffler",)


# --- the ledger ---


def test_a_card_more_often_than_the_decks_hold_it_is_an_irregularity_at_once() -> None:
    table = Blackjack(house_of(decks=1)).deal("5c 9c 6d")
    table.cards("5c")
    assert found(table) is Irregularity.CARD_TOO_OFTEN
    assert table.last(RoundVoided).irregularity is Irregularity.CARD_TOO_OFTEN
    assert "5c" not in table.last(IrregularityFound).message


def test_it_is_found_over_rounds_of_the_same_shoe() -> None:
    table = Blackjack(house_of(decks=1)).deal("5c 9c Td 9s")
    table.says(1, Decision.STAND).finish()
    table.deal("8c 9c")
    assert found(table) is Irregularity.CARD_TOO_OFTEN


def test_a_shoe_that_was_foul_is_changed_even_if_the_round_goes_on() -> None:
    table = supervised(options=house_of(decks=1))
    table.deal("5c 9c 6d 5c")
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).code == "card-unplaced"
    assert table.enter_hand(0, [Card.parse("9c"), Card.parse("5c")]).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    table.says(1, Decision.STAND, "Td").finish()
    assert len(table.said(RoundSettled)) == 1
    assert table.state.shoe is None


# --- cards without a name, and those that were not read ---


@pytest.mark.parametrize(
    ("face", "irregularity"),
    [
        (Misread.UNREADABLE, Irregularity.UNREADABLE_CARD),
        (Misread.BOXED, Irregularity.BOXED_CARD),
        (Misread.FOREIGN, Irregularity.FOREIGN_CARD),
    ],
)
def test_a_card_without_a_name_voids(face: Misread, irregularity: Irregularity) -> None:
    table = Blackjack().deal("5c 9c")
    table.card(face)
    assert table.last(RoundVoided).irregularity is irregularity


def test_a_supervisor_names_the_card_and_the_round_goes_on_from_there() -> None:
    table = supervised("5c 9c 6d 9s")
    table.decide(1, Decision.HIT)
    table.card(Misread.UNREADABLE)
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).code == "card-unplaced"
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d", "Th"))).accepted
    said = table.last(CardDealt)
    assert (said.seat, said.position, str(said.card), said.evidence.value) == (1, 3, "Th", "entered-by-person")
    assert table.rule(Ruling.CONTINUE).accepted
    table.finish()
    assert table.pays(1) == {MAIN: 1000}
    assert table.state.shoe is not None
    assert (table.state.shoe.gone, table.state.shoe.unnamed) == (5, 0)


def test_a_dealers_second_card_that_a_person_named_stays_hidden() -> None:
    table = supervised("5c 9c 6d")
    table.card(Misread.UNREADABLE)
    assert table.enter_hand(0, map(Card.parse, ("9c", "9s"))).accepted
    assert table.last(CardDealt).card is None
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.DECIDING
    table.says(1, Decision.STAND, "Td").finish()
    assert table.last(HandSettled).evidence is Evidence.ENTERED_BY_PERSON


def test_a_card_that_the_shoe_could_not_read_is_one_irregularity_however_it_is_told() -> None:
    for told in ((ReadFailed("error 1"), "card"), ("card", ReadFailed("error 1"))):
        table = supervised("5c 9c")
        for event in told:
            table.card(Misread.UNREADABLE) if event == "card" else table.device(event)  # type: ignore[arg-type]
        assert [fact.irregularity for fact in table.said(IrregularityFound)] == [Irregularity.UNREADABLE_CARD]
        assert table.rule(Ruling.CONTINUE).code == "card-unplaced"
        assert table.enter_hand(1, map(Card.parse, ("5c", "6d"))).accepted
        assert table.rule(Ruling.CONTINUE).accepted


def test_after_a_void_the_unread_card_that_still_comes_is_no_second_irregularity() -> None:
    table = Blackjack().deal("5c 9c")
    table.device(ReadFailed("error 1"))
    assert len(table.said(RoundVoided)) == 1
    table.load()
    table.put_back()
    table.stake(1)
    table.device(ReadFailed("error 1"))
    table.card(Misread.UNREADABLE)
    assert len(table.said(RoundVoided)) == 2


def test_an_unread_card_that_nothing_made_due_is_put_aside_by_the_ruling() -> None:
    table = supervised(FIRST_CARDS)
    table.device(ReadFailed("error 1"))
    table.card(Misread.UNREADABLE)
    assert table.rule(Ruling.CONTINUE).accepted
    table.says(1, Decision.DOUBLE, "Tc").finish()
    assert table.pays(1) == {MAIN: 2000}


def test_a_burned_card_that_was_not_read_is_burned_all_the_same() -> None:
    table = Blackjack(house_of(burn_cards=1))
    table.device(ReadFailed("error 1"))
    table.card(Misread.UNREADABLE)
    assert table.last(CardBurned).still_due == 0
    assert table.phase() is Phase.BETTING
    assert table.said(IrregularityFound) == []


def test_a_reader_fault_holds_the_round_and_the_card_is_entered(says: Says) -> None:
    table = Blackjack().deal("5c 9c")
    table.device(FaultRaised(FaultKind.READER, "a card was not read"))
    assert table.phase() is Phase.HELD
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d"))).accepted
    table.device(FaultCleared(FaultKind.READER))
    assert table.rule(Ruling.CONTINUE).accepted
    says(table.state.prompt)


# --- what the shoe says of a card ---


def test_a_card_of_which_the_shoe_says_two_things_is_none() -> None:
    table = supervised("5c 9c 6d")
    table.card(ANY_CARD, Confidence.DISPUTED)
    assert found(table) is Irregularity.DISPUTED_CARD
    assert len(table.said(CardDealt)) == 3
    table.rule(Ruling.CONTINUE)
    table.cards("9s")
    assert table.phase() is Phase.DECIDING


def test_a_card_of_a_link_without_a_check_is_a_card() -> None:
    table = Blackjack()
    table.stake(1)
    table.press(Button.GREEN)
    for card in ("5c", "9c", "6d", "9s"):
        table.card(Card.parse(card), Confidence.UNCHECKED)
    assert table.phase() is Phase.DECIDING


@pytest.mark.parametrize("outside", OutsideGame)
def test_a_card_drawn_outside_the_shoes_game_is_irregular(outside: OutsideGame) -> None:
    table = Blackjack().deal("5c 9c")
    draw(table, ANY_CARD, outside=outside)
    assert table.last(RoundVoided).irregularity is Irregularity.CARD_OUTSIDE_GAME


def test_a_supervisor_may_let_it_lie_where_it_was_due() -> None:
    table = supervised("5c 9c")
    draw(table, Card.parse("6d"), outside=OutsideGame.LOCKED)
    assert table.rule(Ruling.CONTINUE).code == "card-unplaced"
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d"))).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.state.shoe is not None
    assert table.state.shoe.gone == 3


def test_what_the_shoe_claims_of_a_cards_place_is_never_looked_at() -> None:
    table = Blackjack()
    table.stake(1)
    table.press(Button.GREEN)
    for card, claim in zip(("5c", "9c", "6d", "9s"), ("burn", "banker", "first-card", "player"), strict=True):
        draw(table, Card.parse(card), claim=Claim(claim, 1))
    assert [seat for seat, *_ in table.dealt()] == [1, 0, 1, 0]
    assert table.phase() is Phase.DECIDING


def test_a_shoe_that_takes_its_own_deal_back_says_nothing_of_this_one() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    (fact,) = table.device(DealCleared())
    assert isinstance(fact, DeviceAnomaly)
    assert table.phase() is Phase.DECIDING


def test_a_lock_that_is_turned_moves_nothing() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    assert table.device(ShoeLockChanged(is_locked=True)) == []


def test_a_hole_in_the_shoes_own_count_is_a_missing_card() -> None:
    table = Blackjack()
    table.stake(1)
    table.press(Button.GREEN)
    draw(table, Card.parse("5c"), number=1)
    draw(table, Card.parse("9c"), number=3)
    assert table.last(RoundVoided).irregularity is Irregularity.CARD_MISSING


def test_a_card_put_back_is_irregular_and_the_shoe_is_changed_after_the_round() -> None:
    held = Blackjack().deal(FIRST_CARDS)
    held.device(CardReturned(None))
    held.rule(Ruling.CONTINUE)
    held.says(1, Decision.STAND).finish()
    assert len(held.said(RoundSettled)) == 1
    assert held.state.shoe is None


def test_no_round_is_dealt_from_a_shoe_that_was_foul_before_its_first_card() -> None:
    table = supervised()
    table.stake(1)
    table.device(CardReturned(None))
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.BETTING
    table.press(Button.GREEN)
    assert table.last(ButtonRefused).code == "shoe-spoiled"
    table.load()
    table.press(Button.GREEN)
    assert table.phase() is Phase.DEALING


def test_the_shoe_fails_to_read_again_after_a_ruling_and_the_round_stops_again() -> None:
    table = supervised("5c 9c")
    table.device(ReadFailed("error 1"))
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.DEALING
    table.device(ReadFailed("error 1"))
    assert table.phase() is Phase.HELD


def test_once_a_card_has_its_name_the_next_failure_to_read_is_of_another() -> None:
    table = supervised("5c 9c")
    table.card(Misread.UNREADABLE)
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d"))).accepted
    table.rule(Ruling.CONTINUE)
    table.device(ReadFailed("error 1"))
    assert table.phase() is Phase.HELD
