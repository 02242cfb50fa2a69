"""A table's machine as a technician leaves it, in a guest; and plugging emulated devices into its USB sockets."""

from __future__ import annotations

import asyncio
import shutil
import socket
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sim_hardware.shuffler_rig import ShufflerRig, identity
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.usb_port import UsbKind, UsbPort
from sim_hardware.usbip import UsbipServer, bus_id
from tests.lab import guest
from tests.lab.vm import HOST, Vm

INSTALLED: Final = guest.ROOT / "build" / "lab" / "feltd"
"""`.ci/prepare lab` puts it there: a wheel with its locked dependencies, on Debian's own interpreter."""
_PAYLOAD_MB: Final = 128
MQTT_PORT: Final = 1883
FIRST_PORT, LAST_PORT = 20_000, 32_767  # above it the kernel gives ports to whoever connects


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
        directory, mqtt_port = Path(name), _free_port()
        payload = _make_payload(directory)
        with Vm(built, payload, directory, {mqtt_port: MQTT_PORT}) as vm:
            vm.run("systemctl is-system-running --wait")
            vm.run("bash /opt/lab/install.sh 2>&1")
            yield Machine(vm, mqtt_port)


def _make_payload(directory: Path) -> Path:
    tree, image = directory / "payload", directory / "payload.ext4"
    shutil.copytree(INSTALLED, tree / "feltd", symlinks=True)
    shutil.copytree(guest.ROOT / "systemd", tree / "systemd")
    shutil.copytree(guest.HERE / "payload", tree / "lab", ignore=shutil.ignore_patterns("__pycache__"))
    guest.make_filesystem(tree, image, _PAYLOAD_MB << 20)
    shutil.rmtree(tree)
    return image


def _free_port() -> int:
    for port in range(FIRST_PORT, LAST_PORT):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)):
                return port
    raise AssertionError("no free port")


class Plug:
    """An emulated device's plug, in a USB socket of the guest or out of it."""

    def __init__(self, machine: Machine, kind: UsbKind, serial: str) -> None:
        self._machine: Final = machine
        self._serial: Final = serial
        self._server: Final = UsbipServer()
        self.port: Final = UsbPort(kind, serial, self._server)

    async def attach(self) -> None:
        """The guest's kernel takes the device as soon as it is offered; once for each time that it is plugged in."""
        await self._machine.until(f"usbip --tcp-port {self._server.port} attach --remote {HOST} --busid {bus_id(1)}")
        found = f"grep --files-with-matches --line-regexp {self._serial} /sys/bus/usb/devices/*/serial"
        await self._machine.until(f"ls -d $(dirname $({found}))/*:1.0")
        if self.port.address.startswith("serial:"):
            await self._machine.run(f"udevadm wait --timeout=30 {self.port.address.removeprefix('serial:')}")
        await self._machine.run("udevadm settle")


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
