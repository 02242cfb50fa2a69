"""The emulated shoe's own program, run out here as a technician types it, in a USB socket of the guest.

The guest is told what the program says on its screen: the lines of the configuration, and how a kernel attaches it.
"""

from __future__ import annotations

import asyncio
import re
import sys
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from sim_hardware.shoe_kinds import ShoeKind
from sim_hardware.usb_port import UsbKind
from tests.lab.machine import Machine, attach, plugged, socket_of, sockets_are_free
from tests.sim_hardware.free_port import free_port

FELTD = Path(sys.executable).with_name("feltd")
SERIAL = "S-8"


@dataclass(frozen=True, slots=True)
class Shoe:
    """The program, and what it said before it began to wait for somebody to interrupt it."""

    guest: Machine
    introduction: str
    control: Path

    async def tell(self, *words: str) -> None:
        """Say something to its control interface, which has to agree."""
        process = await asyncio.create_subprocess_exec(
            FELTD, "emulate", "tell", self.control, *words, stdout=PIPE, stderr=STDOUT
        )
        answer, _ = await process.communicate()
        assert process.returncode == 0, f"{words}: {answer.decode()}"

    async def attach(self) -> None:
        """As the program says, but from another machine."""
        port = self.said(r"usbip --tcp-port (\d+) attach --remote 127\.0\.0\.1 --busid 1-1")
        await attach(self.guest, int(port), SERIAL, self.said('address = "(.*)"'))

    async def unplug(self) -> str:
        """Pull the plug; the socket that is free now."""
        socket = await socket_of(self.guest, SERIAL)
        await self.tell("unplug")
        await sockets_are_free(self.guest)
        return socket

    @asynccontextmanager
    async def plugged_in_elsewhere(self, socket: str) -> AsyncIterator[None]:
        """Another device has taken its socket."""
        async with plugged(self.guest, UsbKind.CDC_ACM, "S-9"):
            await self.tell("replug")
            await self.attach()
            assert await socket_of(self.guest, SERIAL) != socket
            yield

    def in_configuration(self) -> str:
        """What it says has to be in a table's file."""
        return self.said(r"(?s)In feltd's configuration:\n(.*?)(?=^\S)")

    def said(self, pattern: str) -> str:
        found = re.search(pattern, self.introduction, re.MULTILINE)
        assert found is not None, f"{pattern} is not in\n{self.introduction}"
        return found[1]


@asynccontextmanager
async def shoe(guest: Machine, kind: ShoeKind, directory: Path) -> AsyncIterator[Shoe]:
    """It is on the bus."""
    control = directory / "control"
    options = ("--usbip", str(free_port()), "--serial", SERIAL, "--decks", "1", "--speed", "0", "--control", control)
    process = await asyncio.create_subprocess_exec(
        FELTD, "emulate", "shoe", "--protocol", kind.protocol, *options, stdout=PIPE
    )
    try:
        there = Shoe(guest, await introduction(process), control)
        await there.attach()
        yield there
    finally:
        if process.returncode is None:
            process.terminate()
        status = await process.wait()
        await guest.run("udevadm settle")
    assert status == 0


async def introduction(process: Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(30):
        return (await process.stdout.readuntil(b"Interrupt to end.")).decode()
