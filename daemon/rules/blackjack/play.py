"""One player's cards from the deal to the moment when nothing is left to decide.

Theory of operation. A `Play` is a frozen value: the player's hands in the order in which they are played, and
the dealer's up card. It moves in two ways only. `decide` takes what the player wants of the hand whose turn it
is; `draw` takes the next card from the shoe, and only when a decision has made one due. Both give the next
`Play`, or a `Refused` that says why not, so a card that no decision asked for can never find a place in a hand.

A split puts the new hand right behind the one it came from, and a hand is played to its end before the next
one gets its second card. The first split hand, which the side bet follows, is therefore always `hands[0]`.

A hand's state moves by `DECIDED` when the player decides, and by the card when one is due:

    SECOND_CARD_DUE -> DECIDING | STANDING         (21; or an ace in a house that gives split aces one card)
    HIT_CARD_DUE    -> DECIDING | STANDING | BUST  (21 stands by itself)
    DOUBLE_CARD_DUE -> STANDING | BUST

The dealer's hole card is not here. The caller knows whether the dealer has a blackjack: a house that peeks asks no
player after it has found one.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final, assert_never

from daemon.frozen import replace
from daemon.rules.blackjack.house import BlackjackHouse, SplitAces
from daemon.rules.blackjack.totals import BLACKJACK, POINTS, Total, is_pair, is_two_card_21, total_of
from daemon.rules.results import Objection, RefusalCode, Refused
from protocols.cards import Card, Rank
from protocols.frozen import dataclass


class Action(Enum):
    """What a player may decide."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    STAND = "stand"
    HIT = "hit"
    DOUBLE = "double"
    SPLIT = "split"
    SURRENDER = "surrender"
    EVEN_MONEY = "even_money"


class HandState(Enum):
    """Where one hand is."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    SECOND_CARD_DUE = "second-card-due"
    DECIDING = "deciding"
    HIT_CARD_DUE = "hit-card-due"
    DOUBLE_CARD_DUE = "double-card-due"
    STANDING = "standing"
    BUST = "bust"
    SURRENDERED = "surrendered"
    NATURAL = "natural"
    EVEN_MONEY = "even-money"


CARD_DUE: Final = frozenset({HandState.SECOND_CARD_DUE, HandState.HIT_CARD_DUE, HandState.DOUBLE_CARD_DUE})
UNFINISHED: Final = CARD_DUE | {HandState.DECIDING}
NATURALS: Final = frozenset({HandState.NATURAL, HandState.EVEN_MONEY})
STOOD: Final = NATURALS | {HandState.STANDING}
"""Ended without going bust and without being given up."""

DECIDED: Final[Mapping[tuple[HandState, Action], HandState]] = MappingProxyType(
    {
        (HandState.DECIDING, Action.STAND): HandState.STANDING,
        (HandState.DECIDING, Action.HIT): HandState.HIT_CARD_DUE,
        (HandState.DECIDING, Action.DOUBLE): HandState.DOUBLE_CARD_DUE,
        (HandState.DECIDING, Action.SPLIT): HandState.SECOND_CARD_DUE,
        (HandState.DECIDING, Action.SURRENDER): HandState.SURRENDERED,
        (HandState.NATURAL, Action.EVEN_MONEY): HandState.EVEN_MONEY,
    }
)


@dataclass(frozen=True, slots=True)
class Hand:
    """One of the player's hands."""

    cards: tuple[Card, ...]
    state: HandState
    doubled: bool = False

    @property
    def total(self) -> Total:
        return total_of(self.cards)

    @property
    def stakes(self) -> int:
        """Return how many of the original stake lie on it."""
        return 2 if self.doubled else 1


