"""Observations of a device, before they are judged. Times are nanoseconds."""

from __future__ import annotations

from drivers.events import DeviceEvent, Identity, SetupFailed
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a connection began: which device answered, or which problem there was. With neither, no device said hello.

    `first_kept` and `next_seq` come from the hello of a device that keeps events.
    """

    took_ns: int
    identity: Identity | None = None
    boot: str = ""
    resumed: bool = False
    first_kept: int = 0
    next_seq: int = 0
    problem: SetupFailed | None = None

    @property
    def kept(self) -> int:
        """Return how many unacknowledged events the device holds."""
        return self.next_seq - self.first_kept


@dataclass(frozen=True, slots=True)
class Beats:
    """The longest silence while we listened for `watched_ns`."""

    watched_ns: int
    longest_ns: int


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a command. `refusal` is None if the device accepted it."""

    took_ns: int
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers to harmless commands, one after the other. If one is missing, `asked` is larger than their number."""

    asked: int
    given: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class AskedTwice:
    """Answers to a command, to the same under the same id, and to another under that id. None: it did not answer."""

    first: Answer | None
    again: Answer | None
    other: Answer | None


@dataclass(frozen=True, slots=True)
class Redelivery:
    """Whether event `seq` came again over a new connection, with the mark of an event that was sent before."""

    seq: int
    boot: str
    met: Meeting
    took_ns: int | None
    is_marked: bool


@dataclass(frozen=True, slots=True)
class Repair:
    """After a damaged event: whether we asked for it again, and how long after the damage it came undamaged."""

    was_damaged: bool
    was_asked_for: bool
    took_ns: int | None


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The connection after `seq` was acknowledged: how it began, and which events came that should not have."""

    seq: int
    boot: str
    met: Meeting
    given_again: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Locking:
    """Answers to lock, to a packet ordered from the locked machine, and to unlock. None: it did not answer."""

    locked: Answer | None
    ordered: Answer | None
    unlocked: Answer | None


@dataclass(frozen=True, slots=True)
class Deal:
    """What came of shuffling, dispensing one packet and ejecting the rest.

    `refused` is the step that the machine refused, and why. `stuck` is the step whose end was not reported. `missed` is
    what a person should have done.
    """

    cards_a_packet: int
    happened: tuple[DeviceEvent, ...]
    shuffle_ns: int | None = None
    packet_ns: int | None = None
    refused: tuple[str, str] | None = None
    stuck: str | None = None
    missed: str | None = None


@dataclass(frozen=True, slots=True)
class LineCount:
    """Counts of the line, without what was damaged on purpose."""

    received_bytes: int
    sent_bytes: int
    damaged: int  # pieces that are not a frame
    asked_again: int  # holes in the numbers of events
    incomplete: int  # reports of which a copy is missing
    lost: int  # connections that broke
