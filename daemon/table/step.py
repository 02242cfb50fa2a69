"""The result of one input.

The journal commits the input with these facts and the answer. It stores no state and no command: a replay makes both
again. Nobody hears of any of it before the commit.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from daemon.table.facts import Fact
from daemon.table.said import Said
from drivers.commands import CommandDue
from protocols.frozen import dataclass

StateT = TypeVar("StateT")


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply to a request: accepted, or refused with a code and what would have been accepted."""

    accepted: bool
    code: str
    message: str
    said: Said | None = None  # the message, as a program reads it


@dataclass(frozen=True, slots=True)
class Step(Generic[StateT]):
    """The next state, what is now known, what devices are now to do, and the answer if somebody asked."""

    state: StateT
    facts: tuple[Fact, ...]
    commands: tuple[CommandDue, ...]
    answer: Answer | None = None
