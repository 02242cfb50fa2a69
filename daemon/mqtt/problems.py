"""Problems with the broker, each by its code.

A problem stands in the retained `status` from its beginning to its end. The log has one line for each of the two,
however often feltd tries again in between.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault that a person has to correct."""

    code: str
    message: str
    remedy: str


class Problems:
    """The problems that exist now, by code."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._now: dict[str, Problem] = {}

    @property
    def now(self) -> tuple[Problem, ...]:
        """Return the problems, in the order in which they began."""
        return tuple(self._now.values())

    def begin(self, problem: Problem) -> None:
        """Add this problem. Do nothing if it is already there with the same words."""
        if self._now.get(problem.code) == problem:
            return
        self._now[problem.code] = problem
        _log.warning("mqtt-problem", code=problem.code, message=problem.message, remedy=problem.remedy)
        self._changed()

    def end(self, code: str) -> None:
        """Remove the problem with this code, if there is one."""
        if self._now.pop(code, None) is not None:
            _log.info("mqtt-problem-over", code=code)
            self._changed()
