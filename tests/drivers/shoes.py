"""Drivers of shoes without a port: bytes in, what happened out."""

from __future__ import annotations

from drivers.addresses import TcpAddress
from drivers.driver import Driver, Outcome, Understood
from drivers.events import DeviceEvent, DeviceName, LinkUp
from drivers.profile import DeviceSettings, Profile
from drivers.profiles import DRIVERS

SHOE = DeviceName("shoe")
ADDRESS = TcpAddress("nport.pit", 4001)


class Heard:
    """A driver of some profile, connected, and what followed from what it was given."""

    def __init__(self, profile: Profile, serial: str | None = None) -> None:
        self.driver: Driver = DRIVERS[profile.protocol](DeviceSettings(SHOE, ADDRESS, profile, serial), None)
        self.now_ns = 0
        self.reconnect()

    def reconnect(self) -> None:
        """The port was opened, once more."""
        self.driver.connected(self.now_ns)

    def outcomes(self, data: bytes = b"") -> list[Outcome]:
        """Everything that follows from bytes, or from what happened before."""
        self.driver.receive(data, self.now_ns)
        return list(iter(self.driver.next_outcome, None))

    def events(self, data: bytes = b"") -> list[DeviceEvent]:
        """The same without damage and without the news that the line is up."""
        told = [outcome.event for outcome in self.outcomes(data) if isinstance(outcome, Understood)]
        return [event for event in told if not isinstance(event, LinkUp)]

    def wait(self, duration_ns: int) -> list[DeviceEvent]:
        """Time goes by, and the driver is called when it wants to be."""
        self.now_ns += duration_ns
        due_ns = self.driver.next_timeout_ns()
        if due_ns is not None and due_ns <= self.now_ns:
            self.driver.handle_timeout(self.now_ns)
        return self.events()
