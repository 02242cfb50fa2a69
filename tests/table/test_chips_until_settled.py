"""Chips that a sensor sees at a stake whose result was not said: they lie still from the last decision on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.wagers import Colour, GameName, WagerName
from daemon.table.facts import DeviceAnomaly
from daemon.table.inputs import Bet, Configured, Decide
from daemon.table.round_facts import WagerTaken
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Decision, Ruling, SeatNumber
from drivers.events import (
    Button,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    EventsLost,
    LinkLost,
    LinkUp,
    Receipt,
    Restarted,
    StakeSeen,
)
from tests.table.playing import SETTINGS, SHUFFLER, settings
from tests.table.test_big_raise import ready
from tests.table.test_moved_chips import WatchedBlackjack, moved
from tests.table.test_seen_stakes import SENSOR_UP, Watched, seen, watched

UNSURE = (SENSOR_UP.identity, "felt-1", False)
OF_SEAT_1 = ["stake-moved-seat-1-poker-hand"]


def reconciling(reconciles: Reconciling = Reconciling.STEP) -> Watched:
    """Seat 2 lies open, and its result was said; seat 1 has five cards that beat nearly everything, and waits."""
    table = watched(settings(reconciling=reconciles))
    for seat in (1, 2):
        table.sees(seat, "poker-hand", 500)
    table.press()
    for position in (1, 2):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    return table


@pytest.mark.parametrize("cents", [0, 50_000])
def test_a_stake_that_its_player_raises_while_others_are_paid_is_told(cents: int) -> None:
    table = reconciling()
    assert table.phase() is Phase.RECONCILING
    table.sees(2, "poker-hand", 0)  # the dealer pays
    table.sees(2, "poker-hand", 2500)  # and the next bet is laid there
    table.sees(3, "poker-hand", 2500)  # and here, by somebody who had none
    table.sees(1, "range", 2500)  # and on a spot that has no stake of this round
    assert moved(table) == []
    table.sees(1, "poker-hand", cents)
    assert moved(table) == OF_SEAT_1
    table.press(Button.NEXT)
    assert moved(table) == OF_SEAT_1
    table.sees(1, "poker-hand", 100)  # its result was said
    assert moved(table) == OF_SEAT_1


def test_where_all_results_are_said_at_once_no_chip_is_held_against_them() -> None:
    table = reconciling(Reconciling.THROUGH)
    assert table.phase() is Phase.BETTING
    assert moved(table) == []


@pytest.mark.parametrize("lies", [0, 500])
def test_chips_that_were_taken_back_are_told_also_where_the_sensor_comes_back_while_seats_are_paid(lies: int) -> None:
    """It says nothing of a spot without chips, so the comparison is made before the next result is said."""
    table = reconciling()
    table.felt(LinkLost("pulled"))
    table.felt(Restarted("felt-2"))
    table.felt(SENSOR_UP)
    table.sees(1, "poker-hand", lies)
    table.press(Button.NEXT)
    assert moved(table) == ([] if lies else OF_SEAT_1)


def test_chips_that_move_in_a_standstill_among_the_payments_are_told_when_it_goes_on() -> None:
    table = reconciling()
    table.press(Button.VOID)
    table.sees(1, "poker-hand", 0)
    assert moved(table) == []
    assert table.rule(Ruling.CONTINUE).accepted
    assert moved(table) == OF_SEAT_1


def played(decision: Decision, cards: str = "", *, lies: int | None = None) -> WatchedBlackjack:
    """Seat 1 has 11 against a six, and decides so; then so much lies at its spot, and seat 2 stands."""
    table = WatchedBlackjack()
    table.begin("5h 9h 6c 6s 9s Tc")
    table.staff_says(1, decision)
    table.cards(cards)
    if lies is not None:
        table.sees(1, "blackjack", lies)
    return table


@pytest.mark.parametrize(
    ("decision", "cards", "lies", "is_told"),
    [
        (Decision.STAND, "", None, False),
        (Decision.STAND, "", 50_000, True),
        (Decision.STAND, "", 0, True),
        (Decision.STAND, "", 500, True),
        (Decision.DOUBLE, "2c", 2000, False),
        (Decision.DOUBLE, "2c", None, False),
        (Decision.DOUBLE, "2c", 1500, True),
        (Decision.DOUBLE, "2c", 3000, True),
        (Decision.DOUBLE, "2c", 0, True),
    ],
)
def test_chips_of_blackjack_are_compared_when_all_have_decided(
    *, decision: Decision, cards: str, lies: int | None, is_told: bool
) -> None:
    """A stake that was raised or taken back between the player's two cards and the dealer's was told nowhere."""
    table = played(decision, cards, lies=lies)
    assert moved(table) == []  # chips of a decision may be on their way
    table.staff_says(2, Decision.STAND)
    assert table.phase() is Phase.DEALER_DRAWING
    assert moved(table) == (["stake-moved-seat-1-blackjack"] if is_told else [])
    unseen = [fact.detail for fact in table.said(DeviceAnomaly) if fact.code == "raise-unseen"]
    beside = "seat 1, BET: 10.00 is seen and the bet is 20.00: the rest lies beside the spot, or nowhere"
    assert unseen == ([beside] if decision is Decision.DOUBLE and lies is None else [])


@pytest.mark.parametrize("lies", [None, 0])
def test_a_stake_that_is_gone_when_its_hand_is_bust_is_told(lies: int | None) -> None:
    """It is taken at once, while others decide."""
    table = played(Decision.HIT, "8c", lies=lies)
    table.staff_says(1, Decision.HIT)
    table.cards("9d")
    assert table.phase() is Phase.DECIDING
    assert table.said(WagerTaken)
    assert moved(table) == ([] if lies is None else ["stake-moved-seat-1-blackjack"])


def test_an_ante_that_its_player_took_back_before_the_fold_is_told() -> None:
    table = Watched(settings(game=GameName.BIG_RAISE, options=BigRaiseHouse()))
    table.felt(SENSOR_UP)
    ready(table)
    for seat in (1, 2):
        table.sees(seat, "ante", 500)
    table.press()
    while table.phase() is Phase.DEALING:
        position = len(table.state.round.hands) + 1 if table.state.round else 0
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    assert table.phase() is Phase.DECIDING
    table.sees(1, "ante", 0)
    table.sees(2, "ante", 0)  # its player has not decided, and the chips may be on their way
    assert table.ask(Decide(SeatNumber(1), Decision.FOLD), Actor.DEALER).accepted
    assert moved(table) == ["stake-moved-seat-1-ante"]


def test_a_stake_that_is_taken_back_while_the_dealer_draws_is_told() -> None:
    table = played(Decision.STAND)
    table.staff_says(2, Decision.STAND)
    table.sees(1, "blackjack", 0)
    assert moved(table) == ["stake-moved-seat-1-blackjack"]


@pytest.mark.parametrize("is_dealt", [False, True])
def test_chips_that_staff_entered_as_they_lay_are_missed_when_a_restarted_sensor_has_none(*, is_dealt: bool) -> None:
    """The dealer had entered what was seen. The plug was pulled, the chips were taken back, and nobody was told."""
    table = watched()
    for seat in (2, 3):
        table.sees(seat, "poker-hand", 500)
        assert table.enter_bet(seat, 500)
    if is_dealt:
        assert table.is_green_taken()
    for event in (LinkLost("pulled"), Restarted("felt-2"), SENSOR_UP):
        table.felt(event)
    table.sees(3, "poker-hand", 500)
    if not is_dealt:
        assert "seat 2" in table.expect_disputed().message
        assert table.enter_bet(2, 500)  # the dealer has looked once more
        assert table.is_green_taken()
        return
    for position in (1, 2):
        table.dispense(position)
        table.deliver(position)
    table.press()
    assert moved(table) == ["stake-moved-seat-2-poker-hand"]


@pytest.mark.parametrize(("spot", "holds"), [("poker-hand", True), ("range", False)])
def test_what_staff_enters_while_the_sensor_is_away_is_looked_at_again_where_it_has_such_spots(
    *, spot: str, holds: bool
) -> None:
    """The dealer entered what lay there, and before the sensor was back the chips were gone."""
    table = watched()
    table.sees(3, spot, 500)
    table.sees(3, spot, 0)
    for event in (LinkLost("pulled"), Restarted("felt-2")):
        table.felt(event)
    assert table.enter_bet(2, 500)
    table.felt(SENSOR_UP)
    assert table.is_green_taken() is not holds


@pytest.mark.parametrize("trouble", [Restarted("felt-2"), EventsLost(1, "gone"), LinkUp(*UNSURE)])
def test_no_keys_of_a_bet_sensor_are_said_to_be_lost(trouble: DeviceEvent) -> None:
    """It has none, and the dealer was told to press again."""
    table = reconciling()
    asked = table.state.prompt
    table.felt(trouble)
    assert table.state.prompt == asked


def test_a_sensor_that_the_file_no_longer_names_holds_no_players_bet() -> None:
    """Each bet that a player typed waited for a sensor that was gone for good, until the dealer entered it."""
    table = watched()
    at = (table.state.at, table.state.day, "journal-under-test", "rules-1", SETTINGS)
    table.take(Configured(*at, devices=(SHUFFLER,)))
    table.link_up()
    assert table.enter_bet(3, 500, Actor.PLAYER)
    assert table.is_green_taken()


def test_where_two_sensors_see_one_spot_the_one_without_chips_takes_no_bet_away() -> None:
    """The last word counted: a sensor beside it said that nothing lay there, and the player was not dealt to."""
    table = watched()
    beside = DeviceName("felt-2")

    def sees(cents: int) -> None:
        table.take(DeviceReport(beside, table.state.at, StakeSeen(2, "poker-hand", cents), Receipt("f", cents)))

    table.take(DeviceReport(beside, table.state.at, SENSOR_UP, Receipt("f", 1)))
    table.sees(2, "poker-hand", 1500)
    sees(2500)
    table.sees(2, "poker-hand", 0)  # the other one still sees 25.00
    assert [fact.code for fact in table.said(DeviceAnomaly)] == ["spot-seen-twice"]
    assert table.stakes() == [seen(2, 2500)]
    sees(0)
    assert table.stakes() == []
    table.sees(2, "poker-hand", 1500)
    table.felt(LinkLost("pulled"))
    sees(0)  # nobody else sees it now
    assert table.stakes() == []


NAMED = Big50House(red_black=RedBlack.NAMED)
ONE_SPOT = replace(SETTINGS, options=NAMED)


@pytest.mark.parametrize("role", [Actor.DEALER, Actor.PLAYER])
def test_where_one_spot_is_seen_for_both_colours_an_entry_names_the_colour(role: Actor) -> None:
    """The dealer's entry of what lay there did not end it. Only clearing the seat and entering it again did."""
    table = watched(ONE_SPOT)
    table.sees(2, "red-black", 500)
    table.expect_disputed()
    assert table.ask(Bet(SeatNumber(2), WagerName.RED_BLACK, 500, Colour.RED), role).accepted
    assert table.is_green_taken()
    table.sees(2, "red-black", 600)
    assert moved(table) == ["stake-moved-seat-2-red-black"]


@pytest.mark.parametrize("first", ["entry", "chips"])
def test_a_player_who_names_the_colour_on_one_spot_for_both_has_the_bet_that_lies_there(first: str) -> None:
    table = watched(ONE_SPOT)
    if first == "chips":
        table.sees(2, "red-black", 500)
    assert table.ask(Bet(SeatNumber(2), WagerName.RED_BLACK, 700, Colour.BLACK), Actor.PLAYER).accepted
    assert not table.is_green_taken()
    table.sees(2, "red-black", 500)
    assert not table.is_green_taken()
    table.sees(2, "red-black", 700)
    assert table.is_green_taken()


@pytest.mark.parametrize(("lies", "is_taken"), [(300, False), (500, False), (800, True)])
def test_two_colours_on_one_spot_are_the_chips_of_both(*, lies: int, is_taken: bool) -> None:
    table = watched(replace(SETTINGS, options=replace(NAMED, colours_are_two_bets=True)))
    table.sees(2, "red-black", lies)
    for colour, cents in ((Colour.RED, 500), (Colour.BLACK, 300)):
        assert table.ask(Bet(SeatNumber(2), WagerName.RED_BLACK, cents, colour), Actor.PLAYER).accepted
    assert table.is_green_taken() is is_taken
