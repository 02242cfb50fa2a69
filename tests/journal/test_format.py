"""What is in journals already stays readable: literals of every kind, frozen.

A new kind gets a line. A line, once released, is never changed and never taken out. What is written today may say
more than a line of then, a field that was added with a default, and nothing else.
"""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from daemon.journal.journal import Journal
from daemon.journal.kinds import FACT_KINDS, KINDS
from daemon.journal.reading import FACT_BODIES, INPUTS
from daemon.journal.schema import FORMAT_VERSION, TABLES
from drivers import commands
from tests.journal.values import ACCEPTED, bet, dispensed, step

JOURNALS = Path(__file__).parent.parent / "journals" / "format-1"
NEVER_WRITTEN = {
    KINDS[command] for command in commands.DeviceCommand.__args__
}  # only in snapshots, which are no record


def lines(name: str) -> list[str]:
    return (JOURNALS / name).read_text(encoding="utf-8").splitlines()


def kinds_in(value: Any) -> set[str]:  # noqa: ANN401  # any JSON
    if isinstance(value, dict):
        own = {value["kind"]} if isinstance(value.get("kind"), str) else set()
        return own.union(*map(kinds_in, value.values()))
    return set().union(*map(kinds_in, value)) if isinstance(value, list) else set()


def says_all_of(today: Any, then: Any) -> bool:  # noqa: ANN401
    """Whether nothing of then was lost or changed."""
    if isinstance(then, dict):
        return isinstance(today, dict) and all(
            key in today and says_all_of(today[key], value) for key, value in then.items()
        )
    if isinstance(then, list):
        return isinstance(today, list) and len(today) == len(then) and all(map(says_all_of, today, then))
    return type(today) is type(then) and today == then


@pytest.mark.parametrize("line", lines("inputs.jsonl"))
def test_an_input_of_then_is_read_and_still_says_the_same(line: str) -> None:
    assert says_all_of(json.loads(INPUTS.encode(INPUTS.decode(line))), json.loads(line))


@pytest.mark.parametrize("line", lines("facts.jsonl"))
def test_a_fact_of_then_is_read_and_still_says_the_same(line: str) -> None:
    then = json.loads(line)
    codec = FACT_BODIES[then["kind"]]
    assert says_all_of(json.loads(codec.encode(codec.from_builtins(then["body"]))), then["body"])


def test_every_kind_has_a_line() -> None:
    there = set().union(
        *(kinds_in(json.loads(line)) for name in ("inputs.jsonl", "facts.jsonl") for line in lines(name))
    )
    missing = set(KINDS.values()) - there - (NEVER_WRITTEN - set(FACT_KINDS.values()))
    assert not missing, f"add a line of each of these to tests/journals/format-1: {sorted(missing)}"


def test_a_file_of_this_format_is_opened_and_written_on(tmp_path: Path) -> None:
    path = tmp_path / "of-then.journal"
    path.touch()
    with closing(apsw.Connection(str(path))) as db:
        db.execute((JOURNALS / "tables.sql").read_text(encoding="utf-8"))
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.id == "0123456789ab"
        journal.append(bet(1), step(2, ACCEPTED))
        journal.append(dispensed(2), step(2))
        assert [offset for offset, _ in journal.replay(0)] == [1, 2]


def test_the_tables_of_a_format_never_change() -> None:
    """Other tables are another format: raise FORMAT_VERSION, keep this folder, and read both."""
    assert TABLES in (JOURNALS / "tables.sql").read_text(encoding="utf-8")
    assert JOURNALS.name == f"format-{FORMAT_VERSION}"
