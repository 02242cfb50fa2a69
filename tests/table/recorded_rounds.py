"""A whole round of every game, from each kind of device and of hands: as inputs that a test can play again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from daemon.rules.wagers import WagerName
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision
from drivers.events import Button, LinkUp
from tests.table import test_big_draw_shoe, test_big_draw_two_devices, test_by_hand, test_unread_cards
from tests.table.big_draw_playing import BOTH, DRAW_SHOE, FOR_DRAWS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import IDENTITY, SEES_ALL, SHUFFLER, Table, settings
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, PAIR, dealt, decide, fold, open_house, table_with

OBSERVED = replace(SEES_ALL, takes_commands=False)
"""A shuffler that deals by itself and tells what it does; it takes no commands and never says its packets' size."""


def _big_50() -> Table:
    return _reconciled(Table().reconciling(1, 2, 3))


def _big_raise() -> Table:
    table = dealt(table_with(PAIR, NO_PAIR, DEALERS, COMMON), 1, 2)
    decide(table, 1, Decision.PLAY, 2000)
    return _reconciled(open_house(fold(table, 2)))


def _big_raise_unread() -> Table:
    table = test_unread_cards.play(test_unread_cards.deciding(), 1, 2000, PAIR)
    return _reconciled(test_unread_cards.shown(fold(table, 2)))


def _big_raise_by_hand() -> Table:
    return _reconciled(test_by_hand.played(test_by_hand.dealing()))


def _big_draw() -> Table:
    table = BigDrawTable(TWO_PAIR, NOTHING).hands_out(1, 2, 3, 4).drawing((1, 0), (2, 5), (3, 0), (4, 5))
    return table.through_first_5().collect().next_all()


def _big_draw_from_a_shoe() -> Table:
    table = test_big_draw_shoe.chosen(1, 2, wagers=BOTH).cards(10).drawing((1, 0), (2, 5))
    while table.phase() is Phase.FIRST_FIVE:
        table.press(Button.NEXT)
    return table.cards(5).next_all()


def _big_draw_from_two() -> Table:
    table = test_big_draw_two_devices.hands(1, 2, wagers=BOTH).drawing((1, 0), (2, 5)).through_first_5()
    table.eject_into_shoe()
    for _ in range(5):
        table.drawn_card()
    return table.next_all()


def _big_50_observed() -> Table:
    table = Table(settings(source=OBSERVED))
    _by_itself(table).staked(1, 2, 3)
    return _reconciled(_deals(table))


def _big_raise_observed() -> Table:
    table = _by_itself(table_with(PAIR, NO_PAIR, DEALERS, COMMON, source=OBSERVED))
    for seat in (1, 2):
        assert table.bet(seat, WagerName.ANTE, 500).accepted, table.answer
    decide(_deals(table), 1, Decision.PLAY, 2000)
    return _reconciled(open_house(fold(table, 2)))


def _big_draw_observed() -> Table:
    table = BigDrawTable(TWO_PAIR, NOTHING, source=OBSERVED, options=BigDrawAtTable(draws_from=FOR_DRAWS))
    table.from_draw_shoe(LinkUp(IDENTITY, "boot-s", resumed=True))
    _by_itself(table)
    table.chosen().bets(1, 2).press()
    table.give_all().drawing((1, 0), (2, 5)).through_first_5()
    table.eject_into_shoe()
    for _ in range(5):
        table.drawn_card()
    return table.next_all()


def _by_itself(table: Table) -> Table:
    """The machine is there and has shuffled its deck."""
    table.link_up()
    table.shuffle()
    return table


def _deals(table: Table) -> Table:
    """Green on the machine: every packet comes, and is taken; green again, and the rest comes."""
    table.press()
    assert table.state.round is not None
    for position in range(1, len(table.state.round.plan) + 1):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    return table


def _blackjack() -> Table:
    table = Blackjack().deal("Th 9h 8h 7h Tc 9c 8c 7c", 1, 2, 3, side=500)
    for seat in (1, 2, 3):
        table.says(seat, Decision.STAND)
    table.cards("2c 3c")
    return table.finish()


def _reconciled(table: Table) -> Table:
    while table.running() == "t7-1":
        table.press(Button.NEXT)
    return table


ROUNDS: Final = MappingProxyType(
    {
        "big-50": _big_50,
        "big-raise": _big_raise,
        "big-raise, cards not read": _big_raise_unread,
        "big-raise, dealt by hand": _big_raise_by_hand,
        "big-draw": _big_draw,
        "big-draw from a shoe": _big_draw_from_a_shoe,
        "big-draw from a shuffler and a shoe": _big_draw_from_two,
        "blackjack": _blackjack,
    }
)
"""By name, a function that plays one round to its end."""

EVERY_ROUND: Final = MappingProxyType(
    {
        **ROUNDS,
        "big-50, observed": _big_50_observed,
        "big-raise, observed": _big_raise_observed,
        "big-draw, observed, and a shoe": _big_draw_observed,
    }
)
"""The same, and from shufflers that take no commands: nobody sees another felt for that."""

DEVICES: Final = MappingProxyType(
    {name: (SHUFFLER, DRAW_SHOE) if "and a shoe" in name else (SHUFFLER,) for name in EVERY_ROUND}
)


def recorded(name: str) -> Table:
    """Play that round to its end."""
    table: Callable[[], Table] = EVERY_ROUND[name]
    return table()
