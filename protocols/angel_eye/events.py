"""The events of a connection for the program that owns it: first the host's, then the shoe's."""

from __future__ import annotations

from enum import StrEnum
from typing import TypeAlias

from protocols.angel_eye import messages as m
from protocols.frozen import dataclass


class Oddity(StrEnum):
    """Something that a sound shoe does not do."""

    SEQ_CONTRADICTED = "seq-contradicted"  # the report that follows has the SEQ of the last one, and says another thing
    COPY_OUTVOTED = "copy-outvoted"  # one copy said another thing than the others: damage that its check did not show
    SEQ_REPEATED = "seq-repeated"  # a fourth copy: the line repeats, or it is a new report under an old SEQ
    SEQ_OUTSIDE_RANGE = "seq-outside-range"
    ANSWER_UNASKED = "answer-unasked"
    COMMAND_HEARD = "command-heard"  # another host commands the shoe, or the line echoes


@dataclass(frozen=True, slots=True)
class ShoeReported:
    """A report, once. `is_contradiction`: another report came just before under the same SEQ.

    One of the two may be damage that the check did not find.
    """

    seq: int
    report: m.ShoeReport
    is_contradiction: bool = False


@dataclass(frozen=True, slots=True)
class Accepted:
    """The shoe took a command."""

    command: m.Command


@dataclass(frozen=True, slots=True)
class Refused:
    """The shoe did not take a command."""

    command: m.Command
    code: m.NakCode | int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The time for an answer is over. The shoe may have done the command, so it is not repeated."""

    command: m.Command


@dataclass(frozen=True, slots=True)
class ShoeOddity:
    """The shoe sent something sound that makes no sense, but nothing was lost."""

    code: Oddity
    detail: str


HostSideEvent: TypeAlias = ShoeReported | Accepted | Refused | Unanswered | ShoeOddity


@dataclass(frozen=True, slots=True)
class Commanded:
    """The host sent a command. The shoe's program answers it with `answer`."""

    command: m.Command


@dataclass(frozen=True, slots=True)
class RefusedAtOnce:
    """A command that never reached the program: damaged, unknown, or while another one waited."""

    code: m.NakCode


@dataclass(frozen=True, slots=True)
class HostOddity:
    """The host sent what only a shoe sends. It was ignored."""


DeviceSideEvent: TypeAlias = Commanded | RefusedAtOnce | HostOddity
