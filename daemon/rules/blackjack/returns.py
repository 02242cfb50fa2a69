"""How often the side bet sees each row, exactly: every deal, every split, every end of the dealer.

Theory of operation. A round's probability is multiplied out along what the side bet can see: the player's two
cards, the up card, the second cards of the first split hand, and the dealer's end from the shoe that is left
(`dealer_odds`). What other hands take out of the shoe in between is left out on purpose; it changes nothing,
as `dealer_odds` explains. The dealer's hole card is in that shoe too, so a blackjack found by peeking is one
of the dealer's ends and not a case of its own. Where it ends the round before a split, the split has only the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TypeAlias

from daemon.rules.blackjack.bad_beat import BEATEN, PUSHED, QUALIFYING_MIN
from daemon.rules.blackjack.basic import ACE
from daemon.rules.blackjack.dealer_odds import DealerEnd, DealerOdds, dealer_odds
from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse, SplitAces
from daemon.rules.blackjack.paytables import BadBeatCase
from daemon.rules.blackjack.shoe import Shoe
from daemon.rules.blackjack.strategy import SOFT_19, Strategy
from daemon.rules.blackjack.totals import BLACKJACK, Total, total_of_points
from protocols.frozen import dataclass

CaseOdds: TypeAlias = Mapping[BadBeatCase, Fraction]
Seen: TypeAlias = Iterator[tuple[BadBeatCase, Fraction]]
"""Cases with their probabilities, the same case any number of times."""


def case_odds(house: BlackjackHouse, strategy: Strategy, shoe: Shoe | None = None) -> CaseOdds:
    """Return the probability of every row, and of no row, in one round: from the house's full shoe, or from another."""
    odds = dict.fromkeys(BadBeatCase, Fraction(0))
    for chance, deal in _deals(house, strategy, shoe or Shoe.of(house.decks)):
        for case, probability in deal.seen():
            odds[case] += chance * probability
    return odds


def _deals(house: BlackjackHouse, strategy: Strategy, shoe: Shoe) -> Iterator[tuple[Fraction, _Deal]]:
    """Yield every two cards and up card, with the shoe behind them."""
    for first, chance_1, shoe_1 in shoe.draws():
        for second, chance_2, shoe_2 in shoe_1.draws():
            for up, chance_3, shoe_3 in shoe_2.draws():
                yield chance_1 * chance_2 * chance_3, _Deal((first, second), up, shoe_3, house, strategy)


def total_of_worths(*worths: int) -> Total:
    """Return the best total of cards of these worths."""
    return total_of_points(sum(worths), ACE in worths)


@dataclass(frozen=True, slots=True)
class _Deal:
    """Two cards against an up card, and the shoe that is left."""

    worths: tuple[int, int]
    up: int
    shoe: Shoe
    house: BlackjackHouse
    strategy: Strategy

    def seen(self) -> Seen:
        """Return the outcomes that the side bet depends on, with probabilities that sum to one."""
        first, second = self.worths
        total = total_of_worths(first, second)
        if first == second and self._is_split(first):
            yield from self._split(first)
        elif total.points < QUALIFYING_MIN:
            yield BadBeatCase.NO_ROW, Fraction(1)
        elif self._doubles(total):
            yield from self._peeked(total)
            yield BadBeatCase.NO_ROW, self._acting
        else:
            yield from _stood(total, self._ends(self.shoe), natural=total.points == BLACKJACK)

    def _is_split(self, worth: int) -> bool:
        never = worth == ACE and self.house.split_aces is SplitAces.NEVER
        return self.strategy.splits_pair(worth, self.up) and not never

    def _split(self, worth: int) -> Seen:
        yield from self._peeked(total_of_worths(worth, worth))
        if self.house.option is BadBeatOption.FIRST_TWO_CARDS:
            yield BadBeatCase.NO_ROW, self._acting
        else:
            yield from self._first_hand(worth, self.shoe, Fraction(1), hands=2)

    def _first_hand(self, worth: int, shoe: Shoe, reached: Fraction, hands: int) -> Seen:
        """Yield what the side bet sees on the first split hand. `reached` is how likely there are so many hands."""
        for second, chance, left in shoe.draws():
            here = reached * chance
            if second == worth and self._splits_again(worth, hands):
                yield from self._first_hand(worth, left, here, hands + 1)
                continue
            total = total_of_worths(worth, second)
            ends = self._without_peeked(self._ends(left))
            doubled = self._may_double_split(worth) and self._doubles(total)
            if total.points < QUALIFYING_MIN or doubled:
                yield BadBeatCase.NO_ROW, here * sum(ends.values())
            else:
                yield from ((case, here * odds) for case, odds in _stood(total, ends, natural=False))

    def _splits_again(self, worth: int, hands: int) -> bool:
        once = worth == ACE and self.house.split_aces is SplitAces.ONCE_ONE_CARD
        return hands < self.house.hands_max and not once

    def _ends(self, shoe: Shoe) -> DealerOdds:
        return dealer_odds(self.up, shoe, self.house.dealer_hits_soft_17)

    @property
    def _peeked_blackjack(self) -> Fraction:
        """Return how likely the dealer's blackjack ends the round before the player can act."""
        return self._ends(self.shoe)[DealerEnd.BLACKJACK] if self.house.peek else Fraction(0)

    @property
    def _acting(self) -> Fraction:
        return 1 - self._peeked_blackjack

    def _peeked(self, total: Total) -> Seen:
        """Yield what the first two cards come to against a blackjack that was found, as if they had stood."""
        yield BEATEN.get(total.points, BadBeatCase.NO_ROW), self._peeked_blackjack

    def _without_peeked(self, ends: DealerOdds) -> DealerOdds:
        if not self.house.peek:
            return ends
        return {end: odds for end, odds in ends.items() if end is not DealerEnd.BLACKJACK}

    def _doubles(self, total: Total) -> bool:
        """Return whether a soft 19 is doubled: it is by the strategy, and the house doubles such totals."""
        wanted = total == SOFT_19 and self.up in self.strategy.doubles_soft_19
        return wanted and self.house.double_on.allows(total.points)

    def _may_double_split(self, worth: int) -> bool:
        one_card = worth == ACE and self.house.split_aces is SplitAces.ONCE_ONE_CARD
        return self.house.double_after_split and not one_card


def _stood(total: Total, ends: DealerOdds, *, natural: bool) -> Seen:
    for end, odds in ends.items():
        yield _case(total, end, natural=natural), odds


def _case(total: Total, end: DealerEnd, *, natural: bool) -> BadBeatCase:
    if natural:
        return BadBeatCase.PUSH_21 if end is DealerEnd.BLACKJACK else BadBeatCase.PLAYER_WINS
    if total.points > end:
        return BadBeatCase.PLAYER_WINS
    return (PUSHED if total.points == end else BEATEN).get(total.points, BadBeatCase.NO_ROW)
