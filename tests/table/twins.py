"""Twin tables: two rounds that differ only in cards which the one who asks cannot know, and everything that they say.

Theory of operation. A round is a list of inputs. Its twin is the same list, in which every card that nobody could see
so far is another one: hidden cards change places with each other and with cards that are still in the machine. Up to
that point both tables must have said the same bytes. Then the same question is put to both, and both must answer in
the same bytes: the answer, the events, the orders to devices, the retained documents, the log. A refusal also has to
take the same work, counted in instructions of the interpreter: a stopwatch tells nothing either.

What a person can see is not a secret from them. A player knows their own hand. Who enters a hand, or asks for a bet for
which the cards are turned over, has it before them (`Probe.sees`). What a question makes public, as NEXT does, may
differ, so those cards stay as they are in the twin that it is put to. The same holds for a seat of which a result is
said: that a hand lost tells something of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from random import Random
from typing import Any, Final, TypeVar

import structlog

from daemon.journal.journal import Committed
from daemon.journal.kinds import FACT_KINDS
from daemon.journal.record import FACT_BODIES
from daemon.mqtt.documents import REPLY, Reply, State, picture
from daemon.mqtt.topics import Topics
from daemon.rules.wagers import GameName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.facts import FactData
from daemon.table.inputs import Action, EnterCards, Input, Request
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import HandSettled, PlayerDecided
from daemon.table.state import Round, TableState
from daemon.table.step import Step
from daemon.table.view import public
from daemon.table.vocabulary import Actor, Decision, RequestId, SeatNumber
from daemon.table_log import TableLog
from drivers.events import ButtonPressed, DeviceReport, Receipt, Stamp
from protocols.cards import DECK, Card, Rank
from tests.support.instructions import instructions
from tests.table.test_view import cards_in

ValueT = TypeVar("ValueT")

NOBODY: Final[frozenset[SeatNumber]] = frozenset()
_TENS: Final = (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)


@dataclass(frozen=True, slots=True)
class Probe:
    """Something that anybody may ask at any moment: an action of a user, or a key of a device.

    `sees` are the places whose cards the one who asks has before them.
    """

    asked: Action | ButtonPressed
    role: Actor = Actor.DEALER
    seats: tuple[SeatNumber, ...] | None = None
    sees: frozenset[SeatNumber] = NOBODY

    def __str__(self) -> str:
        cards = getattr(self.asked, "cards", ()) or getattr(self.asked, "discarded", ())
        named = f" naming {' '.join(map(str, cards))}" if cards else ""
        return f"{self.role.value} asks {self.asked}{named}"


@dataclass(frozen=True, slots=True)
class Difference:
    """Where twins differed: what was asked, and what each said."""

    asked: str
    said: bytes
    twin_said: bytes

    def __str__(self) -> str:
        return f"{self.asked}\n  one table: {self.said.decode()}\n  its twin:  {self.twin_said.decode()}"


@dataclass(slots=True)
class Point:
    """A moment of a round: the inputs so far, and where they leave the table."""

    inputs: Sequence[Input]
    steps: list[Step[TableState]] = field(init=False)
    chance: Random = field(default_factory=lambda: Random(1))
    _twins: dict[frozenset[Card], TableState | Difference] = field(default_factory=dict)
    _said: list[bytes] = field(default_factory=list)
    _lying: dict[SeatNumber, set[Card]] = field(default_factory=dict)
    _public: frozenset[Card] = field(init=False)

    def __post_init__(self) -> None:
        self.steps = list(_played(self.inputs))
        self._public = self._made_public_by(self.steps)

    @property
    def state(self) -> TableState:
        return self.steps[-1].state

    def differences(self, probes: Iterable[Probe]) -> Iterator[Difference]:
        """Put each question to the table and to a twin that the asker cannot tell from it."""
        for number, probe in enumerate(probes):
            question = _question(probe, self.state, number)
            answer = apply(self.state, question)
            known = self._cards_at(probe.sees) | self._made_public_by([answer])
            twin = self._twin(known)
            if isinstance(twin, Difference):
                yield twin
            elif (one := said(answer, self.state)) != (other := said(apply(twin, question), twin)):
                yield Difference(f"{self.state.phase.value}: {probe}", one, other)

    def differences_of_work(self, probes: Iterable[Probe]) -> Iterator[Difference]:
        """Count what the interpreter does for each question that is refused: how long a refusal takes tells nothing."""
        for number, probe in enumerate(probes):
            state, question = self.state, _question(probe, self.state, number)
            step = apply(state, question)
            if step.answer is None or step.answer.accepted:
                continue
            twin = self._twin(self._cards_at(probe.sees) | self._made_public_by([step]))
            assert not isinstance(twin, Difference), "the twins differed in what they said"
            one, other = (instructions(partial(apply, each, question)) for each in (state, twin))
            if one != other:
                yield Difference(f"{state.phase.value}: {probe}", b"%d" % one, b"%d" % other)

    def _twin(self, known: frozenset[Card]) -> TableState | Difference:
        """The twin in which all but these and the public cards moved; a Difference if it said something else so far."""
        if known not in self._twins:
            self._twins[known] = self._make_twin(known)
        return self._twins[known]

    def _make_twin(self, known: frozenset[Card]) -> TableState | Difference:
        fixed = known | self._public | self._entered()
        moved = _moved([card for card in DECK if card not in fixed], self.chance, self.state.settings.game)
        steps = list(_played([renamed(happened, moved) for happened in self.inputs]))
        self._said = self._said or [said(step) for step in self.steps]
        for number, (one, twin) in enumerate(zip(self._said, steps, strict=True)):
            if one != (other := said(twin)):
                return Difference(f"input {number}: {type(self.inputs[number]).__name__}", one, other)
        return steps[-1].state

    def _made_public_by(self, steps: Sequence[Step[TableState]]) -> frozenset[Card]:
        told: set[Card] = set()
        for step in steps:
            facts = tuple(fact.data for fact in step.facts)
            told |= cards_in(facts) | self._cards_at(_places_told_of(facts, step.state))
        return frozenset(told)

    def _entered(self) -> set[Card]:
        """Cards that a person read: they lay open before that person."""
        asked = (happened.action for happened in self.inputs if isinstance(happened, Request))
        return {card for action in asked if isinstance(action, EnterCards) for card in action.cards}

    def _cards_at(self, places: frozenset[SeatNumber]) -> frozenset[Card]:
        return frozenset[Card]().union(*map(self._lying_at, places))

    def _lying_at(self, place: SeatNumber) -> set[Card]:
        if place not in self._lying:
            rounds = (step.state.round for step in self.steps if step.state.round is not None)
            self._lying[place] = {card for played in rounds for card in _lying_at(played, place)}
        return self._lying[place]

    @property
    def hides_something(self) -> bool:
        """Whether a device has named a card that is not public yet."""
        named = cards_in(tuple(happened for happened in self.inputs if isinstance(happened, DeviceReport)))
        return bool(named - self._public - self._entered())


def _played(inputs: Sequence[Input]) -> Iterator[Step[TableState]]:
    state = blank(inputs[0])  # type: ignore[arg-type]  # a record begins with its configuration
    for happened in inputs:
        step = apply(state, happened)
        state = step.state
        yield step


def _question(probe: Probe, state: TableState, number: int) -> Input:
    at = Stamp(state.at.utc_ns + 1, state.at.mono_ns + 1)
    if isinstance(probe.asked, ButtonPressed):
        return DeviceReport(state.settings.source.device, at, probe.asked, Receipt("boot-1", 10_000 + number))
    running = None if state.round is None else state.round.id
    return Request(at, RequestId(f"probe-{number}"), "kim", probe.role, None, probe.asked, running, probe.seats)


def _places_told_of(facts: Iterable[FactData], state: TableState) -> frozenset[SeatNumber]:
    """Places that show their cards, or of which a result was said without them.

    A player who plays turns the cards face up. Of First 5 the losing hands are said first: the others won.
    """
    if any(isinstance(fact, FirstFiveSettled) for fact in facts):
        return frozenset(state.round.players if state.round else ())
    plays = (fact.seat for fact in facts if isinstance(fact, PlayerDecided) and fact.decision is Decision.PLAY)
    return frozenset((*plays, *(fact.seat for fact in facts if isinstance(fact, HandSettled))))


def _lying_at(played: Round, place: SeatNumber) -> set[Card]:
    return cards_in(tuple(hand for hand in played.hands if hand.seat == place))


def _moved(cards: Sequence[Card], chance: Random, game: GameName) -> dict[Card, Card]:
    """Another card for each of these. Blackjack is peeked at, so there an ace stays an ace and a ten a ten."""
    moved: dict[Card, Card] = {}
    for alike in _alike(cards) if game is GameName.BLACKJACK else [list(cards)]:
        chance.shuffle(alike)
        moved.update(zip(alike, [*alike[1:], *alike[:1]], strict=True))
    return moved


def _alike(cards: Sequence[Card]) -> list[list[Card]]:
    aces = [card for card in cards if card.rank is Rank.ACE]
    tens = [card for card in cards if card.rank in _TENS]
    return [aces, tens, [card for card in cards if card not in aces and card not in tens]]


def renamed(value: ValueT, cards: Mapping[Card, Card]) -> ValueT:
    """The same frozen value with other cards in it."""
    result: Any = value
    if isinstance(value, Card):
        result = cards.get(value, value)
    elif isinstance(value, tuple):
        result = tuple(renamed(each, cards) for each in value)
    elif cards_in(value):
        renew: Any = value  # a frozen dataclass, because it holds cards
        result = replace(renew, **{part.name: renamed(getattr(renew, part.name), cards) for part in fields(renew)})
    return result  # type: ignore[no-any-return]


# --- everything that leaves the daemon after one input ---

_TOPICS: Final = Topics("north", "t7")


def said(step: Step[TableState], before: TableState | None = None) -> bytes:
    """Everything that people, programs and devices get to know of a step, as bytes.

    A refusal leaves the table as it was `before`, so documents and log are what they were.
    """
    facts = [f"{FACT_KINDS[type(fact.data)]} {fact.round_id} ".encode() + _body(fact.data) for fact in step.facts]
    orders = [repr(due).encode() for due in step.commands]
    if before is not None and replace(step.state, at=before.at) == before:
        return b"\n".join((*facts, *orders, _reply(step)))
    documents = [b"%s %s" % (topic.encode(), payload) for topic, payload in _documents(step.state).items()]
    return b"\n".join((*facts, *orders, *documents, _reply(step), *_log_lines(step.state)))


def _body(fact: FactData) -> bytes:
    return FACT_BODIES[FACT_KINDS[type(fact)]].encode(fact)


def _documents(state: TableState) -> dict[str, bytes]:
    return picture(_TOPICS, State(state.journal, "0", public(state)))


def _reply(step: Step[TableState]) -> bytes:
    answer = step.answer
    if answer is None:
        return b""
    reply = Reply("kim", "1", "asked", answer.accepted, answer.code, answer.message, said=answer.said)
    return REPLY.encode(reply)


def _log_lines(state: TableState) -> list[bytes]:
    with structlog.testing.capture_logs() as lines:
        TableLog().on_commit(Committed(0, ()), state)
    return [repr(line).encode() for line in lines]
