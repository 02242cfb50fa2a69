"""A day at one table, all games, changing over, wear and crashes, midnight: the books are right at the end of it.

The short run is of an hour and a quarter with twelve times the wear; `make soak` plays twenty-four.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.recovery import recover
from daemon.rules.wagers import GameName, WagerName
from daemon.table.inputs import DayBegan
from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.games import GAMES
from daemon.tools.journal.export import export
from drivers.profile import DeviceRole
from drivers.profiles import PROFILES
from sim_hardware.loop import run
from tests.shift.exact import audits
from tests.shift.returns import Tally, summary
from tests.shift.shift_table import ShiftLog, ShiftTable, Spell
from tests.support.virtual_table import KEY
from tests.tools.journal.tampering import TAMPERINGS, checked, expect_named

LONG = "FELTD_SOAK" in os.environ
SEED = int(os.environ.get("FELTD_SEED", "1"))
PLAYED: Final = tuple(GAMES)
WHOLE_ROUND_HOURS = 24.0 if LONG else 1.25
SPELLS_A_GAME = 3 if LONG else 1
WEAR_TIMES = 1.0 if LONG else 12.0
COPIES = 10 if LONG else 1
"""Tampered copies of the export, of each kind."""
BYTES_A_ROUND_MAX: Final = 10_000
SETTLED: Final = ("hand-settled", "fold-settled", "first-five-settled", "wager-taken")
UNTOUCHED: Final = (
    WagerName.POKER_HAND,
    WagerName.RED_BLACK,
    WagerName.BIG_50,
    WagerName.RANGE,
    WagerName.TWO_CARD_BONUS,
)
"""Wagers on which no decision bears, at odds that do not depend on the stake."""


def _spells() -> list[Spell]:
    """Each game in turn, and back to the first."""
    order = [*(PLAYED * SPELLS_A_GAME), PLAYED[0]]
    return [Spell(game, WHOLE_ROUND_HOURS / len(order)) for game in order]


async def _worked(directory: Path) -> ShiftTable:
    table = ShiftTable(directory, SEED, PLAYED)
    await table.work(_spells(), wear_times=WEAR_TIMES)
    return table


@pytest.mark.timeout(3600 if LONG else 400)
@pytest.mark.soak
@pytest.mark.long
def test_a_long_shift(tmp_path: Path) -> None:
    _key(tmp_path / KEY)
    table = run(_worked(tmp_path), SEED)
    log, tally = table.log, returns(table.log)
    print(f"seed {SEED}: {log.tally.rounds} rounds, {log.lives} lives, {len(log.troubles)} troubles")  # noqa: T201
    print(summary(tally, audits()))  # noqa: T201
    _rounds_end_once(log)
    _money_balances(log)
    assert log.unexplained() == [], f"seed {SEED}"
    assert table.client.state["table"]["alerts"] == [], f"seed {SEED}: nobody saw to these"
    _who_did_what(log)
    _the_day_began_once(tmp_path / "journal.db")
    assert tally.differs(audits().values()) == [], f"seed {SEED}"
    bytes_a_round = (tmp_path / "journal.db").stat().st_size // log.tally.rounds
    print(f"{bytes_a_round} bytes of journal a round")  # noqa: T201
    assert bytes_a_round < BYTES_A_ROUND_MAX
    _a_stranger_checks(tmp_path / "journal.db", tmp_path)


def _a_stranger_checks(path: Path, scratch: Path) -> None:
    """The export fits, and of each copy that somebody tampered with the place is named."""
    with closing(JournalReader.open_read_only(path)) as journal:
        export(journal, scratch / "bundle", None)
    done = checked(scratch / "bundle")
    print(done.stdout)  # noqa: T201
    assert (done.returncode, done.stderr) == (0, "")
    for tamper in TAMPERINGS:
        expect_named(scratch / "bundle", tamper, range(COPIES), scratch)


def _key(file: Path) -> None:
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file], check=True, capture_output=True)
    file.chmod(0o600)


def _rounds_end_once(log: ShiftLog) -> None:
    ends = log.ends()
    opened = [heard.round_id for heard in log.of("round-opened")]
    assert sorted(ends.elements(), key=str) == sorted(opened, key=str), f"seed {SEED}: a round ended twice or never"
    assert log.tally.holes == log.tally.repeats == 0, f"seed {SEED}"
    assert log.tally.kinds["round-settled"] > 20, f"seed {SEED}: {log.tally.kinds}"


def _money_balances(log: ShiftLog) -> None:
    """Of each round that was settled: what was taken is what its results say, to the cent; and so over the shift."""
    assert log.tally.unbalanced == 0, f"seed {SEED}"
    nets: dict[str | None, int] = {}
    for heard in log.of(*SETTLED):
        nets[heard.round_id] = nets.get(heard.round_id, 0) + sum(wager["pays_cents"] for wager in _wagers(heard))
    for settled in log.of("round-settled"):
        assert settled.data["take_cents"] == -nets[settled.round_id], f"seed {SEED}: {settled.round_id}"


def _wagers(settled: EventHeard) -> list[Mapping[str, Any]]:
    return settled.data["wagers"] if "wagers" in settled.data else [settled.data["wager"]]


def _who_did_what(log: ShiftLog) -> None:
    """An auditor reads who closed, changed, had the deck counted and opened, and in which role."""
    told = log.of("table-closed", "game-changed", "deck-count-ordered", "table-opened")
    expected = [kind for spell in _spells()[1:] for kind in _acts(spell.game)]
    assert [heard.kind for heard in told] == [*expected, "table-closed"]
    assert all(heard.data["who"] and heard.data["role"] == Actor.SUPERVISOR.value for heard in told)
    played = [heard.data["game"] for heard in log.of("game-changed")]
    assert played == [spell.game.value for spell in _spells()[1:]]


def _acts(game: GameName) -> tuple[str, ...]:
    is_from_shoe = PROFILES[GAMES[game].profiles[0]].role is DeviceRole.SHOE
    counted = () if is_from_shoe else ("deck-count-ordered",)
    return ("table-closed", "game-changed", *counted, "table-opened")


def _the_day_began_once(path: Path) -> None:
    journal = Journal.open(path, create=False)
    days = [happened.day for _, happened in journal.replay(0) if isinstance(happened, DayBegan)]
    table = recover(journal)
    journal.close()
    assert table is not None
    assert days == sorted(set(days)), f"seed {SEED}: {days}"
    assert table.settings.limits.on(table.day) is table.settings.limits.dated[1][1]


def returns(log: ShiftLog) -> Tally:
    """What the shift's wagers came to, one of each kind a deal: hands of one deal are not independent.

    It is the lowest seat's: which seat is settled first depends on the cards, as a hand that folds does.
    """
    tally, found = Tally(), dict[tuple[str | None, str], dict[int, Mapping[str, Any]]]()
    void = {heard.round_id for heard in log.of("round-voided")}
    for heard in log.of(*SETTLED):
        for wager in _wagers(heard) if heard.round_id not in void else []:
            if WagerName(wager["wager"]) in UNTOUCHED:
                found.setdefault((heard.round_id, wager["wager"]), {})[heard.data["seat"]] = wager
    for of_seats in found.values():
        _note(tally, of_seats[min(of_seats)])
    return tally


def _note(tally: Tally, wager: Mapping[str, Any]) -> None:
    tally.note(wager["wager"], wager["stake_cents"], wager["pays_cents"], wager["row"])


def test_an_alert_that_nothing_explains_is_found() -> None:
    log = ShiftLog()
    log.heard.append(EventHeard("alert-raised", 1, None, {"alert": "jam-shuffler"}, 0))
    log.moments_s.append(2_000.0)
    log.troubles.append((1_000.0, "jam"))
    assert log.unexplained() == ["jam-shuffler at 2000 s"]
    log.troubles.append((1_500.0, "jam"))
    assert log.unexplained() == []
