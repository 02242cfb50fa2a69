"""A text that is not UTF-8, anywhere in a journal: everything that reads it names what is wrong, where, and what to do.

A disk can flip a bit, and somebody's editor can save a file in another encoding. SQLite gives back what is there.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, TypeAlias, cast

import apsw
import msgspec
import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from daemon.cli import feltd
from daemon.errors import JournalError
from daemon.journal.file import TABLES
from daemon.journal.journal import Journal
from daemon.journal.lock import last_commit, lock_file
from daemon.journal.reading import JournalReader
from daemon.journal.record import Base, first_hash
from daemon.journal.signing import Signer
from daemon.mqtt.order import MARK
from daemon.mqtt.outbox import CURSOR
from daemon.recovery import recover
from daemon.table.settings import TableSettings
from daemon.tools.doctor.findings import Verdict
from daemon.tools.doctor.machine import check_journal
from daemon.tools.journal.restoring import restore
from daemon.tools.journal.rounds import last_rounds
from tests.journal.played import journal_of, shuffled_games
from tests.journal.values import at, tampered

Column: TypeAlias = "tuple[str, str]"

WITH_TEXT: Final = (("meta", "value"), ("checkpoints", "line"))
"""Columns of bytes that are text."""

MAY_BE_MISSING: Final = ("notes", "base")
"""Names of rows: the first is of a later feltd, the second of a journal that was pruned."""


def columns() -> list[Column]:
    select = "SELECT t.name, c.name FROM sqlite_schema t, pragma_table_info(t.name) c WHERE c.type = 'TEXT'"
    with closing(apsw.Connection(":memory:")) as db:
        db.execute(TABLES)
        return [*cast("list[Column]", db.execute(select).fetchall()), *WITH_TEXT]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with rows in each table."""
    path = tmp_path_factory.mktemp("sound") / "table.journal"
    signer = Signer(Ed25519PrivateKey.generate())
    journal_of(path, shuffled_games(1, 1), signer)
    restore(path, at(1_000), "a test", "nobody", None, signer)
    with closing(Journal.open(path, create=False)) as journal:
        journal.advance(CURSOR, 3)
        journal.set_mark(MARK, True)
        base = Base(0, 0, first_hash(journal.header).hex())
    with closing(apsw.Connection(str(path))) as db:
        db.execute("INSERT INTO meta VALUES ('base', ?)", (msgspec.json.encode(base),))
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    """A copy of it, with its lock file."""
    return copied(sound, tmp_path / "table.journal")


def copied(sound: Path, path: Path) -> Path:
    for left in path.parent.glob(f"{path.name}*"):
        left.unlink()
    shutil.copy(lock_file(sound), lock_file(path))
    return Path(shutil.copy(sound, path))


def flipped(text: bytes) -> bytes:
    """The text with the high bit of a byte in its middle flipped."""
    place = len(text) // 2
    return text[:place] + bytes([text[place] ^ 0x80]) + text[place + 1 :]


def values(path: Path, table: str, column: str) -> list[str | bytes]:
    """What this column has in its first and its last row, and of the small table meta in each."""
    where = "WHERE key != 'dictionary' AND key NOT GLOB 'mark-*'" if column == "value" else ""  # bytes
    with closing(apsw.Connection(str(path))) as db:
        select = f"SELECT DISTINCT {column} FROM {table} {where}"  # noqa: S608  # our own names
        found = [cast("str | bytes", value) for (value,) in db.execute(select) if value]
    assert found, f"{table} has no row"
    return found if table == "meta" else [found[0], found[-1]]


def set_flipped(path: Path, table: str, column: str, value: str | bytes) -> None:
    is_text = isinstance(value, str)
    new = flipped(value.encode() if isinstance(value, str) else value)
    update = f"UPDATE {table} SET {column} = {'CAST(? AS TEXT)' if is_text else '?'} WHERE {column} = ?"  # noqa: S608
    with closing(apsw.Connection(str(path))) as db:
        db.execute(update, (new, value))
        assert db.changes()


