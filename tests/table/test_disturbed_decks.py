"""A machine that is made to shuffle while a round is dealt from it has the rest of a deck, and nothing says so."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import Ruling
from drivers.events import Button
from tests.table.playing import SEES_ALL, Table, settings

COUNTS_NOTHING = replace(SEES_ALL, takes_commands=False, reads_faces=False, counts=False)


def disturbed() -> Table:
    """One hand is out, and somebody has opened the machine and had it shuffle what lies inside."""
    table = Table(settings(source=COUNTS_NOTHING))
    table.link_up()
    table.shuffle(None)
    table.staked(1, 2).press()
    table.dispense(1)
    table.deliver(1)
    table.shuffle(None)
    assert table.phase() is Phase.INTERRUPTED
    return table


def test_after_a_void_the_rest_of_the_deck_is_no_whole_deck() -> None:
    """Everybody has seen the five cards that it lacks."""
    table = disturbed()
    table.void()
    assert "put them into shuffler" in table.state.prompt
    table.put_back().staked(1).press()
    assert (table.phase(), table.deck_state()) == (Phase.BETTING, Deck.UNKNOWN)
    assert "no shuffled deck is known" in table.state.prompt


def test_after_a_round_that_went_on_the_rest_of_the_deck_is_no_whole_deck() -> None:
    table = disturbed()
    assert table.enter(2, table.whole_deck[30:35]).accepted, table.answer
    assert table.rule(Ruling.CONTINUE).accepted, table.answer
    table.shuffle(None)
    table.press(Button.NEXT)
    assert table.enter(1, table.whole_deck[:5]).accepted, table.answer
    table.press(Button.NEXT)
    assert (table.phase(), table.deck_state()) == (Phase.BETTING, Deck.UNKNOWN)


@pytest.mark.parametrize("counted", [None, 52])
def test_a_second_deck_may_be_shuffled_once_the_rest_is_out(counted: int | None) -> None:
    table = Table().reconciling(1)
    table.shuffle(counted)
    table.press(Button.NEXT)
    assert (table.phase(), table.deck_state()) == (Phase.BETTING, Deck.READY)
