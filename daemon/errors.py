"""Errors, named by who must act.

An error that a person can repair says what happened and has a remedy. Its code never changes, because programs and
support notes refer to it. Its wording may change. Its class says who repairs it, and this alone decides what the
daemon does: wait and try again, or end with a status that tells systemd whether a restart can help.

Every other exception is a defect of ours: the process ends, systemd restarts it, and it continues on its journal. What
is wrong with one frame or one command is a value (`Garbage`, `Gap`, `Anomaly`, a refusing `Answer`), not an error.
"""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from daemon.error_codes import ErrorCode


class ExitStatus(IntEnum):
    """Every status that feltd ends with. Those from 64 up are from sysexits.h, and systemd prints them by name."""

    OK = 0
    REFUSED = 1  # the work was done, and some of what was given was refused
    USAGE = 2  # the command line itself was wrong (click's own number)
    UNAVAILABLE = 69  # EX_UNAVAILABLE: something outside feltd is missing or refuses; trying again later can help
    SOFTWARE = 70  # EX_SOFTWARE: a defect of ours
    JOURNAL = 74  # EX_IOERR: the journal cannot be written or read, so play has to stop
    CONFIGURATION = 78  # EX_CONFIG: only a changed file helps, so systemd does not restart

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


_MEANINGS = {
    ExitStatus.OK: "no problem",
    ExitStatus.REFUSED: "the work is done, but part of the input was refused; the output says which",
    ExitStatus.USAGE: "the command line is wrong",
    ExitStatus.UNAVAILABLE: "something outside feltd is missing or refuses; trying again later can help",
    ExitStatus.SOFTWARE: "a defect of feltd",
    ExitStatus.JOURNAL: "the journal cannot be read or written",
    ExitStatus.CONFIGURATION: "the configuration has to be corrected first",
}


class FeltdError(Exception):
    """An error that a person can repair: a stable code, what happened, what to do."""

    exit_status: ClassVar[ExitStatus]

    def __init__(self, code: ErrorCode, message: str, remedy: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy} [{self.code}]"


class OutageError(FeltdError):
    """Something outside feltd is away and will return: try again with pauses, log once down and once up."""

    exit_status = ExitStatus.UNAVAILABLE


class SetupError(FeltdError):
    """A technician has to change something on this machine: a permission, a port in use, a missing part."""

    exit_status = ExitStatus.UNAVAILABLE


class ConfigurationError(FeltdError):
    """An operator has to change the configuration. feltd ends with 78, and systemd does not restart it."""

    exit_status = ExitStatus.CONFIGURATION


class JournalError(FeltdError):
    """The journal is full, damaged or another table's. feltd ends, and never starts on an empty one instead."""

    exit_status = ExitStatus.JOURNAL


def exit_status(error: BaseException) -> ExitStatus:
    """Return the status for this error. For a group, return the one that most needs a person."""
    if isinstance(error, BaseExceptionGroup):
        return max(exit_status(inner) for inner in error.exceptions)
    return error.exit_status if isinstance(error, FeltdError) else ExitStatus.SOFTWARE
