"""A bet that a player types does not count without its chips. What staff or a sensor did before does not change that.

Chips that move while the sensor is away are told of when it is back."""

from __future__ import annotations

import pytest

from daemon.table.inputs import ClearBets
from daemon.table.settings import TableSettings
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Ruling, SeatNumber
from drivers.events import Button, LinkLost, Restarted
from tests.table.playing import SETTINGS
from tests.table.test_irregular import SUPERVISED
from tests.table.test_moved_chips import moved
from tests.table.test_seen_stakes import SENSOR_UP, Watched, watched


@pytest.mark.parametrize("lying", [0, 500])
def test_what_a_player_enters_after_staff_cleared_the_seat_waits_for_its_chips(lying: int) -> None:
    table = watched()
    table.sees(2, "poker-hand", lying)
    table.enter_bet(2, 1000, Actor.PLAYER)
    assert table.ask(ClearBets(SeatNumber(2)), Actor.DEALER).accepted
    assert table.enter_bet(2, 20_000, Actor.PLAYER)
    table.expect_disputed()
    table.sees(2, "poker-hand", 20_000)
    assert table.is_green_taken()


def test_what_a_player_enters_over_what_staff_entered_waits_for_its_chips() -> None:
    table = watched()
    table.enter_bet(2, 1000, Actor.PLAYER)  # nothing is seen there
    assert table.enter_bet(2, 1000)  # the dealer looked
    assert table.enter_bet(2, 20_000, Actor.PLAYER)
    assert not table.is_green_taken()


def test_chips_that_a_restarted_sensor_tells_nothing_of_are_gone() -> None:
    """Its plug was pulled, the chips were taken back, and the bet that its player had typed beside them counted."""
    table = watched()
    assert table.enter_bet(2, 1500, Actor.PLAYER)
    table.sees(2, "poker-hand", 1500)
    table.felt(LinkLost("pulled"))
    table.felt(Restarted("felt-2"))
    table.felt(SENSOR_UP)
    table.expect_disputed()
    table.sees(2, "poker-hand", 1500)
    assert table.is_green_taken()


def test_a_players_bet_waits_for_the_dealer_while_the_sensor_that_saw_its_chips_is_away() -> None:
    """Their chips could be taken back while its plug was pulled, and green was taken."""
    table = watched()
    for seat, role in ((2, Actor.PLAYER), (3, Actor.DEALER)):
        assert table.enter_bet(seat, 1500, role)
        table.sees(seat, "poker-hand", 1500)
    table.felt(LinkLost("pulled"))
    assert not table.is_green_taken()
    assert table.enter_bet(2, 1500)  # the dealer looked
    assert table.is_green_taken()


@pytest.mark.parametrize("is_restart", [True, False])
def test_what_a_player_enters_before_the_sensor_says_who_it_is_waits_for_chips(*, is_restart: bool) -> None:
    table = Watched(SETTINGS)
    if is_restart:
        table.felt(SENSOR_UP)
        table.felt(Restarted("felt-2"))
    table.ready()
    assert table.enter_bet(2, 1500, Actor.PLAYER)
    assert table.enter_bet(3, 1500)  # the dealer has looked
    table.felt(SENSOR_UP)
    assert not table.is_green_taken()
    table.sees(2, "poker-hand", 1500)
    assert table.is_green_taken()


def dealing(settings: TableSettings = SETTINGS) -> Watched:
    table = watched(settings)
    for seat in (1, 2):
        table.sees(seat, "poker-hand", 500)
    table.press()
    return table


def test_chips_taken_back_while_the_sensor_had_no_power_are_told_before_a_hand_is_paid() -> None:
    """Its record after a restart has no word of a spot without chips, so nothing came that could be told of."""
    table = dealing()
    table.felt(LinkLost("pulled"))
    table.felt(Restarted("felt-2"))
    table.felt(SENSOR_UP)
    table.sees(1, "poker-hand", 500)
    for position in (1, 2):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    assert table.phase() is Phase.RECONCILING
    assert moved(table) == ["stake-moved-seat-2-poker-hand"]


@pytest.mark.parametrize("cents", [0, 500, 5_000])
def test_chips_that_move_while_the_round_stands_still_are_told_when_it_goes_on(cents: int) -> None:
    table = dealing()
    table.press(Button.VOID)
    assert table.phase() is Phase.HELD
    table.sees(2, "poker-hand", cents)
    assert moved(table) == []
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALING
    assert moved(table) == ([] if cents == 500 else ["stake-moved-seat-2-poker-hand"])


def test_and_when_the_ruling_ends_the_deal() -> None:
    table = dealing(SUPERVISED)
    for position in (1, 2):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject(count=41)
    assert table.phase() is Phase.HELD
    table.sees(2, "poker-hand", 0)
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.RECONCILING
    assert moved(table) == ["stake-moved-seat-2-poker-hand"]
