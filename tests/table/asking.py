"""A table that is asked whether it would take something, and left as it is: what the tests of prompts ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from daemon.rules.wagers import WagerName
from daemon.table import may
from daemon.table.inputs import Action, Bet, Decide, Request
from daemon.table.offers import Bounds, Command, Offer
from daemon.table.reducer import apply
from daemon.table.state import TableState
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, Decision, RequestId, SeatNumber
from drivers.events import Stamp


@dataclass(slots=True)
class Asking:
    """A table whose prompt is put to the test; nothing that is asked changes it."""

    state: TableState
    offered: tuple[Offer, ...] = ()
    says_green: bool = False
    says_next: bool = False
    asks_player: bool = False

    def __post_init__(self) -> None:
        self.offered = may.offers(self.state)

    def answer(self, action: Action, role: Actor = Actor.DEALER) -> Answer:
        at, running = Stamp(self.state.at.utc_ns + 1, self.state.at.mono_ns + 1), self.state.round
        held = None if running is None else running.position_of(getattr(action, "seat", None) or SeatNumber(-1))
        who = held.who if held is not None and held.who is not None and role is Actor.PLAYER else "mary"
        asked = Request(at, RequestId("asked"), who, role, None, action, None if running is None else running.id)
        answer = apply(self.state, asked).answer
        assert answer is not None
        return answer

    def taken(self, action: Action, role: Actor = Actor.DEALER) -> None:
        answer = self.answer(action, role)
        assert answer.accepted, f"{self.state.prompt!r} offers {action}, and it is refused: {answer}"

    def refused(self, action: Action, role: Actor = Actor.DEALER) -> None:
        assert not self.answer(action, role).accepted, f"{self.state.prompt!r} does not offer {action}, and it is taken"

    def bounds(self, seat: SeatNumber, decision: Decision) -> Bounds | None:
        """The amount that `may` offers for this decision; the decision has to be offered."""
        ours = [each for each in self.offered if each.command is Command.DECIDE and seat in each.seats]
        offers = [each for each in ours if each.choices == (decision.value,)]
        assert offers, f"{self.state.prompt!r} offers {decision.value}, and it is not among the offers"
        return offers[0].amount

    def choices(self, command: Command, seat: SeatNumber) -> set[str]:
        """The words that are offered of this command for the seat."""
        ours = (each for each in self.offered if each.command is command and seat in each.seats)
        return {word for each in ours for word in each.choices}


def only_what_is_offered_is_taken(asking: Asking) -> None:
    """Just outside the bounds of every bet and every decision the table refuses."""
    for offer in asking.offered:
        if offer.amount is None or offer.command not in (Command.BET, Command.DECIDE):
            continue
        for number in outside(offer.amount):
            for action in _with_number(offer, number):
                asking.refused(action)


def outside(amount: Bounds) -> Iterator[int]:
    yield amount.least - 1
    yield amount.least - amount.step
    if amount.step > 1:
        yield amount.least + 1
    most = amount.most if amount.most_with_pair is None else amount.most_with_pair
    if most is not None:
        yield most + 1
        yield most + amount.step


def _with_number(offer: Offer, number: int) -> Iterator[Action]:
    seat, word = offer.seats[0], offer.choices[0]
    if offer.command is Command.BET:
        yield from (Bet(seat, WagerName(word), number, colour) for colour in offer.colours or (None,))
    elif word == Decision.DRAW.value:
        yield Decide(seat, Decision.DRAW, None, number)
    else:
        yield Decide(seat, Decision(word), number)
