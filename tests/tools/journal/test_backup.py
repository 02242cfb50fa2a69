"""A backup is whole while the table plays, and a table can go on with it."""

from __future__ import annotations

import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from daemon.journal.checking import check_piece, first_place
from daemon.journal.creation import create
from daemon.journal.errors import BackupThereError, JournalBehindError
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.recovery import recover
from daemon.tools.journal.backup import back_up
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import feltd
from tests.journal.played import journal_of, shuffled_games
from tests.support.processes import gone_afterwards

COPIES = 5
WRITER = """
import sys
from itertools import takewhile
from pathlib import Path
from tests.journal.played import journal_of, shuffled_games

journal, enough = map(Path, sys.argv[1:])
journal_of(journal, takewhile(lambda _: not enough.exists(), shuffled_games(1, 100)))
"""


def test_a_backup_has_everything_and_is_its_users_alone(signed: Path, tmp_path: Path) -> None:
    done = back_up(signed, tmp_path / "copy.db")
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    with (
        closing(JournalReader.open_read_only(signed)) as journal,
        closing(JournalReader.open_read_only(tmp_path / "copy.db")) as copy,
    ):
        assert copy.stored(0, 10_000) == journal.stored(0, 10_000)
        assert copy.checkpoints(0, 10_000) == journal.checkpoints(0, 10_000)
        assert (done.journal, done.last, done.head) == (
            journal.id,
            journal.last_offset(),
            journal.hash_at(journal.last_offset()).hex(),
        )
    assert not list(tmp_path.glob("copy.db?*"))


def _link(draft: Path, elsewhere: Path) -> None:
    draft.symlink_to(elsewhere)


def _file(draft: Path, _: Path) -> None:
    draft.touch(0o644)


def _nothing(_draft: Path, _: Path) -> None:
    """Leave the name without a file."""


@pytest.mark.parametrize("put", [_link, _file, _nothing])
def test_a_backup_goes_only_into_the_file_that_it_made(
    signed: Path, tmp_path: Path, put: Callable[[Path, Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Root backs up into a directory of the table's user, who could have it write a journal at any place."""
    target, elsewhere = tmp_path / "copy.db", tmp_path / "etc"
    draft = tmp_path / "copy.db.new"

    def replace_the_draft(_cursor: apsw.Cursor, sql: str, _bindings: object) -> bool:
        if sql.startswith("VACUUM INTO"):
            draft.unlink()
            put(draft, elsewhere)
        return True

    def watch(db: apsw.Connection) -> None:
        db.exec_trace = replace_the_draft

    monkeypatch.setattr(apsw, "connection_hooks", [watch])
    with pytest.raises(BackupThereError):
        back_up(signed, target)
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(("copy", "etc"))] == []


def test_a_backup_goes_through_a_link_to_a_directory_and_from_a_link_to_a_journal(signed: Path, tmp_path: Path) -> None:
    (tmp_path / "disk").mkdir()
    (tmp_path / "usb").symlink_to("disk")
    (tmp_path / "linked.db").symlink_to(signed)
    back_up(tmp_path / "linked.db", tmp_path / "usb" / "copy.db")
    assert [path.name for path in (tmp_path / "disk").iterdir()] == ["copy.db"]


def test_a_backup_while_records_are_written_is_whole(tmp_path: Path) -> None:
    path, enough, copies = tmp_path / "journal.db", tmp_path / "enough", list[int]()
    create(path)
    with gone_afterwards(subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(enough)])) as writer:
        while writer.poll() is None:
            if len(set(copies)) >= COPIES:
                enough.touch()
            copy = tmp_path / f"{len(copies)}.db"
            copies.append(back_up(path, copy).last)
            with closing(JournalReader.open_read_only(copy)) as journal:
                assert check_piece(journal, first_place(journal), 10**6)[1] == ()
    assert writer.returncode == 0
    assert copies == sorted(copies)
    assert len(set(copies)) >= COPIES, "all copies were made before or after"


def test_an_existing_file_is_not_written_over(signed: Path, unsigned: Path) -> None:
    before = unsigned.read_bytes()
    with pytest.raises(BackupThereError):
        back_up(signed, unsigned)
    assert unsigned.read_bytes() == before


def test_a_table_goes_on_with_a_backup_after_a_word_for_it(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(GOOD)
    path = tmp_path / "table7.journal"
    create(path)
    inputs = shuffled_games(1, 2)
    journal_of(path, inputs[:40])
    assert feltd("journal", "backup", path, tmp_path / "monday.db").returncode == 0
    with closing(Journal.open(path, create=False)) as journal:
        recovered = recover(journal)
        last = journal.last_offset()
    path.unlink()
    shutil.copy(tmp_path / "monday.db", path)
    lock = path.with_name("table7.journal.lock")
    lock.write_bytes(lock.read_bytes().replace(b'"offset":%d' % last, b'"offset":%d' % (last + 9)))
    with pytest.raises(JournalBehindError):
        Journal.open(path, create=False)
    done = feltd("journal", "restored", "--config", file, "--because", "the disk died")
    assert done.returncode == 0, done.stderr
    assert "9 records are lost" in done.stdout
    with closing(Journal.open(path, create=False)) as journal:
        state = recover(journal)
        assert state is not None
        assert recovered is not None
        assert (state.round, state.phase, state.alerts) == (recovered.round, recovered.phase, recovered.alerts)
