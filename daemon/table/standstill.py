"""A round that stands still, and the supervisor's word that ends it: void, or go on with what is known.

Held: something was irregular, or the dealer asked. Interrupted: something may have happened that nobody recorded, so
to go on a supervisor vouches for the cards. Either way a card that nobody could name has to be entered first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from daemon.frozen import replace
from daemon.table import entering, packets, voiding
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import FactData
from daemon.table.findings import found, hold, stop_if_found
from daemon.table.inputs import EnterCards, Request, Rule, VoidRound
from daemon.table.round_facts import CardsEntered, IrregularityFound, RoundHeld, RoundInterrupted, RulingGiven
from daemon.table.said import Clause, Said, SaidId
from daemon.table.sentences import in_words
from daemon.table.state import (
    AWAITS_RULING,
    NO_CARDS_OUT,
    Hand,
    Packet,
    Phase,
    Round,
    Stop,
    TableState,
)
from daemon.table.unplaced import supervisor_only
from daemon.table.vocabulary import Actor, Evidence, Irregularity, Policy, Ruling, SeatNumber, SourceKind
from drivers.events import DeviceName, DeviceReport, EventsLost, FaultRaised, LinkUp, Restarted
from protocols.cards import Card

TOLD_MOST: Final = 5  # of what came since a supervisor looked: the sentence is for a small screen
_OF_THE_CARDS: Final = (Irregularity.DUPLICATE_CARD, Irregularity.DISPUTED_CARD)
_WHY_INTERRUPTED: Final = {
    Restarted: SaidId.RESTARTED,
    EventsLost: SaidId.EVENTS_LOST,
    LinkUp: SaidId.CANNOT_PROVE,
}


def record_broken(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Interrupt a round whose cards are still to come out of the shuffler: a hole in the record is one in this deal."""
    if (draft.round.remainder is not None or draft.round.rest_waived) and not _is_drawn_from(draft, report.device):
        return None
    why = Clause(_WHY_INTERRUPTED.get(type(report.event), SaidId.DECK_DISTURBED), device=report.device)
    reason = in_words(why)
    draft.round = replace(draft.round, stop=draft.round.stop or Stop(reason, said=(why,)))
    draft.move_to(Phase.INTERRUPTED)
    draft.say(RoundInterrupted(report.device, reason.removeprefix(f"{report.device}: "), why))
    draft.prompt(Said(SaidId.STOP, because=(why,)))
    return None


def _is_drawn_from(draft: Draft, device: DeviceName) -> bool:
    """Return whether this is a shoe out of which cards of this round are still to come."""
    shoe = draft.state.settings.shoe
    return shoe is not None and device == shoe.device and draft.play.draws_due(draft.round)


def ask_void(draft: Draft, _: object) -> Refusal | None:
    """Hold the round for a supervisor: the dealer wants it voided, and only a supervisor can."""
    hold(draft, Clause(SaidId.VOID_ASKED))
    return None


def hold_in_a_copy(draft: Draft, because: str) -> None:
    """Hold a round that a copy of the journal still has: it may be over, and all of it paid or given back, by now.

    One that stood still already is told the same: who rules on it, or gives stakes back, may have done so before.
    """
    state, why = draft.state, Clause(SaidId.IN_ITS_WORDS, text=because)
    if state.round is None or state.phase in NO_CARDS_OUT:
        return
    if state.phase is Phase.VOIDING:
        told = state.prompted
        draft.prompt(Said(SaidId.STOP, because=(why,)), *told.said, steps=told.steps)
        return
    hold(draft, why)
    stop = draft.round.stop
    if stop is not None and why not in stop.said:
        told_too = replace(stop, reason=f"{stop.reason}; {because}", said=(*stop.said, why))
        draft.round = replace(draft.round, stop=told_too)
    if state.phase is Phase.INTERRUPTED:
        draft.move_to(Phase.INTERRUPTED)  # what may have happened unseen has still to be vouched for


