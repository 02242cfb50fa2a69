"""What is known of the shoe: the ledger of everything that left it since it was loaded. Pure values.

Theory of operation. A shoe is loaded with whole decks, and from then on every card that leaves it is entered here, by
its name or as one without a name, whether it was dealt, burned or drawn by mistake. So at any time no card can have
come more often than the decks hold it, and one that has proves that the decks are not what they should be: such a
shoe is spoiled, and not dealt from again. The ledger proves nothing by what has not come: cards may have left unseen.

    none ---load---> burning ---burn cards out---> in use ---cut card---> last round ---round ends---> none
                                                     `------void or spoiled, and the round ends------> none

The last round is the one that is dealt when the cut card comes, or the next one when it comes between two. It is also
the one that leaves fewer cards than a round can need: players who see that the shoe runs out draw the rest of it, and
the void that is left to them returns every stake.

A card that went back into the shoe may come a second time. Which one it was is never taken for known, so each of them
leaves room for one more of any card.
"""

from __future__ import annotations

from typing import Final

from daemon.frozen import replace
from protocols.cards import DECK, Card, Face
from protocols.frozen import dataclass

NONE_DRAWN: Final = (0,) * len(DECK)


@dataclass(frozen=True, slots=True)
class ShoeRules:
    """How a game is dealt from a shoe: from so many decks, after so many burned cards."""

    decks: int
    burn_cards: int = 0
    is_for_one_round: bool = False  # the decks are shuffled again after every round, cut card or not
    cards_a_round: int = 0  # a shoe that holds fewer is changed between two rounds, cut card or not


@dataclass(frozen=True, slots=True)
class Shoe:
    """One load. `drawn` counts each card of a deck, in the order of `DECK`; `number` is the shoe's own count."""

    decks: int
    burn_due: int = 0
    burned: int = 0
    drawn: tuple[int, ...] = NONE_DRAWN
    unnamed: int = 0
    returned: int = 0
    disputed: int = 0
    number: int = 0
    of_this_round: int = 0  # cards that left since the last round ended, burned ones aside
    is_last_round: bool = False
    is_spoiled: bool = False
    is_unread_told: bool = False  # a card was said to be unread, and may still come as one without a name
    is_last_unnamed: bool = False
    read_failures: int = 0

    @property
    def gone(self) -> int:
        """Return how many cards have left it, as far as they were seen."""
        return sum(self.drawn) + self.unnamed

    @property
    def left(self) -> int:
        """Return how many cards it holds at most."""
        return self.decks * len(DECK) - self.gone + self.returned

    def with_card(self, face: Face) -> Shoe:
        """Return the ledger after one more card."""
        more = replace(self, of_this_round=self.of_this_round + 1, is_unread_told=False)
        if isinstance(face, Card):
            return replace(more, drawn=self._with(face), is_last_unnamed=False)
        return replace(more, unnamed=self.unnamed + 1, is_last_unnamed=True)

    def with_name(self, card: Card) -> Shoe:
        """Return the ledger after somebody named a card that had left without a name."""
        return replace(self, drawn=self._with(card), unnamed=self.unnamed - 1, is_last_unnamed=False)

    def cannot_hold(self, face: Face) -> bool:
        """Return whether this card has come more often than the decks can give it, or more cards than there are."""
        too_often = isinstance(face, Card) and self.drawn[face.index] > self.decks + self.returned
        return too_often or self.left < 0

    def has_no_more(self, card: Card) -> bool:
        """Return whether this card has come as often as it can."""
        return self.drawn[card.index] >= self.decks + self.returned

    def follows(self, number: int | None) -> bool:
        """Return whether a card with this number, by the shoe's own count, is the next; a shoe need not count."""
        return number is None or number == self.number + 1 or (self.returned > 0 and number == self.number)

    def burned_one(self) -> Shoe:
        """Return the shoe with the last card burned: it belongs to no round."""
        due = self.burn_due - 1
        return replace(self, burn_due=due, burned=self.burned + 1, of_this_round=self.of_this_round - 1)

    def after_round(self, rules: ShoeRules) -> Shoe | None:
        """Return the shoe for the next round; None when it has to be changed. A round of no cards was not its last."""
        is_over = (self.is_last_round or self.left < rules.cards_a_round) and self.of_this_round > 0
        return None if is_over or self.is_spoiled else replace(self, of_this_round=0)

    def _with(self, card: Card) -> tuple[int, ...]:
        at = card.index
        return (*self.drawn[:at], self.drawn[at] + 1, *self.drawn[at + 1 :])


def loaded(rules: ShoeRules) -> Shoe:
    """Return a shoe that was just loaded."""
    return Shoe(rules.decks, burn_due=rules.burn_cards, is_last_round=rules.is_for_one_round)
