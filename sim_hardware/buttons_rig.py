"""An emulated pad of keys as a bench, a test or a technician uses it: contacts, link, port and words in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from protocols.felt_link.messages import Capability, Identity, WireCommand, WireEvent
from sim_hardware.buttons import ButtonPad, PadSettings
from sim_hardware.cable import Cable
from sim_hardware.emulator import Emulator
from sim_hardware.faults import BUTTONS_FAULTS, FaultBoard
from sim_hardware.felt_link_end import FRAMES, FeltLinkEnd
from sim_hardware.ports import Port
from sim_hardware.rig import FIRMWARE, Rig, random_boots
from sim_hardware.rig_words import RigWords
from sim_hardware.words import Vocabulary, Word, nothing_follows

MODEL: Final = "FeltSim KP-1"
SERIAL: Final = "SIM-PAD-1"


def identity(model: str = MODEL, serial: str = SERIAL) -> Identity:
    """Return how a pad identifies itself."""
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


def buttons_vocabulary(rig: ButtonsRig) -> Vocabulary:
    """Return the words for this rig's control interface."""

    def standing() -> str:
        return f"presses={rig.pad.presses} unacknowledged={rig.end.unacknowledged}"

    def status(rest: Sequence[str]) -> str:
        nothing_follows("status", rest)
        return f"{standing()} boot={rig.end.boot or '-'} keys={','.join(rig.settings.keys)}"

    hands = RigWords(rig, standing)
    return Vocabulary(
        [
            hands.press("press a key", rig.settings.keys),
            *hands.line(),
            *hands.faults(BUTTONS_FAULTS, "press"),
            Word("status", "status", "what was pressed, and what the host has of it", status),
        ]
    )
