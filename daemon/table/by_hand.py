"""Dealing by hand from a batch: the machine gives a shuffled deck out whole, and only the dealer sees where it goes.

Theory of operation. A batch that comes out shuffled waits until a round is dealt from it, and is dealt from once. From
then on the machine has nothing to do with the round: it may shuffle the next deck meanwhile, jam or go away. The table
says who gets how many cards in which order, and the dealer's green says that all of them are out. What is known of the
deck is its count before, which the machine told; what is left of it is counted by a person whenever that is due. So a
wrong hand is found when it is entered, or when the stub is counted, and not before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from daemon.frozen import replace
from daemon.table.alerts import DECK_CARDS
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import BatchOut, DeviceAnomaly
from daemon.table.findings import OF_A_MISREAD, found, stop_if_found
from daemon.table.round_facts import HandDealt, HandDelivered
from daemon.table.said import Clause, Said, SaidId, of_device
from daemon.table.state import Deck, Finding, Hand, Phase, Remainder, TableState
from daemon.table.vocabulary import Irregularity, SourceKind
from drivers.events import DeviceName, PacketDispensed, PacketRemoved, RemainderEjected
from protocols.cards import Misread

_MISREAD: Final = {
    Misread.UNREADABLE: SaidId.BATCH_UNREADABLE,
    Misread.BOXED: SaidId.BATCH_WRONG_WAY_ROUND,
    Misread.FOREIGN: SaidId.BATCH_ANOTHER_DECKS,
}


def is_dealt_by_hand(state: TableState) -> bool:
    """Return whether the game that is played is dealt by hand."""
    return state.settings.source.kind is SourceKind.BATCH


def came_out(draft: Draft, name: DeviceName, event: PacketDispensed | PacketRemoved | RemainderEjected) -> None:
    """Record a deck that came out of the machine, in any phase. If it is shuffled, the next round is dealt from it."""
    if not isinstance(event, RemainderEjected):
        draft.say(DeviceAnomaly(name, "packet-from-a-batch", "a machine that gives whole decks told of a packet"))
        return
    is_shuffled = draft.state.deck is Deck.READY
    batch = Remainder(event.count, event.faces)
    draft.state = replace(draft.state, batch=batch if is_shuffled else None, deck=Deck.UNKNOWN)
    draft.say(BatchOut(name, batch.cards_counted, is_shuffled))


def not_ready(state: TableState) -> Refusal | None:
    """Return why nothing can be dealt yet, or None."""
    if state.batch is not None:
        return None
    device = state.settings.source.device
    if state.deck is Deck.READY:
        return Refusal("deck-not-ready", of_device(SaidId.TAKE_DECK_OUT, device))
    return Refusal("deck-not-ready", of_device(SaidId.NO_DECK_CAME_OUT, device))


def begin(draft: Draft) -> None:
    """Make the batch that is out this round's, when no more bets are taken."""
    batch = draft.state.batch
    assert batch is not None, "not_ready would have said so"
    draft.state = replace(draft.state, batch=None, phase=Phase.DEALING)
    draft.round = replace(
        draft.round, rest_waived=True
    )  # it never was in the machine, so nothing more comes out for this round
    if not stop_if_found(draft, tuple(_wrong_with(batch))):
        prompt(draft)


def _wrong_with(batch: Remainder) -> Iterator[Finding]:
    """Yield what the machine saw of the deck before it was dealt; where cards went from there it cannot know."""
    if batch.cards_counted not in (None, DECK_CARDS):
        said = Clause(SaidId.BATCH_WRONG_COUNT, count=batch.cards_counted, wanted=DECK_CARDS)
        yield found(Irregularity.DECK_NOT_PROVEN, None, said)
    for face, times in Counter(batch.faces or ()).items():
        if isinstance(face, Misread):
            yield found(OF_A_MISREAD[face], None, Clause(_MISREAD[face]))
        elif times > 1:
            yield found(Irregularity.DUPLICATE_CARD, None, Clause(SaidId.BATCH_TWICE))


def prompt(draft: Draft) -> None:
    """Tell the dealer who is dealt what, in which order."""
    order = tuple(Clause(SaidId.CARDS_TO, packet.seat, count=packet.cards) for packet in draft.round.plan)
    draft.prompt(Said(SaidId.DEAL_BY_HAND, because=order))


def all_out(draft: Draft, _: object) -> Refusal | None:
    """Take the dealer's green: every hand is at its place. What a person has entered already stays as it is."""
    if not is_dealt_by_hand(draft.state):
        return Refusal("not-while-dealing", Clause(SaidId.HANDS_BEING_DEALT))
    for position, packet in enumerate(draft.round.plan, start=1):
        if draft.round.hand_at(position) is None:
            hand = Hand(packet.seat, position, count=None, faces=None, delivered=True)
            draft.round = replace(draft.round, hands=draft.round.with_hand(hand))
            draft.say(HandDealt(packet.seat, position, None), HandDelivered(packet.seat))
    draft.play.after_deal(draft)
    return None
