"""What the page knows of every table: its last documents, and the events of its last rounds.

A document is forwarded as the table wrote it. So a consumer gets every field, also one that is newer than this page.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from protocols.frozen import dataclass

DOCUMENT_BYTES_MAX: Final = 262_144
ROUNDS_KEPT: Final = 60
EVENTS_A_ROUND_MAX: Final = 2_000
EVENT_BYTES_MAX: Final = 65_536
EVENTS_BYTES_MAX: Final = 8 << 20  # of one table: sixty rounds of the largest table take a quarter of it
RECENT_EVENTS: Final = 60
TABLES_MAX: Final = 400
ENDS: Final = ("round-settled", "round-voided")
TROUBLES: Final = (
    "irregularity-found",
    "round-held",
    "round-interrupted",
    "ruling-given",
    "round-voided",
    "device-lost",
)

Tell: TypeAlias = Callable[[str, str, bytes], None]
"""Takes the kind of message, the table, and the message as one line of JSON."""


_Number = Annotated[str, msgspec.Meta(pattern=r"\A[0-9]{1,18}\Z")]


class _Heading(msgspec.Struct, frozen=True):
    """What the page reads of an event. The rest of it is the browser's to read."""

    type: str
    time: str
    data: msgspec.Raw
    roundid: str | None = None
    id: str = ""
    sequence: _Number | Literal[""] = ""

    @property
    def journal(self) -> str:
        return self.id.partition(":")[0]


class _Mark(msgspec.Struct, frozen=True):
    """What the page reads of a state."""

    journal: str
    sequence: _Number


@dataclass(frozen=True, slots=True)
class KnownFrom:
    """The first event of a table that the page has, of the table's present journal."""

    journal: str
    sequence: int


@dataclass(frozen=True, slots=True)
class _Event:
    heading: _Heading
    text: bytes


@dataclass(slots=True)
class _Table:
    """One table. Before its first message everything is null."""

    status: bytes = b"null"
    state: bytes = b"null"
    recent: deque[bytes] = field(default_factory=lambda: deque(maxlen=RECENT_EVENTS))
    rounds: dict[str, list[_Event]] = field(default_factory=dict)
    bytes_kept: int = 0

    def add(self, event: _Event) -> bool:
        """Put an event of a round into its place. Return whether it was new."""
        heading = event.heading
        if heading.roundid is None:
            return True
        events = self.rounds.setdefault(heading.roundid, [])
        if events and events[0].heading.journal != heading.journal:
            self._forget(heading.roundid)  # another journal counts its rounds from one again
            events = self.rounds.setdefault(heading.roundid, [])
        place = bisect_right(events, heading.sequence, key=_sequence)
        if place and heading.sequence and events[place - 1].heading.sequence == heading.sequence:
            return False
        if len(events) < EVENTS_A_ROUND_MAX:
            events.insert(place, event)
            self.bytes_kept += len(event.text)
        while len(self.rounds) > ROUNDS_KEPT or self.bytes_kept > EVENTS_BYTES_MAX:
            self._forget(min(self.rounds, key=self.begun))
        return True

    def _forget(self, round_id: str) -> None:
        self.bytes_kept -= sum(len(event.text) for event in self.rounds.pop(round_id))

    def begun(self, round_id: str) -> tuple[str, str]:
        """Return what orders the rounds: when they began."""
        first = self.rounds[round_id][0].heading
        return (first.time, first.sequence)


