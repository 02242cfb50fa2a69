"""What the user of a bench asks for."""

from __future__ import annotations

from pathlib import Path

from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.tools.bench.broker import BrokerKind
from protocols.frozen import dataclass
from sim_hardware.pace import Knob, Pace


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """One run. `profile` is the kind of device that deals. `decks` is how many lie in it if it is a shoe.

    `draws_from` is the kind of shoe that gets the rest of a shuffler's deck, or None.
    """

    directory: Path
    seed: int
    seats: int
    speed: float
    reconciling: Reconciling
    broker: BrokerKind
    mqtt: str
    port: int | None = None  # of a broker that already runs
    game: GameName = GameName.BIG_50
    profile: str = "felt-link-shuffler-faces"
    draws_from: str | None = None
    decks: int = 1
    has_pad: bool = False  # with a key for each decision
    house_rules: str | None = None  # tables of the configuration in place of the game's usual ones
    limits: str = ""  # keys and tables of the configuration's limits beside the usual ones
    knob: Knob | None = None  # where the speed can be turned while it runs
    verify_over_cents: int = 20_000  # low, so that dealers see a win that is held

    @property
    def pace(self) -> Pace:
        """The pace of all devices."""
        return Pace(self.speed, knob=self.knob)
