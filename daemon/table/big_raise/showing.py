"""Big Raise: the house's cards as they are turned over: the up card, the dealer's hand and discard, the common cards.

What a device read is shown when its moment comes. What none read lies on the felt in that moment, so the dealer
enters it: the up card before anybody decides on it, and the rest when all have decided. The up card that was
entered is held against the hand that is entered later.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from daemon.rules.big_raise import COMMUNITY_CARDS, DEALER_CARDS
from daemon.rules.dealers_discard import dealers_choice
from daemon.table import entering, reconciling
from daemon.table.big_raise.facts import CommunityShown, DealerHandShown, UpCardShown
from daemon.table.big_raise.state import deal_of, own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.picture import GamePicture
from daemon.table.round_facts import CardsEntered
from daemon.table.state import Phase, Round, TableState
from daemon.table.vocabulary import COMMUNITY, DEALER, Actor, Evidence, SeatNumber
from protocols.cards import Card, Face

_UP_CARD: Final = 1


def show_up_card(draft: Draft) -> None:
    """Turn over the dealer's first card, where a device read it."""
    if deal_of(draft.round).up_card is None and (cards := cards_of(draft, DEALER)):
        _put_up_card(draft, cards[0], _evidence(draft, DEALER))


def ask_up_card(draft: Draft) -> None:
    """Where none did, somebody has to say what everybody sees."""
    entering.ask(
        draft, DEALER, "Turn over the card of the dealer's hand that lies furthest to the dealer's right, and enter it."
    )


def enter_up_card(draft: Draft, request: Request) -> Refusal | None:
    """The up card, read by a person; a slip is mended, and once somebody decided on it, by a supervisor only."""
    action = request.action
    assert isinstance(action, EnterCards)
    if cards_of(draft, DEALER):
        return entering.not_asked(DEALER)
    if draft.round.decided and request.role is not Actor.SUPERVISOR:
        return Refusal("decided-on", "a player has decided on the up card: only a supervisor may enter it anew")
    refusal = entering.unusable(draft, action, _UP_CARD)
    if refusal is None:
        draft.say(CardsEntered(DEALER, request.who, request.role))
        _put_up_card(draft, action.cards[0], Evidence.ENTERED_BY_PERSON)
    return refusal


def _put_up_card(draft: Draft, card: Card, evidence: Evidence) -> None:
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), up_card=card))
    draft.say(UpCardShown(card, evidence))


def begin(draft: Draft) -> None:
    """Everybody has decided: turn over the dealer's other two cards with the discard, then the cards in common."""
    draft.move_to(Phase.SHOWING)
    if not deal_of(draft.round).dealer_shown:
        if not cards_of(draft, DEALER):
            entering.ask(draft, DEALER, f"Turn the dealer's hand over and enter its {DEALER_CARDS} cards.")
            return
        _show_dealer(draft)
    if not cards_of(draft, COMMUNITY):
        entering.ask(draft, COMMUNITY, f"Turn the {COMMUNITY_CARDS} community cards over and enter them.")
        return
    draft.say(CommunityShown(cards_of(draft, COMMUNITY), _evidence(draft, COMMUNITY)))
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), house_shown=True))
    reconciling.begin(draft)


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """A person read the dealer's hand, or after it the common cards."""
    action = request.action
    assert isinstance(action, EnterCards)
    awaited = COMMUNITY if deal_of(draft.round).dealer_shown else DEALER
    if action.seat != awaited:
        return entering.not_asked(action.seat)
    wanted = entering.cards_wanted(draft.round, awaited)
    refusal = entering.unusable(draft, action, wanted) or _not_the_up_card(draft, action)
    if refusal is None:
        entering.put_cards(draft, action, request)
        begin(draft)
    return refusal


def _not_the_up_card(draft: Draft, entered: EnterCards) -> Refusal | None:
    up_card = deal_of(draft.round).up_card
    if entered.seat != DEALER or up_card in entered.cards:
        return None
    return Refusal("up-card-missing", f"the up card, {up_card}, is not among these; look again")


def _show_dealer(draft: Draft) -> None:
    """The up card first, as the table has shown it; the choice is the rules', so the dealer is told of it."""
    deal, cards = deal_of(draft.round), cards_of(draft, DEALER)
    ordered = tuple(sorted(cards, key=lambda card: card is not deal.up_card))
    choice = dealers_choice(ordered)
    reason = choice.reason
    draft.round = replace(draft.round, own=replace(deal, dealer_shown=True))
    draft.say(
        DealerHandShown(
            ordered, choice.keeps, choice.discards, reason.value, reason.suit_was_free, _evidence(draft, DEALER)
        )
    )
    draft.prompt(f"The dealer gives up {choice.discards}: {reason.value}.")


def _evidence(draft: Draft, seat: SeatNumber) -> Evidence:
    hand = draft.round.hand_of(seat)
    assert hand is not None
    return hand.evidence


def cards_of(draft: Draft, seat: SeatNumber) -> tuple[Card, ...]:
    """The cards of a place as far as they are known; the proof saw to it that what was read has names."""
    hand = draft.round.hand_of(seat)
    faces = None if hand is None else hand.faces
    return tuple(face for face in faces or () if isinstance(face, Card))


def picture(state: TableState) -> GamePicture:
    """Show the up card while players decide, and the rest of the house's cards as they are turned over."""
    own = None if state.round is None else own_of(state.round)
    if state.round is None or own is None or own.up_card is None:
        return GamePicture()
    return GamePicture(
        dealer_cards=_faces(state.round, DEALER) if own.dealer_shown else (own.up_card,),
        community_cards=_faces(state.round, COMMUNITY) if own.house_shown else (),
    )


def _faces(played: Round, place: SeatNumber) -> tuple[Face, ...]:
    hand = played.hand_of(place)
    return () if hand is None else hand.faces or ()