def order_refused(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Hold the round: it cannot go on without what the device refused."""
    hold(draft, Clause(SaidId.ORDER_REFUSED, device=report.device))
    return None


def fault(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Hold the round: the device cannot go on, so the deal cannot."""
    assert isinstance(report.event, FaultRaised)
    hold(draft, Clause(SaidId.REPORTS_FAULT, device=report.device, word=report.event.fault.value))
    return None


def void_round(draft: Draft, request: Request) -> Refusal | None:
    """Void a running round, on a supervisor's word."""
    action = request.action
    assert isinstance(action, VoidRound)
    _void_by_word(draft, request, action.reason)
    return None


def _void_by_word(draft: Draft, request: Request, reason: str) -> None:
    """Void by a person's word. What the round stood still for stays its cause."""
    stop = draft.round.stop
    if stop is None:
        voiding.void(draft, (Clause(SaidId.SAID_BY, who=request.who, text=reason),), None, by=request)
    else:
        ruled = Clause(SaidId.RULED, who=request.who, text=reason)
        voiding.void(draft, (*stop.said, ruled), stop.irregularity, by=request)


def enter_cards(draft: Draft, request: Request) -> Refusal | None:
    """Enter a hand that no device could read, on a supervisor's word."""
    action = request.action
    assert isinstance(action, EnterCards)
    if action.seat not in draft.round.places:
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, action.seat))
    if draft.round.accounted:
        return Refusal("already-accounted", Clause(SaidId.ALREADY_ACCOUNTED))
    refusal = _cannot_be_seen(draft, request, action.seat) or entering.unusable(
        draft, action, entering.cards_wanted(draft.round, action.seat)
    )
    if refusal is None:
        entering.put_cards(draft, action, request, is_open=False)
        _find_anew(draft)
    return refusal


def _find_anew(draft: Draft) -> None:
    """Have found once more what was found of other cards. A supervisor ruled on those, and on none that came later."""
    kept = tuple(each for each in draft.round.findings if each.irregularity not in _OF_THE_CARDS)
    draft.round = replace(draft.round, findings=kept)


def _cannot_be_seen(draft: Draft, request: Request, seat: SeatNumber) -> Refusal | None:
    """Return why nobody can have read these cards, or None.

    A dealer can bring a round to a stand at will. So they may enter only what keeps it from going on: not what a device
    read, no hand of which no device told or that lies face down until its turn, and none once more, because a
    supervisor may have looked at it by now. A supervisor may have any hand turned over that was dealt.
    """
    hand, by_supervisor = entering.hand_meant(draft.round, seat), request.role is Actor.SUPERVISOR
    if hand is None:
        if _no_more_come(draft):
            return supervisor_only(request)
        by_hand = draft.state.settings.source.kind is SourceKind.BATCH
        return None if by_hand and by_supervisor else Refusal("not-dealt", Clause(SaidId.NOT_DEALT, seat))
    if by_supervisor:
        return None
    if hand.evidence is Evidence.ENTERED_BY_PERSON:
        return entering.not_asked(seat)
    if entering.is_read(hand):
        return Refusal("read-by-device", Clause(SaidId.READ_BY_DEVICE))
    return entering.not_asked(seat) if hand.faces is None else None


def rule(draft: Draft, request: Request) -> Refusal | None:
    """Do what the supervisor ruled on a round that is dealt in packets."""
    return ruling(draft, request, cannot_go_on, go_on)


def ruling(
    draft: Draft,
    request: Request,
    cannot_go_on: Callable[[Draft], Refusal | None],
    go_on: Callable[[Draft, str], None],
) -> Refusal | None:
    """Do what the supervisor ruled. The game says what must be known before the round can go on, and how it does."""
    action = request.action
    assert isinstance(action, Rule)
    refusal = _overtaken(draft.round, action)
    if refusal is not None:
        return refusal
    if action.ruling is Ruling.VOID:
        draft.say(RulingGiven(action.ruling, action.reason, request.who, request.role))
        _void_by_word(draft, request, action.reason)
        return None
    refusal = cannot_go_on(draft)
    if refusal is None:
        draft.say(RulingGiven(action.ruling, action.reason, request.who, request.role))
        draft.round = replace(draft.round, stop=None)
        go_on(draft, request.who)
    return refusal


def _overtaken(played: Round, action: Rule) -> Refusal | None:
    """Return what the ruling's author had not seen, or None. A ruling of an earlier version says nothing of it."""
    if action.revision in (None, played.revision):
        return None
    seen = action.revision if 0 <= action.revision < played.revision else 0
    return Refusal("changed-since", Said(SaidId.CHANGED_SINCE, because=played.to_look_at[seen:][-TOLD_MOST:]))


