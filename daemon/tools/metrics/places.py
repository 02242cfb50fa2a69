"""The connections to the page of `feltd metrics`: few at a time, and each for a few seconds.

Theory of operation. Prometheus needs one connection for a moment, four times a minute. A stranger at the port can
open thousands, say nothing in them, or send a request a byte at a time. So a connection serves one request and has
`CONNECTION_S_MAX` for it, from its first moment to the last byte of its answer. When all places are taken, a newcomer
ends the oldest connection. A scrape comes at once and is over in milliseconds, so it is never the oldest.
"""

from __future__ import annotations

import asyncio
from typing import Final

from aiohttp import web

CONNECTIONS_MAX: Final = 64
CONNECTION_S_MAX: Final = 10.0  # Prometheus waits as long for a scrape, if nobody tells it otherwise
HEADER_FIELD_BYTES_MAX: Final = 4_096
HEADERS_MAX: Final = 64


class Places:
    """Gives each connection to the server, and ends it in time."""

    def __init__(self, server: web.Server) -> None:
        self._server = server
        self._open: dict[asyncio.Transport, asyncio.TimerHandle] = {}  # the oldest is the first

    def meet(self) -> asyncio.Protocol:
        """Return what meets the next connection."""
        return _Arriving(self)

    def let_in(self, transport: asyncio.Transport) -> None:
        """Give a connection to the server. If all places are taken, end the oldest connection first."""
        for each in [each for each in self._open if each.is_closing()]:
            self._leave(each)
        while len(self._open) >= CONNECTIONS_MAX:
            self._leave(next(iter(self._open)))
        self._open[transport] = asyncio.get_running_loop().call_later(CONNECTION_S_MAX, transport.abort)
        handler = self._server()
        transport.set_protocol(handler)
        handler.connection_made(transport)

    def _leave(self, transport: asyncio.Transport) -> None:
        self._open.pop(transport).cancel()  # or it would keep an ended connection in memory
        transport.abort()


class _Arriving(asyncio.Protocol):
    """One connection, until the server has it."""

    def __init__(self, places: Places) -> None:
        self._places = places

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Let it in."""
        assert isinstance(transport, asyncio.Transport)
        self._places.let_in(transport)
