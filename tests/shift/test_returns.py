"""Over many rounds every wager comes to what the audit says, row by row and in the mean; and what is wrong is found.

The reducer plays alone here, because a whole process would take days for as many rounds. What it leaves out, the wire,
the journal and the people, is in the long shift.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from daemon.rules.audit.big_raise import DEALS, STARTS
from daemon.rules.audit.draw import TOTAL as DRAWS
from daemon.rules.big_50 import COLOURS, Big50House
from daemon.rules.big_draw import Variant
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import TWO_CARD_BONUS, TWO_CARDS, FiveCardBonus
from daemon.rules.blackjack.paytables import BAD_BEATS, PAYTABLES
from daemon.rules.house import House
from daemon.rules.paytable_text import read_paytable
from daemon.rules.wagers import GameName
from protocols.cards import DECK, Card, Suit
from tests.shift import blackjack_player, counting
from tests.shift.blackjack_player import BlackjackPlayer
from tests.shift.exact import audits
from tests.shift.player import OPTIONS, SPOTS, Player
from tests.shift.returns import mean_bound, summary

LONG = "FELTD_SOAK" in os.environ
ROUNDS = 100_000 if LONG else 1_200
SEED = int(os.environ.get("FELTD_SEED", "1"))
WHOLE_STAY = 100
"""Rounds before the table changes over to the next game, so that games follow each other many times."""


@pytest.mark.timeout(3600 if LONG else 600)
@pytest.mark.soak
def test_every_wager_comes_to_what_the_audit_says() -> None:
    player, exact = Player(SEED), audits()
    for _ in range(ROUNDS // WHOLE_STAY):
        for game in SPOTS:
            player.change_to(game)
            player.play(WHOLE_STAY)
    print(f"seed {SEED}, {player.rounds} rounds\n{summary(player.tally, exact)}")  # noqa: T201
    assert player.tally.came.keys() == exact.keys()
    assert player.tally.differs(exact.values()) == [], f"seed {SEED}"


@pytest.mark.timeout(3600 if LONG else 600)
@pytest.mark.soak
def test_what_blackjack_can_be_held_against_comes_to_what_the_audit_says() -> None:
    """The side bet and insurance; of the main bet no audit knows more than the mean under basic strategy."""
    player, exact = BlackjackPlayer(SEED), blackjack_player.audits()
    player.play(ROUNDS)
    print(f"seed {SEED}, {ROUNDS} rounds\n{summary(player.tally, exact)}")  # noqa: T201
    assert player.tally.came.keys() == exact.keys()
    assert player.tally.differs(exact.values()) == [], f"seed {SEED}"


def test_a_row_of_blackjack_that_pays_a_few_per_cent_wrong_is_found() -> None:
    rows = {row.name: str(row.award) for row in PAYTABLES["P1"].rows} | {"19 beaten": "77 to 5"}
    own = read_paytable("planted", "nobody", BAD_BEATS, rows)
    player = BlackjackPlayer(SEED, replace(blackjack_player.OPTIONS, bad_beat_pays=own))
    player.play(300)
    told = "bad_beat: row 19 beaten paid 77/5, the audit says 15"
    assert told in player.tally.differs(blackjack_player.audits().values())


def found(options: Mapping[GameName, House], game: GameName, rounds: int = 400) -> list[str]:
    """What is said of a table with these options, by the audit of the published ones."""
    player = Player(SEED, {**OPTIONS, **options})
    player.change_to(game)
    player.play(rounds)
    return player.tally.differs(audits().values())


RED = read_paytable("planted", "nobody", COLOURS, {"all red": "33 to 2", "all black": "17 to 1"})
OTHERS = read_paytable(
    "planted",
    "nobody",
    TWO_CARDS,
    {row.name: str(row.award) for row in TWO_CARD_BONUS.rows} | {"other pairs": "51 to 10"},
)


PLANTED = {
    "red_black: row all red paid 33/2, the audit says 17": (GameName.BIG_50, Big50House(red_black_pays=RED)),
    "two_card_bonus: row other pairs paid 51/10, the audit says 5": (
        GameName.BIG_RAISE,
        BigRaiseHouse(five_card_bonus=FiveCardBonus.BRH_04, five_card_bonus_on_fold=True, two_card_bonus_pays=OTHERS),
    ),
}


@pytest.mark.parametrize(("told", "planted"), PLANTED.items(), ids=["all red", "other pairs"])
def test_a_row_that_pays_a_few_per_cent_wrong_is_found(told: str, planted: tuple[GameName, House]) -> None:
    """Three per cent less on all red, two per cent more on other pairs."""
    game, options = planted
    assert told in found({game: options}, game)


def test_a_machine_that_shuffles_badly_is_found() -> None:
    """One deal of ten begins with five cards of one colour."""

    def badly(chance: Random) -> list[Card]:
        deck = chance.sample(DECK, len(DECK))
        return (
            sorted(deck, key=lambda card: card.suit in (Suit.HEARTS, Suit.DIAMONDS)) if chance.random() < 0.1 else deck
        )

    player = Player(SEED)
    player.cards_for = badly
    player.play(1_000)
    assert [what for what in player.tally.differs(audits().values()) if what.startswith("red_black: row all")]


def test_the_mean_alone_finds_what_its_bound_says() -> None:
    """In the full run: a return of Red/Black that is 0.06 of a stake off, of Range 0.11, of the 2 Card Bonus 0.07."""
    exact = audits()
    bounds = {name: mean_bound(exact[name], 100_000) for name in ("red_black", "range", "two_card_bonus")}
    assert bounds["red_black"] < 0.06
    assert bounds["range"] < 0.11
    assert bounds["two_card_bonus"] < 0.07


@pytest.mark.timeout(3600 if LONG else 600)
@pytest.mark.soak
def test_the_stored_counts_are_whole_and_those_of_a_new_count() -> None:
    """All of them anew takes minutes, so in the short run only their sums are looked at."""
    kept = counting.stored()
    assert sum(kept[counting.SHOWDOWNS].values()) == STARTS * DEALS
    assert sum(kept[counting.HANDS_PLAYED].values()) == STARTS * DEALS - kept[counting.SHOWDOWNS]["FOLDED"]
    assert all(sum(kept[variant.value].values()) == DRAWS for variant in Variant)
    if LONG:
        assert counting.counted() == kept
