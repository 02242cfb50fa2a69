"""What each poker game's line holds besides the wagers, and how it is put to the rules."""

from __future__ import annotations

from typing import Final

from daemon.rules import big_50, big_draw, big_raise
from daemon.rules.big_raise_pays import Showdown
from daemon.rules.dealt import named
from daemon.rules.results import Settled
from daemon.tools.rules.lines import JsonLine, Judged, faces, refused_or_void, within
from daemon.tools.rules.options import Big50Options, BigDrawOptions, BigRaiseOptions
from protocols.cards import Card


class Big50Line(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One position of Big 50."""

    cards: list[str]
    house: Big50Options = Big50Options()


def judge_big_50(line: Big50Line) -> Judged:
    """The bets as placed, then the hand."""
    house, limits, bets = within("house", line.house.house), within("limits", line.limits.limits), line.bets()
    refused = big_50.GAME.check_wagers(bets, house, limits)
    if refused is not None:
        return refused_or_void(refused)
    result = big_50.settle(faces(line.cards), bets, house)
    if not isinstance(result, Settled):
        return refused_or_void(result)
    found = result.findings
    return Judged(result, {"hand": found.hand.value, "total": found.total, "colours": found.colours.value})


class BigRaiseLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One player of Big Raise Hold'em against the dealer, whose up card comes first."""

    player: list[str]
    dealer: list[str]
    community: list[str]
    action: big_raise.Action
    house: BigRaiseOptions = BigRaiseOptions()


_SHOWDOWNS: Final = {
    Showdown.PLAYER_BEATS: "win",
    Showdown.TIE: "tie",
    Showdown.DEALER_BEATS: "lose",
    Showdown.FOLDED: "fold",
}


def judge_big_raise(line: BigRaiseLine) -> Judged:
    """The bets before the cards, then whether the cards can be, then the action on them, then the showdown."""
    house, limits, bets = within("house", line.house.house), within("limits", line.limits.limits), line.bets()
    deal = big_raise.Deal(faces(line.player), faces(line.dealer), faces(line.community))
    refused = big_raise.check_before_cards(bets, house, limits)
    if refused is None and big_raise.irregularity_of(deal) is None:
        refused = big_raise.check_action(line.action, bets, named(deal.player), house, limits)
    if refused is not None:
        return refused_or_void(refused)
    result = big_raise.settle(deal, line.action, bets, house)
    return Judged(result, _showdown(result.findings)) if isinstance(result, Settled) else refused_or_void(result)


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


class BigDrawLine(JsonLine, kw_only=True, frozen=True, forbid_unknown_fields=True):
    """One player's hand of Big Draw Poker, before and after the draw."""

    variant: big_draw.Variant
    first: list[str]
    discards: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    house: BigDrawOptions = BigDrawOptions()


def judge_big_draw(line: BigDrawLine) -> Judged:
    """The bets as placed, then the number of discards, then both hands."""
    house, limits, bets = within("house", line.house.house), within("limits", line.limits.limits), line.bets()
    refused = big_draw.GAME.check_wagers(bets, house, limits) or big_draw.check_discards(len(line.discards))
    if refused is not None:
        return refused_or_void(refused)
    result = big_draw.settle(faces(line.first), faces(line.discards), faces(line.drawn), bets, line.variant, house)
    if not isinstance(result, Settled):
        return refused_or_void(result)
    first, final = result.findings.first, result.findings.final
    decided = {"first_hand": first.hand.value, "hand": final.hand.value, "final": texts(final.cards)}
    return Judged(result, decided)


def texts(cards: tuple[Card, ...]) -> list[str]:
    """Cards for JSON, in their order."""
    return [str(card) for card in cards]
