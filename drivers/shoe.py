"""The common part of all drivers of shoes that do not identify themselves.

Theory of operation. Such a shoe sends nothing before its first card. It has no name, keeps no events and takes no
commands. So it is up as soon as its port is open, and `LinkUp.resumed` is always false: cards that were drawn while the
port was closed are lost without a trace, and the table learns that its evidence has a hole.

Two things are problems for a technician. A configuration can demand what such a shoe never tells (a serial number, a
firmware). And a line can carry nothing but damage: then it has the wrong speed, or another device is on it. On the next
connection such a shoe is up only after its first sound report.

Damage is judged by what it can have hidden. Damage shorter than the shortest report in all its copies hid no card.
Longer damage may have hidden one. This is reported once, until something sound comes again.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from drivers.commands import NOT_CAPABLE, CommandDue
from drivers.driver import Damaged, Outcome, Rejected, Reported
from drivers.errors import SetupCode, SetupProblem
from drivers.events import CommandAnswered, DeviceEvent, EventsLost, Identity, LinkUp, Receipt
from drivers.profile import DeviceSettings
from protocols.codec import Codec, Gap, Garbage

EventT = TypeVar("EventT")

# Ten of the longest reports: a bad line alone does not damage so much without anything sound in between.
NONSENSE_BYTES_MAX: Final = 640
HIDDEN_BY_DAMAGE: Final = "damage on the line is long enough to have hidden a card"


class ShoeDriver(Generic[EventT]):
    """One shoe over all its connections. Each kind of shoe says what its codec's events mean."""

    def __init__(self, settings: DeviceSettings, connect: Callable[[int], Codec[EventT]], *, hiding_bytes: int) -> None:
        """`connect` begins a connection. Damage of `hiding_bytes` can have been a whole report in all its copies."""
        self._settings: Final = settings
        self._connect: Final = connect
        self._link = connect(0)
        self._hiding_bytes: Final = hiding_bytes
        self._outcomes: Final[deque[Outcome]] = deque()
        self._now_ns = 0
        self._is_up = False
        self._is_rejected = False  # this connection carried nothing but damage
        self._is_doubted = False  # the last one did, so this one is up only after a sound report
        self._damage_bytes = 0  # since the last sound thing

    @property
    def heard_ns(self) -> int | None:
        """Return when the shoe last sent something sound on this connection."""
        return self._link.heard_ns

    def connected(self, now_ns: int) -> None:
        """Begin a new connection: a port was opened."""
        self._now_ns = now_ns
        self._link = self._connect(now_ns)
        self._outcomes.clear()
        self._damage_bytes = 0
        self._is_up = False
        self._is_doubted, self._is_rejected = self._is_rejected, False
        problem = unknowable(self._settings)
        if problem is not None:
            self._outcomes.append(Rejected(problem))
        elif not self._is_doubted:
            self._come_up()

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take the bytes that came."""
        self._now_ns = now_ns
        self._link.receive(data, now_ns)

    def next_outcome(self) -> Outcome | None:
        """Return the next outcome, in order, or None."""
        while not self._outcomes:
            event = self._link.next_event()
            if event is None:
                return None
            self._on_event(event)
        return self._outcomes.popleft()

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line."""
        return self._link.data_to_send()

    def next_timeout_ns(self) -> int | None:
        """Return now if outcomes wait that no byte brought, else when the link has something to do."""
        return self._now_ns if self._outcomes else self._link.next_timeout_ns()

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due at this time."""
        self._now_ns = now_ns
        self._link.handle_timeout(now_ns)

    def acknowledge(self, receipt: Receipt, now_ns: int) -> None:
        """Do nothing: such a shoe keeps no events."""

    def send(self, due: CommandDue, now_ns: int) -> CommandAnswered | None:
        """Refuse the command. The driver of a shoe that takes commands overrides this."""
        return CommandAnswered(due.id, NOT_CAPABLE)

    def _understand(self, event: EventT) -> None:
        raise NotImplementedError

    def _report_event(self, event: DeviceEvent) -> None:
        self._outcomes.append(Reported(event))

    def _on_event(self, event: EventT | Garbage | Gap) -> None:
        match event:
            case Garbage(data, _):
                self._on_damage(len(data))
            case Gap(missing, reason):
                self._report_event(EventsLost(missing, reason))
            case _:
                self._damage_bytes = 0
                if not self._is_up:
                    self._come_up()
                self._understand(event)

    def _on_damage(self, size: int) -> None:
        before, self._damage_bytes = self._damage_bytes, self._damage_bytes + size
        if before < self._hiding_bytes <= self._damage_bytes and self._is_up:
            self._report_event(EventsLost(None, HIDDEN_BY_DAMAGE))
        self._outcomes.append(Damaged(size))
        if self._damage_bytes >= NONSENSE_BYTES_MAX and self._link.heard_ns is None and self._is_up:
            self._is_rejected = True
            self._outcomes.append(Rejected(_nonsense(self._settings, self._damage_bytes)))

    def _come_up(self) -> None:
        self._is_up = True
        self._report_event(LinkUp(Identity(self._settings.profile.title, "", "", ()), "", resumed=False))


def unknowable(settings: DeviceSettings) -> SetupProblem | None:
    """Return the problem of settings that demand what this kind of shoe never tells, or None."""
    name, firmware = settings.name, settings.profile.firmware
    if settings.serial is not None:
        wrong = f"{name} is to have serial number {settings.serial}, and this kind of shoe never says its own."
        return SetupProblem(SetupCode.WRONG_SERIAL, wrong, "Take the serial number out of the configuration.")
    if firmware.least is not None or firmware.below is not None:
        wrong = f"{name} is to have firmware {firmware}, and this kind of shoe never says its own."
        return SetupProblem(SetupCode.WRONG_FIRMWARE, wrong, "Take the firmware out of the configuration.")
    return None


def _nonsense(settings: DeviceSettings, size: int) -> SetupProblem:
    profile = settings.profile
    wrong = f"{size} bytes came from {settings.address}, and none of them are a report of {profile.title}."
    remedy = (
        f"Check that this shoe is plugged in there and that its line runs at {profile.line.baud} baud, or choose the "
        f"profile for its speed. feltd decode --protocol {profile.protocol} shows what it sends."
    )
    return SetupProblem(SetupCode.WRONG_DEVICE, wrong, remedy)
