"""What an emulated shuffler is: its model's abilities and the house's settings."""

from __future__ import annotations

from dataclasses import field
from typing import Final

from protocols.frozen import dataclass
from sim_hardware.pace import Pace

GREEN: Final = "green"
"""The one key whose name every table knows."""


@dataclass(frozen=True, slots=True)
class ShufflerSettings:
    """What a model can do, and how the house has set it.

    A `program` is that of a game which the machine knows: the sizes of its packets since the shuffle, by position, and
    no more packets than that. In `batch` mode the shuffled deck comes out whole.
    """

    seed: int = 0
    mode: int = 5
    counts: bool = True
    reads_faces: bool = True
    observed: bool = False
    program: tuple[int, ...] = ()
    batch: bool = False
    packets: int | None = None  # that it gives by itself if observed. None: those of its program, else until green
    deck_cards: int = 52
    pace: Pace = field(default_factory=Pace)
