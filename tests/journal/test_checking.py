"""Every place in a journal that is not what was written is found, and named."""

from __future__ import annotations

import asyncio
import random
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw
import pytest

from daemon.errors import JournalError
from daemon.journal.checking import Fault, Place, check_piece, check_while_playing
from daemon.journal.errors import JournalDamagedError
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.rules.limits import Day
from daemon.rules.wagers import GameName
from daemon.table.carry_over import CarryOver
from daemon.table.facts import Fact
from daemon.table.round_facts import RoundSettled
from daemon.table.step import Step
from tests.journal.values import ACCEPTED, ROUND, bet, configured, dispensed, step, tampered

RECORDS: Final = 60
PAGE: Final = 4096


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with records of every form: nothing but facts, requests, what is carried over, a settled round."""
    path = tmp_path_factory.mktemp("sound") / "table.journal"
    with closing(Journal.open(path, create=True)) as journal:
        journal.append(configured(1), step(1), CarryOver(GameName.BIG_50, Day(1)))
        for number in range(2, RECORDS + 1):
            if number % 20 == 0:
                settled = Step(None, (Fact(ROUND, RoundSettled(500, 0, 500, 1)),), ())
                journal.append(dispensed(number), settled, CarryOver(GameName.BIG_50, Day(1), rounds_opened=number))
            elif number % 2:
                journal.append(dispensed(number), step(number % 4))
            else:
                journal.append(bet(number), step(2, ACCEPTED))
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "table.journal"))


def checked(path: Path, limit: int = 7) -> list[Fault]:
    with closing(JournalReader.open_read_only(path)) as journal:
        place, found = Place(0, 0, journal.hash_at(0)), list[Fault]()
        while place.offset < journal.last_offset():
            place, faults = check_piece(journal, place, limit)
            found += faults
        return found


@pytest.mark.parametrize("limit", [1, 7, 500])
def test_a_sound_journal_has_no_fault(path: Path, limit: int) -> None:
    assert checked(path, limit) == []


def changed(path: Path, statement: str) -> None:
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute(statement)


def untyped(path: Path, statement: str) -> None:
    """Write what no STRICT table takes, as a flipped bit does it: SQLite keeps a type beside each value."""
    strict = "UPDATE sqlite_schema SET sql = replace(sql, '{}', '{}') WHERE name = 'records'"
    for each in (strict.format(") STRICT", ") "), statement, strict.format(") ", ") STRICT")):
        schema_changed(path, each)


def schema_changed(path: Path, statement: str) -> None:
    with closing(apsw.Connection(str(path))) as hand:
        hand.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 0)
        hand.pragma("writable_schema", "ON")
        hand.execute(statement)


TAMPERINGS: Final[dict[str, tuple[Callable[[Path], None], set[int]]]] = {
    "a bet": (lambda path: tampered(path, 4, b"500", b"900", is_hashed_again=False), {4}),
    "a card": (lambda path: tampered(path, 3, b'"Ah"', b'"As"', is_hashed_again=False), {3}),
    "what is carried over": (
        lambda path: tampered(path, 20, b'"rounds_opened":20', b'"rounds_opened":19', is_hashed_again=False),
        {20},
    ),
    "a bet, and every hash after it": (lambda path: tampered(path, 4, b"500", b"900"), {20, 40, 60}),
    "a hash": (lambda path: changed(path, "UPDATE records SET hash = zeroblob(32) WHERE offset = 9"), {9, 10}),
    "a record that is taken out": (lambda path: changed(path, "DELETE FROM records WHERE offset = 9"), {9}),
    "many records that are taken out": (
        lambda path: changed(path, "DELETE FROM records WHERE offset BETWEEN 9 AND 41"),
        {9},
    ),
    "a record in another's place": (
        lambda path: changed(
            path, "UPDATE records SET body = (SELECT body FROM records WHERE offset = 5) WHERE offset = 9"
        ),
        {9},
    ),
    "a body that cannot be read": (lambda path: changed(path, "UPDATE records SET body = x'ff' WHERE offset = 9"), {9}),
    "an input that says not what it is": (
        lambda path: tampered(path, 4, b'"input":{"kind"', b'"input":{"kinf"', is_hashed_again=False),
        {4},
    ),
    "what is carried over without a table": (
        lambda path: tampered(path, 20, b'"table":', b'"tabld":', is_hashed_again=False),
        {20},
    ),
    "a settled round that is not text": (
        lambda path: tampered(path, 20, b'"data":{"', b'"data":{"\xff', is_hashed_again=False),
        {20},
    ),
    "the last body": (
        lambda path: changed(path, "UPDATE records SET body = x'ff' WHERE offset = 60"),
        {RECORDS},
    ),
    "a body that is a number": (lambda path: untyped(path, "UPDATE records SET body = 7 WHERE offset = 9"), {9}),
    "a hash that is a number": (lambda path: untyped(path, "UPDATE records SET hash = 7 WHERE offset = 9"), {9}),
    "a sequence that is a text": (
        lambda path: untyped(path, "UPDATE records SET sequence = 'x' WHERE offset = 9"),
        {9},
    ),
    "a sequence": (lambda path: changed(path, "UPDATE records SET sequence = sequence + 1 WHERE offset = 9"), {9, 10}),
    "the index of requests": (lambda path: changed(path, "DELETE FROM requests WHERE offset = 10"), {10}),
    "the index of what is carried over": (lambda path: changed(path, "DELETE FROM carried WHERE offset = 40"), {40}),
    "the name of a round in it": (
        lambda path: changed(path, "UPDATE carried SET round = 'no-round' WHERE offset = 40"),
        {40},
    ),
    "an entry in it that is none": (lambda path: changed(path, "INSERT INTO carried VALUES (12, NULL)"), {12}),
}


@pytest.mark.parametrize("limit", [1, 7, 500])
@pytest.mark.parametrize("tampering", TAMPERINGS)
def test_each_place_is_named(path: Path, tampering: str, limit: int) -> None:
    tamper, places = TAMPERINGS[tampering]
    tamper(path)
    assert {fault.offset for fault in checked(path, limit)} == places


def test_a_column_whose_name_was_changed_is_damage(path: Path) -> None:
    schema_changed(path, "UPDATE sqlite_schema SET sql = replace(sql, 'hash BLOB', 'hasi BLOB') WHERE name = 'records'")
    with pytest.raises(JournalDamagedError, match="records"):
        Journal.open(path, create=False)


@pytest.mark.parametrize(
    "foreign",
    [
        "CREATE TRIGGER kept AFTER INSERT ON requests BEGIN DELETE FROM requests; END",
        "CREATE VIEW beside AS SELECT * FROM records",
        "CREATE INDEX beside ON records (abs(offset))",
        "CREATE TABLE beside (offset)",
    ],
)
def test_what_no_feltd_made_in_the_file_is_damage(path: Path, foreign: str) -> None:
    """A trigger takes back what is written: a command that is sent again after a restart would be done twice."""
    changed(path, foreign)
    for opening in (JournalReader.open_read_only, lambda path: Journal.open(path, create=False)):
        with pytest.raises(JournalDamagedError, match=r"kept|beside"):
            opening(path)


@pytest.mark.parametrize("name", ["requests", "sqlite_stat1"])
def test_a_trigger_that_says_it_is_a_table_is_damage(path: Path, name: str) -> None:
    """SQLite goes by the text of a row of its schema, and not by the type and the name beside it."""
    trigger = "CREATE TRIGGER kept AFTER INSERT ON requests BEGIN DELETE FROM requests; END"
    row = f"INSERT INTO sqlite_schema VALUES ('table', '{name}', 'requests', 0, '{trigger}')"  # noqa: S608  # our own
    schema_changed(path, row)
    with pytest.raises(JournalDamagedError, match=name):
        Journal.open(path, create=False)


def test_the_figures_of_sqlite_are_not_foreign(path: Path) -> None:
    changed(path, "ANALYZE")
    assert checked(path) == []


def test_nothing_is_found_below_the_first_record(path: Path) -> None:
    """The check begins behind the base, so a record below it would be shown without having been checked."""
    changed(path, "INSERT INTO records SELECT -5, sequence, hash, body FROM records WHERE offset = 20")
    changed(path, "INSERT INTO carried VALUES (-5, 'forged')")
    changed(path, "INSERT INTO requests VALUES ('forger', 'one', -5)")
    with closing(JournalReader.open_read_only(path)) as journal:
        assert journal.opened_at("forged") is None
        assert journal.offset_of_request("forger", "one") is None


async def test_while_the_table_plays_the_first_fault_is_told_once(path: Path) -> None:
    tampered(path, 4, b"500", b"900", is_hashed_again=False)
    doubts: list[str] = []
    with closing(Journal.open(path, create=False)) as journal:
        await check_while_playing(journal, doubts.append, pause_s=0)
    assert doubts == ["record 4: its content is not what was hashed"]


async def test_while_the_table_plays_a_sound_journal_is_not_doubted_and_appends_go_on(path: Path) -> None:
    doubts: list[str] = []
    with closing(Journal.open(path, create=False)) as journal:
        checking = asyncio.create_task(check_while_playing(journal, doubts.append, pause_s=0))
        number = RECORDS
        while not checking.done():
            number += 1
            journal.append(dispensed(number), step(1))
            await asyncio.sleep(0)
        await checking
    assert doubts == []
    assert number > RECORDS


@pytest.mark.parametrize("seed", range(3))
def test_a_flipped_bit_anywhere_is_found_or_changes_nothing(sound: Path, tmp_path: Path, seed: int) -> None:
    """Every page of the file, a bit of each. What a flip leaves readable is what was written."""
    dice = random.Random(seed)
    content = sound.read_bytes()
    with closing(JournalReader.open_read_only(sound)) as journal:
        lines = [record.line for record in journal.stored(0, RECORDS)]
    for page in range(len(content) // PAGE):
        flipped = bytearray(content)
        flipped[page * PAGE + dice.randrange(PAGE)] ^= 1 << dice.randrange(8)
        path = tmp_path / f"{page}.journal"
        path.write_bytes(flipped)
        try:
            Journal.open(path, create=False).close()  # a start: it goes on, or says by name why not
            faults = checked(path)
            with closing(JournalReader.open_read_only(path)) as journal:
                read = [record.line for record in journal.stored(0, RECORDS)]
        except JournalError:
            continue
        assert faults or read == lines, f"seed {seed}, page {page}"
        path.unlink()
