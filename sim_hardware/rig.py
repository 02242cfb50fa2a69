"""What every rig is: an emulated device with its faults, its plug, its power and its keys, as hands find it."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Final, Generic, Protocol, TypeVar

from sim_hardware.emulator import CommandT, Emulator, EventT
from sim_hardware.faults import Arming, FaultBoard, FaultName
from sim_hardware.loop_time import loop_ns
from sim_hardware.shuffler_states import Refused

FIRMWARE: Final = "1.0.0"


class Handled(Protocol):
    """A mechanism, as far as every one of them can be put hands on."""

    def press(self, key: str, now_ns: int) -> Refused | None:
        """A key of it."""

    def reboot(self, now_ns: int) -> None:
        """The power fails and comes back."""

    def poke(self, now_ns: int) -> None:
        """Do what is due by itself."""


MachineT = TypeVar("MachineT", bound=Handled)


class Rig(Generic[MachineT, EventT, CommandT]):
    """Stop it, put your hands on it. Every hand answers None, or why the machine does not take it."""

    def __init__(self, faults: FaultBoard, emulator: Emulator[EventT, CommandT], machine: MachineT) -> None:
        self.faults: Final = faults
        self.emulator: Final = emulator
        self._machine: Final = machine

    @property
    def address(self) -> str:
        """Where feltd finds it."""
        return self.emulator.port.address

    async def stop(self) -> None:
        """Be gone."""
        await self.emulator.stop()

    async def until(self, condition: Callable[[MachineT], bool]) -> None:
        """Wait until the machine is so; every change of it is seen."""
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
        if refused is None:  # else nothing has happened: who waits for a turn and tries again would never rest
            self.emulator.turn()
        return refused


def random_boots() -> Iterator[str]:
    """A store that is empty must never be taken for the one before, not even after a restart of the program."""
    while True:
        yield secrets.token_hex(4)


def numbered_boots(prefix: str) -> Iterator[str]:
    """For a simulation that must be the same every time."""
    number = 0
    while True:
        number += 1
        yield f"{prefix}-{number}"
