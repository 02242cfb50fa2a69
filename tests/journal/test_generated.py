"""The generated journals that the lab and the bench start on are such as a table would have written."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from daemon.journal.checking import check_while_playing
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.tools.journal.rounds import find_round, last_rounds
from daemon.tools.journal.verifying import verify
from tests.journal.generated import generate
from tests.systemd.long_journal import SOURCE


async def test_a_generated_journal_is_one_that_no_check_doubts(tmp_path: Path) -> None:
    path = tmp_path / "table.journal"
    with closing(JournalReader.open_read_only(SOURCE)) as source:
        rounds = [round_id for _, round_id in source.marks(1, source.last_offset())]
        records = generate(SOURCE, path, source.last_offset() + 1, processes=1)
    assert any(rounds), "the source names no round, so the copies prove nothing"
    doubts: list[str] = []
    with closing(Journal.open(path, create=False)) as journal:
        assert journal.last_offset() == records
        await check_while_playing(journal, doubts.append, pause_s=0)
    with closing(JournalReader.open_read_only(path)) as journal:
        assert (doubts, verify(journal, {}, None).faults) == ([], ())


def test_a_round_is_looked_for_no_further_than_the_next_one(tmp_path: Path) -> None:
    """In a forged journal a round without an end was looked for in all that came behind it, until memory ran out."""
    path = tmp_path / "table.journal"
    with closing(JournalReader.open_read_only(SOURCE)) as source:
        records = source.last_offset()
        *_, being_played = (round_id for _, round_id in source.marks(1, records) if round_id is not None)
        generate(SOURCE, path, 5 * records, processes=1)
    with closing(JournalReader.open_read_only(path)) as journal:
        found = find_round(journal, being_played)
        (last,) = last_rounds(journal, 1)
    assert found is not None
    assert not found.is_over
    assert len(found.lines) < records
    assert last.is_over
