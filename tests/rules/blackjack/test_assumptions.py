"""What the side bet's audit assumes, each assumption dropped in turn."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from daemon.rules.blackjack.assumptions import MATTERS_NOT, expected, variations
from daemon.rules.blackjack.house import HOUSE, BadBeatOption, BlackjackHouse, DoubleOn, SplitAces
from daemon.rules.blackjack.paytables import PAYTABLES, BadBeatCase
from daemon.rules.blackjack.returns import case_odds
from daemon.rules.blackjack.shoe import WORTHS
from daemon.rules.blackjack.strategy import basic

OPTION_1 = BlackjackHouse(option=BadBeatOption.FIRST_TWO_CARDS)
OPTION_2 = BlackjackHouse(option=BadBeatOption.FIRST_SPLIT_HAND)
SPLITS = (
    "splitting nines always",
    "splitting nines never",
    "splitting eights always",
    "splitting eights but against an ace or a ten",
    "two split hands at most",
    "aces split again",
    "aces never split",
    "no double after a split",
)


def _changes(house: BlackjackHouse) -> dict[str, Fraction]:
    """How much more each variation returns to a stake of one under P1."""
    stated = expected(case_odds(house, basic(house)), PAYTABLES["P1"])
    return {
        varied.name: expected(varied.odds(), PAYTABLES["P1"]) - stated for varied in variations(house, basic(house))
    }


def test_under_option_1_no_split_matters_and_no_peek() -> None:
    changes = _changes(OPTION_1)
    assert {name for name, change in changes.items() if change == 0} == {*SPLITS, "no peek"}


def test_under_option_2_everything_matters() -> None:
    changes = _changes(OPTION_2)
    assert all(changes.values())
    assert all(changes[f"a shoe short of one {'ace' if worth == 1 else worth}"] for worth in WORTHS)
    assert changes["playing for the side bet alone"] == max(
        change for name, change in changes.items() if "deck" not in name and "short" not in name
    )
    more = ("splitting nines always", "never doubling a soft 19", "no double after a split")
    less = ("splitting nines never", "aces never split", "two split hands at most", "splitting tens against 5 and 6")
    assert all(changes[name] > 0 for name in more)
    assert all(changes[name] < 0 for name in less)


@pytest.mark.parametrize("hits_soft_17", [True, False])
def test_every_variation_is_a_house_and_strategy_of_its_own(hits_soft_17: bool) -> None:
    house = BlackjackHouse(dealer_hits_soft_17=hits_soft_17, peek=hits_soft_17)
    varied = list(variations(house, basic(house)))
    assert len({variation.name for variation in varied}) == len(varied)
    named = {variation.name for variation in varied}
    assert ("a dealer who stands on soft 17" in named) == hits_soft_17
    assert ("no peek" in named) == hits_soft_17
    for variation in varied:
        same = variation.house == house and variation.strategy == basic(house)
        assert same == (variation.shoe is not None), variation.name


def test_with_cards_that_come_back_two_naturals_meet_as_often_as_two_independent_ones() -> None:
    endless = next(varied for varied in variations(OPTION_1, basic(OPTION_1)) if varied.name == "cards that come back")
    natural = Fraction(2 * 1 * 4, 13 * 13)
    assert abs(endless.odds()[BadBeatCase.PUSH_21] - natural**2) < Fraction(1, 10**6)


def test_what_a_stake_comes_back_with_is_the_mean_of_the_paytable() -> None:
    certain = dict.fromkeys(BadBeatCase, Fraction(0)) | {BadBeatCase.BEATEN_20: Fraction(1, 4)}
    assert expected(certain | {BadBeatCase.NO_ROW: Fraction(3, 4)}, PAYTABLES["P3"]) == Fraction(30 - 3, 4)


def test_what_cannot_matter_is_said() -> None:
    assert any(reason.startswith("Other players") for reason in MATTERS_NOT)


STATED = [
    (
        {},
        "splits aces against everything; eights against 2, 3, 4, 5, 6, 7, 8, 9, 10; nines against 2, 3, 4, 5, 6, 8, 9;",
    ),
    ({}, "A soft 19 is doubled against 6;"),
    ({"late_surrender": False}, "eights against everything;"),
    ({"dealer_hits_soft_17": False}, "eights against everything;"),
    ({"dealer_hits_soft_17": False}, "A soft 19 is doubled against nothing;"),
    ({"double_on": DoubleOn.NINE_TO_ELEVEN}, "A soft 19 is doubled against nothing;"),
    ({"split_aces": SplitAces.NEVER}, "aces against nothing;"),
    ({"peek": False}, "aces against 2, 3, 4, 5, 6, 7, 8, 9, 10; eights against 2, 3, 4, 5, 6, 7, 8, 9;"),
    ({}, "tens against nothing."),
]


@pytest.mark.parametrize(("options", "said"), STATED)
def test_basic_strategy_is_stated_as_it_is_in_the_house(options: dict[str, object], said: str) -> None:
    assert said in basic(replace(HOUSE, **options)).statement  # type: ignore[arg-type]
