"""What an operator should hear about his paytables before the first round: an edge below zero, or above his bound.

Fast enough for every start: what is dealt is counted by symmetry in some milliseconds. Two wagers would take
longer, since they have a best play. Big Draw is counted only where the house has a paytable of its own. An Ante
Bonus of the house's own is put on the play that is best under the published one, which is stored here: whoever
plays best under the new one gets at least as much, so the edge that is told is the most that it can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, assert_never

from daemon.rules.audit.best_play import ANTE_AND_PLAY, PLAYED
from daemon.rules.audit.big_draw import audit_draw, audit_first_5, draw_game
from daemon.rules.audit.big_raise import TOTAL, bonus_nets
from daemon.rules.audit.dealt_hands import audit_big_50, poker_counts, two_card_counts
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.report import audit_paytable
from daemon.rules.big_50 import Big50House
from daemon.rules.big_draw import HOUSE as BIG_DRAW_HOUSE
from daemon.rules.big_draw import BigDrawHouse, Variant, paytable_of
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.blackjack.audit import audit_bad_beat
from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.strategy import FOR_THE_SIDE_BET
from daemon.rules.limits import NO_LIMITS, Limits
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.wagers import WagerName

House: TypeAlias = Big50House | BigRaiseHouse | BigDrawHouse | BlackjackHouse


@dataclass(frozen=True, slots=True)
class Edge:
    """What the house keeps of a stake on one wager, in the mean; `at_most` where the player may do better."""

    wager: str
    paytable: str
    house_edge: Fraction
    at_most: bool = False
    note: str = ""


def audit_warnings(house: House, limits: Limits = NO_LIMITS, edge_max: Fraction | None = None) -> tuple[str, ...]:
    """A sentence for every wager on which the player has the better of it, or the house more than its bound."""
    return tuple(warning for edge in edges(house, limits) if (warning := _warning(edge, edge_max)))


def _warning(edge: Edge, edge_max: Fraction | None) -> str | None:
    what = f"{edge.wager} by {edge.paytable}{f' ({edge.note})' if edge.note else ''}"
    keeps = f"{'at most ' if edge.at_most else ''}{float(edge.house_edge * 100):.4f} %"
    if edge.house_edge < 0:
        return f"{what}: the player has the better of it, the house keeps {keeps} of a stake"
    if edge_max is not None and edge.house_edge > edge_max:
        return f"{what}: the house keeps {keeps} of a stake, above the bound of {float(edge_max * 100):.4f} %"
    return None


def edges(house: House, limits: Limits = NO_LIMITS) -> Iterator[Edge]:
    """The edges of everything that can be staked in a house, at the least stake where the stake matters."""
    match house:
        case Big50House():
            for audit in audit_big_50(house, DOLLAR).wagers:
                yield Edge(audit.name, audit.paytable, audit.house_edge)
        case BigRaiseHouse():
            yield from _big_raise(house)
        case BigDrawHouse():
            for variant in Variant:
                yield _first_5(house, variant, limits.range_of(WagerName.FIRST_5).least)
                yield from _own_big_draw(house, variant)
        case BlackjackHouse():
            (audit,) = audit_bad_beat(house, FOR_THE_SIDE_BET, (house.bad_beat_pays,), DOLLAR)
            yield Edge(audit.name, audit.paytable, audit.house_edge, note=audit.note)
        case _:
            assert_never(house)


def _big_raise(house: BigRaiseHouse) -> Iterator[Edge]:
    two = audit_paytable(WagerName.TWO_CARD_BONUS.value, house.two_card_bonus_pays, two_card_counts(), DOLLAR)
    yield Edge(two.name, two.paytable, two.house_edge)
    if house.five_card_bonus_pays is not None:
        name = WagerName.FIVE_CARD_BONUS.value
        five = audit_paytable(name, house.five_card_bonus_pays, poker_counts(), DOLLAR)
        yield Edge(name, five.paytable, five.house_edge, note="for a player who never folds")
    nets = bonus_nets(house.ante_bonus_pays, DOLLAR)
    bonus = sum((nets[kind] * ways for kind, ways in PLAYED.items()), Fraction(0)) / TOTAL
    yield Edge(WagerName.ANTE.value, house.ante_bonus_pays.name, -(ANTE_AND_PLAY + bonus), at_most=True)


def _first_5(house: BigDrawHouse, variant: Variant, least: Cents) -> Edge:
    audit = audit_first_5(variant, house, least)
    return Edge(audit.name, audit.paytable, audit.house_edge, note=audit.note)


def _own_big_draw(house: BigDrawHouse, variant: Variant) -> Iterator[Edge]:
    paytable, published = (paytable_of(WagerName.BIG_DRAW, variant, each) for each in (house, BIG_DRAW_HOUSE))
    if paytable == published:
        return
    counted = draw_game(variant, house, DOLLAR).count(orbits((5,)))
    audit = audit_draw(variant, house, DOLLAR, counted)
    yield Edge(audit.name, audit.paytable, audit.house_edge, note=audit.note)
