"""A round's table as a picture: what everybody could see at each step, and nothing that was hidden then."""

from __future__ import annotations

import json
import re
from contextlib import closing
from pathlib import Path
from xml.etree import ElementTree

import pytest

from daemon.journal.reading import JournalReader
from daemon.table import view
from daemon.tools.journal.drawing import drawn, state_at
from daemon.tools.journal.rounds import RoundRecord, find_round, last_rounds
from tests.support.forked import feltd

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


@pytest.mark.parametrize("round_id", ["t7-1", "t7-2"])
def test_the_command_writes_the_public_table_at_every_step(signed: Path, round_id: str) -> None:
    done = feltd("journal", "show", signed, round_id, "--steps")
    assert done.returncode == 0
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    with closing(JournalReader.open_read_only(signed)) as journal:
        record = find_round(journal, round_id)
        assert record is not None
        assert [step["record"] for step in steps] == [line["offset"] for line in record.lines]
        expected = view.public(state_at(journal, record.first, steps[5]["record"]))
    assert steps[5]["table"]["phase"] == expected.phase.value
    assert steps[5]["table"]["prompt"] == expected.prompt
    assert {step["table"]["round_id"] for step in steps[:-1]} == {round_id}
