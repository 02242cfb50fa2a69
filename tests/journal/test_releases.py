"""Today's daemon starts on the journals that daemons of releases wrote, in the middle of a round, and adds to them."""

from __future__ import annotations

import json
import re
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from daemon.clock import stamp
from daemon.config.load import load
from daemon.journal.checking import check_piece, first_place
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.journal.record import CARRIED, INPUTS, NOTHING, Carried
from daemon.recovery import recover, replayed
from daemon.table.carry_over import carry_over
from daemon.table.inputs import Configured, DayBegan
from daemon.table.reducer import apply, blank
from daemon.tools.bench.games import GAMES
from tests.journal.releases import KEPT, picture_of, releases
from tests.journal.test_format import says_all_of

_every = pytest.mark.parametrize("kept", releases(), ids=lambda kept: str(kept.relative_to(KEPT)))


@pytest.fixture
def copied(kept: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(kept, tmp_path / "journal.db"))


def test_a_game_that_was_released_stays() -> None:
    """A game that is newer than the last release has no journal of then."""
    assert releases()
    assert {kept.stem for kept in releases()} <= {game.value for game in GAMES}


@_every
def test_a_round_of_then_stands_where_it_stood(kept: Path, copied: Path) -> None:
    then = json.loads(kept.with_suffix(".json").read_text(encoding="utf-8"))
    assert then["table"]["round_id"] is not None, "the daemon was killed in a round"
    with closing(JournalReader.open_read_only(copied)) as journal:
        assert says_all_of(picture_of(journal), then)


@_every
def test_nothing_in_it_is_doubted_and_all_of_it_is_replayed_to_the_same_table(copied: Path) -> None:
    with closing(JournalReader.open_read_only(copied)) as journal:
        place, faults = check_piece(journal, first_place(journal), journal.last_offset())
        assert not faults
        assert place.offset == journal.last_offset()
        whole, started = replayed(journal, None, journal.base.offset), recover(journal)
        assert whole is not None
        assert started is not None
        assert len(whole.recent) > 1
        assert replace(whole, recent=()) == started, "that version carried over no rounds, and all else"


@_every
def test_todays_daemon_adds_to_it(copied: Path) -> None:
    with closing(Journal.open(copied, create=False)) as journal:
        before, state = journal.last_offset(), recover(journal)
        assert state is not None
        day = DayBegan(stamp(), type(state.day)(state.day + 1))
        journal.append(day, apply(state, day))
        assert journal.last_offset() == before + 1


NEWER: Final = {
    "0.1.0": {
        "settings.large_wins",
        "settings.options<big-50>.colours_are_two_bets",
        "settings.positions",
        "settings.supervised",
        "table<carried-over>.phase_since_utc_ns",
        "table<carried-over>.prompt_said",
        "table<carried-over>.prompt_seat",
        "table<carried-over>.recent",
    }
}
"""What today's daemon writes although nobody asked for it, and no journal of then has. After the first
release nothing may come to it: who goes back to that release could not start. A field that is not used is left out."""


def keys(value: Any, at: str = "") -> set[str]:  # noqa: ANN401  # any JSON
    """The path of every key, each named by the kind of value that it is in."""
    if isinstance(value, list):
        return set().union(*(keys(each, at) for each in value))
    if not isinstance(value, dict):
        return set()
    kind = f"<{value['kind']}>" if isinstance(value.get("kind"), str) and at else ""
    paths = {name: f"{at}{kind}.{name}".lstrip(".") for name in value}
    return set(paths.values()).union(*(keys(each, paths[name]) for name, each in value.items()))


def _without_people(toml: str) -> str:
    return re.sub(r"(?m)^file = \"people.toml\"$", "", toml)


def test_who_does_not_use_what_is_new_can_go_back_to_a_release(tmp_path: Path) -> None:
    """Then's configuration and inputs, as today's daemon writes them and carries them over."""
    for release in {kept.parent for kept in releases()}:
        then, today = set[str](), set[str]()
        for kept in release.glob("*.db"):
            file = tmp_path / "t.toml"
            file.write_text(_without_people(kept.with_suffix(".toml").read_text(encoding="utf-8")), encoding="utf-8")
            with closing(JournalReader.open_read_only(kept)) as journal:
                first = journal.input_at(1)
                assert isinstance(first, Configured)
                today |= keys(json.loads(INPUTS.encode(replace(first, settings=load(file).table))))
                state = blank(first)
                for record in journal.stored(0, journal.last_offset()):
                    line, happened = journal.read(record)
                    state = apply(state, happened).state
                    then |= keys(json.loads(bytes(line.input)))
                    if line.carried is not NOTHING:
                        then |= keys(json.loads(bytes(line.carried)))
                        carried = carry_over(state)
                        assert carried is not None
                        today |= keys(json.loads(CARRIED.encode(Carried(1, carried))))
        unknown = today - then
        new = {key for key in unknown if not any(key.startswith((f"{above}.", f"{above}<")) for above in unknown)}
        assert new == NEWER.get(release.name, set())
