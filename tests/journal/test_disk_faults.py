"""A disk that fails, fills up or loses its power: what was acknowledged is there, and nothing is there by half."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import apsw
import pytest

from daemon.errors import JournalError
from daemon.journal.errors import JournalFullError, JournalIOError
from daemon.journal.journal import Journal
from tests.journal.faulty_disk import FaultyDisk, Operation, fail_from, in_place
from tests.journal.values import ACCEPTED, bet, dispensed, step
from tests.support.sentences import Says

FACTS = 3


@pytest.fixture
def disk() -> Iterator[FaultyDisk]:
    with in_place() as faulty:
        yield faulty


def append(journal: Journal, number: int) -> None:
    """Device events and requests in turn, as different rows are written for them."""
    if number % 2:
        journal.append(dispensed(number), step(FACTS))
    else:
        journal.append(bet(number), step(FACTS, ACCEPTED))
    journal.advance("outbox", journal.last_sequence())


def assert_whole(path: Path, acknowledged: int, tried: int) -> None:
    """Everything that was acknowledged is there, at most what was tried besides, and each event is whole."""
    journal = Journal.open(path, create=False)
    try:
        offsets = [offset for offset, _ in journal.replay(0)]
        assert offsets in (list(range(1, acknowledged + 1)), list(range(1, tried + 1)))
        facts = journal.facts_after(0, 10**6)
        assert [(fact.offset, fact.n) for fact in facts] == [(offset, n) for offset in offsets for n in range(FACTS)]
        assert [fact.sequence for fact in facts] == list(range(1, len(facts) + 1))
        assert journal.cursor("outbox") <= len(facts)
        for offset in offsets:
            _assert_origin(journal, offset)
        append(journal, len(offsets) + 1)
    finally:
        journal.close()


def _assert_origin(journal: Journal, offset: int) -> None:
    if offset % 2 == 0:
        answered = journal.answered("panel", bet(offset).id)
        assert answered is not None
        assert answered[1] == ACCEPTED


def _refusal(journal: Journal, number: int) -> JournalError | None:
    try:
        append(journal, number)
    except JournalError as refusal:
        return refusal
    return None


@pytest.mark.parametrize(
    ("kinds", "error", "named"),
    [
        (("sync",), apsw.IOError, JournalIOError),
        (("write",), apsw.IOError, JournalIOError),
        (("write",), apsw.FullError, JournalFullError),
    ],
    ids=["fsync fails", "write fails", "disk full"],
)
def test_a_failed_append_is_refused_from_then_on_and_nothing_is_lost(
    disk: FaultyDisk, tmp_path: Path, kinds: tuple[str, ...], error: type[apsw.Error], named: type[JournalError]
) -> None:
    outcomes = []
    for number in range(1, 40):
        path = tmp_path / f"{number}.journal"
        journal = Journal.open(path, create=True)
        append(journal, 1)
        disk.before = fail_from(disk.operations + number, error, kinds)
        refusal = _refusal(journal, 2)
        disk.before = lambda _: None  # the disk is sound again, and the journal does not believe it
        if refusal is not None:
            assert isinstance(refusal, named)
            assert _refusal(journal, 3) is refusal
        journal.close()
        assert_whole(path, acknowledged=2 if refusal is None else 1, tried=2)
        outcomes.append(refusal is None)
        if refusal is None:
            break
    assert len(outcomes) > 1
    assert outcomes == [False] * (len(outcomes) - 1) + [True]  # each operation of the append has failed once


def test_a_full_disk_says_what_to_do(disk: FaultyDisk, tmp_path: Path, says: Says) -> None:
    journal = Journal.open(tmp_path / "table.journal", create=True)
    disk.before = fail_from(0, apsw.FullError, ("write",))
    with pytest.raises(JournalFullError) as refusal:
        append(journal, 1)
    assert refusal.value.code == "journal-full"
    assert str(tmp_path / "table.journal") in refusal.value.message
    says(refusal.value.remedy)
    journal.close()


def test_a_creation_that_fails_leaves_no_journal_and_can_be_done_again(disk: FaultyDisk, tmp_path: Path) -> None:
    for number in range(1, 200):
        path = tmp_path / f"{number}.journal"
        disk.before = fail_from(disk.operations + number, apsw.FullError, ("write", "sync"))
        try:
            Journal.open(path, create=True).close()
        except JournalError:
            disk.before = lambda _: None
            assert not path.exists()
            Journal.open(path, create=True).close()
        else:
            break
    disk.before = lambda _: None
    assert 5 < number < 199


class PowerCutError(Exception):
    """The machine is off."""


def _cut_at(number: int) -> Callable[[Operation], None]:
    def before(operation: Operation) -> None:
        if operation.number >= number:
            raise PowerCutError

    return before


@pytest.mark.parametrize("seed", range(4))
def test_a_power_cut_at_any_operation_keeps_what_was_acknowledged(disk: FaultyDisk, tmp_path: Path, seed: int) -> None:
    dice = random.Random(seed)
    cuts = tried = 0
    while tried < 4:
        cuts += 1
        path, left = tmp_path / f"{cuts}.journal", tmp_path / f"{cuts}.left"
        journal = Journal.open(path, create=True)
        tried = _append_until_the_power_goes(disk, journal, cuts)
        disk.power_cut(path, left, dice)
        journal.close()
        assert_whole(left, acknowledged=tried - 1, tried=tried)
    assert cuts > 10


def _append_until_the_power_goes(disk: FaultyDisk, journal: Journal, operations: int) -> int:
    """Which append was under way; 4 if all three are done."""
    disk.before = _cut_at(disk.operations + operations)
    tried = 1
    try:
        while tried < 4:
            append(journal, tried)
            tried += 1
    except (PowerCutError, apsw.Error):
        pass
    disk.before = lambda _: None
    return tried


def test_a_power_cut_while_the_log_is_folded_back_keeps_what_was_acknowledged(disk: FaultyDisk, tmp_path: Path) -> None:
    """SQLite folds the log into the file after every thousand pages, in the middle of somebody's append."""
    dice = random.Random(7)
    journal = Journal.open(tmp_path / "table.journal", create=True)
    number = folds = 0
    while folds < 3:
        number += 1
        done: list[Operation] = []
        disk.before = done.append
        append(journal, number)
        disk.before = lambda _: None
        if any(operation.file == "table.journal" for operation in done):
            folds += 1
            left = tmp_path / f"{number}.left"
            disk.power_cut(journal.path, left, dice)
            assert_whole(left, acknowledged=number, tried=number)
    journal.close()
