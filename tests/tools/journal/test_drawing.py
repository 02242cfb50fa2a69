"""A round's table as a picture: what everybody could see at each step, and nothing that was hidden then."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from daemon.journal.reading import JournalReader
from daemon.tools.journal.drawing import drawn
from daemon.tools.journal.rounds import RoundRecord, find_round, last_rounds
from tests.daemon.test_cli import feltd

SVG = "{http://www.w3.org/2000/svg}"
FACE_DOWN = "#7a1f2b"


def shown(svg: str) -> tuple[list[str], int]:
    """The cards that lie open in a picture, and how many lie face down."""
    root = ElementTree.fromstring(svg)  # noqa: S314  # our own
    cards = [text.text or "" for text in root.iter(f"{SVG}text") if "card" in text.get("class", "")]
    return cards, sum(rect.get("fill") == FACE_DOWN for rect in root.iter(f"{SVG}rect"))


def step_of(record: RoundRecord, kind: str) -> int:
    """The first record of a round in which the table said this."""
    said = ((int(line["offset"]), fact["kind"]) for line in record.lines for fact in line.get("facts", ()))
    return next(offset for offset, each in said if each == kind)


def test_a_hand_lies_face_down_until_it_is_shown(signed: Path) -> None:
    with closing(JournalReader.open_read_only(signed)) as journal:
        record = find_round(journal, "t7-1")
        assert record is not None
        dealt = drawn(journal, record.first, step_of(record, "hand-dealt"))
        settled = drawn(journal, record.first, step_of(record, "hand-settled"))
    assert shown(dealt) == ([], 5)
    cards, hidden = shown(settled)
    assert (len(cards), hidden) == (5, 0)
    assert "four of a kind" in settled


@pytest.mark.parametrize("played", ["signed", "unsigned"])
def test_every_step_of_every_round_can_be_drawn(played: str, request: pytest.FixtureRequest) -> None:
    with closing(JournalReader.open_read_only(request.getfixturevalue(played))) as journal:
        for record in last_rounds(journal, 100):
            for line in record.lines[:: max(1, len(record.lines) // 4)]:
                shown(drawn(journal, record.first, line["offset"]))


def test_the_command_draws_the_last_step_or_the_one_that_is_named(signed: Path, tmp_path: Path) -> None:
    file = tmp_path / "t7-1.svg"
    assert feltd("journal", "show", signed, "t7-1", "--picture", file).returncode == 0
    last = file.read_text(encoding="utf-8")
    assert re.search(r"record \d+, 2026", last)
    with closing(JournalReader.open_read_only(signed)) as journal:
        record = find_round(journal, "t7-1")
    assert record is not None
    assert feltd("journal", "show", signed, "t7-1", "--picture", file, "--at", str(record.first)).returncode == 0
    assert shown(file.read_text(encoding="utf-8")) == ([], 0)
    refused = feltd("journal", "show", signed, "t7-1", "--picture", file, "--at", "1")
    assert refused.returncode == 2
    assert "t7-1 has the records" in refused.stderr
