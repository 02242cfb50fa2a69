"""Big Raise: the house's cards as they are turned over: the up card, the dealer's hand and discard, the common cards.

What a device read is shown when its moment comes. What none read lies on the felt in that moment, so the dealer
enters it: the up card before anybody decides on it, and the rest when all have decided. The up card that was
entered is held against the hand that is entered later.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from daemon.frozen import replace
from daemon.rules.big_raise import COMMUNITY_CARDS, DEALER_CARDS
from daemon.rules.dealers_discard import dealers_choice
from daemon.rules.wagers import WagerName
from daemon.table import entering, moved_stakes, reconciling
from daemon.table.big_raise.facts import CommunityShown, DealerHandShown, UpCardShown
from daemon.table.big_raise.state import deal_of, own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.picture import GamePicture, SeatPicture
from daemon.table.play import shows_the_packet
from daemon.table.round_facts import CardsEntered
from daemon.table.said import THEN_NEXT, Clause, Said, SaidId
from daemon.table.state import Phase, Round, TableState
from daemon.table.vocabulary import COMMUNITY, DEALER, Actor, Decision, Evidence, SeatNumber
from protocols.cards import Card, Face

_UP_CARD: Final = 1
HANDS_KEPT: Final = 8


def show_up_card(draft: Draft) -> None:
    """Turn over the dealer's first card, where a device read it."""
    if deal_of(draft.round).up_card is None and (cards := cards_of(draft, DEALER)):
        _put_up_card(draft, cards[0], _evidence(draft, DEALER))


def ask_up_card(draft: Draft) -> None:
    """Ask for the up card that everybody sees, if no device read it."""
    entering.ask(draft, DEALER, Said(SaidId.ENTER_UP_CARD))


def enter_up_card(draft: Draft, request: Request) -> Refusal | None:
    """Enter the up card. A slip may be mended, but only by a supervisor once somebody decided on it."""
    action = request.action
    assert isinstance(action, EnterCards)
    if cards_of(draft, DEALER):
        return entering.not_asked(DEALER)
    if draft.round.decided and request.role is not Actor.SUPERVISOR:
        return Refusal("decided-on", Clause(SaidId.DECIDED_ON))
    refusal = entering.unusable(draft, action, _UP_CARD)
    if refusal is None:
        draft.say(CardsEntered(DEALER, request.who, request.role))
        _put_up_card(draft, action.cards[0], Evidence.ENTERED_BY_PERSON)
    return refusal


def _put_up_card(draft: Draft, card: Card, evidence: Evidence) -> None:
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), up_card=card))
    draft.say(UpCardShown(card, evidence))


def begin(draft: Draft) -> None:
    """Everybody has decided: ask for the dealer's other two cards, or with these open for the cards in common.

    Each is a step that the dealer ends, whatever device read the cards: nothing of them is public before they lie open.
    """
    draft.move_to(Phase.SHOWING)
    if not deal_of(draft.round).dealer_shown:
        if cards_of(draft, DEALER):
            draft.prompt(Said(SaidId.TURN_DEALERS_CARDS), THEN_NEXT)
        else:
            entering.ask(draft, DEALER, Said(SaidId.ENTER_DEALERS_HAND, wanted=DEALER_CARDS))
        return
    choice = dealers_choice(_up_card_first(draft))
    gives_up = Said(SaidId.DEALER_GIVES_UP, card=choice.discards, word=choice.reason.value)
    if cards_of(draft, COMMUNITY):
        draft.prompt(gives_up, Said(SaidId.TURN_COMMUNITY, wanted=COMMUNITY_CARDS), THEN_NEXT)
    else:
        entering.ask(draft, COMMUNITY, gives_up, Said(SaidId.ENTER_COMMUNITY, wanted=COMMUNITY_CARDS))


def next_pressed(draft: Draft, _: Request) -> Refusal | None:
    """Go on after the dealer has turned over the cards that the prompt named."""
    awaited = COMMUNITY if deal_of(draft.round).dealer_shown else DEALER
    if not cards_of(draft, awaited):
        return Refusal("cards-missing", Clause(SaidId.ENTER_FIRST, text=draft.state.prompt))
    _show(draft, awaited)
    return None


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter the dealer's hand, or after it the common cards, as a person read them."""
    action = request.action
    assert isinstance(action, EnterCards)
    awaited = COMMUNITY if deal_of(draft.round).dealer_shown else DEALER
    if action.seat != awaited or cards_of(draft, awaited):
        return entering.not_asked(action.seat)
    wanted = entering.cards_wanted(draft.round, awaited)
    refusal = entering.unusable(draft, action, wanted) or _not_the_up_card(draft, action)
    if refusal is None:
        entering.put_cards(draft, action, request)
        _show(draft, awaited)
    return refusal


