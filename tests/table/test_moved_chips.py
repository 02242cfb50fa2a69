"""Chips that a sensor sees where it may not make a bet of them: after green, and at a seat that the table lacks.

And bets that were entered where it sees none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.facts import AlertRaised
from daemon.table.inputs import Bet, ClearBets, Configured, Decide
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Decision, SeatNumber
from drivers.events import Restarted
from tests.table.big_draw_playing import NOTHING, BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import SEES_ALL, SETTINGS, settings
from tests.table.test_big_raise import ready
from tests.table.test_seen_stakes import SENSOR_UP, Watched, watched


def test_chips_at_a_seat_that_another_configuration_has_not_are_no_bet() -> None:
    """feltd ended with each word of the dealer, and again after each restart."""
    table = watched()
    table.sees(4, "poker-hand", 1500)
    table.take(Configured(table.state.at, table.state.day, "journal-under-test", "rules-1", settings(seats=3)))
    table.felt(SENSOR_UP)
    table.link_up()
    table.put_back()
    assert (table.phase(), table.stakes(), table.state.is_between_rounds) == (Phase.BETTING, [], True)
    assert table.ask(ClearBets(SeatNumber(4)), Actor.DEALER).code == "nothing-there"
    table.shuffle()
    table.sees(1, "poker-hand", 500)
    assert table.is_green_taken()


def moved(table: Watched) -> list[str]:
    return [fact.alert for fact in table.said(AlertRaised) if "moved" in fact.alert]


@pytest.mark.parametrize(
    ("bets", "sees", "is_told"),
    [
        (("red",), ("black", 500), True),  # as much as lies on red came to black after green, and nobody was told
        (("red", "black"), ("red", 500), False),
        (("red", "black"), ("black", 200), False),
        (("red", "black"), ("black", 500), True),
    ],
)
def test_each_colour_is_held_against_its_own_bet(
    *, bets: tuple[str, ...], sees: tuple[str, int], is_told: bool
) -> None:
    table = watched(settings=replace(SETTINGS, options=replace(Big50House(), red_black=RedBlack.NAMED)))
    for colour in bets:
        table.sees(2, colour, {"red": 500, "black": 200}[colour])
    table.press()
    table.sees(2, *sees)
    assert moved(table) == ([f"stake-moved-seat-2-{sees[0]}"] if is_told else [])


def test_what_the_dealer_takes_of_first_5_while_draws_are_dealt_has_not_moved() -> None:
    table = WatchedDraw(NOTHING, reconciling=Reconciling.THROUGH)
    table.felt(SENSOR_UP)
    table.opened()
    for spot in ("first-5", "big-draw"):
        table.sees(1, spot, 500)
    table.press()
    table.give_all().drawing((1, 2))
    assert (table.phase(), len(table.said(FirstFiveSettled))) == (Phase.DEALING, 1)
    table.sees(1, "first-5", 0)
    assert moved(table) == []
    table.sees(1, "big-draw", 400)
    assert moved(table) == ["stake-moved-seat-1-big-draw"]


class WatchedDraw(BigDrawTable, Watched):
    """Big Draw with a sensor."""


def at_phase(phase: Phase) -> WatchedDraw | Watched:
    """A table with a stake of 5.00 at seat 1, whose player has seen their cards."""
    if phase in (Phase.COLLECTING, Phase.COUNTING):
        counts_nothing = replace(SEES_ALL, counts=False, reads_faces=False)
        table = watched(settings(source=counts_nothing, stub_count_rounds_max=1))
        table.sees(1, "poker-hand", 500)
        table.press()
        table.dispense(1)
        table.deliver(1)
        table.press()
        if phase is Phase.COUNTING:
            table.eject()
        return table
    draw = WatchedDraw(NOTHING)
    draw.felt(SENSOR_UP)
    draw.opened()
    for spot in ("first-5", "big-draw"):
        draw.sees(1, spot, 500)
    draw.press()
    draw.give_all()
    if phase is Phase.FIRST_FIVE:
        draw.drawing((1, 2))
    return draw


@pytest.mark.parametrize("phase", [Phase.COLLECTING, Phase.COUNTING, Phase.DECIDING, Phase.FIRST_FIVE])
@pytest.mark.parametrize("seen", [0, 50_000])
def test_a_stake_that_its_player_raises_or_takes_back_on_seeing_the_cards_is_told(phase: Phase, seen: int) -> None:
    """It was told only until the last hand was at its seat: the best moment comes after that."""
    table = at_phase(phase)
    assert table.phase() is phase
    spot = "poker-hand" if phase in (Phase.COLLECTING, Phase.COUNTING) else "big-draw"
    table.sees(1, spot, seen)
    assert moved(table) == [f"stake-moved-seat-1-{spot}"]
    assert table.state.round is not None
    assert {stake.stake_cents for stake in table.state.round.stakes} == {500}


def test_green_waits_for_a_bonus_without_its_ante_also_before_a_restarted_sensor_says_who_it_is() -> None:
    """The restart takes the seen Ante away, and the sensor's name with it: green was taken and the bonus dealt to."""
    table = Watched(settings(game=GameName.BIG_RAISE, options=BigRaiseHouse()))
    table.felt(SENSOR_UP)
    ready(table)
    table.sees(1, "ante", 500)
    assert table.ask(Bet(SeatNumber(1), WagerName.TWO_CARD_BONUS, 500), Actor.DEALER).accepted
    assert table.ask(Bet(SeatNumber(2), WagerName.ANTE, 500), Actor.DEALER).accepted
    table.felt(Restarted("felt-2"))
    assert not table.is_green_taken()
    table.felt(SENSOR_UP)
    assert not table.is_green_taken()
    table.sees(1, "ante", 500)
    assert not table.is_green_taken()  # of the Ante at seat 2, too, the restarted sensor told nothing
    assert table.ask(Bet(SeatNumber(2), WagerName.ANTE, 500), Actor.DEALER).accepted
    assert table.is_green_taken()


