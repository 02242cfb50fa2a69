"""An automatic dealer at a shoe: deals rounds or hands of baccarat, puts errors right, fills the shoe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from sim_hardware.pace import MS, S
from sim_hardware.shoe import Shoe

DRAW_NS: Final = 900 * MS
ROUND_NS: Final = 8 * S  # from the last card of one round to the first of the next
RIGHT_NS: Final = 4 * S  # to put an error right


class ShoeDealer:
    """Does one thing at a time, at dealing pace."""

    def __init__(self, shoe: Shoe, fill: Callable[[int], object]) -> None:
        """`fill` puts the next decks in. The dealer does that first."""
        self._shoe: Final = shoe
        self._fill_shoe: Final = fill
        self._cards = 0  # of the present round
        self._is_last_round = False
        self._due_ns: int | None = None

    def next_timeout_ns(self) -> int | None:
        """Return when the next thing is due."""
        return self._due_ns

    def handle_timeout(self, now_ns: int) -> None:
        """Do the next thing if it is due."""
        if self._due_ns is None or now_ns >= self._due_ns:
            takes_ns = self._act(now_ns)
            self._due_ns = now_ns + max(MS, self._shoe.settings.pace.lasts_ns(takes_ns))

    def _act(self, now_ns: int) -> int:
        """Do the next thing, and return the time until the one after."""
        shoe = self._shoe
        if shoe.error is not None:
            shoe.cancel_error(now_ns)
            return RIGHT_NS
        if self._is_over():
            return self._end_round(now_ns)
        if self._is_last_round or not shoe.inside:
            return self._fill(now_ns)
        is_card = not shoe.is_cut_card_next
        if shoe.draw(now_ns) is None and is_card:
            self._cards += 1
        return DRAW_NS

    def _is_over(self) -> bool:
        referee = self._shoe.referee
        return self._cards >= self._shoe.settings.cards_a_round if referee is None else referee.next_side() is None

    def _end_round(self, now_ns: int) -> int:
        self._cards = 0
        self._is_last_round = self._shoe.settings.behind_cut is not None and self._shoe.is_cut_card_out
        self._shoe.end_deal(now_ns)
        return ROUND_NS

    def _fill(self, now_ns: int) -> int:
        self._is_last_round, self._cards = False, 0
        self._fill_shoe(now_ns)
        return self._shoe.settings.pace.gather_ns
