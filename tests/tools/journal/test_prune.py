"""Pruning: what is old is gone, and what is kept proves itself and is started on as before."""

from __future__ import annotations

from contextlib import AbstractContextManager, closing, suppress
from pathlib import Path

import pytest

from daemon.journal import journal as journal_module
from daemon.journal.checking import check_piece, first_place
from daemon.journal.errors import JournalDamagedError
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.journal.signing import Signer
from daemon.recovery import recover
from daemon.table.inputs import Configured, Request
from daemon.table.reducer import apply
from daemon.tools.journal.pruning import prune
from tests.journal import played
from tests.journal.played import S, journal_of, shuffled_games
from tests.journal.values import tampered
from tests.support.forked import feltd
from tests.support.sentences import Says
from tests.tools.journal.tampering import Bundle

ROUNDS = 3
START_NS = 1_700_000_000 * S  # more than a day ago, whenever this runs
EVERYTHING_NS = START_NS + 10**9 * S


@pytest.fixture
def thrice(tmp_path: Path, key: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A table that was started three times, each time between two rounds, and played; all of it is published."""
    monkeypatch.setattr(played, "START_NS", START_NS)
    path = tmp_path / "journal.db"
    for seed in (1, 2, 3):
        journal_of(path, shuffled_games(seed, ROUNDS), Signer.load(key))
    with closing(Journal.open(path, create=False)) as journal:
        journal.advance("mqtt", journal.last_sequence())
        journal.do_upkeep()
    return path


def starts(path: Path) -> list[int]:
    with closing(JournalReader.open_read_only(path)) as journal:
        return [offset for offset, happened in journal.replay(journal.base.offset) if isinstance(happened, Configured)]


def test_what_is_kept_proves_itself_and_is_started_on_as_before(thrice: Path) -> None:
    with closing(JournalReader.open_read_only(thrice)) as journal:
        state, kept = recover(journal), journal.stored(starts(thrice)[-1] - 1, 10_000)
        checkpoints, facts = journal.checkpoints(0, 10**6), journal.facts_after(kept[0].sequence, 10_000)
        size = thrice.stat().st_size
    done = prune(thrice, EVERYTHING_NS)
    assert done is not None
    assert (done.first, done.last, done.is_signed) == (1, kept[0].offset - 1, True)
    assert done.size_bytes < size
    with closing(Journal.open(thrice, create=False)) as journal:
        assert journal.stored(0, 10_000) == kept
        assert check_piece(journal, first_place(journal), 10**6)[1] == ()
        assert recover(journal) == state
        assert journal.facts_after(kept[0].sequence, 10_000) == facts
        assert journal.checkpoints(0, 10**6) == tuple(each for each in checkpoints if each.offset >= done.last)


def test_a_table_goes_on_after_it_and_what_the_broker_has_not_received_is_kept(thrice: Path, key: Path) -> None:
    prune(thrice, EVERYTHING_NS)
    for seed in (4, 5):
        journal_of(thrice, shuffled_games(seed, 1), Signer.load(key))
    *_, fourth, fifth = starts(thrice)
    done = prune(thrice, EVERYTHING_NS)
    assert done is not None
    assert done.last + 1 == fourth
    with closing(Journal.open(thrice, create=False)) as journal:
        journal.advance("mqtt", journal.last_sequence())
        journal.do_upkeep()
    done = prune(thrice, EVERYTHING_NS)
    assert done is not None
    assert done.last + 1 == fifth
    assert feltd("journal", "verify", thrice).returncode == 0


def test_an_older_hash_and_an_export_join_the_rest(thrice: Path, tmp_path: Path) -> None:
    assert feltd("journal", "export", thrice, tmp_path / "before").returncode == 0
    done = prune(thrice, EVERYTHING_NS)
    assert done is not None
    assert feltd("journal", "verify", thrice, "--known", f"{done.last}:{done.hash}").returncode == 0
    assert Bundle(tmp_path / "before").hashes[done.last - 1] == done.hash
    assert feltd("journal", "export", thrice, tmp_path / "after").returncode == 0
    checked = feltd("journal", "replay", thrice)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("seconds", [0, 1_000_000])
def test_only_what_is_old_enough_is_forgotten(thrice: Path, seconds: int) -> None:
    done = prune(thrice, START_NS + seconds * S)
    assert (done is None) == (seconds == 0)


def test_the_cut_is_the_last_start_before_the_time(thrice: Path) -> None:
    begun = starts(thrice)
    with closing(JournalReader.open_read_only(thrice)) as journal:
        second_ns = journal.input_at(begun[-1]).at.utc_ns - 1
    done = prune(thrice, second_ns)
    assert done is not None
    assert done.last + 1 == begun[-2]


def test_evidence_is_not_forgotten(thrice: Path) -> None:
    tampered(thrice, 9, b'"seat":1', b'"seat":2', is_hashed_again=False)
    before = thrice.read_bytes()
    with pytest.raises(JournalDamagedError, match="record 9"):
        prune(thrice, EVERYTHING_NS)
    assert thrice.read_bytes() == before


def test_a_prune_that_was_cut_short_leaves_a_whole_journal_and_is_ended_by_the_next(
    thrice: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "PRUNED_ROWS", 10)
    with closing(Journal.open(thrice, create=False)) as journal:
        cut = starts(thrice)[-2] - 1
        deleted = journal._first

        def killed(select: str, values: tuple[object, ...] = ()) -> tuple[object, ...] | None:
            if select.startswith("SELECT min(offset) FROM records") and (row := deleted(select)) and row[0] != 1:
                raise KeyboardInterrupt
            return deleted(select, values)

        monkeypatch.setattr(journal, "_first", killed)
        with pytest.raises(KeyboardInterrupt):
            journal.prune(cut)
    assert feltd("journal", "verify", thrice).returncode == 0
    assert prune(thrice, EVERYTHING_NS) is not None
    with closing(JournalReader.open_read_only(thrice)) as pruned:
        assert pruned.offsets(0, 1) == (pruned.base.offset + 1,)
    assert feltd("journal", "verify", thrice).returncode == 0


@pytest.mark.parametrize("done", range(1, 4))
def test_a_table_goes_on_after_a_prune_that_was_cut_short_also_with_the_ids_of_what_is_forgotten(
    thrice: Path, monkeypatch: pytest.MonkeyPatch, done: int
) -> None:
    """A terminal that counts its commands from 1 again gave a known id, and each of its commands ended the daemon."""
    with closing(Journal.open(thrice, create=False)) as journal:
        asked = [happened for _, happened in journal.replay(0) if isinstance(happened, Request)]
        commit, left = journal._writing, iter(range(done))

        def killed() -> AbstractContextManager[None]:
            if next(left, None) is None:
                raise KeyboardInterrupt
            return commit()

        monkeypatch.setattr(journal, "_writing", killed)
        with suppress(KeyboardInterrupt):
            journal.prune(starts(thrice)[-1] - 1)
    with closing(Journal.open(thrice, create=False)) as journal:
        state = recover(journal)
        assert state is not None
        for request in asked[:3]:
            assert journal.answered(request.who, request.id) is None
            step = apply(state, request)
            committed, state = journal.append(request, step), step.state
            assert journal.answered(request.who, request.id) == (request, step.answer)
            assert committed.offset == journal.last_offset()
    assert feltd("journal", "verify", thrice).returncode == 0
    assert prune(thrice, EVERYTHING_NS) is None, "no start after that one was left to cut at"
    with closing(JournalReader.open_read_only(thrice)) as pruned:
        assert pruned.offsets(0, 1) == (pruned.base.offset + 1,)


def test_the_command_says_what_it_did(thrice: Path, says: Says) -> None:
    with closing(JournalReader.open_read_only(thrice)) as journal:
        last = starts(thrice)[-1] - 1
        hash_ = journal.hash_at(last).hex()
    assert feltd("journal", "prune", thrice).returncode == 2, "an age has to be named"
    says(feltd("journal", "prune", thrice, "--older-than", "36500").stdout, path=thrice)
    says(
        feltd("journal", "prune", thrice, "--older-than", "1").stdout,
        path=thrice,
        hash=hash_,
        last=last,
        size=thrice.stat().st_size,
    )
