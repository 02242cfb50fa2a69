"""The dealer plays by a rule and decides nothing, so the hand can be proven: drawn far enough, and no further."""

from __future__ import annotations

from typing import Final

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.totals import Total, is_two_card_21, total_of
from daemon.rules.results import Irregularity, VoidReason
from protocols.cards import Card

STANDS_FROM: Final = 17
"""Every blackjack dealer stands on a hard 17; the house chooses what happens on a soft one."""


def must_draw(total: Total, hits_soft_17: bool) -> bool:
    """Return whether the rule has the dealer take another card."""
    return total.points < STANDS_FROM or (hits_soft_17 and total.soft and total.points == STANDS_FROM)


def has_blackjack(dealer: tuple[Card, ...]) -> bool:
    """Return whether the dealer's first two cards are an ace and a ten."""
    return is_two_card_21(dealer[:2])


def found_by_peeking(dealer: tuple[Card, ...], house: BlackjackHouse) -> bool:
    """Return whether a blackjack ended the round before anybody acted. It always shows an ace or a ten."""
    return house.peek and has_blackjack(dealer)


def dealer_irregularity(dealer: tuple[Card, ...], contested: bool, house: BlackjackHouse) -> Irregularity | None:
    """Return what is wrong with the dealer's cards as they were played out; the up card comes first.

    `contested`: some hand of this player waits for the dealer's total. Without one the dealer need not draw,
    but another player's hand may have required it, so two cards and a hand played to its end are both sound.
    """
    if len(dealer) < 2:
        return Irregularity(VoidReason.WRONG_COUNT, "dealer: fewer than the 2 cards that are dealt")
    if any(not _draws(dealer[:count], house) for count in range(2, len(dealer))):
        return Irregularity(VoidReason.DEALER_PLAYED_ON, "dealer: took a card where the rule says stand")
    if _draws(dealer, house) and (contested or len(dealer) > 2):
        return Irregularity(VoidReason.DEALER_UNFINISHED, "dealer: stopped where the rule says take a card")
    return None


def _draws(cards: tuple[Card, ...], house: BlackjackHouse) -> bool:
    return must_draw(total_of(cards), house.dealer_hits_soft_17)
