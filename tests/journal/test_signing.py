"""Signed checkpoints: made when they are due, valid for a stranger's tool, and for this content only."""

from __future__ import annotations

import json
import subprocess
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from daemon.journal.checking import Fault, Place, check_piece
from daemon.journal.journal import CHECKPOINT_RECORDS, Journal
from daemon.journal.key import CREDENTIAL, find_signer
from daemon.journal.reading import Checkpoint, JournalReader
from daemon.journal.signing import JournalKeyError, Signer
from daemon.rules.limits import Day
from daemon.rules.wagers import GameName
from daemon.table.carry_over import CarryOver
from tests.journal.values import at, dispensed, step, tampered
from tests.support.sentences import Says

CARRIED = CarryOver(GameName.BIG_50, Day(1))


def made_key(path: Path, algorithm: str = "ed25519") -> Path:
    """A key as README says how to make one."""
    subprocess.run(["openssl", "genpkey", "-algorithm", algorithm, "-out", path], check=True, capture_output=True)
    return path


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return made_key(tmp_path / "key.pem")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


def signed(path: Path, key: Path, records: int = 10) -> list[Checkpoint]:
    """A journal of so many records with a checkpoint at its end."""
    with closing(Journal.open(path, create=True, signer=Signer.load(key))) as journal:
        for number in range(1, records + 1):
            journal.append(dispensed(number), step(1))
        journal.checkpoint(at(99).utc_ns)
    return checkpoints(path)


def checkpoints(path: Path) -> list[Checkpoint]:
    with closing(JournalReader.open_read_only(path)) as journal:
        return list(journal.checkpoints(0, journal.last_offset()))


def faults(path: Path) -> tuple[Fault, ...]:
    with closing(JournalReader.open_read_only(path)) as journal:
        return check_piece(journal, Place(0, 0, journal.hash_at(0)), 10_000)[1]


def test_a_checkpoint_names_journal_record_and_hash(path: Path, key: Path) -> None:
    (found,) = signed(path, key)
    with closing(JournalReader.open_read_only(path)) as journal:
        assert json.loads(found.line) == {
            "kind": "journal-checkpoint",
            "journal": journal.id,
            "offset": 10,
            "hash": journal.hash_at(10).hex(),
            "utc_ns": at(99).utc_ns,
        }
    assert faults(path) == ()


def test_openssl_accepts_it_with_the_public_key_and_nothing_else(path: Path, key: Path, tmp_path: Path) -> None:
    (found,) = signed(path, key)
    public, line, signature = tmp_path / "public.pem", tmp_path / "line", tmp_path / "signature"
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    signature.write_bytes(found.signature)
    for content, accepts in ((found.line, True), (found.line.replace(b'"offset":10', b'"offset":11'), False)):
        line.write_bytes(content)
        verify = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", str(public), "-rawin"]
        done = subprocess.run([*verify, "-in", str(line), "-sigfile", str(signature)], capture_output=True)
        assert (done.returncode == 0) is accepts


def test_a_checkpoint_is_due_at_a_rounds_end_and_not_at_each(path: Path, key: Path) -> None:
    with closing(Journal.open(path, create=True, signer=Signer.load(key))) as journal:
        for number in range(1, CHECKPOINT_RECORDS + 10):
            journal.append(dispensed(number), step(0), CARRIED if number % 100 == 0 else None)
        assert journal.last_checkpoint() == CHECKPOINT_RECORDS
        journal.checkpoint(1)
        journal.checkpoint(2)
    assert [found.offset for found in checkpoints(path)] == [CHECKPOINT_RECORDS, CHECKPOINT_RECORDS + 9]
    with closing(Journal.open(path, create=False, signer=Signer.load(key))) as journal:
        journal.checkpoint(3)  # nothing has happened since
    assert len(checkpoints(path)) == 2


def test_without_a_key_nothing_is_signed(path: Path) -> None:
    with closing(Journal.open(path, create=True)) as journal:
        for number in range(1, CHECKPOINT_RECORDS + 10):
            journal.append(dispensed(number), step(0), CARRIED)
        journal.checkpoint(1)
    assert checkpoints(path) == []


def test_a_journal_that_was_hashed_again_does_not_fit_its_signature(path: Path, key: Path) -> None:
    signed(path, key)
    tampered(path, 3, b'"Ah"', b'"As"')
    assert faults(path) == (Fault(10, "its checkpoint was signed for another content"),)


@pytest.mark.parametrize("column", ["line", "key", "signature"])
def test_a_checkpoint_that_was_changed_is_found(path: Path, key: Path, column: str) -> None:
    signed(path, key)
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute(f"UPDATE checkpoints SET {column} = zeroblob(length({column}))")  # noqa: S608
    assert faults(path) == (Fault(10, "the signature of its checkpoint is not valid"),)


def test_another_journals_signature_is_not_this_ones(path: Path, key: Path, tmp_path: Path) -> None:
    signed(path, key)
    (other,) = signed(tmp_path / "other.journal", key)
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute("UPDATE checkpoints SET line = ?, signature = ?", (other.line, other.signature))
    assert faults(path) == (Fault(10, "its checkpoint was signed for another content"),)


def test_systemds_credential_goes_before_the_file(key: Path, tmp_path: Path) -> None:
    credentials = tmp_path / "credentials"
    credentials.mkdir()
    environ = {"CREDENTIALS_DIRECTORY": str(credentials)}
    of_the_file = Signer.load(key).public_key
    found = find_signer(environ, key)
    assert found is not None
    assert found.public_key == of_the_file
    made_key(credentials / CREDENTIAL)
    found = find_signer(environ, key)
    assert found is not None
    assert found.public_key != of_the_file
    assert find_signer({}, None) is None


def test_what_is_no_key_is_refused_without_a_word_of_it(tmp_path: Path, says: Says) -> None:
    rubbish, other = tmp_path / "rubbish.pem", made_key(tmp_path / "x25519.pem", "x25519")
    rubbish.write_text("-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n")
    for file in (tmp_path / "missing.pem", rubbish, other):
        with pytest.raises(JournalKeyError) as raised:
            Signer.load(file)
        says(raised.value)
        assert "c2VjcmV0" not in str(raised.value)
