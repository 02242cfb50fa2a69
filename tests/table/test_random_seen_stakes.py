"""Random tables with a sensor under the layout: it sees anything anywhere, goes away, and staff enters what it likes.

`apply` asserts the invariants in every step. The tests of prompts and of offers walk the same tables.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.house import House
from daemon.rules.wagers import Colour, WagerName
from daemon.table.facts import AlertRaised
from daemon.table.inputs import Bet, ClearBets
from daemon.table.round_facts import BetPlaced, BettingClosed, HandSettled
from daemon.table.stakes import as_wager, refused_beside
from daemon.table.state import Presence
from daemon.table.vocabulary import Actor, SeatNumber
from drivers.events import (
    DeviceEvent,
    DeviceName,
    DeviceReport,
    EventsLost,
    Identity,
    LinkLost,
    LinkUp,
    Receipt,
    Restarted,
    StakeSeen,
    WentStale,
)
from tests.table.test_procedure import RandomBigRaise, RandomTable, walked

FELT: Final = DeviceName("felt")
THERE: Final = Identity("BS-1", "0001", "1.0", ("stakes",))
SPOTS: Final = st.sampled_from(["poker-hand", "range", "red", "black", "ante", "two-card-bonus", "play", "red-black"])
STAKES: Final = st.sampled_from([0, 0, 1, 450, 500, 500, 900, 1_000_000])
TABLES: Final = 60


class RandomWatched(RandomTable):
    """Most of what the sensor sees is on spots of the game; some of it is nonsense."""

    options: House = Big50House(red_black=RedBlack.NAMED)
    own_spots = ("poker-hand", "range", "red", "black")

    def __init__(self) -> None:
        super().__init__()
        self.is_looked_at = False
        self.felt(LinkUp(THERE, "felt-1", resumed=True))

    @invariant()
    def what_is_dealt_for_the_rules_take(self) -> None:
        """A stake that needs another one beside it does not outlast that one."""
        played = self.table.state.round
        if played is None or not any(isinstance(fact, BettingClosed) for fact in self.table.new):
            return
        for stake in played.stakes:
            beside = [as_wager(other) for other in played.stakes_of(stake.seat) if other != stake]
            refused = refused_beside(self.table.state.settings, played.limits, as_wager(stake), beside)
            assert refused is None, refused

    @invariant()
    def what_only_a_player_entered_lies_there(self) -> None:
        """A player's word does not overrule a sensor. What staff or the sensor did before does not change that."""
        if self.is_looked_at or not any(isinstance(fact, BettingClosed) for fact in self.table.new):
            return
        if self.table.state.device(FELT).identity is None:
            return  # a driver says who a device is in one breath with its restart, and `met` holds what was entered
        played = self.table.state.round
        assert played is not None
        is_up = self.table.state.device(FELT).presence is Presence.UP
        placed = (fact for fact in self.table.facts if isinstance(fact, BetPlaced))
        entered = {(fact.seat, fact.wager, fact.colour): fact for fact in placed}
        for stake in played.stakes:
            if entered[stake.seat, stake.wager, stake.colour].role is Actor.PLAYER:
                assert is_up, stake
                on_spot = (other.stake_cents for other in played.stakes_of(stake.seat) if other.wager is stake.wager)
                place, both = (stake.seat, stake.wager), (sum(on_spot), None)  # one spot may be that of both colours
                assert any(
                    (seen.seat, seen.wager) == place
                    and (seen.stake_cents, seen.colour) in ((stake.stake_cents, stake.colour), both)
                    for seen in self.table.state.seen
                ), stake

    @invariant()
    def what_lies_elsewhere_than_it_was_bet_is_told_before_its_result_is_said(self) -> None:
        """A player who knows their hand moves chips until it is paid. Where the sensor is up, that is told."""
        settled = {(hand.seat, won.wager): won for hand in self.said_now(HandSettled) for won in hand.wagers}
        told = {fact.said.place for fact in self.table.said(AlertRaised) if fact.said and "moved" in fact.alert}
        if not settled or self.table.state.device(FELT).presence is not Presence.UP:
            return
        for seen in self.table.state.seen:
            bets = [won.stake_cents for (seat, spot), won in settled.items() if (seat, spot) == (seen.seat, seen.wager)]
            if bets and not seen.is_overruled and seen.colour is None:
                assert seen.stake_cents in bets or seen.seat in told, seen

    def said_now(self, kind: type[HandSettled]) -> list[HandSettled]:
        return [fact for fact in self.table.new if isinstance(fact, kind)]

    def felt(self, event: DeviceEvent) -> None:
        self.is_looked_at |= isinstance(event, EventsLost)  # staff compares what lies there, and says so
        number = len(self.table.inputs)
        self.table.take(DeviceReport(FELT, self.table.state.at, event, Receipt("felt-1", number)))

    @rule(seat=st.integers(0, 4), spot=SPOTS, stake=STAKES)
    def sees_anything(self, seat: int, spot: str, stake: int) -> None:
        self.felt(StakeSeen(seat, spot, stake))

    @rule(seat=st.integers(1, 3), which=st.integers(0, 3), stake=STAKES)
    def sees_a_stake(self, seat: int, which: int, stake: int) -> None:
        self.felt(StakeSeen(seat, self.own_spots[which], stake))

    @rule(seat=st.integers(1, 3), which=st.integers(0, 3), stake=STAKES)
    def dealer_enters(self, seat: int, which: int, stake: int) -> None:
        self.enters(seat, which, stake, Actor.DEALER)

    @rule(seat=st.integers(1, 3), which=st.integers(0, 3), stake=STAKES)
    def player_enters(self, seat: int, which: int, stake: int) -> None:
        self.enters(seat, which, stake, Actor.PLAYER)

    @rule(seat=st.integers(1, 3), between=st.sampled_from(["cleared", "entered", "restarted"]))
    def a_player_bets_and_staff_or_a_restart_comes_between(self, seat: int, between: str) -> None:
        self.player_enters(seat, 0, 500)
        if between == "cleared":
            self.dealer_clears(seat)
        elif between == "entered":
            self.dealer_enters(seat, 0, 500)
        else:
            self.felt(Restarted("felt-2"))
            self.felt(LinkUp(THERE, "felt-2", resumed=True))
        if between != "restarted":
            self.player_enters(seat, 0, 900)
        self.table.press()

    def enters(self, seat: int, which: int, stake: int, role: Actor) -> None:
        spot = self.own_spots[which]
        colour = Colour(spot) if spot in ("red", "black") else None
        wager = WagerName.RED_BLACK if colour else WagerName(spot.replace("-", "_"))
        self.table.ask(Bet(SeatNumber(seat), wager, stake, colour), role)

    @rule(seat=st.integers(1, 3), which=st.integers(0, 3))
    def chips_are_taken_back_before_green(self, seat: int, which: int) -> None:
        self.sees_a_stake(seat, 0, 500)
        self.dealer_enters(seat, which, 500)
        self.sees_a_stake(seat, 0, 0)
        self.table.press()

    @rule(seat=st.integers(1, 3))
    def dealer_clears(self, seat: int) -> None:
        self.table.ask(ClearBets(SeatNumber(seat)), Actor.DEALER)

    @rule(
        event=st.sampled_from(
            [
                LinkLost("pulled"),
                WentStale(9),
                Restarted("felt-2"),
                EventsLost(1, "gone"),
                LinkUp(THERE, "felt-1", resumed=True),
                LinkUp(THERE, "felt-1", resumed=False),
            ]
        )
    )
    def trouble_with_the_felt(self, event: DeviceEvent) -> None:
        self.felt(event)


class RandomWatchedBigRaise(RandomWatched, RandomBigRaise):
    """A bonus that is seen cannot lie without an Ante."""

    options = RandomBigRaise.options
    own_spots = ("ante", "ante", "two-card-bonus", "two-card-bonus")


TestWatched = walked(RandomWatched, TABLES)
TestWatchedBigRaise = walked(RandomWatchedBigRaise, TABLES)
