"""A restore is a deliberate act: on record, with new ids, and no round number twice."""

from __future__ import annotations

import json
import os
import pwd
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from daemon import app
from daemon.app import Outside
from daemon.config.load import load
from daemon.journal.checking import Place, check_piece
from daemon.journal.creation import create
from daemon.journal.errors import JournalBehindError
from daemon.journal.journal import Journal
from daemon.journal.reading import JournaledFact, JournalReader
from daemon.recovery import recover, replayed
from daemon.table.inputs import VoidRound
from daemon.table.vocabulary import Actor
from tests.daemon.config.files import GOOD
from tests.daemon.test_days import Clock, asked, there
from tests.support.forked import feltd
from tests.support.sentences import Says
from tests.tools.journal.tampering import checked, exported

START_NS = 1_795_000_000_000_000_000


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "t.toml"
    written.write_text(GOOD)
    create(tmp_path / "table7.journal")
    return written


def played(file: Path, rounds: int) -> None:
    """The daemon, started on the journal, for so many rounds."""
    with app.built(load(file), Outside(Clock(START_NS).stamp)) as graph:
        there(graph)
        for _ in range(rounds):
            assert asked(graph, VoidRound("next"), Actor.SUPERVISOR).accepted


def journal_of(file: Path) -> Path:
    return file.with_name("table7.journal")


def facts_of(file: Path) -> tuple[JournaledFact, ...]:
    with closing(JournalReader.open_read_only(journal_of(file))) as journal:
        return journal.facts_after(0, 100_000)


def older_copy_put_back(file: Path) -> None:
    """Two rounds are copied, three more are played, and then only the copy is left."""
    played(file, 2)
    shutil.copy(journal_of(file), file.with_name("copy"))
    played(file, 3)
    shutil.copy(file.with_name("copy"), journal_of(file))


@pytest.fixture
def run_in_virtual_time() -> Callable[[Callable[[], None]], None]:
    from sim_hardware.loop import run

    def in_time(act: Callable[[], None]) -> None:
        async def acting() -> None:
            act()

        run(acting())

    return in_time


def test_a_restored_copy_continues_under_new_ids_and_numbers(
    file: Path, says: Says, run_in_virtual_time: Callable[[Callable[[], None]], None]
) -> None:
    run_in_virtual_time(lambda: older_copy_put_back(file))
    before = {fact.id for fact in facts_of(file)}
    with pytest.raises(JournalBehindError):
        Journal.open(journal_of(file), create=False)
    done = feltd("journal", "restored", "--config", file, "--because", "the disk died", "--by", "kim")
    assert (done.returncode, done.stderr) == (0, "")
    with closing(Journal.open(journal_of(file), create=False)) as journal:
        says(done.stdout, new=journal.id, old=journal.id_at(1))
        assert recover(journal) == replayed(journal, None, 0)
    run_in_virtual_time(lambda: played(file, 1))
    after = [fact for fact in facts_of(file) if fact.id not in before]
    said = after[0]
    assert said.kind == "journal-continued"
    assert len({fact.journal for fact in after}) == 1
    assert after[0].journal not in {one.split(":")[0] for one in before}
    numbers = [fact.fact().data.number for fact in after if fact.kind == "round-opened"]  # type: ignore[union-attr]
    assert min(numbers) > 6, "rounds 1 to 6 were opened before, on the lost journal"


@pytest.mark.parametrize("typed", [None, "kim"])
def test_the_record_says_whose_account_restored_and_no_environment_changes_that(
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    run_in_virtual_time: Callable[[Callable[[], None]], None],
    typed: str | None,
) -> None:
    run_in_virtual_time(lambda: older_copy_put_back(file))
    for name in ("LOGNAME", "USER", "SUDO_USER"):
        monkeypatch.setenv(name, "somebody-else")
    words = ("--by", typed) if typed else ()
    assert feltd("journal", "restored", "--config", file, "--because", "test", *words).returncode == 0
    with closing(JournalReader.open_read_only(journal_of(file))) as journal:
        record = json.loads(bytes(journal.line(journal.last_offset()).input))
    account = f"account {pwd.getpwuid(os.getuid()).pw_name}"
    assert record["who"].startswith(account)
    assert record["who"].endswith(f": {typed}") is (typed is not None)
    assert "somebody-else" not in record["who"]


@pytest.mark.parametrize("words", ["two\nlines", "turned\u202eround", "x" * 501, "half \udcff"])
@pytest.mark.parametrize("option", ["--by", "--because"])
def test_what_goes_on_record_is_one_line_of_visible_text(file: Path, option: str, words: str) -> None:
    given = {"--by": "kim", "--because": "test"} | {option: words}
    done = feltd("journal", "restored", "--config", file, *(word for pair in given.items() for word in pair))
    assert done.returncode == 2
    assert "one line" in done.stderr


def test_every_record_of_a_restored_journal_fits(
    file: Path, run_in_virtual_time: Callable[[Callable[[], None]], None]
) -> None:
    run_in_virtual_time(lambda: older_copy_put_back(file))
    assert feltd("journal", "restored", "--config", file, "--because", "test").returncode == 0
    run_in_virtual_time(lambda: played(file, 1))
    with closing(JournalReader.open_read_only(journal_of(file))) as journal:
        assert check_piece(journal, Place(0, 0, journal.hash_at(0)), 100_000)[1] == ()
        continued = next(offset for offset, _ in journal.generations[1:])
    stranger = checked(exported(journal_of(file), file.with_name("given")))
    assert (stranger.returncode, stranger.stderr) == (0, "")
    assert f"record {continued} continues a copy in the place of a lost journal\n" in stranger.stdout


def test_without_its_lock_file_the_last_round_is_a_persons_word(
    file: Path, run_in_virtual_time: Callable[[Callable[[], None]], None]
) -> None:
    run_in_virtual_time(lambda: older_copy_put_back(file))
    file.with_name("table7.journal.lock").unlink()
    before = journal_of(file).read_bytes()
    for _ in range(2):  # a refusal is nothing that the lock file could remember
        refused = feltd("journal", "restored", "--config", file, "--because", "test")
        assert refused.returncode == 74
        assert "[last-round-unknown]" in refused.stderr
    assert journal_of(file).read_bytes() == before
    done = feltd("journal", "restored", "--config", file, "--because", "test", "--last-round", "900")
    assert done.returncode == 0
    run_in_virtual_time(lambda: played(file, 1))
    numbers = [fact.fact().data.number for fact in facts_of(file) if fact.kind == "round-opened"]  # type: ignore[union-attr]
    assert numbers[-1] > 900


def test_an_empty_copy_is_nothing_to_continue(file: Path) -> None:
    done = feltd("journal", "restored", "--config", file, "--because", "test")
    assert done.returncode == 74
    assert "nothing to continue" in done.stderr
