"""Big Draw from a shoe: five cards round the table or seat by seat, then each draw, card by card.

Theory of operation. The plan of the round is that of a shuffler, packet by packet; a shoe fills the packets card by
card. So which card is due follows from the plan and from what lies there, and nothing else of the game knows the
difference. Draws go to one player after the other, whatever the house does with first cards.

A card that something is wrong with stands still with the round until a supervisor names it and enters the packet that
it belongs to as it lies, the cards on record first. The supervisor completes what is on record and corrects nothing of
it. Where no card was due there is no such packet: the ruling puts the card aside, and the round goes on without it.
"""

from __future__ import annotations

from daemon.frozen import replace
from daemon.table import alerts, drawing, loading, packets, standstill
from daemon.table.big_draw.state import own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import EnterCards, Request
from daemon.table.round_facts import CardsEntered, HandDealt, HandDelivered
from daemon.table.said import Clause, Said, SaidId
from daemon.table.shoe import Shoe
from daemon.table.state import Hand, Packet, Phase, Presence, Round, TableState
from daemon.table.unplaced import account_for, lies_nowhere, put_aside, supervisor_only, too_often
from daemon.table.vocabulary import Evidence, SeatNumber, SourceKind
from drivers.events import DeviceReport
from protocols.cards import Card, Misread


def _is_shoe(state: TableState) -> bool:
    return state.settings.source.kind is SourceKind.SHOE


def not_ready(state: TableState) -> Refusal | None:
    """Return why no cards can go out, or None."""
    shoe = state.settings.shoe
    if shoe is not None and state.device(shoe.device).presence is not Presence.UP:
        return Refusal("device-missing", alerts.not_there(state, shoe.device))
    return loading.not_ready(state) if _is_shoe(state) else packets.not_ready(state)


def load_rest(draft: Draft) -> None:
    """Put the rest of the shuffler's deck into the shoe's ledger. Cards that were dealt cannot come out of it.

    Which cards it is was part of the proof, and from now on the ledger knows; they are drawn like any others.
    """
    shoe, own = Shoe(decks=1, is_last_round=True), draft.state.settings.shoe
    assert own is not None, "draws come from a shoe"
    assert draft.round.remainder is not None or draft.round.rest_waived, "the deck was accounted for"
    for hand in draft.round.hands:
        faces = hand.faces or (Misread.UNREADABLE,) * draft.round.plan[hand.position - 1].cards
        for face in faces:
            shoe = shoe.with_card(face)
    draft.state = replace(draft.state, shoe=replace(shoe, of_this_round=0, is_last_unnamed=False))
    if draft.round.remainder is not None:
        draft.round = replace(draft.round, remainder=replace(draft.round.remainder, faces=None))
    draft.prompt(Said(SaidId.PUT_REST_INTO_SHOE, device=own.device))


def begin(draft: Draft) -> None:
    """Begin the deal, when no more bets are taken."""
    if _is_shoe(draft.state):
        packets.continue_round(draft)
    else:
        packets.begin(draft)


def due(played: Round) -> int | None:
    """Return the number of the packet that the next card is for; None when all that is planned is there."""
    return _next(played, _lying(played))


def _lying(played: Round) -> list[int]:
    """Return how many cards each packet of the plan has. One at its seat has all of them, named or not."""
    hands = ((packet, played.hand_at(place)) for place, packet in enumerate(played.plan, start=1))
    return [_cards_in(packet, hand) for packet, hand in hands]


def _cards_in(packet: Packet, hand: Hand | None) -> int:
    if hand is None:
        return 0
    return packet.cards if hand.delivered else len(hand.faces or ())


def _next(played: Round, lying: list[int]) -> int | None:
    short = [place for place, packet in enumerate(played.plan, start=1) if lying[place - 1] < packet.cards]
    own = own_of(played)
    goes_round = own is not None and own.is_one_at_a_time
    return min(short, key=lambda place: lying[place - 1] if goes_round else place, default=None)


def ask_card(draft: Draft) -> None:
    """Tell the dealer where the next card goes."""
    place = due(draft.round)
    assert place is not None, "a packet that is whole is at its seat"
    packet = draft.round.plan[place - 1]
    draft.prompt(Said(SaidId.DRAW_CARD, packet.seat, packet.drawn), seat=packet.seat)


