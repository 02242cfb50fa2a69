"""Finds the copies of a report. The shoe sends each one three times under one SEQ.

Only the SEQ just before can be repeated: the range of SEQ is not known, and a range of two would look like a repetition
of the last but one. So a known report is one with the SEQ *and* the content of the last.

Another content under the same SEQ is a rival. The check is one byte, so damage that it does not see makes such a copy
now and then, and the three copies vote: a rival between two copies of the last report is damage. A rival that comes
twice, or that nothing outvotes, may be a report of its own. The first copy is handed on at once; only a rival waits for
the vote.
"""

from __future__ import annotations

from enum import Enum

from protocols.angel_eye.frame import ReportFrame
from protocols.angel_eye.limits import COPIES


class Sighting(Enum):
    """What a frame is, compared with the frames before it."""

    NEW = "new"
    COPY = "copy"
    SURPLUS = "surplus"  # a fourth copy of the same
    RIVAL = "rival"  # the same SEQ over something else, and the vote is open
    OUTVOTED = "outvoted"  # a copy that shows the rival to be damage
    CONTRADICTION = "contradiction"  # the same SEQ over something else, and no vote is against it


class Copies:
    """The last report, how often it was heard, and the rival that waits for the vote."""

    __slots__ = ("_count", "_last", "_rival", "_seen")

    def __init__(self) -> None:
        self._last: ReportFrame | None = None
        self._rival: ReportFrame | None = None
        self._count = 0
        self._seen = 0

    @property
    def count(self) -> int:
        """Return how often the last report came."""
        return self._count

    @property
    def seen(self) -> int:
        """Return how many frames came in a row under the last SEQ, with any content."""
        return self._seen

    @property
    def rival(self) -> ReportFrame | None:
        """Return the frame that waits for the vote, or None."""
        return self._rival

    def see_frame(self, frame: ReportFrame) -> Sighting:
        """Take the next frame, and return what it is."""
        if self._last is None or self._last.seq != frame.seq:
            self._last, self._rival, self._count, self._seen = frame, None, 1, 1
            return Sighting.NEW
        self._seen += 1
        if frame == self._last:
            self._count += 1
            was_open, self._rival = self._rival is not None, None
            if was_open:
                return Sighting.OUTVOTED
            return Sighting.COPY if self._count <= COPIES else Sighting.SURPLUS
        if self._rival is None and self._count < COPIES:
            self._rival = frame
            return Sighting.RIVAL
        self._count = 2 if frame == self._rival else 1
        self._last, self._rival = frame, None
        return Sighting.CONTRADICTION

    def close_vote(self) -> bool:
        """End the vote: no more copies will come. Return whether the rival stands. One against two does not."""
        rival, self._rival = self._rival, None
        if rival is None or self._count > 1:
            return False
        self._last, self._count = rival, 1
        return True
