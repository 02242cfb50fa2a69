"""An emulated shuffler as a bench, a test or a technician uses it: machine, port, decks and hands in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from protocols.felt_link.messages import Capability, Identity, WireCommand, WireEvent
from sim_hardware.cable import Cable
from sim_hardware.dealer import AutoDealer, Chore
from sim_hardware.deck import Deck, standard_deck
from sim_hardware.emulator import Emulator
from sim_hardware.faults import FaultBoard
from sim_hardware.felt_link_end import FRAMES, FeltLinkEnd
from sim_hardware.loop_time import loop_ns
from sim_hardware.ports import Port
from sim_hardware.rig import FIRMWARE, Rig, random_boots
from sim_hardware.shuffler import Shuffler
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import Refused

MODEL: Final = "FeltSim SD-1"
SERIAL: Final = "SIM-0001"


def identity(settings: ShufflerSettings, model: str = MODEL, serial: str = SERIAL) -> Identity:
    """Who this machine says it is; what it can do follows from its settings."""
    able = [Capability.SHUFFLER, Capability.BUTTONS]
    able += [Capability.FACES] if settings.reads_faces else []
    able += [Capability.COUNTS] if settings.counts else []
    able += [] if settings.observed else [Capability.COMMANDS]
    able += [Capability.BATCH] if settings.batch else []
    return Identity(model, serial, FIRMWARE, tuple(able))


class ShufflerRig(Rig[Shuffler, WireEvent, WireCommand]):
    """Start it, put your hands on it, stop it. Every hand answers None, or why the machine does not take it."""

    def __init__(
        self,
        settings: ShufflerSettings,
        port: Port,
        *,
        who: Identity | None = None,
        scripts: Sequence[Deck] = (),
        boots: Iterator[str] | None = None,
        auto_dealer: bool = False,
    ) -> None:
        self.settings: Final = settings
        faults = FaultBoard()
        self.end: Final = FeltLinkEnd(who or identity(settings), boots or random_boots())
        emulator = Emulator(self.end, port, settings.pace, Cable(faults, settings.seed, FRAMES))
        self.machine: Final = Shuffler(settings, faults, emulator)
        super().__init__(faults, emulator, self.machine)
        self._scripts: Final = iter(scripts)
        self._hands: Final = _Hands(self) if auto_dealer else None

    async def start(self, *, loaded: bool = True) -> None:
        """Power on and plug in, with the first deck put in unless told otherwise."""
        await self.emulator.start(self.machine, self._hands)
        if loaded:
            self.load()

    def load(self, deck: Deck | None = None) -> Refused | None:
        """Put a deck in: this one, else the script's next, else a whole one."""
        return self._done(self.give_deck(loop_ns(), deck))

    def give_deck(self, now_ns: int, deck: Deck | None = None) -> Refused | None:
        """As `load`, in the middle of a turn; a deck of the script is not used up by a machine that refuses it."""
        refused = self.machine.refuses_deck()
        if refused is not None:
            return refused
        return self.machine.load(deck or next(self._scripts, standard_deck()), now_ns)

    def take(self) -> Refused | None:
        return self._done(self.machine.take(loop_ns()))

    def dial(self, program: Sequence[int]) -> None:
        """Set the sizes of the packets of the next deal, as its players are; it begins with the same as the last."""
        self.machine.mode.program = tuple(program)

    def open_door(self) -> None:
        self.machine.open_door(loop_ns())
        self.emulator.turn()

    def close_door(self) -> None:
        self.machine.close_door(loop_ns())
        self.emulator.turn()

    def clear_jam(self) -> Refused | None:
        return self._done(self.machine.clear_jam(loop_ns()))


class _Hands:
    """The dealer who needs no telling, at this rig."""

    def __init__(self, rig: ShufflerRig) -> None:
        self._rig: Final = rig
        self._dealer: Final = AutoDealer(rig.settings.pace)

    def next_timeout_ns(self) -> int | None:
        return self._dealer.next_timeout_ns()

    def handle_timeout(self, now_ns: int) -> None:
        self._look(now_ns)
        chore = self._dealer.due(now_ns)
        if chore is not None and self._do(chore, now_ns) is None:
            self._dealer.done()
            self._look(now_ns)

    def _look(self, now_ns: int) -> None:
        machine = self._rig.machine
        self._dealer.look(machine.state, len(machine.places.tray), now_ns)

    def _do(self, chore: Chore, now_ns: int) -> Refused | None:
        machine = self._rig.machine
        return machine.take(now_ns) if chore is Chore.TAKE else self._rig.give_deck(now_ns)
