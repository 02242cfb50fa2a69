"""A game's procedure: what happens in which phase, as one table of rows.

A trigger is what can happen to a round, and it does not matter who caused it: the green button on the shuffler, on a
panel or as a command are one trigger. People cause what is `Asked`, and its handler is given their `Request`. Devices
cause what is `Reported`, and its handler is given the `DeviceReport`. The two stand in tables of their own, so that
mypy refuses a handler in a row of the other kind.

Each row names every phase that it may lead to. `Procedure` holds the handler to it, so the tables, from which
ARCHITECTURE.md draws its diagrams, cannot differ from the code. What has no row is refused, with a sentence that says
what the phase waits for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import Enum
from types import MappingProxyType
from typing import Generic, TypeAlias, TypeVar

from daemon.table.draft import Draft, Refusal, refuse
from daemon.table.inputs import Request
from daemon.table.play import GamePlay
from daemon.table.refusal_codes import NOT_WHILE
from daemon.table.said import SaidId
from daemon.table.state import Phase
from drivers.events import DeviceReport
from protocols.frozen import dataclass


class Asked(Enum):
    """What people can do to a round."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

    BET = "bet"
    CLEAR_BETS = "clear-bets"
    DECIDE = "decide"
    CHOOSE_GAME = "choose-game"
    CLAIM = "claim"
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


class Reported(Enum):
    """What devices can do to a round."""

    __hash__ = object.__hash__  # Enum hashes the name, in Python; a member is one object

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


Trigger: TypeAlias = Asked | Reported
DetailT = TypeVar("DetailT")
TakesT = TypeVar("TakesT", contravariant=True)  # a handler that takes anything takes a request as well
Handler: TypeAlias = Callable[[Draft, DetailT], Refusal | None]


@dataclass(frozen=True, slots=True)
class Transition(Generic[TakesT]):
    """What a trigger does in a phase, and the phases in which it may leave the table."""

    handler: Callable[[Draft, TakesT], Refusal | None]
    to: frozenset[Phase]


def goes(handler: Handler[DetailT], *to: Phase) -> Transition[DetailT]:
    """Make a row."""
    return Transition(handler, frozenset(to))


@dataclass(frozen=True, slots=True)
class Rows:
    """All rows of one phase. With `|` the rows on the right replace those on the left."""

    asked: Mapping[Asked, Transition[Request]] = field(default_factory=lambda: MappingProxyType({}))
    reported: Mapping[Reported, Transition[DeviceReport]] = field(default_factory=lambda: MappingProxyType({}))

    def __or__(self, other: Rows) -> Rows:
        """Return both, where they differ those of `other`."""
        return Rows({**self.asked, **other.asked}, {**self.reported, **other.reported})

    def leading_to(self) -> Iterator[tuple[Trigger, frozenset[Phase]]]:
        """Yield every trigger with the phases that it may lead to."""
        yield from ((trigger, row.to) for trigger, row in self.asked.items())
        yield from ((trigger, row.to) for trigger, row in self.reported.items())


@dataclass(frozen=True, slots=True)
class Procedure:
    """One game at the table. Every phase of the game has its rows, and a sentence for what it waits for."""

    play: GamePlay
    rows: Mapping[Phase, Rows]
    waits_for: Mapping[Phase, str]

    def __post_init__(self) -> None:
        assert self.rows.keys() == self.waits_for.keys(), "a phase has rows and no sentence, or a sentence and no rows"

    def ask(self, draft: Draft, trigger: Asked, request: Request) -> Refusal | None:
        """Run the row for what a person asks. Return a Refusal if there is none, or if its handler refuses."""
        return self._run(draft, trigger, self.rows[draft.state.phase].asked.get(trigger), request)

    def report(self, draft: Draft, trigger: Reported, report: DeviceReport) -> Refusal | None:
        """Run the row for what a device reports. Return a Refusal if there is none, or if its handler refuses."""
        return self._run(draft, trigger, self.rows[draft.state.phase].reported.get(trigger), report)

    def _run(self, draft: Draft, trigger: Trigger, row: Transition[DetailT] | None, detail: DetailT) -> Refusal | None:
        before = draft.state
        if row is None:
            waits_for = self.waits_for[before.phase]
            return refuse(NOT_WHILE[before.phase], SaidId.MEANS_NOTHING_NOW, word=trigger.value, text=waits_for)
        refusal = row.handler(draft, detail)
        after = draft.state.phase
        # A refused request is answered and forgotten: the one who hears "no" must find the table as it was.
        assert refusal is None or draft.state is before, (
            f"{trigger} was refused in {before.phase} and changed the state"
        )
        assert after in row.to, f"{trigger} moved {before.phase} to {after}, which its row does not name"
        return refusal
