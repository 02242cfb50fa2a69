"""The last rounds, as they stay with the table when they are over."""

from __future__ import annotations

from dataclasses import replace

from daemon.journal.record import CARRIED, Carried
from daemon.table.carry_over import carry_over, restored
from daemon.table.inputs import Configured
from daemon.table.lifecycle import ROUNDS_KEPT
from daemon.table.picture import PastRoundView
from daemon.table.round_facts import HandSettled, RoundSettled
from daemon.table.state import RoundEnd
from daemon.table.view import public
from daemon.table.vocabulary import Irregularity
from drivers.events import Button
from tests.table.playing import Table


def rounds(table: Table) -> tuple[PastRoundView, ...]:
    return public(table.state).rounds


def settled(table: Table) -> Table:
    while not table.said(RoundSettled):
        table.press(Button.NEXT)
    return table


def test_a_round_that_runs_is_not_among_them() -> None:
    assert rounds(Table().dealt(1, 2)) == ()


def test_a_settled_round_has_its_take_and_its_times() -> None:
    table = Table().reconciling(1)
    began = table.state.recent[-1].began_utc_ns
    (past,) = rounds(settled(table))
    assert (past.number, past.end, past.irregularity) == (1, RoundEnd.SETTLED, None)
    assert past.take_cents == table.last(RoundSettled).take_cents
    assert began is not None
    assert past.began_ms == began // 1_000_000
    assert past.began_ms <= past.ended_ms


def test_what_the_last_round_came_to_at_each_seat_stays_until_another_ends() -> None:
    table = settled(Table().reconciling(1, 2))
    (past,) = rounds(table)
    won = dict.fromkeys((1, 2), 0)
    for fact in table.facts:
        if isinstance(fact, HandSettled):
            won[fact.seat] += sum(wager.pays_cents for wager in fact.wagers)
    assert {net.seat: net.net_cents for net in past.nets} == won
    assert past.take_cents == -sum(won.values())
    assert table.staked(1).void().accepted
    assert [each.nets for each in rounds(table)] == [(), ()]


def test_a_void_round_has_no_take_and_the_irregularity() -> None:
    table = Table().ready().staked(1)
    table.press()
    table.dispense(1, count=4)
    (past,) = rounds(table)
    assert (past.end, past.take_cents, past.irregularity) == (RoundEnd.VOIDED, None, Irregularity.WRONG_COUNT)
    assert rounds(table.put_back()) == (past,)


def test_a_round_that_a_person_voids_has_no_irregularity() -> None:
    table = Table().dealt(1)
    assert table.void().accepted
    assert [(past.end, past.irregularity) for past in rounds(table)] == [(RoundEnd.VOIDED, None)]


def test_the_newest_comes_first_and_no_more_than_twenty_stay() -> None:
    table = Table().ready()
    for _ in range(ROUNDS_KEPT + 2):
        assert table.staked(1).void().accepted
        assert rounds(table)[0].number == table.state.rounds_opened
        assert len(rounds(table)) <= ROUNDS_KEPT
        table.put_back()
    assert [past.number for past in rounds(table)] == list(range(ROUNDS_KEPT + 2, 2, -1))


def test_they_outlive_a_restart() -> None:
    table = settled(Table().reconciling(1))
    carried, configured = carry_over(table.state), table.inputs[0]
    assert carried is not None
    assert isinstance(configured, Configured)
    read = CARRIED.decode(CARRIED.encode(Carried(1, carried))).table
    assert public(restored(read, configured, table.state.at)).rounds == rounds(table) != ()


def test_a_journal_of_a_version_that_kept_none_goes_on_from_here() -> None:
    table = Table().dealt(1)
    table.state = replace(table.state, recent=())
    assert table.void().accepted
    (past,) = rounds(table)
    assert (past.number, past.began_ms) == (1, None)
