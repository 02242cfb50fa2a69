"""Both ends of the shoe's link: it speaks, and the host listens.

There is no number, no check, no acknowledgement and no sign of life. What was lost leaves no trace, and a line that
fits the grammar can still be wrong; only the table's own counts prove anything.
"""

from __future__ import annotations

from typing import Final

from protocols.bee_tek import messages as m
from protocols.bee_tek.wording import read_line, write_line
from protocols.lines import LineReader, LineSpeaker, TextLine
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


class DeviceConnection(LineSpeaker):
    """One connection of a shoe. With `suit_first` it names a card's suit before its rank, as some shoes do."""

    __slots__ = ("_suit_first",)

    def __init__(self, now_ns: int, *, suit_first: bool = False) -> None:
        super().__init__(now_ns)
        self._suit_first: Final = suit_first

    def send(self, line: m.ShoeLine) -> None:
        """Send a line."""
        self._say_line(write_line(line, suit_first=self._suit_first))
