"""A dealer's hands: they do each step that a prompt tells them, once, and know nothing of results.

What players then have more or less has to be what the books say: after a settled round what was settled, after a void
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from daemon.table import voiding
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_raise.facts import FoldSettled
from daemon.table.facts import FactData
from daemon.table.round_facts import DealerPrompted, HandSettled, PromptStep, RoundSettled, RoundVoided, WagerTaken
from daemon.table.state import TableState
from daemon.table.step import Step
from daemon.table.vocabulary import PromptAction, SeatNumber


class DealersHands:
    """They do what they were told last in each step of the table: one prompt can take the place of another."""

    def __init__(self) -> None:
        self.watched = 0
        self.moved: Counter[SeatNumber | None] = Counter()
        self.booked: Counter[SeatNumber | None] = Counter()

    def watch(self, steps: Sequence[Step[TableState]]) -> None:
        """Do what these steps have told since."""
        for step in steps[self.watched :]:
            self._do(step.state, [fact.data for fact in step.facts])
        self.watched = len(steps)

    def _do(self, state: TableState, facts: list[FactData]) -> None:
        for fact in facts:
            self._book(fact)
        voids = [fact for fact in facts if isinstance(fact, RoundVoided)]
        told = [fact for fact in facts if isinstance(fact, DealerPrompted)]
        for void in voids:
            undone = () if state.round is None else voiding.undoing(state.round)
            self._move([step for step in void.steps if step.action is PromptAction.TAKE or step in undone], None)
            assert not any(self.moved.values()), f"a void leaves seats with {self.moved}"
        if not voids and told:
            # What goes back of a stake that nobody took was its player's before.
            moving = [step for step in told[-1].steps if step.action is not PromptAction.RETURN]
            self._move(moving, told[-1].seat)
        if any(isinstance(fact, RoundSettled) for fact in facts):
            assert +self.moved == +self.booked
            assert -self.moved == -self.booked
        if any(isinstance(fact, RoundSettled | RoundVoided) for fact in facts):
            self.moved.clear()
            self.booked.clear()

    def _move(self, steps: Sequence[PromptStep], seat: SeatNumber | None) -> None:
        for step in steps:
            takes = step.action is PromptAction.TAKE
            self.moved[step.seat or seat] += -step.amount_cents if takes else step.amount_cents

    def _book(self, fact: FactData) -> None:
        match fact:
            case HandSettled() | FoldSettled():
                self.booked[fact.seat] += sum(wager.pays_cents for wager in fact.wagers)
            case FirstFiveSettled() | WagerTaken():
                self.booked[fact.seat] += fact.wager.pays_cents
            case _:
                pass
