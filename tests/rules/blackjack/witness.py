"""A witness of every round that a small shoe can deal: it deals real cards one by one through the real game.

It knows no odds of dealers, no endings, and nothing of who may draw first; only what the next card can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TypeAlias

from daemon.rules.blackjack.dealer import found_by_peeking, must_draw
from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.play import Action, Play, deal, decide, draw
from daemon.rules.blackjack.totals import total_of
from protocols.cards import Card
from tests.rules.blackjack.rounds import BY_POINTS

Draws: TypeAlias = Callable[[tuple[Card, ...]], bool]
"""Whether a hand that nobody asks about takes another card."""

Decides: TypeAlias = Callable[[Play], Action]
Sees: TypeAlias = Callable[[Play, tuple[Card, ...], Fraction], None]
"""Told of every finished round: the player's, the dealer's cards, and how likely it is."""


class Witness:
    """Player, dealer's up card, player, dealer's hole card; a neighbour, if there is one; the player; the dealer."""

    def __init__(self, house: BlackjackHouse, decides: Decides, sees: Sees, neighbour: Draws | None = None) -> None:
        self.house, self.decides, self.sees, self.neighbour = house, decides, sees, neighbour

    def deal_all(self, counts: tuple[int, ...]) -> None:
        """Every round from so many cards of each worth."""
        self._deal((), list(counts), Fraction(1))

    def _draws(self, counts: list[int], chance: Fraction) -> Iterator[tuple[Card, Fraction]]:
        size = sum(counts)
        for place, count in enumerate(counts):
            if count:
                counts[place] -= 1
                yield BY_POINTS[place + 1][count % 4], chance * Fraction(count, size)
                counts[place] += 1

    def _deal(self, dealt: tuple[Card, ...], counts: list[int], chance: Fraction) -> None:
        if len(dealt) < 4:
            for card, here in self._draws(counts, chance):
                self._deal((*dealt, card), counts, here)
            return
        first, up, second, hole = dealt
        play = deal(first, second, up)
        if found_by_peeking((up, hole), self.house):
            self.sees(play, (up, hole), chance)
        else:
            self._neighbour((), play, hole, counts, chance)

    def _neighbour(self, cards: tuple[Card, ...], play: Play, hole: Card, counts: list[int], chance: Fraction) -> None:
        """Somebody who plays before the player, and whose cards the player does not heed."""
        if self.neighbour is not None and (len(cards) < 2 or self.neighbour(cards)):
            for card, here in self._draws(counts, chance):
                self._neighbour((*cards, card), play, hole, counts, here)
        else:
            self._play(play, hole, counts, chance)

    def _play(self, play: Play, hole: Card, counts: list[int], chance: Fraction) -> None:
        if play.card_due:
            for card, here in self._draws(counts, chance):
                drawn = draw(play, card, self.house)
                assert isinstance(drawn, Play)
                self._play(drawn, hole, counts, here)
        elif play.turn is not None:
            decided = decide(play, self.decides(play), self.house)
            assert isinstance(decided, Play)
            self._play(decided, hole, counts, chance)
        else:
            self._dealer(play, (play.up, hole), counts, chance)

    def _dealer(self, play: Play, dealer: tuple[Card, ...], counts: list[int], chance: Fraction) -> None:
        if must_draw(total_of(dealer), self.house.dealer_hits_soft_17):
            for card, here in self._draws(counts, chance):
                self._dealer(play, (*dealer, card), counts, here)
        else:
            self.sees(play, dealer, chance)
