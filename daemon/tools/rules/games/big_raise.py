"""Big Raise Hold'em at the command line."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Final

import click

from daemon.rules import big_raise
from daemon.rules.audit.auditor import Watch
from daemon.rules.audit.big_raise import choose, decision_of
from daemon.rules.audit.dealt_hands import poker_counts
from daemon.rules.audit.report import Decision, audit_paytable
from daemon.rules.audit.showdowns import wins_of
from daemon.rules.big_raise import GAME as RULES
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FIVE_CARD_BONUSES, Showdown
from daemon.rules.dealt import named
from daemon.rules.limits import NO_LIMITS
from daemon.rules.money import DOLLAR
from daemon.rules.results import Settled
from daemon.rules.wagers import WagerName
from daemon.tools.rules.game import CommandGame
from daemon.tools.rules.lines import JsonLine, Judged, faces, refused_or_void, texts
from daemon.tools.rules.printed import Figure, Figures, PrintedFigures
from protocols.cards import Card

OTHER_KEYS: Final = MappingProxyType({"five_card_bonus": "five_card_bonus_pays"})


class BigRaiseLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One player of Big Raise Hold'em against the dealer, whose up card comes first."""

    player: list[str]
    dealer: list[str]
    community: list[str]
    action: big_raise.Action


_SHOWDOWNS: Final = {
    Showdown.PLAYER_BEATS: "win",
    Showdown.TIE: "tie",
    Showdown.DEALER_BEATS: "lose",
    Showdown.FOLDED: "fold",
}


def judge_big_raise(line: BigRaiseLine) -> Judged:
    """Judge the bets before the cards, then whether the cards can be, then the action on them, then the showdown."""
    house, bets = line.house_of(RULES, OTHER_KEYS), line.bets()
    deal = big_raise.Deal(faces(line.player), faces(line.dealer), faces(line.community))
    refused = big_raise.check_before_cards(bets, house, line.limits_in_force())
    if refused is None and big_raise.irregularity_of(deal) is None:
        refused = big_raise.check_action(line.action, bets, named(deal.player), house, line.limits_in_force())
    if refused is not None:
        return refused_or_void(refused)
    result = big_raise.settle(deal, line.action, bets, house)
    if not isinstance(result, Settled):
        return refused_or_void(result)
    return Judged(result, _showdown(result.findings), house)


def _showdown(found: big_raise.BigRaiseFindings) -> dict[str, object]:
    return {
        "result": _SHOWDOWNS[found.showdown],
        "player_hand": found.player_hand.value,
        "dealer_hand": found.dealer_hand.value,
        "dealer_keeps": texts(found.dealer.keeps),
        "dealer_discards": str(found.dealer.discards),
        "dealer_discards_because": found.dealer.reason.value,
        "dealer_suit_was_free": found.dealer.reason.suit_was_free,
        "two_cards": found.two_cards.value,
    }


def _advise(house: BigRaiseHouse, cards: Sequence[Card]) -> Decision:
    if len(cards) != 3:
        raise click.UsageError(f"{len(cards)} cards: give the player's two, then the dealer's up card")
    first, second, up = cards
    return decision_of(choose(wins_of(((first, second), up)), house, DOLLAR))


def _figures(_watch: Watch) -> Figures:
    """Return each five-card bonus for a player who never folds, and the Ante by the best play that is stored."""
    edges = {edge.wager: edge.house_edge for edge in RULES.auditor().edges(RULES.house, NO_LIMITS)}
    bonuses = {
        paytable.name: audit_paytable(WagerName.FIVE_CARD_BONUS.value, paytable, poker_counts(), DOLLAR).house_edge
        for paytable in FIVE_CARD_BONUSES
    }

    def figure(named: Figure) -> Fraction:
        wager, of, _ = named
        return bonuses[of] if wager == WagerName.FIVE_CARD_BONUS.value else edges[wager]

    return figure


GAME: Final = CommandGame(
    BigRaiseLine, judge_big_raise, MappingProxyType({RULES.name.value: _advise}), printed=PrintedFigures(_figures)
)
