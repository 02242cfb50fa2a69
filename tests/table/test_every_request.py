"""Whatever anybody asks at any moment of a round: it moves no money but by a decision, and the round comes to an end.

Theory of operation. At each moment of each recorded round one more request is put in: by every role, right and wrong.
A supervisor lets a round that stood still for it go on, and the rest of the record is played. What one player asks may
change nothing of another's; what was said stays said; nobody but a supervisor ends the round; and where no decision was
made, every seat wins and loses what it did without that request. From wherever it led, a supervisor's void leads out.
`make test` asks a part of it, by a fixed chance; `make soak` asks all of it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import pytest

from daemon.table import findings, requests
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.inputs import (
    Action,
    Bet,
    ClearBets,
    Configured,
    Decide,
    EnterCards,
    Input,
    Press,
    Request,
    Rule,
    VoidRound,
)
from daemon.table.keys import TRIGGERS as KEYS
from daemon.table.reducer import apply, blank
from daemon.table.state import Phase, TableState
from daemon.table.vocabulary import Actor, RequestId, Ruling, SeatNumber
from drivers.events import Button, ButtonPressed, DeviceReport
from tests.table.probes import probes
from tests.table.recorded_rounds import DEVICES, EVERY_ROUND, recorded
from tests.table.twins import Probe

LONG: Final = "FELTD_SOAK" in os.environ
MOMENTS: Final = 1_000 if LONG else 6
"""Of each record."""
QUESTIONS: Final = 100_000 if LONG else 4
"""Of each kind, at each moment."""
DECISIONS: Final = (Bet, ClearBets, Decide, ChooseGame, PassButton, MoveButton, Claim, EnterCards, Rule, VoidRound)
"""By these money may come to lie elsewhere, or a hand to be another one."""
NO_CARD_OUT: Final = (Phase.BETTING, Phase.CHOOSING)


@dataclass(frozen=True, slots=True)
class Moment:
    """Where a recorded round stands after some inputs, and the inputs that still come."""

    name: str
    state: TableState
    rest: Sequence[Input]

    def asked(self, probe: Probe) -> Input:
        """The input that this probe is, at this moment."""
        at = self.state.at
        if isinstance(probe.asked, ButtonPressed):
            return DeviceReport(DEVICES[self.name][0], at, probe.asked)
        assert self.state.round is not None
        return Request(at, RequestId("x"), "x", probe.role, None, probe.asked, self.state.round.id, probe.seats)


def moments(name: str) -> list[Moment]:
    """Every moment at which the first round runs."""
    configured, *happened = recorded(name).inputs
    assert isinstance(configured, Configured)
    state, found = apply(blank(configured), configured).state, list[Moment]()
    for number, each in enumerate(happened, start=1):
        state = apply(state, each).state
        if state.round is not None and state.round.number == 1:
            found.append(Moment(name, state, happened[number:]))
    return found


def played(state: TableState, inputs: Sequence[Input]) -> TableState:
    """The table after these inputs."""
    for each in inputs:
        state = apply(state, each).state
    return state


def by(state: TableState, action: Action, role: Actor = Actor.SUPERVISOR) -> TableState:
    """The table after somebody of this role asked, whatever the answer."""
    running = None if state.round is None else state.round.id
    return apply(state, Request(state.at, RequestId("y"), "y", role, None, action, running)).state


def let_go_on(state: TableState) -> TableState:
    """A supervisor has a round that stands still go on, if that can be."""
    return by(state, Rule(Ruling.CONTINUE, "seen", None)) if state.phase in (Phase.HELD, Phase.INTERRUPTED) else state


def nets(state: TableState) -> Mapping[SeatNumber, int] | None:
    """What the first round came to at each seat; None while it runs, and where it is void."""
    ended = next((each for each in state.recent if each.number == 1), None)
    return {net.seat: net.net_cents for net in ended.nets} if ended is not None and ended.nets else None


def is_decision(probe: Probe, phase: Phase) -> bool:
    """Return whether what is asked is somebody's to decide, by a word or by a key."""
    asked = probe.asked
    if not isinstance(asked, Press | ButtonPressed):
        return isinstance(asked, DECISIONS)
    closes = asked.button in (Button.GREEN, Button.NEXT) and phase in (*NO_CARD_OUT, Phase.INSURING)
    return KEYS.get(asked.button) is None or closes


