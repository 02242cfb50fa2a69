"""What the main wager returns under basic strategy, exactly, splits and all.

Theory of operation. A mean is a sum over hands, so every hand is valued by itself: over its own cards, then
over the dealer's ends from the shoe that is left. `_Hands` walks a hand through the game's own rules (`play`)
by basic strategy and remembers it by the worths that it holds, because their order changes nothing.

Splits put other cards on the table. A pair is split as often as it may be, so all that must be known of the
second cards is which of them have the pair's worth and were split again, and that the others have not. It
does not matter who draws first: the cards of that worth are taken out of the shoe, the hand and the dealer
draw, and the other hands' second cards are `Others`, of which only one thing is known. Every order in which
the second cards can come is as likely as any other with the same number of that worth, so the orders are
counted (`_second_cards`) and one hand of each kind stands for all of its kind.

Not for a house in which a dealer blackjack takes the original stake only: what it takes of one hand depends
on the others there, and a sum over hands does not see that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import field
from fractions import Fraction
from functools import cached_property, partial
from math import perm
from typing import Final

from daemon.frozen import replace
from daemon.rules.audit.auditor import UNWATCHED, Watch
from daemon.rules.blackjack.basic import ACE, basic_action
from daemon.rules.blackjack.dealer_odds import (
    NO_OTHERS,
    DealerEnd,
    DealerOdds,
    Others,
    dealer_odds,
    odds_of_others,
)
from daemon.rules.blackjack.house import BlackjackHouse, SplitAces
from daemon.rules.blackjack.play import CARD_DUE, Action, Hand, HandState, Play, deal, decide, draw
from daemon.rules.blackjack.shoe import WORTHS, Shoe
from daemon.rules.blackjack.totals import POINTS, Total
from protocols.cards import Card, Rank, Suit
from protocols.frozen import dataclass

CARD_WORTH: Final = {POINTS[rank]: Card(rank, Suit.CLUBS) for rank in Rank}
"""Some card of each worth; suits are nothing here, and neither is how often one card is drawn."""


@dataclass(frozen=True, slots=True)
class Worth:
    """The mean of a round in first stakes: the player's net, and all stakes of the player."""

    net: Fraction
    staked: Fraction

    def __add__(self, other: Worth) -> Worth:
        return Worth(self.net + other.net, self.staked + other.staked)

    def times(self, factor: Fraction | int) -> Worth:
        """Return the same, so many times or so likely."""
        return Worth(self.net * factor, self.staked * factor)


NOTHING: Final = Worth(Fraction(0), Fraction(0))


def main_return(house: BlackjackHouse, shoe: Shoe | None = None, watch: Watch = UNWATCHED) -> Worth:
    """Return one round's mean from the house's full shoe, or from another."""
    if house.spares:
        raise ValueError("the mean of a house whose dealer blackjack takes the original stake only is not known here")
    full = shoe or Shoe.of(house.decks)
    house = replace(house, bad_beat_pays=None)  # it says nothing here, and could not be sent to another process
    tasks = [partial(_against, house, up, full) for up in WORTHS if full.holds(up)]
    return sum(watch.run(tasks, "every round of blackjack"), NOTHING)


def _against(house: BlackjackHouse, up: int, full: Shoe) -> Worth:
    chance = Fraction(full.holds(up), full.size)
    return AgainstUp(house, up, full.without(up)).mean().times(chance)


@dataclass(frozen=True)
class AgainstUp:
    """One up card, and the shoe without it."""

    house: BlackjackHouse
    up: int
    shoe: Shoe

    @cached_property
    def hands(self) -> _Hands:
        """Return the hands that are not split."""
        return _Hands(self.house, self.up)

    def mean(self) -> Worth:
        """Over every first two cards."""
        worth = NOTHING
        for first, chance_1, shoe_1 in self.shoe.draws():
            for second, chance_2, shoe_2 in shoe_1.draws():
                worth += self._first_two(first, second, shoe_2).times(chance_1 * chance_2)
        return worth

    def _first_two(self, first: int, second: int, shoe: Shoe) -> Worth:
        peeked = self.hands.peeked_blackjack(shoe)
        play = deal(CARD_WORTH[first], CARD_WORTH[second], CARD_WORTH[self.up])
        if play.hands[0].state is HandState.NATURAL:
            lost_or_pushed = dealer_odds(self.up, shoe, self.house.dealer_hits_soft_17)[DealerEnd.BLACKJACK]
            return Worth(self.house.blackjack_pays.odds * (1 - lost_or_pushed), Fraction(1))
        found = Worth(-peeked, peeked)
        if basic_action(play, self.house) is Action.SPLIT:
            return found + self.split(first, shoe)
        return found + self.hands.worth(play.hands[0], shoe)

    def after(self, first: int, second: int, action: Action) -> Fraction:
        """Return the net of these two cards if this is done first and basic strategy is followed from then on."""
        shoe = self.shoe.without(first, second)
        if action is Action.SPLIT:
            return self.split(first, shoe).net
        play = decide(deal(CARD_WORTH[first], CARD_WORTH[second], CARD_WORTH[self.up]), action, self.house)
        if not isinstance(play, Play):
            raise ValueError(play.message)  # noqa: TRY004 - it is the value that is wrong
        return self.hands.worth(play.hands[0], shoe).net

    def split(self, pair: int, shoe: Shoe) -> Worth:
        """Return a split pair's mean, split again where the house allows it, without a blackjack found by peeking."""
        once = pair == ACE and self.house.split_aces is SplitAces.ONCE_ONE_CARD
        hands_max = 2 if once else self.house.hands_max
        worth = NOTHING
        for (hands, alike, unlike), orders in _second_cards(hands_max).items():
            if unlike:
                worth += self._one_of(pair, hands, hands - 2 + alike, unlike - 1, shoe, False).times(orders * unlike)
            if alike:
                worth += self._one_of(pair, hands, hands - 3 + alike, unlike, shoe, True).times(orders * alike)
        return worth

    def _one_of(self, pair: int, hands: int, taken: int, others: int, shoe: Shoe, alike: bool) -> Worth:
        """Return one split hand's mean, with so many more alike cards out of the shoe and unlike ones elsewhere.

        `alike`: its own second card has the pair's worth, and there are as many hands as there may be.
        """
        if shoe.holds(pair) < taken:
            return NOTHING
        out = Fraction(perm(shoe.holds(pair), taken), perm(shoe.size, taken))
        tree = _Hands(self.house, self.up, Others(pair, others), hands)
        worth = NOTHING
        for second, chance, left in shoe.without(*(pair,) * taken).draws():
            if (second == pair) == alike:
                worth += tree.worth(tree.second_card(pair, second), left).times(out * chance)
        return worth


