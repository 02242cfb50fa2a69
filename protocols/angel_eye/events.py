"""What a connection tells the program that owns it; the host's program first, then the shoe's."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from protocols.angel_eye import messages as m


class Oddity(StrEnum):
    """What a sound shoe does not do."""

    SEQ_CONTRADICTED = "seq-contradicted"  # the report that follows has the SEQ of the last one, and says another thing
    COPY_OUTVOTED = "copy-outvoted"  # one copy said another thing than the others: damage that its check did not show
    SEQ_REPEATED = "seq-repeated"  # a fourth copy: somebody repeats, or it is a new report under an old SEQ
    SEQ_OUTSIDE_RANGE = "seq-outside-range"
    ANSWER_UNASKED = "answer-unasked"
    COMMAND_HEARD = "command-heard"  # somebody else commands the shoe, or the line echoes


@dataclass(frozen=True, slots=True)
class Reported:
    """A report, once. `is_contradiction` when another report came just before under the same SEQ: one of the
    two may be damage that the check did not find."""

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
    """The time for an answer is over: nobody knows whether the command was done, and it is not repeated."""

    command: m.Command


@dataclass(frozen=True, slots=True)
class ShoeOddity:
    """The shoe did something sound that makes no sense and lost nothing."""

    code: Oddity
    detail: str


HostSideEvent: TypeAlias = Reported | Accepted | Refused | Unanswered | ShoeOddity


@dataclass(frozen=True, slots=True)
class Commanded:
    """The host wants this; the shoe's program answers it with `answer`."""

    command: m.Command


@dataclass(frozen=True, slots=True)
class RefusedAtOnce:
    """A command that never reached the program: damaged, unknown, or while another one waited."""

    code: m.NakCode


@dataclass(frozen=True, slots=True)
class HostOddity:
    """The host said what only a shoe says; it was left alone."""


DeviceSideEvent: TypeAlias = Commanded | RefusedAtOnce | HostOddity
