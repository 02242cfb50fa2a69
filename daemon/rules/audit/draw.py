"""The best draw for every hand, exactly.

A hand can be held in 32 ways. What a hold is worth is the mean of the paytable over every draw from the 47 cards
that its player cannot see. The player knows no more of other players' cards than of the stub, so each of the 47 is
equally likely.

The 32 values of a hand come from one transformation. Let v(X) be what all hands containing X pay together. The
hands that contain the hold K and none of the thrown cards are v over all sets between K and the whole hand with
alternating signs, and taking one card after the other out of the way computes that for all 32 holds at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm
from typing import Final, Generic, TypeVar

from daemon.rules.audit.completions import Completions
from daemon.rules.audit.orbits import Roles
from daemon.rules.evaluator import HANDS, PRIME_OF
from daemon.rules.money import Cents
from daemon.rules.paytable import Paytable, net_exact
from protocols.cards import Card
from protocols.frozen import dataclass

KindT = TypeVar("KindT")

HAND_CARDS: Final = 5
UNSEEN: Final = 47
HOLDS: Final = 1 << HAND_CARDS
DRAWS_LCM: Final = lcm(*(comb(UNSEEN, drawn) for drawn in range(HAND_CARDS + 1)))
"""Every number of draws divides it, so hands that draw differently can be counted together."""
TOTAL: Final = HANDS * DRAWS_LCM
"""What the counts of an optimal draw sum to."""

_ALL_SUITS: Final = 0b1111
_WEIGHT: Final = tuple(DRAWS_LCM // comb(UNSEEN, HAND_CARDS - hold.bit_count()) for hold in range(HOLDS))
_BITS: Final = tuple(1 << place for place in range(HAND_CARDS))
_PAIRS: Final = tuple((hold, hold | bit) for bit in _BITS for hold in range(HOLDS) if not hold & bit)
# Where holds are worth the same the one that keeps most cards is taken, so that a draw is never for nothing.
_MOST_KEPT_FIRST: Final = tuple(sorted(range(HOLDS), key=lambda hold: (-hold.bit_count(), hold)))


@dataclass(frozen=True, slots=True)
class Hold(Generic[KindT]):
    """One way to hold a hand: what is kept, what it is worth to a stake of one, and what the draws make of it."""

    keeps: tuple[Card, ...]
    throws: tuple[Card, ...]
    expectation: Fraction
    draws: int
    kinds: dict[KindT, int]


class DrawGame(Generic[KindT]):
    """One paytable after a draw. The sums are whole numbers: the net to a stake of one, times `scale`."""

    def __init__(self, completions: Completions[KindT], paytable: Paytable[KindT], stake: Cents) -> None:
        nets = {kind: net_exact(paytable.award_for(kind), stake) / stake for kind in completions.kinds}
        self.completions = completions
        self.scale = lcm(*(net.denominator for net in nets.values()))
        worth = {kind: int(net * self.scale) for kind, net in nets.items()}
        self._suited = self._sums(completions.suited, worth)
        self._mixed = self._sums(completions.mixed, worth)

    def _sums(self, packed_by_product: Mapping[int, int], worth: dict[KindT, int]) -> dict[int, int]:
        counts = self.completions.counts
        return {
            product: sum(worth[kind] * count for kind, count in counts(packed).items())
            for product, packed in packed_by_product.items()
        }

    def values(self, cards: Sequence[Card]) -> list[int]:
        """Return what each hold of five cards is worth, by the bits of the places kept, times scale and `DRAWS_LCM`."""
        products, suits = [1], [_ALL_SUITS]
        for card in cards:
            prime, bits = PRIME_OF[card.index], self.completions.suit_bits(card)
            products += [product * prime for product in products]
            suits += [agreeing & bits for agreeing in suits]
        suited, mixed = self._suited, self._mixed
        sums = [(suited if bits else mixed)[product] for product, bits in zip(products, suits, strict=True)]
        for hold, longer in _PAIRS:
            sums[hold] -= sums[longer]
        return [value * weight for value, weight in zip(sums, _WEIGHT, strict=True)]

    def best(self, cards: Sequence[Card]) -> int:
        """Return the best hold, by the bits of the places kept."""
        return max(_MOST_KEPT_FIRST, key=self.values(cards).__getitem__)

    def holds(self, cards: Sequence[Card]) -> tuple[Hold[KindT], ...]:
        """Return all 32 holds, best first."""
        values = self.values(cards)
        order = sorted(_MOST_KEPT_FIRST, key=values.__getitem__, reverse=True)
        return tuple(self._hold(cards, hold, values[hold]) for hold in order)

    def _hold(self, cards: Sequence[Card], hold: int, value: int) -> Hold[KindT]:
        keeps, throws = split(cards, hold)
        kinds = self.completions.drawing(keeps, throws)
        return Hold(keeps, throws, Fraction(value, self.scale * DRAWS_LCM), comb(UNSEEN, len(throws)), kinds)

    def count(self, hands: Iterable[tuple[Roles, int]]) -> list[int]:
        """Return how often each kind comes when these orbits of hands are held best, out of `TOTAL` for all of them."""
        packed = 0
        for (cards,), ways in hands:
            hold = self.best(cards)
            packed += self.completions.drawing_packed(*split(cards, hold)) * _WEIGHT[hold] * ways
        return list(self.completions.counts(packed).values())


def split(cards: Sequence[Card], hold: int) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
    """Return the cards that a hold keeps, and those that it throws away."""
    keeps = tuple(card for card, bit in zip(cards, _BITS, strict=True) if hold & bit)
    return keeps, tuple(card for card, bit in zip(cards, _BITS, strict=True) if not hold & bit)
