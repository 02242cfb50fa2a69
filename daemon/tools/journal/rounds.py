"""Rounds as a person reads them: a line for each, and one with everything that happened in it.

Only what stands in the lines is shown, in their own words. So the journal of another version reads as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from daemon.clock import rfc3339
from daemon.journal.errors import JournalContentError
from daemon.journal.reading import JournalReader
from daemon.journal.record import NOT_THAT_JSON, When
from daemon.rules.money import dollars
from protocols.frozen import dataclass

ENDS: Final = ("round-settled", "round-voided")
PIECE: Final = 200
_NOT_FOR_READERS: Final = ("settings", "journal_hash", "paytable_hash", "said")
"""`said` is the sentence beside it once more, for screens in other languages."""
SHOWN_BY_OTHERS: Final = frozenset(
    {"kind", "at", "device", "client", "who", "role", "id", "round_id", "expires_utc_ns"}
)

Document: TypeAlias = Mapping[str, Any]


class _Own(msgspec.Struct):
    """An input's own, as far as it has to be there to be shown: of a report its event, of a request its action."""

    kind: str


class _Input(msgspec.Struct):
    kind: str
    at: When
    device: str = ""
    role: str = ""
    who: str = ""
    heard: str = ""
    event: _Own | None = None
    action: _Own | None = None


class _Answer(msgspec.Struct):
    accepted: bool
    message: str
    code: str


class _Fact(msgspec.Struct):
    kind: str
    data: dict[str, Any]
    round: str | None = None


class _Record(msgspec.Struct):
    """What has to be in a line to be shown. Who can write to the file can make a hash fit any line."""

    offset: int
    input: _Input
    facts: tuple[_Fact, ...] = ()
    answer: _Answer | None = None


class _Opened(msgspec.Struct):
    game: str


class _Over(msgspec.Struct):
    stakes_cents: int
    returned_cents: int


class _Void(msgspec.Struct):
    reason: str
    returned_cents: int