def note_changes(draft: Draft, before: TableState) -> None:
    """Keep what this input brought to a round that stands still: a ruling has to be given in sight of it."""
    state = draft.state
    if state.phase not in AWAITS_RULING or state.round is None:
        return
    if state.phase is before.phase and state.round is before.round and not draft.facts:
        return
    came = tuple(dict.fromkeys(clause for fact in draft.facts for clause in _to_look_at(fact)))
    if not came and state.round != before.round:
        came = (Clause(SaidId.RECORD_CHANGED),)
    if came:
        draft.round = replace(state.round, to_look_at=(*state.round.to_look_at, *came))


def _to_look_at(fact: FactData) -> tuple[Clause, ...]:
    match fact:
        case RoundHeld():
            return fact.said
        case RoundInterrupted() | IrregularityFound():
            return () if fact.said is None else (fact.said,)
        case CardsEntered():
            return (Clause(SaidId.ENTERED_SINCE, fact.seat, who=fact.who),)
        case _:
            return ()


def cannot_go_on(draft: Draft) -> Refusal | None:
    """Refuse to go on while cards are not known that a round dealt in packets needs."""
    missing = tuple(Clause(SaidId.PACKET, packet.seat, packet.drawn) for packet in _missing(draft))
    if missing:
        return Refusal("hands-missing", Said(SaidId.HANDS_MISSING, because=missing))
    places = draft.round.places
    unnamed = tuple(Clause(SaidId.PACKET, seat) for seat in places if _has_unnamed_card(draft, seat))
    if unnamed:
        return Refusal("cards-unnamed", Said(SaidId.CARDS_UNNAMED, because=unnamed))
    return None


def _missing(draft: Draft) -> Iterator[Packet]:
    """Give the packets that are not on record and never will be. A draw comes as long as the deck is inside."""
    played = draft.round
    draws_come = played.remainder is None or played.accounted
    for position, packet in enumerate(played.plan, start=1):
        comes = draws_come if packet.drawn else not _no_more_come(draft)
        if not comes and played.hand_at(position) is None:
            yield packet


def _no_more_come(draft: Draft) -> bool:
    """Return whether a hand that is not on record never will be by itself."""
    from_shuffler = draft.state.settings.source.kind is SourceKind.SHUFFLER
    return (draft.state.phase is Phase.INTERRUPTED and from_shuffler) or draft.round.remainder is not None


def _has_unnamed_card(draft: Draft, seat: SeatNumber) -> bool:
    hands = (hand for hand in draft.round.hands if hand.seat == seat)
    return any(not isinstance(face, Card) for hand in hands for face in hand.faces or ())


def go_on(draft: Draft, who: str) -> None:
    """Go on where a held round stood; with an interrupted one, by the hands that the supervisor vouches for."""
    if draft.state.phase is Phase.INTERRUPTED:
        from_shuffler = draft.state.settings.source.kind is SourceKind.SHUFFLER
        in_packets = from_shuffler and not draft.round.accounted  # after the proof, cards only come out of a shoe
        draft.round = replace(
            draft.round, hands=tuple(_vouched(draft.round, hand, in_packets) for hand in draft.round.hands)
        )
        no_more_come = draft.round.remainder is None and not draft.play.draws_due(draft.round)
        draft.round = replace(draft.round, rest_waived=no_more_come and from_shuffler, vouched=who)
    if draft.round.wants_voucher:
        draft.round = replace(draft.round, vouched=who)
    draft.round = replace(draft.round, ordered=None)  # what was under way when the round stopped may have been lost
    if not _holds_once_more(draft):
        packets.continue_round(draft)


def _holds_once_more(draft: Draft) -> bool:
    """Have a supervisor know, before they go on, that a hand was entered otherwise than a device read it.

    Two hands exchanged whole are a whole deck again, so the proof would not find them.
    """
    findings = [
        found(Irregularity.DISPUTED_CARD, hand.seat, Clause(SaidId.ENTERED_OTHERWISE, hand.seat, hand.drawn))
        for hand in entering.otherwise(draft.round)
    ]
    return stop_if_found(draft, findings, lambda *_: Policy.SUPERVISOR)


def _vouched(played: Round, hand: Hand, in_packets: bool) -> Hand:
    """Return the hand as the supervisor vouches for it. It is delivered, unless cards of it are still to come."""
    is_whole = in_packets or hand.cards_counted in (None, played.plan[hand.position - 1].cards)
    return replace(hand, delivered=is_whole)
