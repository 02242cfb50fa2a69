"""The composition root of `feltd page`."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

import structlog

from daemon.config.page import PageSettings
from daemon.page.bench import Benches
from daemon.page.board import Board
from daemon.page.earlier import Earlier
from daemon.page.failures import Failures
from daemon.page.named import Named
from daemon.page.server import PageServer
from daemon.page.streams import Streams
from daemon.page.users import Logins
from daemon.page.watching import ended, watch

_log = structlog.get_logger(__name__)


def run(settings: PageSettings, on_listening: Callable[[str], None]) -> None:
    """Serve the page until SIGTERM or SIGINT. `on_listening` gets the address to open in a browser."""

    async def serve_until_signalled() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await serve(settings, stop, on_listening)

    asyncio.run(serve_until_signalled())


async def serve(settings: PageSettings, stop: asyncio.Event, on_listening: Callable[[str], None]) -> None:
    """Serve the page until `stop` is set. When this returns, everything is closed."""
    named = Named(settings.people_file)
    logins = Logins(settings.mqtt, settings.site, settings.trial_users, Failures(named.is_named), named)
    streams = Streams(logins.addresses)
    board = Board(streams.tell)
    earlier = Earlier(settings.site, settings.mqtt.user, board)
    benches = Benches(settings, streams.tell)
    async with PageServer(settings, board, streams, logins, earlier, benches).listening() as port:
        watching = asyncio.create_task(watch(settings, board, earlier, streams.tell_link))
        follows = asyncio.create_task(benches.run()) if settings.trial_users else None
        try:
            scheme = "http" if settings.certificate is None else "https"
            _log.info("page-listens", host=settings.host, port=port)
            on_listening(f"{scheme}://{settings.host}:{port}/")
            stopping = asyncio.create_task(stop.wait())
            await asyncio.wait({watching, stopping}, return_when=asyncio.FIRST_COMPLETED)
            stopping.cancel()
            if watching.done():
                watching.result()  # a defect of ours: nothing else ends it
        finally:
            await ended(watching)
            if follows is not None:
                await ended(follows)
            await logins.end()
