"""What a check comes to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Verdict(Enum):
    """A problem keeps the table from being played; a warning can cost something later."""

    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"


@dataclass(frozen=True, slots=True)
class Finding:
    """One check of one thing. `check` is stable; `said` and `remedy` are prose, and only what is ok has no remedy."""

    check: str
    subject: str
    verdict: Verdict
    said: str
    remedy: str = ""


def fine(check: str, subject: str, said: str) -> Finding:
    """It is as it should be."""
    return Finding(check, subject, Verdict.OK, said)


def warning(check: str, subject: str, said: str, remedy: str) -> Finding:
    """It works, and should be looked at."""
    return Finding(check, subject, Verdict.WARNING, said, remedy)


def problem(check: str, subject: str, said: str, remedy: str) -> Finding:
    """It has to be mended."""
    return Finding(check, subject, Verdict.PROBLEM, said, remedy)
