"""Irregularities meet the house's policy: void, or stand still for a supervisor.

What a device saw is acted on by that policy. What a person reports would let one person void a round at will, so it
stands still for a supervisor: also a wrong count in a hand that no device counted, because players know their own cards
before any result is said. For what only people can see the house has said what it wants.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from daemon.frozen import replace
from daemon.table import voiding
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import ReportIrregularity, Request
from daemon.table.round_facts import IrregularityFound, RoundHeld
from daemon.table.said import Clause, Said, SaidId
from daemon.table.sentences import in_words
from daemon.table.settings import SEEN_BY_PEOPLE
from daemon.table.state import Finding, Phase, Round, Stop
from daemon.table.vocabulary import DEALER, Irregularity, Policy, SeatNumber
from protocols.cards import Misread

OF_A_MISREAD: Final = MappingProxyType(
    {
        Misread.UNREADABLE: Irregularity.UNREADABLE_CARD,
        Misread.BOXED: Irregularity.BOXED_CARD,
        Misread.FOREIGN: Irregularity.FOREIGN_CARD,
    }
)
_NO_CARD_OUT: Final = frozenset({Phase.CHOOSING, Phase.BETTING})
PolicyOf: TypeAlias = Callable[[Draft, Irregularity], Policy]


def policy_of(draft: Draft, irregularity: Irregularity) -> Policy:
    """Return the policy: a wrong count voids whatever the house says, and the rest is the house's."""
    if irregularity is Irregularity.WRONG_COUNT:
        return Policy.VOID
    settings = draft.state.settings
    once_seen = irregularity in settings.supervised_once_seen and are_cards_out(draft)
    return Policy.SUPERVISOR if once_seen or irregularity in settings.supervised else Policy.VOID


def are_cards_out(draft: Draft) -> bool:
    """Return whether somebody may have seen cards of this round."""
    is_dealt = draft.state.shoe is not None or bool(draft.round.hands)
    return is_dealt and draft.state.phase not in _NO_CARD_OUT


def found(irregularity: Irregularity, seat: SeatNumber | None, said: Clause) -> Finding:
    """Return a finding of the table's own."""
    return Finding(irregularity, seat, in_words(said), said)


def stop_if_found(draft: Draft, findings: Sequence[Finding], policy: PolicyOf = policy_of) -> bool:
    """Say each new finding, then void or hold the round. Return True if it was stopped, False if nothing is new."""
    fresh = tuple(dict.fromkeys(finding for finding in findings if finding not in draft.round.findings))
    if not fresh:
        return False
    for finding in fresh:
        what_follows = policy(draft, finding.irregularity)
        draft.say(IrregularityFound(finding.irregularity, what_follows, finding.seat, finding.message, finding.said))
    draft.round = replace(draft.round, findings=(*draft.round.findings, *fresh))
    ground = next((each for each in fresh if policy(draft, each.irregularity) is Policy.VOID), None)
    if ground is not None:
        voiding.void(draft, _reasons((ground,)), ground.irregularity)
    else:
        hold(draft, *_reasons(fresh), irregularity=fresh[0].irregularity)
    return True


def _reasons(findings: Sequence[Finding]) -> tuple[Clause, ...]:
    return tuple(finding.said for finding in findings if finding.said is not None)


def report_irregularity(draft: Draft, request: Request) -> Refusal | None:
    """Somebody at the table saw that something is wrong."""
    action = request.action
    assert isinstance(action, ReportIrregularity)
    refusal = _no_such_place(draft, action)
    if refusal is not None:
        return refusal
    what = SaidId.REPORTED if action.seat is None else SaidId.REPORTED_AT
    said = Clause(what, action.seat, who=request.who, word=action.irregularity.value)
    finding = found(action.irregularity, action.seat, said)
    if not stop_if_found(draft, (finding,), _reported):
        return Refusal("already-reported", Clause(SaidId.ALREADY_REPORTED))
    return None


def _no_such_place(draft: Draft, action: ReportIrregularity) -> Refusal | None:
    seat = action.seat
    if seat is None:
        needs_place = action.irregularity is Irregularity.WRONG_COUNT
        return Refusal("place-missing", Clause(SaidId.SAY_WHICH_HAND)) if needs_place else None
    if has_hand(draft.round, seat):
        return None
    return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, seat))


def has_hand(played: Round, place: SeatNumber) -> bool:
    """Return whether something can be reported of this place: of one that the game deals a hand to."""
    return place in played.places if place <= DEALER else bool(played.stakes_of(place))


def _reported(draft: Draft, irregularity: Irregularity) -> Policy:
    """Return what follows from a person's word."""
    return policy_of(draft, irregularity) if irregularity in SEEN_BY_PEOPLE else Policy.SUPERVISOR


def hold(draft: Draft, *reasons: Clause, irregularity: Irregularity | None = None) -> None:
    """Stand still until a supervisor rules. The first reason stays the cause."""
    reason = in_words(*reasons)
    draft.say(RoundHeld(reason, reasons))
    draft.round = replace(draft.round, stop=draft.round.stop or Stop(reason, irregularity, reasons))
    draft.move_to(Phase.HELD)
    draft.prompt(Said(SaidId.STOP, because=reasons))
