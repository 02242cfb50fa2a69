"""A journal as long as asked for: `python -m tests.journal.generated FROM TO RECORDS`.

A real journal is written again and again, one behind the other, under new offsets and sequences, hashed as one chain.
It ends where the real one ended. So a start on it does what a start on a table's journal of that length would do.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import apsw

from daemon.journal import file
from daemon.journal.creation import create
from daemon.journal.reading import JournalReader
from daemon.journal.record import Packer, next_hash

NUMBERS: Final = re.compile(rb'("offset":|"sequence":|"configured":)(\d+)')
REQUEST: Final = re.compile(rb'"id":"([^"]+)","who":"([^"]+)"')
HASH: Final = re.compile(rb'"journal_hash":"[0-9a-f]{64}"')
ROWS: Final = 20_000


def generate(source: Path, target: Path, records_min: int) -> int:
    """Make a journal of at least so many records, and return how many it has."""
    with closing(JournalReader.open_read_only(source)) as original:
        lines = [record.line for record in original.stored(0, 10_000_000)]
        sequences = original.last_sequence()
    create(target)
    with closing(JournalReader.open_read_only(target)) as made:
        before, packer = made.hash_at(0), Packer(file.DICTIONARY.read_bytes())
    copies = -(-records_min // len(lines))
    with closing(apsw.Connection(str(target))) as db:
        db.pragma("synchronous", "OFF")
        db.pragma("journal_mode", "OFF")
        db.execute("BEGIN")
        rows: list[tuple[int, int, bytes, bytes]] = []
        for offset, sequence, renumbered in _renumbered(lines, sequences, copies):
            line = HASH.sub(b'"journal_hash":"%s"' % before.hex().encode(), renumbered)
            if b'"input":{"kind":"request"' in line:
                line = REQUEST.sub(rb'"id":"%d","who":"\2"' % offset, line, count=1)
                asked = REQUEST.search(line)
                assert asked is not None
                db.execute("INSERT INTO requests VALUES (?, ?, ?)", (asked[2].decode(), asked[1].decode(), offset))
            before = next_hash(before, line)
            rows.append((offset, sequence, before, packer.pack(line)))
            if b'"carried":' in line:
                db.execute("INSERT INTO carried VALUES (?, NULL)", (offset,))
            if len(rows) == ROWS:
                _write(db, rows)
        _write(db, rows)
        db.execute("COMMIT")
        db.pragma("journal_mode", "WAL")
    return copies * len(lines)


def _renumbered(lines: list[bytes], sequences: int, copies: int) -> Iterator[tuple[int, int, bytes]]:
    sequence = 0
    for copy in range(copies):
        for offset, line in enumerate(lines, 1):
            moved = NUMBERS.sub(
                lambda found, copy=copy: (  # type: ignore[misc]
                    found[1]
                    + b"%d" % (int(found[2]) + copy * (sequences if found[1] == b'"sequence":' else len(lines)))
                ),
                line,
            )
            last = re.findall(rb'"sequence":(\d+)', moved)
            sequence = int(last[-1]) if last else sequence
            yield offset + copy * len(lines), sequence, moved


def _write(db: apsw.Connection, rows: list[tuple[int, int, bytes, bytes]]) -> None:
    db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", rows)
    db.execute("COMMIT; BEGIN")
    rows.clear()


if __name__ == "__main__":
    print(generate(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))  # noqa: T201
