"""What was seen of a device, before anybody judges it. Times are nanoseconds."""

from __future__ import annotations

from dataclasses import dataclass

from drivers.events import DeviceEvent, Identity, SetupFailed


@dataclass(frozen=True, slots=True)
class Meeting:
    """How a connection began: who answered, or what stood against it; with neither, nobody said who he is.

    `first_kept` and `next_seq` are the hello's, of a device that keeps events.
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
        """How many events the device has that nobody has acknowledged."""
        return self.next_seq - self.first_kept


@dataclass(frozen=True, slots=True)
class Beats:
    """The longest silence while somebody listened for so long."""

    watched_ns: int
    longest_ns: int


@dataclass(frozen=True, slots=True)
class Answer:
    """To a command: None as refusal when it was taken."""

    took_ns: int
    refusal: str | None


@dataclass(frozen=True, slots=True)
class Answers:
    """To harmless commands, one after the other; `asked` is more than there are answers when one did not come."""

    asked: int
    given: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class AskedTwice:
    """A command, the same under the same id, and another one under that id; None for no answer."""

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
    """After a damaged event: whether we asked for it again, and how long after the damage it came whole."""

    was_damaged: bool
    was_asked_for: bool
    took_ns: int | None


@dataclass(frozen=True, slots=True)
class Aftermath:
    """Over the connection after `seq` was acknowledged: how that began, and what came that should not have."""

    seq: int
    boot: str
    met: Meeting
    given_again: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Locking:
    """Lock, a packet ordered from the locked machine, unlock; None for no answer."""

    locked: Answer | None
    ordered: Answer | None
    unlocked: Answer | None


@dataclass(frozen=True, slots=True)
class Deal:
    """What came of shuffling, giving one packet and ejecting the rest.

    `refused` is the step that the machine did not take and why, `stuck` the one of which nothing was reported, `missed`
    what a person had to do and did not.
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
    """Everything that went over the line, without what was damaged on purpose."""

    received_bytes: int
    sent_bytes: int
    damaged: int  # pieces that are no frame
    asked_again: int  # holes in the numbers of events
    incomplete: int  # reports of which a copy is missing
    lost: int  # connections that broke