_SHOWN: Final[Mapping[str, type[msgspec.Struct]]] = {
    "round-opened": _Opened, "round-settled": _Over, "round-voided": _Void
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """A round's records, from the one that opened it to the one that ended it. `end` is None while it is played."""

    id: str
    game: str
    first: int
    lines: tuple[Document, ...]
    end: Document | None

    @property
    def is_over(self) -> bool:
        """Return whether the round has ended, and every card of it may be shown."""
        return self.end is not None


def find_round(journal: JournalReader, round_id: str) -> RoundRecord | None:
    """Return the records of a round, or None if the journal does not have it."""
    first = journal.opened_at(round_id)
    if first is None:
        return None
    following = journal.next_opened(first, round_id)  # where the next one opens, this one has ended
    lines: list[Document] = []
    game = ""
    for line in _records(journal, first, following):
        for fact in line.get("facts", ()):
            if fact.get("round") != round_id:
                continue
            if fact["kind"] == "round-opened":
                game = fact["data"]["game"]
            if fact["kind"] in ENDS:
                return RoundRecord(round_id, game, first, (*lines, line), fact)
        lines.append(line)
    return RoundRecord(round_id, game, first, tuple(lines), None)


def last_rounds(journal: JournalReader, count: int) -> list[RoundRecord]:
    """Return the last rounds that are over, the oldest first."""
    found: list[RoundRecord] = []
    last, piece = journal.last_offset(), PIECE
    while len(found) < count and last > journal.base.offset:
        first = max(journal.base.offset + 1, last - piece)
        ids = dict.fromkeys(round_id for _, round_id in journal.marks(first, last) if round_id is not None)
        piece = PIECE if ids else 2 * piece  # a forged number can be 2^63
        for round_id in reversed(ids):
            if all(round_id != known.id for known in found):
                record = find_round(journal, round_id)
                if record is not None and record.is_over:
                    found.append(record)
        last = first - 1
    return list(reversed(found[:count]))


def summary(record: RoundRecord) -> str:
    """Return a round in one line."""
    began, ended = (rfc3339(line["input"]["at"]["utc_ns"])[:19] for line in (record.lines[0], record.lines[-1]))
    if record.end is None:
        return f"{record.id:<16} {record.game:<20} {began} UTC  is being played"
    data = record.end["data"]
    if record.end["kind"] == "round-voided":
        came_to = f"void: {dollars(data['returned_cents'])} returned; {data['reason']}"
    else:
        came_to = f"{dollars(data['stakes_cents'])} staked, {dollars(data['returned_cents'])} returned"
    return f"{record.id:<16} {record.game:<20} {began} to {ended[11:]} UTC  {came_to}"


def told(record: RoundRecord) -> Iterator[str]:
    """Yield a round as lines of text: each input with who and when, and behind it what followed."""
    yield summary(record)
    for line in record.lines:
        happened = line["input"]
        at = rfc3339(happened["at"]["utc_ns"])[11:23]
        yield f"{line['offset']:>9}  {at}  {_source(happened):<22} {_words(_event(happened))}"
        if happened.get("heard"):
            yield f"{'':>25}  as bytes: {happened['heard'].encode('latin-1', 'backslashreplace')!r}"
        answer = line.get("answer")
        if answer is not None and not answer["accepted"]:
            yield f"{'':>25}  refused: {answer['message']} [{answer['code']}]"
        for fact in line.get("facts", ()):
            if fact.get("round", record.id) == record.id:  # its first and its last record are another round's, too
                yield f"{'':>25}  -> {fact['kind']} {_words(fact['data'])}".rstrip()


def _records(journal: JournalReader, first: int, last: int | None) -> Iterator[Document]:
    """Yield what these records say. Raise at one that was changed. Without a last one, end where no record follows."""
    while last is None or first <= last:
        there = enumerate(journal.offsets(first - 1, PIECE), first)
        limit = sum(number == offset for number, offset in there) if last is None else min(PIECE, last - first + 1)
        piece = first
        for record in journal.checked_one_by_one(first - 1, limit):
            try:
                yield _readable(record.line)
            except NOT_THAT_JSON as error:
                raise JournalContentError(journal.path, f"record {record.offset} is not as feltd writes it") from error
            first = record.offset + 1
        if first == piece:
            return


def _readable(line: bytes) -> Document:
    """Return a line in which everything that is shown of it is in its place, or raise one of NOT_THAT_JSON."""
    for fact in msgspec.json.decode(line, type=_Record).facts:
        if fact.kind in _SHOWN:
            msgspec.convert(fact.data, _SHOWN[fact.kind])
    return msgspec.json.decode(line, type=dict[str, Any])


def _source(happened: Document) -> str:
    match happened["kind"]:
        case "device-report":
            return str(happened.get("device"))
        case "request":
            return f"{happened.get('role')} {happened.get('who')}"
        case _:
            return "feltd"


def _event(happened: Document) -> Document:
    """Return what is the input's own: of a report its event, of a request its action."""
    inner = happened.get("event") or happened.get("action")
    if inner is None:
        return {"": happened["kind"], **{key: value for key, value in happened.items() if key not in SHOWN_BY_OTHERS}}
    return {"": inner["kind"], **{key: value for key, value in inner.items() if key != "kind"}}


def _words(value: Document) -> str:
    """Return a document in one line: a prompt's sentence, or the fields that say something."""
    if "sentence" in value:
        return str(value["sentence"])
    parts = []
    for key, inner in value.items():
        if inner is None or inner is False or inner in ([], "") or key in _NOT_FOR_READERS:
            continue
        text = dollars(inner) if key.endswith("_cents") and isinstance(inner, int) else _text(inner)
        parts.append(text if key == "" else f"{key.removesuffix('_cents')} {text}")
    return ", ".join(parts[:1]) + ("" if len(parts) < 2 else " " + ", ".join(parts[1:]))


def _text(value: object) -> str:
    if isinstance(value, dict):
        return f"({_words(value)})"
    if isinstance(value, list):
        return " ".join(_text(inner) for inner in value)
    return {True: "yes"}.get(value, str(value)) if isinstance(value, bool) else str(value)
