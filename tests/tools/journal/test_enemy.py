"""The journal in the hands of somebody who may edit its files and has not the key: what each check then says.

What no check can find stands in the auditor's guide, and here too, so that neither says more than is true.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast

import apsw
import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from daemon.journal.journal import CHECKPOINT_RECORDS, Journal
from daemon.journal.lock import lock_file
from daemon.journal.reading import JournalReader
from daemon.journal.record import Packer, next_hash
from daemon.journal.signing import Signer
from daemon.tools.journal.verifying import verify
from tests.journal.played import journal_of, shuffled_games
from tests.tools.journal.tampering import checked, exported

ROUNDS: Final = 34


@dataclass(frozen=True, slots=True)
class Said:
    """What each check says: whether it found something."""

    verify: bool
    verify_with_key: bool
    export_with_key: bool
    start: bool


@pytest.fixture(scope="module")
def signer() -> Signer:
    return Signer(Ed25519PrivateKey.generate())


@pytest.fixture(scope="module")
def _played(tmp_path_factory: pytest.TempPathFactory, signer: Signer) -> Path:
    path = journal_of(tmp_path_factory.mktemp("played") / "journal.db", shuffled_games(1, ROUNDS), signer)
    signed = checkpoints(path)
    assert signed[-1] - signed[0] > CHECKPOINT_RECORDS, signed
    return path


@pytest.fixture
def path(_played: Path, tmp_path: Path) -> Path:
    """A journal whose first and last checkpoint are more than a thousand records apart, and its lock file."""
    shutil.copy(lock_file(_played), tmp_path / "journal.db.lock")
    return Path(shutil.copy(_played, tmp_path / "journal.db"))


def changed(path: Path, statement: str, *values: apsw.SQLiteValue) -> None:
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute(statement, values)


def checkpoints(path: Path) -> list[int]:
    with closing(apsw.Connection(str(path))) as hand:
        return [cast(int, offset) for (offset,) in hand.execute("SELECT offset FROM checkpoints ORDER BY offset")]


def lock_made_to_fit(path: Path) -> None:
    lock = lock_file(path)
    content = json.loads(lock.read_bytes())
    with closing(JournalReader.open_read_only(path)) as journal:
        end = journal.last_offset()
        content["last"] |= {
            "offset": end,
            "sequence": journal.last_sequence(),
            "hash": journal.hash_at(end).hex(),
            "journal": journal.id,
        }
    lock.write_bytes(msgspec.json.encode(content).ljust(511) + b"\n")


def cut_to(path: Path, offset: int) -> None:
    for table in ("records", "requests", "carried", "checkpoints"):
        changed(path, f"DELETE FROM {table} WHERE offset > ?", offset)  # noqa: S608  # our own names
    changed(path, "DELETE FROM cursors")
    changed(path, "DELETE FROM meta WHERE key = 'notes'")


def cut_behind_the_first_checkpoint(path: Path) -> None:
    cut_to(path, checkpoints(path)[0] + 7)


def cut_behind_the_last_checkpoint(path: Path) -> None:
    """All newest records up to the checkpoint itself."""
    cut_to(path, checkpoints(path)[-1])


def swapped(path: Path) -> None:
    first, *_, last = checkpoints(path)
    for old, new in ((first, 0), (last, first), (0, last)):
        changed(path, "UPDATE checkpoints SET offset = ? WHERE offset = ?", new, old)


def a_record_edited(path: Path) -> None:
    """Change a count behind the first checkpoint. Make all hashes again, also those that settled rounds say."""
    after = checkpoints(path)[0]
    with closing(JournalReader.open_read_only(path)) as journal:
        records, before = journal.stored(after, 10_000), journal.hash_at(after)
    place = next(record.offset for record in records if b'"kind":"packet-dispensed"' in record.line)
    with closing(apsw.Connection(str(path))) as hand, hand:
        ((dictionary,),) = cast("list[tuple[bytes]]", hand.execute("SELECT value FROM meta WHERE key = 'dictionary'"))
        packer = Packer(dictionary)
        for record in records:
            line = re.sub(rb'"journal_hash":"\w+"', b'"journal_hash":"%s"' % before.hex().encode(), record.line)
            line = line.replace(b'"count":', b'"count":1') if record.offset == place else line
            before = next_hash(before, line)
            row = (packer.pack(line), before, record.offset)
            hand.execute("UPDATE records SET body = ?, hash = ? WHERE offset = ?", row)


def an_edited_record_without_its_checkpoints(path: Path) -> None:
    a_record_edited(path)
    changed(path, "DELETE FROM checkpoints WHERE offset > ?", checkpoints(path)[0])


def an_edited_record_without_checkpoints(path: Path) -> None:
    a_record_edited(path)
    changed(path, "DELETE FROM checkpoints")


def a_false_signature_before_the_first_record(path: Path) -> None:
    ((key, line),) = [
        (key, line) for key, line in apsw.Connection(str(path)).execute("SELECT key, line FROM checkpoints LIMIT 1")
    ]
    an_edited_record_without_checkpoints(path)
    changed(path, "INSERT INTO checkpoints VALUES (0, ?, ?, zeroblob(64))", line, key)


def signed_by_another_key(path: Path) -> None:
    a_record_edited(path)
    other = Signer(Ed25519PrivateKey.generate())
    with closing(JournalReader.open_read_only(path)) as journal:
        signed = [other.checkpoint(journal.id, offset, journal.hash_at(offset), 1) for offset in checkpoints(path)]
    changed(path, "DELETE FROM checkpoints")
    for one in signed:
        changed(path, "INSERT INTO checkpoints VALUES (?, ?, ?, ?)", one.offset, one.line, one.key, one.signature)


ENEMIES: Final[dict[str, tuple[Callable[[Path], None], Said]]] = {
    "nothing": (lambda _: None, Said(False, False, False, False)),
    # What a stop or a round's end signed is the newest that proves itself. Consumers have the hashes behind it.
    "the newest records removed up to the last checkpoint": (
        cut_behind_the_last_checkpoint,
        Said(False, False, False, False),
    ),
    "the newest records removed up to an earlier checkpoint": (
        cut_behind_the_first_checkpoint,
        Said(False, False, False, False),
    ),
    "two checkpoints swapped": (swapped, Said(True, True, True, True)),
    "a record edited and hashed again": (a_record_edited, Said(True, True, True, True)),
    "an edited record, the checkpoints behind it removed": (
        an_edited_record_without_its_checkpoints,
        Said(False, True, False, False),
    ),
    "an edited record, all checkpoints removed": (
        an_edited_record_without_checkpoints,
        Said(False, True, True, False),
    ),
    "the same with a checkpoint of nothing": (
        a_false_signature_before_the_first_record,
        Said(True, True, True, True),
    ),
    "an edited record, signed by another key": (signed_by_another_key, Said(False, True, True, True)),
}


@pytest.mark.parametrize("enemy", ENEMIES)
def test_what_each_check_says(path: Path, signer: Signer, tmp_path: Path, enemy: str) -> None:
    harm, expected = ENEMIES[enemy]
    harm(path)
    lock_made_to_fit(path)
    key = signer.public_key.hex()
    with closing(JournalReader.open_read_only(path)) as journal:
        without, with_key = verify(journal, {}, None), verify(journal, {}, key)
    given = checked(exported(path, tmp_path / "given"), "--key", key)
    with closing(Journal.open(path, create=False, signer=signer)) as journal:
        doubts = journal.doubts
    said = Said(bool(without.faults), bool(with_key.faults), given.returncode == 1, bool(doubts))
    assert said == expected, (without.faults, with_key.faults, given.stdout, doubts)


def test_a_hash_that_was_kept_elsewhere_finds_what_was_cut_off(path: Path) -> None:
    with closing(JournalReader.open_read_only(path)) as journal:
        end = journal.last_offset()
        kept = {end: journal.hash_at(end).hex()}
    cut_behind_the_first_checkpoint(path)
    with closing(JournalReader.open_read_only(path)) as journal:
        assert [fault.offset for fault in verify(journal, kept, None).faults] == [end]


def test_a_table_whose_key_is_new_says_once_that_another_one_signed(path: Path) -> None:
    other = Signer(Ed25519PrivateKey.generate())
    with closing(Journal.open(path, create=False, signer=other)) as journal:
        assert [doubt.partition(": ")[2] for doubt in journal.doubts] == [
            "its checkpoint is signed by another key than this table's"
        ]


@pytest.mark.parametrize("offset", [0, -1])
@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO records VALUES (?, 1, x'00', x'00')",
        "INSERT INTO carried VALUES (?, 'table7-1')",
        "INSERT INTO requests VALUES ('kim', 'another', ?)",
        "INSERT INTO checkpoints VALUES (?, x'00', x'00', x'00')",
    ],
)
def test_a_row_before_the_first_record_is_named_and_nothing_reads_it(path: Path, statement: str, offset: int) -> None:
    """No hash and no key is needed for it. A resend of the first events ended the table, at each start anew."""
    with closing(JournalReader.open_read_only(path)) as journal:
        first = journal.facts_between(1, 3)
    changed(path, statement, offset)
    with closing(JournalReader.open_read_only(path)) as journal:
        faults = [fault for fault in verify(journal, {}, None).faults if fault.what.startswith("a row of its table")]
        assert len(faults) == 1
        assert journal.facts_between(1, 3) == first
