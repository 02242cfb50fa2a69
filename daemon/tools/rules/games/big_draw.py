"""Big Draw Poker at the command line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

import click

from daemon.rules import big_draw
from daemon.rules.audit.auditor import Watch
from daemon.rules.audit.big_draw import audit_draw, audit_first_5, draw_game
from daemon.rules.audit.draw import Hold
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.report import Decision
from daemon.rules.big_draw import GAME as RULES
from daemon.rules.big_draw import BigDrawHouse, Variant
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.results import Settled
from daemon.rules.wagers import WagerName
from daemon.tools.rules.game import Advisor, CommandGame
from daemon.tools.rules.lines import JsonLine, Judged, faces, refused_or_void, texts
from daemon.tools.rules.printed import HOUSE_EDGE, Figure, Figures, PrintedFigures
from protocols.cards import Card, spell

OTHER_KEYS: Final = MappingProxyType({"first_5_alone_least": "first_5_alone_least_cents"})


class BigDrawLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One player's hand of Big Draw Poker, before and after the draw."""

    variant: big_draw.Variant
    first: list[str]
    discards: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


def judge_big_draw(line: BigDrawLine) -> Judged:
    """Judge the bets as placed, then the number of discards, then both hands."""
    house, bets = line.house_of(RULES, OTHER_KEYS), line.bets()
    refused = RULES.check_wagers(bets, house, line.limits_in_force()) or big_draw.check_discards(len(line.discards))
    if refused is not None:
        return refused_or_void(refused)
    result = big_draw.settle(faces(line.first), faces(line.discards), faces(line.drawn), bets, line.variant, house)
    if not isinstance(result, Settled):
        return refused_or_void(result)
    first, final = result.findings.first, result.findings.final
    decided = {"first_hand": first.hand.value, "hand": final.hand.value, "final": texts(final.cards)}
    return Judged(result, decided, house)


def _advisor(variant: Variant) -> Advisor:
    def advise(house: BigDrawHouse, cards: Sequence[Card]) -> Decision:
        if len(cards) != big_draw.HAND_CARDS:
            raise click.UsageError(f"{len(cards)} cards: give the five of the hand")
        holds = draw_game(variant, house, DOLLAR).holds(cards)
        worth = {_hold(hold): hold.expectation for hold in holds}
        return Decision(f"{spell(tuple(cards))}, {variant.value}", 1, worth, _hold(holds[0]))

    return advise


def _hold(hold: Hold[Any]) -> str:
    if not hold.keeps:
        return "draw five"
    return f"keep {spell(hold.keeps)}" if hold.throws else "stand pat"


def _figures(watch: Watch) -> Figures:
    """First 5 at a stake in dollars, and Big Draw with the best draw, which is counted when it is asked for."""

    def figure(named: Figure) -> Fraction:
        wager, of, what = named
        variant = Variant(of)
        if wager == WagerName.FIRST_5.value:
            stake = Cents(int(what.removeprefix(f"{HOUSE_EDGE} at ").replace(".", "")))
            return audit_first_5(variant, big_draw.HOUSE, stake).house_edge
        game = draw_game(variant, big_draw.HOUSE, DOLLAR)
        counted = watch.count(game, list(orbits((big_draw.HAND_CARDS,))), f"every draw, {variant.value}")
        return audit_draw(variant, big_draw.HOUSE, DOLLAR, counted).house_edge

    return figure


_ADVISORS: Final = MappingProxyType({variant.value: _advisor(variant) for variant in Variant})
GAME: Final = CommandGame(BigDrawLine, judge_big_draw, _ADVISORS, printed=PrintedFigures(_figures))
