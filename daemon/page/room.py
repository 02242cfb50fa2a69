"""Who gives way when the page is full: the address that holds most, if it holds more than the one that comes.

Theory of operation. The page serves so many connections and so many streams at a time. Without a share for each
address one visitor who opens them all shuts out every screen of the house. With a fixed share a house whose screens
come through one proxy would be shut out by itself. So nobody is limited while there is room. When there is none, the
newcomer takes a place of the address that holds most, and that address gets nothing more.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Final

import structlog
from aiohttp import web

TOLD_AGAIN_S: Final = 60.0

_log = structlog.get_logger(__name__)


class Room:
    """Places of one kind. `what` names them in the log, which says at most once a minute that there is no room."""

    def __init__(self, what: str) -> None:
        self._what = what
        self._told_s: float | None = None

    def gives_way(self, holders: Iterable[str], newcomer: str) -> str | None:
        """Return the address that loses a place to the newcomer, or None if the newcomer gets none."""
        held = Counter(holders)
        address, number = held.most_common(1)[0]
        now_s = asyncio.get_running_loop().time()
        if self._told_s is None or now_s >= self._told_s + TOLD_AGAIN_S:
            self._told_s = now_s
            _log.warning("page-full", what=self._what, number=held.total(), most=number, address=address)
        return address if number > held[newcomer] + 1 else None


class Doorkeeper(asyncio.Protocol):
    """Meets one connection, and gives it to the server if there is room for it. What it ends takes no memory here."""

    def __init__(self, server: web.Server, connections_max: int, room: Room) -> None:
        self._server = server
        self._connections_max = connections_max
        self._room = room

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in, let it in for another one, or end it."""
        assert isinstance(transport, asyncio.Transport)
        if len(self._server.connections) >= self._connections_max:
            inside = [(address_of(handler.transport), handler) for handler in self._server.connections]
            loser = self._room.gives_way((address for address, _ in inside), address_of(transport))
            if loser is None:
                transport.close()
                return
            next(handler for address, handler in inside if address == loser).force_close()
        handler = self._server()
        transport.set_protocol(handler)
        handler.connection_made(transport)


def address_of(transport: asyncio.BaseTransport | None) -> str:
    """Return where a connection comes from, or nothing of one that is over."""
    peer = None if transport is None else transport.get_extra_info("peername")
    return str(peer[0]) if peer else ""
