"""Irregularities meet the house's policy: void, or stand still for a supervisor."""

from __future__ import annotations

from collections.abc import Sequence

from daemon.table import lifecycle
from daemon.table.round_facts import IrregularityFound, RoundHeld
from daemon.table.state import Finding, Phase
from daemon.table.turn import Turn
from daemon.table.vocabulary import Irregularity, Policy


def policy_of(turn: Turn, irregularity: Irregularity) -> Policy:
    """A wrong count voids whatever the house says; the rest is the house's."""
    supervised = irregularity is not Irregularity.WRONG_COUNT and irregularity in turn.state.settings.supervised
    return Policy.SUPERVISOR if supervised else Policy.VOID


def act_on(turn: Turn, findings: Sequence[Finding]) -> bool:
    """Say what was found and do what the house does about it; True when the round does not go on by itself."""
    fresh = tuple(finding for finding in findings if finding not in turn.round.findings)
    for finding in fresh:
        policy = policy_of(turn, finding.irregularity)
        turn.say(IrregularityFound(finding.irregularity, policy, finding.seat, finding.message))
    turn.set_round(findings=(*turn.round.findings, *fresh))
    voiding = next((found for found in fresh if policy_of(turn, found.irregularity) is Policy.VOID), None)
    if voiding is not None:
        lifecycle.void(turn, voiding.message, voiding.irregularity)
    elif fresh:
        hold(turn, "; ".join(finding.message for finding in fresh))
    return bool(fresh)


def hold(turn: Turn, reason: str) -> None:
    """Stand still until a supervisor rules."""
    turn.move_to(Phase.HELD)
    turn.say(RoundHeld(reason))
    turn.prompt(f"Stop. Call a supervisor: {reason}.")
