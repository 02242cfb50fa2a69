"""A copy of the journal takes the place of a lost one: the round that it was made in may be over, and paid, by now."""

from __future__ import annotations

import pytest

from daemon.table.inputs import JournalRestored
from daemon.table.round_facts import HandSettled, RoundHeld
from daemon.table.state import Phase
from daemon.table.vocabulary import Ruling
from drivers.events import Button
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


@pytest.mark.parametrize("stop", [Phase.HELD, Phase.VOIDING])
def test_a_copy_in_which_the_round_stands_still_changes_nothing(stop: Phase) -> None:
    table = Table().dealt(1)
    table.press(Button.VOID)
    if stop is Phase.VOIDING:
        table.void()
    restore(table)
    assert table.phase() is stop