def test_an_alert_that_nobody_cleared_tells_of_the_chips_that_move_now() -> None:
    table = watched()
    table.sees(2, "poker-hand", 500)
    table.press()
    table.sees(2, "poker-hand", 600)
    table.sees(2, "poker-hand", 600)
    table.sees(2, "poker-hand", 5000)
    told = [fact for fact in table.said(AlertRaised) if "moved" in fact.alert]
    assert [fact.said and fact.said.seen_cents for fact in told] == [600, 5000]
    assert [alert for alert in table.state.alerts if "moved" in alert.alert] == told[1:]


def test_what_a_player_enters_where_no_chip_was_ever_seen_waits_for_chips_or_staff() -> None:
    """A player had a bet of any size with nothing on the felt, where a sensor had told of no chips since its start."""
    table = watched()
    assert table.enter_bet(3, 500, Actor.PLAYER)
    assert "seat 3, ROYAL FLUSH: nothing is seen and 5.00 was entered" in table.expect_disputed().message
    table.sees(3, "poker-hand", 500)
    assert table.enter_bet(2, 1000, Actor.PLAYER)
    assert not table.is_green_taken()
    assert table.enter_bet(2, 1000)  # a spot that the sensor cannot see: the dealer looked
    assert table.is_green_taken()


@pytest.mark.parametrize("is_watched", [False, True])
def test_what_is_entered_where_no_chip_was_ever_seen_counts_without_a_sensor_and_by_staff(*, is_watched: bool) -> None:
    table = watched() if is_watched else Watched()
    table.ready()
    assert table.enter_bet(3, 500, Actor.DEALER if is_watched else Actor.PLAYER)
    assert table.is_green_taken()
    assert not table.state.seen


class WatchedBlackjack(Watched, Blackjack):
    """A blackjack table with a sensor under its layout, on which the chips of seats 1 and 2 lie."""

    def begin(self, first_cards: str) -> None:
        self.felt(SENSOR_UP)
        for seat in (1, 2):
            self.sees(seat, "blackjack", 1000)
        self.press()
        self.cards(first_cards)

    def staff_says(self, seat: int, decision: Decision) -> None:
        assert self.ask(Decide(SeatNumber(seat), decision), Actor.DEALER).accepted, self.answer

    def moved(self) -> list[str]:
        return [fact.message for fact in self.facts if isinstance(fact, AlertRaised)]


@pytest.mark.parametrize(("lies", "is_told"), [(None, True), (0, True), (500, False)])
def test_insurance_without_chips_is_told_before_it_is_paid(lies: int | None, *, is_told: bool) -> None:
    table = WatchedBlackjack()
    table.begin("5h Th Ac 6h 9h Tc")
    table.sees(2, "insurance", 0)  # it has such spots
    table.staff_says(1, Decision.INSURE)
    if lies is not None:
        table.sees(1, "insurance", lies)
    table.next()
    told = "seat 1, INSURANCE: nothing is seen after no more bets; the bet is 5.00"
    assert table.moved() == ([told] if is_told else [])
    assert table.phase() is Phase.RECONCILING
