"""Cards out of the shoe: each is entered in the ledger, and one that nothing made due is an irregularity at once.

Theory of operation. Cards follow in order and say nothing of where they go, so the game's procedure attributes each:
a handler whose round waits for a card calls `take_card`, and gets the card when there is nothing wrong with it. Where
nothing makes a card due, `out_of_turn` is the handler. What the shoe claims of a card's place is never looked at.

A card with which something is wrong is in no hand. Unless the house voids for it, the round is held, and the card is
among the round's `unplaced` ones until a supervisor enters the hand in which it lies: going on without that would give
every later card to the wrong place. A card whose link has no check is a card like any other: what speaks against a
damaged report there is the ledger, and the people who see the hand. One of which the shoe has said two things is none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from daemon.frozen import replace
from daemon.table import alerts, loading
from daemon.table.draft import Draft, Refusal
from daemon.table.facts import DeviceAnomaly
from daemon.table.findings import OF_A_MISREAD, are_cards_out, found, policy_of, stop_if_found
from daemon.table.round_facts import CardBurned, CutCardOut
from daemon.table.said import Clause, SaidId
from daemon.table.shoe import Shoe
from daemon.table.standstill import record_broken
from daemon.table.state import Finding, Phase
from daemon.table.vocabulary import Irregularity, Policy, SeatNumber
from drivers.events import CardDrawn, Confidence, DeviceReport
from protocols.cards import Card, Misread

_MISREAD: Final = {
    Misread.UNREADABLE: SaidId.SHOE_UNREADABLE,
    Misread.BOXED: SaidId.SHOE_WRONG_WAY_ROUND,
    Misread.FOREIGN: SaidId.SHOE_ANOTHER_DECKS,
}
# What a hand at the shoe can bring about at any time.
_OF_A_HAND: Final = frozenset({Irregularity.CARD_OUT_OF_TURN, Irregularity.CARD_RETURNED})
_NO_SHOE: Final = "a card left a shoe of which nothing is known: load it and say so"


def take_card(draft: Draft, report: DeviceReport, place: SeatNumber) -> Card | None:
    """Return the card that was due for this place; None when something is wrong with it and the round has stopped."""
    drawn = _drawn(report)
    if drawn.confidence is Confidence.DISPUTED:
        _disputed(draft, place)
        return None
    findings = (*_enter(draft, drawn), *_unfit(draft, drawn, place))
    if not findings and isinstance(drawn.face, Card):
        return drawn.face
    draft.round = replace(draft.round, unplaced=(*draft.round.unplaced, drawn.face))
    stop_if_found(draft, findings)
    return None


def out_of_turn(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Stop the round for a card that nothing had made due."""
    drawn = _drawn(report)
    if drawn.confidence is Confidence.DISPUTED:
        _disputed(draft, None)
    elif _is_the_unread_one(draft, drawn):
        _enter(draft, drawn)
        draft.round = replace(draft.round, unplaced=(*draft.round.unplaced, drawn.face))
    else:
        _irregular(draft, (*_enter(draft, drawn), _not_due(draft)))
    return None


