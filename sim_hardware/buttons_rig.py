"""An emulated pad of keys as a bench, a test or a technician uses it: contacts, link and port in one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from protocols.felt_link.messages import Capability, Identity, WireCommand, WireEvent
from sim_hardware.buttons import ButtonPad, PadSettings
from sim_hardware.cable import Cable
from sim_hardware.emulator import Emulator
from sim_hardware.faults import FaultBoard
from sim_hardware.felt_link_end import FRAMES, FeltLinkEnd
from sim_hardware.ports import Port
from sim_hardware.rig import FIRMWARE, Rig, random_boots

MODEL: Final = "FeltSim KP-1"
SERIAL: Final = "SIM-PAD-1"


def identity(model: str = MODEL, serial: str = SERIAL) -> Identity:
    """Who a pad says it is."""
    return Identity(model, serial, FIRMWARE, (Capability.BUTTONS,))


class ButtonsRig(Rig[ButtonPad, WireEvent, WireCommand]):
    """Start it, press its keys, stop it."""

    def __init__(
        self, settings: PadSettings, port: Port, *, who: Identity | None = None, boots: Iterator[str] | None = None
    ) -> None:
        faults = FaultBoard()
        self.settings: Final = settings
        self.end: Final = FeltLinkEnd(who or identity(), boots or random_boots())
        emulator = Emulator(self.end, port, settings.pace, Cable(faults, settings.seed, FRAMES))
        self.pad: Final = ButtonPad(settings, faults, emulator)
        super().__init__(faults, emulator, self.pad)

    async def start(self) -> None:
        """Power on and plug in."""
        await self.emulator.start(self.pad)
