"""A game's procedure: which trigger does what in which phase, as one table of transitions.

A trigger is what can happen to a round, whoever or whatever caused it: the green button on the shuffler, on a
panel or as a command are one trigger. The transition names its handler and every phase that it may lead to;
`fire` holds it to that, so the table, from which ARCHITECTURE.md draws its diagram, cannot differ from the code.
What the table does not list is refused, with a sentence that says what the phase waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from daemon.table.draft import Draft, Refusal
from daemon.table.play import GamePlay
from daemon.table.state import Phase


class Trigger(Enum):
    """What can happen to a round."""

    # people
    BET = "bet"
    CLEAR_BETS = "clear-bets"
    DECIDE = "decide"
    CHOOSE_GAME = "choose-game"
    PASS_BUTTON = "pass-button"  # noqa: S105 (no password)
    MOVE_BUTTON = "move-button"
    GREEN = "green"
    NEXT = "next"
    ASK_VOID = "ask-void"
    COUNT = "count"
    SELECT_SEAT = "select-seat"
    SUPERVISOR = "supervisor"
    ENTER_CARDS = "enter-cards"
    REPORT = "report-irregularity"
    STUB_COUNT = "stub-count"
    RULE = "rule"
    VOID_ROUND = "void-round"
    # devices
    PACKET_DISPENSED = "packet-dispensed"
    PACKET_REMOVED = "packet-removed"
    REMAINDER_EJECTED = "remainder-ejected"
    DECK_DISTURBED = "deck-disturbed"  # a shuffle began, or a deck was loaded
    EVIDENCE_LOST = "evidence-lost"  # the device restarted, or its events are gone
    DEVICE_FAULT = "device-fault"
    ORDER_REFUSED = "order-refused"  # the device will not do what the round needs
    CARD_DRAWN = "card-drawn"  # out of a shoe, and so the next four
    CUT_CARD_DRAWN = "cut-card-drawn"
    CARD_RETURNED = "card-returned"
    READ_FAILED = "read-failed"
    DEAL_CLEARED = "deal-cleared"


Handler: TypeAlias = Callable[[Draft, Any], Refusal | None]


@dataclass(frozen=True, slots=True)
class Transition:
    """What a trigger does in a phase, and the phases in which it may leave the table."""

    handler: Handler
    to: frozenset[Phase]


def goes(handler: Handler, *to: Phase) -> Transition:
    """A row of a transition table."""
    return Transition(handler, frozenset(to))


@dataclass(frozen=True, slots=True)
class Procedure:
    """One game at the table."""

    play: GamePlay
    transitions: Mapping[tuple[Phase, Trigger], Transition]
    waits_for: Mapping[Phase, str]

    def fire(self, draft: Draft, trigger: Trigger, detail: object = None) -> Refusal | None:
        """Do what the trigger does in this phase, or say why nothing is done."""
        before = draft.state.phase
        transition = self.transitions.get((before, trigger))
        if transition is None:
            return Refusal(f"not-while-{before.value}", f"{trigger.value} means nothing now: {self.waits_for[before]}")
        refusal = transition.handler(draft, detail)
        after = draft.state.phase
        assert refusal is None or after is before, f"{trigger} was refused in {before} and moved to {after}"
        assert after in transition.to, f"{trigger} moved {before} to {after}, which its row does not name"
        return refusal
