"""What all drivers have in common: bytes and time go to the link, and its events become outcomes, in order.

A driver extends `LinkDriver` and says what each event of its link means. A device that never says who it is has a
`NamelessDriver`: no device can be told from another of its kind, so a connection to it never resumes, and a
configuration that demands a serial number or a firmware of it is wrong.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from drivers.commands import NOT_CAPABLE, CommandDue
from drivers.driver import Outcome, Rejected, Understood
from drivers.errors import SetupCode, SetupProblem
from drivers.events import CommandAnswered, DeviceEvent, Identity, LinkUp, Receipt
from drivers.profile import DeviceSettings
from protocols.codec import Codec, Gap, Garbage

EventT = TypeVar("EventT")


class LinkDriver(Generic[EventT]):
    """One device over all its connections."""

    def __init__(self, settings: DeviceSettings, link: Codec[EventT]) -> None:
        self._settings: Final = settings
        self._link = link
        self._outcomes: Final[deque[Outcome]] = deque()
        self._now_ns = 0

    @property
    def heard_ns(self) -> int | None:
        """Return when the device last sent something sound on this connection."""
        return self._link.heard_ns

    @property
    def asked_again(self) -> int:
        """Return 0: few devices can be asked for an event again."""
        return 0

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
        """Do nothing: few devices keep their events."""

    def send(self, due: CommandDue, now_ns: int) -> CommandAnswered | None:
        """Refuse the command. The driver of a device that takes commands overrides this."""
        return CommandAnswered(due.id, NOT_CAPABLE)

    def _on_event(self, event: EventT | Garbage | Gap) -> None:
        raise NotImplementedError

    def _report_event(self, event: DeviceEvent, receipt: Receipt | None = None) -> None:
        self._outcomes.append(Understood(event, receipt))


class NamelessDriver(LinkDriver[EventT]):
    """One device that never says who it is."""

    def __init__(self, settings: DeviceSettings, connect: Callable[[int], Codec[EventT]]) -> None:
        """`connect` begins a connection at a time."""
        super().__init__(settings, connect(0))
        self._connect: Final = connect
        self._is_up = False

    def connected(self, now_ns: int) -> None:
        """Begin a new connection: a port was opened."""
        self._now_ns = now_ns
        self._link = self._connect(now_ns)
        self._outcomes.clear()
        self._is_up = False
        problem = self._problem()
        if problem is not None:
            self._link.data_to_send()  # to what was not meant nothing is written
            self._outcomes.append(Rejected(problem))

    def _problem(self) -> SetupProblem | None:
        """Return the problem of these settings, or None."""
        return unknowable(self._settings)

    def _come_up(self) -> None:
        self._is_up = True
        self._report_event(LinkUp(Identity(self._settings.profile.title, "", "", ()), "", resumed=False))


def unknowable(settings: DeviceSettings) -> SetupProblem | None:
    """Return the problem of settings that demand what a nameless device never tells, or None."""
    name, firmware = settings.name, settings.profile.firmware
    if settings.serial is not None:
        wrong = f"{name} is to have serial number {settings.serial}, and such a device never says its own."
        return SetupProblem(SetupCode.WRONG_SERIAL, wrong, "Take the serial number out of the configuration.")
    if firmware.least is not None or firmware.below is not None:
        wrong = f"{name} is to have firmware {firmware}, and such a device never says its own."
        return SetupProblem(SetupCode.WRONG_FIRMWARE, wrong, "Take the firmware out of the configuration.")
    return None
