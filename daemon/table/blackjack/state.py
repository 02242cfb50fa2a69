"""What a table knows of a blackjack round beside stakes and results: every hand as it lies, and how far the deal is.

Pure values. A player's hands are the rules' own `Play`, so that what may be decided and where a card goes is asked of
the same code that settles the round afterwards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from daemon.frozen import replace
from daemon.rules.blackjack.dealer import has_blackjack, must_draw
from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.play import NATURALS, Hand, HandState, Play, deal, draw
from daemon.rules.blackjack.totals import POINTS, total_of
from daemon.table.round_facts import PlayedHand
from daemon.table.vocabulary import DEALER, SeatNumber
from protocols.cards import Card
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.table.state import Round

FIRST_CARDS: Final = 2
HIDES_BLACKJACK: Final = frozenset({1, 10})  # what an up card is worth under which a blackjack can lie


@dataclass(frozen=True, slots=True)
class SeatPlay:
    """One player. `cards` are the first two. Once everybody has two there is a `play`, which holds all cards."""

    seat: SeatNumber
    cards: tuple[Card, ...] = ()
    play: Play | None = None

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Return the player's cards, hand by hand."""
        return (self.cards,) if self.play is None else tuple(hand.cards for hand in self.play.hands)

    @property
    def is_natural(self) -> bool:
        """Return whether the first two cards are a blackjack."""
        return self.play is not None and self.play.hands[0].state in NATURALS

    @property
    def is_done(self) -> bool:
        """Return whether nothing is left to decide or to draw."""
        return self.play is not None and self.play.turn is None


@dataclass(frozen=True, slots=True)
class Due:
    """Where the next card of the shoe goes; `hand` counts from 1."""

    seat: SeatNumber
    hand: int = 1


@dataclass(frozen=True, slots=True)
class BlackjackRound:
    """All places. The first of the dealer's cards is the up card."""

    seats: tuple[SeatPlay, ...]
    dealer: tuple[Card, ...] = ()
    entered: tuple[SeatNumber, ...] = ()  # the places of which a person named a card
    is_insurance_closed: bool = False
    is_peeked: bool = False
    is_deciding: bool = False  # players are asked, from the dealer's left
    is_dealer_shown: bool = False

    @property
    def places(self) -> tuple[SeatNumber, ...]:
        """Return the places of all hands, in the order of dealing."""
        return (*(player.seat for player in self.seats), DEALER)

    def at(self, seat: SeatNumber) -> SeatPlay | None:
        """Return the player of a seat."""
        return next((player for player in self.seats if player.seat == seat), None)

    def hands_of(self, place: SeatNumber) -> tuple[tuple[Card, ...], ...]:
        """Return the cards of a place, hand by hand."""
        player = self.at(place)
        return (self.dealer,) if player is None else player.hands

    @property
    def is_dealt(self) -> bool:
        """Return whether everybody has two cards."""
        return len(self.dealer) >= FIRST_CARDS and all(player.play is not None for player in self.seats)

    @property
    def is_in_order(self) -> bool:
        """Return whether the first cards lie as they are dealt: all places in turn, once and then again."""
        if self.is_dealt:
            return True
        counts = [len(self.hands_of(place)[0]) for place in self.places]
        return counts == sorted(counts, reverse=True) and counts[0] - counts[-1] <= 1

    @property
    def to_act(self) -> SeatPlay | None:
        """Return who is asked, or waits for a card: from the dealer's left, the first player who is not done."""
        return next((player for player in self.seats if not player.is_done), None)

    @property
    def may_hide_blackjack(self) -> bool:
        """Return whether the dealer's up card leaves it possible."""
        return POINTS[self.dealer[0].rank] in HIDES_BLACKJACK

    @property
    def has_blackjack(self) -> bool:
        """Return whether the dealer has a blackjack. It is secret until the dealer shows it or a peek ends it."""
        return has_blackjack(self.dealer)

    @property
    def is_blackjack_excluded(self) -> bool:
        """Return whether everybody knows that the dealer has none."""
        return not self.has_blackjack and (self.is_peeked or not self.may_hide_blackjack)

    def dealer_draws(self, house: BlackjackHouse) -> bool:
        """Return whether the dealer has to take a card by the house's rule: if a hand waits for the dealer's total."""
        contested = any(player.play is not None and player.play.contested for player in self.seats)
        return contested and must_draw(total_of(self.dealer), house.dealer_hits_soft_17)

    def due(self, house: BlackjackHouse) -> Due | None:
        """Return where the next card goes; None when none is due."""
        if not self.is_dealt:
            return Due(min(self.places, key=lambda place: len(self.hands_of(place)[0])))
        if self.is_dealer_shown:
            return Due(DEALER) if self.dealer_draws(house) else None
        player = self.to_act
        if not self.is_deciding or player is None or player.play is None or not player.play.card_due:
            return None
        return Due(player.seat, (player.play.turn or 0) + 1)

    def with_card(self, place: Due, card: Card, house: BlackjackHouse) -> BlackjackRound:
        """Return the round with a card at a place where one was due."""
        player = self.at(place.seat)
        if player is None:
            return replace(self, dealer=(*self.dealer, card))._begun()
        if player.play is None:
            return self.with_seat(replace(player, cards=(*player.cards, card)))._begun()
        played = draw(player.play, card, house)
        assert isinstance(played, Play), "the rules did not want the card that they had made due"
        return self.with_seat(replace(player, play=played))

    def with_seat(self, changed: SeatPlay) -> BlackjackRound:
        """Return the same with one player replaced."""
        return replace(self, seats=tuple(changed if each.seat == changed.seat else each for each in self.seats))

    def _begun(self) -> BlackjackRound:
        """Plays begin when everybody has two cards."""
        if len(self.dealer) < FIRST_CARDS or any(len(player.cards) < FIRST_CARDS for player in self.seats):
            return self
        begun = (player if player.play else _begin(player, self.dealer[0]) for player in self.seats)
        return replace(self, seats=tuple(begun))


def _begin(player: SeatPlay, up: Card) -> SeatPlay:
    first, second = player.cards
    return replace(player, play=deal(first, second, up))


def stakes_on(hands: tuple[Hand, ...]) -> int:
    """Return how many of the original stake lie on these hands together."""
    return sum(hand.stakes for hand in hands)


def played_hands(player: SeatPlay) -> tuple[PlayedHand, ...]:
    """Return a player's hands as everybody sees them."""
    if player.play is None:
        return tuple(_played(Hand(cards, HandState.DECIDING), "dealing") for cards in player.hands if cards)
    return tuple(_played(hand, hand.state.value) for hand in player.play.hands)


def _played(hand: Hand, state: str) -> PlayedHand:
    total = total_of(hand.cards)
    return PlayedHand(hand.cards, total.points, total.soft, state, hand.doubled)


def own_of(played: Round) -> BlackjackRound | None:
    """Return what this round has of its own; None while it takes bets."""
    assert played.own is None or isinstance(played.own, BlackjackRound), "a round of another game"
    return played.own


def deal_of(played: Round) -> BlackjackRound:
    """Return the cards of a round that is being dealt."""
    deal = own_of(played)
    assert deal is not None, "the round is not dealt yet"
    return deal