class Board:
    """All tables of the site, by name. `tell` hears of each change."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._tables: dict[str, _Table] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Return the tables that were heard of, in the order of their names."""
        return tuple(sorted(self._tables))

    def take(self, table: str, topic: str, payload: bytes) -> None:
        """Note a message on `status`, `state` or `event/…` of a table. One that is not JSON is left out."""
        text = _one_line(payload)
        if text is None or (table not in self._tables and len(self._tables) >= TABLES_MAX):
            return
        shown = self._tables.setdefault(table, _Table())
        if topic == "status":
            shown.status = text
        elif topic == "state":
            shown.state = text
        else:
            self._take_event(table, shown, text)
            return
        self._tell(topic, table, _object(table=_quoted(table), **{topic: text}))

    def _take_event(self, name: str, table: _Table, text: bytes) -> None:
        if len(text) > EVENT_BYTES_MAX:
            return
        try:
            heading = msgspec.json.decode(text, type=_Heading)
        except msgspec.ValidationError:
            return
        if table.add(_Event(heading, text)):
            table.recent.append(text)
            self._tell("event", name, _object(table=_quoted(name), event=text))

    def take_earlier(self, name: str, payload: bytes) -> None:
        """Note an event from before the page's start, which the table sent again. No open page is told."""
        text, table = _one_line(payload), self._tables.get(name)
        if text is None or table is None or len(text) > EVENT_BYTES_MAX:
            return
        try:
            heading = msgspec.json.decode(text, type=_Heading)
        except msgspec.ValidationError:
            return
        if heading.roundid is not None:
            table.add(_Event(heading, text))

    def known_from(self, name: str) -> KnownFrom | None:
        """Return from where on the page has a table's events, or None while it does not know the table."""
        table = self._tables.get(name)
        try:
            mark = None if table is None else msgspec.json.decode(table.state, type=_Mark)
        except msgspec.ValidationError:
            return None
        if table is None or mark is None:
            return None
        events = [events[0].heading for events in table.rounds.values()]
        known = [int(each.sequence) for each in events if each.journal == mark.journal and each.sequence]
        return KnownFrom(mark.journal, min([*known, int(mark.sequence) + 1]))

    def snapshot(self, name: str) -> tuple[bytes, ...]:
        """Return the whole of a table that was heard of, as pieces of JSON: whole, each browser would have its own."""
        table = self._tables[name]
        told = (b'{"table":', _quoted(name), b',"status":', table.status, b',"state":', table.state, b',"recent":')
        return (*told, *as_list(table.recent), b"}")

    def rounds(self, table: str) -> list[dict[str, Any]]:
        """Return a line for each round that is kept, the newest first."""
        kept = self._tables.get(table)
        if kept is None:
            return []
        order = sorted(kept.rounds, key=kept.begun)
        order.reverse()  # unlike a sorting in reverse, it puts the later of two that began together first
        return [_summary(round_id, kept.rounds[round_id]) for round_id in order]

    def round(self, table: str, round_id: str) -> tuple[bytes, ...] | None:
        """Return the events of one round, or None if it is not kept."""
        kept = self._tables[table].rounds.get(round_id) if table in self._tables else None
        return None if kept is None else tuple(event.text for event in kept)


def as_list(documents: Iterable[bytes]) -> Iterator[bytes]:
    """Yield a JSON list of these documents in pieces, without a copy of them."""
    yield b"["
    for number, document in enumerate(documents):
        if number:
            yield b","
        yield document
    yield b"]"


def _sequence(event: _Event) -> str:
    return event.heading.sequence


def _summary(round_id: str, events: list[_Event]) -> dict[str, Any]:
    end = next((event.heading for event in reversed(events) if event.heading.type in ENDS), None)
    return {
        "round": round_id,
        "began": events[0].heading.time,
        "events": len(events),
        "end": None if end is None else end.type,
        "data": None if end is None else end.data,
        "troubles": [event.heading.type for event in events if event.heading.type in TROUBLES],
    }


def _one_line(payload: bytes) -> bytes | None:
    """Return the JSON document on one line, or None if it is none. A line break ends a message of the stream."""
    if len(payload) > DOCUMENT_BYTES_MAX:
        return None
    try:
        msgspec.json.decode(payload)
        payload.decode()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    return payload.replace(b"\r", b" ").replace(b"\n", b" ")  # between values: inside a text JSON escapes them


def _quoted(text: str) -> bytes:
    return msgspec.json.encode(text)


def _object(**members: bytes) -> bytes:
    return b"{" + b",".join(b'"%b":%b' % (name.encode(), value) for name, value in members.items()) + b"}"
