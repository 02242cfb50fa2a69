"""`feltd create-journal`: a journal is made once in a table's life."""

from __future__ import annotations

import stat
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from daemon.errors import ExitStatus, JournalError
from daemon.journal.creation import create
from daemon.journal.errors import JournalDirectoryError, JournalMissingError, JournalThereError
from daemon.journal.journal import Journal
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import FELTD
from tests.support.rights import without_rights
from tests.support.sentences import Says


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_it_is_empty_and_its_users_alone_in_a_directory_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "table7" / "journal.db"
    made = create(path)
    assert (mode(path.parent), mode(path)) == (0o750, 0o600)
    with closing(Journal.open(path, create=False)) as journal:
        assert (journal.id, journal.last_offset()) == (made, 0)


def test_only_the_last_directory_is_made(tmp_path: Path) -> None:
    with pytest.raises(JournalDirectoryError):
        create(tmp_path / "not-mounted" / "table7" / "journal.db")
    assert not list(tmp_path.iterdir())


def test_one_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    made = create(tmp_path / "journal.db")
    with pytest.raises(JournalThereError, match=r"journal\.db: "):
        create(tmp_path / "journal.db")
    with closing(Journal.open(tmp_path / "journal.db", create=False)) as journal:
        assert journal.id == made


def test_where_one_was_none_is_made(tmp_path: Path, says: Says) -> None:
    create(tmp_path / "journal.db")
    (tmp_path / "journal.db").unlink()
    with pytest.raises(JournalMissingError) as raised:
        create(tmp_path / "journal.db")
    says(raised.value)


def test_the_command_makes_the_configured_one_and_says_which(tmp_path: Path, says: Says) -> None:
    file = tmp_path / "t.toml"
    file.write_text(GOOD)
    command = [str(FELTD), "create-journal", "--config", str(file)]
    first, second = (subprocess.run(command, capture_output=True, text=True, timeout=180) for _ in range(2))
    with closing(Journal.open(tmp_path / "table7.journal", create=False)) as journal:
        assert journal.id in first.stdout
    says(first.stdout)
    assert second.returncode == ExitStatus.JOURNAL
    assert "[journal-there]" in second.stderr


def test_a_directory_that_may_not_be_looked_into_is_said(tmp_path: Path) -> None:
    (tmp_path / "table7").mkdir(mode=0o000)
    with without_rights(), pytest.raises(JournalError):
        create(tmp_path / "table7" / "journal.db")
