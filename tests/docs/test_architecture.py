"""ARCHITECTURE shows what is: the diagrams, the journal's tables, and a hand's way in the minutes that it says."""

from __future__ import annotations

import re

import pytest

from daemon.journal.file import TABLES
from tests.docs.code import lines_in
from tests.docs.diagrams import DIAGRAMS
from tests.docs.documents import ROOT, blocks, cells, text_of

ARCHITECTURE = text_of("ARCHITECTURE.md")
WORDS_MAX = 1_500
MINUTES_MAX = 10
WORDS_A_MINUTE = 225
LINES_A_MINUTE = 15  # of code that the reader has never seen
OPENING_S = 5  # to find a function whose file is named


@pytest.mark.parametrize("title", DIAGRAMS)
def test_the_diagram_is_that_of_the_transition_table(title: str) -> None:
    shown = [block.strip("\n") for block in blocks(ARCHITECTURE, "mermaid")]
    assert DIAGRAMS[title] in shown, f"{title} has changed: python -m tests.docs.diagrams prints it"


def test_no_other_diagram_stands_there() -> None:
    assert len(blocks(ARCHITECTURE, "mermaid")) == len(DIAGRAMS)


def test_every_table_of_the_journal_is_listed_and_no_other() -> None:
    section = ARCHITECTURE.partition("## The journal\n")[2].partition("\n## ")[0]
    listed = re.findall(r"(?m)^\| `([a-z]+)` \|", section)
    assert listed
    assert set(listed) == set(re.findall(r"CREATE TABLE (\w+)", TABLES))


def test_a_hand_is_followed_in_ten_minutes() -> None:
    first, rule, _ = ARCHITECTURE.partition("\n---\n")
    assert rule
    assert "| when this fails |" in first
    words = len(re.findall(r"\S*\w\S*", first))
    assert words <= WORDS_MAX
    lines = [_lines_to_read(cell) for cell in cells(first, 1)]
    assert sum(map(len, lines)) >= 9, "a function for each step on the way"
    opening = sum(map(len, lines)) * OPENING_S / 60
    assert words / WORDS_A_MINUTE + sum(map(sum, lines)) / LINES_A_MINUTE + opening <= MINUTES_MAX


def _lines_to_read(cell: str) -> list[int]:
    """Return the length of each function that this step has a reader open."""
    file, beside, names = cell.partition("`: ")
    if not beside:
        return []
    return [lines_in(ROOT / file.strip("`"))[name] for name in re.findall(r"`([\w.]+)(?:\(\))?`", names)]
