"""Any table at any moment can be written down, read again and played on from; and a supervisor always has a way out.

Random tables of each game are played once more from what the journal keeps. Every input goes through the journal's
encoding, and each step has to be the one that was taken. Between rounds, what is carried over makes the same table.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import settings as hypothesis_settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from daemon.journal.kinds import FACT_KINDS
from daemon.journal.record import CARRIED, FACT_BODIES, INPUTS, Carried
from daemon.table.carry_over import carry_over, restored
from daemon.table.inputs import Configured, Input, Request, VoidRound
from daemon.table.reducer import apply, blank
from daemon.table.state import Phase, TableState
from daemon.table.vocabulary import Actor, RequestId
from tests.table.playing import Table
from tests.table.test_big_draw_walk import RandomFaceDown, RandomFaceUp, RandomFromShoe
from tests.table.test_blackjack_random import RandomBlackjack, RandomSupervisedBlackjack
from tests.table.test_procedure import LONG, RandomBigRaise

MACHINES = (RandomBigRaise, RandomFaceDown, RandomFaceUp, RandomFromShoe, RandomBlackjack, RandomSupervisedBlackjack)


def _replay(table: Table) -> None:
    first = in_force = table.inputs[0]
    assert isinstance(first, Configured)
    taken = blank(first)
    for happened in table.inputs:
        in_force = happened if isinstance(happened, Configured) else in_force
        step = apply(taken, happened)
        assert apply(taken, INPUTS.decode(INPUTS.encode(happened))) == step
        for fact in step.facts:
            codec = FACT_BODIES[FACT_KINDS[type(fact.data)]]
            assert codec.decode(codec.encode(fact.data)) == fact.data
        taken = step.state
        _is_carried_over(taken, in_force)
        _starts_again(taken, first)
        _can_be_voided(taken)
    assert taken == table.state


def _is_carried_over(state: TableState, in_force: Input) -> None:
    """What the journal carries over from this table makes the same table, and there is always some between rounds."""
    assert isinstance(in_force, Configured)
    carried = carry_over(state)
    if carried is None:
        assert state.round is not None
        return
    read = CARRIED.decode(CARRIED.encode(Carried(1, carried)))
    assert restored(read.table, in_force, state.at) == state


def _starts_again(state: TableState, first: Configured) -> None:
    """A daemon that starts with the same file goes on where the round stood."""
    restarted = apply(state, replace(first, at=state.at, day=state.day)).state
    assert (restarted.round, restarted.phase) == (state.round, state.phase)


def _can_be_voided(state: TableState) -> None:
    if state.round is None or state.phase is Phase.VOIDING:
        return
    asked = VoidRound("a way out")
    request = Request(state.at, RequestId("void"), "kim", Actor.SUPERVISOR, None, asked, state.round.id)
    step = apply(state, request)
    assert step.answer is not None
    assert step.answer.accepted, (state.phase, step.answer)
    assert step.state.phase in (Phase.IDLE, Phase.CHOOSING, Phase.BETTING, Phase.VOIDING)


def _replayed(machine: type[RuleBasedStateMachine]) -> type[RuleBasedStateMachine]:
    class Replayed(machine):  # type: ignore[misc, valid-type]
        def teardown(self) -> None:
            _replay(self.table)

    return Replayed


@pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.__name__)
def test_every_prefix_of_a_random_table_is_replayed_from_what_the_journal_keeps(
    machine: type[RuleBasedStateMachine],
) -> None:
    few = hypothesis_settings(
        max_examples=300 if LONG else 6,
        stateful_step_count=40,
        deadline=None,
        database=None,
        derandomize=not LONG,
    )
    run_state_machine_as_test(_replayed(machine), settings=few)
