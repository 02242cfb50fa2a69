"""The page in a process of its own, as it is served to a house."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp

from daemon.config.page import PageSettings
from tests.page.published import PASSWORD, SITE


@asynccontextmanager
async def page_process(settings: PageSettings, directory: Path) -> AsyncIterator[str]:
    """Yield the address once it hears the broker. Afterwards the process is gone."""
    async with started(settings, directory):
        yield f"http://127.0.0.1:{settings.port}/"


@asynccontextmanager
async def started(settings: PageSettings, directory: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    """Yield the process once it hears the broker."""
    (directory / "page-password").write_text(PASSWORD)
    (directory / "page-password").chmod(0o600)
    file = directory / "page.toml"
    file.write_text(
        f'[page]\nsite = "{SITE}"\nport = {settings.port}\n[mqtt]\nport = {settings.mqtt.port}\nhost = "127.0.0.1"\n'
        'username = "screen"\npassword_file = "page-password"\n[log]\nlevel = "error"\n'
    )
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "daemon", "page", "--config", str(file))
    try:
        async with aiohttp.ClientSession() as client:
            while not await _is_well(client, f"http://127.0.0.1:{settings.port}/"):
                assert process.returncode is None
        yield process
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):  # it was killed, and this has not come through yet
                process.kill()
        await process.wait()


async def _is_well(client: aiohttp.ClientSession, url: str) -> bool:
    try:
        async with client.get(f"{url}healthz") as response:
            return response.status == 200
    except aiohttp.ClientError:
        return False
