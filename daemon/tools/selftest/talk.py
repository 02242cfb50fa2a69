"""One connection with a device: the frames in either direction, and what the driver reported of them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, Never, TypeVar

from daemon.tools.capture.recorder import Outside
from drivers.commands import CommandDue, DeviceCommand
from drivers.device import Device
from drivers.events import CommandAnswered, CommandId, DeviceEvent, DeviceReport, LinkUp, Receipt
from drivers.profile import DeviceSettings
from drivers.tap import Direction, Tapped
from drivers.transports.base import Chunk, Clock, Transport
from protocols.codec import Garbage
from protocols.frozen import dataclass
from protocols.listening import Heard, Listening, Saying
from protocols.registry import PROTOCOLS

EventT = TypeVar("EventT", bound=DeviceEvent)
ANSWER_S: Final = 3.0
"""Six times the wait after which a host repeats a command. A device that has not answered by then does not."""


@dataclass(frozen=True, slots=True)
class Said:
    """One valid frame, who sent it, and when its last byte came or went."""

    by: Direction
    at_ns: int
    saying: Saying


class Talk:
    """The record of a connection. It is also the device's log, which alone tells why a port does not open."""

    def __init__(
        self, settings: DeviceSettings, outside: Outside, resume_from: Receipt | None, *, corrupts: bool
    ) -> None:
        self.said: Final[list[Said]] = []
        self.damaged_ns: Final[list[int]] = []  # when each piece of damage came from the device
        self.reports: Final[list[DeviceReport]] = []
        self.bytes: Final = dict.fromkeys(Direction, 0)
        self.is_spoiled: Final = corrupts
        self.opened_ns: int | None = None
        self.down: str | None = None
        self.acknowledges = False
        self._up_at: int | None = None  # how many frames there were when the device was identified
        self._settings: Final = settings
        self._outside: Final = outside
        self._listeners: Final = {by: PROTOCOLS[settings.profile.protocol].listener() for by in Direction}
        self._news: Final = asyncio.Event()
        self._device: Final = Device(
            settings,
            emit=self._note_report,
            stamp=outside.stamp,
            resume_from=resume_from,
            open_transport=self._open,
            log=self,
        )
        self._device.tap.listen(self._on_tapped)
        self._running: asyncio.Task[Never] | None = None

    @property
    def now_ns(self) -> int:
        """Read the clock of all measurements here."""
        return self._outside.stamp().mono_ns

    def start(self) -> None:
        """Open the port, and stay connected until `close`."""
        self._running = asyncio.ensure_future(self._device.run())
        self._running.add_done_callback(lambda _: self._news.set())

    async def close(self) -> None:
        """End it as the daemon does; when this returns the port is closed."""
        if self._running is not None:
            self._running.cancel()
            with suppress(asyncio.CancelledError):
                await self._running

    async def until(self, is_so: Callable[[], object], patience_s: float | None) -> bool:
        """Wait until `is_so()`, for `patience_s` or without limit. Return whether it came."""
        try:
            async with asyncio.timeout(patience_s):
                while not is_so():
                    await self._more()
        except TimeoutError:
            return False
        return True

    async def last(self, duration_s: float) -> None:
        """Listen for so long, whatever comes."""
        await self.until(lambda: False, duration_s)

    async def _more(self) -> None:
        self._news.clear()
        await self._news.wait()
        if self._running is not None and self._running.done():
            self._running.result()

    def acknowledge(self, receipt: Receipt) -> None:
        """Acknowledge this event and all before it."""
        self._device.acknowledge(receipt)

    async def send_command(self, command_id: str, command: DeviceCommand) -> CommandAnswered | None:
        """Send a command. Return the device's answer, or None if there was none."""
        answers = len(self.of(CommandAnswered))
        self._device.send(CommandDue(CommandId(command_id), self._settings.name, command))
        await self.until(lambda: len(self.of(CommandAnswered)) > answers, ANSWER_S)
        return next(iter(self.of(CommandAnswered)[answers:]), None)

    def of(self, kind: type[EventT]) -> list[EventT]:
        """Return the events of a kind, in order."""
        return [report.event for report in self.reports if isinstance(report.event, kind)]

    def from_device(self) -> list[Said]:
        """Return the frames of the device."""
        return [said for said in self.said if said.by is Direction.FROM_DEVICE]

    def to_us(self) -> list[Said]:
        """Return the device's frames after its hello. Earlier ones may be meant for the last host."""
        since = len(self.said) if self._up_at is None else self._up_at
        return [said for said in self.said[since:] if said.by is Direction.FROM_DEVICE]

    # The device's outside.

    def info(self, event: str, **fields: object) -> None:
        """Do nothing: what succeeds is reported as an event."""

    def warning(self, event: str, **fields: object) -> None:
        """Note why there is no connection."""
        self.down = str(fields.get("reason") or fields.get("problem"))
        self._news.set()

    async def _open(self, settings: DeviceSettings, clock: Clock) -> Transport:
        transport = await self._outside.open_transport(settings, clock)
        self.opened_ns, self.down = self.now_ns, None
        return Spoiling(transport, PROTOCOLS[settings.profile.protocol].listener()) if self.is_spoiled else transport

    def _note_report(self, report: DeviceReport) -> None:
        self.reports.append(report)
        if isinstance(report.event, LinkUp) and self._up_at is None:
            self._up_at = len(self.said)
        if self.acknowledges and report.receipt is not None:
            self.acknowledge(report.receipt)
        self._news.set()

    def _on_tapped(self, tapped: Tapped) -> None:
        self.bytes[tapped.direction] += len(tapped.data)
        listener = self._listeners[tapped.direction]
        listener.feed(tapped.data)
        for heard in iter(listener.next, None):
            if isinstance(heard.saying, Garbage):
                self.damaged_ns.append(tapped.at.mono_ns)  # what we send is valid
                continue
            if not self.said:  # the first piece is the end of a frame that was under way when the port was opened
                del self.damaged_ns[:1]
            self.said.append(Said(tapped.direction, tapped.at.mono_ns, heard.saying))
        self._news.set()


