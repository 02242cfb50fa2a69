"""The side bet: which hand it follows, when the dealer takes it, and what it sees at the end.

It wins by what usually hurts: the player stands on two cards worth 19, 20 or 21 and does not win with them.
Under option 1 those are the first two cards dealt. Under option 2 a pair may be split, and the bet then
follows the first split hand. Everything else that the player may do loses it.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from daemon.rules.blackjack.dealer import found_by_peeking, has_blackjack
from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse
from daemon.rules.blackjack.paytables import BadBeatCase
from daemon.rules.blackjack.play import NATURALS, STOOD, UNFINISHED, Hand, HandState, Play
from daemon.rules.blackjack.totals import POINTS, Total, is_pair, total_of
from protocols.cards import Card, Rank

QUALIFYING_MIN: Final = 19
"""The lowest two-card total that the paytables know; 21 is the highest."""

SPLITTABLE_MIN: Final = 8
"""Smaller pairs cannot split into 19, 20 or 21: a seven and an ace are 18."""

BEATEN: Final = {20: BadBeatCase.BEATEN_20, 19: BadBeatCase.BEATEN_19}
PUSHED: Final = {21: BadBeatCase.PUSH_21, 20: BadBeatCase.PUSH_20, 19: BadBeatCase.PUSH_19}


class TakenFor(Enum):
    """Why the dealer takes a side bet before the dealer's own hand is played."""

    FIRST_TWO_CARDS = "the first two cards cannot win it"
    NOT_STANDING = "the player did not stand"
    ENDED_BELOW = "the hand ended on no two-card 19, 20 or 21"


def taken_for(play: Play, option: BadBeatOption) -> TakenFor | None:
    """Return why the side bet is to be taken as things stand now; None while it is still alive.

    To be asked after the deal and after every decision and card. Once it is taken it stays taken.
    """
    hand = play.hands[0]
    if option is BadBeatOption.FIRST_TWO_CARDS:
        if play.was_split:
            return TakenFor.NOT_STANDING
        return _hopeless(hand.cards) or _not_stood(hand)
    if not play.was_split and _hopeless(hand.cards) and not is_bad_beat_pair(hand.cards):
        return TakenFor.FIRST_TWO_CARDS
    return _not_stood(hand) or _ended_below(hand)


def _hopeless(cards: tuple[Card, ...]) -> TakenFor | None:
    """Return whether the first two cards are short of 19; what came after them does not matter here."""
    return None if total_of(cards[:2]).points >= QUALIFYING_MIN else TakenFor.FIRST_TWO_CARDS


def is_bad_beat_pair(cards: tuple[Card, ...]) -> bool:
    """Return whether the first two cards are a pair of eights to aces, which a split can turn into a 19, 20 or 21."""
    first, second = cards[:2]
    worth = POINTS[first.rank]
    return is_pair(first, second) and (worth >= SPLITTABLE_MIN or first.rank is Rank.ACE)


def _not_stood(hand: Hand) -> TakenFor | None:
    acted = hand.state in (HandState.HIT_CARD_DUE, HandState.DOUBLE_CARD_DUE, HandState.SURRENDERED)
    return TakenFor.NOT_STANDING if acted or len(hand.cards) > 2 else None


def _ended_below(hand: Hand) -> TakenFor | None:
    short = hand.state not in UNFINISHED and hand.total.points < QUALIFYING_MIN
    return TakenFor.ENDED_BELOW if short else None


def bad_beat_case(play: Play, dealer: tuple[Card, ...], house: BlackjackHouse) -> BadBeatCase:
    """Return what the side bet sees once the dealer's hand is known.

    Only a natural pushes a dealer blackjack, and nothing else pushes a natural. A 21 on a split hand is beaten
    by a dealer blackjack, and no row knows a beaten 21.
    """
    if taken_for(play, house.option) is not None:
        return BadBeatCase.NO_ROW
    hand = play.hands[0]
    if hand.state not in STOOD and not found_by_peeking(dealer, house):
        return BadBeatCase.NO_ROW
    natural = hand.state in NATURALS
    if has_blackjack(dealer):
        return BadBeatCase.PUSH_21 if natural else BEATEN.get(hand.total.points, BadBeatCase.NO_ROW)
    return BadBeatCase.PLAYER_WINS if natural else _against(hand.total, total_of(dealer))


def _against(player: Total, dealer: Total) -> BadBeatCase:
    """Return the totals by themselves, where neither is a blackjack."""
    if player.points < QUALIFYING_MIN:
        return BadBeatCase.NO_ROW
    if dealer.is_bust or player.points > dealer.points:
        return BadBeatCase.PLAYER_WINS
    return (PUSHED if player.points == dealer.points else BEATEN)[player.points]