@dataclass(frozen=True, slots=True)
class Play:
    """Everything one player did so far; `hands` has more than one only after a split."""

    hands: tuple[Hand, ...]
    up: Card

    @property
    def turn(self) -> int | None:
        """Return which hand is being played; None when nothing is left to play."""
        for at, hand in enumerate(self.hands):
            if hand.state in UNFINISHED:
                return at
        return None

    @property
    def card_due(self) -> bool:
        """Return whether the next card from the shoe belongs to this player."""
        turn = self.turn
        return turn is not None and self.hands[turn].state in CARD_DUE

    @property
    def was_split(self) -> bool:
        return len(self.hands) > 1

    @property
    def contested(self) -> bool:
        """Return whether a hand waits for the dealer's total, so that the dealer must draw."""
        return any(hand.state is HandState.STANDING for hand in self.hands)

    def with_hand(self, at: int, *hands: Hand) -> Play:
        """Return the same play with one hand replaced."""
        return replace(self, hands=(*self.hands[:at], *hands, *self.hands[at + 1 :]))


def deal(first: Card, second: Card, up: Card) -> Play:
    """Return the first two cards."""
    cards = (first, second)
    state = HandState.NATURAL if is_two_card_21(cards) else HandState.DECIDING
    return Play((Hand(cards, state),), up)


def legal_actions(play: Play, house: BlackjackHouse) -> Mapping[Action, Refused | None]:
    """Return what the player may do now: None beside what is allowed, the reason beside what is not."""
    return {action: refusal(play, action, house) for action in Action}


def decide(play: Play, action: Action, house: BlackjackHouse) -> Play | Refused:
    """Return the play after the player's decision for the hand whose turn it is."""
    refused = refusal(play, action, house)
    if refused is not None:
        return refused
    at = play.turn or 0  # a natural has no turn left: even money is taken on the only hand there is
    hand = play.hands[at]
    state = DECIDED[hand.state, action]
    if action is Action.SPLIT:
        return play.with_hand(at, *(Hand((card,), state) for card in hand.cards))
    return play.with_hand(at, replace(hand, state=state, doubled=action is Action.DOUBLE))


def draw(play: Play, card: Card, house: BlackjackHouse) -> Play | Refused:
    """Return the play with the next card from the shoe."""
    at = play.turn
    if at is None or not play.card_due:
        return Refused(RefusalCode.ILLEGAL_ACTION, "no decision of this player has made a card due")
    hand = play.hands[at]
    cards = (*hand.cards, card)
    return play.with_hand(at, replace(hand, cards=cards, state=_state_with(cards, hand.state, house)))


def _state_with(cards: tuple[Card, ...], due: HandState, house: BlackjackHouse) -> HandState:
    points = total_of(cards).points
    if points > BLACKJACK:
        return HandState.BUST
    one_card_ace = due is HandState.SECOND_CARD_DUE and cards[0].rank is Rank.ACE
    stands_by_rule = one_card_ace and house.split_aces is SplitAces.ONCE_ONE_CARD
    if points == BLACKJACK or due is HandState.DOUBLE_CARD_DUE or stands_by_rule:
        return HandState.STANDING
    return HandState.DECIDING


def refusal(play: Play, action: Action, house: BlackjackHouse) -> Refused | None:
    """Return why the player may not do this now, or None."""
    if action is Action.EVEN_MONEY:
        return _even_money_refusal(play, house)
    at = play.turn
    if at is None:
        return _illegal(action, Objection.HANDS_FINISHED)
    hand = play.hands[at]
    if hand.state is not HandState.DECIDING:
        return _illegal(action, Objection.CARD_DUE_FIRST)
    match action:
        case Action.STAND | Action.HIT:
            return None
        case Action.DOUBLE:
            return _double_refusal(hand, play.was_split, house)
        case Action.SPLIT:
            return split_refusal(hand.cards, len(play.hands), house)
        case Action.SURRENDER:
            return _surrender_refusal(hand, play.was_split, house)
        case _:
            assert_never(action)


def _double_refusal(hand: Hand, was_split: bool, house: BlackjackHouse) -> Refused | None:
    if len(hand.cards) != 2:
        return _illegal(Action.DOUBLE, Objection.DOUBLES_TWO_CARDS)
    if was_split and not house.double_after_split:
        return _not_offered(Action.DOUBLE, Objection.NO_DOUBLE_AFTER_SPLIT)
    if not house.double_on.allows(hand.total.points):
        return _not_offered(Action.DOUBLE, Objection.DOUBLES_ONLY, detail=house.double_on.value)
    return None


