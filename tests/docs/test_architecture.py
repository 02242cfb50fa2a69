"""ARCHITECTURE shows what is: the diagrams and the journal's tables."""

from __future__ import annotations

import re

import pytest

from daemon.journal.file import TABLES
from tests.docs.diagrams import DIAGRAMS
from tests.docs.documents import blocks, prose, text_of

ARCHITECTURE = text_of("ARCHITECTURE.md")
FIRST_WORDS_MAX = 1500


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


def test_the_first_part_is_short() -> None:
    first, rule, _ = ARCHITECTURE.partition("\n---\n")
    assert rule
    assert len(re.findall(r"\S*\w\S*", prose(first))) <= FIRST_WORDS_MAX
