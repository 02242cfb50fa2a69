"""What `feltd doctor` says of a journal is what a start then does with it, whatever the file is."""

from __future__ import annotations

import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Final

import apsw
import pytest

from daemon.app import built
from daemon.config.document import InvalidConfigurationError
from daemon.config.load import load
from daemon.config.settings import Config
from daemon.errors import JournalError
from daemon.journal.creation import create
from daemon.journal.errors import JournalNotAFileError
from daemon.tools.doctor.findings import Verdict
from daemon.tools.doctor.machine import check_journal
from tests.daemon.config.files import GOOD
from tests.journal.values import tampered
from tests.support.rights import without_rights


def beside(config: Config, suffix: str) -> Path:
    return config.journal.with_name(config.journal.name + suffix)


def started(config: Config, times: int = 1) -> None:
    for _ in range(times):
        with built(config):
            pass


def changed(config: Config, statement: str) -> None:
    with closing(apsw.Connection(str(config.journal))) as hand:
        hand.execute(statement)


def of_another_table(config: Config) -> None:
    for left in config.journal.parent.glob(config.journal.name + "*"):
        left.unlink()
    create(config.journal)
    started(replace(config, table=replace(config.table, table="8")))


def an_older_copy(config: Config) -> None:
    shutil.copy(config.journal, beside(config, ".copy"))
    started(config)
    shutil.move(beside(config, ".copy"), config.journal)


def a_lost_log(config: Config) -> None:
    with built(config):
        left = config.journal.read_bytes(), beside(config, ".lock").read_bytes()
    config.journal.write_bytes(left[0])
    beside(config, ".lock").write_bytes(left[1])


def another_journal(config: Config) -> None:
    create(beside(config, ".other"))
    shutil.move(beside(config, ".other"), config.journal)


def a_link_for_a_lock(config: Config) -> None:
    beside(config, ".lock").unlink()
    beside(config, ".lock").symlink_to("elsewhere")


def not_a_file(suffix: str, make: Callable[[Path], None]) -> Callable[[Config], None]:
    def replace_it(config: Config) -> None:
        beside(config, suffix).unlink(missing_ok=True)
        make(beside(config, suffix))

    return replace_it


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def a_link_to_itself(path: Path) -> None:
    path.symlink_to(path)


KINDS: Final[dict[str, Callable[[Path], None]]] = {
    "directory": Path.mkdir,
    "pipe": os.mkfifo,
    "socket": a_socket,
    "link to itself": a_link_to_itself,
}


def an_emptied_lock(config: Config) -> None:
    beside(config, ".lock").write_bytes(b"")


def cut_to(size: int) -> Callable[[Config], None]:
    def cut(config: Config) -> None:
        config.journal.write_bytes(config.journal.read_bytes()[:size])

    return cut


def of_a_version_that_knows_more(config: Config) -> None:
    beside(config, ".lock").unlink()
    tampered(config.journal, 1, b'"kind":"configured"', b'"kind":"rewritten!"')


def pragma(name: str, value: int) -> Callable[[Config], None]:
    def set_(config: Config) -> None:
        with closing(apsw.Connection(str(config.journal))) as hand:
            hand.pragma(name, value)

    return set_


def statement(text: str) -> Callable[[Config], None]:
    return lambda config: changed(config, text)


JOURNALS: Final[dict[str, tuple[Callable[[Config], None], str]]] = {
    "sound": (lambda _: None, ""),
    "sound, without a lock file": (lambda config: beside(config, ".lock").unlink(), ""),
    "sound, with a lock file that a power cut emptied": (an_emptied_lock, ""),
    "sound, after somebody's ANALYZE": (statement("ANALYZE"), ""),
    "with a cursor that was changed": (statement("INSERT INTO cursors VALUES ('mqtt', 1)"), ""),
    "another table's": (of_another_table, "journal-of-another-table"),
    "an older copy": (an_older_copy, "journal-behind"),
    "without its log": (a_lost_log, "journal-behind"),
    "another one": (another_journal, "journal-behind"),
    "of a newer format": (pragma("user_version", 3), "journal-format"),
    "of another program": (pragma("application_id", 1), "journal-format"),
    "cut off": (cut_to(8192), "journal-damaged"),
    "empty": (cut_to(0), "journal-damaged"),
    "gone": (lambda config: config.journal.unlink(), "journal-missing"),
    "with a trigger": (
        statement("CREATE TRIGGER t AFTER INSERT ON requests BEGIN DELETE FROM requests; END"),
        "journal-damaged",
    ),
    "with an index of somebody's": (statement("CREATE INDEX i ON records (sequence)"), "journal-damaged"),
    "without a table": (statement("DROP TABLE cursors"), "journal-damaged"),
    "without what was carried over": (statement("DELETE FROM carried"), "journal-damaged"),
    "with a restore that never was": (statement("INSERT INTO generations VALUES (1, 'x')"), "journal-damaged"),
    "with a checkpoint behind its end": (
        statement("INSERT INTO checkpoints VALUES (99, x'', x'', x'')"),
        "journal-damaged",
    ),
    "with a changed record": (
        lambda config: tampered(config.journal, 1, b'"seats":6', b'"seats":5', is_hashed_again=False),
        "journal-damaged",
    ),
    "of a version that knows more": (of_a_version_that_knows_more, "journal-content"),
    "with a link in the place of its lock file": (a_link_for_a_lock, "journal-not-a-file"),
    **{
        f"with a {kind} in the place of the journal{suffix}": (not_a_file(suffix, make), "journal-not-a-file")
        for suffix in ("", ".lock", "-wal", "-shm")
        for kind, make in KINDS.items()
    },
}


