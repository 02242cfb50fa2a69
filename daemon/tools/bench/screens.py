"""The screens beside a bench: `feltd page` in a process of its own, as at a real site, and a browser to open them."""

from __future__ import annotations

import asyncio
import os
import re
import sys
import webbrowser
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from daemon.errors import SetupError
from daemon.tools.bench.broker import free_port
from daemon.tools.bench.client import GUEST, KEEP_AND_READ, USERS
from daemon.tools.bench.die_with_parent import dying_with_parent
from daemon.tools.bench.world import PEOPLE, SITE, TABLE

FIRST_CHOICE: Final = 8050
START_S_MAX: Final = 60.0
LOG: Final = "page.log"
CHANCES: Final = 5
TAKEN: Final = "[page.cannot-listen]"
_ADDRESS: Final = re.compile(r"Open (http://\S+) in a browser")


@asynccontextmanager
async def page(broker_port: int, directory: Path) -> AsyncIterator[str]:
    """Serve the screens of this bench, and yield the address of its own screen. Everybody of the bench may log in."""
    for chance in range(CHANCES):
        async with _serving(broker_port, directory) as process:
            address, said = await _address(process)
            if address is None and TAKEN in said and chance < CHANCES - 1:
                await process.wait()  # it ends by itself, and a signal that comes as it does would reap it too early
                continue  # between the look for a free port and its use another bench took it
            if address is None:
                words = said.strip() or "it said nothing"
                advice = f"{KEEP_AND_READ} Or give --no-page."
                raise SetupError("bench.no-page", f"The screens did not start: {words}", advice)
            yield f"{address}#/bench/{TABLE}"
            return


@asynccontextmanager
async def _serving(broker_port: int, directory: Path) -> AsyncIterator[asyncio.subprocess.Process]:
    users = [word for user in (*USERS.values(), GUEST) for word in ("--trial-user", user)]
    port = str(free_port(FIRST_CHOICE))
    journal = ("--journal", TABLE, str(directory / "journal.db"), "--people", str(directory / PEOPLE))
    asked = ("page", "--broker", str(broker_port), "--site", SITE, "--port", port, *journal, *users)
    with (directory / LOG).open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *dying_with_parent(sys.executable, "-m", "daemon", *asked),
            stdout=log,
            stderr=asyncio.subprocess.PIPE,
            process_group=0,
        )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        await process.communicate()


async def _address(process: asyncio.subprocess.Process) -> tuple[str | None, str]:
    """Return the address that it says, or None, and all that it said."""
    assert process.stderr is not None
    said = b""
    try:
        async with asyncio.timeout(START_S_MAX):
            while line := await process.stderr.readline():
                said += line
                if found := _ADDRESS.search(line.decode("utf-8", "replace")):
                    return found[1], said.decode("utf-8", "replace")
    except TimeoutError:
        pass
    return None, said.decode("utf-8", "replace")


def show_in_browser(address: str, environ: Mapping[str, str] = os.environ) -> None:
    """Open the address where there is a desktop. Elsewhere the terminal says it."""
    if environ.get("DISPLAY") or environ.get("WAYLAND_DISPLAY"):
        webbrowser.open(address)
