"""What is wrong between us and the broker, by name: kept until it is over, and told once each way.

A problem stands in the retained status and in one log line when it begins and one when it ends, however often
the thing is tried again meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from daemon.errors import FeltdError

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that somebody has to see to."""

    code: str
    message: str
    remedy: str


class Problems:
    """The problems of now, by code."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._now: dict[str, Problem] = {}

    @property
    def now(self) -> tuple[Problem, ...]:
        """In the order in which they began."""
        return tuple(self._now.values())

    def begin(self, problem: Problem) -> None:
        """It is so, perhaps still so."""
        if self._now.get(problem.code) == problem:
            return
        self._now[problem.code] = problem
        _log.warning("mqtt-problem", code=problem.code, message=problem.message, remedy=problem.remedy)
        self._changed()

    def end(self, code: str) -> None:
        """It is over, if it was."""
        if self._now.pop(code, None) is not None:
            _log.info("mqtt-problem-over", code=code)
            self._changed()


def problem_of(error: FeltdError) -> Problem:
    """The error as a problem that stands."""
    return Problem(error.code, error.message, error.remedy)
