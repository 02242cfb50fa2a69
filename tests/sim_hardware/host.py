"""A felt-link host on the far end of a line: commits in memory, orders what a test tells it to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from protocols.codec import Gap, Garbage
from protocols.felt_link import events as e
from protocols.felt_link import messages as m
from protocols.felt_link.host import HostConnection
from protocols.felt_link.memory import HostMemory
from sim_hardware.loop import loop_ns, loop_s
from sim_hardware.ports import MemoryPort

EventT = TypeVar("EventT", bound=m.WireEvent)


class Far(Protocol):
    """The host's end of any line: memory, tty or TCP."""

    on_plugged: Callable[[], None]
    on_data: Callable[[bytes], None]
    on_unplugged: Callable[[], None]

    def write(self, data: bytes) -> None:
        """To the device."""


@dataclass
class Host:
    """Everything that it was told, in order. Set `commits` to False for a disk that takes nothing."""

    far: Far
    commits: bool = True
    patience_s: float = 600  # of virtual time; a real line's test has less
    boots: list[str] = field(default_factory=list)
    standings: list[e.Standing] = field(default_factory=list)
    events: list[m.WireEvent] = field(default_factory=list)
    resent: list[int] = field(default_factory=list)
    answers: dict[str, str | None] = field(default_factory=dict)
    damage: list[Garbage] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    oddities: list[str] = field(default_factory=list)
    unplugs: int = 0

    def __post_init__(self) -> None:
        self._memory = HostMemory()
        self._connection: HostConnection | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()
        self._orders = 0
        self.far.on_plugged = self._on_plugged
        self.far.on_data = self._on_data
        self.far.on_unplugged = self._on_unplugged

    def close(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()

    async def order(self, command: m.WireCommand, command_id: str | None = None) -> str | None:
        """Order it, wait for the answer: None, or the refusal's word."""
        self._orders += 1
        name = command_id or f"order-{self._orders}"
        self.answers.pop(name, None)
        assert self._connection is not None
        self._connection.order_command(name, command, loop_ns())
        self._turn()
        await self.until(lambda: name in self.answers)
        return self.answers[name]

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until something that was heard makes it so."""
        async with asyncio.timeout(self.patience_s):
            while not condition():
                self._news.clear()
                await self._news.wait()

    async def next(self, kind: type[EventT]) -> EventT:
        """The next event of a kind after those that were heard already."""
        seen = len(self.events)
        await self.until(lambda: any(isinstance(event, kind) for event in self.events[seen:]))
        return next(event for event in self.events[seen:] if isinstance(event, kind))

    def of(self, kind: type[EventT]) -> list[EventT]:
        """All events of a kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def _on_plugged(self) -> None:
        self._connection = HostConnection(self._memory, loop_ns())
        self._turn()

    def _on_unplugged(self) -> None:
        self.unplugs += 1
        self._connection = None
        self._news.set()

    def _on_data(self, data: bytes) -> None:
        if self._connection is not None:
            self._connection.receive(data, loop_ns())
            self._turn()

    def _turn(self) -> None:
        connection = self._connection
        if connection is None:
            return
        while (event := connection.next_event()) is not None:
            self._hear(connection, event)
        data = connection.data_to_send()
        if data:
            self.far.write(data)
        self._set_alarm(connection)
        self._news.set()

    def _hear(self, connection: HostConnection, event: e.HostSideEvent | Garbage | Gap) -> None:
        match event:
            case e.Greeted(hello=hello, standing=standing):
                self.boots.append(hello.boot)
                self.standings.append(standing)
                connection.welcome(loop_ns())
            case e.Delivered():
                self._take(connection, event)
            case e.Answered(command_id, refusal):
                self.answers[command_id] = refusal
            case e.Dropped(command_id):
                self.answers[command_id] = "dropped"
            case e.DeviceOddity(code):
                self.oddities.append(code)
            case Garbage():
                self.damage.append(event)
            case Gap():
                self.gaps.append(event)

    def _take(self, connection: HostConnection, delivered: e.Delivered) -> None:
        assert not isinstance(delivered.event, m.Unintelligible)
        self.events.append(delivered.event)
        if delivered.resent:
            self.resent.append(delivered.seq)
        if self.commits:
            connection.acknowledge(delivered.boot, delivered.seq, loop_ns())

    def _set_alarm(self, connection: HostConnection) -> None:
        self.close()
        due_ns = connection.next_timeout_ns()
        if due_ns is not None:
            self._alarm = asyncio.get_running_loop().call_at(loop_s(due_ns), self._on_alarm, connection, due_ns)

    def _on_alarm(self, connection: HostConnection, due_ns: int) -> None:
        if connection is self._connection:
            connection.handle_timeout(max(loop_ns(), due_ns))
            self._turn()


class Rig(Protocol):
    """An emulated device that a host can meet."""

    async def start(self) -> None:
        """Power on and plug in."""

    async def stop(self) -> None:
        """Unplug and power off."""


RigT = TypeVar("RigT", bound=Rig)


@asynccontextmanager
async def met(make: Callable[[MemoryPort], RigT]) -> AsyncIterator[tuple[RigT, Host]]:
    """A device that is linked to its host, over memory."""
    port = MemoryPort()
    host, rig = Host(port.far), make(port)
    await rig.start()
    try:
        await host.until(lambda: bool(host.boots))
        yield rig, host
    finally:
        await rig.stop()
        host.close()
