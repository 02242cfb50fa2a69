"""Make the dictionary that new journals are packed with: `python -m tests.journal.dictionary JOURNAL... > FILE`.

The journals should be of all games, each for as long: of `feltd bench --fast --rounds 40 --keep DIRECTORY --game GAME`
with five players and with six, some with the other devices, and some of the virtual table of `tests/shift`. Of the
lines that occur often, the one is taken that saves most for its length, again and again. Each stands before those that
were taken earlier: references to the end are shortest. It takes minutes.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

from daemon.journal.reading import JournalReader
from daemon.journal.record import Packer

BYTES_MAX: Final = 30_000  # 2 kB of the window of 32 kB are left for the line itself
LINE_BYTES_MAX: Final = 1_600
SAMPLE: Final = 1_000
FORM_SHARE_MIN: Final = 1 / 2_000  # of all bytes; a form that is rarer saves nothing
PLACES: Final = (0.3, 0.6, 0.85)
"""Of each form these lines are tried, by their place in the order of lengths."""
USER: Final = re.compile(rb'"who":"[^"]*"')
"""Each house has its own names: with the bench's in the dictionary, the bench alone would have a smaller journal."""


def main(*journals: Path) -> None:
    lines = [line for journal in journals for line in _lines(journal)]
    candidates, sample = list(_candidates(lines)), Random(1).sample(lines, min(SAMPLE, len(lines)))
    dictionary, packed = b"", _packed_bytes(b"", sample)
    while fitting := [line for line in candidates if len(line) + 1 + len(dictionary) <= BYTES_MAX]:
        packed_with = {line: _packed_bytes(_before(line, dictionary), sample) for line in fitting}
        best = max(fitting, key=lambda line: (packed - packed_with[line]) / len(line))
        if packed_with[best] >= packed:
            break
        dictionary, packed = _before(best, dictionary), packed_with[best]
        candidates.remove(best)
    sys.stdout.buffer.write(dictionary)


def _before(line: bytes, dictionary: bytes) -> bytes:
    return b"\n".join((line, dictionary)) if dictionary else line


def _packed_bytes(dictionary: bytes, lines: Iterable[bytes]) -> int:
    packer = Packer(dictionary)
    return sum(len(packer.pack(line)) for line in lines)


def _lines(path: Path) -> Iterator[bytes]:
    with closing(JournalReader.open_read_only(path)) as journal:
        offset = 0
        while found := journal.stored(offset, 1_000):
            yield from (USER.sub(b'"who":"ann"', record.line) for record in found)
            offset = found[-1].offset


def _candidates(lines: Sequence[bytes]) -> Iterator[bytes]:
    by_form: dict[str, list[bytes]] = defaultdict(list)
    for line in lines:
        by_form[_form(line)].append(line)
    least = sum(map(len, lines)) * FORM_SHARE_MIN
    for same in by_form.values():
        if sum(map(len, same)) >= least:
            in_order = sorted(same, key=len)
            tried = dict.fromkeys(in_order[int(len(in_order) * place)] for place in PLACES)
            yield from (line for line in tried if len(line) <= LINE_BYTES_MAX)


def _form(line: bytes) -> str:
    """What kinds of things a line says."""
    return " ".join(dict.fromkeys(re.findall(r'"kind":"([^"]+)"', line.decode())))


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
