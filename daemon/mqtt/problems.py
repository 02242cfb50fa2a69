"""Problems with the broker, each by its code.

A problem stands in the retained `status` from its beginning to its end. The log has one line for each of the two,
however often feltd tries again in between.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, TypeAlias

import structlog

from protocols.frozen import dataclass

ProblemCode: TypeAlias = Literal["event-refused", "people-file", "picture-refused"]
"""Every code. They are public names, and stay."""

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
        self._now: dict[ProblemCode, Problem] = {}

    @property
    def now(self) -> tuple[Problem, ...]:
        """Return the problems, in the order in which they began."""
        return tuple(self._now.values())

    def begin(self, code: ProblemCode, message: str, remedy: str) -> None:
        """Add this problem. Do nothing if it is already there with the same words."""
        problem = Problem(code, message, remedy)
        if self._now.get(code) == problem:
            return
        self._now[code] = problem
        _log.warning("mqtt-problem", code=code, message=message, remedy=remedy)
        self._changed()

    def end(self, code: ProblemCode) -> None:
        """Remove the problem with this code, if there is one."""
        if self._now.pop(code, None) is not None:
            _log.info("mqtt-problem-over", code=code)
            self._changed()
