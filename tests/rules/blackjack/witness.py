"""A witness of every round that a small shoe can deal: it deals real cards one by one through the real game.

It knows no odds of dealers, no endings, and nothing of who may draw first; only what the next card can be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import factorial
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
Sees: TypeAlias = Callable[[Play, tuple[Card, ...], int], None]
"""Told of every finished round: the player's, the dealer's cards, and in how many orders of the shoe it is dealt."""


class Witness:
    """Player, dealer's up card, player, dealer's hole card; a neighbour, if there is one; the player; the dealer."""

    def __init__(self, house: BlackjackHouse, decides: Decides, sees: Sees, neighbour: Draws | None = None) -> None:
        self.house, self.decides, self.sees, self.neighbour = house, decides, sees, neighbour

    def deal_all(self, counts: tuple[int, ...]) -> int:
        """Every round from so many cards of each worth; return how many orders the whole shoe has.

        Orders are whole numbers: fractions of them took half of the time.
        """
        orders = factorial(sum(counts))
        self._deal((), list(counts), orders)
        return orders

    def _draws(self, counts: list[int], orders: int) -> Iterator[tuple[Card, int]]:
        each = orders // max(sum(counts), 1)  # whole: of so many cards, each is the next one equally often
        for place, count in enumerate(counts):
            if count:
                counts[place] -= 1
                yield BY_POINTS[place + 1][count % 4], each * count
                counts[place] += 1

    def _deal(self, dealt: tuple[Card, ...], counts: list[int], orders: int) -> None:
        if len(dealt) < 4:
            for card, here in self._draws(counts, orders):
                self._deal((*dealt, card), counts, here)
            return
        first, up, second, hole = dealt
        play = deal(first, second, up)
        if found_by_peeking((up, hole), self.house):
            self.sees(play, (up, hole), orders)
        else:
            self._neighbour((), play, hole, counts, orders)

    def _neighbour(self, cards: tuple[Card, ...], play: Play, hole: Card, counts: list[int], orders: int) -> None:
        """Somebody who plays before the player, and whose cards the player does not heed."""
        if self.neighbour is not None and (len(cards) < 2 or self.neighbour(cards)):
            for card, here in self._draws(counts, orders):
                self._neighbour((*cards, card), play, hole, counts, here)
        else:
            self._play(play, hole, counts, orders)

    def _play(self, play: Play, hole: Card, counts: list[int], orders: int) -> None:
        if play.card_due:
            for card, here in self._draws(counts, orders):
                drawn = draw(play, card, self.house)
                assert isinstance(drawn, Play)
                self._play(drawn, hole, counts, here)
        elif play.turn is not None:
            decided = decide(play, self.decides(play), self.house)
            assert isinstance(decided, Play)
            self._play(decided, hole, counts, orders)
        else:
            self._dealer(play, (play.up, hole), counts, orders)

    def _dealer(self, play: Play, dealer: tuple[Card, ...], counts: list[int], orders: int) -> None:
        if must_draw(total_of(dealer), self.house.dealer_hits_soft_17):
            for card, here in self._draws(counts, orders):
                self._dealer(play, (*dealer, card), counts, here)
        else:
            self.sees(play, dealer, orders)
