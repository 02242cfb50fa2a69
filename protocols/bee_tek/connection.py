"""Both ends of the shoe's link: it speaks, and the host listens.

There is no number, no check, no acknowledgement and no sign of life. What was lost leaves no trace, and a line that
fits the grammar can still be wrong; only the table's own counts prove anything.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocols.bee_tek import messages as m
from protocols.bee_tek.wording import read_line, write_line
from protocols.lines import END, LineReader, TextLine
from protocols.link_end import LinkEnd


class HostConnection(LinkEnd[TextLine, m.ShoeLine]):
    """One connection of a host to one shoe. It never has anything to send."""

    __slots__ = ("_unknown_lines",)

    def __init__(self, now_ns: int) -> None:
        super().__init__(LineReader(), now_ns)
        self._unknown_lines = 0

    @property
    def unknown_lines(self) -> int:
        """How many lines nobody could explain."""
        return self._unknown_lines

    def _on_frame(self, frame: TextLine, now_ns: int) -> None:
        text = frame.text
        if not text.strip():
            return
        meaning = read_line(text)
        self._unknown_lines += isinstance(meaning, m.UnknownLine)
        self._emit(meaning)


@dataclass(frozen=True, slots=True)
class HostSpoke:
    """A host says something on a link on which it has nothing to say; it was left alone."""


class DeviceConnection(LinkEnd[TextLine, HostSpoke]):
    """One connection of a shoe."""

    __slots__ = ()

    def __init__(self, now_ns: int) -> None:
        super().__init__(LineReader(), now_ns)

    def report(self, line: m.ShoeLine, *, suit_first: bool = False) -> None:
        """Something happened."""
        self._out.extend(write_line(line, suit_first=suit_first).encode("ascii") + END)

    def _on_frame(self, frame: TextLine, now_ns: int) -> None:
        self._emit(HostSpoke())
