"""An emulated shoe as a bench, a test or a technician uses it: shoe, link, port, decks and hands in one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Final

from protocols.angel_eye.options import AngelEyeOptions
from protocols.felt_link.messages import Capability, Identity
from sim_hardware.baccarat import Referee
from sim_hardware.cable import Cable
from sim_hardware.deck import Deck
from sim_hardware.emulator import Emulator
from sim_hardware.faults import FaultBoard
from sim_hardware.loop import loop_ns
from sim_hardware.mechanism import Refused
from sim_hardware.ports import Port
from sim_hardware.rig import FIRMWARE, Rig, random_boots
from sim_hardware.shoe import Shoe, ShoeSettings
from sim_hardware.shoe_dealer import ShoeDealer
from sim_hardware.shoe_events import ShoeEvent, ShoeOrder
from sim_hardware.shoe_kinds import Making, ShoeKind

MODEL: Final = "FeltSim SH-8"
SERIAL: Final = "SIM-SHOE-1"


def identity(model: str = MODEL, serial: str = SERIAL) -> Identity:
    """Return how a felt-link shoe identifies itself. The other kinds do not."""
    return Identity(model, serial, FIRMWARE, (Capability.SHOE, Capability.FACES, Capability.BUTTONS))


class ShoeRig(Rig[Shoe, ShoeEvent, ShoeOrder]):
    """An emulated shoe with its decks. Each method of a hand returns None, or why the shoe refuses it."""

    def __init__(
        self,
        settings: ShoeSettings,
        port: Port,
        kind: ShoeKind,
        *,
        who: Identity | None = None,
        scripts: Sequence[Deck] = (),
        boots: Iterator[str] | None = None,
        options: AngelEyeOptions | None = None,
        auto_dealer: bool = False,
    ) -> None:
        self.settings: Final = settings
        self.kind: Final = kind
        faults = FaultBoard()
        making = Making(who or identity(), boots or random_boots(), options or AngelEyeOptions(), settings.suit_first)
        emulator = Emulator(kind.controller(making), port, settings.pace, Cable(faults, settings.seed, kind.frames))
        referee = Referee() if kind.has_referee and settings.referees else None
        self.shoe: Final = Shoe(settings, faults, emulator, referee)
        super().__init__(faults, emulator, self.shoe)
        self._scripts: Final = deque(scripts)
        self._dealer: Final = ShoeDealer(self.shoe, self._give) if auto_dealer else None

    async def start(self, *, loaded: bool = True) -> None:
        """Power on and plug in. Put the decks in, unless `loaded` is false or the automatic dealer does it."""
        await self.emulator.start(self.shoe, self._dealer)
        if loaded and self._dealer is None:
            self.load()

    def load(self, deck: Deck | None = None) -> Refused | None:
        """Put decks in: these, else the script's next, else whole ones."""
        return self._done(self._give(loop_ns(), deck))

    def _give(self, now_ns: int, deck: Deck | None = None) -> Refused | None:
        """Put decks in. A shoe that is starting up does not use up the script's next decks."""
        if deck is None and not self.shoe.is_starting:
            deck = self._scripts.popleft() if self._scripts else None
        return self.shoe.load(deck, now_ns)

    def stack_next(self, deck: Deck) -> None:
        """Have these decks put in before any others that were stacked."""
        self._scripts.appendleft(deck)

    def draw(self) -> Refused | None:
        return self._done(self.shoe.draw(loop_ns()))

    def put_back(self) -> Refused | None:
        return self._done(self.shoe.put_back(loop_ns()))

    def end_deal(self) -> Refused | None:
        return self._done(self.shoe.end_deal(loop_ns()))

    def turn_lock(self, is_locked: bool) -> Refused | None:
        return self._done(self.shoe.turn_lock(is_locked, loop_ns()))

    def set_setting(self, is_setting: bool) -> Refused | None:
        return self._done(self.shoe.set_setting(is_setting, loop_ns()))

    def cancel_error(self) -> Refused | None:
        return self._done(self.shoe.cancel_error(loop_ns()))
