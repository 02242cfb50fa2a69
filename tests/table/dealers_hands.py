"""A dealer's hands: they do each step that a prompt tells them, once, and know nothing of results.

What players then have more or less has to be what the books say: after a settled round what was settled, after a void
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from daemon.table import voiding
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_raise.facts import FoldSettled
from daemon.table.facts import FactData
from daemon.table.round_facts import DealerPrompted, HandSettled, PromptStep, RoundSettled, RoundVoided, WagerTaken
from daemon.table.said import SaidId
from daemon.table.settings import Reconciling
from daemon.table.state import TableState
from daemon.table.step import Step
from daemon.table.vocabulary import PromptAction, SeatNumber

_TOLD_AGAIN: Final = (SaidId.KEYS_MAY_BE_LOST, SaidId.STOP)
"""A prompt that begins like this says again what was told before it."""


class DealersHands:
    """They do what they were told last in each step of the table: one prompt can take the place of another.

    Where the table runs through, they do what each prompt of a step tells.
    """

    def __init__(self) -> None:
        self.watched = 0
        self.runs_through = False
        self.moved: Counter[SeatNumber | None] = Counter()
        self.booked: Counter[SeatNumber | None] = Counter()

    def watch(self, steps: Sequence[Step[TableState]]) -> None:
        """Do what these steps have told since."""
        for step in steps[self.watched :]:
            self._do(step.state, [fact.data for fact in step.facts])
            # Of this file a round that ends in the next step was played by, whatever comes into force with its end.
            self.runs_through = step.state.settings.reconciling is Reconciling.THROUGH
        self.watched = len(steps)

    def _do(self, state: TableState, facts: list[FactData]) -> None:
        for fact in facts:
            self._book(fact)
        voids = [fact for fact in facts if isinstance(fact, RoundVoided)]
        # A table that runs through can tell results and void in one step: they do what was told before the void.
        before = facts[: facts.index(voids[0])] if voids and self.runs_through else [] if voids else facts
        for told in self._orders(before):
            # What goes back of a stake that nobody took was its player's before.
            moving = [step for step in told.steps if step.action is not PromptAction.RETURN]
            self._move(moving, told.seat)
        for void in voids:
            undone = () if state.round is None else voiding.undoing(state.round)
            self._move([step for step in void.steps if step.action is PromptAction.TAKE or step in undone], None)
            assert not any(self.moved.values()), f"a void leaves seats with {self.moved}"
        if any(isinstance(fact, RoundSettled) for fact in facts):
            assert +self.moved == +self.booked, f"paid {+self.moved}, and the books say {+self.booked}"
            assert -self.moved == -self.booked, f"taken {-self.moved}, and the books say {-self.booked}"
        if any(isinstance(fact, RoundSettled | RoundVoided) for fact in facts):
            self.moved.clear()
            self.booked.clear()

    def _orders(self, facts: Sequence[FactData]) -> list[DealerPrompted]:
        """Give the prompts of a step that are done, each once."""
        prompts = [fact for fact in facts if isinstance(fact, DealerPrompted)]
        told = [each for each in prompts if not (each.said and each.said[0].id in _TOLD_AGAIN)]
        if not self.runs_through:
            return told[-1:]
        # One that has the last sentences of the one before takes its place, and says what comes first as well.
        follows = pairwise((*told, None))
        return [
            each for each, after in follows if each and (after is None or after.said[-len(each.said) :] != each.said)
        ]

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
