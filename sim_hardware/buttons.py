"""A pad of keys as a mechanism: presses in, what its contacts report out.

Theory of operation. A pad knows nothing of the game. It reports which key was pressed, in order, and keeps the event
until the host has it. It takes no press during start-up, or while its store is down to the reserve. A lamp on the pad
shows that. No line tells of this lamp, so the hand that presses gets a refusal instead.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from protocols.felt_link import messages as m
from protocols.frozen import dataclass
from sim_hardware.faults import FaultBoard, FaultName
from sim_hardware.mechanism import Outside, Refused
from sim_hardware.pace import Pace

KEYS: Final = (
    *("green", "next", "void", "count", "supervisor"),
    *("seat-1", "seat-2", "seat-3", "seat-4", "seat-5", "seat-6", "seat-7", "seat-8"),
    *("fold", "play-2", "play-3", "play-4"),
    *("draw-0", "draw-1", "draw-2", "draw-3", "draw-4", "draw-5"),
    *("stand", "hit", "double", "split", "surrender", "insure", "even-money"),
    *("five-card-draw", "deuces-never-loses", "pass-button"),
)
"""Every word that felt-link has for a key (SPEC.md, section 6): a pad for all games. `--keys` makes a smaller one."""


@dataclass(frozen=True, slots=True)
class PadSettings:
    """The keys of a pad, and how fast it starts. The seed decides what a bad line damages."""

    keys: tuple[str, ...] = KEYS
    seed: int = 0
    pace: Pace = field(default_factory=Pace)


class ButtonPad:
    """The pad. Mutable. Its emulator gives it presses and time."""

    def __init__(self, settings: PadSettings, faults: FaultBoard, outside: Outside[m.WireEvent]) -> None:
        self.settings: Final = settings
        self.presses = 0  # taken, since it was made
        self._faults: Final = faults
        self._outside: Final = outside
        self._starts_ns: int | None = None

    def power_on(self, now_ns: int) -> None:
        """Start for the first time, at once."""
        self._outside.power_back(now_ns)

    def press(self, key: str, now_ns: int) -> Refused | None:
        """Press a key. Return why it is not taken, or None."""
        refused = self._why_not(key)
        if refused is not None:
            return refused
        self.presses += 1
        self._faults.packet_on_line = self.presses
        if self._strikes(FaultName.REBOOT):
            self.reboot(now_ns)
            return None
        self._outside.report_event(m.WireButtonPressed(key), now_ns)
        if self._outside.has_room() and self._strikes(FaultName.KEY_BOUNCE):
            self._outside.report_event(m.WireButtonPressed(key), now_ns)
        return None

    def reboot(self, now_ns: int) -> None:
        """Fail the power and bring it back."""
        self._outside.power_lost(now_ns)
        self._starts_ns = now_ns + self.settings.pace.lasts_ns(self.settings.pace.boot_ns)

    def take_order(self, command: m.WireCommand, now_ns: int) -> Refused | None:
        """Refuse: a pad has no lamp and no motor."""
        return Refused(m.Refusal.NOT_CAPABLE, "a pad of keys takes no orders")

    def poke(self, now_ns: int) -> None:
        """Do nothing: a pad does nothing by itself."""

    def next_timeout_ns(self) -> int | None:
        """Return when it has started."""
        return self._starts_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Be up once it has started."""
        if self._starts_ns is not None and now_ns >= self._starts_ns:
            starts_ns, self._starts_ns = self._starts_ns, None
            self._outside.power_back(starts_ns)

    @property
    def is_starting(self) -> bool:
        """Return whether the power is back and the pad is not up yet."""
        return self._starts_ns is not None

    def _why_not(self, key: str) -> Refused | None:
        if key not in self.settings.keys:
            return Refused(m.Refusal.BAD_ARGUMENT, f"no key {key}; the keys are {', '.join(self.settings.keys)}")
        if self.is_starting:
            return Refused(m.Refusal.BUSY, "the pad is starting up")
        if not self._outside.has_room():
            return Refused(
                m.Refusal.STORE_FULL, "the host has acknowledged nothing for too long; accepted once it does"
            )
        return None

    def _strikes(self, name: FaultName) -> bool:
        return self._faults.strike(name, self.presses) is not None
