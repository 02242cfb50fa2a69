"""What the page knows of the tables: as they wrote it, bounded, and always one line a message."""

from __future__ import annotations

import json

import pytest

from daemon.page import board, streams
from daemon.page.board import DOCUMENT_BYTES_MAX, EVENTS_A_ROUND_MAX, ROUNDS_KEPT, TABLES_MAX, Board, KnownFrom


class Heard:
    """A board, and what it tells."""

    def __init__(self) -> None:
        self.said: list[tuple[str, str, bytes]] = []
        self.board = Board(lambda kind, table, data: self.said.append((kind, table, data)))

    def event(self, kind: str, round_id: str | None = None, **data: object) -> None:
        event = {"type": kind, "time": "2026-11-18T12:00:00Z", "data": data, "roundid": round_id}
        self.board.take("t7", f"event/{kind}", json.dumps(event).encode())


@pytest.fixture
def heard() -> Heard:
    return Heard()


def test_a_document_is_told_as_the_table_wrote_it(heard: Heard) -> None:
    heard.board.take("t7", "state", b'{"table":{"new-field":[1]}}')
    ((kind, table, data),) = heard.said
    assert (kind, table) == ("state", "t7")
    assert json.loads(data) == {"table": "t7", "state": {"table": {"new-field": [1]}}}


def test_a_line_break_does_not_end_a_message_of_the_stream(heard: Heard) -> None:
    heard.board.take("t7", "state", b'{"a":\n\n"x\\ny",\r\n"b": 1}')
    assert b"\n" not in heard.said[0][2]
    assert b"\r" not in heard.said[0][2]
    assert json.loads(heard.said[0][2])["state"] == {"a": "x\ny", "b": 1}


@pytest.mark.parametrize("payload", [b"", b"{", b"\xff", b'"\xff"', b"[" * 100_000, b" " * (DOCUMENT_BYTES_MAX + 1)])
def test_what_is_not_a_document_is_left_out(heard: Heard, payload: bytes) -> None:
    heard.board.take("t7", "state", payload)
    assert heard.said == []


def test_a_page_that_joins_gets_the_whole_table(heard: Heard) -> None:
    heard.board.take("t7", "status", b'{"status":"running"}')
    heard.board.take("t8", "state", b'{"sequence":"9"}')
    heard.event("dealer-prompted", sentence="Go", steps=[])
    whole = json.loads(b"".join(heard.board.snapshot("t7")))
    assert whole["status"] == {"status": "running"}
    assert whole["state"] is None
    assert [event["type"] for event in whole["recent"]] == ["dealer-prompted"]
    assert heard.board.names == ("t7", "t8")


def test_a_round_is_kept_with_its_end_and_its_troubles(heard: Heard) -> None:
    heard.event("round-opened", "t7-1", number=1)
    heard.event("round-held", "t7-1", reason="asked")
    heard.event("round-voided", "t7-1", returned_cents=500)
    (row,) = json.loads(json.dumps(heard.board.rounds("t7"), default=lambda raw: json.loads(bytes(raw))))
    assert (row["round"], row["end"], row["events"]) == ("t7-1", "round-voided", 3)
    assert row["data"] == {"returned_cents": 500}
    assert row["troubles"] == ["round-held", "round-voided"]
    events = heard.board.round("t7", "t7-1")
    assert events is not None
    assert [json.loads(event)["type"] for event in events] == ["round-opened", "round-held", "round-voided"]
    assert heard.board.round("t7", "t7-9") is None
    assert heard.board.rounds("t9") == []


def test_memory_is_bounded_whatever_comes(heard: Heard) -> None:
    for number in range(ROUNDS_KEPT + 5):
        heard.event("round-opened", f"t7-{number}", number=number)
    for _ in range(EVENTS_A_ROUND_MAX + 5):
        heard.event("bet-placed", "t7-64")
    assert len(heard.board.rounds("t7")) == ROUNDS_KEPT
    assert heard.board.rounds("t7")[0]["events"] == EVENTS_A_ROUND_MAX
    for number in range(TABLES_MAX + 5):
        heard.board.take(f"x{number}", "status", b"{}")
    assert len(heard.board.names) == TABLES_MAX


