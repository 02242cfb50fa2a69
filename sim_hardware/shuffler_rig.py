"""An emulated shuffler as a bench, a test or a technician uses it: machine, port, decks and hands in one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from protocols.felt_link.messages import Capability, Identity, WireCommand, WireEvent
from sim_hardware.cable import Cable
from sim_hardware.contacts_end import FRAMES as CONTACT_FRAMES
from sim_hardware.contacts_end import ContactsEnd
from sim_hardware.deck import Deck, standard_deck
from sim_hardware.emulator import Emulator
from sim_hardware.faults import FaultBoard
from sim_hardware.felt_link_end import FRAMES, FeltLinkEnd
from sim_hardware.loop import loop_ns
from sim_hardware.mechanism import Refused
from sim_hardware.ports import Port
from sim_hardware.rig import FIRMWARE, Rig, random_boots
from sim_hardware.shuffler import Shuffler
from sim_hardware.shuffler_dealer import ShufflerDealer
from sim_hardware.shuffler_settings import ShufflerSettings

MODEL: Final = "FeltSim SD-1"
SERIAL: Final = "SIM-0001"


def identity(settings: ShufflerSettings, model: str = MODEL, serial: str = SERIAL) -> Identity:
    """Return how this machine identifies itself. Its capabilities follow from its settings."""
    able = [Capability.SHUFFLER, Capability.BUTTONS]
    able += [Capability.FACES] if settings.reads_faces else []
    able += [Capability.COUNTS] if settings.counts else []
    able += [] if settings.observed else [Capability.COMMANDS]
    able += [Capability.BATCH] if settings.batch else []
    return Identity(model, serial, FIRMWARE, tuple(able))


class ShufflerRig(Rig[Shuffler, WireEvent, WireCommand]):
    """An emulated shuffler with its decks. Each method of a hand returns None, or why the machine refuses it."""

    def __init__(
        self,
        settings: ShufflerSettings,
        port: Port,
        *,
        who: Identity | None = None,
        scripts: Sequence[Deck] = (),
        boots: Iterator[str] | None = None,
        auto_dealer: bool = False,
        wired: ContactsEnd | None = None,
    ) -> None:
        """With `wired` nobody hears the machine's own link, and its lights and tray are on this box."""
        self.wired: Final = wired
        self.settings: Final = settings
        faults = FaultBoard()
        self.end: Final = FeltLinkEnd(who or identity(settings), boots or random_boots())
        frames = FRAMES if wired is None else CONTACT_FRAMES
        emulator = Emulator(wired or self.end, port, settings.pace, Cable(faults, settings.seed, frames))
        self.machine: Final = Shuffler(settings, faults, emulator)
        super().__init__(faults, emulator, self.machine)
        self._scripts: Final = deque(scripts)
        self._dealer: Final = ShufflerDealer(self.machine, self.give_deck) if auto_dealer else None

    async def start(self, *, loaded: bool = True) -> None:
        """Power on and plug in. Put the first deck in, unless `loaded` is false."""
        await self.emulator.start(self.machine, self._dealer)
        if loaded:
            self.load()

    def load(self, deck: Deck | None = None) -> Refused | None:
        """Put a deck in: this one, else the script's next, else a whole one."""
        return self._done(self.give_deck(loop_ns(), deck))

    def give_deck(self, now_ns: int, deck: Deck | None = None) -> Refused | None:
        """Do as `load`, in the middle of a turn. A machine that refuses does not use up the script's next deck."""
        refused = self.machine.refuses_deck()
        if refused is not None:
            return refused
        scripted = self._scripts.popleft() if deck is None and self._scripts else standard_deck()
        return self.machine.load(deck or scripted, now_ns)

    def stack_next(self, deck: Deck) -> None:
        """Have this deck put in before any other that was stacked."""
        self._scripts.appendleft(deck)

    def take_packet(self) -> Refused | None:
        return self._done(self.machine.take_packet(loop_ns()))

    def dial(self, program: Sequence[int]) -> None:
        """Set the sizes of the next deal's packets for its players. The first must be as in the last deal."""
        self.machine.mode.program = tuple(program)

    def open_door(self) -> None:
        self.machine.open_door(loop_ns())
        self.emulator.turn()

    def close_door(self) -> None:
        self.machine.close_door(loop_ns())
        self.emulator.turn()

    def clear_jam(self) -> Refused | None:
        return self._done(self.machine.clear_jam(loop_ns()))
