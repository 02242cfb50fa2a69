"""Hints from udev: which messages wake a waiting device, and that none is needed."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from drivers.transports.usb_hotplug import HotPlug, listen

LONG_S = 240.0
# Debian 12's udev sent these for emulated devices: the header whole, of the properties those that come first.
HEADER = bytes.fromhex("6c69627564657600 feedcafe 28000000 28000000 fb030000 0577c5e5 27f8f50c 02080000 00400001")


def message(*properties: str) -> bytes:
    return HEADER + b"".join(f"{text}\0".encode() for text in ("UDEV_DATABASE_VERSION=1", *properties))


SHOE = "/devices/platform/vhci_hcd.0/usb1/1-1"
PORT = "/devices/platform/vhci_hcd.0/usb1/1-1/1-1:1.0/tty/ttyACM0"
SHOE_ADDED = message("ACTION=add", f"DEVPATH={SHOE}", "SUBSYSTEM=usb", "DEVNAME=/dev/bus/usb/001/002")
PORT_ADDED = message("ACTION=add", f"DEVPATH={PORT}", "SUBSYSTEM=tty", "DEVNAME=/dev/ttyACM0", "SEQNUM=1231")
DRIVER_ADDED = message("ACTION=add", "DEVPATH=/bus/usb/drivers/cdc_acm", "SUBSYSTEM=drivers", "SEQNUM=1233")
CLAIMED = message("ACTION=bind", f"DEVPATH={SHOE}", "SUBSYSTEM=usb", "DEVNAME=/dev/bus/usb/001/002")
REMOVED = message("ACTION=remove", f"DEVPATH={SHOE}", "SUBSYSTEM=usb", "DEVNAME=/dev/bus/usb/001/002")


@pytest.fixture
def udev() -> Iterator[tuple[socket.socket, socket.socket]]:
    """udev's end and ours."""
    theirs, ours = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    ours.setblocking(False)
    yield theirs, ours
    theirs.close()


@pytest.fixture
async def hot_plug(udev: tuple[socket.socket, socket.socket]) -> AsyncIterator[HotPlug]:
    with HotPlug(udev[1]) as listening:
        yield listening


@pytest.mark.parametrize("hint", [SHOE_ADDED, PORT_ADDED])
async def test_a_new_device_or_port_ends_every_pause(
    udev: tuple[socket.socket, socket.socket], hot_plug: HotPlug, hint: bytes
) -> None:
    pauses = [asyncio.create_task(hot_plug.pause()(LONG_S)) for _ in range(2)]
    await asyncio.sleep(0)
    began = time.monotonic()
    udev[0].send(hint)
    await asyncio.gather(*pauses)
    assert time.monotonic() - began < LONG_S / 2


async def test_what_came_while_nobody_waited_ends_the_next_pause_and_only_that(
    udev: tuple[socket.socket, socket.socket], hot_plug: HotPlug
) -> None:
    pause, other = hot_plug.pause(), hot_plug.pause()
    udev[0].send(SHOE_ADDED)
    await other(LONG_S)
    began = time.monotonic()
    await pause(LONG_S)
    assert time.monotonic() - began < LONG_S / 2
    await pause(0.05)
    assert time.monotonic() - began >= 0.05


@pytest.mark.parametrize("noise", [DRIVER_ADDED, CLAIMED, REMOVED, b"", b"\xff" * 40])
async def test_nothing_else_is_a_hint(
    udev: tuple[socket.socket, socket.socket], hot_plug: HotPlug, noise: bytes
) -> None:
    pause = hot_plug.pause()
    udev[0].send(noise)
    began = time.monotonic()
    await pause(0.05)
    assert time.monotonic() - began >= 0.05


async def test_without_a_socket_every_pause_is_as_long_as_it_says() -> None:
    with HotPlug(None) as deaf:
        began = time.monotonic()
        await deaf.pause()(0.02)
        assert time.monotonic() - began >= 0.02


async def test_a_cancelled_pause_ends() -> None:
    with HotPlug(None) as deaf:
        pausing = asyncio.create_task(deaf.pause()(LONG_S))
        await asyncio.sleep(0)
        pausing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await pausing


async def test_the_real_socket_is_listened_to_and_closed() -> None:
    heard = listen()
    assert heard is not None, "binding to udev's group needs no privilege"
    with HotPlug(heard) as hot_plug:
        await hot_plug.pause()(0)
    assert heard.fileno() == -1
