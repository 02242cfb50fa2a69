"""No prompt lies: what it offers is taken, and what it does not offer is refused. Every game, by random people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest
from hypothesis.stateful import RuleBasedStateMachine, invariant

from daemon.rules.big_draw import Variant
from daemon.table.state import TableState
from tests.table.big_draw_playing import BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table
from tests.table.prompts import hold_to_its_word
from tests.table.test_big_draw_walk import RandomFaceDown, RandomFaceUp, RandomFromShoe, RandomTwoDevices
from tests.table.test_big_raise import COMMON, DEALERS, PAIR, dealt, table_with
from tests.table.test_blackjack_random import RandomBlackjack, RandomSupervisedBlackjack
from tests.table.test_procedure import RandomBigRaise, RandomTable, walked
from tests.table.test_random_options import RandomAnnounced, RandomNamedColours, RandomTightLimits
from tests.table.test_random_seen_stakes import RandomWatched, RandomWatchedBigRaise
from tests.table.test_random_unread import RandomBlind, RandomByHand, RandomUnread
from tests.table.test_random_unread_draws import RandomBlindFaceUp, RandomUnreadFaceDown


def truthful(machine: type[RuleBasedStateMachine]) -> type[RuleBasedStateMachine]:
    """The same random table; after every step its prompt is held to its word."""

    class Truthful(machine):  # type: ignore[misc, valid-type]
        table: Table
        held: TableState | None = None

        @invariant()
        def no_prompt_lies(self) -> None:
            if self.table.state is not self.held:
                self.held = self.table.state
                hold_to_its_word(self.held)

    return Truthful


TABLES: Final = 8
TestBig50 = walked(truthful(RandomTable), TABLES)
TestBig50NamedColours = walked(truthful(RandomNamedColours), TABLES)
TestBigRaise = walked(truthful(RandomBigRaise), TABLES)
TestBigRaiseTightLimits = walked(truthful(RandomTightLimits), TABLES)
TestBigRaiseCounted = walked(truthful(RandomUnread), TABLES)
TestBigRaiseUnread = walked(truthful(RandomBlind), TABLES)
TestBigRaiseByHand = walked(truthful(RandomByHand), TABLES)
TestBigDrawFaceDown = walked(truthful(RandomFaceDown), TABLES)
TestBigDrawFaceUp = walked(truthful(RandomFaceUp), TABLES)
TestBigDrawAnnounced = walked(truthful(RandomAnnounced), TABLES)
TestBigDrawCounted = walked(truthful(RandomUnreadFaceDown), TABLES)
TestBigDrawUnread = walked(truthful(RandomBlindFaceUp), TABLES)
TestBigDrawFromShoe = walked(truthful(RandomFromShoe), TABLES)
TestBigDrawTwoDevices = walked(truthful(RandomTwoDevices), TABLES)
TestBig50Watched = walked(truthful(RandomWatched), TABLES)
TestBigRaiseWatched = walked(truthful(RandomWatchedBigRaise), TABLES)
TestBlackjack = walked(truthful(RandomBlackjack), TABLES)
TestSupervisedBlackjack = walked(truthful(RandomSupervisedBlackjack), TABLES)


# --- the sentences that lied once ---


def test_the_only_seat_is_not_told_to_pass_the_button_on() -> None:
    table = BigDrawTable(seats=1).waiting()
    hold_to_its_word(table.state)
    assert table.choose(1, Variant.FIVE_CARD_DRAW).accepted


# --- the tester is tested: lies that it has to find ---


def _bets() -> Table:
    return Table().ready().staked(1)


def _reconciling() -> Table:
    return Table().reconciling(1)


def _deciding() -> Table:
    return dealt(table_with(PAIR, DEALERS, COMMON), 1)


def _drawing() -> Table:
    return BigDrawTable().hands_out(1)


def _blackjack() -> Table:
    return Blackjack().deal("8h 9h 8s 9c", 1)


LIES: Final[dict[str, tuple[Callable[[], Table], str, str]]] = {
    "a key that is refused": (_bets, "green: no more bets.", "green: no more bets. Then next."),
    "a key that is not named": (_bets, ", then green: no more bets", ""),
    "a step that is over": (_reconciling, " Then next.", ""),
    "too low a bet": (_deciding, "(10.00 to", "(9.99 to"),
    "too high a bet": (_deciding, "to 15.00)", "to 15.01)"),
    "too much with a pair": (_deciding, "(20.00)", "(25.00)"),
    "a step that is not asked for": (_deciding, "(20.00).", "(20.00), in steps of 5.00."),
    "too many cards": (_drawing, "0 to 5?", "0 to 6?"),
    "too few cards": (_drawing, "0 to 5?", "0 to 4?"),
    "a choice that is refused": (_blackjack, "stand, ", "stand, insure, "),
    "a choice that is not named": (_blackjack, ", hit", ""),
    "another seat": (_blackjack, "Seat 1", "Seat 2"),
    "a sentence that nobody knows": (_bets, "your bets,", "your bets, please,"),
}


@pytest.mark.parametrize(("table", "said", "lie"), LIES.values(), ids=LIES)
def test_a_planted_lie_is_found(table: Callable[[], Table], said: str, lie: str) -> None:
    state = table().state
    hold_to_its_word(state)
    assert said in state.prompt
    with pytest.raises(AssertionError):
        hold_to_its_word(replace(state, prompted=replace(state.prompted, sentence=state.prompt.replace(said, lie))))
