"""The journal's file: its tables, and how it is made, opened and recognised.

The file is SQLite in WAL mode with `synchronous=FULL`. A commit returns after its bytes are on the disk, and a
process or machine that dies leaves only whole transactions. SQLite's application id and user version say that it is a
journal and in which format. They are read before anything else.

A new journal is built under another name and renamed into place, so the daemon never finds a half-made one. Only its
user may read it (mode 0600): it holds cards that players have not seen.
"""

from __future__ import annotations

import errno
import os
import re
import stat
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import apsw
import msgspec

from daemon import clock
from daemon.journal.errors import (
    BackupThereError,
    JournalDamagedError,
    JournalFormatError,
    JournalGoneError,
    JournalMissingError,
    JournalNotAFileError,
    JournalPermissionError,
)
from daemon.journal.faults import faults_named
from daemon.journal.record import Header

SQLITE_MAGIC: Final = b"SQLite format 3\0"
SQLITE_HEADER_BYTES: Final = 100  # sqlite.org/fileformat.html, "The Database Header"
DICTIONARY: Final = Path(__file__).with_name("dictionary.txt")
APPLICATION_ID: Final = int.from_bytes(b"FELT")
FORMAT_VERSION: Final = 2  # of format 1 there is no released version; DECISIONS.md says what was changed
BUSY_MS_MAX: Final = 1_000  # for a reader's checkpoint; there is no second writer

# SQLite up to 3.51.2 can lose committed data when two connections write or checkpoint a WAL at once
# (sqlite.org/wal.html, "the WAL-reset bug").
SQLITE_VERSION_MIN: Final = (3, 51, 3)

# A table appends, and reads what is new: of SQLite's usual 2 MB of pages it would never look at most again.
PRAGMAS: Final = {"journal_mode": "WAL", "synchronous": "FULL", "cell_size_check": "ON", "cache_size": "-500"}

TABLES: Final = """
-- The header line, and the dictionary that the lines are packed with.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value BLOB NOT NULL
) STRICT, WITHOUT ROWID;

-- Everything that happened, in the order in which the table took it, with what followed from it: a packed line, and its
-- hash. Offsets run from 1 without holes. `sequence` is that of the last fact up to here.
CREATE TABLE records (
    offset INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    hash BLOB NOT NULL,
    body BLOB NOT NULL
) STRICT;

-- The records that carry over what outlives a round, with the round that takes bets after them. A start reads the last.
CREATE TABLE carried (
    offset INTEGER PRIMARY KEY,
    round TEXT
) STRICT;

-- Requests by their user and the id that the user gave them, so that a repeat gets the first answer.
CREATE TABLE requests (
    who TEXT NOT NULL,
    id TEXT NOT NULL,
    offset INTEGER NOT NULL,
    PRIMARY KEY (who, id)
) STRICT, WITHOUT ROWID;

-- Where a copy of the journal continued in the place of a lost one, and the id that the journal has from there on.
CREATE TABLE generations (
    offset INTEGER PRIMARY KEY,
    journal TEXT NOT NULL
) STRICT;

-- Signed lines that name a record and its hash; the key that signed, and the signature.
CREATE TABLE checkpoints (
    offset INTEGER PRIMARY KEY,
    line BLOB NOT NULL,
    key BLOB NOT NULL,
    signature BLOB NOT NULL
) STRICT;

-- How far each reader of the facts has come.
CREATE TABLE cursors (
    name TEXT PRIMARY KEY,
    sequence INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
"""


_MADE: Final = dict(re.findall(r"^(?=CREATE TABLE (\w+))([^;]+);", TABLES, re.MULTILINE))

_FIGURES: Final = {
    "sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}
"""What somebody's ANALYZE leaves in the file. It changes nothing that is read."""


_BESIDE: Final = ("-wal", "-shm", ".lock")
_KINDS: Final = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFLNK: "a link",
}


