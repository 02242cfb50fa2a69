"""How often the side bet sees each row, exactly: every deal, every split, every end of the dealer.

Theory of operation. A round's probability is multiplied out along what the side bet can see: the player's two
cards, the up card, the second cards of the first split hand, and the dealer's end from the shoe that is left
(`dealer_odds`). What other hands take out of the shoe in between is left out on purpose; it changes nothing,
as `dealer_odds` explains. The dealer's hole card is in that shoe too, so a blackjack found by peeking is one
of his ends and not a case of its own: where it ends the round before a split, the split has only the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from daemon.rules.blackjack.bad_beat import BEATEN, PUSHED, QUALIFYING_MIN
from daemon.rules.blackjack.dealer_odds import DealerEnd, DealerOdds, dealer_odds
from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse, SplitAces
from daemon.rules.blackjack.paytables import BadBeatCase
from daemon.rules.blackjack.shoe import WORTHS, Shoe
from daemon.rules.blackjack.strategy import ACE, EIGHT, Strategy
from daemon.rules.blackjack.totals import BLACKJACK, Total, total_of_points

CaseOdds: TypeAlias = Mapping[BadBeatCase, Fraction]
Seen: TypeAlias = Iterator[tuple[BadBeatCase, Fraction]]
"""Cases with their probabilities, the same case any number of times."""


def case_odds(house: BlackjackHouse, strategy: Strategy, shoe: Shoe | None = None) -> CaseOdds:
    """The probability of every row, and of no row, in one round: from the house's full shoe, or from another."""
    odds = dict.fromkeys(BadBeatCase, Fraction(0))
    for chance, deal in _deals(house, strategy, shoe or Shoe.of(house.decks)):
        for case, probability in deal.seen():
            odds[case] += chance * probability
    return odds


def _deals(house: BlackjackHouse, strategy: Strategy, shoe: Shoe) -> Iterator[tuple[Fraction, _Deal]]:
    """Every two cards and up card, with the shoe behind them."""
    for first, chance_1, shoe_1 in shoe.draws():
        for second, chance_2, shoe_2 in shoe_1.draws():
            for up, chance_3, shoe_3 in shoe_2.draws():
                yield chance_1 * chance_2 * chance_3, _Deal((first, second), up, shoe_3, house, strategy)


def soft_19s_doubled(house: BlackjackHouse, strategy: Strategy) -> tuple[int, ...]:
    """The up cards against which an ace and an eight are doubled, from a full shoe."""
    shoe = Shoe.of(house.decks).without(ACE, EIGHT)
    deals = (_Deal((ACE, EIGHT), up, shoe.without(up), house, strategy) for up in WORTHS)
    return tuple(deal.up for deal in deals if deal.doubles_at_once())


def total_of_worths(*worths: int) -> Total:
    """The best total of cards of these worths."""
    return total_of_points(sum(worths), ACE in worths)


@dataclass(frozen=True, slots=True)
class _Deal:
    """Two cards against an up card, and the shoe that is left."""

    worths: tuple[int, int]
    up: int
    shoe: Shoe
    house: BlackjackHouse
    strategy: Strategy

    def doubles_at_once(self) -> bool:
        """Whether the first two cards are doubled."""
        return self._doubles(self.shoe, total_of_worths(*self.worths), split=False)

    def seen(self) -> Seen:
        """What the side bet comes to see, with probabilities that sum to one."""
        first, second = self.worths
        total = total_of_worths(first, second)
        if first == second and self._is_split(first):
            yield from self._split(first)
        elif total.points < QUALIFYING_MIN:
            yield BadBeatCase.NO_ROW, Fraction(1)
        elif self.doubles_at_once():
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
        """The first split hand gets its second card; `reached` is how likely there are so many hands."""
        for second, chance, left in shoe.draws():
            here = reached * chance
            if second == worth and self._splits_again(worth, hands):
                yield from self._first_hand(worth, left, here, hands + 1)
                continue
            total = total_of_worths(worth, second)
            ends = self._without_peeked(self._ends(left))
            if total.points < QUALIFYING_MIN or self._doubles(left, total, split=True):
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
        """How likely the dealer's blackjack ends the round before the player can act."""
        return self._ends(self.shoe)[DealerEnd.BLACKJACK] if self.house.peek else Fraction(0)

    @property
    def _acting(self) -> Fraction:
        return 1 - self._peeked_blackjack

    def _peeked(self, total: Total) -> Seen:
        """The first two cards against a blackjack that was found, as if they had stood."""
        yield BEATEN.get(total.points, BadBeatCase.NO_ROW), self._peeked_blackjack

    def _without_peeked(self, ends: DealerOdds) -> DealerOdds:
        if not self.house.peek:
            return ends
        return {end: odds for end, odds in ends.items() if end is not DealerEnd.BLACKJACK}

    def _doubles(self, shoe: Shoe, total: Total, *, split: bool) -> bool:
        """Whether a soft 19 from these cards is doubled: allowed, asked for, and better for the main bet."""
        if not (self.strategy.doubles_soft_19 and total.soft and total.points == QUALIFYING_MIN):
            return False
        if not self.house.double_on.allows(total.points) or (split and not self.house.double_after_split):
            return False
        return self._doubled(shoe) > self._main_value(total, shoe)

    def _main_value(self, total: Total, shoe: Shoe) -> Fraction:
        ends = self._without_peeked(self._ends(shoe))
        return sum((odds * _sign(total, end) for end, odds in ends.items()), Fraction(0))

    def _doubled(self, shoe: Shoe) -> Fraction:
        """What a doubled soft 19 returns on the main bet, in stakes."""
        value = Fraction(0)
        for third, chance, left in shoe.draws():
            value += 2 * chance * self._main_value(total_of_worths(ACE, EIGHT, third), left)
        if self.house.spares:
            value += self._ends(shoe)[DealerEnd.BLACKJACK]  # the second stake comes back
        return value


def _stood(total: Total, ends: DealerOdds, *, natural: bool) -> Seen:
    for end, odds in ends.items():
        yield _case(total, end, natural=natural), odds


def _case(total: Total, end: DealerEnd, *, natural: bool) -> BadBeatCase:
    if natural:
        return BadBeatCase.PUSH_21 if end is DealerEnd.BLACKJACK else BadBeatCase.PLAYER_WINS
    if total.points > end:
        return BadBeatCase.PLAYER_WINS
    return (PUSHED if total.points == end else BEATEN).get(total.points, BadBeatCase.NO_ROW)


def _sign(total: Total, end: DealerEnd) -> int:
    """What a stood or bust hand, which is no natural, wins of a stake."""
    return -1 if total.is_bust else (total.points > end) - (total.points < end)
