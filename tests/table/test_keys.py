"""Keys that say decisions: for the seat that is asked, or for one that was selected, and never for nobody."""

from __future__ import annotations

from daemon.table.facts import ButtonRefused
from daemon.table.round_facts import PlayerDecided, SeatSelected
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, SeatNumber
from drivers.events import Button
from tests.table.playing import Table
from tests.table.test_big_raise import two_players


def decided(table: Table) -> list[tuple[int, Decision, int | None]]:
    facts = (fact for fact in table.facts if isinstance(fact, PlayerDecided))
    return [(fact.seat, fact.decision, fact.stake_cents) for fact in facts]


def refused(table: Table) -> str:
    (fact,) = table.new
    assert isinstance(fact, ButtonRefused)
    return fact.code


def test_a_key_decides_for_the_seat_that_is_asked() -> None:
    table = two_players()
    table.press(Button.FOLD)
    table.press(Button.NEXT)
    table.press(Button.PLAY_2)
    assert decided(table) == [(1, Decision.FOLD, None), (2, Decision.PLAY, 1000)]


def test_the_same_key_as_a_command_does_the_same() -> None:
    table = two_players()
    assert table.command_press(Button.FOLD).accepted
    assert decided(table) == [(1, Decision.FOLD, None)]


def test_a_selected_seat_is_refused_out_of_turn_and_stays_selected() -> None:
    table = two_players()
    assert table.press(Button.SEAT_2) == [SeatSelected(SeatNumber(2))]
    table.press(Button.FOLD)
    assert refused(table) == "out-of-turn"
    assert table.state.round is not None
    assert table.state.round.selected == 2


def test_a_selection_is_spent_by_its_decision() -> None:
    table = two_players()
    table.press(Button.SEAT_1)
    table.press(Button.FOLD)
    assert table.state.round is not None
    assert table.state.round.selected is None


def test_a_seat_without_a_hand_cannot_be_selected() -> None:
    table = two_players()
    table.press(Button.SEAT_8)
    assert refused(table) == "no-such-hand"


def test_a_key_of_another_game_means_nothing() -> None:
    table = two_players()
    table.press(Button.HIT)
    assert refused(table) == "key-means-nothing"
    assert table.state.phase is Phase.DECIDING


def test_a_decision_between_rounds_means_nothing() -> None:
    table = Table()
    table.press(Button.FOLD)
    assert refused(table) == "key-means-nothing"


def test_a_seat_is_selected_only_where_players_decide() -> None:
    table = Table()
    table.press(Button.SEAT_1)
    assert refused(table).startswith("not-while-")
