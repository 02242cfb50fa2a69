"""An emulated device at work: mechanism, the device's end of the link, a line that may be bad, and a port.

Theory of operation. Everything that happens (bytes, a timer, a hand) ends in one `turn`: orders are given to the
mechanism and answered, whatever is due in mechanism and link is done, what the link wants said goes through the line
to the port, and one timer is set for the next thing due. There are no tasks and no waiting inside, so the same
emulator runs in a real loop on a tty and in virtual time on a memory port.
"""

from __future__ import annotations

import asyncio
from typing import Final, Generic, TypeVar

from sim_hardware.cable import Cable
from sim_hardware.loop import loop_ns, loop_s
from sim_hardware.mechanism import LinkController, Mechanism, Timed
from sim_hardware.pace import MS, Pace, S
from sim_hardware.ports import Port

EventT = TypeVar("EventT")
CommandT = TypeVar("CommandT")

UNPLUGGED_NS: Final = 2 * S
UNPLUGGED_NS_MIN: Final = 200 * MS
"""However fast the motors run: a host has to see the line go before it comes back."""


class Emulator(Generic[EventT, CommandT]):
    """Serves one mechanism on one port. It is the mechanism's `Outside` and the port's `PortUser`."""

    def __init__(self, end: LinkController[EventT, CommandT], port: Port, pace: Pace, cable: Cable) -> None:
        self.end: Final = end
        self.port: Final = port
        self.cable: Final = cable
        self._pace: Final = pace
        self._mechanism: Mechanism[CommandT] | None = None
        self._hands: Timed | None = None
        self._alarm: asyncio.TimerHandle | None = None
        self._replug: asyncio.TimerHandle | None = None
        self._turned = asyncio.Event()
        self.is_plugged = False

    async def start(self, mechanism: Mechanism[CommandT], hands: Timed | None = None) -> None:
        """Power on, then plug in."""
        self._mechanism, self._hands = mechanism, hands
        mechanism.power_on(loop_ns())
        await self.port.open(self)
        self.turn()

    async def stop(self) -> None:
        """Stop, and leave nothing pending."""
        self._mechanism = None
        self._cancel_replug()
        if self._alarm is not None:
            self._alarm.cancel()
        await self.port.close()

    async def turned(self) -> None:
        """Wait until something has happened."""
        self._turned.clear()
        await self._turned.wait()

    def turn(self) -> None:
        """Do everything that is due now, send, and set the timer."""
        self._advance(loop_ns())

    def unplug(self) -> None:
        """Pull the plug, and leave it out."""
        self._cancel_replug()
        self.port.unplug()

    def replug(self) -> None:
        """Put it back."""
        self._cancel_replug()
        self.port.replug()

    # The mechanism's outside.

    def report_event(self, event: EventT, now_ns: int) -> None:
        self.end.report_event(event, now_ns)

    def has_room(self) -> bool:
        return self.end.has_room

    def cable_pulled(self, now_ns: int) -> None:
        self.unplug()
        wait_ns = max(UNPLUGGED_NS_MIN, self._pace.lasts_ns(UNPLUGGED_NS))
        self._replug = asyncio.get_running_loop().call_at(loop_s(now_ns + wait_ns), self.port.replug)

    def power_lost(self, now_ns: int) -> None:
        self.end.power_lost()

    def power_back(self, now_ns: int) -> None:
        self.end.power_back(now_ns)

    # The port's user.

    def on_plugged(self) -> None:
        self.is_plugged = True
        self.end.plugged(loop_ns())
        self.turn()

    def on_unplugged(self) -> None:
        self.is_plugged = False
        self.end.unplugged()
        self._turned.set()

    def on_data(self, data: bytes) -> None:
        now_ns = loop_ns()
        mechanism = self._mechanism
        if mechanism is None:
            return

        def obey(command: CommandT) -> str | None:
            refused = mechanism.take_order(command, now_ns)
            return None if refused is None else refused.code

        self.end.serve(self.cable.from_host(data, now_ns), now_ns, obey)
        mechanism.poke(now_ns)
        self.turn()

    # Time.

    def _advance(self, now_ns: int) -> None:
        """Do everything that is due. Hands come last, because they look at the machine. What they do can be due now."""
        if self._mechanism is None:
            return
        is_due = True
        while is_due:
            for part in self._parts():
                part.handle_timeout(now_ns)
            due_ns = self._due_ns()
            is_due = due_ns is not None and due_ns <= now_ns
        self._send(now_ns)
        self._set_alarm()
        self._turned.set()

    def _parts(self) -> list[Timed]:
        return [part for part in (self._mechanism, self.end, self._hands) if part is not None]

    def _due_ns(self) -> int | None:
        due = (part.next_timeout_ns() for part in self._parts())
        return min((time_ns for time_ns in due if time_ns is not None), default=None)

    def _send(self, now_ns: int) -> None:
        data = self.cable.from_device(self.end.data_to_send(), now_ns)
        if data:
            self.port.write(data)

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        due_ns = self._due_ns()
        self._alarm = None
        if due_ns is not None:
            self._alarm = asyncio.get_running_loop().call_at(loop_s(due_ns), self._on_alarm, due_ns)

    def _on_alarm(self, due_ns: int) -> None:
        """Advance to the time that is due: the loop's float clock can be just before that nanosecond."""
        self._advance(max(loop_ns(), due_ns))

    def _cancel_replug(self) -> None:
        if self._replug is not None:
            self._replug.cancel()
            self._replug = None
