"""A copy of the journal takes the place of a lost one: the round that it was made in may be over, and paid, by now."""

from __future__ import annotations

import pytest

from daemon.table.inputs import JournalRestored, Rule
from daemon.table.round_facts import HandSettled, RoundHeld, RoundVoided
from daemon.table.said import Clause, SaidId
from daemon.table.state import AWAITS_RULING, Phase
from daemon.table.view import public
from daemon.table.vocabulary import Ruling
from drivers.events import Button, Restarted
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table

WHY = "the disk died; backup of Monday"


def restore(table: Table) -> None:
    table.take(JournalRestored(table.state.at, "journal-2", WHY, "account root", 7))


def playing(phase: Phase) -> Table:
    match phase:
        case Phase.DEALING:
            table = Table().ready().staked(1, 2)
            table.press()
        case Phase.DEALT:
            table = Table().dealt(1, 2)
        case Phase.RECONCILING:
            table = Table().reconciling(1, 2)
        case _:
            table = Blackjack().deal("Th 9h 9c 9d")
    return table


@pytest.mark.parametrize("phase", [Phase.DEALING, Phase.DEALT, Phase.RECONCILING, Phase.DECIDING])
def test_nobody_is_paid_twice_for_a_round_that_a_copy_still_has(phase: Phase) -> None:
    """A dealer who went on from the prompt of the copy would pay what was paid an hour ago. A supervisor decides."""
    table = playing(phase)
    prompt, settled = table.state.prompt, len(table.said(HandSettled))
    assert table.phase() is phase
    restore(table)
    assert (table.phase(), table.state.rounds_opened) == (Phase.HELD, 7)
    assert table.last(RoundHeld).reason == WHY
    assert WHY in table.state.prompt
    assert not table.command_press(Button.NEXT).accepted
    assert len(table.said(HandSettled)) == settled
    assert table.rule(Ruling.CONTINUE).accepted, table.answer
    assert table.phase() is phase
    assert phase is Phase.RECONCILING or table.state.prompt == prompt


def test_a_round_that_only_takes_bets_goes_on_in_a_copy() -> None:
    table = Table().ready().staked(1)
    restore(table)
    assert table.phase() is Phase.BETTING


@pytest.mark.parametrize("stop", AWAITS_RULING)
def test_who_rules_on_a_round_that_stood_still_in_a_copy_is_told_of_the_copy(stop: Phase) -> None:
    """The ruling may have been given, and the round paid, after the copy was made. A word on its way does not count."""
    table = Table().dealt(1)
    table.device(Restarted("")) if stop is Phase.INTERRUPTED else table.press(Button.VOID)
    before, revision = public(table.state).standstill, table.revision()
    assert before is not None
    restore(table)
    now = public(table.state).standstill
    assert now is not None
    assert (table.phase(), now.reason) == (stop, f"{before.reason}; {WHY}")
    assert now.said == (*before.said, Clause(SaidId.IN_ITS_WORDS, text=WHY))
    assert table.state.prompt == f"Stop. Call a supervisor: {WHY}."
    late = table.ask(Rule(Ruling.CONTINUE, "seen", revision), round_id=table.running())
    assert late.code == "changed-since"
    assert WHY in late.message
    assert table.rule(Ruling.VOID).accepted
    assert table.last(RoundVoided).reason == f"{before.reason}; {WHY} (kim: seen on camera)"


def test_who_gives_stakes_back_in_a_copy_is_told_that_it_may_have_been_done() -> None:
    table = Table().dealt(1)
    table.void()
    before = table.state.prompted
    restore(table)
    assert table.phase() is Phase.VOIDING
    assert table.state.prompt == f"Stop. Call a supervisor: {WHY}. {before.sentence}"
    assert table.state.prompted.steps == before.steps
    assert table.put_back().phase() is not Phase.VOIDING
