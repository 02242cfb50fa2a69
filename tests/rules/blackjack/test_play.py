"""What a player may do, and why not: every house option, every state of a hand."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from daemon.rules.blackjack.house import HOUSE, BlackjackHouse, BlackjackPays, DoubleOn, Insurance, SplitAces
from daemon.rules.blackjack.play import (
    CARD_DUE,
    DECIDED,
    Action,
    HandState,
    Play,
    deal,
    decide,
    draw,
    legal_actions,
    refusal,
    split_refusal,
)
from daemon.rules.results import RefusalCode, Refused
from protocols.cards import Card, Rank, Suit, parse_cards
from tests.rules.blackjack.rounds import played
from tests.support.sentences import Says

STINGY = BlackjackHouse(
    double_on=DoubleOn.TEN_OR_ELEVEN,
    double_after_split=False,
    hands_max=2,
    split_aces=SplitAces.NEVER,
    late_surrender=False,
    insurance=Insurance.NONE,
)


def _allowed(play: Play, house: BlackjackHouse = HOUSE) -> set[str]:
    return {action.value for action, why_not in legal_actions(play, house).items() if why_not is None}


LEGAL = [
    # first two, up, moves, house, what is allowed
    ("5c 6d", "6h", [], HOUSE, {"stand", "hit", "double", "surrender"}),
    ("8c 8d", "6h", [], HOUSE, {"stand", "hit", "double", "split", "surrender"}),
    ("Kc Qd", "6h", [], HOUSE, {"stand", "hit", "double", "split", "surrender"}),
    ("Ac Kd", "6h", [], HOUSE, set()),
    ("Ac Kd", "Ah", [], HOUSE, {"even_money"}),
    ("5c 6d", "6h", ["hit"], HOUSE, set()),
    ("5c 6d", "6h", ["hit", "2c"], HOUSE, {"stand", "hit"}),
    ("5c 6d", "6h", ["hit", "Tc"], HOUSE, set()),
    ("5c 6d", "6h", ["double"], HOUSE, set()),
    ("5c 6d", "6h", ["double", "2c"], HOUSE, set()),
    ("5c 6d", "6h", ["surrender"], HOUSE, set()),
    ("5c 6d", "6h", ["stand"], HOUSE, set()),
    ("9c 7d", "6h", ["hit", "Tc"], HOUSE, set()),
    ("8c 8d", "6h", ["split"], HOUSE, set()),
    ("8c 8d", "6h", ["split", "3c"], HOUSE, {"stand", "hit", "double"}),
    ("8c 8d", "6h", ["split", "8h"], HOUSE, {"stand", "hit", "double", "split"}),
    ("8c 8d", "6h", ["split", "8h", "split", "8s", "split", "8c"], HOUSE, {"stand", "hit", "double"}),
    ("Ac Ad", "6h", ["split", "5h"], HOUSE, set()),
    ("Ac Ad", "6h", ["split", "5h", "Ah"], HOUSE, set()),
    ("Tc Ts", "6h", ["split", "Ah"], HOUSE, set()),
    ("5c 6d", "6h", [], STINGY, {"stand", "hit", "double"}),
    ("5c 4d", "6h", [], STINGY, {"stand", "hit"}),
    ("8c 8d", "6h", [], STINGY, {"stand", "hit", "split"}),
    ("8c 8d", "6h", ["split", "3c"], STINGY, {"stand", "hit"}),
    ("8c 8d", "6h", ["split", "8h"], STINGY, {"stand", "hit"}),
    ("Ac Ad", "6h", [], STINGY, {"stand", "hit"}),
    ("Ac Kd", "Ah", [], STINGY, set()),
]


@pytest.mark.parametrize(("first_two", "up", "moves", "house", "allowed"), LEGAL)
def test_what_may_be_decided_now(
    first_two: str, up: str, moves: list[str], house: BlackjackHouse, allowed: set[str]
) -> None:
    assert _allowed(played(first_two, up, *moves, house=house), house) == allowed


WHY_NOT = [
    ("8c 7d", "6h", [], HOUSE, "split", RefusalCode.ILLEGAL_ACTION, "same worth"),
    ("8c 7d", "6h", ["hit", "2c"], HOUSE, "double", RefusalCode.ILLEGAL_ACTION, "first two cards"),
    ("8c 7d", "6h", ["hit", "2c"], HOUSE, "split", RefusalCode.ILLEGAL_ACTION, "same worth"),
    ("8c 7d", "6h", ["hit", "2c"], HOUSE, "surrender", RefusalCode.ILLEGAL_ACTION, "first two cards"),
    ("8c 8d", "6h", ["split", "2c"], HOUSE, "surrender", RefusalCode.ILLEGAL_ACTION, "before anything else"),
    ("8c 8d", "6h", ["split", "2c"], STINGY, "double", RefusalCode.NOT_OFFERED, "split hand"),
    ("8c 8d", "6h", ["split", "8c"], STINGY, "split", RefusalCode.NOT_OFFERED, "at most 2 hands"),
    ("Ac Ad", "6h", [], STINGY, "split", RefusalCode.NOT_OFFERED, "does not split aces"),
    ("8c 7d", "6h", [], STINGY, "double", RefusalCode.NOT_OFFERED, "10-11"),
    ("8c 7d", "6h", [], STINGY, "surrender", RefusalCode.NOT_OFFERED, "no surrender"),
    ("Ac Kd", "Ah", [], STINGY, "even_money", RefusalCode.NOT_OFFERED, "insurance"),
    ("Ac Kd", "Kh", [], HOUSE, "even_money", RefusalCode.ILLEGAL_ACTION, "dealer's ace"),
    ("Ac Qd", "Ah", ["even_money"], HOUSE, "even_money", RefusalCode.ILLEGAL_ACTION, "not settled"),
    ("Ac 9d", "Ah", [], HOUSE, "even_money", RefusalCode.ILLEGAL_ACTION, "natural"),
    ("8c 7d", "6h", ["stand"], HOUSE, "hit", RefusalCode.ILLEGAL_ACTION, "every hand is finished"),
    ("8c 7d", "6h", ["hit"], HOUSE, "hit", RefusalCode.ILLEGAL_ACTION, "a card is due"),
]


@pytest.mark.parametrize(("first_two", "up", "moves", "house", "action", "code", "why"), WHY_NOT)
def test_why_it_may_not_be_decided(
    first_two: str, up: str, moves: list[str], house: BlackjackHouse, action: str, code: RefusalCode, why: str
) -> None:
    answer = decide(played(first_two, up, *moves, house=house), Action(action), house)
    assert isinstance(answer, Refused)
    assert answer.code is code
    assert answer.message.startswith(f"{action}: ")
    assert why in answer.message


@pytest.mark.parametrize(
    ("double_on", "doubled"),
    [
        (DoubleOn.ANY_TWO, set(range(4, 22))),
        (DoubleOn.NINE_TO_ELEVEN, {9, 10, 11}),
        (DoubleOn.TEN_OR_ELEVEN, {10, 11}),
    ],
)
def test_double_on_any_two_9_to_11_10_to_11(double_on: DoubleOn, doubled: set[int]) -> None:
    house = replace(HOUSE, double_on=double_on)
    for low, high in product(range(2, 11), repeat=2):
        play = deal(Card(Rank(low), Suit.CLUBS), Card(Rank(high), Suit.HEARTS), Card.parse("5c"))
        assert (refusal(play, Action.DOUBLE, house) is None) == (low + high in doubled)


def test_a_soft_19_is_no_9_to_a_house_that_doubles_9_to_11() -> None:
    play = played("Ac 8d", "6h")
    assert refusal(play, Action.DOUBLE, replace(HOUSE, double_on=DoubleOn.NINE_TO_ELEVEN)) is not None
    assert refusal(play, Action.DOUBLE, HOUSE) is None


@pytest.mark.parametrize("hands_max", [2, 3, 4])
def test_splits_up_to_so_many_hands(hands_max: int, says: Says) -> None:
    house = replace(HOUSE, hands_max=hands_max)
    play = played("9c 9d", "6h")
    for hands in range(2, hands_max + 1):
        split = decide(play, Action.SPLIT, house)
        assert isinstance(split, Play)
        assert len(split.hands) == hands
        drawn = draw(split, Card.parse("9h"), house)
        assert isinstance(drawn, Play)
        play = drawn
    why_not = decide(play, Action.SPLIT, house)
    assert isinstance(why_not, Refused)
    says(why_not.message)


def test_aces_split_like_pairs_are_drawn_to_and_split_again() -> None:
    house = replace(HOUSE, split_aces=SplitAces.LIKE_PAIRS)
    assert _allowed(played("Ac Ad", "6h", "split", "5h", house=house), house) == {"stand", "hit", "double"}
    assert "split" in _allowed(played("Ac Ad", "6h", "split", "Ah", house=house), house)


def test_aces_split_once_are_not_split_again_and_take_one_card() -> None:
    play = played("Ac Ad", "6h", "split", "Ah", "Tc")
    assert [hand.state for hand in play.hands] == [HandState.STANDING, HandState.STANDING]


def test_a_two_card_21_after_a_split_stands_and_is_no_natural() -> None:
    play = played("Tc Td", "6h", "split", "Ah", "Ac")
    assert [hand.state for hand in play.hands] == [HandState.STANDING, HandState.STANDING]


def test_hands_are_played_from_the_first_and_a_new_one_comes_right_behind_it() -> None:
    play = played("8c 8d", "6h", "split", "8h", "split", "2c", "stand")
    assert [[str(card) for card in hand.cards] for hand in play.hands] == [["8c", "2c"], ["8h"], ["8d"]]
    assert play.turn == 1
    assert play.card_due


def test_a_card_that_no_decision_asked_for_is_refused() -> None:
    for play in (played("8c 8d", "6h"), played("8c 8d", "6h", "stand"), played("Ac Kd", "6h")):
        undue = draw(play, Card.parse("2c"), HOUSE)
        assert undue == Refused(RefusalCode.ILLEGAL_ACTION, "no decision of this player has made a card due")


@pytest.mark.parametrize("pays", list(BlackjackPays))
@pytest.mark.parametrize("insurance", list(Insurance))
def test_even_money_is_for_houses_with_insurance_that_pay_3_to_2(pays: BlackjackPays, insurance: Insurance) -> None:
    house = BlackjackHouse(blackjack_pays=pays, insurance=insurance)
    offered = pays is BlackjackPays.THREE_TO_TWO and insurance is not Insurance.NONE
    assert (refusal(played("Ac Kd", "Ah"), Action.EVEN_MONEY, house) is None) == offered


def _walk(play: Play, house: BlackjackHouse, depth: int, found: set[tuple[str, str, str]]) -> None:
    """Every decision and one card of each worth, as deep as asked; collects the moves of the hand that moved."""
    turn = play.turn
    if depth == 0:
        return
    for action, why_not in legal_actions(play, house).items():
        after = decide(play, action, house)
        assert isinstance(after, Refused) == (why_not is not None)
        if isinstance(after, Play):
            at = turn or 0
            found.add((play.hands[at].state.value, action.value, after.hands[at].state.value))
            _walk(after, house, depth - 1, found)
    if play.card_due and turn is not None:
        for rank in (Rank.TWO, Rank.SIX, Rank.TEN, Rank.ACE):
            drawn = draw(play, Card(rank, Suit.SPADES), house)
            assert isinstance(drawn, Play)
            found.add((play.hands[turn].state.value, "card", drawn.hands[turn].state.value))
            _walk(drawn, house, depth - 1, found)


def test_hands_move_by_the_documented_transitions_and_no_others() -> None:
    found: set[tuple[str, str, str]] = set()
    for ranks in product((Rank.FIVE, Rank.SIX, Rank.TEN, Rank.ACE), repeat=2):
        _walk(deal(Card(ranks[0], Suit.CLUBS), Card(ranks[1], Suit.HEARTS), Card.parse("Ad")), HOUSE, 5, found)
    decided = {(before.value, action.value, after.value) for (before, action), after in DECIDED.items()}
    drawn = {
        ("second-card-due", "card", "deciding"),
        ("second-card-due", "card", "standing"),
        ("hit-card-due", "card", "deciding"),
        ("hit-card-due", "card", "standing"),
        ("hit-card-due", "card", "bust"),
        ("double-card-due", "card", "standing"),
        ("double-card-due", "card", "bust"),
    }
    assert found == decided | drawn
    assert {before for before, _, _ in drawn} == {state.value for state in CARD_DUE}


@pytest.mark.parametrize(("decks", "hands_max"), [(1, 2), (8, 4)])
def test_the_least_and_the_most_are_allowed(decks: int, hands_max: int) -> None:
    assert BlackjackHouse(decks=decks, hands_max=hands_max).decks == decks


def test_aces_that_split_once_say_so() -> None:
    why_not = split_refusal(parse_cards("Ac Ad"), 2, HOUSE)
    assert why_not == Refused(RefusalCode.NOT_OFFERED, "split: this house splits aces once")