@pytest.fixture
def config(tmp_path: Path) -> Config:
    return configured(tmp_path)


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory that everybody may enter and write to."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o777)
        yield Path(name)
        Path(name).chmod(0o700)


def configured(directory: Path) -> Config:
    """A table that was started once, so that its journal has a record."""
    file = directory / "t.toml"
    file.write_text(GOOD)
    config = load(file)
    create(config.journal)
    started(config)
    return config


def said_by_a_start(config: Config) -> tuple[str, str, str]:
    try:
        started(config)
    except JournalError as error:
        return error.code, error.message, error.remedy
    return "", "", ""


def said_by_doctor(config: Config) -> tuple[Verdict, str, str]:
    (finding,) = (each for each in check_journal(config.journal, config.table) if each.check == "journal")
    return finding.verdict, finding.said, finding.remedy


@pytest.mark.parametrize("journal", JOURNALS)
def test_doctor_says_what_a_start_says(config: Config, journal: str) -> None:
    make, code = JOURNALS[journal]
    make(config)
    verdict, said, remedy = said_by_doctor(config)
    refused = said_by_a_start(config)
    assert refused[0] == code
    if code:
        assert (verdict, said, remedy) == (Verdict.PROBLEM, *refused[1:])
    else:
        is_doubted = "cursor" in journal or "lock file" in journal
        assert verdict is (Verdict.WARNING if is_doubted else Verdict.OK)
        assert "A start would continue on it." in said


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_is_a_mistake_of_the_configuration_only_where_no_journal_was(config: Config, kind: str) -> None:
    """A directory in the place of a table's journal ended with 78, so systemd did not start the table again."""
    not_a_file("", KINDS[kind])(config)
    assert load(config.file).journal == config.journal
    with pytest.raises(JournalNotAFileError):
        create(config.journal)
    beside(config, ".lock").unlink()
    if kind != "link to itself":  # nobody can tell what it was to be
        with pytest.raises(InvalidConfigurationError, match=r"journal\.path"):
            load(config.file)


@pytest.mark.parametrize(("suffix", "mode"), [("", 0o000), ("", 0o444), (".lock", 0o444), ("directory", 0o600)])
def test_a_journal_of_another_owner_is_a_problem_for_both(open_directory: Path, suffix: str, mode: int) -> None:
    """Where this user may not even look into the directory, doctor ended with a trace."""
    config = configured(open_directory)
    for each in (config.journal, beside(config, ".lock")):
        each.chmod(0o666)
    (open_directory if suffix == "directory" else beside(config, suffix)).chmod(mode)
    expect_a_right_is_missing(config)


def test_a_journal_below_a_directory_that_nobody_else_may_search_is_a_problem_for_both(open_directory: Path) -> None:
    """Python 3.14's own `is_dir` answers no to who may not look: the directory was called missing."""
    below = open_directory / "below"
    below.mkdir()
    below.chmod(0o777)
    config = configured(below)
    open_directory.chmod(0o600)
    expect_a_right_is_missing(config)


def expect_a_right_is_missing(config: Config) -> None:
    with without_rights():
        verdict, said, remedy = said_by_doctor(config)
        refused = said_by_a_start(config)
    assert (verdict, remedy) == (Verdict.PROBLEM, refused[2]), said
    assert refused[0] == "journal-permission"


def test_beside_a_running_table_doctor_says_what_its_next_start_would(config: Config) -> None:
    with built(config):
        assert said_by_doctor(config)[0] is Verdict.OK
