"""Errors, named by who must act.

An error that somebody other than us can mend says what happened, carries a remedy in one sentence, and has a
code that stays the same for ever, because programs and support notes refer to it; nobody parses wording. The
class says who mends it, and that alone decides what the daemon does: wait and try again, or end with a status that
tells systemd whether a restart can help.

Everything else is our own mistake: it crashes, systemd restarts, and the journal replays. What is wrong with one
frame or one command is a value (`Garbage`, `Gap`, `Anomaly`, a refusing `Answer`), never an error.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar


class ExitStatus(IntEnum):
    """Every status that feltd ends with; from 64 up they are those of sysexits.h, which systemd prints by name."""

    OK = 0
    REFUSED = 1  # the work was done, and some of what was given was refused
    USAGE = 2  # the command line itself was wrong (click's own number)
    UNAVAILABLE = 69  # EX_UNAVAILABLE: something outside is missing or will not let us in; again later
    SOFTWARE = 70  # EX_SOFTWARE: our own mistake
    JOURNAL = 74  # EX_IOERR: the journal cannot be written or read, so nothing may go on
    CONFIGURATION = 78  # EX_CONFIG: only a changed file helps, so systemd does not restart

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS = {
    ExitStatus.OK: "all well",
    ExitStatus.REFUSED: "done, and some of what was given was refused; the output says which",
    ExitStatus.USAGE: "the command line is wrong",
    ExitStatus.UNAVAILABLE: "something outside is missing or refuses; trying again later can help",
    ExitStatus.SOFTWARE: "a defect of feltd itself",
    ExitStatus.JOURNAL: "the journal cannot be read or written; nothing was guessed",
    ExitStatus.CONFIGURATION: "the configuration has to be changed first",
}


class FeltdError(Exception):
    """An error that somebody can mend: what happened, what to do, and a stable code."""

    exit_status: ClassVar[ExitStatus]

    def __init__(self, code: str, message: str, remedy: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy} [{self.code}]"


class OutageError(FeltdError):
    """Something outside is away and will be back: back off, one log line down and one up."""

    exit_status = ExitStatus.UNAVAILABLE


class SetupError(FeltdError):
    """A technician has to change something on this machine: a permission, a port that is taken, a missing part."""

    exit_status = ExitStatus.UNAVAILABLE


class ConfigurationError(FeltdError):
    """An operator has to change the configuration. `feltd` ends with 78 and is not restarted."""

    exit_status = ExitStatus.CONFIGURATION


class JournalError(FeltdError):
    """The journal is full, corrupt or not ours: stop loudly, never guess, never start empty."""

    exit_status = ExitStatus.JOURNAL


def exit_status(error: BaseException) -> ExitStatus:
    """The status that this error ends the process with; of several at once, the one that most needs a person."""
    if isinstance(error, BaseExceptionGroup):
        return max(exit_status(inner) for inner in error.exceptions)
    return error.exit_status if isinstance(error, FeltdError) else ExitStatus.SOFTWARE
