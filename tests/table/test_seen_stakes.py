"""Chips that a sensor sees on the felt become bets while bets are taken, and only then."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.games import GAMES
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import Colour, GameName, WagerName
from daemon.table.carry_over import carry_over, restored
from daemon.table.facts import AlertRaised, DeviceAnomaly, FactData
from daemon.table.inputs import Bet, ClearBets, Configured, Decide, LoadShoe
from daemon.table.round_facts import BetPlaced, BetRemoved, BettingClosed, SeatStake
from daemon.table.seen_stakes import dispute
from daemon.table.settings import TableSettings
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, Decision, Evidence, SeatNumber
from drivers.events import (
    Button,
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
)
from tests.support.sentences import Says
from tests.table.blackjack_playing import blackjack_settings
from tests.table.playing import SETTINGS, Table, settings
from tests.table.test_big_raise import ready

FELT = DeviceName("felt")
FIVE_UP = LimitSchedule(
    ((Day(0), Limits(stakes={WagerName.POKER_HAND: StakeRange(Cents(500), Cents(5_000), Cents(100))})),)
)


class Watched(Table):
    """A table with a sensor under its layout."""

    def felt(self, event: DeviceEvent) -> list[FactData]:
        return self.take(DeviceReport(FELT, self._now(), event, Receipt("felt-1", len(self.inputs))))

    def sees(self, seat: int, spot: str, cents: int) -> list[FactData]:
        return self.felt(StakeSeen(seat, spot, cents))

    def stakes(self) -> list[tuple[int, WagerName, int, Evidence]]:
        assert self.state.round is not None
        return [(one.seat, one.wager, one.stake_cents, one.evidence) for one in self.state.round.stakes]

    def enter_bet(self, seat: int, cents: int, role: Actor = Actor.DEALER) -> bool:
        return self.ask(Bet(SeatNumber(seat), WagerName.POKER_HAND, cents), role).accepted

    def is_green_taken(self) -> bool:
        return self.command_press(Button.GREEN).accepted

    def expect_disputed(self) -> Answer:
        """Press green, and return the answer: stakes are in dispute."""
        assert not self.is_green_taken()
        assert self.answer is not None
        assert self.answer.code == "stake-disputed"
        return self.answer


SENSOR_UP = LinkUp(Identity("BS-1", "0001", "1.0", ("stakes",)), "felt-1", resumed=True)


def watched(settings: TableSettings = SETTINGS) -> Watched:
    table = Watched(settings)
    table.felt(SENSOR_UP)
    table.ready()
    return table


def seen(seat: int, cents: int) -> tuple[int, WagerName, int, Evidence]:
    return seat, WagerName.POKER_HAND, cents, Evidence.SEEN_BY_DEVICE


def entered(seat: int, cents: int) -> tuple[int, WagerName, int, Evidence]:
    return seat, WagerName.POKER_HAND, cents, Evidence.ENTERED_BY_PERSON


def test_a_stake_that_is_seen_is_a_bet_and_says_its_evidence() -> None:
    table = watched()
    assert BetPlaced(
        SeatNumber(2), WagerName.POKER_HAND, 1500, None, FELT, None, Evidence.SEEN_BY_DEVICE
    ) in table.sees(2, "poker-hand", 1500)
    assert table.stakes() == [seen(2, 1500)]
    table.sees(2, "poker-hand", 2000)  # all that lies there, and not what was added
    assert table.stakes() == [seen(2, 2000)]
    table.press()
    closed = next(fact for fact in table.facts if isinstance(fact, BettingClosed))
    assert closed.stakes == (SeatStake(SeatNumber(2), WagerName.POKER_HAND, 2000, None, Evidence.SEEN_BY_DEVICE),)


def test_a_whole_round_is_played_and_settled_without_a_typed_bet() -> None:
    table = watched()
    table.sees(1, "poker-hand", 1000)
    table.sees(3, "poker-hand", 500)
    table.press()
    for position in (1, 2):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    table.sees(1, "poker-hand", 0)  # the dealer takes and pays; none of it concerns the next round yet
    while table.state.phase is Phase.RECONCILING:
        table.command_press(Button.NEXT)
    assert table.state.round is not None
    assert table.state.round.number == 2
    assert table.stakes() == [seen(3, 500)]  # it rides, and nobody says it again


def test_a_stake_that_is_gone_is_no_bet() -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    assert table.sees(2, "poker-hand", 0)[0] == BetRemoved(SeatNumber(2), WagerName.POKER_HAND, None, FELT)
    assert table.stakes() == []
    assert table.state.round is not None
    assert table.state.round.positions == ()


@pytest.mark.parametrize("two_bets", [False, True])
def test_colours_are_spots_of_their_own(*, two_bets: bool) -> None:
    house = replace(Big50House(), red_black=RedBlack.NAMED, colours_are_two_bets=two_bets)
    table = watched(settings=replace(SETTINGS, options=house))
    table.sees(2, "red", 500)
    assert table.state.round is not None
    assert [(one.wager, one.colour) for one in table.state.round.stakes] == [(WagerName.RED_BLACK, Colour.RED)]
    table.sees(2, "black", 500)
    assert len(table.state.round.stakes) == (2 if two_bets else 1)
    assert table.is_green_taken() is two_bets  # or this house takes one colour of a seat


def test_nothing_that_is_seen_after_green_is_a_bet_and_moved_chips_are_told(says: Says) -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    table.press()
    table.sees(2, "poker-hand", 5000)
    table.sees(3, "poker-hand", 500)
    assert table.stakes() == [seen(2, 1500)]
    moved = [fact for fact in table.facts if isinstance(fact, AlertRaised) and "moved" in fact.alert]
    assert [alert.alert for alert in moved] == ["stake-moved-seat-2-poker-hand", "stake-moved-seat-3-poker-hand"]
    for alert in moved:
        says(alert.message)
        assert not alert.blocks_play


MOVED = ["stake-moved-seat-1-play"]


@pytest.mark.parametrize(("lies", "told"), [(1500, []), (1000, MOVED), (None, MOVED)])
def test_a_play_bet_that_does_not_lie_there_is_told_before_it_is_paid(
    lies: int | None, told: list[str], says: Says
) -> None:
    """A dealer said three antes where two lay: a win was paid as three, and a loss cost two."""
    table = Watched(settings(game=GameName.BIG_RAISE, options=BigRaiseHouse()))
    table.felt(SENSOR_UP)
    ready(table)
    for seat in (1, 2):
        table.sees(seat, "ante", 500)
    table.press()
    for position in range(1, 5):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    assert table.ask(Decide(SeatNumber(1), Decision.PLAY, 1500), Actor.DEALER).accepted
    if lies is None:
        table.sees(2, "play", 0)  # it has such spots, and has never told of this one
    else:
        table.sees(1, "play", lies)
    assert table.ask(Decide(SeatNumber(2), Decision.FOLD), Actor.DEALER).accepted
    table.sees(2, "ante", 0)  # what a fold gave up is gone
    table.press(Button.NEXT)
    while table.phase() is Phase.SHOWING:
        table.press(Button.NEXT)
    moved = [fact for fact in table.facts if isinstance(fact, AlertRaised)]
    assert [alert.alert for alert in moved] == told
    for alert in moved:
        says(alert.message)


def test_what_the_dealer_enters_stands_over_what_was_seen_before(says: Says) -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    assert table.enter_bet(2, 1000)
    assert table.stakes() == [entered(2, 1000)]
    (told,) = (fact for fact in table.facts if isinstance(fact, DeviceAnomaly))
    assert told.code == "stake-overruled"
    says(told.detail)
    assert table.is_green_taken()


def test_what_is_seen_after_it_was_entered_holds_green_until_both_agree(says: Says) -> None:
    table = watched()
    assert table.enter_bet(2, 1000)
    table.sees(2, "poker-hand", 1500)
    assert table.stakes() == [entered(2, 1000)]
    says(table.expect_disputed().message)
    says(table.state.prompt)
    table.sees(2, "poker-hand", 1000)  # the chips were put right
    assert table.is_green_taken()


def test_the_dealer_ends_a_dispute_by_entering_what_lies_there() -> None:
    table = watched()
    assert table.enter_bet(2, 1000)
    table.sees(2, "poker-hand", 1500)
    assert table.enter_bet(2, 1500)
    assert table.is_green_taken()


def test_a_player_overrules_no_sensor() -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    assert table.enter_bet(3, 500, Actor.PLAYER)
    table.sees(3, "poker-hand", 200)
    assert not table.is_green_taken()


def test_chips_that_the_rules_do_not_take_hold_green_until_they_are_gone(says: Says) -> None:
    table = watched(replace(SETTINGS, limits=FIVE_UP))
    table.sees(1, "poker-hand", 500)
    table.sees(2, "poker-hand", 300)
    assert table.stakes() == [seen(1, 500)]
    assert not table.is_green_taken()
    assert table.answer is not None
    says(table.answer.message)
    table.sees(2, "poker-hand", 0)
    assert table.is_green_taken()


def test_a_spot_that_the_table_does_not_have_is_told_and_no_bet(says: Says) -> None:
    table = watched()
    for seat, spot in ((9, "poker-hand"), (1, "tie")):
        (told,) = (fact for fact in table.sees(seat, spot, 500) if isinstance(fact, DeviceAnomaly))
        assert told.code == "unknown-spot"
        says(told.detail)
    assert table.stakes() == []


def test_a_seat_that_the_dealer_clears_is_empty_until_chips_move() -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    assert table.ask(ClearBets(SeatNumber(2)), Actor.DEALER).accepted
    assert table.stakes() == []
    table.sees(2, "poker-hand", 1000)
    assert table.stakes() == [seen(2, 1000)]


def test_chips_that_are_no_bet_are_cleared_by_staff_and_by_no_player() -> None:
    table = watched()
    table.sees(2, "ante", 500)
    assert table.stakes() == []
    refused = table.ask(ClearBets(SeatNumber(2)), Actor.PLAYER)
    assert (refused.accepted, refused.code) == (False, "nothing-there")
    assert table.ask(ClearBets(SeatNumber(2)), Actor.DEALER).accepted


def test_a_sensor_that_restarts_says_everything_again() -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    table.felt(Restarted("felt-2"))
    assert table.stakes() == []
    table.sees(2, "poker-hand", 1500)
    assert table.stakes() == [seen(2, 1500)]


def test_lost_reports_hold_play_until_somebody_has_looked() -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    table.felt(EventsLost(1, "a gap"))
    assert table.stakes() == []
    assert table.enter_bet(2, 1500)
    assert not table.is_green_taken()
    assert table.clear("stakes-unwatched-felt").accepted
    assert table.is_green_taken()


def test_a_stake_that_was_seen_by_a_sensor_that_is_away_is_entered_again() -> None:
    table = watched()
    table.sees(2, "poker-hand", 1500)
    table.felt(LinkLost("unplugged"))
    assert table.stakes() == [seen(2, 1500)]
    assert not table.is_green_taken()
    assert table.enter_bet(2, 1500)
    assert table.is_green_taken()


def test_a_bet_that_needs_another_beside_it_waits_for_it() -> None:
    game = GAMES[GameName.BIG_RAISE]
    settings = replace(SETTINGS, game=GameName.BIG_RAISE, options=game.house)
    table = Watched(settings)
    table.felt(LinkUp(Identity("BS-1", "0001", "1.0", ("stakes",)), "felt-1", resumed=True))
    table.link_up()
    table.set_mode(2)
    table.shuffle()
    assert table.state.phase is Phase.BETTING
    table.sees(2, "two-card-bonus", 500)  # the chips of a bonus may be put down first
    table.sees(2, "ante", 1000)
    assert [wager for _, wager, _, _ in table.stakes()] == [WagerName.ANTE, WagerName.TWO_CARD_BONUS]


def test_chips_on_the_insurance_line_before_the_cards_insure_nothing_and_hold_green(says: Says) -> None:
    """They paid 2 to 1 against a blackjack under a ten, also in a house that sells no insurance."""
    table = Watched(blackjack_settings())
    table.felt(SENSOR_UP)
    table.link_up()
    assert table.ask(LoadShoe(6), Actor.DEALER).accepted
    table.sees(1, "blackjack", 1000)
    table.sees(1, "insurance", 500)
    assert [wager for _, wager, _, _ in table.stakes()] == [WagerName.BLACKJACK]
    says(table.state.prompt)
    assert not table.is_green_taken()
    table.sees(1, "insurance", 0)
    assert table.is_green_taken()


@pytest.mark.parametrize("is_away", [False, True])
def test_an_entered_bonus_whose_ante_was_taken_back_holds_green(*, is_away: bool, says: Says) -> None:
    """The hand was dealt without an Ante, and the daemon ended on its player's first word, again and again."""
    table = Watched(replace(SETTINGS, game=GameName.BIG_RAISE, options=BigRaiseHouse()))
    table.felt(SENSOR_UP)
    table.link_up()
    table.set_mode(2)
    table.shuffle()
    table.sees(1, "ante", 1000)
    table.sees(2, "ante", 1000)
    assert table.ask(Bet(SeatNumber(1), WagerName.TWO_CARD_BONUS, 500), Actor.DEALER).accepted
    if is_away:
        table.felt(Restarted("felt-2"))
        table.sees(2, "ante", 1000)
    else:
        table.sees(1, "ante", 0)
    assert next((seat, wager) for seat, wager, _, _ in table.stakes()) == (1, WagerName.TWO_CARD_BONUS)
    says(table.state.prompt)
    table.expect_disputed()
    assert table.ask(ClearBets(SeatNumber(1)), Actor.DEALER).accepted
    assert table.is_green_taken()


