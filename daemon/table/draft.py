"""One input being applied: the only mutable thing of the table, and it dies with the call that made it.

Handlers put the changed state in place of the old one, say facts and order commands. `step` freezes the whole.
They change it by `replace` in full, ``draft.state = replace(draft.state, deck=Deck.READY)``, because mypy
checks the fields and types of such a call, and would not check those of a method that takes ``**changes``.
A handler that cannot do what was asked returns a `Refusal` and must not have changed anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, Never, Protocol

from daemon.frozen import replace
from daemon.rules.wagers import GameName
from daemon.table.facts import AlertRaised, Fact, FactData
from daemon.table.play import GamePlay
from daemon.table.refusal_codes import RefusalName
from daemon.table.round_facts import DealerPrompted, PromptStep
from daemon.table.said import Clause, Said, SaidId, as_sentence
from daemon.table.sentences import SpotNames, in_english, in_words
from daemon.table.state import AlertTime, Phase, Round, TableState
from daemon.table.step import Answer, Step
from daemon.table.vocabulary import AlertName, SeatNumber
from drivers.commands import CommandDue, DeviceCommand
from drivers.events import CommandId, DeviceName
from protocols.frozen import dataclass

REFUSALS_KEPT: Final = 512
JOURNAL_PREFIX_CHARS = 12  # of the journal's id: enough that no two journals order under the same command id


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not done now: a stable code, and a sentence that says what would be.

    It is a clause, so that a screen of another language can say it too. Its English is made only where somebody reads
    it: screens are told again and again what is not offered.
    """

    code: RefusalName
    said: Clause

    @property
    def sentence(self) -> Said:
        """Return what it says, as a program reads it."""
        return as_sentence(self.said)

    def message(self, spots: SpotNames) -> str:
        """Return the sentence, by the names that are printed on this felt."""
        return in_words(self.said, spots=spots)


class _Refuse(Protocol):
    def __call__(
        self,
        code: RefusalName,
        said: SaidId,
        place: SeatNumber | None = None,
        *,
        word: str | None = None,
        text: str | None = None,
        device: DeviceName | None = None,
    ) -> Refusal:
        """Return a refusal that is made again and again, for each screen: the same words are one value."""


@lru_cache(REFUSALS_KEPT)
def _refuse(
    code: RefusalName,
    said: SaidId,
    place: SeatNumber | None = None,
    *,
    word: str | None = None,
    text: str | None = None,
    device: DeviceName | None = None,
) -> Refusal:
    return Refusal(code, Clause(said, place, word=word, text=text, device=device))


refuse: Final[_Refuse] = _refuse
"""mypy does not look at what a cache is called with, and a code has to be one of `RefusalName`."""


class Taken(Exception):  # noqa: N818  # no error: it ends a trial
    """What was tried would be done: the trial came to its first change."""


class Draft:
    """The state on its way to the next, with what was said and ordered on the way."""

    def __init__(self, state: TableState, plays: Mapping[GameName, GamePlay]) -> None:
        self.state = state
        self._plays = plays
        self._facts: list[Fact] = []
        self._commands: list[CommandDue] = []

    @property
    def round(self) -> Round:
        """Return the running round. Asking for it where the phase has none is a defect of ours."""
        assert self.state.round is not None, f"no round in {self.state.phase}"
        return self.state.round

    @round.setter  # noqa: A003 (the property above, not the builtin)
    def round(self, changed: Round) -> None:
        assert self.state.round is not None, "a round opens and ends in `lifecycle`"
        self.state = replace(self.state, round=changed)

    @property
    def play(self) -> GamePlay:
        """Return the particulars of the game that is played."""
        return self._plays[self.state.settings.game]

    def move_to(self, phase: Phase) -> None:
        """Enter a phase."""
        self.state = replace(self.state, phase=phase)

    def say(self, *facts: FactData) -> None:
        """Put facts on record, under the running round if there is one."""
        opened = self.state.round
        self._facts.extend(Fact(None if opened is None else opened.id, fact) for fact in facts)

    @property
    def facts(self) -> tuple[FactData, ...]:
        """Return what was said so far."""
        return tuple(fact.data for fact in self._facts)

    def prompt(self, *said: Said, steps: tuple[PromptStep, ...] = (), seat: SeatNumber | None = None) -> None:
        """Tell the dealer what is next; the same sentence twice is said once."""
        told = self.state.prompted
        if said == told.said and steps == told.steps:
            return
        self.tell(DealerPrompted(in_english(said, steps, self.play.spot_names), seat, steps, said))

    def tell(self, prompted: DealerPrompted) -> None:
        """Prompt with a sentence that was made before."""
        told = self.state.prompted
        if prompted.sentence != told.sentence:
            self.state = replace(self.state, prompted=prompted)
            self.say(prompted)
        elif not told.said:  # an earlier version said the same sentence, and not of what
            self.state = replace(self.state, prompted=replace(told, said=prompted.said))

    def order_from(self, device: DeviceName, command: DeviceCommand) -> None:
        """Have a device do something; it stays outstanding until the device answers."""
        number = self.state.commands_issued + 1
        due = CommandDue(CommandId(f"{self.state.journal[:JOURNAL_PREFIX_CHARS]}-{number}"), device, command)
        self.state = replace(self.state, commands_issued=number, outstanding=(*self.state.outstanding, due))
        self._commands.append(due)

    def drop_orders(self, device: DeviceName) -> None:
        """Wait no longer for a device that forgot its orders."""
        self.state = replace(
            self.state, outstanding=tuple(due for due in self.state.outstanding if due.device != device)
        )

    def raise_alert(self, alert: AlertRaised) -> None:
        """Put an alert up, in place of one of its name. One that says the same stands, for its latest cause."""
        standing = self.state.alert(alert.alert)
        if standing != alert:
            if standing is not None:
                self.lower_alert(alert.alert)
            self.state = replace(self.state, alerts=(*self.state.alerts, alert))
            self.say(alert)
        others = tuple(stands for stands in self.state.alerts_since if stands.alert != alert.alert)
        stands = AlertTime(alert.alert, self.state.at.utc_ns)
        self.state = replace(self.state, alerts_since=(*others, stands))

    def lower_alert(self, name: AlertName) -> None:
        """Take an alert down."""
        self.state = replace(
            self.state,
            alerts=tuple(alert for alert in self.state.alerts if alert.alert != name),
            alerts_since=tuple(stands for stands in self.state.alerts_since if stands.alert != name),
        )

    def step(self, answer: Answer | None = None) -> Step[TableState]:
        """Return the finished step."""
        return Step(self.state, tuple(self._facts), tuple(self._commands), answer)


class Trial(Draft):
    """A draft to find out whether something would be refused. It ends with `Taken` at the first change.

    A handler that refuses changes nothing, so what comes to a change is not refused. What would follow is not worked
    out: it can be the settling of a whole round, and nobody asked for it.
    """

    def __init__(self, state: TableState, plays: Mapping[GameName, GamePlay]) -> None:
        own = vars(self)  # past `__setattr__`: from here on nothing is put in its place
        own["state"], own["_plays"] = state, plays

    def __setattr__(self, name: str, value: object) -> Never:
        """End the trial."""
        raise Taken

    def say(self, *_: FactData) -> Never:
        """End the trial."""
        raise Taken