class Watched:
    """The two files that an open journal writes to. Its descriptors would go on writing to files that are gone."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._files = tuple(os.fspath(file) for file in (path, _beside(path, "-wal")))
        self._seen: dict[str, tuple[int, int, int]] = {}

    def expect_in_place(self) -> None:
        """Raise JournalGoneError if a file was removed, replaced or cut short since the last call.

        While the journal is open, neither file ever shrinks: SQLite writes a log again from its beginning.
        """
        for name in self._files:
            try:
                found = os.stat(name)  # noqa: PTH116  # on each append: a Path would spell its name again
            except FileNotFoundError:
                raise self._gone(name, "removed") from None
            device, inode, size = self._seen.get(name, (found.st_dev, found.st_ino, 0))
            if (found.st_dev, found.st_ino) != (device, inode):
                raise self._gone(name, "replaced")
            if found.st_size < size:
                raise self._gone(name, "cut short")
            self._seen[name] = (device, inode, found.st_size)

    def _gone(self, name: str, how: str) -> JournalGoneError:
        return JournalGoneError(self._path, f"{Path(name).name} was {how} while feltd had it open")


def new_id() -> str:
    """Return an id for a journal. 48 bits: no house has so many journals that two get the same."""
    return uuid.uuid4().hex[:12]


def create(path: Path) -> None:
    """Make an empty journal at `path`, whole or not at all. The caller holds the lock and knows that none exists."""
    draft = path.with_name(path.name + ".new")
    for left in (draft, _beside(draft, "-wal"), _beside(draft, "-shm")):
        left.unlink(missing_ok=True)  # SQLite would take an old log for the new file's own
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    # Root creates it in a directory that can be a user's, who could put a link there.
    with closing(_connect(draft.parent.resolve() / draft.name, apsw.SQLITE_OPEN_NOFOLLOW)) as db:
        _prepare(db)
        db.pragma("application_id", APPLICATION_ID)
        db.pragma("user_version", FORMAT_VERSION)
        with db:
            db.execute(TABLES)
            header = Header(new_id(), FORMAT_VERSION, clock.stamp().utc_ns)
            made = {"header": msgspec.json.encode(header), "dictionary": DICTIONARY.read_bytes()}
            db.executemany("INSERT INTO meta VALUES (?, ?)", list(made.items()))
    draft.rename(path)
    sync_directory(path.parent)


def open_existing(path: Path) -> apsw.Connection:
    """Open the journal at `path`, after every check that is cheap enough for each start."""
    _check_there(path)
    db = _connect(path)
    try:
        with faults_named(path, db):
            leave_as_it_is(db)
            _check_writable(path, db)
            _check_ours(path, db)
            _prepare(db)
            _check_complete(path, db)
            db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    except BaseException:
        db.close()
        raise
    return db


def open_read_only(path: Path, *, to_copy: bool = False) -> apsw.Connection:
    """Open the journal at `path` for reading, after the same checks. The daemon may be writing to it.

    With `to_copy`, SQLite follows no link on this connection, also not to the file that it copies into.
    """
    _check_there(path)
    name, how = (path.resolve(), apsw.SQLITE_OPEN_NOFOLLOW) if to_copy else (path, 0)
    try:
        db = apsw.Connection(str(name), flags=apsw.SQLITE_OPEN_READONLY | how)
    except apsw.CantOpenError:
        raise JournalPermissionError(path, "this user may not read it") from None
    try:
        with faults_named(path, db):
            db.set_busy_timeout(BUSY_MS_MAX)
            _check_ours(path, db)
            _check_complete(path, db)
    except BaseException:
        db.close()
        raise
    return db


def copy(source: Path, target: Path) -> None:
    """Copy a journal, as it is at one moment, to a new file that only its user may read. The daemon may be writing.

    Root backs up into directories of other users. They can put a link, or a file that they may read, in the place of
    the new file, of which SQLite takes only the name.
    """
    target = target.parent.resolve() / target.name  # a directory may be behind a link, and the file may not
    with faults_named(source), closing(open_read_only(source, to_copy=True)) as db:
        with faults_named(target):
            handle = os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600)
        try:
            with _not_replaced(target, handle):
                db.execute("VACUUM INTO ?", (str(target),))
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _not_replaced(path: Path, handle: int) -> Iterator[None]:
    """Raise BackupThereError if something else than the open file has its name now."""
    try:
        yield
    finally:
        if not (os.path.lexists(path) and os.path.samestat(os.fstat(handle), path.lstat())):
            raise BackupThereError(path, "somebody replaced the file while it was written")


def sync_directory(directory: Path) -> None:
    """Put on the disk which files a directory has."""
    handle = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def leave_as_it_is(db: apsw.Connection) -> None:
    """Keep closing from folding the write-ahead log into the file: files that are suspect are evidence."""
    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)


def _connect(path: Path, how: int = 0) -> apsw.Connection:
    if tuple(map(int, apsw.sqlite_lib_version().split("."))) < SQLITE_VERSION_MIN:
        raise RuntimeError(f"SQLite {apsw.sqlite_lib_version()} can lose committed data; install apsw 3.51.3 or newer")
    return apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE | how)


def _prepare(db: apsw.Connection) -> None:
    db.set_busy_timeout(BUSY_MS_MAX)
    db.transaction_mode = "IMMEDIATE"
    for name, value in PRAGMAS.items():  # one by one: one execute stops at the first statement that returns a row
        db.pragma(name, value)


def is_there(path: Path) -> bool:
    """Return whether a journal, or the log of one, exists at `path`."""
    return exists(path) or exists(_beside(path, "-wal"))


def exists(path: Path) -> bool:
    """Return whether the file exists. Raise PermissionError for who may not look: Python 3.14's own says no to them."""
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def is_directory(path: Path) -> bool:
    """Return whether a directory is there. Raise PermissionError for who may not look."""
    return exists(path) and path.is_dir()


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _has_log(path: Path) -> bool:
    log = _beside(path, "-wal")
    return exists(log) and log.stat().st_size > 0


