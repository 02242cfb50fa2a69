"""A broker that checks passwords and holds its users to their own names, and a page's server on it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import aiohttp
import pytest

from daemon.config.people import People, TableUser
from daemon.mqtt.settings import MqttSettings
from daemon.page import steps
from daemon.page.app import serve
from daemon.page.settings import PageSettings
from daemon.tools.access import mosquitto as access_list
from tests.page.published import PASSWORD, PEOPLE, SITE
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import Mosquitto, mosquitto

OF_THE_SITE: Final = People(site=SITE, tables={"t7": TableUser(user="feltd")}, people=dict(PEOPLE))
FELTD: Final = "user feltd\ntopic readwrite felt/v1/#\n"

STEPS_S: Final = 300.0
"""A journal is read at the least priority, which gets next to nothing on a machine that runs other tests beside."""


@pytest.fixture(autouse=True)
def a_journal_may_take_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "STEPS_S_MAX", STEPS_S)


@pytest.fixture(scope="session")
def passwords(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: Mosquitto hashes a password slowly, on purpose."""
    file = tmp_path_factory.mktemp("page") / "passwords"
    file.write_text("".join(f"{user}:{PASSWORD}\n" for user in ("feltd", *PEOPLE)))
    subprocess.run(["mosquitto_passwd", "-U", str(file)], check=True, capture_output=True)
    file.chmod(0o644)
    return file


@pytest.fixture
def broker(tmp_path: Path, passwords: Path) -> Iterator[Mosquitto]:
    directory = tmp_path / "broker"
    directory.mkdir()
    _, _, of_people = access_list(OF_THE_SITE).partition("\nuser dana")
    access = f"{FELTD}\nuser dana{of_people}"
    # Mosquitto reads the file once, at its start. It is copied, because it may become another user's.
    own = directory / "passwords"
    own.write_bytes(passwords.read_bytes())
    with mosquitto(directory, access, (f"password_file {own}",), anonymous=False) as running:
        yield running


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
            async with client.get(f"{url}healthz") as response:
                if response.status == 200:
                    return
