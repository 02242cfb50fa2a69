"""An emulated bet sensor as a bench, a test or a technician uses it: felt, link, port and words in one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from protocols.felt_link.messages import Capability, Identity, WireCommand, WireEvent
from sim_hardware.cable import Cable
from sim_hardware.emulator import Emulator
from sim_hardware.faults import STAKES_FAULTS, FaultBoard
from sim_hardware.felt_link_end import FRAMES, FeltLinkEnd
from sim_hardware.loop import loop_ns
from sim_hardware.mechanism import Refused
from sim_hardware.ports import Port
from sim_hardware.rig import FIRMWARE, Rig, random_boots
from sim_hardware.rig_words import RigWords
from sim_hardware.stakes import BetSensor, SensorSettings
from sim_hardware.words import Vocabulary, Word, WordError, nothing_follows

MODEL: Final = "FeltSim BS-1"
SERIAL: Final = "SIM-FELT-1"


def identity(model: str = MODEL, serial: str = SERIAL) -> Identity:
    """Return how a bet sensor identifies itself."""
    return Identity(model, serial, FIRMWARE, (Capability.STAKES,))


class StakesRig(Rig[BetSensor, WireEvent, WireCommand]):
    """Start it, lay and take chips, stop it."""

    def __init__(
        self, settings: SensorSettings, port: Port, *, who: Identity | None = None, boots: Iterator[str] | None = None
    ) -> None:
        faults = FaultBoard()
        self.settings: Final = settings
        self.end: Final = FeltLinkEnd(who or identity(), boots or random_boots())
        emulator = Emulator(self.end, port, settings.pace, Cable(faults, settings.seed, FRAMES))
        self.sensor: Final = BetSensor(settings, faults, emulator)
        super().__init__(faults, emulator, self.sensor)

    async def start(self) -> None:
        """Power on and plug in."""
        await self.emulator.start(self.sensor)

    def lay(self, seat: int, spot: str, cents: int) -> Refused | None:
        """Have so much lie on a spot."""
        return self._done(self.sensor.lay(seat, spot, cents, loop_ns()))

    def clear(self) -> None:
        """Take every chip off the felt."""
        self.sensor.clear(loop_ns())
        self.emulator.turn()


def stakes_vocabulary(rig: StakesRig) -> Vocabulary:
    """Return the words for this rig's control interface."""

    def standing() -> str:
        return f"staked={sum(rig.sensor.lies.values())} unacknowledged={rig.end.unacknowledged}"

    def status(rest: Sequence[str]) -> str:
        nothing_follows("status", rest)
        lies = ",".join(f"{seat}:{spot}:{cents}" for (seat, spot), cents in sorted(rig.sensor.lies.items()) if cents)
        return f"{standing()} boot={rig.end.boot or '-'} lies={lies or '-'}"

    def lay(rest: Sequence[str]) -> str:
        if len(rest) != 3 or not rest[0].isdecimal() or not rest[2].isdecimal():
            raise WordError("lay SEAT SPOT CENTS; 0 takes the chips away")
        return hands.done(rig.lay(int(rest[0]), rest[1], int(rest[2])))

    hands = RigWords(rig, standing)
    return Vocabulary(
        [
            Word("lay", "lay SEAT SPOT CENTS", "have so much lie on a spot, whatever lay there", lay),
            hands.plain("sweep", "take every chip off the felt", rig.clear),
            *hands.line(),
            *hands.faults(STAKES_FAULTS, "change"),
            Word("status", "status", "what lies on the felt, and what the host has of it", status),
        ]
    )
