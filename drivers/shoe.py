"""The common part of all drivers of shoes that do not identify themselves.

Theory of operation. Such a shoe sends nothing before its first card. It has no name, keeps no events and takes no
commands. So it is up as soon as its port is open, and `LinkUp.resumed` is always false: cards that were drawn while the
port was closed are lost without a trace, and the table learns that its evidence has a hole.

A line that carries nothing but damage is a problem for a technician: it has the wrong speed, or another device is on
it. On the next connection such a shoe is up only after its first sound report.

Damage is judged by what it can have hidden. Damage shorter than the shortest report in all its copies hid no card.
Longer damage may have hidden one. This is reported once, until something sound comes again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from drivers.driver import Damaged, Rejected
from drivers.errors import LostEventsCode, SetupCode, SetupProblem
from drivers.events import EventsLost
from drivers.link_driver import EventT, NamelessDriver
from drivers.profile import DeviceSettings
from protocols.codec import Codec, Gap, Garbage

# Ten of the longest reports: a bad line alone does not damage so much without anything sound in between.
NONSENSE_BYTES_MAX: Final = 640
HIDDEN_BY_DAMAGE: Final = "damage on the line is long enough to have hidden a card"


class ShoeDriver(NamelessDriver[EventT]):
    """One shoe over all its connections. Each kind of shoe says what its codec's events mean."""

    def __init__(self, settings: DeviceSettings, connect: Callable[[int], Codec[EventT]], *, hiding_bytes: int) -> None:
        """`connect` begins a connection. Damage of `hiding_bytes` can have been a whole report in all its copies."""
        super().__init__(settings, connect)
        self._hiding_bytes: Final = hiding_bytes
        self._is_rejected = False  # this connection carried nothing but damage
        self._is_doubted = False  # the last one did, so this one is up only after a sound report
        self._damage_bytes = 0  # since the last sound thing

    def connected(self, now_ns: int) -> None:
        """Begin a new connection. The shoe is up at once, unless the last connection carried nothing but damage."""
        super().connected(now_ns)
        self._damage_bytes = 0
        self._is_doubted, self._is_rejected = self._is_rejected, False
        if self._problem() is None and not self._is_doubted:
            self._come_up()

    def _understand(self, event: EventT) -> None:
        raise NotImplementedError

    def _on_event(self, event: EventT | Garbage | Gap) -> None:
        match event:
            case Garbage(data, _):
                self._on_damage(len(data))
            case Gap(missing, reason):
                self._report_event(EventsLost(missing, reason, LostEventsCode.GAP.value))
            case _:
                self._damage_bytes = 0
                if not self._is_up:
                    self._come_up()
                self._understand(event)

    def _on_damage(self, size: int) -> None:
        before, self._damage_bytes = self._damage_bytes, self._damage_bytes + size
        if before < self._hiding_bytes <= self._damage_bytes and self._is_up:
            self._report_event(EventsLost(None, HIDDEN_BY_DAMAGE, LostEventsCode.HIDDEN_BY_DAMAGE.value))
        self._outcomes.append(Damaged(size))
        if self._damage_bytes >= NONSENSE_BYTES_MAX and self._link.heard_ns is None and self._is_up:
            self._is_rejected = True
            self._outcomes.append(Rejected(_nonsense(self._settings, self._damage_bytes)))


def _nonsense(settings: DeviceSettings, size: int) -> SetupProblem:
    profile = settings.profile
    wrong = f"{size} bytes came from {settings.address}, and none of them are a report of {profile.title}."
    remedy = (
        f"Check that this shoe is plugged in there and that its line runs at {profile.line.baud} baud, or choose the "
        f"profile for its speed. feltd decode --protocol {profile.protocol} shows what it sends."
    )
    return SetupProblem(SetupCode.WRONG_DEVICE, wrong, remedy)
