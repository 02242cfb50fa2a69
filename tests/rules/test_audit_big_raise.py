"""Big Raise's audit, on a dealer made up for the purpose: what beats this dealer depends on the up card alone.

The real showdowns take a while to count. What the audit makes of counted showdowns can be added up by hand for a
dealer this simple, start by start.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import pytest

from daemon.rules.audit.big_raise import (
    COMMUNITIES,
    DEALS,
    HIDDEN_A_COMMUNITY,
    TOTAL,
    audit_big_raise,
    bonus_nets,
    hands_from,
)
from daemon.rules.audit.dealt_hands import poker_counts
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.report import GameAudit, WagerAudit
from daemon.rules.audit.showdowns import KINDS, Start, Wins
from daemon.rules.audit.warnings import edges
from daemon.rules.big_raise import HOUSE
from daemon.rules.big_raise_pays import ANTE_BONUS, BRH_06, FIVE_CARD_BONUSES, FiveCardBonus
from daemon.rules.evaluator import HANDS, PokerHand
from daemon.rules.money import Cents
from protocols.cards import Rank

STAKE = Cents(100)
TIED = 7
"""Deals of every start that are ties, so that they can be found again."""


def _is_beaten(up: Rank, hand: PokerHand) -> bool:
    """Twos are beaten by everything, then any pair, jacks or better, and two pair are needed as the up card grows."""
    if up is Rank.TWO:
        return True
    if up < Rank.SIX:
        return hand is not PokerHand.HIGH_CARD
    weakest = PokerHand.PAIR_OF_JACKS if up < Rank.TEN else PokerHand.TWO_PAIR
    return KINDS.index(hand) <= KINDS.index(weakest)


@dataclass(frozen=True, slots=True)
class ByHand:
    """One start, reckoned without the audit."""

    wins: Wins
    hands: dict[PokerHand, int]
    times: int
    worth: Fraction

    @property
    def starts(self) -> int:
        return self.wins.starts


NETS = bonus_nets(ANTE_BONUS, STAKE)


def _by_hand(start: Start, starts: int) -> ByHand:
    (first, second), up = start
    hands = hands_from(start)
    won = [hands[kind] * HIDDEN_A_COMMUNITY if _is_beaten(up.rank, kind) else 0 for kind in KINDS]
    even = 2 * Fraction(sum(won), DEALS) - 1
    bonus = sum((NETS[kind] * count for kind, count in hands.items()), Fraction(0)) / COMMUNITIES
    most = 4 if first.rank == second.rank else 3
    plays = [(times, (1 + times) * even + bonus) for times in range(2, most + 1)]
    times, worth = max([(0, Fraction(-1)), *plays], key=lambda play: play[1])
    return ByHand(Wins(start, starts, tuple(won), TIED), hands, times, worth)


@pytest.fixture(scope="module")
def starts() -> tuple[ByHand, ...]:
    return tuple(_by_hand(((first, second), up), ways) for ((first, second), (up,)), ways in orbits((2, 1)))


@pytest.fixture(scope="module")
def audit(starts: tuple[ByHand, ...]) -> GameAudit:
    return audit_big_raise(HOUSE, STAKE, [each.wins for each in starts])


def _wager(audit: GameAudit, name: str, note: str = "") -> WagerAudit:
    (found,) = [wager for wager in audit.wagers if wager.name == name and note in wager.note]
    return found


NAMES = {4: "play 4 times the Ante", 3: "play 3 times the Ante", 2: "play 2 times the Ante", 0: "fold"}


def test_the_whole_game_is_the_best_of_every_start(audit: GameAudit, starts: tuple[ByHand, ...]) -> None:
    together = _wager(audit, "ante, play and ante_bonus")
    assert {each.times for each in starts} == set(NAMES)
    everything = sum(each.starts for each in starts)
    assert together.expectation == sum((each.starts * each.worth for each in starts), Fraction(0)) / everything
    assert together.staked == 1 + Fraction(sum(each.starts * each.times for each in starts), everything)
    assert together.element_of_risk == together.house_edge / together.staked
    ways = {row.name: row.ways for row in together.rows}
    for times, name in NAMES.items():
        assert ways[name] == DEALS * sum(each.starts for each in starts if each.times == times)


def test_its_parts_add_up_to_it(audit: GameAudit) -> None:
    parts = [_wager(audit, name) for name in ("ante", "play", "ante_bonus")]
    together = _wager(audit, "ante, play and ante_bonus")
    assert sum(part.expectation for part in parts) == together.expectation
    assert sum(row.returns for row in together.rows) == together.expectation
    for wager in (*parts, together):
        assert sum(row.ways for row in wager.rows) == wager.total == TOTAL


def test_its_spread_is_that_of_every_deal(audit: GameAudit, starts: tuple[ByHand, ...]) -> None:
    square, hits = Fraction(0), 0
    for each in starts:
        if each.times == 0:
            square += each.starts * DEALS
            continue
        for kind, count in each.hands.items():
            ways = each.starts * count * HIDDEN_A_COMMUNITY
            raised = 1 + each.times if _is_beaten(each.wins.start[1].rank, kind) else -1 - each.times
            square += ways * (NETS[kind] + raised) ** 2
            hits += ways if NETS[kind] + raised > 0 else 0
    together = _wager(audit, "ante, play and ante_bonus")
    assert together.square == square / TOTAL
    assert together.hits == Fraction(hits, TOTAL)


def test_the_ante_knows_wins_ties_losses_and_folds(audit: GameAudit, starts: tuple[ByHand, ...]) -> None:
    played = sum(each.starts for each in starts if each.times)
    won = sum(each.starts * each.wins.total for each in starts if each.times)
    assert {row.name: row.ways for row in _wager(audit, "ante").rows} == {
        "beats the dealer": won - TIED * played,
        "ties the dealer": TIED * played,
        "loses to the dealer": played * DEALS - won,
        "folded": TOTAL - played * DEALS,
    }


def test_play_is_counted_by_its_multiple(audit: GameAudit, starts: tuple[ByHand, ...]) -> None:
    rows = {row.name: (row.ways, int(row.net)) for row in _wager(audit, "play").rows}
    for times in (2, 3, 4):
        made = [each for each in starts if each.times == times]
        won = sum(each.starts * each.wins.total for each in made)
        lost = sum(each.starts * DEALS for each in made) - won
        assert rows[f"{times} times the Ante, beats or ties"] == (won, times)
        assert rows[f"{times} times the Ante, loses"] == (lost, -times)
    assert rows["folded"] == (DEALS * sum(each.starts for each in starts if each.times == 0), 0)


def test_the_ante_bonus_counts_hands_that_are_played(audit: GameAudit, starts: tuple[ByHand, ...]) -> None:
    flushes = sum(each.starts * each.hands[PokerHand.FLUSH] for each in starts if each.times)
    rows = {row.name: (row.ways, int(row.net)) for row in _wager(audit, "ante_bonus").rows}
    assert rows["flush"] == (flushes * HIDDEN_A_COMMUNITY, 5)
    assert rows["nothing, or folded"] == (TOTAL - sum(ways for ways, net in rows.values() if net), 0)


def test_a_published_five_card_bonus_is_shown_in_play_with_a_fold_and_lost_with_it(audit: GameAudit) -> None:
    for paytable in FIVE_CARD_BONUSES:
        name = f"five_card_bonus, {paytable.name}"
        never, lost = _wager(audit, name, "paid in a fold too"), _wager(audit, name, "lost with every fold")
        assert never.rows[0].ways == poker_counts()[PokerHand.ROYAL_FLUSH]
        assert (never.total, lost.total) == (HANDS, TOTAL)
        assert sum(row.ways for row in lost.rows) == TOTAL
        assert lost.rows[-1].name == "folded"
        assert lost.rows[-1].net == Fraction(-1)
        assert lost.expectation < never.expectation


def test_a_house_that_keeps_it_in_play_is_shown_its_own_once(starts: tuple[ByHand, ...]) -> None:
    own = replace(HOUSE, five_card_bonus_pays=BRH_06, five_card_bonus_on_fold=True)
    wagers = audit_big_raise(own, STAKE, [each.wins for each in starts]).wagers
    bonuses = [wager for wager in wagers if "five_card_bonus" in wager.name]
    assert [(wager.paytable, wager.note) for wager in bonuses] == [("BRH-06", "paid in a fold too")]


def test_a_house_that_loses_it_with_a_fold_is_shown_that(starts: tuple[ByHand, ...]) -> None:
    own = replace(HOUSE, five_card_bonus_pays=BRH_06, five_card_bonus_on_fold=False)
    wagers = audit_big_raise(own, STAKE, [each.wins for each in starts]).wagers
    assert [wager.note for wager in wagers if "five_card_bonus" in wager.name] == ["lost with every fold"]


@pytest.mark.parametrize("bonus", FiveCardBonus)
def test_a_bound_judges_the_five_card_bonus_as_it_is_played(bonus: FiveCardBonus) -> None:
    """big-raise-holdem.md, rulings: the printed edges are true in play with a fold; lost with it, it is 31 to 36 %."""
    by_house = {
        stays: next(
            edge.house_edge
            for edge in edges(replace(HOUSE, five_card_bonus=bonus, five_card_bonus_on_fold=stays))
            if edge.wager == "five_card_bonus"
        )
        for stays in (True, False)
    }
    assert 0.025 < by_house[True] < 0.094
    assert 0.31 < by_house[False] < 0.365


def test_every_start_has_its_decision_in_words(audit: GameAudit, starts: tuple[ByHand, ...]) -> None:
    assert sum(decision.alike for decision in audit.decisions) == TOTAL // DEALS
    for decision, each in zip(audit.decisions, starts, strict=True):
        (first, second), up = each.wins.start
        assert decision.situation == f"{first} {second} against {up}"
        assert decision.best == NAMES[each.times]
        assert decision.worth[decision.best] == each.worth
        assert len(decision.worth) == (4 if first.rank == second.rank else 3)
