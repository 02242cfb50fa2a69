"""What is in journals already stays readable: literals of every kind, frozen.

A new kind gets a line. A line, once released, is never changed and never taken out. What is written today may say
more than a line of then, a field that was added with a default, and nothing else. A default is not written, so it is
part of the format too: `defaults.json` has all of them, and none may change.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import random
import zlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast, get_args, get_type_hints

import apsw
import pytest

from daemon.journal.encoding import Codec, default_of
from daemon.journal.file import FORMAT_VERSION, TABLES
from daemon.journal.journal import Journal
from daemon.journal.kinds import KINDS
from daemon.journal.record import CARRIED, FACT_BODIES, INPUTS, Carried, Packer
from daemon.rules.house import House, options_of, scale_of
from daemon.rules.paytable import Paytable
from daemon.table.inputs import Input
from tests.journal.any_value import KINDS_OF_HOUSE
from tests.journal.values import ACCEPTED, bet, dispensed, step

JOURNALS = Path(__file__).parent.parent / "journals" / "format-2"
OF_INPUTS, OF_FACTS, CARRIED_OVER = "inputs.jsonl", "facts.jsonl", "carried.jsonl"


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


@pytest.mark.parametrize("line", lines(OF_INPUTS))
def test_an_input_of_then_is_read_and_still_says_the_same(line: str) -> None:
    assert INPUTS.encode(INPUTS.decode(line)).decode() == line


@pytest.mark.parametrize("line", lines(CARRIED_OVER))
def test_what_was_carried_over_then_is_read_and_still_says_the_same(line: str) -> None:
    assert CARRIED.encode(CARRIED.decode(line)).decode() == line


@pytest.mark.parametrize("line", lines(OF_FACTS))
def test_a_fact_of_then_is_read_and_still_says_the_same(line: str) -> None:
    then = json.loads(line)
    codec = FACT_BODIES[then["kind"]]
    assert says_all_of(json.loads(codec.encode(codec.from_builtins(then["body"]))), then["body"])


def test_every_kind_has_a_line() -> None:
    there = set().union(
        *(kinds_in(json.loads(line)) for name in (OF_INPUTS, OF_FACTS, CARRIED_OVER) for line in lines(name))
    )
    missing = set(KINDS.values()) - there
    assert not missing, "\n".join(("add a line of each of these to tests/journals/format-2:", *map(_to_add, missing)))


def _to_add(kind: str) -> str:
    """Return the kind; of a game's options, the whole line for `inputs.jsonl`, in which one of them may be set."""
    options = {KINDS[house] for house in KINDS_OF_HOUSE}
    if kind not in options:
        return kind
    line = json.loads(next(line for line in lines(OF_INPUTS) if kinds_in(json.loads(line)) & options))
    line["settings"]["options"] = {"kind": kind}
    return json.dumps(line, separators=(",", ":"))


def _classes(type_: object, found: dict[str, type]) -> dict[str, type]:
    """Every dataclass that a value of this type can hold."""
    for argument in KINDS_OF_HOUSE if type_ is House else get_args(type_):
        _classes(argument, found)
    if dataclasses.is_dataclass(type_) and type_.__name__ not in found:  # type: ignore[union-attr]
        cls = cast(type, type_)
        found[cls.__name__] = cls
        for hint in get_type_hints(cls).values():
            _classes(hint, found)
    return found


def _defaults() -> Iterator[tuple[str, str, object]]:
    for name, cls in sorted(_classes(Input, _classes(Carried, {})).items()):
        for field in options_of(cls) if issubclass(cls, House) else dataclasses.fields(cast(Any, cls)):
            default = default_of(field)
            if scale_of(field) is not None:  # another published paytable under the same name would pay otherwise
                yield name, field.name, default.sha256 if isinstance(default, Paytable) else None
            elif default is not dataclasses.MISSING:
                codec = Codec[object](get_type_hints(cls)[field.name], KINDS)
                yield name, field.name, codec.to_builtins(default)


