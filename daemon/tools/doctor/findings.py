"""The results of a check."""

from __future__ import annotations

from enum import Enum
from typing import Literal, TypeAlias

from protocols.frozen import dataclass

CheckName: TypeAlias = Literal[
    "access",
    "broker",
    "broker-memory",
    "broker-publish",
    "broker-speed",
    "broker-subscribe",
    "clock",
    "configuration",
    "credential",
    "daemon",
    "device",
    "device-owner",
    "file",
    "identity",
    "identity-amqp",
    "identity-answers",
    "identity-client-id",
    "identity-commands",
    "identity-nobody",
    "identity-publish",
    "identity-share",
    "journal",
    "journal-directory",
    "journal-disk",
    "journal-room",
    "journal-writing",
    "people",
    "phase",
    "policy",
    "port",
    "udev-rules",
]
"""Every check of doctor and check. They are public names, and stay."""


class Verdict(Enum):
    """A problem stops the table. A warning can cost something later."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of one thing. `check` is stable; `said` and `remedy` are prose. Only `OK` has no remedy."""

    check: str
    subject: str
    verdict: Verdict
    said: str
    remedy: str = ""


def fine(check: CheckName, subject: str, said: str) -> Finding:
    """Return that the thing is as it should be."""
    return Finding(check, subject, Verdict.OK, said)


def warning(check: CheckName, subject: str, said: str, remedy: str) -> Finding:
    """Return that the thing works, but a person should look at it."""
    return Finding(check, subject, Verdict.WARNING, said, remedy)


def problem(check: CheckName, subject: str, said: str, remedy: str) -> Finding:
    """Return that the thing must be repaired."""
    return Finding(check, subject, Verdict.PROBLEM, said, remedy)
