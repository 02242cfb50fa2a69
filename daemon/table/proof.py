"""Proving the deck: dealt and remaining cards are 52 different ones, or it is said how else the round is vouched for.

What a device read is compared card by card; what it only counted is added up; what it does not count a person counts
at least every five rounds. A card that could not be named is never guessed, so it leaves the deck unproven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from daemon.table.alerts import DECK_CARDS
from daemon.table.findings import act_on
from daemon.table.inputs import Request, StubCount
from daemon.table.round_facts import DeckAccounted, StubCountAsked
from daemon.table.state import Finding, Hand, Phase
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import DeckProof, Irregularity, SeatNumber
from daemon.table.wording import packet_name, place_name
from protocols.cards import Card, Face, Misread

MISREAD_FINDINGS = {
    Misread.UNREADABLE: (Irregularity.UNREADABLE_CARD, "a card that the reader could not name"),
    Misread.BOXED: (Irregularity.BOXED_CARD, "a card that lies the wrong way round"),
    Misread.FOREIGN: (Irregularity.FOREIGN_CARD, "a card of another deck"),
}


def wrong_count(turn: Turn, hand: Hand) -> tuple[Finding, ...]:
    """Nothing, or that this hand voids the round: sensor and reader must both say what the game deals."""
    wanted = turn.round.plan[hand.position - 1].cards
    read = None if hand.faces is None else len(hand.faces)
    wrong = next((count for count in (hand.count, read) if count not in (None, wanted)), None)
    if wrong is None:
        return ()
    return (Finding(Irregularity.WRONG_COUNT, hand.seat, f"{packet_name(hand)} has {wrong} cards, not {wanted}"),)


def account(turn: Turn) -> None:
    """Everything is out: look at all of it at once, then reconcile, ask for a count, or stop."""
    if act_on(turn, (*_wrong_faces(turn), *_wrong_sum(turn))):
        return
    proof = _proof(turn)
    if proof is None:
        turn.move_to(Phase.COUNTING)
        turn.say(StubCountAsked(turn.state.rounds_since_stub_count))
        turn.prompt("Count the rest of the deck and enter the count.")
        return
    _accept(turn, proof, remaining=_remaining(turn), who=turn.round.vouched)


def look(turn: Turn) -> bool:
    """Look at what is out so far, before money moves on it; True when the round does not go on by itself."""
    return act_on(turn, tuple(_wrong_faces(turn)))


def stub_counted(turn: Turn, request: Request) -> Refusal | None:
    """A person counted what was left."""
    action = request.action
    assert isinstance(action, StubCount)
    if not 0 <= action.count <= DECK_CARDS:
        return Refusal("no-such-count", f"a deck has {DECK_CARDS} cards; {action.count} cannot be left of it")
    whole = _dealt(turn) + action.count
    if whole != DECK_CARDS and act_on(turn, (_not_a_deck(_dealt(turn), action.count),)):
        return None
    _accept(turn, DeckProof.STUB_COUNTED, action.count, request.who)
    return None


def _accept(turn: Turn, proof: DeckProof, remaining: int | None, who: str | None) -> None:
    unproven = turn.state.rounds_since_stub_count + 1 if proof is DeckProof.NOT_DUE else 0
    turn.set(rounds_since_stub_count=unproven)
    turn.set_round(accounted=True)
    turn.say(DeckAccounted(proof, _dealt(turn), remaining, who))
    turn.play.after_proof(turn)


def _proof(turn: Turn) -> DeckProof | None:
    """How the deck is known to be whole; None when a person has to count."""
    if turn.round.vouched is not None:
        return DeckProof.CONFIRMED
    faces = _faces(turn)
    if len(faces) == DECK_CARDS and all(isinstance(face, Card) for _, face in faces):
        return DeckProof.READ
    if _remaining(turn) is not None and all(hand.cards_counted is not None for hand in turn.round.hands):
        return DeckProof.COUNTED
    due = turn.state.rounds_since_stub_count + 1 >= turn.state.settings.stub_count_rounds_max
    return None if due else DeckProof.NOT_DUE


def _faces(turn: Turn) -> list[tuple[Hand | None, Face]]:
    """Every face that was read, with the packet that it came in; the rest of the deck is none."""
    dealt = [(hand, face) for hand in turn.round.hands for face in hand.faces or ()]
    remainder = turn.round.remainder
    return [*dealt, *((None, face) for face in (remainder.faces if remainder else None) or ())]


def _wrong_faces(turn: Turn) -> Iterator[Finding]:
    for hand in turn.round.hands:
        yield from wrong_count(turn, hand)
    yield from _misreads(turn)
    yield from _duplicates(turn)


def _wrong_sum(turn: Turn) -> Iterator[Finding]:
    remaining, dealt = _remaining(turn), _dealt(turn)
    if remaining is not None and dealt + remaining != DECK_CARDS:
        yield _not_a_deck(dealt, remaining)


def _misreads(turn: Turn) -> Iterator[Finding]:
    for hand, face in _faces(turn):
        if isinstance(face, Misread):
            irregularity, what = MISREAD_FINDINGS[face]
            yield Finding(irregularity, _seat(hand), f"{_name(hand)}: {what}")


def _duplicates(turn: Turn) -> Iterator[Finding]:
    seen: Counter[Face] = Counter()
    for hand, face in _faces(turn):
        seen[face] += 1
        if isinstance(face, Card) and seen[face] > 1:
            message = f"{_name(hand)}: a card that was already seen elsewhere"
            yield Finding(Irregularity.DUPLICATE_CARD, _seat(hand), message)


def _seat(hand: Hand | None) -> SeatNumber | None:
    return None if hand is None else hand.seat


def _name(hand: Hand | None) -> str:
    return place_name(None) if hand is None else packet_name(hand)


def _not_a_deck(dealt: int, remaining: int) -> Finding:
    message = f"{dealt} cards dealt and {remaining} left are {dealt + remaining}, not {DECK_CARDS}"
    return Finding(Irregularity.DECK_NOT_PROVEN, None, message)


def _dealt(turn: Turn) -> int:
    """Hands that nobody counted are what the game deals until a person reads them; a shoe's ledger has every card."""
    if turn.state.shoe is not None:
        return turn.state.shoe.gone
    hands = [(hand.cards_counted, turn.round.plan[hand.position - 1].cards) for hand in turn.round.hands]
    return sum(planned if count is None else count for count, planned in hands)


def _remaining(turn: Turn) -> int | None:
    return turn.round.remainder.cards_counted if turn.round.remainder else None