def commands(directory: Path, journal: Path, round_id: str) -> Iterator[tuple[str | Path, ...]]:
    yield ("verify", journal)
    yield ("rounds", journal)
    yield ("show", journal, round_id)
    yield ("show", journal, round_id, "--picture", directory / "picture.svg")
    yield ("show", journal, round_id, "--steps")
    yield ("export", journal, directory / "export")
    yield ("replay", journal)
    yield ("backup", journal, directory / "backup")
    yield ("prune", journal, "--older-than", "1")


def said_of(path: Path, table: TableSettings, round_id: str) -> list[str]:
    """What each reader says of a journal that it does not take, or of its places. Nothing else may be raised."""
    said = [] if (found := next(check_journal(path, table))).verdict is Verdict.OK else [found.said]
    try:
        with closing(Journal.open(path, create=False)) as journal:
            recover(journal)
    except JournalError as error:
        said.append(error.message)
    for words in commands(path.parent, path, round_id):
        done = CliRunner().invoke(feltd, ["journal", *map(str, words)])
        if isinstance(done.exception, JournalError):
            said.append(done.exception.message)
        else:
            assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
            said += [done.output] if done.exception else []
    shutil.rmtree(path.parent / "export", ignore_errors=True)
    (path.parent / "backup").unlink(missing_ok=True)
    return said


def record_of(path: Path, said: bytes) -> int:
    with closing(JournalReader.open_read_only(path)) as journal:
        return next(record.offset for record in journal.stored(0, 10_000) if said in record.line)


def who_wrote(path: Path) -> tuple[TableSettings, str]:
    with closing(JournalReader.open_read_only(path)) as journal:
        state = recover(journal)
        assert state is not None
        return state.settings, last_rounds(journal, 1)[0].id


def test_a_sound_journal_is_taken_by_every_reader(path: Path) -> None:
    assert said_of(path, *who_wrote(path)) == []


@pytest.mark.parametrize("column", columns(), ids=".".join)
def test_a_text_in_a_small_table_that_is_not_utf_8_ends_nothing_with_a_trace(
    sound: Path, path: Path, column: Column
) -> None:
    who = who_wrote(sound)
    for value in values(sound, *column):
        set_flipped(copied(sound, path), *column, value)
        said = said_of(path, *who)
        assert said or value in MAY_BE_MISSING, "it was taken without a word"
        assert not any("codec" in each for each in said), "these are Python's words"


@pytest.mark.parametrize("is_hashed_again", [False, True])
@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"input":', b'"inp\xf5t":'),
        (b'"kind":"round-settled"', b'"kind":"round\xadsettled"'),
        (b'"stakes_cents":', b'"stakes\xdfcents":'),
        (b'"stakes_cents":', b'"stakes_bents":'),
        (b'"utc_ns":1', b'"utc_ns":9'),
        (b'"facts":[', b'"facts":{'),
        (b'"data":{', b'"data":['),
    ],
)
def test_a_record_that_is_not_as_it_was_written_is_named_by_every_reader(
    sound: Path, path: Path, old: bytes, new: bytes, *, is_hashed_again: bool
) -> None:
    """A flipped bit of a packed line can make another line of it. Who can write to the file can make its hash, too."""
    who = who_wrote(sound)
    offset = record_of(sound, b'"kind":"round-settled"')
    tampered(path, offset, old, new, is_hashed_again=is_hashed_again)
    said = said_of(path, *who)
    assert any(f"record {offset}" in each for each in said), said


@pytest.mark.parametrize("place", [b'"program":"', b'"journal":"', b'"pid":'])
def test_a_lock_file_that_cannot_be_read_is_one_that_remembers_nothing(sound: Path, path: Path, place: bytes) -> None:
    """As after a power cut. The table ended with a trace at each start."""
    content = bytearray(lock_file(path).read_bytes())
    content[content.index(place) + len(place)] ^= 0x80
    lock_file(path).write_bytes(content)
    assert last_commit(path) is None
    assert said_of(path, *who_wrote(sound)) == []