def split_refusal(cards: tuple[Card, ...], hands: int, house: BlackjackHouse) -> Refused | None:
    """Return why these cards cannot become two hands when the player has so many already; None when they can."""
    if len(cards) != 2 or not is_pair(*cards):
        return _illegal(Action.SPLIT, Objection.SPLITS_ALIKE)
    if POINTS[cards[0].rank] == POINTS[Rank.ACE]:
        if house.split_aces is SplitAces.NEVER:
            return _not_offered(Action.SPLIT, Objection.NO_SPLIT_ACES)
        if house.split_aces is SplitAces.ONCE_ONE_CARD and hands > 1:
            return _not_offered(Action.SPLIT, Objection.SPLITS_ACES_ONCE)
    if hands >= house.hands_max:
        return _not_offered(Action.SPLIT, Objection.HANDS_AT_MOST, number=house.hands_max)
    return None


def _surrender_refusal(hand: Hand, was_split: bool, house: BlackjackHouse) -> Refused | None:
    if not house.late_surrender:
        return _not_offered(Action.SURRENDER, Objection.NO_SURRENDER)
    if was_split or len(hand.cards) != 2:
        return _illegal(Action.SURRENDER, Objection.SURRENDERS_TWO_CARDS)
    return None


def _even_money_refusal(play: Play, house: BlackjackHouse) -> Refused | None:
    if not house.offers_even_money:
        return _not_offered(Action.EVEN_MONEY, Objection.NO_EVEN_MONEY)
    if play.up.rank is not Rank.ACE:
        return _illegal(Action.EVEN_MONEY, Objection.EVEN_MONEY_ON_ACE)
    if play.hands[0].state is not HandState.NATURAL:
        return _illegal(Action.EVEN_MONEY, Objection.EVEN_MONEY_ON_NATURAL)
    return None


def _illegal(action: Action, objection: Objection) -> Refused:
    message = f"{action.value}: {_OBJECTIONS[objection]}"
    return Refused(RefusalCode.ILLEGAL_ACTION, message, objection=objection, word=action.value)


def _not_offered(
    action: Action, objection: Objection, *, detail: str | None = None, number: int | None = None
) -> Refused:
    message = f"{action.value}: {_OBJECTIONS[objection].format(detail=detail, number=number)}"
    return Refused(
        RefusalCode.NOT_OFFERED, message, objection=objection, word=action.value, detail=detail, number=number
    )


_OBJECTIONS: Final[Mapping[Objection, str]] = MappingProxyType(
    {
        Objection.HANDS_FINISHED: "every hand is finished",
        Objection.CARD_DUE_FIRST: "a card is due before the next decision",
        Objection.DOUBLES_TWO_CARDS: "only the first two cards of a hand can be doubled",
        Objection.SPLITS_ALIKE: "only two cards of the same worth can be split",
        Objection.NO_SPLIT_ACES: "this house does not split aces",
        Objection.SPLITS_ACES_ONCE: "this house splits aces once",
        Objection.NO_SURRENDER: "this house has no surrender",
        Objection.NO_DOUBLE_AFTER_SPLIT: "this house does not let a split hand double",
        Objection.SURRENDERS_TWO_CARDS: "only the first two cards can be given up, before anything else is done",
        Objection.NO_EVEN_MONEY: "even money is for houses with insurance where a natural pays 3 to 2",
        Objection.EVEN_MONEY_ON_ACE: "even money is offered against a dealer's ace only",
        Objection.EVEN_MONEY_ON_NATURAL: "even money is for a natural that is not settled yet",
        Objection.DOUBLES_ONLY: "this house doubles {detail} only",
        Objection.HANDS_AT_MOST: "this house plays at most {number} hands from one pair",
    }
)
