"""Both ends of the shoe's link: it speaks, and the host listens.

There is no number, no check, no acknowledgement and no sign of life. What was lost leaves no trace, and a record that
fits the grammar can still be wrong. Only the table's own counts prove anything.
"""

from __future__ import annotations

from typing import Final

from protocols.bee_tek import messages as m
from protocols.bee_tek.records import Record, RecordReader
from protocols.bee_tek.wording import read_record, write_line
from protocols.lines import LineSpeaker
from protocols.link_end import LinkEnd
from protocols.listening import Listener, Saying


class HostConnection(LinkEnd[Record, m.ShoeRecord]):
    """One connection of a host to one shoe. It never has anything to send."""

    __slots__ = ()

    def __init__(self, now_ns: int) -> None:
        super().__init__(RecordReader(), now_ns)

    def _on_frame(self, frame: Record, now_ns: int) -> None:
        self._emit(read_record(frame.text))


class DeviceConnection(LineSpeaker):
    """One connection of a shoe. With `suit_first` it names a card's suit before its rank, as some shoes do."""

    __slots__ = ("_suit_first",)

    def __init__(self, now_ns: int, *, suit_first: bool = False) -> None:
        super().__init__(now_ns)
        self._suit_first: Final = suit_first

    def send(self, record: m.ShoeRecord) -> None:
        """Send a record on a line of its own."""
        self._say_line(write_line(record, suit_first=self._suit_first))


def listener() -> Listener[Record]:
    """Return a listener at the beginning of a stream."""
    return Listener(RecordReader(), lambda record: Saying(read_record(record.text)))
