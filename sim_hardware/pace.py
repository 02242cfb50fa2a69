"""How long the emulated motors and hands take, and how a speed factor shortens it."""

from __future__ import annotations

import math
from typing import Final

from protocols.frozen import dataclass

MS: Final = 1_000_000
S: Final = 1_000 * MS
SLOW_FACTOR: Final = 10


@dataclass(slots=True)
class Knob:
    """A speed that somebody can turn while a device is at work. What has begun ends at the speed that it began with."""

    speed: float


@dataclass(frozen=True, slots=True)
class Pace:
    """Durations at speed 1, about as long as single-deck machines and dealers need. At speed 0 or infinity, none."""

    speed: float = 1.0
    shuffle_ns: int = 25 * S
    card_ns: int = 300 * MS
    ejected_card_ns: int = 60 * MS
    boot_ns: int = 3 * S
    take_ns: int = 1_500 * MS  # until the dealer has taken a packet to its seat
    gather_ns: int = 6 * S  # until the dealer has gathered the cards and put the deck in
    knob: Knob | None = None  # goes before `speed`

    def __post_init__(self) -> None:
        if math.isnan(self.speed) or self.speed < 0:
            raise ValueError(f"speed {self.speed} is not possible: 1 is life, 2 is twice as fast, 0 is without waiting")

    def lasts_ns(self, duration_ns: int, times: int = 1) -> int:
        """Return how long `times` such durations last at this speed."""
        speed = self.speed if self.knob is None else self.knob.speed
        if speed == 0 or math.isinf(speed):
            return 0
        return int(duration_ns * times / speed)
