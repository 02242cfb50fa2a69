"""The device's end of felt-link over all its connections: one store, and one connection after another."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.events import Ordered
from protocols.felt_link.frame import ACK, NAK, STX
from protocols.felt_link.memory import DeviceMemory
from protocols.felt_link.messages import Identity, WireCommand, WireEvent

FRAMES: Final = re.compile(b"(?=[%s])" % re.escape(bytes((STX, ACK, NAK))))
"""Where one frame ends and the next begins."""


class FeltLinkEnd:
    """A device's link controller. Mutable. Without power it remembers nothing."""

    def __init__(self, identity: Identity, boots: Iterator[str]) -> None:
        self.identity: Final = identity
        self._boots: Final = boots
        self._memory: DeviceMemory | None = None
        self._connection: DeviceConnection | None = None
        self._is_plugged = False

    @property
    def boot(self) -> str | None:
        """Return the id of the store's contents, or None without power."""
        return None if self._memory is None else self._memory.boot

    @property
    def unacknowledged(self) -> int:
        """Return how many events the host does not have on disk."""
        return 0 if self._memory is None else self._memory.next_seq - self._memory.first_kept

    @property
    def has_room(self) -> bool:
        return self._memory is not None and not self._memory.is_full

    def power_back(self, now_ns: int) -> None:
        """Begin an empty store under another boot id."""
        self._memory = DeviceMemory(next(self._boots))
        self._connect(now_ns)

    def power_lost(self) -> None:
        self._memory = self._connection = None

    def plugged(self, now_ns: int) -> None:
        self._is_plugged = True
        self._connect(now_ns)

    def unplugged(self) -> None:
        self._is_plugged = False
        self._connection = None

    def _connect(self, now_ns: int) -> None:
        if self._is_plugged and self._memory is not None:
            self._connection = DeviceConnection(self.identity, self._memory, now_ns)

    def report_event(self, event: WireEvent, now_ns: int) -> None:
        """Keep the event, and send it when there is a host."""
        if self._connection is not None:
            self._connection.report_event(event, now_ns)
        elif self._memory is not None:
            self._memory.record(event)

    def serve(self, data: bytes, now_ns: int, obey: Callable[[WireCommand], str | None]) -> None:
        """Take bytes. Do and answer each command once."""
        for order in self._receive(data, now_ns):
            self._answer(order, obey(order.command), now_ns)

    def _receive(self, data: bytes, now_ns: int) -> list[Ordered]:
        if self._connection is None:
            return []
        self._connection.receive(data, now_ns)
        heard = iter(self._connection.next_event, None)
        return [event for event in heard if isinstance(event, Ordered)]

    def _answer(self, order: Ordered, refusal: str | None, now_ns: int) -> None:
        """Answer a command. Without a line the answer waits until the host repeats the order."""
        known = None if self._memory is None else self._memory.remembered(order.id)
        if known is None:
            return  # the power failed during the command, so this memory does not know it
        if self._connection is not None:
            self._connection.answer(order.id, refusal, now_ns)
        else:
            known.is_answered, known.refusal = True, refusal

    def data_to_send(self) -> bytes:
        return b"" if self._connection is None else self._connection.data_to_send()

    def next_timeout_ns(self) -> int | None:
        return None if self._connection is None else self._connection.next_timeout_ns()

    def handle_timeout(self, now_ns: int) -> None:
        if self._connection is not None:
            self._connection.handle_timeout(now_ns)
