"""What the page knows of the tables: as they wrote it, bounded, and always one line a message."""

from __future__ import annotations

import json

import pytest

from daemon.page.board import DOCUMENT_BYTES_MAX, EVENTS_A_ROUND_MAX, ROUNDS_KEPT, TABLES_MAX, Board


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
    (whole,) = [json.loads(each) for each in heard.board.snapshots(frozenset({"t7"}))]
    assert whole["status"] == {"status": "running"}
    assert whole["state"] is None
    assert [event["type"] for event in whole["recent"]] == ["dealer-prompted"]
    assert len(list(heard.board.snapshots(frozenset()))) == 2


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
    assert [event["type"] for event in json.loads(events)] == ["round-opened", "round-held", "round-voided"]
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
