"""A bet sensor as a mechanism: chips on spots in, what its readers report out.

Theory of operation. Under each spot is a reader, and each chip tells its value. The sensor knows nothing of the game.
It reports the amount that lies on a spot when that is another amount than before. Hands that lay and take chips one by
one are the caller's business: here an amount has lain still already. Chips stay where they are without power, so the
sensor says all of them again after it. While its store is down to the reserve it reports nothing, and afterwards what
differs from what it said last.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final, TypeAlias

from protocols.felt_link import messages as m
from protocols.felt_link.limits import SEATS_MAX, STAKE_MAX
from protocols.frozen import dataclass
from sim_hardware.faults import FaultBoard, FaultName
from sim_hardware.mechanism import Outside, Refused
from sim_hardware.pace import Pace

SPOTS: Final = (
    *("poker-hand", "red-black", "red", "black", "big-50", "range"),
    *("ante", "play", "two-card-bonus", "five-card-bonus"),
    *("big-draw", "first-5"),
    *("blackjack", "insurance", "bad-beat"),
)
"""Every word of felt-link for a spot (SPEC.md, section 6): a felt for all games. `--spots` makes a smaller one."""

Place: TypeAlias = tuple[int, str]


@dataclass(frozen=True, slots=True)
class SensorSettings:
    """The seats and spots of a felt, and how fast its sensor starts. The seed decides what a bad line damages."""

    seats: int = 6
    spots: tuple[str, ...] = SPOTS
    seed: int = 0
    pace: Pace = field(default_factory=Pace)


class BetSensor:
    """The felt and its readers. Mutable. Its emulator gives it chips and time."""

    def __init__(self, settings: SensorSettings, faults: FaultBoard, outside: Outside[m.WireEvent]) -> None:
        self.settings: Final = settings
        self.lies: Final[dict[Place, int]] = {}
        self._told: Final[dict[Place, int]] = {}
        self._faults: Final = faults
        self._outside: Final = outside
        self._starts_ns: int | None = None
        self._laid = 0

    def power_on(self, now_ns: int) -> None:
        """Start for the first time, at once."""
        self._outside.power_back(now_ns)
        self._tell(now_ns)

    def lay(self, seat: int, spot: str, cents: int, now_ns: int) -> Refused | None:
        """Have so much lie on a spot. Return why that cannot be, or None."""
        refused = self._why_not(seat, spot, cents)
        if refused is not None:
            return refused
        self.lies[seat, spot] = cents
        self._laid += 1
        self._faults.packet_on_line = self._laid
        if self._faults.strike(FaultName.REBOOT, self._laid) is not None:
            self.reboot(now_ns)
        else:
            self._tell(now_ns)
        return None

    def clear(self, now_ns: int) -> None:
        """Take every chip off the felt."""
        for place in self.lies:
            self.lies[place] = 0
        self._tell(now_ns)

    def press(self, key: str, now_ns: int) -> Refused | None:
        """Refuse: a felt has no keys."""
        return Refused(m.Refusal.NOT_CAPABLE, "a bet sensor has no keys")

    def reboot(self, now_ns: int) -> None:
        """Fail the power and bring it back. The chips lie where they lay."""
        self._outside.power_lost(now_ns)
        self._told.clear()
        self._starts_ns = now_ns + self.settings.pace.lasts_ns(self.settings.pace.boot_ns)

    def take_order(self, command: m.WireCommand, now_ns: int) -> Refused | None:
        """Refuse: there is nothing to order."""
        return Refused(m.Refusal.NOT_CAPABLE, "a bet sensor takes no orders")

    def poke(self, now_ns: int) -> None:
        """Say what could not be said while the store was full."""
        self._tell(now_ns)

    def next_timeout_ns(self) -> int | None:
        """Return when it has started."""
        return self._starts_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Be up once it has started, and say what lies on the felt."""
        if self._starts_ns is not None and now_ns >= self._starts_ns:
            starts_ns, self._starts_ns = self._starts_ns, None
            self._outside.power_back(starts_ns)
        self._tell(now_ns)

    @property
    def is_starting(self) -> bool:
        """Return whether the power is back and the sensor is not up yet."""
        return self._starts_ns is not None

    def _tell(self, now_ns: int) -> None:
        """Report every spot that differs from what was said of it last."""
        for (seat, spot), cents in sorted(self.lies.items()):
            if self.is_starting or not self._outside.has_room():
                return
            if self._told.get((seat, spot), 0) != cents:
                self._told[seat, spot] = cents
                self._outside.report_event(m.StakeSeen(seat, spot, cents), now_ns)

    def _why_not(self, seat: int, spot: str, cents: int) -> Refused | None:
        settings = self.settings
        if not 1 <= seat <= min(settings.seats, SEATS_MAX):
            return Refused(m.Refusal.BAD_ARGUMENT, f"no seat {seat}; this felt has seats 1 to {settings.seats}")
        if spot not in settings.spots:
            return Refused(m.Refusal.BAD_ARGUMENT, f"no spot {spot}; the spots are {', '.join(settings.spots)}")
        if not 0 <= cents <= STAKE_MAX:
            return Refused(m.Refusal.BAD_ARGUMENT, f"an amount is 0 to {STAKE_MAX} cents")
        return None
