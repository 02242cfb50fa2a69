"""The bench's broker: Mosquitto when it is installed, else the small one of the emulator."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final

from sim_hardware.broker.server import Broker

FIRST_CHOICE: Final = 18_830
PORTS: Final = range(20_000, 32_000)
"""Below the range from which the kernel takes the other ends of connections, so that a free one stays free."""
START_S_MAX: Final = 10.0

# Debian installs it where only root's PATH looks. 1000 queued messages would be acknowledged and then dropped.
MOSQUITTO_PATH: Final = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin"
MOSQUITTO_CONF: Final = """\
listener {port} 127.0.0.1
allow_anonymous true
persistence false
set_tcp_nodelay true
max_queued_messages 1000000
log_dest stderr
"""


class BrokerKind(Enum):
    """Which broker the bench uses."""

    AUTO = "auto"
    MOSQUITTO = "mosquitto"
    BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True)
class BenchBroker:
    """A broker that runs."""

    title: str
    port: int


class NoMosquittoError(Exception):
    """It was asked for and is not there."""


@asynccontextmanager
async def broker(kind: BrokerKind, directory: Path) -> AsyncIterator[BenchBroker]:
    """A broker on this machine's loopback, gone afterwards."""
    program = shutil.which("mosquitto", path=MOSQUITTO_PATH)
    if kind is BrokerKind.MOSQUITTO and program is None:
        raise NoMosquittoError("Mosquitto is not installed: apt-get install mosquitto, or use --broker built-in.")
    port = _free_port()
    if program is None or kind is BrokerKind.BUILT_IN:
        async with _built_in(port) as running:
            yield running
    else:
        async with _mosquitto(program, port, directory) as running:
            yield running


@asynccontextmanager
async def _built_in(port: int) -> AsyncIterator[BenchBroker]:
    small = Broker()
    await small.start(port)
    try:
        yield BenchBroker("built-in broker", port)
    finally:
        await small.close()


@asynccontextmanager
async def _mosquitto(program: str, port: int, directory: Path) -> AsyncIterator[BenchBroker]:
    config = directory / "mosquitto.conf"
    config.write_text(MOSQUITTO_CONF.format(port=port), encoding="utf-8")
    with (directory / "mosquitto.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(program, "-c", str(config), stdout=log, stderr=log)
        try:
            await _until_it_listens(port, process)
            yield BenchBroker("Mosquitto", port)
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def _until_it_listens(port: int, process: asyncio.subprocess.Process) -> None:
    async with asyncio.timeout(START_S_MAX):
        while process.returncode is None:
            try:
                _, writer = await asyncio.open_connection("127.0.0.1", port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)
                continue
            writer.close()
            await writer.wait_closed()
            return
    raise NoMosquittoError(f"Mosquitto ended at once with status {process.returncode}; see mosquitto.log.")


def _free_port() -> int:
    """The same one every time if it can be had, because people write it down."""
    for port in (FIRST_CHOICE, *Random().sample(PORTS, 100)):  # noqa: S311  no secret is made here
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise OSError("no free port was found between 20000 and 32000")
