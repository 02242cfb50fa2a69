"""Clause 2 of "At the table as the documents say": a moment's silence of a device does not void a sound round.

At every place of a recorded round of every game each device falls silent, goes away and is back. The round has to end
as if nothing had happened. Where the device cannot prove that nothing was lost, the round may stand still for a person,
and never voids by itself. A pad of keys deals nothing, so whatever it does the round ends as if nothing had happened.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import replace
from functools import cache

import pytest

from daemon.table.big_draw.facts import GameChosen
from daemon.table.big_draw.inputs import ChooseGame
from daemon.table.facts import ButtonRefused, Fact
from daemon.table.inputs import ClearAlert, Decide, Input, Press, Request
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import DealerPrompted, PlayerDecided, RoundSettled, RoundVoided
from daemon.table.state import Phase, Presence, TableState
from daemon.table.vocabulary import Actor, AlertName, Decision, RequestId
from drivers.commands import Dispense, EjectRemainder, Reshuffle
from drivers.events import (
    Button,
    ButtonPressed,
    CameBack,
    CommandAnswered,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    Identity,
    LinkLost,
    LinkUp,
    Restarted,
    ShuffleFinished,
    ShuffleStarted,
    Stamp,
    WentStale,
)
from tests.table.playing import IDENTITY, Table
from tests.table.recorded_rounds import DEVICES, EVERY_ROUND, recorded

PAD = DeviceName("pad")
AT = Stamp(1_796_000_000_000_000_000, 1)
BACK = LinkUp(IDENTITY, "boot-1", resumed=True)
SILENCES: dict[str, tuple[tuple[DeviceEvent, ...], DeviceEvent]] = {
    "silent": ((WentStale(4_000_000_000),), CameBack()),
    "away": ((LinkLost("pulled"),), BACK),
    "silent, then away": ((WentStale(4_000_000_000), LinkLost("silent for 30 s")), BACK),
}
HOLES: dict[str, tuple[DeviceEvent, ...]] = {
    "back without proof": (LinkLost("pulled"), LinkUp(IDENTITY, "boot-1", resumed=False)),
    "started anew": (LinkLost("pulled"), LinkUp(IDENTITY, "boot-2", resumed=False), Restarted("boot-2")),
}


class Replay:
    """A round that is played again, with everything that the table says and orders.

    Nothing may be ordered of a device that is not there, and no packet before the machine is set to its size.
    """

    def __init__(self, configured: Input) -> None:
        self.state: TableState = blank(configured)  # type: ignore[arg-type]
        self.facts: list[Fact] = []
        self.ordered: list[object] = []

    def fork(self) -> Replay:
        """The same round, which can go on in another way."""
        fork = copy(self)
        fork.facts, fork.ordered = [*self.facts], [*self.ordered]
        return fork

    def take(self, happened: Input) -> bool:
        """Take an input; False if somebody asked and was refused."""
        step = apply(self.state, happened)
        self.state = step.state
        is_refused = any(isinstance(fact.data, ButtonRefused) for fact in step.facts)
        self.facts += step.facts
        for due in step.commands:
            assert self.state.device(due.device).presence is Presence.UP, "ordered of a machine that is not there"
            if isinstance(due.command, Dispense):
                assert self.state.round is not None
                planned = self.state.round.plan[due.command.position - 1].cards
                assert self.state.device(due.device).cards_a_packet == planned, "ordered before it was set to the size"
            if isinstance(due.command, Dispense | EjectRemainder):
                self.ordered.append(due.command)
        return not is_refused and (step.answer is None or step.answer.accepted)

    def hears(self, device: DeviceName, *events: DeviceEvent) -> None:
        for event in events:
            self.take(DeviceReport(device, AT, event))

    def says(self) -> list[object]:
        """What is said of the round, but for the prompts that say it twice."""
        return [_by_anybody(fact.data) for fact in self.facts if fact.round_id == "t7-1" and not _is_aside(fact.data)]


def _by_anybody(data: object) -> object:
    """A decision counts the same from a key and from a screen."""
    return replace(data, who="", role=None) if isinstance(data, PlayerDecided | GameChosen) else data


def _is_aside(data: object) -> bool:
    return isinstance(data, DealerPrompted) or type(data).__name__.startswith(("Device", "Alert"))


@cache
def _round(name: str, has_pad: bool = False) -> tuple[Input, ...]:
    table = recorded(name)
    assert table.said(RoundSettled)
    return tuple(_at_a_pad(table.inputs) if has_pad else table.inputs)


def _at_a_pad(inputs: Sequence[Input]) -> Iterator[Input]:
    """The same round with a pad: the dealer presses its keys, also for what players decide."""
    pad_there = LinkUp(Identity("KP-1", "0001", "1.0", ("buttons",)), "boot-1", resumed=True)
    yield inputs[0]
    yield DeviceReport(PAD, AT, pad_there)
    for happened in inputs[1:]:
        pressed = _key(happened)
        yield happened if pressed is None else DeviceReport(PAD, happened.at, ButtonPressed(pressed))


def _key(happened: Input) -> Button | None:
    match happened:
        case DeviceReport(event=ButtonPressed(button=button)) | Request(action=Press(button=button)):
            return button
        case Request(action=ChooseGame(variant=variant)):
            return Button(variant.value)
        case Request(action=Decide(decision=Decision.PLAY, stake_cents=stake)):
            return {1000: Button.PLAY_2, 2000: Button.PLAY_4}[stake or 0]
        case Request(action=Decide(decision=Decision.DRAW, discards=count)):
            return Button(f"draw-{count}")
        case Request(action=Decide(decision=decision)):
            return Button(decision.value)
        case _:
            return None


@cache
def _undisturbed(name: str, has_pad: bool = False) -> tuple[tuple[object, ...], tuple[object, ...]]:
    inputs = _round(name, has_pad)
    replay = Replay(inputs[0])
    for happened in inputs:
        replay.take(happened)
    assert any(isinstance(fact.data, RoundSettled) for fact in replay.facts)
    return tuple(replay.says()), tuple(replay.ordered)


def _places(inputs: Sequence[Input], device: DeviceName) -> Iterator[tuple[int, Replay]]:
    """Every place at which the device is there, with the round as it is before this input."""
    replay, is_up = Replay(inputs[0]), False
    for place, happened in enumerate(inputs):
        if is_up:
            yield place, replay
        replay.take(happened)
        if isinstance(happened, DeviceReport) and happened.device == device and isinstance(happened.event, LinkUp):
            is_up = True


def _asked(happened: Input) -> Input | None:
    """What people do while the device is silent: its own keys are not heard, so they use a screen."""
    if isinstance(happened, DeviceReport) and isinstance(happened.event, ButtonPressed):
        return Request(happened.at, RequestId("p"), "kim", Actor.DEALER, None, Press(happened.event.button))
    return happened if isinstance(happened, Request) else None


def _clear(replay: Replay, device: DeviceName) -> None:
    name = AlertName(f"missing-{device}")
    if replay.state.alert(name) is not None:
        cleared = Request(AT, RequestId("c"), "lee", Actor.SUPERVISOR, None, ClearAlert(name))
        assert replay.take(cleared)


CASES = [(name, device) for name in EVERY_ROUND for device in DEVICES[name]]
WITH_PAD = [(name, PAD) for name in EVERY_ROUND]


@pytest.mark.parametrize("silence", SILENCES)
@pytest.mark.parametrize(("name", "device"), CASES + WITH_PAD)
def test_clause_2_a_silence_at_any_place_changes_nothing(name: str, device: DeviceName, silence: str) -> None:
    """People act once during the silence; what was refused then they do again afterwards."""
    inputs, (gone, back) = _round(name, device == PAD), SILENCES[silence]
    for place, before in _places(inputs, device):
        for is_acting in (False, True):
            replay = before.fork()
            replay.hears(device, *gone)
            asked = _asked(inputs[place]) if is_acting else None
            rest = inputs[place + 1 :] if asked is not None and replay.take(asked) else inputs[place:]
            replay.hears(device, back)
            _clear(replay, device)
            for happened in rest:
                replay.take(happened)
            said, ordered = _undisturbed(name, device == PAD)
            where = f"{silence} before input {place}, {inputs[place]}, acting: {is_acting}"
            assert tuple(replay.says()) == said, where
            assert tuple(replay.ordered) == ordered, where


@pytest.mark.parametrize("hole", HOLES)
@pytest.mark.parametrize(("name", "device"), CASES)
def test_clause_2_a_hole_in_the_record_never_voids_by_itself(name: str, device: DeviceName, hole: str) -> None:
    inputs = _round(name)
    for place, before in _places(inputs, device):
        replay = before.fork()
        replay.hears(device, *HOLES[hole])
        _clear(replay, device)
        for happened in inputs[place:]:
            if replay.state.phase in (Phase.HELD, Phase.INTERRUPTED) or not replay.take(happened):
                break  # a person has to act, and is told so
        assert not any(isinstance(fact.data, RoundVoided) for fact in replay.facts), f"before input {place}"


@pytest.mark.parametrize("hole", HOLES)
@pytest.mark.parametrize("name", EVERY_ROUND)
def test_clause_2_a_hole_in_the_record_of_a_pad_changes_nothing(name: str, hole: str) -> None:
    """Keys may be lost and no card is: what was not done is asked for again, and pressed again."""
    inputs = _round(name, has_pad=True)
    for place, before in _places(inputs, PAD):
        replay = before.fork()
        replay.hears(PAD, *HOLES[hole])
        for happened in inputs[place:]:
            replay.take(happened)
        assert (tuple(replay.says()), tuple(replay.ordered)) == _undisturbed(name, has_pad=True), f"before {place}"


@pytest.mark.parametrize("gone", ["lost without proof", "lost without proof, then silent"])
def test_clause_2_the_deck_that_is_inside_is_shuffled_again_and_used(gone: str) -> None:
    """Green is refused until then, and says what is waited for."""
    table = Table().ready().staked(1)
    table.device(LinkLost("pulled"))
    table.device(LinkUp(IDENTITY, "boot-1", resumed=False))
    if "silent" in gone:
        table.commands.clear()
        table.device(CommandAnswered(table.state.outstanding[-1].id, "busy"))
        table.device(WentStale(4_000_000_000))
        assert table.commands == []
        table.device(CameBack())
    assert table.commands[-1] == Reshuffle()
    table.clear("missing-shuffler")
    refused = table.command_press(Button.GREEN)
    assert (refused.code, "which is ordered" in refused.message) == ("deck-not-ready", True)
    table.answer_orders()
    table.device(ShuffleStarted())
    table.device(ShuffleFinished(52))
    assert table.command_press(Button.GREEN).accepted
