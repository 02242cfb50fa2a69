"""Every kind of event is validated once as a table really says it.

Recorded runs of the bench do not contain all of them (`tests/line/test_every_message.py`). Here random tables are
played by the reducer, and the rare kinds are made to occur. What is said goes through the journal's encoding and the
envelope, as it goes to the broker, and so does the public picture after it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from hypothesis import settings
from hypothesis.stateful import run_state_machine_as_test
from jsonschema import Draft202012Validator, FormatChecker

from daemon.journal.kinds import FACT_KINDS
from daemon.journal.reading import JournaledFact
from daemon.journal.record import FACT_BODIES
from daemon.mqtt.documents import State, picture
from daemon.mqtt.envelope import envelope, sequence_text
from daemon.mqtt.topics import Topics
from daemon.table.facts import DeckChanged, DeckCountOrdered, Fact
from daemon.table.inputs import ChangeDeck, ClearBets, CountDeck, JournalRestored
from daemon.table.state import TableState
from daemon.table.view import public
from daemon.table.vocabulary import SeatNumber
from daemon.tools.schemas.contract import messages
from drivers.events import CutCardDrawn, SetupFailed
from tests.table import (
    test_a_round,
    test_big_raise_clauses,
    test_by_hand,
    test_changing_over,
    test_keys,
    test_seen_stakes,
)
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table
from tests.table.recorded_rounds import ROUNDS
from tests.table.test_replay import MACHINES

TOPICS = Topics("north", "t7")
OFTEN_ENOUGH = 5
VALIDATORS = {
    message.name: Draft202012Validator(message.schema, format_checker=FormatChecker()) for message in messages()
}


def a_cut_card() -> None:
    Blackjack().deal("5c 9c Td").device(CutCardDrawn(3))


def bets_taken_back() -> None:
    table = Table().ready()
    table.bet(1)
    assert table.ask(ClearBets(SeatNumber(1))).accepted


def a_device_that_needs_a_technician() -> None:
    Table().device(SetupFailed("no-answer", "Nothing has answered so far.", "Check its power."))


def a_restored_journal() -> None:
    table = Table()
    table.take(JournalRestored(table.state.at, "0123456789ab", "the disk failed", "kim"))


a_deck_is_counted_first = test_changing_over.test_a_deck_that_is_changed_or_counted_is_shuffled_and_counted_first
RARE: tuple[Callable[[], object], ...] = (
    *ROUNDS.values(),
    a_cut_card,
    bets_taken_back,
    a_device_that_needs_a_technician,
    a_restored_journal,
    test_a_round.test_a_stub_count_is_asked_at_least_every_five_rounds,
    test_a_round.test_a_royal_flush_pays_a_thousand_to_one_and_is_verified_before_it_is_paid,
    test_big_raise_clauses.test_clause_11_cards_that_a_device_read_are_public_with_the_play_bet,
    test_big_raise_clauses.test_clause_11_four_antes_are_checked_against_the_pair_at_once,
    test_by_hand.test_a_deck_that_came_out_unshuffled_is_not_dealt_from,
    test_changing_over.test_the_next_round_is_of_the_other_game,
    partial(a_deck_is_counted_first, ChangeDeck(), DeckChanged),
    partial(a_deck_is_counted_first, CountDeck(), DeckCountOrdered),
    test_keys.test_a_selected_seat_is_refused_out_of_turn_and_stays_selected,
    test_seen_stakes.test_a_stake_that_is_gone_is_no_bet,
)


@pytest.mark.long
def test_every_kind_of_event_is_valid_as_a_table_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    said: dict[str, int] = dict.fromkeys(FACT_KINDS.values(), 0)
    took = Table._took

    def validated(table: Table, step: object) -> None:
        took(table, step)  # type: ignore[arg-type]
        for fact in table.record[len(table.record) - len(table.new) :]:
            kind = FACT_KINDS[type(fact.data)]
            said[kind] += 1
            if said[kind] <= OFTEN_ENOUGH:
                validate(f"event.{kind}", published(fact))
                validate_picture(table.state)

    monkeypatch.setattr(Table, "_took", validated)
    few = settings(max_examples=15, stateful_step_count=40, deadline=None, database=None, derandomize=True)
    for machine in MACHINES:
        run_state_machine_as_test(machine, settings=few)
    for scene in RARE:
        scene()
    assert [kind for kind, times in said.items() if not times] == []


def published(fact: Fact) -> bytes:
    """Return the message of a fact, through the encoding of the journal."""
    kind = FACT_KINDS[type(fact.data)]
    body = FACT_BODIES[kind].encode(fact.data)
    return envelope(TOPICS.base, JournaledFact("abc", 1, 0, 1, 10**18, "1", kind, fact.round_id, body))


def validate_picture(state: TableState) -> None:
    for topic, message in picture(TOPICS, State("abc", sequence_text(1), public(state))).items():
        validate(topic.removeprefix(f"{TOPICS.base}/").partition("/")[0], message)


def validate(name: str, message: bytes) -> None:
    assert list(errors(name, message)) == [], message


def errors(name: str, message: bytes) -> Iterator[str]:
    return (error.message for error in VALIDATORS[name].iter_errors(json.loads(message)))
