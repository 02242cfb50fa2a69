"""The emulated shoe on the guest's USB bus, and what the installed commands make of it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from tests.daemon.config.files import GOOD
from tests.lab.machine import Machine, in_background
from tests.lab.shoe import SERIAL, Shoe, shoe

CONFIG = "/etc/feltd/shoe.toml"
RECORDING = "/var/tmp/shoe.capture"  # noqa: S108  (nobody else is in the guest)
CARDS_S_MAX = 120.0  # each look is a start of Python in an emulated machine
SELFTEST_S_MAX = 180.0
DRAWN = ("card-drawn", "card-passed")


@asynccontextmanager
async def configured(guest: Machine, kind: ShoeKind, directory: Path) -> AsyncIterator[Shoe]:
    """It is on the bus and in a table's file."""
    async with shoe(guest, kind, directory) as there:
        await asyncio.to_thread(guest.vm.write, CONFIG, GOOD + there.in_configuration())
        yield there
        await guest.run(f"rm {CONFIG}")


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


@pytest.mark.parametrize("kind", SHOE_KINDS.values(), ids=SHOE_KINDS)
async def test_what_it_draws_is_captured_and_decoded_where_it_is_plugged_in(
    guest: Machine, kind: ShoeKind, tmp_path: Path
) -> None:
    async with configured(guest, kind, tmp_path) as there:
        await there.tell("load", "Ah", "Kd", "2c", "...")
        async with capturing(guest):
            await there.tell("draw", "3")
            assert await cards(guest, 3) == ["Ah", "Kd", "2c"]


async def test_cards_drawn_while_it_was_unplugged_come_when_it_is_plugged_in_elsewhere(
    guest: Machine, tmp_path: Path
) -> None:
    async with configured(guest, SHOE_KINDS["felt-link"], tmp_path) as there:
        await there.tell("load", "Ah", "Kd", "2c", "9s", "...")
        async with capturing(guest):
            await there.tell("draw", "2")
            assert await cards(guest, 2) == ["Ah", "Kd"]
            socket = await there.unplug()
            await there.tell("draw")
            async with there.plugged_in_elsewhere(socket):
                await there.tell("draw")
                assert await cards(guest, 4) == ["Ah", "Kd", "2c", "9s"]


async def test_it_passes_the_installed_selftest(guest: Machine, tmp_path: Path) -> None:
    async with configured(guest, SHOE_KINDS["felt-link"], tmp_path) as there:
        await there.tell("draw")
        words = f"selftest --config {CONFIG} --device shoe --acknowledge --json"
        said = await guest.run(f"runuser -u feltd -- /opt/feltd/bin/feltd {words} 2>/dev/null", SELFTEST_S_MAX)
    verdicts = {check["name"]: check["verdict"] for check in json.loads(said)["checks"]}
    for check in ("identity", "reconnects", "heartbeat", "redelivery", "acknowledgement", "line"):
        assert verdicts[check] == "passed", said


async def test_the_doctor_hears_who_it_is(guest: Machine, tmp_path: Path) -> None:
    async with configured(guest, SHOE_KINDS["felt-link"], tmp_path):
        examined = f"runuser -u feltd -- /opt/feltd/bin/feltd doctor --config {CONFIG} --json; test $? = 69"
        findings = json.loads(await guest.run(examined))
    by_name = {found["subject"]: found for found in findings if found["check"] == "device"}
    assert by_name["shoe"]["verdict"] == "ok"
    assert f"FeltSim SH-8, serial number {SERIAL}" in by_name["shoe"]["said"]
    assert by_name["shuffler"]["verdict"] == "problem"
