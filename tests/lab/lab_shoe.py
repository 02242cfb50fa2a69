"""The emulated shoe's own program on the guest's USB bus, and what the installed commands make of it.

The program runs out here as a technician types it. The guest is told what the program says on its screen: the lines of
the configuration, and how a kernel attaches it.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import time
from asyncio.subprocess import PIPE, STDOUT, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from sim_hardware.shoe_rig import ShoeProtocol
from sim_hardware.usb_port import UsbKind
from tests.daemon.config.files import GOOD
from tests.lab.machine import Machine, attach, in_background, plugged, socket_of, sockets_are_free
from tests.sim_hardware.free_port import free_port

FELTD = Path(sys.executable).with_name("feltd")
SERIAL = "S-8"
CONFIG = "/etc/feltd/shoe.toml"
RECORDING = "/var/lib/feltd/shoe.capture"
CARDS_S_MAX = 120.0  # each look is a start of Python in an emulated machine
DRAWN = ("card-drawn", "card-passed")


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

    async def configure(self) -> None:
        """Put what the program says into a table's file."""
        theirs = self.said(r"(?s)In feltd's configuration:\n(.*?)(?=^\S)")
        await asyncio.to_thread(self.guest.vm.write, CONFIG, GOOD + theirs)

    def said(self, pattern: str) -> str:
        found = re.search(pattern, self.introduction, re.MULTILINE)
        assert found is not None, f"{pattern} is not in\n{self.introduction}"
        return found[1]


@asynccontextmanager
async def shoe(guest: Machine, protocol: ShoeProtocol, directory: Path) -> AsyncIterator[Shoe]:
    """It is on the bus and its table's file is written."""
    control = directory / "control"
    options = ("--usbip", str(free_port()), "--serial", SERIAL, "--decks", "1", "--speed", "0", "--control", control)
    process = await asyncio.create_subprocess_exec(
        FELTD, "emulate", "shoe", "--protocol", protocol.value, *options, stdout=PIPE
    )
    try:
        there = Shoe(guest, await introduction(process), control)
        await there.attach()
        await there.configure()
        yield there
    finally:
        if process.returncode is None:
            process.terminate()
        status = await process.wait()
        await guest.run(f"rm -f {CONFIG}; udevadm settle")
    assert status == 0


async def introduction(process: Process) -> str:
    assert process.stdout is not None
    async with asyncio.timeout(30):
        return (await process.stdout.readuntil(b"Interrupt to end.")).decode()


@asynccontextmanager
async def capturing(guest: Machine) -> AsyncIterator[None]:
    """`feltd capture` in the guest has the port open; its recording is gone afterwards."""
    words = f"capture --config {CONFIG} --device shoe -o {RECORDING} --acknowledge"
    try:
        async with in_background(guest, f"/opt/feltd/bin/feltd {words}", "feltd") as unit:
            opened = f"ls -l /proc/$(systemctl show -p MainPID --value {unit})/fd"
            await guest.until(f"{opened} | grep --extended-regexp 'ttyUSB|bus/usb'")
            yield
    finally:
        await guest.run(f"rm -f {RECORDING}")


async def cards(guest: Machine, number: int) -> list[str]:
    """Wait until so many cards are on record; what the installed `feltd decode` makes of them, copies left out."""
    faces: list[str] = []
    deadline = time.monotonic() + CARDS_S_MAX
    while len(faces) < number:
        assert time.monotonic() < deadline, f"{len(faces)} of {number} cards are on record"
        decoded = await guest.run(f"/opt/feltd/bin/feltd decode --json {RECORDING} 2>/dev/null")
        heard = [json.loads(line) for line in decoded.splitlines()]
        assert not any(one["damage"] for one in heard), decoded
        faces = list(dict.fromkeys(one["fields"]["face"] for one in heard if one["event"] in DRAWN))
    return faces


@pytest.mark.parametrize("protocol", list(ShoeProtocol))
async def test_what_it_draws_is_captured_and_decoded_where_it_is_plugged_in(
    guest: Machine, protocol: ShoeProtocol, tmp_path: Path
) -> None:
    async with shoe(guest, protocol, tmp_path) as there:
        await there.tell("load", "Ah", "Kd", "2c", "...")
        async with capturing(guest):
            await there.tell("draw", "3")
            assert await cards(guest, 3) == ["Ah", "Kd", "2c"]


async def test_cards_drawn_while_it_was_unplugged_come_when_it_is_plugged_in_elsewhere(
    guest: Machine, tmp_path: Path
) -> None:
    async with shoe(guest, ShoeProtocol.FELT_LINK, tmp_path) as there:
        await there.tell("load", "Ah", "Kd", "2c", "9s", "...")
        async with capturing(guest):
            await there.tell("draw", "2")
            assert await cards(guest, 2) == ["Ah", "Kd"]
            before = await socket_of(guest, SERIAL)
            await there.tell("unplug")
            await sockets_are_free(guest)
            await there.tell("draw")
            async with plugged(guest, UsbKind.CDC_ACM, "S-9"):
                await there.tell("replug")
                await there.attach()
                assert await socket_of(guest, SERIAL) != before
                await there.tell("draw")
                assert await cards(guest, 4) == ["Ah", "Kd", "2c", "9s"]


async def test_the_doctor_hears_who_it_is(guest: Machine, tmp_path: Path) -> None:
    async with shoe(guest, ShoeProtocol.FELT_LINK, tmp_path):
        examined = f"runuser -u feltd -- /opt/feltd/bin/feltd doctor --config {CONFIG} --json; test $? = 69"
        findings = json.loads(await guest.run(examined))
    by_name = {found["subject"]: found for found in findings if found["check"] == "device"}
    assert by_name["shoe"]["verdict"] == "ok"
    assert f"FeltSim SH-8, serial number {SERIAL}" in by_name["shoe"]["said"]
    assert by_name["shuffler"]["verdict"] == "problem"
