"""A table's machine as a technician leaves it, in a guest; and plugging emulated devices into its USB sockets."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

from sim_hardware.shuffler_rig import ShufflerRig, identity
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.usb_port import UsbKind, UsbPort
from sim_hardware.usbip import UsbipServer, bus_id
from tests.lab import guest
from tests.lab.vm import HOST, Vm
from tests.sim_hardware.free_port import free_port

INSTALLED: Final = guest.ROOT / "build" / "lab" / "feltd"
"""`.ci/prepare guest` puts it there: a wheel with its locked dependencies, on Debian's own interpreter."""
_PAYLOAD_MB: Final = 128
MQTT_PORT: Final = 1883
_NUMBERS: Final = count(1)


@dataclass(frozen=True, slots=True)
class Machine:
    """A running guest with feltd installed, and where its broker is found from here."""

    vm: Vm
    mqtt_port: int

    async def run(self, command: str, timeout_s: float = 60) -> str:
        """In a thread, because the emulated devices live in this loop and the guest talks to them meanwhile."""
        return await asyncio.to_thread(self.vm.run, command, timeout_s)

    async def until(self, condition: str, timeout_s: float = 60) -> None:
        await asyncio.to_thread(self.vm.until, condition, timeout_s)


@contextmanager
def machine() -> Iterator[Machine]:
    """Build what is not built, boot, install."""
    built = guest.build()
    with tempfile.TemporaryDirectory() as name:
        directory, mqtt_port = Path(name), free_port()
        payload = make_payload(directory)
        with Vm(built, payload, directory, {mqtt_port: MQTT_PORT}) as vm:
            vm.run("systemctl is-system-running --wait")
            vm.run("systemctl start opt.mount")  # nothing waits for a disk that the kernel finds late
            vm.run("bash /opt/lab/install.sh 2>&1")
            yield Machine(vm, mqtt_port)


def make_payload(directory: Path) -> Path:
    """An image with what is installed on a guest: mounted on /opt, and put in its places by lab/install.sh."""
    tree, image = directory / "payload", directory / "payload.ext4"
    shutil.copytree(INSTALLED, tree / "feltd", symlinks=True)
    shutil.copytree(guest.ROOT / "systemd", tree / "systemd")
    shutil.copytree(guest.HERE / "payload", tree / "lab", ignore=shutil.ignore_patterns("__pycache__"))
    guest.make_filesystem(tree, image, _PAYLOAD_MB << 20)
    shutil.rmtree(tree)
    return image


async def attach(machine: Machine, tcp_port: int, serial: str, address: str) -> None:
    """Plug a device in: the guest's kernel takes it as soon as the server on this port here offers it."""
    await machine.until(f"usbip --tcp-port {tcp_port} attach --remote {HOST} --busid {bus_id(1)}")
    await machine.until(f"ls -d $(dirname $({_found(serial)}))/*:1.0")
    if address.startswith("serial:"):
        await machine.run(f"udevadm wait --timeout=30 {address.removeprefix('serial:')}")
    await machine.run("udevadm settle")


async def socket_of(machine: Machine, serial: str) -> str:
    """Which of the guest's sockets a device is in, as Linux counts them."""
    return (await machine.run(f"basename $(dirname $({_found(serial)}))")).strip()


async def sockets_are_free(machine: Machine) -> None:
    """The kernel notices a pulled plug before it gives its socket to the next; the driver of the sockets knows."""
    await machine.until(
        "! grep --quiet --extended-regexp '^hs +[0-9]+ +00[56]' /sys/devices/platform/vhci_hcd.0/status"
    )


def _found(serial: str) -> str:
    return f"grep --files-with-matches --line-regexp {serial} /sys/bus/usb/devices/*/serial"


class Plug:
    """An emulated device's plug, in a USB socket of the guest or out of it."""

    def __init__(self, machine: Machine, kind: UsbKind, serial: str) -> None:
        self._machine: Final = machine
        self._serial: Final = serial
        self._server: Final = UsbipServer()
        self.port: Final = UsbPort(kind, serial, self._server)

    async def attach(self) -> None:
        """Once for each time that it is plugged in."""
        await attach(self._machine, self._server.port, self._serial, self.port.address)


class _Nobody:
    """A device without a program."""

    def on_plugged(self) -> None:
        """Nobody is told."""

    def on_data(self, data: bytes) -> None:
        """Nobody listens."""

    def on_unplugged(self) -> None:
        """Nobody is told."""


@dataclass(frozen=True, slots=True)
class Shuffler:
    """An emulated shuffler, and its plug."""

    plug: Plug
    rig: ShufflerRig


@asynccontextmanager
async def in_background(machine: Machine, command: str, user: str) -> AsyncIterator[str]:
    """A program of the guest for as long as it is needed; gives the unit's name. What it prints is in /run/UNIT."""
    unit = f"background-{next(_NUMBERS)}"
    words = f"--quiet --unit {unit} --uid {user} -p StandardOutput=file:/run/{unit} -p StandardError=journal"
    await machine.run(f"systemd-run {words} {command}")
    try:
        yield unit
    except BaseException as error:
        error.add_note(await machine.run(f"cat /run/{unit}; journalctl --no-pager -o cat -u {unit} | tail -n 30"))
        raise
    finally:
        await machine.run(f"systemctl stop {unit}; systemctl reset-failed {unit} 2>/dev/null || true")


@asynccontextmanager
async def plugged(machine: Machine, kind: UsbKind, serial: str) -> AsyncIterator[Plug]:
    """A device that is there and says nothing."""
    plug = Plug(machine, kind, serial)
    await plug.port.open(_Nobody())
    try:
        await plug.attach()
        yield plug
    finally:
        await plug.port.close()
        await machine.run("udevadm settle")


@asynccontextmanager
async def shuffler(machine: Machine, kind: UsbKind, serial: str, settings: ShufflerSettings) -> AsyncIterator[Shuffler]:
    """A shuffler that is there and ready."""
    plug = Plug(machine, kind, serial)
    rig = ShufflerRig(settings, plug.port, who=identity(settings, serial=serial))
    await rig.start()
    try:
        await plug.attach()
        yield Shuffler(plug, rig)
    finally:
        await rig.stop()
        await machine.run("udevadm settle")