class Spoiling:
    """A transport on which the first event that is sent to us arrives damaged, as from a bad cable.

    It begins with the welcome, the first thing that a host writes. Before it, a device may still be sending to its last
    host.
    """

    def __init__(self, transport: Transport, listener: Listening) -> None:
        self._transport: Final = transport
        self._listener: Final = listener
        self._is_welcomed = self._is_armed = False

    async def read(self) -> Chunk:
        """Return the next whole frames, one of them perhaps damaged."""
        while True:
            chunk = await self._transport.read()
            self._listener.feed(chunk.data)
            data = b"".join(self._through(heard) for heard in iter(self._listener.next, None))
            if data:
                return Chunk(data, chunk.at)

    def write(self, data: bytes) -> None:
        """Write to the device, undamaged."""
        if not self._is_welcomed:
            self._is_welcomed = self._is_armed = True
        self._transport.write(data)

    async def close(self) -> None:
        """Close the transport."""
        await self._transport.close()

    def _through(self, heard: Heard) -> bytes:
        if not self._is_armed or isinstance(heard.saying, Garbage) or number_of(heard.saying) is None:
            return heard.data
        self._is_armed = False
        last = b"1" if heard.data.endswith(b"0") else b"0"  # another digit of the check: the frame keeps its form
        return heard.data[:-1] + last


def number_of(saying: Saying) -> int | None:
    """Return the number of an event, or None for another frame."""
    number = dict(saying.marks).get("seq")
    return number if isinstance(number, int) else None


class DeviceUnderTest:
    """The device under test, and every connection that there was with it."""

    def __init__(self, settings: DeviceSettings, outside: Outside, run: str) -> None:
        """`run` is part of each command id, because a device remembers the ids of earlier runs."""
        self.settings: Final = settings
        self.talks: Final[list[Talk]] = []
        self._outside: Final = outside
        self._run: Final = run
        self._ordered = 0

    @asynccontextmanager
    async def talk(self, resume_from: Receipt | None = None, *, corrupts: bool = False) -> AsyncIterator[Talk]:
        """Yield a connection, and close it afterwards."""
        talk = Talk(self.settings, self._outside, resume_from, corrupts=corrupts)
        self.talks.append(talk)
        talk.start()
        try:
            yield talk
        finally:
            await talk.close()

    def next_id(self) -> str:
        """Return an id that no command had."""
        self._ordered += 1
        return f"selftest-{self._run}-{self._ordered}"
