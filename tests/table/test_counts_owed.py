"""A stub count that is owed stays owed, whatever a supervisor lets go on: a word for one round counts no deck."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.wagers import GameName
from daemon.table.inputs import ChangeGame, CountDeck, ReportIrregularity
from daemon.table.round_facts import DeckAccounted
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, DeckProof, Irregularity, Ruling, SeatNumber
from drivers.events import Button, EventsLost
from tests.table.playing import Table, settings
from tests.table.test_changing_over import BIG_50, ELSEWHERE, offering
from tests.table.test_wrong_deals import BLIND, collect, hand_out


def report(table: Table, irregularity: Irregularity) -> None:
    assert table.ask(ReportIrregularity(irregularity, SeatNumber(1)), Actor.DEALER).accepted, table.answer
    assert table.rule(Ruling.CONTINUE).accepted, table.answer


def count_is_asked_in_the_next_round(table: Table) -> bool:
    """Deal the next round, and return whether the table then waits for the count of the stub."""
    table.set_mode()
    table.shuffle(None)
    table.staked(1).press()
    hand_out(table)
    collect(table)
    return table.phase() is Phase.COUNTING


@pytest.mark.parametrize("irregularity", Irregularity)
def test_what_a_dealer_reports_puts_off_no_stub_count(irregularity: Irregularity) -> None:
    """A supervisor who lets a player go on who acted out of turn has not counted the deck."""
    table = Table(settings(source=BLIND, stub_count_rounds_max=1)).ready().staked(1)
    table.press()
    hand_out(table)
    report(table, irregularity)
    collect(table)
    assert table.phase() is Phase.COUNTING
    table.stub(47)
    assert table.last(DeckAccounted).proof is DeckProof.STUB_COUNTED


def test_a_report_takes_nothing_from_what_the_machine_read() -> None:
    table = Table().dealt(1, 2)
    report(table, Irregularity.EXPOSED_CARD)
    collect(table)
    assert (table.last(DeckAccounted).proof, table.last(DeckAccounted).who) == (DeckProof.READ, None)


@pytest.mark.parametrize("is_ordered", [False, True], ids=["by rounds", "ordered"])
def test_a_count_is_owed_still_after_a_round_that_a_supervisor_vouched_for(is_ordered: bool) -> None:
    """A plug that is pulled in each round in which a count is due would have put it off without end."""
    table = Table(settings(source=BLIND, stub_count_rounds_max=5 if is_ordered else 2)).ready()
    if is_ordered:
        assert table.ask(CountDeck(), Actor.SUPERVISOR).accepted, table.answer
        table.shuffle(None)
    table.staked(1).press()
    hand_out(table)
    table.device(EventsLost(None, "the store was full"))
    assert table.rule(Ruling.CONTINUE).accepted, table.answer
    assert table.last(DeckAccounted).proof is DeckProof.CONFIRMED
    table.enter(1, table.whole_deck[:5])
    table.command_press(Button.NEXT)
    assert count_is_asked_in_the_next_round(table)


def test_the_deck_of_another_device_is_counted_in_its_first_round() -> None:
    """A table that is changed over in good time would have the one deck counted always, and the other one never."""
    offered = [replace(game, source=replace(BLIND, device=game.source.device)) for game in (BIG_50, ELSEWHERE)]
    table = Table(offering(*offered)).ready()
    for game in (GameName.BIG_RAISE, GameName.BIG_50):
        assert table.ask(ChangeGame(game)).accepted, table.answer
    assert count_is_asked_in_the_next_round(table)
