"""A house's own paytables have rows that no published one has there: a push, a part of the stake, a loss."""

from __future__ import annotations

import pytest

from daemon.rules.big_draw_pays import DRAW_FIRST_5
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import ANTE_BONUS, TWO_CARD_BONUS
from daemon.rules.house import rows_of
from daemon.rules.paytable import CaseT, Paytable
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.round_facts import HandSettled, RoundSettled
from daemon.table.settings import PayingStyle, Reconciling
from daemon.table.vocabulary import Decision, PromptAction
from drivers.events import Button
from protocols.cards import parse_cards
from tests.support.sentences import Says
from tests.table.big_draw_playing import JACKS, BigDrawTable
from tests.table.dealers_hands import DealersHands
from tests.table.playing import Table
from tests.table.test_big_raise import DEALERS, decide, open_house, ready, table_with
from tests.table.test_unread_cards import deal


def own(published: Paytable[CaseT], row: str, pays: str) -> Paytable[CaseT]:
    """The published paytable with one row of its own."""
    return read_paytable("ours", "filed", published.scale, dict(rows_of(published)) | {row: pays})


def steps_of(table: Table) -> list[tuple[WagerName, PromptAction, int]]:
    return [(step.spot, step.action, step.amount_cents) for step in table.state.prompted.steps]


def test_an_ante_bonus_that_loses_takes_nothing_because_nothing_is_staked_on_it() -> None:
    """feltd ended at each word of the dealer, and again after each restart."""
    options = BigRaiseHouse(ante_bonus_pays=own(ANTE_BONUS, "three of a kind", "lose"))
    three = table_with(parse_cards("9c 9d"), DEALERS, parse_cards("9h 4s 6c"), options=options)
    table = ready(three)
    assert table.bet(1, WagerName.ANTE, 500).accepted
    deal(table, 1)
    decide(table, 1, Decision.PLAY, 1000)
    open_house(table)
    bonus = next(wager for wager in table.last(HandSettled).wagers if wager.wager is WagerName.ANTE_BONUS)
    assert (bonus.outcome, bonus.stake_cents, bonus.pays_cents, bonus.returned_cents) == (Outcome.LOSE, 0, 0, 0)
    table.press(Button.NEXT)
    assert len(table.said(RoundSettled)) == 1


@pytest.mark.parametrize(
    ("pays", "steps"),
    [
        ("push", [(PromptAction.RETURN, 500)]),
        ("lose 1/2", [(PromptAction.TAKE, 250), (PromptAction.RETURN, 250)]),
        ("lose", [(PromptAction.TAKE, 500)]),
    ],
)
def test_the_bonus_of_a_fold_goes_back_as_far_as_its_row_says(
    pays: str, steps: list[tuple[PromptAction, int]], says: Says
) -> None:
    options = BigRaiseHouse(two_card_bonus_pays=own(TWO_CARD_BONUS, "ace high", pays))
    table = ready(table_with(parse_cards("Ah 5d"), DEALERS, parse_cards("9h 4s 6c"), options=options))
    for wager in (WagerName.ANTE, WagerName.TWO_CARD_BONUS):
        assert table.bet(1, wager, 500).accepted
    deal(table, 1)
    decide(table, 1, Decision.FOLD)
    ante = (WagerName.ANTE, PromptAction.TAKE, 500)
    assert steps_of(table) == [ante, *((WagerName.TWO_CARD_BONUS, *step) for step in steps)]
    says(table.state.prompt)


@pytest.mark.parametrize("paying", PayingStyle)
@pytest.mark.parametrize("pays", ["push", "lose 1/2"])
def test_first_5_goes_back_as_far_as_its_row_says(pays: str, paying: PayingStyle, says: Says) -> None:
    """The dealer was told to pay -2.50, and of a push to pay 0.00."""
    options = BigDrawAtTable(draw_first_5_pays=own(DRAW_FIRST_5, "jacks or better", pays))
    table = BigDrawTable(JACKS, options=options, paying=paying, reconciling=Reconciling.STEP).opened().bets(1)
    table.press()
    table.give_all().drawing((1, 0))
    says(table.state.prompt)
    assert all(step.amount_cents > 0 for step in table.state.prompted.steps)
    while not table.said(RoundSettled):
        if table.state.round is not None and "green" in table.state.prompt.lower():
            table.press()
            table.eject()
        table.press(Button.NEXT)
    hands = DealersHands()
    hands.watch(table.steps)