@pytest.mark.parametrize("cents", [0, 1500])
def test_what_rides_outlives_a_restart_between_rounds(cents: int) -> None:
    table = watched()
    table.sees(2, "poker-hand", cents)
    carried = carry_over(table.state)
    assert carried is not None
    configured = next(one for one in table.inputs if isinstance(one, Configured))
    again = restored(carried, configured, table.state.at)
    assert again.round == table.state.round
    assert again.seen == table.state.seen


@pytest.mark.parametrize("is_open", [True, False])
def test_chips_at_a_seat_that_a_new_configuration_takes_away_are_no_bet(is_open: bool) -> None:
    """They were laid there when the next round opened, which ended the daemon, at each of its starts."""
    table = Watched()
    table.ready()
    table.felt(SENSOR_UP)
    if not is_open:
        table.device(LinkLost("pulled"))
        table.void()
    table.sees(6, "poker-hand", 500)
    table.sees(2, "poker-hand", 500)
    at, day, journal = table.state.at, table.state.day, table.state.journal
    table.take(Configured(at, day, journal, "rules-1", settings(seats=5)))
    if is_open:
        table.put_back()
    table.link_up()
    table.clear("missing-shuffler")
    table.felt(SENSOR_UP)
    assert table.stakes() == [(2, WagerName.POKER_HAND, 500, Evidence.SEEN_BY_DEVICE)]
    (told,) = table.sees(6, "poker-hand", 500)  # the sensor says every spot again
    assert isinstance(told, DeviceAnomaly)
    assert dispute(table.state) is None, "they hold no green"
    table.take(Configured(at, day, journal, "rules-1", settings(seats=6)))
    table.put_back()
    table.link_up()
    assert [seat for seat, *_ in table.stakes()] == [2]