def is_same_round(before: TableState, after: TableState) -> bool:
    """Return whether the round goes on that was there before."""
    goes_on = after.round is not None and after.phase is not Phase.VOIDING
    return goes_on and before.rounds_opened == after.rounds_opened


def is_supervisors(probe: Probe) -> bool:
    return probe.role is Actor.SUPERVISOR and not isinstance(probe.asked, ButtonPressed)


def wrong(moment: Moment, probe: Probe, baseline: Mapping[SeatNumber, int] | None) -> Iterator[str]:
    """Say what this request brings about that it must not."""
    before, after = moment.state, apply(moment.state, moment.asked(probe)).state
    yield from _moved(before, after, probe)
    yield from _voided(before, after, probe)
    yield from _has_no_way_out(after)
    is_dealt = before.phase not in NO_CARD_OUT  # before, a dealer may have the deck shuffled once more
    if is_dealt and not is_decision(probe, before.phase) and is_same_round(before, after):
        came_to = nets(played(let_go_on(after), moment.rest))
        if came_to != baseline:
            yield f"the round came to {came_to} and not to {baseline}"


def _moved(before: TableState, after: TableState, probe: Probe) -> Iterator[str]:
    """Say which stakes and results moved without a word of whose they are."""
    if before.round is None or after.round is None or not is_same_round(before, after):
        return
    if after.round.said[: len(before.round.said)] != before.round.said:
        yield "what was said was taken back"
    if before.round.stakes != after.round.stakes and not is_decision(probe, before.phase):
        yield "stakes moved without a decision"
    for seat in range(1, before.settings.seats + 1):
        is_theirs = probe.role is not Actor.PLAYER or seat in (probe.seats or ())
        if not is_theirs and before.round.stakes_of(SeatNumber(seat)) != after.round.stakes_of(SeatNumber(seat)):
            yield f"a player moved the stakes of seat {seat}"


def _voided(before: TableState, after: TableState, probe: Probe) -> Iterator[str]:
    """Say that somebody but a supervisor ended a round in which cards are out."""
    is_void = after.phase is Phase.VOIDING and before.phase is not Phase.VOIDING
    if is_void and before.phase not in NO_CARD_OUT and not is_supervisors(probe):
        yield "the round is void without a supervisor"


def _has_no_way_out(state: TableState) -> Iterator[str]:
    """Say that a supervisor's void and the dealer's next leave the round where it is."""
    if state.round is None or state.round.number != 1:
        return
    out = by(by(state, VoidRound("seen")), Press(Button.NEXT), Actor.DEALER)
    if out.round is not None and out.round.number == 1:
        yield f"no way out of {state.phase.value}"


def found(name: str, chance: Random, most_moments: int = MOMENTS, most: int = QUESTIONS) -> Iterator[str]:
    """Say everything that is wrong in this record."""
    every = moments(name)
    baseline = nets(played(every[0].state, every[0].rest))
    assert baseline is not None
    for moment in chance.sample(every, min(most_moments, len(every))):
        for probe in probes(moment.state, chance, most):
            for what in wrong(moment, probe, baseline):
                yield f"{moment.state.phase.value}: {probe}: {what}"


@pytest.mark.timeout(3600 if LONG else 600)
@pytest.mark.soak
@pytest.mark.parametrize("name", EVERY_ROUND)
def test_nothing_that_anybody_asks_moves_money_but_a_decision(name: str) -> None:
    assert next(found(name, Random(name)), None) is None


# --- the test is tested ---


def test_a_dealer_who_voids_by_a_word_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: what a dealer reported followed the policy for what a device sees."""
    monkeypatch.setattr(findings, "_reported", findings.policy_of)
    assert any("void without a supervisor" in what for what in found("big-50", Random(1), 40, 20))


def test_a_player_who_clears_the_bets_of_others_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "not_permitted", lambda *_: None)
    assert any("moved the stakes of seat" in what for what in found("big-50", Random(1), 40, 20))
