"""Running a journal through this version: where would it have decided otherwise?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from daemon.journal.errors import JournalContentError
from daemon.journal.kinds import FACT_KINDS
from daemon.journal.reading import JournalReader, StoredRecord
from daemon.journal.record import ANSWERS, FACT_BODIES, NOTHING, FactLine, RecordLine
from daemon.journal.values import EncodingError
from daemon.recovery import state_after
from daemon.table.carry_over import carry_over
from daemon.table.facts import Fact
from daemon.table.inputs import Configured
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import RoundSettled
from daemon.table.state import TableState
from daemon.table.step import Step
from protocols.frozen import dataclass

PIECE: Final = 500


@dataclass(frozen=True, slots=True)
class Difference:
    """A record that this version would have written otherwise, and in what."""

    offset: int
    what: str


def replay(
    journal: JournalReader, on_progress: Callable[[int, int], None] = lambda _, __: None
) -> Iterator[Difference]:
    """Yield the first record of each round that this version would have written otherwise.

    After a difference it continues from what the next round's end carries over, so that one difference is not counted
    again in everything that follows from it.
    """
    table = _Replayed(journal)
    offset, end = journal.base.offset, journal.last_offset()
    while found := journal.checked(offset, PIECE):
        for record in found:
            what = table.take(record)
            if what is not None:
                yield Difference(record.offset, what)
        offset = found[-1].offset
        on_progress(offset - journal.base.offset, end - journal.base.offset)


class _Replayed:
    """The table as this version makes it, or None until it can be taken from what a record carries over."""

    def __init__(self, journal: JournalReader) -> None:
        self._journal = journal
        self._state: TableState | None = None

    def take(self, record: StoredRecord) -> str | None:
        """Take the next record. Return what this version would have written otherwise, if anything."""
        line, happened = self._journal.read(record)
        what = None
        if self._state is None and record.offset == 1 and isinstance(happened, Configured):
            self._state = blank(happened)
        if self._state is not None:
            try:
                step = apply(self._state, happened)
            except AssertionError as defect:
                what, self._state = f"this version stops: {defect}", None
            else:
                what, self._state = self._difference(line, step), step.state
        if line.carried is not NOTHING:
            carried = self._journal.carried_at(record.offset)
            if what is None and self._state is not None and carry_over(self._state) != carried.table:
                what = "what is carried over"
            self._state = state_after(self._journal, record.offset, carried)
        elif what is not None:
            self._state = None
        return what

    def _difference(self, line: RecordLine, step: Step[TableState]) -> str | None:
        try:
            return _difference(line, step)
        except EncodingError as error:
            raise JournalContentError(self._journal.path, f"record {line.offset}, {error}") from error


def _difference(line: RecordLine, step: Step[TableState]) -> str | None:
    if line.answer is not NOTHING and (step.answer is None or ANSWERS.encode(step.answer) != bytes(line.answer)):
        return f"the answer is {'none' if step.answer is None else step.answer.code}"
    said, now = [fact.kind for fact in line.facts], [FACT_KINDS[type(fact.data)] for fact in step.facts]
    if said != now:
        return f"it said {', '.join(said) or 'nothing'}, and this version says {', '.join(now) or 'nothing'}"
    for written, fact in zip(line.facts, step.facts, strict=True):
        if written.round != fact.round_id or _body(written, fact) != bytes(written.data):
            return f"what {written.kind} says"
    return None


def _body(written: FactLine, fact: Fact) -> bytes:
    """Return the fact's bytes. The hash in a settled round is the journal's, and taken as it was written."""
    codec, data = FACT_BODIES[written.kind], fact.data
    if isinstance(data, RoundSettled):
        then = codec.decode(bytes(written.data))
        assert isinstance(then, RoundSettled)
        data = replace(data, journal_hash=then.journal_hash)
    return codec.encode(data)
