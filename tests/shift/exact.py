"""The audits of everything that the players of the long runs bet on, by the wager's name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from daemon.rules.audit.auditor import UNWATCHED
from daemon.rules.audit.big_draw import audit_draw, audit_first_5, completions_of
from daemon.rules.audit.dealt_hands import poker_counts, two_card_counts
from daemon.rules.audit.report import NO_ROW, RowAudit, WagerAudit, audit_paytable, audit_rows
from daemon.rules.big_draw import HOUSE as BIG_DRAW_HOUSE
from daemon.rules.big_draw import Variant
from daemon.rules.big_raise_pays import ANTE_BONUS, FIVE_CARD_BONUSES, MAIN, TWO_CARD_BONUS, Showdown
from daemon.rules.evaluator import PokerHand
from daemon.rules.money import DOLLAR
from daemon.rules.own_hand import OwnHandRules
from daemon.rules.paytable import Row, net_exact
from daemon.rules.registry import part_module
from daemon.rules.wagers import GameName, WagerName
from tests.shift.counting import HANDS_PLAYED, SHOWDOWNS, stored

OWN_HANDS: Final[Mapping[GameName, OwnHandRules[Any, Any]]] = {
    game: rules
    for game in GameName
    if isinstance(rules := getattr(part_module(game, "daemon.rules"), "RULES", None), OwnHandRules)
}
"""The games in which players only bet. They are played and audited by what they declare."""


def audits() -> dict[str, WagerAudit]:
    """All of them, at a dollar."""
    every = (*_own_hands(), *_big_raise(), *_big_draw())
    return {audit.name: audit for audit in every}


def _own_hands() -> Iterator[WagerAudit]:
    for rules in OWN_HANDS.values():
        yield from rules.auditor().audit(rules.house, DOLLAR, UNWATCHED).wagers


def _big_raise() -> Iterator[WagerAudit]:
    """For the player of the habit. A five-card bonus that stays in play with a fold is on every hand."""
    ways = {Showdown[name]: count for name, count in stored()[SHOWDOWNS].items()}
    main = MAIN
    yield audit_paytable(WagerName.ANTE.value, main, ways, DOLLAR)
    yield audit_paytable(WagerName.PLAY.value, main, ways | {Showdown.FOLDED: 0}, DOLLAR)
    yield _ante_bonus(sum(ways.values()))
    yield audit_paytable(WagerName.TWO_CARD_BONUS.value, TWO_CARD_BONUS, two_card_counts(), DOLLAR)
    yield audit_paytable(WagerName.FIVE_CARD_BONUS.value, FIVE_CARD_BONUSES[0], poker_counts(), DOLLAR)


def _ante_bonus(total: int) -> WagerAudit:
    """Per Ante; a fold gives it up, and without a row nothing is lost."""
    played = {PokerHand[name]: count for name, count in stored()[HANDS_PLAYED].items()}
    paid = [
        RowAudit(row.name, str(row.award), _ways(played, row), total, net_exact(row.award, DOLLAR) / DOLLAR)
        for row in ANTE_BONUS.rows
    ]
    rest = total - sum(row.ways for row in paid)
    rows = (*paid, RowAudit(NO_ROW, "nothing", rest, total, Fraction(0)))
    return audit_rows(WagerName.ANTE_BONUS.value, rows, ANTE_BONUS.name, ANTE_BONUS.sha256)


def _ways(played: Mapping[PokerHand, int], row: Row[PokerHand]) -> int:
    return sum(played.get(hand, 0) for hand in ANTE_BONUS.cases_of(row))


def _big_draw() -> Iterator[WagerAudit]:
    for variant in Variant:
        counts = stored()[variant.value]
        yield audit_first_5(variant, BIG_DRAW_HOUSE, DOLLAR)
        ordered = [counts[kind.name] for kind in completions_of(variant).kinds]
        yield audit_draw(variant, BIG_DRAW_HOUSE, DOLLAR, ordered)
