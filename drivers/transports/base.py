"""What all transports have in common: stamped chunks in, bytes out, and one way to end.

A transport stamps bytes once, when it takes them from the kernel. It holds a bounded amount in either direction. If
nobody takes the received bytes, it stops reading. If the device does not take what we send, it ends the connection.

Nobody takes more than `BYTES_PER_S_MAX` from one device. A line cannot bring as much; a network or USB can, and reading
costs the time of the process: a device server that sends without end took a whole core, and the table's answers waited.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import field
from typing import Final, Protocol, TypeAlias, TypeVar

from drivers.errors import LinkError
from drivers.events import Stamp
from protocols.frozen import dataclass

# Called in the thread that takes the bytes from the kernel.
Clock: TypeAlias = Callable[[], Stamp]
ResultT = TypeVar("ResultT")

READ_SIZE: Final = 4096  # the size of the kernel's tty buffer; one wake-up takes it all
TURN_BYTES_MAX: Final = 512  # as long as the longest frame; of the costliest damage a driver reads so much in 3 ms
BACKLOG_BYTES_MAX: Final = 65_536  # four seconds at 115,200 baud: beyond that something is stuck
BYTES_PER_S_MAX: Final = 32_768  # almost three lines at 115,200 baud; the costliest damage then takes a tenth of a core
AHEAD_S_MAX: Final = BACKLOG_BYTES_MAX / BYTES_PER_S_MAX  # so much comes at once after a pause: all that a device keeps


@dataclass(frozen=True, slots=True)
class Chunk:
    """Received bytes and their time. They can name cards, so the repr leaves them out."""

    data: bytes = field(repr=False)
    at: Stamp


class Transport(Protocol):
    """An open connection to a device."""

    async def read(self) -> Chunk:
        """Return the next bytes. Raise LinkError when there will be no more. A cancelled call loses no bytes."""

    def write(self, data: bytes) -> None:
        """Queue bytes for the line. Never raise: `read` tells of a broken line."""

    async def close(self) -> None:
        """Close the port. When this returns, it can be opened again. Idempotent."""


class Inbox:
    """Received chunks that wait to be read, and why there will be no more."""

    __slots__ = ("_bytes", "_chunks", "_clock", "_lost", "_news", "_paid_s")

    def __init__(self, clock: Clock) -> None:
        self._clock: Final = clock
        self._chunks: Final[deque[Chunk]] = deque()
        self._bytes = 0
        self._paid_s = 0.0  # until when what was taken would have lasted at the most that a device may send
        self._lost: LinkError | None = None
        self._news: Final = asyncio.Event()

    @property
    def is_full(self) -> bool:
        """Return whether the transport has to stop reading."""
        return self._bytes >= BACKLOG_BYTES_MAX

    @property
    def is_lost(self) -> bool:
        """Return whether the connection has ended."""
        return self._lost is not None

    def put(self, data: bytes) -> None:
        """Stamp and keep bytes that came now."""
        self.put_chunk(Chunk(data, self._clock()))

    def put_chunk(self, chunk: Chunk) -> None:
        """Keep bytes that were stamped when they came, in pieces: what is read of one keeps everybody else waiting."""
        for start in range(0, len(chunk.data), TURN_BYTES_MAX):
            self._chunks.append(Chunk(chunk.data[start : start + TURN_BYTES_MAX], chunk.at))
        self._bytes += len(chunk.data)
        self._news.set()

    def lose(self, reason: str | LinkError) -> None:
        """End: there will be no more chunks. The first reason stands."""
        self._lost = self._lost or (LinkError(reason) if isinstance(reason, str) else reason)
        self._news.set()

    async def get(self) -> Chunk:
        """Return the next chunk. Raise LinkError with the reason once all chunks are read."""
        ahead_s = self._paid_s - asyncio.get_running_loop().time() - AHEAD_S_MAX
        if self._chunks or ahead_s > 0:
            await asyncio.sleep(max(ahead_s, 0))  # one that sends without end must not take every turn of the loop
        while not self._chunks:
            if self._lost is not None:
                raise type(self._lost)(str(self._lost))  # a new one each time, or its traceback would grow
            self._news.clear()
            await self._news.wait()
        chunk = self._chunks.popleft()
        self._bytes -= len(chunk.data)
        self._paid_s = max(self._paid_s, asyncio.get_running_loop().time()) + len(chunk.data) / BYTES_PER_S_MAX
        return chunk


async def finish_despite_cancel(work: Awaitable[ResultT]) -> ResultT:
    """Wait for work that must not stop half-way. Delay a cancellation until the work is done."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError as wish:
            cancelled = wish
    if cancelled is not None:
        raise cancelled
    return task.result()