def _show(draft: Draft, place: SeatNumber) -> None:
    """Make public what lies open now, and go on."""
    if place == DEALER:
        _show_dealer(draft)
        begin(draft)
        return
    draft.say(CommunityShown(cards_of(draft, COMMUNITY), _evidence(draft, COMMUNITY)))
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), house_shown=True))
    moved_stakes.compare(draft, said_late=WagerName.PLAY)
    reconciling.begin(draft)


def _not_the_up_card(draft: Draft, entered: EnterCards) -> Refusal | None:
    up_card = deal_of(draft.round).up_card
    if entered.seat != DEALER or up_card in entered.cards:
        return None
    return Refusal("up-card-missing", Clause(SaidId.UP_CARD_MISSING, card=up_card))


def _show_dealer(draft: Draft) -> None:
    """Show the dealer's hand, with the card that the rules give up and why."""
    ordered = _up_card_first(draft)
    choice = dealers_choice(ordered)
    reason, evidence = choice.reason, _evidence(draft, DEALER)
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), dealer_shown=True))
    draft.say(DealerHandShown(ordered, choice.keeps, choice.discards, reason.value, reason.suit_was_free, evidence))


def _up_card_first(draft: Draft) -> tuple[Card, ...]:
    """Return the dealer's cards as the table has shown them."""
    up_card = deal_of(draft.round).up_card
    return tuple(sorted(cards_of(draft, DEALER), key=lambda card: card is not up_card))


def _evidence(draft: Draft, seat: SeatNumber) -> Evidence:
    hand = draft.round.hand_of(seat)
    assert hand is not None
    return hand.evidence


def cards_of(draft: Draft, seat: SeatNumber) -> tuple[Card, ...]:
    """Return the cards of a place as far as they are known; the proof saw to it that what was read has names."""
    hand = draft.round.hand_of(seat)
    faces = None if hand is None else hand.faces
    return tuple(face for face in faces or () if isinstance(face, Card))


def picture(state: TableState) -> GamePicture:
    """Show the up card while players decide, and the rest of the house's cards as they are turned over."""
    own = None if state.round is None else own_of(state.round)
    if state.round is None or own is None:
        return GamePicture()
    up_card = () if own.up_card is None else (own.up_card,)
    dealer = _faces(state.round, DEALER) if own.dealer_shown else up_card
    community = _faces(state.round, COMMUNITY) if own.house_shown else ()
    shown = tuple(face for face in dealer if isinstance(face, Card)) if own.dealer_shown else ()
    return GamePicture(
        dealer_cards=dealer,
        community_cards=community,
        dealer_gives_up=_given_up(shown) if shown else None,
        dealer_backs=_backs(state.round, DEALER, dealer),
        community_backs=_backs(state.round, COMMUNITY, community),
    )


@lru_cache(HANDS_KEPT)
def _given_up(dealers: tuple[Card, ...]) -> Card:
    """Return the card of the dealer's open hand that does not play. The picture asks for it again and again."""
    return dealers_choice(dealers).discards


def _backs(played: Round, place: SeatNumber, shown: Sequence[Face]) -> int:
    """Return how many cards of the house lie face down: as many as were planned, once they are out."""
    hand = played.hand_of(place)
    if hand is None or not hand.delivered:
        return 0
    return max(0, played.plan[hand.position - 1].cards - len(shown))


def seat_picture(played: Round, seat: SeatNumber) -> SeatPicture:
    """Show the cards that lie face up: of a player who made the Play bet, or of a fold that showed its bonus."""
    dealt, hand = shows_the_packet(played, seat), played.hand_of(seat)
    plays = any((each.seat, each.decision) == (seat, Decision.PLAY) for each in played.decided)
    is_shown = plays or (hand is not None and hand.is_open) or _is_bonus_paid(played, seat)
    return replace(dealt, open_cards=_faces(played, seat)) if is_shown else dealt


def _is_bonus_paid(played: Round, seat: SeatNumber) -> bool:
    return any(
        said.seat == seat and said.wager.wager is WagerName.TWO_CARD_BONUS and said.wager.pays_cents > 0
        for said in played.said
    )


def _faces(played: Round, place: SeatNumber) -> tuple[Face, ...]:
    hand = played.hand_of(place)
    return () if hand is None else hand.faces or ()
