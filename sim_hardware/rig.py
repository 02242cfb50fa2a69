"""The common part of all rigs: an emulated device with its faults, its plug, its power and its keys."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any, Final, Generic, TypeVar

from sim_hardware.emulator import CommandT, Emulator, EventT
from sim_hardware.faults import Arming, FaultBoard, FaultName
from sim_hardware.loop import loop_ns
from sim_hardware.mechanism import Mechanism, Refused

FIRMWARE: Final = "1.0.0"


MachineT = TypeVar("MachineT", bound=Mechanism[Any])


class Rig(Generic[MachineT, EventT, CommandT]):
    """Hands on an emulated device. Each method returns None, or why the machine refuses it."""

    def __init__(self, faults: FaultBoard, emulator: Emulator[EventT, CommandT], machine: MachineT) -> None:
        self.faults: Final = faults
        self.emulator: Final = emulator
        self._machine: Final = machine

    @property
    def address(self) -> str:
        """Return its address for feltd's configuration."""
        return self.emulator.port.address

    async def stop(self) -> None:
        """Unplug and power off."""
        await self.emulator.stop()

    async def until(self, condition: Callable[[MachineT], bool]) -> None:
        """Wait until `condition` holds. It is asked after every change of the machine."""
        while not condition(self._machine):
            await self.emulator.turned()

    def press(self, key: str) -> Refused | None:
        return self._done(self._machine.press(key, loop_ns()))

    def reboot(self) -> None:
        self._machine.reboot(loop_ns())
        self.emulator.turn()

    def unplug(self) -> None:
        self.emulator.unplug()

    def replug(self) -> None:
        self.emulator.replug()

    def arm(self, name: FaultName, arming: Arming) -> None:
        """Switch a fault on."""
        self.faults.arm(name, arming)
        self._poke()

    def disarm(self, name: FaultName) -> None:
        """Switch a fault off."""
        self.faults.disarm(name)
        self._poke()

    def _poke(self) -> None:
        self._machine.poke(loop_ns())
        self.emulator.turn()

    def _done(self, refused: Refused | None) -> Refused | None:
        if refused is None:  # a refusal changes nothing, and a caller that tries again at each turn would spin
            self.emulator.turn()
        return refused


def random_boots() -> Iterator[str]:
    """Yield boot ids of 64 random bits: an empty store must not have an earlier store's id, over any restart."""
    while True:
        yield secrets.token_hex(8)


def numbered_boots(prefix: str) -> Iterator[str]:
    """Yield boot ids for a simulation that must be repeatable."""
    number = 0
    while True:
        number += 1
        yield f"{prefix}-{number}"
