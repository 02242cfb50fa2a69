"""What the drivers of shoes that introduce themselves to nobody have in common.

Theory of operation. Such a shoe says nothing before its first card, has no name, keeps nothing and is told nothing. So
its port is taken for up as soon as it is open, and never for resumed: whatever was drawn while it was closed is lost
without a trace, and the table hears that its evidence has a hole. What a configuration demands of it that it can never
show (a serial number, a firmware) is a problem for a technician, and so is a line on which nothing but damage comes:
that is the wrong speed, or another device. On the next connection such a shoe has to be understood before it is up.

Damage is judged by what it can have hidden. Less than the shortest report, in as many copies as it is sent, is only
damage; from there on a card may be lost, which is said once until something sound comes again.
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

# Enough for ten of the longest reports: nothing sound among so much is no accident of a bad line.
NONSENSE_BYTES_MAX: Final = 640
HIDDEN_BY_DAMAGE: Final = "damage on the line is long enough to have hidden a card"


class ShoeDriver(Generic[EventT]):
    """One shoe over all its connections; each kind of shoe says what its codec's events mean."""

    def __init__(self, settings: DeviceSettings, connect: Callable[[int], Codec[EventT]], *, hiding_bytes: int) -> None:
        """`connect` begins a connection. `hiding_bytes`: so much damage can have been a whole report, every copy."""
        self._settings: Final = settings
        self._connect: Final = connect
        self._link = connect(0)
        self._hiding_bytes: Final = hiding_bytes
        self._outcomes: Final[deque[Outcome]] = deque()
        self._now_ns = 0
        self._is_up = False
        self._is_rejected = False  # this connection ended because nothing on it made sense
        self._is_doubted = False  # the one before did: be convinced first
        self._damage_bytes = 0  # since the last sound thing

    @property
    def heard_ns(self) -> int | None:
        """When the shoe last said something sound on this connection."""
        return self._link.heard_ns

    def connected(self, now_ns: int) -> None:
        """A port was opened: begin a new connection."""
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
        """The next thing that follows from them, in order."""
        while not self._outcomes:
            event = self._link.next_event()
            if event is None:
                return None
            self._take(event)
        return self._outcomes.popleft()

    def data_to_send(self) -> bytes:
        """Bytes due on the line."""
        return self._link.data_to_send()

    def next_timeout_ns(self) -> int | None:
        """At once, when something happened without a byte; else when the link has something to do."""
        return self._now_ns if self._outcomes else self._link.next_timeout_ns()

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due at this time."""
        self._now_ns = now_ns
        self._link.handle_timeout(now_ns)

    def acknowledge(self, receipt: Receipt, now_ns: int) -> None:
        """Such a shoe keeps nothing, so nothing has a receipt."""

    def send(self, due: CommandDue, now_ns: int) -> CommandAnswered | None:
        """Refuse: nothing can be said to such a shoe, unless its own driver knows better."""
        return CommandAnswered(due.id, NOT_CAPABLE)

    def _understand(self, event: EventT) -> None:
        raise NotImplementedError

    def _report(self, event: DeviceEvent) -> None:
        self._outcomes.append(Reported(event))

    def _take(self, event: EventT | Garbage | Gap) -> None:
        match event:
            case Garbage(data, _):
                self._on_damage(len(data))
            case Gap(missing, reason):
                self._report(EventsLost(missing, reason))
            case _:
                self._damage_bytes = 0
                if not self._is_up:
                    self._come_up()
                self._understand(event)

    def _on_damage(self, size: int) -> None:
        before, self._damage_bytes = self._damage_bytes, self._damage_bytes + size
        if before < self._hiding_bytes <= self._damage_bytes and self._is_up:
            self._report(EventsLost(None, HIDDEN_BY_DAMAGE))
        self._outcomes.append(Damaged(size))
        if self._damage_bytes >= NONSENSE_BYTES_MAX and self._link.heard_ns is None and self._is_up:
            self._is_rejected = True
            self._outcomes.append(Rejected(_nonsense(self._settings, self._damage_bytes)))

    def _come_up(self) -> None:
        self._is_up = True
        self._report(LinkUp(Identity(self._settings.profile.title, "", "", ()), "", resumed=False))


def unknowable(settings: DeviceSettings) -> SetupProblem | None:
    """Return why these settings can never be met, because they demand what this kind of shoe does not tell."""
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
        f"See that this shoe is plugged in there and that its line runs at {profile.line.baud} baud, or choose the "
        f"profile for its speed; feltd decode --protocol {profile.protocol} shows what it says."
    )
    return SetupProblem(SetupCode.WRONG_DEVICE, wrong, remedy)
