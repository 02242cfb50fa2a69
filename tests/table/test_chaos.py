"""Anything at any time, and afterwards a round is played to its end: by seed, on tables of every game and machine.

Theory of operation. `ChaosTable` has everything happen at once while the robot of `robot_dealer.py` plays on, so that
every phase is reached, and looks at the table at each input. Then the noise ends, and the robot has to bring a round to
its end: a table on which it does not could not be opened again by its people either.

The second test cuts a recorded round anywhere and starts another table's file there: another game, another kind of
machine under the same name or another one, fewer seats, another day.

`make test` plays a few of each; `make soak` plays hundreds. A failure names its seed: FELTD_SEED is the first one.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from random import Random
from typing import Final

import pytest

from daemon.table import alerts, seen_stakes
from daemon.table.facts import AlertRaised
from daemon.table.games import PROCEDURES
from daemon.table.said import Clause, SaidId
from daemon.table.state import TableState
from drivers.events import FaultKind, FaultRaised
from tests.table.chaos import ChaosTable, a_house, another_file, inputs_of, renamed, settings_of
from tests.table.playing import SHUFFLER
from tests.table.recorded_rounds import EVERY_ROUND
from tests.table.robot_dealer import StuckError

LONG: Final = "FELTD_SOAK" in os.environ
FIRST: Final = int(os.environ.get("FELTD_SEED", "1"))
TABLES, TABLES_MAX = (1_000, 1_000) if LONG else (22, 200)
"""`make test` plays so many, and more only until every phase of every game was reached."""
CUTS: Final = 3_000 if LONG else 22
PLANTED_CUTS_MAX: Final = 60
"""Of four cuts one finds the bet beyond the last seat."""
NOISY_STEPS: Final = 120
ROUNDS_AFTER: Final = 2
EVERY_PHASE: Final = frozenset((game, phase) for game, procedure in PROCEDURES.items() for phase in procedure.rows)
"""Of each game."""
NAMES: Final = tuple(EVERY_ROUND)


@contextmanager
def named(table: ChaosTable, seed: int) -> Iterator[None]:
    """Say of whatever goes wrong at which seed it does, and how the table came there."""
    try:
        yield
    except Exception as error:
        error.add_note(f"FELTD_SEED={seed}: {table.stands()}")
        raise


def noisy(seed: int) -> ChaosTable:
    """Anything at any time, then a round."""
    chance = Random(seed)
    table = ChaosTable(a_house(NAMES[seed % len(NAMES)], chance), chance)
    with named(table, seed):
        if chance.random() < 0.5:
            table.sees_chips()
        for _ in range(NOISY_STEPS):
            table.noisy_step()
        table.play_round()
    return table


def cut(seed: int) -> ChaosTable:
    """A recorded round up to anywhere, a few disturbances, another table's file, and then some rounds."""
    chance = Random(seed)
    name = NAMES[seed % len(NAMES)]
    before = settings_of(name)
    table, after = ChaosTable(before, chance), another_file(before, chance)
    with named(table, seed):
        inputs = inputs_of(name)[1:]
        for happened in inputs[: chance.randrange(len(inputs) + 1)]:
            table.take(happened)
        if chance.random() < 0.5:
            table.sees_chips()
        table.reports_with_steps(0)
        if chance.random() < 0.2:
            table.restores()
        if chance.random() < 0.3:
            table.started(another_file(before, chance))
        table.started(after, chance.choice([-1, 0, 1]), names_devices=chance.random() < 0.8)
        table.reports_with_steps(2)
        for _ in range(ROUNDS_AFTER):
            table.play_round()
        assert table.state.settings == after, "it plays by another file than the last one"
    return table


@pytest.mark.soak
@pytest.mark.timeout(3600 if LONG else 600)
def test_whatever_happens_at_a_table_a_round_can_be_played_afterwards() -> None:
    missing = set(EVERY_PHASE)
    for number in range(TABLES_MAX):
        if number >= TABLES and not missing:
            break
        missing -= noisy(FIRST + number).reached
    assert not missing, "no seed reached these: the noise no longer tries them"


@pytest.mark.soak
@pytest.mark.timeout(3600 if LONG else 600)
def test_a_round_cut_anywhere_and_another_file_leave_a_table_that_can_play() -> None:
    for seed in range(FIRST, FIRST + CUTS):
        cut(seed)


# --- the test is tested ---


def test_a_bet_at_a_seat_that_the_new_file_lacks_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: chips that a sensor saw there were laid as a bet, which ended the daemon at each of its starts."""
    monkeypatch.setattr(seen_stakes, "forget_beyond", lambda _: None)

    def many() -> None:
        for seed in range(1, PLANTED_CUTS_MAX):
            with suppress(StuckError):  # such chips are in dispute, too
                cut(seed)

    with pytest.raises(AssertionError, match="has a stake at seat") as found:
        many()
    (note,) = found.value.__notes__
    assert "FELTD_SEED=" in note
    assert "sensor: StakeSeen" in note


def test_a_table_that_can_open_no_round_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: the alert of a machine that the file no longer names could only be cleared once that machine spoke."""

    def as_it_was(state: TableState, alert: AlertRaised, _: int) -> Clause | None:
        is_wrong = alert.device is not None and state.device(alert.device).faults
        return Clause(SaidId.VOID_NOT_DONE) if is_wrong else None

    def exchanged() -> None:
        before = settings_of("big-50")
        table = ChaosTable(before, Random(1))
        table.play_round()
        table.says(SHUFFLER, FaultRaised(FaultKind.JAM, ""))
        table.started(replace(before, source=renamed(before.source)))
        table.play_round()

    exchanged()
    monkeypatch.setattr(alerts, "standing_cause", as_it_was)
    with pytest.raises(StuckError, match="jam-shuffler keeps every round from opening"):
        exchanged()
