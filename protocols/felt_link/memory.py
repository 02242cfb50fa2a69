"""What each end remembers from one connection to the next.

A connection is made anew whenever a port is opened. What must survive that is here. A device remembers its
unacknowledged events and the commands that it has answered. A host remembers the last event that it delivered, the
last that is on its disk, and its unanswered commands.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from dataclasses import dataclass, field
from typing import Final

from protocols.errors import LocalProtocolError
from protocols.felt_link.fields import is_boot
from protocols.felt_link.limits import (
    COMMANDS_REMEMBERED,
    SEQ_MAX,
    STORE_DEPTH_MAX,
    STORE_RESERVE,
)
from protocols.felt_link.messages import FaultKind, WireCommand, WireEvent, WireFaultCleared, WireFaultRaised

# Far more than a table ever has under way. Beyond it something is stuck.
COMMANDS_WAITING_MAX: Final = 64


@dataclass(slots=True)
class Remembered:
    """A command that the device knows. `is_answered` is False until its application has answered."""

    command: WireCommand
    is_answered: bool = False
    refusal: str | None = None


class DeviceMemory:
    """A device's store: every event from when it is recorded until the host has it on disk.

    It never drops an event. When only the reserve is left it records the fault `store-full` by itself. From then on the
    device begins no motion and takes no key: the reserve is for the end of a motion that had begun. When the host has
    acknowledged down to half, the store clears the fault by itself.

    `boot` names this store's contents. A device that lost them, or their numbers, comes up with another boot.
    """

    def __init__(self, boot: str) -> None:
        if not is_boot(boot):
            raise LocalProtocolError("a boot id is 1 to 16 letters, digits or hyphens")
        self.boot: Final = boot
        self.sent_seq = 0
        self._first_kept = 1
        self._kept: Final[list[WireEvent]] = []
        self._is_full = False
        self._commands: Final[OrderedDict[str, Remembered]] = OrderedDict()

    @property
    def first_kept(self) -> int:
        """Return the oldest unacknowledged event, or `next_seq` if there is none."""
        return self._first_kept

    @property
    def next_seq(self) -> int:
        """Return the number that the next new event gets."""
        return self._first_kept + len(self._kept)

    @property
    def is_full(self) -> bool:
        """Return whether the store is down to its reserve: no motion may begin, and no key be taken."""
        return self._is_full

    def record(self, event: WireEvent) -> int:
        """Keep an event, and return its number."""
        if len(self._kept) >= STORE_DEPTH_MAX or self.next_seq > SEQ_MAX:
            raise LocalProtocolError("the store has no room: a device whose store is full begins nothing")
        self._kept.append(event)
        seq = self.next_seq - 1
        if not self._is_full and len(self._kept) >= STORE_DEPTH_MAX - STORE_RESERVE:
            self._is_full = True
            self._kept.append(WireFaultRaised(FaultKind.STORE_FULL, "the host acknowledges nothing"))
        return seq

    def event(self, seq: int) -> WireEvent:
        """Return a kept event by its number."""
        return self._kept[seq - self._first_kept]

    def acknowledge(self, seq: int) -> None:
        """Forget every event up to `seq`: the host has them on disk. Idempotent."""
        if seq > self.sent_seq:
            raise LocalProtocolError(f"event {seq} was never sent, so it cannot be acknowledged")
        del self._kept[: max(0, seq + 1 - self._first_kept)]
        self._first_kept = max(self._first_kept, seq + 1)
        if self._is_full and len(self._kept) <= STORE_DEPTH_MAX // 2:
            self._is_full = False
            self._kept.append(WireFaultCleared(FaultKind.STORE_FULL))

    def remembered(self, command_id: str) -> Remembered | None:
        """Return what is remembered of a command, or None if this id is new."""
        return self._commands.get(command_id)

    def begin_command(self, command_id: str, command: WireCommand) -> Remembered:
        """Remember a new command, and forget the oldest beyond the limit."""
        self._commands[command_id] = known = Remembered(command)
        while len(self._commands) > COMMANDS_REMEMBERED:
            self._commands.popitem(last=False)
        return known


@dataclass(slots=True)
class HostMemory:
    """A host's place in one device's numbering, and its unanswered commands in their order.

    `on_disk` is the last event that the journal has and the device may forget. `delivered` is the last that the
    application was given. After a lost connection the device sends again all events that are not on disk, and an event
    must not be delivered twice. `asked_again` counts the NAKs: a line that loses or damages frames shows in it. `given`
    has the last orders, answered ones too: an answer may come again, and one to any other order was not asked for here.
    """

    boot: str | None = None
    on_disk: int = 0
    delivered: int = 0
    asked_again: int = 0
    commands: OrderedDict[str, WireCommand] = field(default_factory=OrderedDict)
    given: deque[str] = field(default_factory=lambda: deque(maxlen=COMMANDS_REMEMBERED))

    @classmethod
    def resume(cls, boot: str, seq: int) -> HostMemory:
        """Return the memory of a restarted host, which knows only what is on its disk."""
        return cls(boot, seq, seq)

    def queue(self, command_id: str, command: WireCommand) -> None:
        """Put a command at the end, unless a command with this id already waits."""
        if command_id in self.commands:
            if self.commands[command_id] != command:
                raise LocalProtocolError(f"the id {command_id} names two commands")
            return
        if len(self.commands) >= COMMANDS_WAITING_MAX:
            raise LocalProtocolError(f"{COMMANDS_WAITING_MAX} commands wait already")
        self.commands[command_id] = command
        self.given.append(command_id)
