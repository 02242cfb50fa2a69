"""The table at every step of a round, from the journal beside the page: `feltd journal show --steps` in a process.

The page itself imports no journal. The process reads only and has little time. One runs for a table and two run at a
time: somebody who asks again and again, or makes a table's journal slow to read, slows no other table.
"""

from __future__ import annotations

import asyncio
import gzip
import os
import sys
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import structlog

STEPS_S_MAX: Final = 120.0
BYTES_MAX: Final = 32_000_000
ROUNDS_KEPT: Final = 8
AT_A_TIME: Final = 2
LOW_PRIORITY: Final = 10
PACKED: Final = 6

_log = structlog.get_logger(__name__)


class Steps:
    """Reads rounds from the journals of these tables, and keeps the last ones, packed."""

    def __init__(self, journals: Mapping[str, Path]) -> None:
        self._journals = journals
        self._one_for_each = {table: asyncio.Lock() for table in journals}
        self._few_at_a_time = asyncio.Semaphore(AT_A_TIME)
        self._kept: OrderedDict[tuple[str, str], bytes] = OrderedDict()

    async def of(self, table: str, round_id: str) -> bytes | None:
        """Return the round's steps as a JSON list, packed, or None if no journal has such a round that is over."""
        journal = self._journals.get(table)
        if journal is None:
            return None
        async with self._one_for_each[table]:  # before the other: who waits here keeps nobody of another table out
            key = (table, round_id)
            if key not in self._kept:
                async with self._few_at_a_time:
                    read = await _read(journal, round_id)
                if read is None:
                    return None
                self._kept[key] = read
                while len(self._kept) > ROUNDS_KEPT:
                    self._kept.popitem(last=False)
            self._kept.move_to_end(key)
            return self._kept[key]


async def _read(journal: Path, round_id: str) -> bytes | None:
    words = ("journal", "show", "--steps", "--", str(journal), round_id)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-m", "daemon", *words),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdout is not None
    # The table may run on this machine. No user may raise what started low, and the page's unit forbids the call: it
    # has a weight of its own.
    with suppress(ProcessLookupError, PermissionError):
        lowest = max(LOW_PRIORITY, os.getpriority(os.PRIO_PROCESS, 0))
        os.setpriority(os.PRIO_PROCESS, process.pid, lowest)
    pieces: list[bytes] = []
    size = 0
    try:
        async with asyncio.timeout(STEPS_S_MAX):
            while piece := await process.stdout.read(1 << 16):
                size += len(piece)
                pieces.append(piece)
                if size > BYTES_MAX:
                    _log.warning("journal-said-too-much", journal=str(journal), round=round_id)
                    return None
            status = await process.wait()
    except TimeoutError:
        _log.warning("journal-took-too-long", journal=str(journal), round=round_id)
        return None
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    steps = b"".join(pieces).splitlines()
    if status != 0 or not steps:
        return None
    # A browser that takes nothing leaves what it is sent here, and there can be hundreds of them.
    return await asyncio.to_thread(gzip.compress, b"[" + b",".join(steps) + b"]", PACKED)
