"""Bytes that were received and not yet understood."""

from __future__ import annotations

import re
from typing import Final


class ReceiveBuffer:
    """A queue of bytes that can be searched; cheap to append to and to take from the front.

    It sets no bound of its own. Whoever parses it takes everything that can no longer become a frame, so that
    what is left after parsing is at most one unfinished frame, however long the damage was.
    """

    __slots__ = ("_data",)

    def __init__(self) -> None:
        self._data: Final = bytearray()

    def __len__(self) -> int:
        return len(self._data)

    def __getitem__(self, index: int) -> int:
        return self._data[index]

    def append(self, data: bytes) -> None:
        """Put bytes at the end."""
        self._data.extend(data)

    def find(self, pattern: re.Pattern[bytes], start: int, stop: int) -> int | None:
        """Where the first match between `start` and `stop` begins."""
        found = pattern.search(self._data, start, stop)
        return found.start() if found else None

    def take(self, count: int) -> bytes:
        """Remove and give the first `count` bytes."""
        taken = bytes(self._data[:count])
        del self._data[:count]
        return taken
