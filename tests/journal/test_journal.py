"""The journal on a real disk: what is appended is there, in order, once, and under its own name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from daemon.journal.errors import JournalContentError
from daemon.journal.journal import Journal
from daemon.journal.reading import FACTS_AHEAD, ROWS_MAX, JournalReader
from daemon.journal.record import Carried
from daemon.rules.limits import Day
from daemon.rules.wagers import GameName
from daemon.table.carry_over import CarryOver
from daemon.table.facts import Fact
from daemon.table.step import Answer
from daemon.table.vocabulary import RequestId
from drivers.events import DeviceName, DeviceReport, LinkLost, Receipt
from tests.journal.values import ACCEPTED, BET, HAND, ROUND, SHOE, at, bet, configured, dispensed, step, tampered
from tests.support.sentences import Says


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    opened = Journal.open(path, create=True)
    yield opened
    opened.close()


def reopened(journal: Journal) -> Journal:
    journal.close()
    return Journal.open(journal.path, create=False)


def test_a_new_journal_is_empty_and_belongs_to_its_user_alone(journal: Journal) -> None:
    assert (journal.last_offset(), journal.last_sequence(), list(journal.replay(0))) == (0, 0, [])
    assert {file.stat().st_mode & 0o777 for file in journal.path.parent.iterdir()} == {0o600}


def test_an_event_comes_back_with_its_facts(journal: Journal) -> None:
    event = dispensed(1)
    committed = journal.append(event, step(facts=2))
    again = reopened(journal)
    assert list(again.replay(0)) == [(1, event)]
    assert again.facts_after(0, 10) == committed.facts
    assert [stored.fact() for stored in committed.facts] == [Fact(ROUND, BET), Fact(ROUND, HAND)]
    again.close()


def test_a_fact_says_which_rules_when_and_under_which_id(journal: Journal) -> None:
    journal.append(configured(1, rules_version="rules-7"), step(facts=0))
    first, second = journal.append(dispensed(2), step(facts=2)).facts
    assert (first.kind, second.kind) == ("bet-placed", "hand-settled")
    assert (first.id, second.id) == (f"{journal.id}:2:0", f"{journal.id}:2:1")
    assert (first.sequence, second.sequence) == (1, 2)
    assert (first.utc_ns, first.rules_version, first.round_id) == (at(2).utc_ns, "rules-7", ROUND)
    said = b'{"seat":1,"wager":"big_50","stake_cents":500,"colour":null,"who":"player 1","role":null'
    assert first.body == said + b',"evidence":"entered-by-person"}'


def test_a_mark_outlives_the_process_and_can_be_removed(journal: Journal) -> None:
    assert not journal.has_mark("flood")
    journal.set_mark("flood", True)
    journal.set_mark("flood", True)
    assert journal.has_mark("flood")
    again = reopened(journal)
    assert again.has_mark("flood")
    assert not again.has_mark("other")
    again.set_mark("flood", False)
    assert not again.has_mark("flood")
    once_more = reopened(again)
    assert not once_more.has_mark("flood")
    once_more.close()


def test_the_rules_in_force_survive_a_restart(journal: Journal) -> None:
    journal.append(configured(1, rules_version="rules-7"), step(facts=0))
    again = reopened(journal)
    assert again.append(dispensed(2), step(facts=1)).facts[0].rules_version == "rules-7"
    again.close()


def test_offsets_and_sequences_have_no_holes_over_restarts(journal: Journal) -> None:
    committed = []
    for number in range(1, 7):
        journal = reopened(journal)
        committed.append(journal.append(dispensed(number), step(facts=number % 3)))
    assert [one.offset for one in committed] == [1, 2, 3, 4, 5, 6]
    assert [fact.sequence for fact in journal.facts_after(0, 100)] == [1, 2, 3, 4, 5, 6]
    journal.close()


def test_an_append_that_raises_leaves_nothing_behind(journal: Journal, says: Says) -> None:
    with pytest.raises(ValueError) as raised:
        journal.append(bet(1), step(facts=2, answer=None))
    says(raised.value)
    assert journal.append(dispensed(1), step(facts=1)).facts[0].id == f"{journal.id}:1:0"
    assert len(journal.facts_after(0, 10)) == 1


def test_a_replay_longer_than_its_piece_is_whole_and_in_order(journal: Journal) -> None:
    for number in range(1, ROWS_MAX + 3):
        journal.append(dispensed(number), step(facts=0))
    assert [offset for offset, _ in journal.replay(after_offset=2)] == list(range(3, ROWS_MAX + 3))


def test_a_replay_goes_on_while_events_are_appended(journal: Journal) -> None:
    journal.append(dispensed(1), step(facts=0))
    replay = journal.replay(0)
    assert next(replay) == (1, dispensed(1))
    journal.append(dispensed(2), step(facts=0))
    assert list(replay) == [(2, dispensed(2))]


def test_a_request_is_known_by_its_user_and_id(journal: Journal) -> None:
    refused = Answer(False, "betting-closed", "Bets are taken while betting is open.")
    journal.append(bet(1, who="panel"), step(answer=ACCEPTED))
    journal.append(bet(1, who="player-app"), step(answer=refused))
    again = reopened(journal)
    assert again.answered("panel", RequestId("request-1")) == (bet(1, who="panel"), ACCEPTED)
    assert again.answered("player-app", RequestId("request-1")) == (bet(1, who="player-app"), refused)
    assert again.answered("panel", RequestId("request-2")) is None
    again.close()


def test_the_last_receipt_is_each_devices_own(journal: Journal) -> None:
    assert journal.last_receipt(SHOE) is None
    journal.append(dispensed(6), step())
    journal.append(dispensed(7), step())
    journal.append(dispensed(1, boot="boot-2"), step())
    journal.append(DeviceReport(SHOE, at(2), LinkLost("unplugged")), step())
    again = reopened(journal)
    assert again.last_receipt(SHOE) == Receipt("boot-2", 1)
    assert again.last_receipt(DeviceName("pad")) is None
    again.close()


def test_a_range_of_facts_has_both_its_ends(journal: Journal) -> None:
    for number in range(1, 5):
        journal.append(dispensed(number), step(facts=3))
    assert [fact.sequence for fact in journal.facts_between(4, 6)] == [4, 5, 6]
    assert [fact.sequence for fact in journal.facts_between(11, 99)] == [11, 12]
    assert journal.facts_between(6, 4) == ()
    assert [fact.sequence for fact in journal.facts_after(10, 1)] == [11]


def test_a_cursor_survives_and_never_goes_back_or_past_the_end(journal: Journal, says: Says) -> None:
    journal.append(dispensed(1), step(facts=3))
    journal.advance("outbox", 2)
    journal.do_upkeep()
    again = reopened(journal)
    assert (again.cursor("outbox"), again.cursor("panel")) == (2, 0)
    for sequence in (1, 4):
        with pytest.raises(ValueError) as raised:
            again.advance("outbox", sequence)
        says(raised.value)
    assert again.cursor("outbox") == 2
    again.close()


def test_the_last_that_was_carried_over_is_found_with_what_was_known_of_devices(journal: Journal) -> None:
    journal.append(configured(1), step(facts=0))
    journal.append(dispensed(7), step(), CarryOver(GameName.BIG_50, Day(1), rounds_opened=3))
    journal.append(dispensed(8), step(), CarryOver(GameName.BIG_50, Day(1), rounds_opened=4))
    journal.append(dispensed(9), step())
    again = reopened(journal)
    carried = Carried(1, CarryOver(GameName.BIG_50, Day(1), rounds_opened=4), ((SHOE, Receipt("boot-1", 8)),))
    assert again.last_carried() == (3, carried)
    assert again.last_receipt(SHOE) == Receipt("boot-1", 9)
    again.close()


def test_facts_are_found_by_their_sequence_wherever_records_have_none(journal: Journal) -> None:
    for number, facts in enumerate((0, 0, 3, 0, 1, 0, 0, 2, 0), 1):
        journal.append(dispensed(number), step(facts))
    assert [fact.sequence for fact in journal.facts_after(0, 100)] == [1, 2, 3, 4, 5, 6]
    with closing(JournalReader.open_read_only(journal.path)) as elsewhere:
        for sequence in range(7):  # each by a reader that has read nothing before, and by one that has
            assert [fact.sequence for fact in elsewhere.facts_after(sequence, 2)] == list(range(1, 7))[sequence:][:2]
            with closing(JournalReader.open_read_only(journal.path)) as fresh:
                assert fresh.facts_after(sequence, 2) == elsewhere.facts_after(sequence, 2)


def test_facts_that_are_still_at_hand_are_those_of_the_file(journal: Journal) -> None:
    """The writer does not read back what it has just committed, and what is too old to be at hand it does."""
    for number in range(1, FACTS_AHEAD // 3 + 50):
        journal.append(dispensed(number), step(facts=number % 4))
        end = journal.last_sequence()
        with closing(JournalReader.open_read_only(journal.path)) as elsewhere:
            for sequence in (0, end // 2, end - 3, end - 1, end):
                assert journal.facts_after(max(0, sequence), 5) == elsewhere.facts_after(max(0, sequence), 5)


def test_what_this_version_cannot_read_is_named_by_its_offset(journal: Journal, says: Says) -> None:
    journal.append(configured(1), step(facts=0))
    journal.close()
    tampered(journal.path, 1, b'"kind":"configured"', b'"kind":"set-up"')
    with pytest.raises(JournalContentError) as raised:
        Journal.open(journal.path, create=False)
    says(raised.value)
