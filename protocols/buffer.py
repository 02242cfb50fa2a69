"""Received bytes that are not parsed yet, and what all readers of them have in common."""

from __future__ import annotations

import re
from typing import Final


class ReceiveBuffer:
    """A queue of bytes that can be searched. It is cheap to append to it and to take from its front.

    It has no bound of its own. Its reader takes everything that can no longer become a frame. So at most one unfinished
    frame is left after parsing, however long the damage was.
    """

    __slots__ = ("_data", "_position", "span")

    def __init__(self) -> None:
        self._data: Final = bytearray()
        self._position = 0  # of the first byte, in the whole stream
        self.span = range(0)
        """Where in the stream the last taken bytes were."""

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

    def match(self, pattern: re.Pattern[bytes], stop: int) -> int | None:
        """Return the length of the match at the front, before `stop`, or None."""
        found = pattern.match(self._data, 0, stop)
        return found.end() if found else None

    def is_match(self, pattern: re.Pattern[bytes]) -> bool:
        """Return whether all bytes together match."""
        return pattern.fullmatch(self._data) is not None

    def take_bytes(self, count: int) -> bytes:
        """Remove and return the first `count` bytes."""
        taken = self.peek(0, count)
        self._drop(len(taken))
        self.span = range(self._position - len(taken), self._position)
        return taken

    def skip(self, blank: re.Pattern[bytes]) -> None:
        """Drop the bytes at the front that match: they mean nothing."""
        found = blank.match(self._data)
        self._drop(found.end() if found else 0)

    def peek(self, start: int, stop: int) -> bytes:
        """Return bytes without removing them."""
        return bytes(self._data[start:stop])

    def _drop(self, count: int) -> None:
        del self._data[:count]
        self._position += count


class BufferedReader:
    """Takes bytes. Each protocol's reader extends it by `next`, which returns frames and damage in order."""

    __slots__ = ("_buffer",)

    def __init__(self) -> None:
        self._buffer: Final = ReceiveBuffer()

    def __len__(self) -> int:
        """Return how many bytes wait for more."""
        return len(self._buffer)

    @property
    def span(self) -> range:
        """Return where in the stream the last frame or piece of damage was."""
        return self._buffer.span

    def feed(self, data: bytes) -> None:
        """Take more bytes from the line."""
        self._buffer.append(data)
