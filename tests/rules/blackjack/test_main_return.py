"""The main wager's mean against every round dealt through the game; and basic strategy against what else there is."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from fractions import Fraction

import pytest

from daemon.rules.blackjack.basic import basic_action
from daemon.rules.blackjack.dealer_odds import DealerEnd, Others, dealer_odds, odds_of_others
from daemon.rules.blackjack.house import (
    HOUSE,
    BlackjackHouse,
    BlackjackPays,
    DoubleOn,
    SplitAces,
    UnpeekedTakes,
)
from daemon.rules.blackjack.main_return import AgainstUp, main_return
from daemon.rules.blackjack.paytables import PAYTABLES
from daemon.rules.blackjack.play import Action, Play
from daemon.rules.blackjack.settle import settle
from daemon.rules.blackjack.shoe import Shoe
from daemon.rules.money import Cents
from daemon.rules.results import Settled
from daemon.rules.wagers import Wager, WagerName
from daemon.tools.rules.counting import ProgressWatch
from protocols.cards import Card
from tests.rules.blackjack.rounds import played
from tests.rules.blackjack.witness import Witness
from tests.support.sentences import Says

LONG = "FELTD_SOAK" in os.environ
STAKE = 20
"""Of which half, three halves and six fifths are whole."""


def _witnessed(house: BlackjackHouse, counts: tuple[int, ...]) -> tuple[Fraction, Fraction, Counter[int]]:
    """Mean net and mean of all that is staked, by every round; and how many hands the rounds had."""
    net, staked, seen = 0, 0, 0
    hands: Counter[int] = Counter()

    def sees(play: Play, dealer: tuple[Card, ...], orders: int) -> None:
        nonlocal net, staked, seen
        answer = settle(play, dealer, [Wager(WagerName.BLACKJACK, Cents(STAKE))], house)
        assert isinstance(answer, Settled)
        net += orders * answer.wagers[0].pays
        staked += orders * answer.wagers[0].stake
        seen += orders
        hands[len(play.hands)] += 1

    orders = Witness(house, lambda play: basic_action(play, house), sees).deal_all(counts)
    assert seen == orders, "the shoe ran out in some round: take a larger one"
    return Fraction(net, orders * STAKE), Fraction(staked, orders * STAKE), hands


LIKE_PAIRS = SplitAces.LIKE_PAIRS
WITNESSED = [
    ("as a rule", {"hands_max": 3}, (2, 0, 0, 0, 1, 0, 0, 4, 2, 5)),
    ("sixes and tens", {"hands_max": 3}, (1, 0, 0, 0, 1, 4, 1, 0, 0, 7)),
    ("sevens to four hands", {"hands_max": 4}, (0, 1, 0, 0, 0, 0, 5, 0, 1, 9)),
    ("no double after a split", {"hands_max": 3, "double_after_split": False}, (1, 0, 2, 0, 0, 0, 4, 0, 0, 7)),
    ("aces again", {"hands_max": 3, "split_aces": LIKE_PAIRS}, (4, 0, 0, 0, 0, 1, 0, 2, 3, 5)),
    ("aces once", {"hands_max": 4}, (4, 0, 0, 0, 0, 1, 0, 2, 3, 5)),
    ("soft 17 stands", {"hands_max": 2, "dealer_hits_soft_17": False}, (3, 0, 0, 0, 0, 3, 0, 2, 2, 5)),
    ("no surrender", {"hands_max": 2, "late_surrender": False}, (2, 0, 0, 0, 0, 2, 0, 2, 2, 5)),
    ("no peek", {"hands_max": 2, "peek": False}, (3, 0, 0, 0, 2, 0, 0, 2, 2, 5)),
    ("6 to 5", {"hands_max": 2, "blackjack_pays": BlackjackPays.SIX_TO_FIVE}, (3, 0, 0, 0, 2, 0, 0, 2, 2, 5)),
    ("10-11", {"hands_max": 2, "double_on": DoubleOn.TEN_OR_ELEVEN}, (1, 0, 0, 0, 3, 2, 0, 0, 2, 5)),
]


@pytest.mark.parametrize(("options", "counts"), [row[1:] for row in WITNESSED], ids=[row[0] for row in WITNESSED])
def test_the_mean_is_that_of_every_round_dealt_through_the_game(
    options: dict[str, object], counts: tuple[int, ...]
) -> None:
    house = replace(HOUSE, decks=8, **options)  # type: ignore[arg-type]
    net, staked, _ = _witnessed(house, counts)
    worth = main_return(house, Shoe(counts))
    assert (worth.net, worth.staked) == (net, staked)


def test_up_cards_that_are_counted_in_other_processes_add_up_to_the_same_mean() -> None:
    """With a paytable of the house's own, which cannot be sent to them."""
    house, shoe = replace(HOUSE, decks=8, hands_max=2, bad_beat_pays=PAYTABLES["P2"]), Shoe(WITNESSED[0][2])
    assert main_return(house, shoe, ProgressWatch()) == main_return(house, shoe)