def in_journal(number: int, journal: str = "ab", round_id: str = "t7-1") -> bytes:
    envelope = {
        "type": "bet-placed",
        "time": f"2026-11-18T12:00:{number:02}Z",
        "data": {},
        "roundid": round_id,
        "id": f"{journal}:{number}:0",
        "sequence": f"{number:012}",
    }
    return json.dumps(envelope).encode()


def sequences(board: Board, round_id: str = "t7-1") -> list[int]:
    events = board.round("t7", round_id)
    assert events is not None
    return [int(json.loads(event)["sequence"]) for event in events]


def test_an_earlier_event_goes_into_its_place_and_an_open_page_is_not_told(heard: Heard) -> None:
    for number in (5, 7, 7):
        heard.board.take("t7", "event/bet-placed", in_journal(number))
    for number in (6, 4, 5):
        heard.board.take_earlier("t7", in_journal(number))
    heard.board.take_earlier("t7", in_journal(1, round_id="t7-0"))
    heard.board.take_earlier("t7", b"{")
    heard.board.take_earlier("t8", in_journal(1))
    assert sequences(heard.board) == [4, 5, 6, 7]
    assert [row["round"] for row in heard.board.rounds("t7")] == ["t7-1", "t7-0"]
    assert [kind for kind, _, _ in heard.said] == ["event", "event"]


def test_another_journal_begins_its_rounds_anew(heard: Heard) -> None:
    for number in (5, 6):
        heard.board.take("t7", "event/bet-placed", in_journal(number))
    heard.board.take("t7", "event/bet-placed", in_journal(2, "cd"))
    assert sequences(heard.board) == [2]


def test_the_page_knows_from_where_on_it_has_events(heard: Heard) -> None:
    assert heard.board.known_from("t7") is None
    heard.board.take("t7", "state", b'{"journal": "ab", "sequence": "000000000009"}')
    assert heard.board.known_from("t7") == KnownFrom("ab", 10)
    heard.board.take("t7", "event/bet-placed", in_journal(8))
    assert heard.board.known_from("t7") == KnownFrom("ab", 8)
    heard.board.take("t7", "event/bet-placed", in_journal(3, "old", "t7-0"))
    assert heard.board.known_from("t7") == KnownFrom("ab", 8)
    heard.board.take("t8", "status", b"{}")
    assert heard.board.known_from("t8") is None


@pytest.mark.parametrize("sequence", ["", "x", "1.5", "\u0663", "-1", "9" * 5_000, "1\n", None, 7, []])
def test_a_sequence_that_is_no_number_spoils_nothing(heard: Heard, sequence: object) -> None:
    """A table's own user can publish it. Its rounds then showed everybody an error until the next start."""
    odd = {"type": "round-settled", "time": "", "data": {}, "roundid": "t7-2", "id": "ab:1:0", "sequence": sequence}
    heard.board.take("t7", "state", b'{"journal":"ab","sequence":"000000000005"}')
    heard.board.take("t7", "event/round-settled", json.dumps(odd).encode())
    heard.board.take("t7", "event/round-settled", in_journal(4))
    assert heard.board.known_from("t7") == KnownFrom("ab", 4)
    heard.board.take("t7", "state", json.dumps({"journal": "ab", "sequence": sequence}).encode())
    assert heard.board.known_from("t7") is None


def test_the_bytes_of_a_table_are_bounded_whatever_it_says(heard: Heard, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that is somebody else's by now cannot end the page of all others."""
    monkeypatch.setattr(board, "EVENTS_BYTES_MAX", 10_000)
    heard.event("hand-settled", "t7-0", text="x" * board.EVENT_BYTES_MAX)
    assert heard.said == []
    for number in range(1, 40):
        heard.event("hand-settled", f"t7-{number // 5}", text="x" * 1_000)
        kept = [heard.board.round("t7", str(each["round"])) for each in heard.board.rounds("t7")]
        assert sum(len(event) for events in filter(None, kept) for event in events) <= 10_000
    assert next(each["round"] for each in heard.board.rounds("t7")) == "t7-7"


def test_a_browser_that_takes_nothing_of_large_events_loses_its_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "WAITING_BYTES_MAX", 1_000)
    stream = streams.Stream(frozenset())
    for taken in (False, True):
        for _ in range(3):
            stream.put("event", "t7", b"x" * 200)
        assert not stream.is_over, f"taken before: {taken}"
        stream.taken()
    for _ in range(6):
        stream.put("event", "t7", b"x" * 200)
    assert stream.is_over