def test_no_default_ever_changes() -> None:
    """A journal leaves defaults out. With another default it would say something else.

    A class that is renamed in the code is renamed in the file. Its fields and their defaults stay.
    """
    of_then = json.loads((JOURNALS / "defaults.json").read_text(encoding="utf-8"))
    today: dict[str, dict[str, object]] = {}
    for cls, field, default in _defaults():
        today.setdefault(cls, {})[field] = default
    changed = {
        f"{cls}.{field}": (default, today.get(cls, {}).get(field, "gone"))
        for cls, fields in of_then.items()
        for field, default in fields.items()
        if today.get(cls, {}).get(field, "gone") != default
    }
    assert not changed, "give the field a new name, or keep its default"
    added = {cls: new for cls, fields in today.items() if (new := _without(fields, of_then.get(cls, {})))}
    assert not added, f"add to tests/journals/format-2/defaults.json: {json.dumps(added)}"


def _without(fields: dict[str, object], known: dict[str, object]) -> dict[str, object]:
    return {field: default for field, default in fields.items() if field not in known}


def made_of_then(path: Path) -> None:
    """A file as it was written then, made without a line of ours."""
    header, *records = lines("records.jsonl")
    dictionary = b'{"offset":,"rules":"1","input":{"kind":"'
    before, sequence = hashlib.sha256(header.encode()).digest(), 0
    path.touch()
    with closing(apsw.Connection(str(path))) as db:
        db.execute((JOURNALS / "tables.sql").read_text(encoding="utf-8"))
        db.execute("INSERT INTO meta VALUES ('header', ?), ('dictionary', ?)", (header.encode(), dictionary))
        for offset, line in enumerate(records, 1):
            read = json.loads(line)
            before = hashlib.sha256(before + line.encode()).digest()
            sequence = read["facts"][-1]["sequence"] if "facts" in read else sequence
            packed = zlib.compressobj(9, zlib.DEFLATED, -14, 8, zlib.Z_DEFAULT_STRATEGY, dictionary)
            body = packed.compress(line.encode()) + packed.flush()
            db.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (offset, sequence, before, body))
            if "carried" in read:
                fresh = read["carried"]["table"].get("round", {}).get("id")
                db.execute("INSERT INTO carried VALUES (?, ?)", (offset, fresh))
            if read["input"]["kind"] == "request":
                asked = (read["input"]["who"], read["input"]["id"], offset)
                db.execute("INSERT INTO requests VALUES (?, ?, ?)", asked)


def test_a_file_of_this_format_is_opened_and_written_on(tmp_path: Path) -> None:
    path = tmp_path / "of-then.journal"
    made_of_then(path)
    count = len(lines("records.jsonl")) - 1
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.id == "0123456789ab"
        assert journal.last_offset() == count
        journal.append(bet(100), step(2, ACCEPTED))
        journal.append(dispensed(101), step(2))
        assert [offset for offset, _ in journal.replay(0)] == list(range(1, count + 3))
        answered = journal.answered("player 1", bet(1).id)
        assert answered is not None
        assert answered[1] == ACCEPTED


@pytest.mark.parametrize(("dictionary_bytes", "bits"), [(14_000, -14), (30_000, -15)])
def test_a_line_refers_no_further_back_than_who_made_the_journal_reads(dictionary_bytes: int, bits: int) -> None:
    """A journal with the dictionary of then goes on in the window of then, so the feltd of then reads all of it."""
    dictionary = random.Random(1).randbytes(dictionary_bytes)
    line = 2 * random.Random(2).randbytes(20_000) + dictionary
    packer = Packer(dictionary)
    body = packer.pack(line)
    assert zlib.decompressobj(bits, dictionary).decompress(body) == packer.unpack(body) == line


def test_the_tables_of_a_format_never_change() -> None:
    """Other tables are another format: raise FORMAT_VERSION, keep this folder, and read both."""
    assert TABLES in (JOURNALS / "tables.sql").read_text(encoding="utf-8")
    assert JOURNALS.name == f"format-{FORMAT_VERSION}"
