"""Blackjack over a felt with chips on it, by seed: who moves them, and which results were said of chips that had moved.

The chips are the test's own. So it knows what lies there also where the sensor has no power.
"""

from __future__ import annotations

from random import Random

import pytest

from daemon.rules.wagers import WagerName
from daemon.table.blackjack.state import deal_of
from daemon.table.facts import AlertRaised
from daemon.table.inputs import Decide
from daemon.table.round_facts import HandSettled, SettledWager, WagerTaken
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Decision
from drivers.events import LinkLost, Restarted
from protocols.cards import DECK
from tests.table.blackjack_playing import MAIN, SIDE, STAKE
from tests.table.test_moved_chips import WatchedBlackjack
from tests.table.test_seen_stakes import SENSOR_UP

SEATS = (1, 2, 3)
SPOTS = {MAIN: "blackjack", SIDE: "bad-beat"}
DECISIONS = (Decision.STAND, Decision.HIT, Decision.HIT, Decision.DOUBLE, Decision.SPLIT, Decision.SURRENDER)
STEPS_MOST = 120


class Felt(WatchedBlackjack):
    """Three players; the house lays doubles on their spot or beside it."""

    def __init__(self, chance: Random, *, is_honest: bool) -> None:
        super().__init__()
        self.chance, self.is_honest = chance, is_honest
        self.lies_beside = chance.random() < 0.5
        self.cards_left = list(DECK) * 6
        chance.shuffle(self.cards_left)
        self.lies: dict[tuple[int, WagerName], int] = {}
        self.is_up = True
        self.felt(SENSOR_UP)
        for seat in SEATS:
            self.lay(seat, MAIN, STAKE)
            self.lay(seat, SIDE, chance.choice((0, 500)))
        self.press()
        self.since = len(self.facts)

    def lay(self, seat: int, wager: WagerName, cents: int) -> None:
        self.lies[seat, wager] = cents
        if self.is_up:
            self.sees(seat, SPOTS[wager], cents)

    def go_on(self) -> None:
        if not self.is_up and self.chance.random() < 0.5:
            self.has_power_again()
        elif not self.is_honest and self.chance.random() < 0.15:
            self.cheats()
        elif self.phase() in (Phase.DEALING, Phase.DEALER_DRAWING):
            self.card(self.cards_left.pop())
        elif self.phase() is Phase.DECIDING:
            self.somebody_decides()
        else:
            self.next()

    def cheats(self) -> None:
        if self.is_up and self.chance.random() < 0.2:
            self.is_up = False
            self.felt(LinkLost("pulled"))
        self.lay(self.chance.choice(SEATS), self.chance.choice((MAIN, SIDE)), self.chance.choice((0, 500, 5500)))

    def has_power_again(self) -> None:
        self.is_up = True
        self.felt(Restarted(f"felt-{len(self.inputs)}"))
        self.felt(SENSOR_UP)
        for (seat, wager), cents in self.lies.items():
            if cents:
                self.sees(seat, SPOTS[wager], cents)

    def somebody_decides(self) -> None:
        assert self.state.round is not None
        player = deal_of(self.state.round).to_act
        assert player is not None
        assert player.play is not None
        if player.play.card_due:
            self.card(self.cards_left.pop())
            return
        decision = self.chance.choice(DECISIONS)
        is_more = self.ask(Decide(player.seat, decision), Actor.DEALER).accepted
        if is_more and decision in (Decision.DOUBLE, Decision.SPLIT) and not self.lies_beside:
            self.lay(player.seat, MAIN, self.lies[player.seat, MAIN] + STAKE)

    def told(self) -> set[str]:
        raised = (fact.alert for fact in self.facts[self.since :] if isinstance(fact, AlertRaised))
        return {alert for alert in raised if "moved" in alert}

    def said_now(self) -> list[tuple[int, SettledWager]]:
        settled: list[tuple[int, SettledWager]] = [
            (fact.seat, won) for fact in self.new if isinstance(fact, HandSettled) for won in fact.wagers
        ]
        return settled + [(fact.seat, fact.wager) for fact in self.new if isinstance(fact, WagerTaken)]

    def has_moved(self, seat: int, won: SettledWager) -> bool:
        """Whether other chips lie there than were bet: of the stake on a hand any number of first stakes is as bet."""
        lies = self.lies[seat, won.wager]
        return lies not in range(STAKE, 9 * STAKE, STAKE) if won.wager is MAIN else lies != won.stake_cents


@pytest.mark.parametrize("is_honest", [False, True])
def test_chips_that_moved_are_told_of_when_their_result_is_said(*, is_honest: bool) -> None:
    moved = 0
    for seed in range(60):
        felt, said = Felt(Random(seed), is_honest=is_honest), set[tuple[int, WagerName]]()
        for _ in range(STEPS_MOST):
            felt.go_on()
            for seat, won in felt.said_now():
                first = (seat, won.wager) not in said and won.wager in SPOTS
                said.add((seat, won.wager))
                if first and felt.is_up and felt.has_moved(seat, won):
                    moved += 1
                    assert f"stake-moved-seat-{seat}-{SPOTS[won.wager]}" in felt.told(), (seed, seat, won)
            if felt.phase() is Phase.BETTING:
                break
        assert not (is_honest and felt.told()), seed
    assert (moved == 0) is is_honest
