"""The bench's broker: one that runs already, or Mosquitto when it is installed, or the small one of the emulator."""

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

from daemon.bench.leash import leashed
from daemon.errors import SetupError
from sim_hardware.broker.server import Broker

FIRST_CHOICE: Final = 18_830
PORTS: Final = range(20_000, 32_000)
"""Below the range from which the kernel takes the other ends of connections, so that a free one stays free."""
START_S_MAX: Final = 10.0
LOOPBACK: Final = "127.0.0.1"

# Debian installs it where only root's PATH looks. 1000 queued messages would be acknowledged and then dropped. Run by
# root it would take another user, and so outlive a bench that is killed (leash.py). Run by others it leaves that alone.
MOSQUITTO_PATH: Final = "/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin:/opt/homebrew/sbin"
MOSQUITTO_CONF: Final = """\
listener {port} 127.0.0.1
user root
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
class BrokerChoice:
    """What was asked for. With `port`, the broker that listens there, whatever the kind."""

    kind: BrokerKind
    mqtt: str
    port: int | None


@dataclass(frozen=True, slots=True)
class BenchBroker:
    """A broker that runs."""

    title: str
    port: int


def _no_mosquitto() -> SetupError:
    message = "Mosquitto is not installed."
    return SetupError("bench.no-mosquitto", message, "apt-get install mosquitto, or use --broker built-in.")


def _only_5() -> SetupError:
    message = "The bench's built-in broker speaks MQTT 5 only, and --mqtt 3.1.1 was asked for."
    return SetupError("bench.mqtt-version", message, "Leave --mqtt out, or apt-get install mosquitto and use that.")


@asynccontextmanager
async def broker(choice: BrokerChoice, directory: Path) -> AsyncIterator[BenchBroker]:
    """A broker on this machine's loopback; one of our own is gone afterwards."""
    if choice.port is not None:
        await _expect_one_at(choice.port)
        yield BenchBroker("broker that was there", choice.port)
        return
    program = _program(choice)
    port = _free_port()
    if program is None:
        async with _built_in(port, _title(choice)) as running:
            yield running
    else:
        async with _mosquitto(program, port, directory) as running:
            yield running


def _program(choice: BrokerChoice) -> str | None:
    """Mosquitto's program, or None for the built-in broker; SetupError before anything runs if neither will do."""
    found = None if choice.kind is BrokerKind.BUILT_IN else shutil.which("mosquitto", path=MOSQUITTO_PATH)
    if choice.kind is BrokerKind.MOSQUITTO and found is None:
        raise _no_mosquitto()
    if found is None and choice.mqtt != "5":
        raise _only_5()
    return found


def _title(choice: BrokerChoice) -> str:
    return "built-in broker" if choice.kind is BrokerKind.BUILT_IN else "built-in broker (no Mosquitto installed)"


async def _expect_one_at(port: int) -> None:
    try:
        await _call_at(port)
    except OSError as error:
        message = f"No broker listens at {LOOPBACK}:{port}: {error.strerror or error}."
        raise SetupError("bench.no-broker", message, "Start it, or leave --port out.") from error


async def _call_at(port: int) -> None:
    _, writer = await asyncio.open_connection(LOOPBACK, port)
    writer.close()
    await writer.wait_closed()


@asynccontextmanager
async def _built_in(port: int, title: str) -> AsyncIterator[BenchBroker]:
    small = Broker()
    await small.start(port)
    try:
        yield BenchBroker(title, port)
    finally:
        await small.close()


@asynccontextmanager
async def _mosquitto(program: str, port: int, directory: Path) -> AsyncIterator[BenchBroker]:
    """In a process group of its own, so that at a terminal's Ctrl-C it outlives the daemon's last words."""
    config = directory / "mosquitto.conf"
    config.write_text(MOSQUITTO_CONF.format(port=port), encoding="utf-8")
    with (directory / "mosquitto.log").open("wb") as log:
        process = await asyncio.create_subprocess_exec(
            *leashed(program, "-c", str(config)), stdout=log, stderr=log, process_group=0
        )
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
                await _call_at(port)
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)
                continue
            return
    message = f"Mosquitto ended at once with status {process.returncode}."
    raise SetupError("bench.no-mosquitto", message, "Run it again with --keep DIRECTORY and read mosquitto.log there.")


def _free_port() -> int:
    """The same one every time if it can be had, because people write it down."""
    for port in (FIRST_CHOICE, *Random().sample(PORTS, 100)):  # noqa: S311  no secret is made here
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return port
    raise OSError("no free port was found between 20000 and 32000")
