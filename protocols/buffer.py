"""Received bytes that are not parsed yet."""

from __future__ import annotations

import re
from typing import Final


class ReceiveBuffer:
    """A queue of bytes that can be searched. It is cheap to append to it and to take from its front.

    It has no bound of its own. Its reader takes everything that can no longer become a frame. So at most one unfinished
    frame is left after parsing, however long the damage was.
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
        """Return where the first match between `start` and `stop` begins, or None."""
        found = pattern.search(self._data, start, stop)
        return found.start() if found else None

    def take_bytes(self, count: int) -> bytes:
        """Remove and return the first `count` bytes."""
        taken = bytes(self._data[:count])
        del self._data[:count]
        return taken
