"""A line without a kernel, for virtual time and for recordings. Its owner is the other end."""

from __future__ import annotations

from collections.abc import Callable

from drivers.errors import LinkError
from drivers.transports.base import Chunk, Clock, Inbox


class MemoryTransport:
    """An open line whose other end is `on_write`, `deliver` and `cut`."""

    __slots__ = ("_inbox", "_is_closed", "_on_close", "_on_write")

    def __init__(
        self, clock: Clock, on_write: Callable[[bytes], None], on_close: Callable[[], None] | None = None
    ) -> None:
        self._inbox = Inbox(clock)
        self._on_write = on_write
        self._on_close = on_close
        self._is_closed = False

    def deliver(self, data: bytes) -> None:
        """Receive bytes that the other end sends."""
        if data and not self._inbox.is_lost:
            self._inbox.put(data)

    def cut(self, reason: str | LinkError) -> None:
        """Break the line."""
        self._inbox.lose(reason)

    async def read(self) -> Chunk:
        """Return what the other end sent."""
        return await self._inbox.get()

    def write(self, data: bytes) -> None:
        """Send bytes to the other end, unless the line is broken."""
        if data and not self._inbox.is_lost:
            self._on_write(data)

    async def close(self) -> None:
        """Close both ends."""
        self._inbox.lose("closed")
        if not self._is_closed:
            self._is_closed = True
            if self._on_close is not None:
                self._on_close()
