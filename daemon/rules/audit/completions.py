"""How many five-card hands of each kind contain given cards.

For up to five cards that lie on the table, a `Completions` says how often each kind of hand contains them, out
of the whole deck. Whether cards can still become a flush is all that suits matter for, so the answer depends on
two things only: the product of their ranks' primes, and whether their suits agree. That makes some thousands of
entries in place of millions, each the sum of those with one card more:

    hands containing X  =  sum over cards y not in X of (hands containing X and y) / (5 - |X|)

since a hand that contains X is met once for each of its other cards.

The counts of all kinds are lanes of one big integer, so that adding, weighting and subtracting counts is one
operation. A subtraction may borrow between lanes on the way; the counts that come out are right as long as the
final ones are not negative.

Drawing d cards to kept cards K after throwing D away is then inclusion and exclusion: hands that contain K and
none of D are the sum over subsets S of D of (-1)^|S| times the hands containing K and S.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from typing import Final, Generic, TypeVar

from daemon.rules import deuces, evaluator
from daemon.rules.deuces import WildHand
from daemon.rules.evaluator import PokerHand, product_of
from protocols.cards import Card, Rank
from protocols.frozen import dataclass

KindT = TypeVar("KindT")

_LANE_BITS: Final = 64  # the largest count is every hand times every draw over a common denominator, below 2**45
_LANE: Final = (1 << _LANE_BITS) - 1
_SUITS: Final = 4
_ALL_SUITS: Final = 0b1111


@dataclass(frozen=True, slots=True)
class Completions(Generic[KindT]):
    """Packed counts by product of ranks, for cards whose suits agree and for cards whose suits do not."""

    kinds: tuple[KindT, ...]
    wild: Rank | None
    suited: Mapping[int, int]
    mixed: Mapping[int, int]

    def packed(self, cards: Iterable[Card]) -> int:
        """Return the packed counts of all hands that contain these cards."""
        product, suits = 1, _ALL_SUITS
        for card in cards:
            product *= evaluator.PRIME_OF[card.index]
            suits &= self.suit_bits(card)
        return self.suited[product] if suits else self.mixed[product]

    def suit_bits(self, card: Card) -> int:
        """Return the suits that a card can pass for."""
        return _ALL_SUITS if card.rank is self.wild else evaluator.SUIT_BIT_OF[card.index]

    def counts(self, packed: int) -> dict[KindT, int]:
        """Return the counts of every kind, unpacked."""
        return {kind: packed >> (place * _LANE_BITS) & _LANE for place, kind in enumerate(self.kinds)}

    def containing(self, cards: Iterable[Card]) -> dict[KindT, int]:
        """Return how many hands of every kind contain these cards."""
        return self.counts(self.packed(cards))

    def drawing(self, keeps: Sequence[Card], throws: Sequence[Card]) -> dict[KindT, int]:
        """Return how many draws to the kept cards, from a deck without the thrown ones, make every kind."""
        return self.counts(self.drawing_packed(keeps, throws))

    def drawing_packed(self, keeps: Sequence[Card], throws: Sequence[Card]) -> int:
        """Return the same, packed."""
        return sum(sign * self.packed(cards) for sign, cards in _signed_subsets(keeps, throws))


def _signed_subsets(keeps: Sequence[Card], throws: Sequence[Card]) -> Iterator[tuple[int, list[Card]]]:
    for chosen in range(1 << len(throws)):
        subset = [card for place, card in enumerate(throws) if chosen >> place & 1]
        yield (-1) ** len(subset), [*keeps, *subset]


@cache
def poker_completions() -> Completions[PokerHand]:
    """Return the completions of hands by the ordinary rules."""
    suited = {product: evaluator.CLASS_OF[strength] for product, strength in evaluator.SUITED.items()}
    mixed = {product: evaluator.CLASS_OF[strength] for product, strength in evaluator.MIXED.items()}
    return _complete(tuple(PokerHand), None, suited, mixed)


@cache
def wild_completions() -> Completions[WildHand]:
    """Return the completions of hands with deuces wild."""
    return _complete(tuple(WildHand), Rank.TWO, *deuces.by_product())


def _complete(
    kinds: tuple[KindT, ...], wild: Rank | None, suited: Mapping[int, KindT], mixed: Mapping[int, KindT]
) -> Completions[KindT]:
    lane = {kind: 1 << (place * _LANE_BITS) for place, kind in enumerate(kinds)}
    all_suited = {product: lane[kind] for product, kind in suited.items()}
    all_mixed = {product: lane[kind] for product, kind in mixed.items()}
    for size in (4, 3, 2, 1, 0):
        for ranks in combinations_with_replacement(Rank, size):
            _add(ranks, wild, all_suited, all_mixed)
    return Completions(kinds, wild, all_suited, all_mixed)


def _add(ranks: tuple[Rank, ...], wild: Rank | None, suited: dict[int, int], mixed: dict[int, int]) -> None:
    """Enter one holding, suited and mixed where it can be either, from the entries with one card more."""
    held = Counter(ranks)
    naturals = [rank for rank in ranks if rank is not wild]
    product, others = product_of(ranks), 5 - len(ranks)
    after = [(rank, _SUITS - held[rank], product * product_of((rank,))) for rank in Rank if held[rank] < _SUITS]
    if len(naturals) > 1:
        mixed[product] = sum(left * mixed[longer] for _, left, longer in after) // others
    if len(naturals) == len(set(naturals)):
        total = 0
        for rank, left, longer in after:
            same = _agreeing(rank, held, naturals, wild)
            total += same * suited.get(longer, 0) + (left - same) * mixed.get(longer, 0)
        suited[product] = total // others


def _agreeing(rank: Rank, held: Counter[Rank], naturals: list[Rank], wild: Rank | None) -> int:
    """Return how many of the cards of a rank that are left agree in suit with a suited holding."""
    if rank is wild or not naturals:
        return _SUITS - held[rank]
    return 0 if held[rank] else 1
