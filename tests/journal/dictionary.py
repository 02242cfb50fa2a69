"""Make the dictionary that new journals are packed with: `python -m tests.journal.dictionary JOURNAL > FILE`.

The journal should be of a table that played all games. The more often a form of line occurs in it, the nearer to the
end of the dictionary one of it stands, where references are shortest.
"""

from __future__ import annotations

import re
import sys
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Final

from daemon.journal.journal import Journal

BYTES_MAX: Final = 14_000  # 2 kB of the 16 kB window are left for the line itself
LINE_BYTES_MAX: Final = 1_600


def main(path: Path) -> None:
    by_form: dict[str, list[bytes]] = defaultdict(list)
    with closing(Journal.open(path, create=False)) as journal:
        offset = 0
        while found := journal.stored(offset, 1_000):
            for record in found:
                by_form[_form(record.line)].append(record.line)
            offset = found[-1].offset
    worth = sorted(by_form.values(), key=lambda lines: sum(map(len, lines)))
    chosen: list[bytes] = []
    for lines in reversed(worth):
        line = sorted(lines, key=len)[len(lines) // 2]
        if len(line) <= LINE_BYTES_MAX and sum(map(len, chosen)) + len(line) <= BYTES_MAX:
            chosen.append(line)
    sys.stdout.buffer.write(b"\n".join(reversed(chosen)))


def _form(line: bytes) -> str:
    """What kinds of things a line says."""
    return " ".join(dict.fromkeys(re.findall(r'"kind":"([^"]+)"', line.decode())))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
