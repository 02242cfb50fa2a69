"""Who gives way when the page is full: strangers to who is logged in, and else the address that holds most.

Theory of operation. The page serves so many connections and so many streams at a time. Without a share for each
address one visitor who opens them all shuts out every screen of the house. With a fixed share a house whose screens
come through one proxy would be shut out by itself. So nobody is limited while there is room. When there is none, the
newcomer takes a place of the address that holds most, if it holds more than its own, and that one gets nothing more.

A visitor can have hundreds of addresses. So one from which somebody has logged in takes a stranger's place, and
strangers take the places of strangers alone while there are any. But one who has logged in must not fill the page
either: an address that holds a large part of all places is a stranger's again.
"""

from __future__ import annotations

import asyncio
import ssl
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import structlog
from aiohttp import web

TOLD_AGAIN_S: Final = 60.0
HANDSHAKE_S_MAX: Final = 10.0
HANDSHAKES_MAX: Final = 100
WRITE_BUFFER_BYTES: Final = 65_536
LARGE_PART: Final = 4
"""One in so many places. A tablet holds a few of hundreds."""
SEND_BUFFER_BYTES: Final = 65_536
"""The system keeps twice as much for one that takes nothing. By itself it would keep 4 MB, and count it as ours."""

_log = structlog.get_logger(__name__)


def nobody() -> frozenset[str]:
    """Know nobody."""
    return frozenset()


class Room:
    """Places of one kind. `what` names them in the log, which says at most once a minute that there is no room."""

    def __init__(self, what: str, known: Callable[[], frozenset[str]] = nobody) -> None:
        """`known` gives the addresses from which somebody has logged in."""
        self._what = what
        self._known = known
        self._told_s: float | None = None

    def make_room(self, places: Iterable[tuple[str, Callable[[], object]]], newcomer: str) -> bool:
        """End a place of a stranger, or of the address that has most. Return False if the newcomer gets none."""
        taken = tuple(places)
        held = Counter(holder for holder, _ in taken)
        known = {each for each in self._known() if held[each] < held.total() / LARGE_PART}
        strangers = Counter({holder: number for holder, number in held.items() if holder not in known})
        goes_first = bool(strangers) and newcomer in known
        address, number = (strangers or held).most_common(1)[0]
        now_s = asyncio.get_running_loop().time()
        if self._told_s is None or now_s >= self._told_s + TOLD_AGAIN_S:
            self._told_s = now_s
            _log.warning("page-full", what=self._what, number=held.total(), most=number, address=address)
        if number <= held[newcomer] + 1 and not goes_first:
            return False
        next(end for holder, end in taken if holder == address)()
        return True


class Hall:
    """Where connections arrive: those that are inside, and over TLS those that still exchange keys, have one bound.

    A connection that says nothing takes a quarter of a megabyte as soon as TLS waits for its first word. So it is
    counted before that, and `asyncio`'s server does not do TLS itself.
    """

    def __init__(
        self,
        server: web.Server,
        connections_max: int,
        tls: ssl.SSLContext | None,
        known: Callable[[], frozenset[str]] = nobody,
    ) -> None:
        self.server = server
        self.tls = tls
        self.arriving: dict[Doorkeeper, asyncio.Task[None]] = {}
        self._connections_max = connections_max
        self._room = Room("connections", known)

    def meet(self) -> asyncio.Protocol:
        """Return what meets the next connection."""
        return Doorkeeper(self)

    def has_room(self, newcomer: str) -> bool:
        """Return whether another connection may come in. If all places are taken, another one may end for it."""
        is_full = len(self.server.connections) + len(self.arriving) >= self._connections_max
        if not is_full and len(self.arriving) < HANDSHAKES_MAX:
            return True
        inside = [(each.address, each.force_close) for each in self.arriving]
        if is_full:
            inside += [(address_of(handler.transport), handler.force_close) for handler in self.server.connections]
        return self._room.make_room(inside, newcomer)

    async def close(self) -> None:
        """End those that are still arriving."""
        tasks = tuple(self.arriving.values())
        for each in tuple(self.arriving):
            each.force_close()
        if tasks:
            await asyncio.wait(tasks)


class Doorkeeper(asyncio.Protocol):
    """Meets one connection, and gives it to the server if there is room for it. What it ends takes no memory here."""

    def __init__(self, hall: Hall) -> None:
        self.address = ""
        self._hall = hall
        self._transport: asyncio.Transport | None = None
        self._early = bytearray()  # what came in the same breath as the end of the exchange of keys

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in, let it in for another one, or end it."""
        assert isinstance(transport, asyncio.Transport)
        self.address = address_of(transport)
        if not self._hall.has_room(self.address):
            transport.close()
        elif self._hall.tls is None:
            self._let_in(transport)
        else:
            transport.pause_reading()  # the exchange of keys reads from its first byte on
            self._transport = transport
            self._hall.arriving[self] = asyncio.create_task(self._exchange_keys(transport, self._hall.tls))

    def data_received(self, data: bytes) -> None:
        """Keep what comes before the server has the connection."""
        self._early += data

    def force_close(self) -> None:
        """End a connection that is still arriving."""
        if self._transport is not None:
            self._transport.abort()
        self._hall.arriving.pop(self).cancel()

    async def _exchange_keys(self, transport: asyncio.Transport, tls: ssl.SSLContext) -> None:
        loop = asyncio.get_running_loop()
        try:
            secured = await loop.start_tls(
                transport, self, tls, server_side=True, ssl_handshake_timeout=HANDSHAKE_S_MAX
            )
        except OSError:  # also ssl.SSLError and a time-out: the newcomer speaks no TLS, or says nothing
            transport.abort()
            return
        finally:
            self._hall.arriving.pop(self, None)
        if secured is None or secured.is_closing():
            transport.abort()
        else:
            self._let_in(secured)

    def _let_in(self, transport: asyncio.Transport) -> None:
        transport.set_write_buffer_limits(high=WRITE_BUFFER_BYTES)  # over TLS it would be eight times this
        handler = self._hall.server()
        transport.set_protocol(handler)
        handler.connection_made(transport)
        if self._early:
            handler.data_received(bytes(self._early))


def address_of(transport: asyncio.BaseTransport | None) -> str:
    """Return where a connection comes from, or nothing of one that is over."""
    peer = None if transport is None else transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
