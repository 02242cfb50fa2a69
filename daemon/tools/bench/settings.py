"""What a bench is asked for."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from daemon.rules.wagers import GameName
from daemon.table.settings import Reconciling
from daemon.tools.bench.broker import BrokerKind


@dataclass(frozen=True, slots=True)
class BenchSettings:
    """One run. `profile` is the kind of device that is dealt from; `decks` lie in it where that is a shoe.

    `draws_from` is the kind of shoe beside a shuffler that gets the rest of its deck; None where there is none.
    """

    directory: Path
    seed: int
    seats: int
    speed: float
    reconciling: Reconciling
    broker: BrokerKind
    mqtt: str
    port: int | None = None  # of a broker that runs already
    game: GameName = GameName.BIG_50
    profile: str = "felt-link-shuffler-faces"
    draws_from: str | None = None
    decks: int = 1
    has_pad: bool = False  # of keys, for every decision
    panel_port: int | None = None  # of the page for a browser, if there is to be one
