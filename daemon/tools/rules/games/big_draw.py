"""Big Draw Poker at the command line."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, Final

import click

from daemon.rules import big_draw
from daemon.rules.audit.big_draw import draw_game
from daemon.rules.audit.draw import Hold
from daemon.rules.audit.report import Decision
from daemon.rules.big_draw import GAME as RULES
from daemon.rules.big_draw import BigDrawHouse, Variant
from daemon.rules.money import DOLLAR
from daemon.rules.results import Settled
from daemon.tools.rules.game import Advisor, CommandGame
from daemon.tools.rules.lines import JsonLine, Judged, faces, refused_or_void, texts
from protocols.cards import Card, spell

OTHER_KEYS: Final = MappingProxyType({"first_5_alone_least": "first_5_alone_least_cents"})


class BigDrawLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One player's hand of Big Draw Poker, before and after the draw."""

    variant: big_draw.Variant
    first: list[str]
    discards: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()


def judge_big_draw(line: BigDrawLine) -> Judged:
    """The bets as placed, then the number of discards, then both hands."""
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


_ADVISORS: Final = MappingProxyType({variant.value: _advisor(variant) for variant in Variant})
GAME: Final = CommandGame(BigDrawLine, judge_big_draw, _ADVISORS)