def card_drawn(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Put a card that left the shoe where one was due."""
    if draft.state.shoe is None:
        return drawing.between_deals(draft, report)
    place = due(draft.round)
    assert place is not None, "cards are due while they are dealt"
    card = drawing.take_card(draft, report, draft.round.plan[place - 1].seat)
    if card is not None:
        _put(draft, place, card, Evidence.SEEN_BY_DEVICE)
        packets.continue_round(draft)
    return None


def _put(draft: Draft, place: int, card: Card, evidence: Evidence) -> None:
    """Add a card to a packet. With its last card the packet is at its seat."""
    packet = draft.round.plan[place - 1]
    old = draft.round.hand_at(place) or Hand(packet.seat, place, None, (), drawn=packet.drawn)
    faces = (*(old.faces or ()), card)
    entered = Evidence.ENTERED_BY_PERSON in (old.evidence, evidence)
    seen = Evidence.ENTERED_BY_PERSON if entered else Evidence.SEEN_BY_DEVICE
    is_whole = len(faces) == packet.cards
    draft.round = replace(
        draft.round, hands=draft.round.with_hand(replace(old, faces=faces, evidence=seen, delivered=is_whole))
    )
    if is_whole:
        draft.say(HandDealt(packet.seat, place, len(faces), packet.drawn), HandDelivered(packet.seat, packet.drawn))


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter a packet that a supervisor read from the felt, while the round stands still."""
    if draft.state.shoe is None:
        return standstill.enter_cards(draft, request)
    refusal = supervisor_only(request)
    return _complete(draft, request) if refusal is None else refusal


def _complete(draft: Draft, request: Request) -> Refusal | None:
    action = request.action
    assert isinstance(action, EnterCards)
    place = _place_of(draft.round, action.seat)
    if place is None:
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, action.seat))
    played = draft.round
    more = action.cards[_lying(played)[place - 1] :]
    face_down = [face for hand in played.hands if hand.seat != action.seat for face in hand.faces or ()]
    refusal = _differs(played, place, action.cards) or too_often(draft, more, face_down)
    refusal = refusal or _not_due(played, place, len(more))
    if refusal is not None:
        return refusal
    for card in more:
        account_for(draft, card)
        _put(draft, place, card, Evidence.ENTERED_BY_PERSON)
    draft.say(CardsEntered(action.seat, request.who, request.role))
    return None


def _place_of(played: Round, seat: SeatNumber) -> int | None:
    """Return the packet of a seat that is not whole yet, else its last."""
    places = [place for place, packet in enumerate(played.plan, start=1) if packet.seat == seat]
    short = (place for place in places if _lying(played)[place - 1] < played.plan[place - 1].cards)
    return next(short, places[-1] if places else None)


def _differs(played: Round, place: int, cards: tuple[Card, ...]) -> Refusal | None:
    hand = played.hand_at(place)
    recorded = () if hand is None else hand.faces or ()
    if hand is not None and hand.delivered:
        return Refusal("nothing-missing", Clause(SaidId.NOTHING_MISSING))
    if cards[: len(recorded)] == recorded:
        return None
    return Refusal("differs-from-record", Clause(SaidId.DIFFERS_FROM_RECORD))


def _not_due(played: Round, place: int, more: int) -> Refusal | None:
    """Refuse cards entered in another order than they were due in: a later one would lie in the wrong place."""
    lying = _lying(played)
    for _ in range(more):
        if _next(played, lying) != place:
            return Refusal("not-due-there", Clause(SaidId.NOT_DUE_THERE))
        lying[place - 1] += 1
    return None


def out_of_turn(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Stop the round for a card that nothing made due, from its own deck or from a shoe that holds nothing of it."""
    return drawing.between_deals(draft, report) if draft.state.shoe is None else drawing.out_of_turn(draft, report)


def rule(draft: Draft, request: Request) -> Refusal | None:
    """Do what the supervisor ruled."""
    return standstill.ruling(draft, request, _cannot_go_on, _go_on)


def _cannot_go_on(draft: Draft) -> Refusal | None:
    """Say why the round cannot go on. Before green nothing is planned, and no card is due."""
    is_due = bool(draft.round.plan) and due(draft.round) is not None
    return lies_nowhere(draft, is_due=is_due) or standstill.cannot_go_on(draft)


def _go_on(draft: Draft, who: str) -> None:
    """Go on where the round stood. It may have no card yet: then ask for a game, or take bets, as before."""
    put_aside(draft)
    if draft.round.plan:
        standstill.go_on(draft, who)
    elif own_of(draft.round) is None:
        draft.move_to(Phase.CHOOSING)
        draft.play.ask_first(draft)
    else:
        draft.move_to(Phase.BETTING)
