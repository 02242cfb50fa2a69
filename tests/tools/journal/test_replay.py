"""replay: this version agrees with itself, and names where a journal says something else."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from daemon.journal.reading import JournalReader
from daemon.tools.journal.replay import Difference, replay
from tests.journal.values import tampered
from tests.support.forked import feltd


def differences(path: Path) -> list[Difference]:
    with closing(JournalReader.open_read_only(path)) as journal:
        return list(replay(journal))


def record_with(path: Path, text: bytes) -> int:
    with closing(JournalReader.open_read_only(path)) as journal:
        return next(record.offset for record in journal.stored(0, 10_000) if text in record.line)


def test_a_version_agrees_with_its_own_journals(signed: Path, unsigned: Path) -> None:
    assert differences(signed) == differences(unsigned) == []
    done = feltd("journal", "replay", signed)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("at", "old", "new", "what"),
    [
        (b'"deck-accounted"', b'"dealt":5', b'"dealt":6', "what deck-accounted says"),
        (b'"deck-accounted"', b'"kind":"deck-accounted"', b'"kind":"stub-count-asked"', "it said "),
        (b'"bet-placed"', b'"code":"accepted"', b'"code":"agreed"', "the answer is accepted"),
        (b'"rounds_opened":2', b'"rounds_opened":2', b'"rounds_opened":3', "what is carried over"),
    ],
)
def test_what_this_version_would_have_written_otherwise_is_named(
    signed: Path, at: bytes, old: bytes, new: bytes, what: str
) -> None:
    """As another version would have written it: hashed as it stands."""
    offset = record_with(signed, at)
    tampered(signed, offset, old, new)
    found = differences(signed)
    assert found[0].offset == offset
    assert found[0].what.startswith(what)


def test_a_difference_is_not_counted_again_in_what_follows_from_it(signed: Path) -> None:
    offset = record_with(signed, b'"deck-accounted"')
    tampered(signed, offset, b'"dealt":5', b'"dealt":6')
    assert len(differences(signed)) == 1
    assert feltd("journal", "replay", signed).returncode == 1
