"""A journal as long as asked for: `python -m tests.journal.generated FROM TO RECORDS`.

A real journal is written again and again, one behind the other, under new offsets and sequences, hashed as one chain.
It ends where the real one ended, in the middle of a round if that one did. So a start on it does what a start on a
table's journal of that length would do.

Packing takes most of the time, so other processes do it.
"""

from __future__ import annotations

import json
import re
import sys
import zlib
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Final

import apsw

from daemon.journal import file
from daemon.journal.creation import create
from daemon.journal.reading import JournalReader
from daemon.journal.record import MEMORY_LEVEL, next_hash, window_bits

NUMBERS: Final = re.compile(rb'"(offset|sequence|configured)":(\d+)')
REQUEST: Final = re.compile(rb'"input":\{"kind":"request".*?"id":"([^"]+)","who":"([^"]+)"')
HASH: Final = re.compile(rb'"journal_hash":"[0-9a-f]{64}"')
NO_HASH: Final = b'"journal_hash":""'  # as of a journal that does not say it: a hash would tie all records together
FASTEST: Final = 1
COPIES_A_PIECE: Final = 50


@dataclass(frozen=True, slots=True)
class Template:
    """A line with places for its numbers, what stands there in the first copy, and by how much that grows with each."""

    text: bytes
    first: tuple[int, ...]
    grows: tuple[int, ...]
    sequence: int
    who: str | None
    carried: tuple[str | None] | None  # the round that takes bets after it

    def line(self, copy: int) -> bytes:
        """Return the line of this copy."""
        return self.text % tuple(first + copy * grows for first, grows in zip(self.first, self.grows, strict=True))


def generate(source: Path, target: Path, records_min: int, processes: int = 2) -> int:
    """Make a journal of at least so many records, and return how many it has."""
    with closing(JournalReader.open_read_only(source)) as original:
        records = original.stored(0, 10_000_000)
        sequences = original.last_sequence()
    templates = [_template(each.line, each.sequence, len(records), sequences) for each in records]
    create(target)
    with closing(JournalReader.open_read_only(target)) as made:
        before = made.hash_at(0)
    copies = -(-records_min // len(records))
    pieces = [range(at, min(copies, at + COPIES_A_PIECE)) for at in range(0, copies, COPIES_A_PIECE)]
    with closing(apsw.Connection(str(target))) as db, get_context("spawn").Pool(processes) as pool:
        db.pragma("synchronous", "OFF")
        db.pragma("journal_mode", "OFF")
        packed = pool.imap(partial(_packed, templates), pieces)
        for piece, lines in zip(pieces, packed, strict=True):
            before = _write(db, templates, sequences, piece, lines, before)
        db.pragma("journal_mode", "WAL")
    return copies * len(records)


def _template(line: bytes, sequence: int, records: int, sequences: int) -> Template:
    """Put %d in the place of each number that grows, and of a request's id, which is then its offset."""
    grows = {b"offset": records, b"configured": records, b"sequence": sequences}
    text = HASH.sub(NO_HASH, line)
    places = [(found.start(2), found.end(2), int(found[2]), grows[found[1]]) for found in NUMBERS.finditer(text)]
    asked = REQUEST.search(text)
    if asked is not None:
        places = sorted([*places, (asked.start(1), asked.end(1), places[0][2], records)])
    pieces, at = [], 0
    for start, end, _, _ in places:
        pieces.append(text[at:start].replace(b"%", b"%%"))
        at = end
    return Template(
        text=b"%d".join([*pieces, text[at:].replace(b"%", b"%%")]),
        first=tuple(first for _, _, first, _ in places),
        grows=tuple(grown for _, _, _, grown in places),
        sequence=sequence,
        who=None if asked is None else asked[2].decode(),
        carried=_carried(text),
    )


def _carried(line: bytes) -> tuple[str | None] | None:
    """Return the round that takes bets after what this line carries over, or None if it carries nothing over."""
    carried = json.loads(line).get("carried")
    return None if carried is None else ((carried["table"].get("round") or {}).get("id"),)


def _packed(templates: list[Template], copies: range) -> list[tuple[bytes, bytes]]:
    """Return each line of these copies, and what the file has of it."""
    dictionary = file.DICTIONARY.read_bytes()
    blank = zlib.compressobj(
        FASTEST, zlib.DEFLATED, window_bits(dictionary), MEMORY_LEVEL, zlib.Z_DEFAULT_STRATEGY, dictionary
    )
    done = []
    for line in (template.line(copy) for copy in copies for template in templates):
        compressor = blank.copy()
        done.append((line, compressor.compress(line) + compressor.flush()))
    return done


def _write(
    db: apsw.Connection,
    templates: list[Template],
    sequences: int,
    copies: range,
    packed: list[tuple[bytes, bytes]],
    before: bytes,
) -> bytes:
    """Write the records of these copies, and return the hash of the last."""
    numbered = list(enumerate(_each(templates, copies), copies.start * len(templates) + 1))

    def records() -> Iterator[tuple[int, int, bytes, bytes]]:
        nonlocal before
        for (offset, (copy, template)), (line, body) in zip(numbered, packed, strict=True):
            before = next_hash(before, line)
            yield offset, template.sequence + copy * sequences, before, body

    with db:
        db.executemany("INSERT INTO records VALUES (?, ?, ?, ?)", records())
        asked = ((each.who, str(offset), offset) for offset, (_, each) in numbered if each.who is not None)
        db.executemany("INSERT INTO requests VALUES (?, ?, ?)", asked)
        carried = ((offset, *each.carried) for offset, (_, each) in numbered if each.carried is not None)
        db.executemany("INSERT INTO carried VALUES (?, ?)", carried)
    return before


def _each(templates: list[Template], copies: range) -> Iterator[tuple[int, Template]]:
    return ((copy, template) for copy in copies for template in templates)


if __name__ == "__main__":
    print(generate(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])))  # noqa: T201
