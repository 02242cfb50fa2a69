"""Proving the deck: dealt and remaining cards are 52 different ones, or it is said how else the round is vouched for.

What a device read is compared card by card; what it only counted is added up; what it does not count a person counts
at least every five rounds. A card that could not be named is never guessed, so it leaves the deck unproven.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from daemon.frozen import replace
from daemon.table.alerts import DECK_CARDS
from daemon.table.draft import Draft, Refusal
from daemon.table.findings import OF_A_MISREAD, found, stop_if_found
from daemon.table.inputs import Request, StubCount
from daemon.table.round_facts import DeckAccounted, StubCountAsked
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import Finding, Hand, Phase
from daemon.table.vocabulary import DeckProof, Irregularity, SeatNumber
from protocols.cards import Card, Face, Misread

_MISREAD: Final = {
    Misread.UNREADABLE: SaidId.UNREADABLE,
    Misread.BOXED: SaidId.WRONG_WAY_ROUND,
    Misread.FOREIGN: SaidId.ANOTHER_DECKS,
}


def wrong_count(draft: Draft, hand: Hand) -> tuple[Finding, ...]:
    """Return nothing, or that this hand voids the round: sensor and reader must both say what the game deals."""
    wanted = draft.round.plan[hand.position - 1].cards
    read = None if hand.faces is None else len(hand.faces)
    wrong = next((count for count in (hand.count, read) if count not in (None, wanted)), None)
    if wrong is None:
        return ()
    said = Clause(SaidId.WRONG_COUNT, hand.seat, hand.drawn, count=wrong, wanted=wanted)
    return (found(Irregularity.WRONG_COUNT, hand.seat, said),)


def account(draft: Draft) -> None:
    """Everything is out: look at all of it at once, then reconcile, ask for a count, or stop."""
    if stop_if_found(draft, (*_wrong_hands(draft), *_wrong_sum(draft))):
        return
    proof = _proof(draft)
    if proof is None:
        draft.move_to(Phase.COUNTING)
        draft.say(StubCountAsked(draft.state.rounds_since_stub_count))
        draft.prompt(Said(SaidId.COUNT_REST))
        return
    _accept(draft, proof, remaining=_remaining(draft), who=draft.round.vouched)


def stops_on_hands(draft: Draft) -> bool:
    """Check what is out so far, before money moves on it. Return True if the round was stopped."""
    return stop_if_found(draft, tuple(_wrong_hands(draft)))


def stub_counted(draft: Draft, request: Request) -> Refusal | None:
    """Take a person's count of what was left."""
    action = request.action
    assert isinstance(action, StubCount)
    if not 0 <= action.count <= DECK_CARDS:
        return Refusal("no-such-count", Clause(SaidId.NO_SUCH_COUNT, count=action.count, wanted=DECK_CARDS))
    whole = _dealt(draft) + action.count
    if whole != DECK_CARDS and stop_if_found(draft, (_not_a_deck(_dealt(draft), action.count),)):
        return None
    _accept(draft, DeckProof.STUB_COUNTED, action.count, request.who)
    return None


def _accept(draft: Draft, proof: DeckProof, remaining: int | None, who: str | None) -> None:
    is_counted = proof not in (DeckProof.NOT_DUE, DeckProof.CONFIRMED)  # a word for this round's cards counts no deck
    unproven = 0 if is_counted else draft.state.rounds_since_stub_count + 1
    draft.state = replace(draft.state, rounds_since_stub_count=unproven)
    draft.round = replace(draft.round, accounted=True)
    draft.say(DeckAccounted(proof, _dealt(draft), remaining, who))
    draft.play.after_proof(draft)


def _proof(draft: Draft) -> DeckProof | None:
    """Return how the deck is known to be whole; None when a person has to count."""
    if draft.round.vouched is not None:
        return DeckProof.CONFIRMED
    faces = _faces(draft)
    if len(faces) == DECK_CARDS and all(isinstance(face, Card) for _, face in faces):
        return DeckProof.READ
    if _remaining(draft) is not None and all(hand.cards_counted is not None for hand in draft.round.hands):
        return DeckProof.COUNTED
    due = draft.state.rounds_since_stub_count + 1 >= draft.state.settings.stub_count_rounds_max
    return None if due else DeckProof.NOT_DUE


def _faces(draft: Draft) -> list[tuple[Hand | None, Face]]:
    """Return every face that was read, with the packet that it came in; the rest of the deck is none."""
    dealt = [(hand, face) for hand in draft.round.hands for face in hand.faces or ()]
    remainder = draft.round.remainder
    return [*dealt, *((None, face) for face in (remainder.faces if remainder else None) or ())]


def _wrong_hands(draft: Draft) -> Iterator[Finding]:
    """Give what is wrong with counts and faces of what is out."""
    for hand in draft.round.hands:
        yield from wrong_count(draft, hand)
    faces = _faces(draft)
    for packet, face in faces:
        if isinstance(face, Misread):
            yield found(OF_A_MISREAD[face], _seat(packet), _said_of(_MISREAD[face], packet))
    seen: set[Face] = set()
    for packet, face in faces:
        if face in seen and isinstance(face, Card):
            yield found(Irregularity.DUPLICATE_CARD, _seat(packet), _said_of(SaidId.SEEN_ELSEWHERE, packet))
        seen.add(face)


def _wrong_sum(draft: Draft) -> Iterator[Finding]:
    remaining, dealt = _remaining(draft), _dealt(draft)
    if remaining is not None and dealt + remaining != DECK_CARDS:
        yield _not_a_deck(dealt, remaining)


def _seat(hand: Hand | None) -> SeatNumber | None:
    return None if hand is None else hand.seat


def _said_of(what: SaidId, hand: Hand | None) -> Clause:
    return Clause(what, _seat(hand), hand is not None and hand.drawn)


def _not_a_deck(dealt: int, remaining: int) -> Finding:
    said = Clause(SaidId.NOT_A_DECK, count=dealt, wanted=DECK_CARDS, left=remaining)
    return found(Irregularity.DECK_NOT_PROVEN, None, said)


def _dealt(draft: Draft) -> int:
    """Return how many cards are dealt. A hand that nobody counted has what the game deals, until a person reads it."""
    if draft.state.shoe is not None:
        return draft.state.shoe.gone
    hands = [(hand.cards_counted, draft.round.plan[hand.position - 1].cards) for hand in draft.round.hands]
    return sum(planned if count is None else count for count, planned in hands)


def _remaining(draft: Draft) -> int | None:
    return draft.round.remainder.cards_counted if draft.round.remainder else None
