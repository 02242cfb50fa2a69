"""The results of a check."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


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


def fine(check: str, subject: str, said: str) -> Finding:
    """Return that the thing is as it should be."""
    return Finding(check, subject, Verdict.OK, said)


def warning(check: str, subject: str, said: str, remedy: str) -> Finding:
    """Return that the thing works, but a person should look at it."""
    return Finding(check, subject, Verdict.WARNING, said, remedy)


def problem(check: str, subject: str, said: str, remedy: str) -> Finding:
    """Return that the thing must be repaired."""
    return Finding(check, subject, Verdict.PROBLEM, said, remedy)
