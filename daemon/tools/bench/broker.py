"""The bench's broker: one that runs already, or Mosquitto if it is installed, or the emulator's small one."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from enum import Enum
from pathlib import Path
from random import Random
from typing import Final

from daemon.errors import SetupError
from daemon.tools.bench.die_with_parent import dying_with_parent
from protocols.frozen import dataclass
from sim_hardware.broker.server import Broker

FIRST_CHOICE: Final = 18_830
PORTS: Final = range(20_000, 32_000)
"""Below the range from which the kernel takes ports for outgoing connections, so that a free one stays free."""
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
max_inflight_messages 64
max_queued_messages 1000000
log_dest stderr
"""
MOSQUITTO_LOG: Final = "mosquitto.log"
# "mosquitto version 2.0.11 running", logged once its listeners are open. 2.1 begins with "running mosquitto as user".
RUNNING: Final = b" running\n"


class BrokerKind(Enum):
    """Which broker the bench uses."""

    AUTO = "auto"
    MOSQUITTO = "mosquitto"
    BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True)
class BrokerChoice:
    """What the user asked for. With `port` it is the broker that listens there, whatever its kind."""

    kind: BrokerKind
    mqtt: str
    port: int | None


@dataclass(frozen=True, slots=True)
class BenchBroker:
    """A broker that runs."""

    title: str
    port: int


@asynccontextmanager
async def broker(choice: BrokerChoice, directory: Path) -> AsyncIterator[BenchBroker]:
    """Yield a broker on this machine's loopback interface. A broker that was started for it is ended afterwards."""
    if choice.port is not None:
        await _expect_broker_at(choice.port)
        yield BenchBroker("broker that was there", choice.port)
        return
    program = _program(choice)
    if program is None:
        async with _built_in(choice) as running:
            yield running
    else:
        process, port = await _start_mosquitto(program, directory)
        try:
            yield BenchBroker("Mosquitto", port)
        finally:
            await _end(process)


def _program(choice: BrokerChoice) -> str | None:
    """Return Mosquitto's program, or None for the built-in broker. Raise before anything runs if neither will do."""
    found = None if choice.kind is BrokerKind.BUILT_IN else shutil.which("mosquitto", path=MOSQUITTO_PATH)
    if choice.kind is BrokerKind.MOSQUITTO and found is None:
        message, remedy = "Mosquitto is not installed.", "apt-get install mosquitto, or use --broker built-in."
        raise SetupError("bench.no-mosquitto", message, remedy)
    if found is None and choice.mqtt != "5":
        message = "The bench's built-in broker speaks MQTT 5 only, and --mqtt 3.1.1 was asked for."
        remedy = "Leave --mqtt out, or apt-get install mosquitto and use that."
        raise SetupError("bench.mqtt-version", message, remedy)
    return found


async def _expect_broker_at(port: int) -> None:
    try:
        _, writer = await asyncio.open_connection(LOOPBACK, port)
        writer.close()
        await writer.wait_closed()
    except OSError as error:
        message = f"No broker listens at {LOOPBACK}:{port}: {error.strerror or error}."
        raise SetupError("bench.no-broker", message, "Start it, or leave --port out.") from error


@asynccontextmanager
async def _built_in(choice: BrokerChoice) -> AsyncIterator[BenchBroker]:
    title = "built-in broker" if choice.kind is BrokerKind.BUILT_IN else "built-in broker (no Mosquitto installed)"
    small = Broker()
    for _ in range(STARTS_MAX):
        try:
            port = await small.start(free_port())
            break
        except OSError as error:  # another program took the port since it was seen free
            reason = error.strerror
    else:
        raise SetupError("bench.no-port", f"The built-in broker cannot listen: {reason}.", "Start the bench again.")
    try:
        yield BenchBroker(title, port)
    finally:
        await small.close()


async def _start_mosquitto(program: str, directory: Path) -> tuple[asyncio.subprocess.Process, int]:
    """Start a Mosquitto. If another program took the port since it was seen free, try the next free one."""
    config = directory / "mosquitto.conf"
    status: int | None = None
    for _ in range(STARTS_MAX):
        port = free_port()
        config.write_text(MOSQUITTO_CONF.format(port=port), encoding="utf-8")
        with (directory / MOSQUITTO_LOG).open("wb") as out:
            process = await asyncio.create_subprocess_exec(
                *dying_with_parent(program, "-c", str(config)),
                stdout=out,
                stderr=out,
                process_group=0,  # a terminal's Ctrl-C is not for it: it must outlive the daemon's last messages
            )
        try:
            if await _logs_that_it_runs(process, directory):
                return process, port
        except BaseException:
            await _end(process)
            raise
        status = process.returncode
    message = f"Mosquitto ended at once with status {status}."
    raise SetupError("bench.no-mosquitto", message, "Run it again with --keep DIRECTORY and read mosquitto.log there.")


async def _logs_that_it_runs(process: asyncio.subprocess.Process, directory: Path) -> bool:
    """Wait for its own log line, because another broker may answer at the port. Return False if it ends instead."""
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


def free_port(first: int = FIRST_CHOICE) -> int:
    """Return a port that is free now: the first choice if possible, because people write it down."""
    for port in (first, *Random().sample(PORTS, 100)):  # noqa: S311  no secret is made here
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((LOOPBACK, port))
            except OSError:
                continue
            return port
    raise OSError("no free port was found between 20000 and 32000")
