"""Basic strategy: the decisions of a sensible player who looks only at the hand and the dealer's up card.

It is stated here as the charts that players carry, for four decks and more, with what the house's options
change. It is not the best that can be done from one deck, and it knows nothing of the side bet; it is a
stated strategy, the same for every number of decks, for audits to assume and for simulated players to follow.
A test measures every decision on two cards against the others, exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Final

from daemon.rules.blackjack.house import BlackjackHouse, UnpeekedTakes
from daemon.rules.blackjack.play import Action, Hand, Play, refusal
from daemon.rules.blackjack.totals import POINTS, Total, is_pair
from protocols.cards import Rank

ACE: Final = POINTS[Rank.ACE]
TEN: Final = POINTS[Rank.TEN]

# One letter for each up card, 2 to 9, ten, ace. H hit, S stand, D double or else hit, d double or else stand.
_UPS: Final = {2: 0, 3: 1, 4: 2, 5: 3, 6: 4, 7: 5, 8: 6, 9: 7, TEN: 8, ACE: 9}
_HIT: Final = "HHHHHHHHHH"
_STAND: Final = "SSSSSSSSSS"
_STIFF: Final = "SSSSSHHHHH"

HARD: Final[Mapping[int, str]] = MappingProxyType(
    {9: "HDDDDHHHHH", 10: "DDDDDDDDHH", 11: "DDDDDDDDDH", 12: "HHSSSHHHHH"}
    | dict.fromkeys(range(13, 17), _STIFF)
    | dict.fromkeys(range(17, 22), _STAND)
)
"""By hard total; what is not here hits."""

SOFT: Final[Mapping[int, str]] = MappingProxyType(
    {
        13: "HHHDDHHHHH",
        14: "HHHDDHHHHH",
        15: "HHDDDHHHHH",
        16: "HHDDDHHHHH",
        17: "HDDDDHHHHH",
        18: "SddddSSHHH",
        19: _STAND,
        20: _STAND,
        21: _STAND,
    }
)
"""By soft total; what is not here hits."""

HITS_SOFT_17: Final[Mapping[tuple[Total, int], str]] = MappingProxyType(
    {
        (Total(11, soft=False), ACE): "D",
        (Total(18, soft=True), 2): "d",
        (Total(19, soft=True), 6): "d",
    }
)
"""What is otherwise where the dealer hits soft 17."""

# P split, p split where a split hand may double, . play the total.
PAIRS: Final[Mapping[int, str]] = MappingProxyType(
    {
        ACE: "PPPPPPPPPP",
        2: "ppPPPP....",
        3: "ppPPPP....",
        4: "...pp.....",
        6: "pPPPP.....",
        7: "PPPPPP....",
        8: "PPPPPPPPPP",
        9: "PPPPP.PP..",
    }
)
"""By the worth of one card; fives and tens are played as their total."""

UNPEEKED_UNSPLIT: Final = frozenset({(8, TEN), (8, ACE), (ACE, ACE)})
"""Pairs that a second stake is not put on in a house that does not peek and whose blackjack takes all stakes."""

SURRENDERED: Final = frozenset({(16, 9), (16, TEN), (16, ACE), (15, TEN)})
SURRENDERED_HITS_SOFT_17: Final = frozenset({(15, ACE), (17, ACE)})
"""Hard totals that are given up where the house takes them; sixteen as a pair of eights only in the second case."""


def basic_action(play: Play, house: BlackjackHouse) -> Action:
    """Return what basic strategy does with the hand whose turn it is."""
    at = play.turn
    if at is None:
        raise ValueError("no hand of this player has a decision left")
    up = POINTS[play.up.rank]
    return next(action for action in _wanted(play.hands[at], up, house) if refusal(play, action, house) is None)


def _wanted(hand: Hand, up: int, house: BlackjackHouse) -> Iterator[Action]:
    """Yield what it would do, best first; the last is always allowed."""
    if gives_up(hand.total, _pair_of(hand), up, house):
        yield Action.SURRENDER
    pair = _pair_of(hand)
    if pair is not None and splits(pair, up, house):
        yield Action.SPLIT
    if doubles(hand.total, up, house):
        yield Action.DOUBLE
    yield Action.STAND if _letter(hand.total, up, house) in "Sd" else Action.HIT


def _pair_of(hand: Hand) -> int | None:
    """Return the worth of one card of a pair; None for any other hand."""
    if len(hand.cards) != 2 or not is_pair(*hand.cards):
        return None
    return POINTS[hand.cards[0].rank]


def splits(pair: int, up: int, house: BlackjackHouse) -> bool:
    """Return whether a pair of this worth is split against this up card, at first and again."""
    if _takes_all(house) and (pair, up) in UNPEEKED_UNSPLIT:
        return False
    letter = PAIRS[pair][_UPS[up]] if pair in PAIRS else "."
    return letter == "P" or (letter == "p" and house.double_after_split)


def gives_up(total: Total, pair: int | None, up: int, house: BlackjackHouse) -> bool:
    """Return whether the first two cards are surrendered where that is allowed."""
    if total.soft:
        return False
    if pair == 8:
        return house.dealer_hits_soft_17 and up == ACE
    more = SURRENDERED_HITS_SOFT_17 if house.dealer_hits_soft_17 else frozenset()
    return (total.points, up) in SURRENDERED | more


def doubles(total: Total, up: int, house: BlackjackHouse) -> bool:
    """Return whether two cards of this total are doubled where that is allowed."""
    return _letter(total, up, house) in "Dd"


def _letter(total: Total, up: int, house: BlackjackHouse) -> str:
    if total.points == 11 and not total.soft and up in (TEN, ACE) and _takes_all(house):
        return "H"
    if house.dealer_hits_soft_17 and (total, up) in HITS_SOFT_17:
        return HITS_SOFT_17[total, up]
    return (SOFT if total.soft else HARD).get(total.points, _HIT)[_UPS[up]]


def _takes_all(house: BlackjackHouse) -> bool:
    return not house.peek and house.unpeeked_blackjack_takes is UnpeekedTakes.ALL
