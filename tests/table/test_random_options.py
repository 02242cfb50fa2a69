"""Random tables under options of the house: named colours, limits that Play meets, a First 5 that has to be announced.

`apply` asserts the invariants in every step; every round that ends adds up.
"""

from __future__ import annotations

from typing import Final

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.big_raise_limits import range_of_play
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import Colour, WagerName
from daemon.table.big_draw.facts import FirstFiveClaimed, FirstFiveSettled
from daemon.table.big_draw.options import BigDrawAtTable, Unannounced
from daemon.table.big_raise.settlement import house_of
from daemon.table.stakes import as_wager
from daemon.table.state import Phase
from daemon.table.vocabulary import Evidence, SeatNumber
from tests.table.test_big_draw_walk import RandomBigDraw
from tests.table.test_procedure import RandomBigRaise, RandomTable, walked

TABLES: Final = 60
SEATS: Final = st.integers(1, 3)
TIGHT: Final = Limits(
    {WagerName.PLAY: StakeRange(Cents(100), Cents(1000), Cents(100))},
    authorised_most=Cents(1000),
    wagers_max=3,
    large_wagers_max=1,
)


class RandomNamedColours(RandomTable):
    """Each seat may have red, black, or both."""

    options = Big50House(red_black=RedBlack.NAMED)

    @rule(seat=SEATS, colour=st.sampled_from(Colour), stake=st.integers(1, 900))
    def bet_on_a_colour(self, seat: int, colour: Colour, stake: int) -> None:
        if self.table.bet(seat, WagerName.RED_BLACK, stake, colour=colour).accepted:
            played = self.table.state.round
            assert played is not None
            lying = [other.stake_cents for other in played.stakes_of(SeatNumber(seat)) if other.colour is colour]
            assert lying == [stake]


class RandomTightLimits(RandomBigRaise):
    """A player with an Ante can play two of it, whatever else lies there."""

    limits = LimitSchedule(((Day(0), TIGHT),))

    @rule(seat=SEATS, stake=st.sampled_from([50, 200, 450, 500, 550]), is_bonus=st.booleans())
    def bet_what_may_fit(self, seat: int, stake: int, is_bonus: bool) -> None:
        self.table.bet(seat, WagerName.TWO_CARD_BONUS if is_bonus else WagerName.ANTE, stake)

    @invariant()
    def two_antes_can_be_played(self) -> None:
        played = self.table.state.round
        if played is None or self.table.state.phase is not Phase.DECIDING:
            return
        decided = {each.seat for each in played.decided}
        for seat in set(played.players) - decided:
            bets = [as_wager(stake) for stake in played.stakes_of(seat)]
            ante = next(bet.stake for bet in bets if bet.name is WagerName.ANTE)
            house = house_of(self.table.state.settings)
            offered = range_of_play(ante, house, played.limits, bets, with_pair=False)
            assert offered.least == 2 * ante <= offered.most


class RandomAnnounced(RandomBigDraw):
    """A hand that was not announced has lost, and nobody has seen it."""

    options = BigDrawAtTable(unannounced_first_5=Unannounced.LOST)

    @invariant()
    def who_is_silent_is_not_seen(self) -> None:
        record = self.table.record
        claimed = {(fact.round_id, fact.data.seat) for fact in record if isinstance(fact.data, FirstFiveClaimed)}
        for fact in record:
            if isinstance(fact.data, FirstFiveSettled):
                was_seen = fact.data.evidence is not Evidence.NOT_SHOWN
                assert was_seen is ((fact.round_id, fact.data.seat) in claimed)
                assert was_seen or (not fact.data.cards and fact.data.wager.pays_cents < 0)


TestNamedColours = walked(RandomNamedColours, TABLES)
TestAnnounced = walked(RandomAnnounced, TABLES)
TestTightLimits = walked(RandomTightLimits, TABLES)