def expect_files(path: Path) -> None:
    """Raise JournalNotAFileError if something else than a file has the name of the journal, or of a file beside it.

    A pipe would never open. The directory belongs to the table's user, and root looks into it.
    """
    for suffix in ("", *_BESIDE):
        named = _beside(path, suffix)
        try:
            mode = named.lstat().st_mode if suffix else named.stat().st_mode  # only to the journal may a link lead
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            mode = stat.S_IFLNK
        if not stat.S_ISREG(mode):
            raise JournalNotAFileError(path, f"{named.name} is {_KINDS.get(stat.S_IFMT(mode), 'a device')}, not a file")


def _check_there(path: Path) -> None:
    expect_files(path)
    if not exists(path):
        left = ", but its -wal with committed events is there" if exists(_beside(path, "-wal")) else ""
        raise JournalMissingError(path, f"the file is missing{left}")
    with path.open("rb") as file:
        header = file.read(SQLITE_HEADER_BYTES)
    size = path.stat().st_size
    if size == 0:
        raise JournalDamagedError(path, "the file is empty, and a journal is never empty")
    # Only without a log is the size sure: a checkpoint that a power cut ended may have written the header alone.
    page_bytes, pages = int.from_bytes(header[16:18]), int.from_bytes(header[28:32])
    if header.startswith(SQLITE_MAGIC) and not _has_log(path) and size < page_bytes * pages:
        raise JournalDamagedError(path, f"it has {size} bytes, and its header says {page_bytes * pages}")


def _check_writable(path: Path, db: apsw.Connection) -> None:
    if db.readonly("main"):  # SQLite opens a read-only file without an error, and reports it at the first write
        raise JournalPermissionError(path, "this user may only read it")


@contextmanager
def _damage_named(path: Path) -> Iterator[None]:
    """Raise what SQLite cannot make of a schema, or of a text, as damage. Inside, our statements are always right."""
    try:
        yield
    except (apsw.SQLError, UnicodeDecodeError) as error:
        raise JournalDamagedError(path, str(error)) from error


def _check_ours(path: Path, db: apsw.Connection) -> None:
    application, version = db.pragma("application_id"), db.pragma("user_version")
    if application != APPLICATION_ID:
        raise JournalFormatError(path, "this is a database of another program, not a feltd journal")
    if version != FORMAT_VERSION:
        raise JournalFormatError(path, f"its format is {version}, and this feltd reads format {FORMAT_VERSION}")


def _check_complete(path: Path, db: apsw.Connection) -> None:
    """Raise if a table is missing or was changed, or something else is in the file: a trigger acts on every write.

    The content is checked record by record, by its chain.
    """
    # But for what SQLite makes: the indexes of our keys, which have no text, and the figures of ANALYZE.
    select = "SELECT type, name, sql FROM sqlite_schema WHERE type != 'index' OR sql IS NOT NULL"
    with _damage_named(path):
        found = db.execute(select).fetchall()
    own = _MADE | _FIGURES
    if foreign := [f"{kind} {name}" for kind, name, _ in found if kind != "table" or name not in own]:
        raise JournalDamagedError(path, f"it has what no feltd made in it: {', '.join(foreign)}")
    there = {name for _, name, _ in found}
    if lacking := [name for name in _MADE if name not in there]:
        raise JournalDamagedError(path, f"it lacks the tables {', '.join(lacking)}")
    if changed := [str(name) for _, name, sql in found if own[str(name)] != sql]:  # a row may be there twice
        raise JournalDamagedError(path, f"these tables are not as they were made: {', '.join(changed)}")
