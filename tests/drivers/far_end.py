"""A felt-link device at the far end of any line: the real device side of the protocol, run by the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from protocols.codec import Gap, Garbage
from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.events import DeviceSideEvent, Ordered
from protocols.felt_link.memory import DeviceMemory

IDENTITY = m.Identity("FS-1", "10042", "1.4.2", ("shuffler", "faces", "counts", "commands", "buttons"))
GREEN = m.WireButtonPressed("green")


def now_ns() -> int:
    """The loop's time; rounded, because a timer that has come must not seem to be early."""
    return round(asyncio.get_running_loop().time() * 1_000_000_000)


class FarEnd:
    """Its memory outlives being unplugged; a restart takes it away."""

    def __init__(self, identity: m.Identity = IDENTITY, boot: str = "B1") -> None:
        self.identity = identity
        self.memory = DeviceMemory(boot)
        self.heard = bytearray()
        self.told: list[DeviceSideEvent | Garbage | Gap] = []
        self.done: list[m.WireCommand] = []
        self.is_deaf = False
        self.answers = True
        self.on_news: Callable[[], None] = lambda: None
        self._link: DeviceConnection | None = None
        self._write: Callable[[bytes], None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def plugged(self, write: Callable[[bytes], None]) -> None:
        """Somebody has opened the line."""
        self._write = write
        self._link = DeviceConnection(self.identity, self.memory, now_ns())
        self._go_on()

    def unplugged(self) -> None:
        """The line is gone."""
        self._link = self._write = None
        if self._timer is not None:
            self._timer.cancel()

    def restart(self, boot: str) -> None:
        """Power off and on: the memory is lost, the line is not."""
        self.memory = DeviceMemory(boot)
        if self._write is not None:
            self.plugged(self._write)

    def hear(self, data: bytes) -> None:
        """Bytes from the host."""
        self.heard += data
        if self._link is None or self.is_deaf:
            self.on_news()
            return
        self._link.receive(data, now_ns())
        while (event := self._link.next_event()) is not None:
            self.told.append(event)
            if isinstance(event, Ordered) and self.answers:
                self.done.append(event.command)
                self._link.answer(event.id, None, now_ns())
        self.on_news()
        self._go_on()

    def happen(self, event: m.WireEvent = GREEN) -> None:
        """Something happens at the device, plugged in or not."""
        if self._link is None:
            self.memory.record(event)
        else:
            self._link.report_event(event, now_ns())
            self._go_on()

    def say(self, data: bytes) -> None:
        """Raw bytes, whatever they mean, if anybody has opened the line."""
        if self._write is not None:
            self._write(data)

    def _go_on(self) -> None:
        assert self._link is not None
        data = self._link.data_to_send()
        if data and self._write is not None and not self.is_deaf:
            self._write(data)
        if self._timer is not None:
            self._timer.cancel()
        due_ns = self._link.next_timeout_ns()
        if due_ns is not None:
            delay_s = max(0.001, (due_ns - now_ns()) / 1e9)
            self._timer = asyncio.get_running_loop().call_later(delay_s, self._on_time)

    def _on_time(self) -> None:
        if self._link is not None:
            self._link.handle_timeout(now_ns())
            while (event := self._link.next_event()) is not None:
                self.told.append(event)
            self._go_on()
