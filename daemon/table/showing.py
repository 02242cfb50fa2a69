"""Big Raise: the house's cards as they are turned over: the up card, the dealer's hand and discard, the common cards.

What a device read is shown when its moment comes. What none read lies on the felt in that moment, so whoever stands
there enters it: the up card before anybody decides on it, and the rest when all have decided. The up card that was
entered is held against the hand that is entered later.
"""

from __future__ import annotations

from typing import Final

from daemon.rules.big_raise import COMMUNITY_CARDS, DEALER_CARDS
from daemon.rules.dealers_discard import dealers_choice
from daemon.table import entering, reconciling
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsEntered, CommunityShown, DealerHandShown, UpCardShown
from daemon.table.state import Phase
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import COMMUNITY, DEALER, Actor, Evidence, SeatNumber
from protocols.cards import Card

_UP_CARD: Final = 1


def show_up_card(turn: Turn) -> None:
    """Turn over the dealer's first card, where a device read it."""
    if turn.round.up_card is None and (cards := cards_of(turn, DEALER)):
        _put_up_card(turn, cards[0], _evidence(turn, DEALER))


def ask_up_card(turn: Turn) -> None:
    """Where none did, somebody has to say what everybody sees."""
    entering.ask(turn, DEALER, "Turn the dealer's card that lies furthest to his right over and enter it.")


def enter_up_card(turn: Turn, request: Request) -> Refusal | None:
    """The up card, read by a person; a slip is mended, and once somebody decided on it, by a supervisor only."""
    action = request.action
    assert isinstance(action, EnterCards)
    if cards_of(turn, DEALER):
        return entering.not_asked(DEALER)
    if turn.round.decided and request.role is not Actor.SUPERVISOR:
        return Refusal("decided-on", "a player has decided on the up card: only a supervisor may enter it anew")
    refusal = entering.unusable(turn, action, _UP_CARD)
    if refusal is None:
        turn.say(CardsEntered(DEALER, request.who, request.role))
        _put_up_card(turn, action.cards[0], Evidence.ENTERED_BY_PERSON)
    return refusal


def _put_up_card(turn: Turn, card: Card, evidence: Evidence) -> None:
    turn.set_round(up_card=card)
    turn.say(UpCardShown(card, evidence))


def begin(turn: Turn) -> None:
    """Everybody has decided: the dealer's other two cards and his discard, then the cards in common."""
    turn.move_to(Phase.SHOWING)
    if not turn.round.dealer_shown:
        if not cards_of(turn, DEALER):
            entering.ask(turn, DEALER, f"Turn the dealer's hand over and enter its {DEALER_CARDS} cards.")
            return
        _show_dealer(turn)
    if not cards_of(turn, COMMUNITY):
        entering.ask(turn, COMMUNITY, f"Turn the {COMMUNITY_CARDS} community cards over and enter them.")
        return
    turn.say(CommunityShown(cards_of(turn, COMMUNITY), _evidence(turn, COMMUNITY)))
    turn.set_round(house_shown=True)
    reconciling.begin(turn)


def enter_cards(turn: Turn, request: Request) -> Refusal | None:
    """A person read the dealer's hand, or after it the common cards."""
    action = request.action
    assert isinstance(action, EnterCards)
    awaited = COMMUNITY if turn.round.dealer_shown else DEALER
    if action.seat != awaited:
        return entering.not_asked(action.seat)
    wanted = entering.cards_wanted(turn.round, awaited)
    refusal = entering.unusable(turn, action, wanted) or _not_the_up_card(turn, action)
    if refusal is None:
        entering.put_cards(turn, action, request)
        begin(turn)
    return refusal


def _not_the_up_card(turn: Turn, entered: EnterCards) -> Refusal | None:
    if entered.seat != DEALER or turn.round.up_card in entered.cards:
        return None
    return Refusal("up-card-missing", f"the up card, {turn.round.up_card}, is not among these; look again")


def _show_dealer(turn: Turn) -> None:
    """The up card first, as the table has shown it; the choice is the rules', so the dealer is told of it."""
    cards = cards_of(turn, DEALER)
    others = tuple(card for card in cards if card is not turn.round.up_card)
    ordered = (*(card for card in cards if card is turn.round.up_card), *others)
    choice = dealers_choice(ordered)
    reason = choice.reason
    turn.set_round(dealer_shown=True)
    turn.say(
        DealerHandShown(
            ordered, choice.keeps, choice.discards, reason.value, reason.suit_was_free, _evidence(turn, DEALER)
        )
    )
    turn.prompt(f"The dealer gives up {choice.discards}: {reason.value}.")


def _evidence(turn: Turn, seat: SeatNumber) -> Evidence:
    hand = turn.round.hand_of(seat)
    assert hand is not None
    return hand.evidence


def cards_of(turn: Turn, seat: SeatNumber) -> tuple[Card, ...]:
    """The cards of a place as far as they are known; the proof saw to it that what was read has names."""
    hand = turn.round.hand_of(seat)
    faces = None if hand is None else hand.faces
    return tuple(face for face in faces or () if isinstance(face, Card))