def test_the_witness_splits_to_as_many_hands_as_there_may_be() -> None:
    _, _, hands = _witnessed(replace(HOUSE, decks=8), WITNESSED[2][2])
    assert set(hands) == {1, 2, 3, 4}


def test_the_mean_of_a_house_that_spares_the_double_is_not_guessed() -> None:
    with pytest.raises(ValueError, match="original stake only"):
        main_return(replace(HOUSE, peek=False, unpeeked_blackjack_takes=UnpeekedTakes.ORIGINAL))


def test_others_that_are_unlike_a_worth_are_drawn_after_the_dealer_or_before_him_all_the_same() -> None:
    shoe, others = Shoe((2, 0, 0, 0, 0, 2, 2, 3, 2, 4)), Others(worth=8, count=1)
    together = dealer_odds(6, shoe, True, others)
    first = dict.fromkeys(DealerEnd, Fraction(0))
    for worth, chance, left in shoe.draws():
        if worth != 8:
            for end, odds in dealer_odds(6, left, True).items():
                first[end] += chance * odds
    assert dict(together) == first
    assert sum(together.values()) == odds_of_others(shoe, others) == Fraction(12, 15)


# Basic strategy.

CHOICES = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
NEARLY = Fraction(1, 100)
"""Of a stake. The charts are for four decks and more, and for totals: single hands may be a little better off."""


UP_CARDS = [*((up, True) for up in range(1, 11)), *((up, False) for up in (1, 6))]
"""With whether the dealer hits soft 17, which changes anything for an ace and a six alone."""


@pytest.mark.soak
@pytest.mark.timeout(3600 if LONG else 120)
@pytest.mark.parametrize(("up", "hits_soft_17"), UP_CARDS if LONG else [(6, True), (6, False), (10, True)])
def test_no_other_first_decision_is_better_than_basic_strategys(up: int, hits_soft_17: bool) -> None:
    house = replace(HOUSE, dealer_hits_soft_17=hits_soft_17, hands_max=2)
    against = AgainstUp(house, up, Shoe.of(house.decks).without(up))
    regrets = {
        (first, second): _regret(against, first, second, house)
        for first in range(1, 11)
        for second in range(first, 11)
        if {first, second} != {1, 10}
    }
    assert max(regrets.values()) < NEARLY, max(regrets, key=regrets.__getitem__)


def _regret(against: AgainstUp, first: int, second: int, house: BlackjackHouse) -> Fraction:
    """How much better another first decision would be."""
    choice = basic_action(_shown(first, second, against.up), house)
    allowed = [action for action in CHOICES if action is not Action.SPLIT or first == second]
    worths = {action: against.after(first, second, action) for action in allowed}
    return max(worths.values()) - worths[choice]


def _shown(first: int, second: int, up: int) -> Play:
    """Two cards of these worths against an up card."""
    spelled = [{1: "A", 10: "T"}.get(worth, str(worth)) for worth in (first, second, up)]
    return played(f"{spelled[0]}c {spelled[1]}d", f"{spelled[2]}h")


