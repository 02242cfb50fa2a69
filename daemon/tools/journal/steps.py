"""Every step of a round that is over, as the public picture that the table retained then: for a program that draws it.

One line of JSON a record, `{"record": 17, "table": …}`, and `table` is that of the retained state. The middle of an
event's id is its record, so an event leads to its picture.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.journal.encoding import Codec
from daemon.journal.reading import JournalReader
from daemon.recovery import state_after
from daemon.table import view
from daemon.table.picture import TableView
from daemon.table.reducer import apply
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class RoundStep:
    """The table as everybody saw it after this record."""

    record: int
    table: TableView


_STEP: Final = Codec[RoundStep](RoundStep, {})


def steps(journal: JournalReader, first: int, last: int) -> Iterator[bytes]:
    """Yield each step of the round with these records, one line of JSON each."""
    state = state_after(journal, first, journal.carried_at(first))
    yield _STEP.encode(RoundStep(first, view.public(state)))
    for number, happened in journal.replay(first):
        if number > last:
            return
        state = apply(state, happened).state
        yield _STEP.encode(RoundStep(number, view.public(state)))
