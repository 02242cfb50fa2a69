"""Every line of the shoe as a person reads it."""

from __future__ import annotations

from protocols.bee_tek.wording import read_line
from protocols.lines import LineReader, TextLine
from protocols.listening import Listener, Saying


def listener() -> Listener[TextLine]:
    """A new one, at the beginning of a stream."""
    return Listener(LineReader(), lambda line: line.data, lambda line: Saying(read_line(line.text)))