def _second_cards(hands_max: int) -> Counter[tuple[int, int, int]]:
    """Return in how many orders splitting ends with so many hands, alike second cards kept, and unlike ones."""
    ends: Counter[tuple[int, int, int]] = Counter()
    open_: Counter[tuple[int, int, int, int]] = Counter({(2, 2, 0, 0): 1})  # hands, of which waiting; alike, unlike
    while open_:
        (hands, waiting, alike, unlike), orders = open_.popitem()
        if not waiting:
            ends[hands, alike, unlike] += orders
            continue
        open_[hands, waiting - 1, alike, unlike + 1] += orders
        split_again = (hands + 1, waiting + 1, alike, unlike)
        kept = (hands, waiting - 1, alike + 1, unlike)
        open_[split_again if hands < hands_max else kept] += orders
    return ends


@dataclass(frozen=True)
class _Hands:
    """Every hand against one up card, valued once. `hands`: how many the player has; the others are elsewhere."""

    house: BlackjackHouse
    up: int
    others: Others = NO_OTHERS
    hands: int = 1
    known: dict[tuple[HandState, bool, tuple[int, ...]], Worth] = field(default_factory=dict)

    def worth(self, hand: Hand, shoe: Shoe) -> Worth:
        """Return the hand's mean from this shoe, without a blackjack that was found by peeking."""
        key = hand.state, hand.doubled, tuple(sorted(POINTS[card.rank] for card in hand.cards))
        if key not in self.known:
            self.known[key] = self._worth(hand, shoe)
        return self.known[key]

    def second_card(self, pair: int, second: int) -> Hand:
        """Return a split hand with its second card."""
        return self._drawn(Hand((CARD_WORTH[pair],), HandState.SECOND_CARD_DUE), second)

    def peeked_blackjack(self, shoe: Shoe) -> Fraction:
        """Return how likely the dealer's blackjack ends the round before anybody acts."""
        return self._blackjack(shoe) if self.house.peek else Fraction(0)

    def _worth(self, hand: Hand, shoe: Shoe) -> Worth:
        if hand.state is HandState.DECIDING:
            play = decide(self._play(hand), basic_action(self._play(hand), self.house), self.house)
            assert isinstance(play, Play)
            return self.worth(play.hands[0], shoe)
        if hand.state in CARD_DUE:
            drawn = (self.worth(self._drawn(hand, card), left).times(chance) for card, chance, left in shoe.draws())
            return sum(drawn, NOTHING)
        odds = odds_of_others(shoe, self.others)
        acting = odds - self.peeked_blackjack(shoe)
        return Worth(self._net(hand, shoe, odds, acting), acting * hand.stakes)

    def _net(self, hand: Hand, shoe: Shoe, odds: Fraction, acting: Fraction) -> Fraction:
        match hand.state:
            case HandState.BUST:
                return -acting * hand.stakes
            case HandState.SURRENDERED:
                blackjack = self._blackjack(shoe)  # to which late surrender is worth nothing
                return -(odds - blackjack) / 2 - (acting - (odds - blackjack))
            case _:
                ends = self._ends(shoe)
                return hand.stakes * sum((_sign(hand.total, end) * chance for end, chance in ends), Fraction(0))

    def _drawn(self, hand: Hand, worth: int) -> Hand:
        play = draw(self._play(hand), CARD_WORTH[worth], self.house)
        assert isinstance(play, Play)
        return play.hands[0]

    def _play(self, hand: Hand) -> Play:
        """Return the hand as the game sees it; how many others there are decides whether it is a split one."""
        other = Hand((hand.cards[0],), HandState.STANDING)
        return Play((hand, *(other,) * (self.hands - 1)), CARD_WORTH[self.up])

    def _ends(self, shoe: Shoe) -> Iterator[tuple[DealerEnd, Fraction]]:
        ends: DealerOdds = dealer_odds(self.up, shoe, self.house.dealer_hits_soft_17, self.others)
        return ((end, odds) for end, odds in ends.items() if not (self.house.peek and end is DealerEnd.BLACKJACK))

    def _blackjack(self, shoe: Shoe) -> Fraction:
        """Return how likely the hole card makes a blackjack, and the others are as they are said to be."""
        hole = {1: 10, 10: 1}.get(self.up, 0)
        if not hole or not shoe.holds(hole):
            return Fraction(0)
        return Fraction(shoe.holds(hole), shoe.size) * odds_of_others(shoe.without(hole), self.others)


def _sign(total: Total, end: DealerEnd) -> int:
    return (total.points > end) - (total.points < end)
