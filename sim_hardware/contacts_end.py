"""A machine's lights, its tray and the dealer's foot switch on an input box: what a contact box makes of its events.

Theory of operation. What happens in the machine becomes changes of four contacts, one after another in a queue. A
change is shown no sooner than the host has read the one before twice, and has read it for as long as lights and feet
need: a machine whose motors run in no time would blink unseen otherwise. How long it was shown says nothing, because
a busy host reads late. So nothing is due by the clock, and only a question brings the next change. The box answers
every question with what is shown.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable
from typing import Final

from protocols.felt_link import messages as m
from protocols.modbus_tcp.connection import DeviceConnection
from protocols.modbus_tcp.messages import ReadInputs
from sim_hardware.pace import MS

FRAMES: Final = re.compile(rb"(?=..\x00\x00\x00[\x02-\xfe]\x01)", re.DOTALL)
INPUTS: Final = 8
GREEN, RED, TRAY, FOOT = range(4)
READ_TIMES: Final = 3
"""The host asks again when it has the answer, so its third question proves that it read twice."""
HOLD_NS: Final = 60 * MS
DARK_HOLD_NS: Final = 1_300 * MS
"""A light stays dark for longer than one that blinks."""


class ContactsEnd:
    """The box. Mutable. It has power of its own, and keeps nothing when that fails."""

    has_room: Final = True

    def __init__(self) -> None:
        self._closed = [False] * INPUTS
        self._queue: Final[deque[tuple[int, bool]]] = deque()
        self._connection: DeviceConnection | None = None
        self._reads = 0
        self._hold_ns = HOLD_NS
        self._holds_until_ns = 0
        self._was_seen = False

    @property
    def closed(self) -> tuple[bool, ...]:
        """Return which inputs are closed now."""
        return tuple(self._closed)

    def power_back(self, now_ns: int) -> None:
        """Begin with every contact open."""
        self._closed = [False] * INPUTS
        self._queue.clear()

    def power_lost(self) -> None:
        """Open every contact."""
        self._closed = [False] * INPUTS
        self._queue.clear()

    def plugged(self, now_ns: int) -> None:
        """Note that a host came."""
        self._connection = DeviceConnection(now_ns, self.closed)
        self._reads, self._was_seen = 0, False

    def unplugged(self) -> None:
        """Note that the last host went."""
        self._connection = None

    def report_event(self, event: m.WireEvent, now_ns: int) -> None:
        """Queue what the contacts make of it. What no light shows is not said."""
        match event:
            case m.ShuffleFinished():
                self._show(GREEN, is_closed=True)
            case m.ShuffleStarted() | m.RemainderEjected():
                self._show(GREEN, is_closed=False)
            case m.PacketDispensed():
                self._show(TRAY, is_closed=True)
            case m.PacketRemoved():
                self._show(TRAY, is_closed=False)
            case m.WireFaultRaised():
                self._show(RED, is_closed=True)
            case m.WireFaultCleared():
                self._show(RED, is_closed=False)
            case m.WireButtonPressed("green"):
                self._show(FOOT, is_closed=True)
                self._show(FOOT, is_closed=False)
            case _:
                pass
        self._show_next()

    def serve(self, data: bytes, now_ns: int, obey: Callable[[m.WireCommand], str | None]) -> None:
        """Answer the host's questions. It can order nothing."""
        if self._connection is None:
            return
        self._connection.closed = self.closed
        self._connection.receive(data, now_ns)
        for event in iter(self._connection.next_event, None):
            if isinstance(event, ReadInputs):
                self._note_reading(now_ns)
        self._show_next()

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line now."""
        return b"" if self._connection is None else self._connection.data_to_send()

    def next_timeout_ns(self) -> int | None:
        """Return None: it waits for questions only."""
        return None

    def handle_timeout(self, now_ns: int) -> None:
        """Do nothing: nothing is ever due."""

    def _show(self, place: int, *, is_closed: bool) -> None:
        ahead = next((state for where, state in reversed(self._queue) if where == place), self._closed[place])
        if ahead is not is_closed:
            self._queue.append((place, is_closed))

    def _note_reading(self, now_ns: int) -> None:
        self._reads += 1
        if self._reads == READ_TIMES - 1:  # the first answer has come to the host by now, however late
            self._holds_until_ns = now_ns + self._hold_ns
        elif self._reads >= READ_TIMES and now_ns >= self._holds_until_ns:
            self._was_seen = True

    def _show_next(self) -> None:
        if not self._queue or not self._was_seen:
            return
        place, is_closed = self._queue.popleft()
        self._closed[place] = is_closed
        self._reads, self._was_seen = 0, False
        is_light_out = place in (GREEN, RED) and not is_closed
        self._hold_ns = DARK_HOLD_NS if is_light_out else HOLD_NS