@pytest.mark.parametrize("up", [6, 10])
def test_the_mean_is_made_of_what_the_charts_first_decision_is_worth(up: int) -> None:
    house = replace(HOUSE, decks=1, hands_max=2)
    against = AgainstUp(house, up, Shoe.of(1).without(up))
    net = Fraction(0)
    for first, chance_1, shoe_1 in against.shoe.draws():
        for second, chance_2, shoe_2 in shoe_1.draws():
            blackjack = dealer_odds(up, shoe_2, True)[DealerEnd.BLACKJACK]
            net += chance_1 * chance_2 * _of_the_charts(against, first, second, blackjack)
    assert against.mean().net == net


def _of_the_charts(against: AgainstUp, first: int, second: int, blackjack: Fraction) -> Fraction:
    if {first, second} == {1, 10}:
        return Fraction(3, 2) * (1 - blackjack)
    choice = basic_action(_shown(first, second, against.up), against.house)
    return against.after(first, second, choice) - blackjack


def test_what_the_house_does_not_allow_has_no_worth() -> None:
    against = AgainstUp(replace(HOUSE, late_surrender=False), 6, Shoe.of(1).without(6))
    with pytest.raises(ValueError, match="no surrender"):
        against.after(10, 6, Action.SURRENDER)


CHARTED = [
    ("8c 8d", "Ah", {}, Action.SURRENDER),
    ("8c 8d", "Ah", {"late_surrender": False}, Action.SPLIT),
    ("8c 8d", "Ah", {"dealer_hits_soft_17": False}, Action.SPLIT),
    ("8c 8d", "Th", {}, Action.SPLIT),
    ("8c 8d", "Th", {"peek": False, "late_surrender": False}, Action.HIT),
    ("8c 8d", "Th", {"peek": False, "unpeeked_blackjack_takes": UnpeekedTakes.ORIGINAL}, Action.SPLIT),
    ("Ac Ad", "Ah", {}, Action.SPLIT),
    ("Ac Ad", "Ah", {"peek": False}, Action.HIT),
    ("Ac Ad", "6h", {"split_aces": SplitAces.NEVER}, Action.HIT),
    ("6c 5d", "Th", {}, Action.DOUBLE),
    ("6c 5d", "Th", {"peek": False}, Action.HIT),
    ("6c 5d", "Ah", {}, Action.DOUBLE),
    ("6c 5d", "Ah", {"dealer_hits_soft_17": False}, Action.HIT),
    ("Ac 8d", "6h", {}, Action.DOUBLE),
    ("Ac 8d", "6h", {"dealer_hits_soft_17": False}, Action.STAND),
    ("Ac 8d", "6h", {"double_on": DoubleOn.NINE_TO_ELEVEN}, Action.STAND),
    ("Ac 7d", "2h", {}, Action.DOUBLE),
    ("Ac 7d", "2h", {"dealer_hits_soft_17": False}, Action.STAND),
    ("Ac 6d", "3h", {"double_on": DoubleOn.NINE_TO_ELEVEN}, Action.HIT),
    ("2c 2d", "2h", {}, Action.SPLIT),
    ("2c 2d", "2h", {"double_after_split": False}, Action.HIT),
    ("4c 4d", "5h", {"double_after_split": False}, Action.HIT),
    ("9c 9d", "7h", {}, Action.STAND),
    ("Tc Kd", "6h", {}, Action.STAND),
    ("5c 5d", "6h", {}, Action.DOUBLE),
    ("Tc 6d", "9h", {}, Action.SURRENDER),
    ("Tc 6d", "9h", {"late_surrender": False}, Action.HIT),
    ("Tc 7d", "Ah", {}, Action.SURRENDER),
    ("Tc 7d", "Ah", {"dealer_hits_soft_17": False}, Action.STAND),
    ("Ac 5d", "Th", {}, Action.HIT),
]


@pytest.mark.parametrize(("cards", "up", "options", "action"), CHARTED)
def test_the_charts_heed_the_house(cards: str, up: str, options: dict[str, object], action: Action) -> None:
    house = replace(HOUSE, **options)  # type: ignore[arg-type]
    assert basic_action(played(cards, up), house) is action


def test_whoever_has_nothing_to_decide_is_told_so(says: Says) -> None:
    with pytest.raises(ValueError) as raised:
        basic_action(played("Ac Kd", "6h"), HOUSE)
    says(raised.value)
