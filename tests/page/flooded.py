"""A table beside a page that is flooded: what it costs the table, measured in the table's own process."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, process_time

import aiohttp
import msgspec

from daemon.page.reply import Press
from daemon.page.users import Logins
from tests.page.published import PASSWORD, SITE, named, published
from tests.page.served import page_settings
from tests.page.serving_alone import page_process
from tests.support.mosquitto import Mosquitto
from tests.table.playing import Table


@dataclass(frozen=True, slots=True)
class Cost:
    """What a table had to do while `commands` were given to it."""

    commands: int
    taken: int
    answered: int
    cpu_us: float
    slowest_s: float
    requests: int


async def cost(broker: Mosquitto, directory: Path, commands: int, *, flooded: bool, name: str = "t7") -> Cost:
    """Give a table commands over MQTT, beside a page in a process of its own, and return what it cost."""
    settings = page_settings(broker.port)
    async with (
        published(named(Table(), name).ready(), directory, broker.port) as table,
        page_process(settings, directory) as url,
    ):
        await table.session.there.wait()
        logins = Logins(settings.mqtt, SITE, ())
        user = logins.user(await logins.log_in("dana", PASSWORD, "127.0.0.1"))
        assert user is not None
        answered, slowest_s = 0, 0.0
        async with _flood(url if flooded else None) as flood:
            cpu_s = process_time()
            for number in range(commands):
                data = {"seat": 1 + number % 6, "wager": "poker_hand", "stake_cents": 500 + 500 * (number % 3)}
                press = Press(name, "bet", f"press-{number:05}", f"{name}-1", msgspec.Raw(msgspec.json.encode(data)))
                began_s = monotonic()
                answered += (await user.press(press)).accepted is True
                slowest_s = max(slowest_s, monotonic() - began_s)
            cpu_s = process_time() - cpu_s
        await logins.end()
        async with aiohttp.ClientSession() as client, client.get(f"{url}healthz") as response:
            assert response.status == 200, "the page itself came through it"
        taken = len(table.requests)
    return Cost(commands, taken, answered, cpu_s / commands * 1e6, slowest_s, flood.requests)


@dataclass
class _Flood:
    requests: int = 0


@asynccontextmanager
async def _flood(url: str | None) -> AsyncIterator[_Flood]:
    flood = _Flood()
    if url is None:
        yield flood
        return
    words = ("-m", "tests.page.flooding", url)
    process = await asyncio.create_subprocess_exec(sys.executable, *words, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        assert await process.stdout.readline() == b"floods\n"
        yield flood
    finally:
        process.send_signal(signal.SIGTERM)
        said, _ = await process.communicate()
        flood.requests = int(said.decode() or "0")
