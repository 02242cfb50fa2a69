"""Which copy of a report is this? The shoe sends each one three times under one SEQ.

Only the SEQ just before can be repeated: nobody knows how far SEQ counts, and a range of two would look like a
repetition of the last but one. So a known report is one with the SEQ *and* the content of the last; the same SEQ over
another content is no repetition, and one copy too many may be a new report as well. Both are told, never swallowed.
"""

from __future__ import annotations

from enum import Enum

from protocols.angel_eye.frame import ReportFrame
from protocols.angel_eye.limits import COPIES


class Sighting(Enum):
    """What a frame is to the one before it."""

    NEW = "new"
    COPY = "copy"
    SURPLUS = "surplus"  # a fourth copy of the same
    CONTRADICTION = "contradiction"  # the same SEQ over something else


class Copies:
    """The last report, and how often it was heard."""

    __slots__ = ("_count", "_last")

    def __init__(self) -> None:
        self._last: ReportFrame | None = None
        self._count = 0

    @property
    def count(self) -> int:
        """How often the last report was heard."""
        return self._count

    def see(self, frame: ReportFrame) -> Sighting:
        """Take the next frame."""
        last, self._last = self._last, frame
        if last == frame:
            self._count += 1
            return Sighting.COPY if self._count <= COPIES else Sighting.SURPLUS
        self._count = 1
        return Sighting.CONTRADICTION if last is not None and last.seq == frame.seq else Sighting.NEW