def between_deals(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Record a card while no round is dealt: burned if that is due, else out of turn."""
    drawn = _drawn(report)
    if draft.state.shoe is None:
        draft.say(DeviceAnomaly(report.device, "shoe-not-loaded", _NO_SHOE))
    elif drawn.confidence is Confidence.DISPUTED:
        _disputed(draft, None)
    elif draft.state.shoe.burn_due:
        _burn(draft, drawn)
    elif _is_the_unread_one(draft, drawn):
        _enter(draft, drawn)
    else:
        _irregular(draft, (*_enter(draft, drawn), _not_due(draft)))
    return None


def cut_card(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Note the cut card: the round that is dealt, or the next one, is the last of this shoe."""
    shoe = draft.state.shoe
    if shoe is None or shoe.is_last_round:
        draft.say(DeviceAnomaly(report.device, "cut-card-again", "a cut card came, and none was expected"))
        return None
    draft.state = replace(draft.state, shoe=replace(shoe, is_last_round=True))
    draft.say(CutCardOut(report.device, shoe.gone))
    return None


def returned(draft: Draft, _: DeviceReport) -> Refusal | None:
    """Record a card that is in the shoe again. People have seen it, and it may come a second time."""
    shoe = draft.state.shoe
    if shoe is not None:
        draft.state = replace(draft.state, shoe=replace(shoe, returned=shoe.returned + 1, is_spoiled=True))
        said = Clause(SaidId.PUT_BACK_INTO_SHOE, count=shoe.gone, wanted=shoe.returned + 1)
        _irregular(draft, (found(Irregularity.CARD_RETURNED, None, said),))
    return None


def read_failed(draft: Draft, _: DeviceReport) -> Refusal | None:
    """Record that the shoe could not read a card. It may have come without a name, or be still to come without one."""
    shoe = draft.state.shoe
    if shoe is None:
        return None
    failures = shoe.read_failures + 1
    told = replace(shoe, is_unread_told=not shoe.is_last_unnamed, is_last_unnamed=False, read_failures=failures)
    draft.state = replace(draft.state, shoe=told)
    if not shoe.is_last_unnamed and not shoe.burn_due:
        said = Clause(SaidId.SHOE_COULD_NOT_READ, count=shoe.gone, times=failures)
        _irregular(draft, (found(Irregularity.UNREADABLE_CARD, None, said),))
    return None


def evidence_lost(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Doubt the shoe: cards may have left it unseen while none was due."""
    shoe = draft.state.settings.shoe
    if draft.state.shoe is not None and shoe is not None and report.device == shoe.device:
        draft.raise_alert(alerts.unwatched(shoe.device))
    return None


def evidence_lost_in_deal(draft: Draft, report: DeviceReport) -> Refusal | None:
    """Interrupt the round: its cards may have left the shoe unseen, and the cut card with them."""
    return evidence_lost(draft, report) or record_broken(draft, report)


def _drawn(report: DeviceReport) -> CardDrawn:
    assert isinstance(report.event, CardDrawn)
    return report.event


def _shoe(draft: Draft) -> Shoe:
    assert draft.state.shoe is not None, "cards are dealt from a shoe that is not loaded"
    return draft.state.shoe


def _enter(draft: Draft, drawn: CardDrawn) -> tuple[Finding, ...]:
    """Put the card into the ledger; what that shows to be wrong with the shoe."""
    before = _shoe(draft)
    shoe = before.with_card(drawn.face)
    shoe = shoe if drawn.number is None else replace(shoe, number=drawn.number)
    draft.state = replace(draft.state, shoe=replace(shoe, is_spoiled=shoe.is_spoiled or shoe.cannot_hold(drawn.face)))
    return tuple(_wrong_with_shoe(before, shoe, drawn))


def _wrong_with_shoe(before: Shoe, shoe: Shoe, drawn: CardDrawn) -> Iterator[Finding]:
    if shoe.cannot_hold(drawn.face):
        said = Clause(SaidId.TOO_MANY_OF_A_KIND, count=shoe.gone, wanted=shoe.decks)
        yield found(Irregularity.CARD_TOO_OFTEN, None, said)
    if not before.follows(drawn.number):
        said = Clause(SaidId.CARD_NOT_COME, count=drawn.number, wanted=before.number + 1)
        yield found(Irregularity.CARD_MISSING, None, said)


def _unfit(draft: Draft, drawn: CardDrawn, place: SeatNumber) -> Iterator[Finding]:
    gone = _shoe(draft).gone
    if isinstance(drawn.face, Misread):
        yield found(OF_A_MISREAD[drawn.face], place, Clause(_MISREAD[drawn.face], place, count=gone))
    if drawn.outside is not None:
        said = Clause(SaidId.OUTSIDE_A_GAME, place, count=gone, word=drawn.outside.value)
        yield found(Irregularity.CARD_OUTSIDE_GAME, place, said)


def _not_due(draft: Draft) -> Finding:
    return found(Irregularity.CARD_OUT_OF_TURN, None, Clause(SaidId.NO_CARD_DUE, count=_shoe(draft).gone))


def _is_the_unread_one(draft: Draft, drawn: CardDrawn) -> bool:
    return _shoe(draft).is_unread_told and isinstance(drawn.face, Misread)


def _disputed(draft: Draft, place: SeatNumber | None) -> None:
    """Enter nothing for a disputed card: it may be another one, or another reading of one that has come."""
    shoe = _shoe(draft)
    draft.state = replace(draft.state, shoe=replace(shoe, disputed=shoe.disputed + 1))
    said = Clause(SaidId.SHOE_SAYS_TWO_THINGS, times=shoe.disputed + 1)
    _irregular(draft, (found(Irregularity.DISPUTED_CARD, place, said),))


def _burn(draft: Draft, drawn: CardDrawn) -> None:
    findings = _enter(draft, drawn)
    shoe = _shoe(draft).burned_one()
    draft.state = replace(draft.state, shoe=shoe)
    draft.say(CardBurned(draft.state.settings.source.device, shoe.burned, shoe.burn_due))
    if findings:
        _irregular(draft, findings)


def _irregular(draft: Draft, findings: Sequence[Finding]) -> None:
    """Apply the house's policy in a round. Outside of one, let nothing open until somebody has looked."""
    if draft.state.round is None or draft.state.phase is Phase.VOIDING:
        for finding in findings:
            _tell_between_rounds(draft, finding)
        if _shoe(draft).is_spoiled:
            loading.end_round(draft)
        return
    was_interrupted = draft.state.phase is Phase.INTERRUPTED
    stop_if_found(draft, findings, _policy)
    if was_interrupted and draft.state.phase is Phase.HELD:
        draft.move_to(Phase.INTERRUPTED)  # what may have happened unseen has still to be vouched for


def _tell_between_rounds(draft: Draft, finding: Finding) -> None:
    """Raise the alert for a card that was wrong between rounds, anew where it tells of an earlier card only."""
    device = draft.state.settings.source.device
    stands = draft.state.alert(alerts.shoe_irregular_name(device, finding))
    told = () if stands is None or stands.said is None else stands.said.because
    alert = alerts.shoe_irregular(device, finding, told)
    draft.lower_alert(alert.alert)
    draft.raise_alert(alert)


def _policy(draft: Draft, irregularity: Irregularity) -> Policy:
    """Return what follows. Once cards are seen, a dealer who draws one more or pushes one back must not void by it."""
    if irregularity in _OF_A_HAND and are_cards_out(draft):
        return Policy.SUPERVISOR
    return policy_of(draft, irregularity)
