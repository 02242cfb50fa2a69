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

from daemon.errors import SetupError
from daemon.tools.bench.die_with_parent import dying_with_parent
from sim_hardware.broker.server import Broker

FIRST_CHOICE: Final = 18_830
PORTS: Final = range(20_000, 32_000)
"""Below the range from which the kernel takes the other ends of connections, so that a free one stays free."""
START_S_MAX: Final = 10.0
STARTS_MAX: Final = 3
LOOPBACK: Final = "127.0.0.1"

# Debian installs it where only root's PATH looks. By default it acknowledges 1000 queued messages and then drops more.
# Started by root it changes its user, and would then outlive a bench that is killed (die_with_parent.py). Started by
# another user it ignores `user`.
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
MOSQUITTO_LOG: Final = "mosquitto.log"
RUNNING: Final = b" running"  # "mosquitto version 2.0.11 running", said once its listeners are open


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
    if program is None:
        async with _built_in(_free_port(), _title(choice)) as running:
            yield running
    else:
        async with _mosquitto(program, directory) as running:
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
async def _mosquitto(program: str, directory: Path) -> AsyncIterator[BenchBroker]:
    process, port = await _start(program, directory)
    try:
        yield BenchBroker("Mosquitto", port)
    finally:
        await _end(process)


async def _start(program: str, directory: Path) -> tuple[asyncio.subprocess.Process, int]:
    """A Mosquitto that runs. Of two benches that choose one port in one moment the slower has to take another."""
    status: int | None = None
    for _ in range(STARTS_MAX):
        port = _free_port()
        process = await _spawn(program, port, directory)
        try:
            if await _says_that_it_runs(process, directory):
                return process, port
        except BaseException:
            await _end(process)
            raise
        status = process.returncode
    message = f"Mosquitto ended at once with status {status}."
    raise SetupError("bench.no-mosquitto", message, "Run it again with --keep DIRECTORY and read mosquitto.log there.")


async def _spawn(program: str, port: int, directory: Path) -> asyncio.subprocess.Process:
    """In a process group of its own, so that at a terminal's Ctrl-C it outlives the daemon's last words."""
    config = directory / "mosquitto.conf"
    config.write_text(MOSQUITTO_CONF.format(port=port), encoding="utf-8")
    with (directory / MOSQUITTO_LOG).open("wb") as log:
        return await asyncio.create_subprocess_exec(
            *dying_with_parent(program, "-c", str(config)), stdout=log, stderr=log, process_group=0
        )


async def _says_that_it_runs(process: asyncio.subprocess.Process, directory: Path) -> bool:
    """By its own word: whoever answers at the port may be another. False when it ended instead."""
    log = directory / MOSQUITTO_LOG
    async with asyncio.timeout(START_S_MAX):
        while process.returncode is None:
            if RUNNING in log.read_bytes():
                return True
            await asyncio.sleep(0.02)
    return False


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    await process.wait()


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
