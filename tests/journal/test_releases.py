"""Today's daemon starts on the journals that daemons of releases wrote, in the middle of a round, and adds to them."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.clock import stamp
from daemon.journal.checking import check_piece, first_place
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.recovery import recover, replayed
from daemon.table.inputs import DayBegan
from daemon.table.reducer import apply
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
