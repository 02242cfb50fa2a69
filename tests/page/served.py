"""A page's server that runs in a test's own process, and its settings."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp

from daemon.config.page import PageSettings
from daemon.mqtt.settings import MqttSettings
from daemon.page.app import serve
from tests.page.published import PASSWORD, PEOPLE, SITE
from tests.sim_hardware.free_port import free_port

STEPS_S: Final = 300.0
"""A journal is read at a low priority, which gets little on a machine that runs other tests beside."""


@dataclass
class Served:
    """A page's server that runs in this process."""

    settings: PageSettings
    url: str
    stop: asyncio.Event
    task: asyncio.Task[None]

    async def end(self) -> None:
        self.stop.set()
        await self.task


def page_settings(broker_port: int, **changes: object) -> PageSettings:
    """Return settings for a server on this broker."""
    mqtt = MqttSettings(host="127.0.0.1", port=broker_port, user="screen", password=PASSWORD, session_expiry_s=0)
    asked: dict[str, object] = {"site": SITE, "mqtt": mqtt, "port": free_port()}
    return PageSettings(**(asked | changes))  # type: ignore[arg-type]


def people_file(directory: Path) -> Path:
    """Write the site's file of people, and return it."""
    people = "".join(
        f'{user} = {{ role = "{person.role.value}", tables = ["{table}"] }}\n'
        for user, person in PEOPLE.items()
        for table in person.tables
        if table in ("*", "t7")
    )
    file = directory / "people.toml"
    file.write_text(f'site = "{SITE}"\n[tables]\nt7 = {{ user = "feltd" }}\n[people]\n{people}')
    return file


@asynccontextmanager
async def serving(settings: PageSettings) -> AsyncIterator[Served]:
    """Run a server until the test ends it, or the block does."""
    address: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    stop = asyncio.Event()
    task = asyncio.create_task(serve(settings, stop, address.set_result))
    try:
        ends: set[asyncio.Future[Any]] = {task, address}
        await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        if task.done():
            task.result()
        await _until_it_hears_the_broker(address.result())
        yield Served(settings, address.result(), stop, task)
    finally:
        stop.set()
        await task


async def _until_it_hears_the_broker(url: str) -> None:
    """Events are not retained: what is published before the server has subscribed is not for it."""
    async with aiohttp.ClientSession() as client:
        while True:
            async with client.get(f"{url}healthz", ssl=False) as response:  # over TLS no test's authority is known here
                if response.status == 200:
                    return
