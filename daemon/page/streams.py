"""The streams of server-sent events, one for each open page.

A picture of a table replaces the one before, so a slow browser gets fewer pictures and never an old one after a newer
one. Events are all sent, in order. A browser that does not take them ends its stream and joins anew.

Two hundred browsers that take nothing must not fill the memory. So a stream is written piece by piece, each when the
one before has left, and the picture of each table is made when its turn comes. What is told to all is there once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Final

import msgspec
from aiohttp import web

from daemon.page.room import Room, nobody

BEAT_S: Final = 2.0
STREAMS_MAX: Final = 200
WAITING_MAX: Final = 2_000
WAITING_BYTES_MAX: Final = 4 << 20
WRITE_S_MAX: Final = 10.0
RETRY: Final = b"retry: 1000\n\n"
REPLACED: Final = ("state", "status", "link", "bench")
IN_THE_PICTURE: Final = ("state", "status", "event")
PIECE_BYTES: Final = 65_536


class Stream:
    """What one page still has to be sent."""

    def __init__(self, tables: frozenset[str], address: str = "", to_come: Iterable[str] = ()) -> None:
        self.address = address
        self.is_over = False
        self.woken = asyncio.Event()
        self.to_come = dict.fromkeys(to_come)  # tables whose whole picture is still to be sent, in this order
        self._tables = tables
        self._events: list[bytes] = []
        self._events_bytes = 0
        self._newest: dict[tuple[str, str], bytes] = {}

    def put(self, kind: str, table: str, message: bytes) -> None:
        """Add a message for this page, if it is of one of the page's tables and in no picture that is to come."""
        if table and self._tables and table not in self._tables:
            return
        if table in self.to_come and kind in IN_THE_PICTURE:
            return
        if kind in REPLACED:
            self._newest[kind, table] = message
        else:
            self._events.append(message)
            self._events_bytes += len(message)
        self.is_over = self.is_over or len(self._events) > WAITING_MAX or self._events_bytes > WAITING_BYTES_MAX
        self.woken.set()

    def taken(self) -> tuple[bytes, ...]:
        """Return what waits: the events in order, and then the newest pictures."""
        waiting = (*self._events, *self._newest.values())
        self._events.clear()
        self._events_bytes = 0
        self._newest.clear()
        self.woken.clear()
        return waiting


class Streams:
    """All open streams."""

    def __init__(self, known: Callable[[], frozenset[str]] = nobody) -> None:
        self._open: dict[Stream, None] = {}  # the oldest first
        self._room = Room("streams", known)
        self.hears_broker = False
        self._closing = False

    def has_room(self, address: str, streams_max: int) -> bool:
        """Return whether another page can be open. If all places are taken, a page of the busiest address may end."""
        if len(self._open) < streams_max:
            return True
        return self._room.make_room(((stream.address, partial(self._end, stream)) for stream in self._open), address)

    def tell(self, kind: str, table: str, data: bytes) -> None:
        """Send a message to every page that shows this table."""
        message = sse(kind, data)
        for stream in self._open:
            stream.put(kind, table, message)

    def tell_link(self, is_there: bool) -> None:
        """Say on every beat from now on whether the server hears the broker."""
        self.hears_broker = is_there
        self.tell("link", "", self._link())

    def _link(self) -> bytes:
        return msgspec.json.encode({"broker": self.hears_broker})

    def end(self) -> None:
        """End all streams: the server waits for open answers before it stops, and a stream has no end."""
        self._closing = True
        for stream in tuple(self._open):
            self._end(stream)

    def _end(self, stream: Stream) -> None:
        stream.is_over = True
        stream.woken.set()
        self._open.pop(stream, None)

    async def serve(
        self,
        response: web.StreamResponse,
        address: str,
        tables: frozenset[str],
        hello: bytes,
        shown: Iterable[str],
        picture: Callable[[str], Iterable[bytes]],
    ) -> None:
        """Write to one page until it is gone, is too slow, has to give way, or the server stops.

        It begins with the whole `picture` of each of the tables that are `shown`.
        """
        stream = Stream(tables, address, shown)
        self._open[stream] = None
        try:
            await write(response, (RETRY, sse("hello", hello)))
            for table in tuple(stream.to_come):
                if stream.is_over or self._closing:
                    return  # its place is taken already
                del stream.to_come[table]
                await write(response, sse_in_pieces("table", picture(table)))
            await write(response, (sse("link", self._link()),))
            while not (stream.is_over or self._closing):
                try:
                    async with asyncio.timeout(BEAT_S):
                        await stream.woken.wait()
                except TimeoutError:
                    stream.put("link", "", sse("link", self._link()))
                await write(response, stream.taken())
        except (ConnectionResetError, TimeoutError):
            pass  # the page was closed, or its browser takes nothing
        finally:
            self._open.pop(stream, None)


async def write(response: web.StreamResponse, messages: Iterable[bytes]) -> None:
    """Write piece by piece, each when the one before has left. Raise TimeoutError if the browser takes too little."""
    async with asyncio.timeout(WRITE_S_MAX):
        for piece in pieces(messages):
            await response.write(piece)


def pieces(messages: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the messages joined to pieces that are not much larger than PIECE_BYTES."""
    piece: list[bytes] = []
    size = 0
    for message in messages:
        piece.append(message)
        size += len(message)
        if size >= PIECE_BYTES:
            yield b"".join(piece)
            piece, size = [], 0
    if piece:
        yield b"".join(piece)


def sse(kind: str, data: bytes) -> bytes:
    """Return one message of a stream (HTML Living Standard, 9.2). The data have no line break."""
    return b"".join(sse_in_pieces(kind, (data,)))


def sse_in_pieces(kind: str, data: Iterable[bytes]) -> tuple[bytes, ...]:
    """Return the same of data in pieces, without a copy of them."""
    return (b"event: %b\ndata: " % kind.encode(), *data, b"\n\n")
