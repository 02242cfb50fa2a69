"""Nobody learns of a card before the game shows it, from anything that they ask: held by twin tables.

Every place of a round of each game, as it runs and as it stands still, is asked everything that anybody may ask.
`make test` asks a part of it, by a fixed chance; `make soak` asks all of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final, TypeAlias

import pytest

from daemon.rules import big_raise
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.limits import Limits, check_stake
from daemon.rules.results import RefusalCode, Refused
from daemon.rules.wagers import Wager, WagerName
from daemon.table import entering, standstill
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import (
    Input,
    Request,
)
from daemon.table.vocabulary import SeatNumber
from drivers.events import Button, ButtonPressed, DeviceReport, Receipt, Restarted, Stamp
from protocols.cards import Card, Face, Misread
from tests.table.playing import Table
from tests.table.probes import probes
from tests.table.recorded_rounds import EVERY_ROUND, recorded
from tests.table.twins import Point

LONG: Final = "FELTD_SOAK" in os.environ
QUESTIONS: Final = 100_000 if LONG else 20
"""Of each kind, at each moment."""


# --- where the round stands ---


def _as_it_runs(inputs: Sequence[Input]) -> Sequence[Input]:
    return inputs


def _held(inputs: Sequence[Input]) -> Sequence[Input]:
    return (*inputs, _report(inputs, ButtonPressed(Button.VOID)))


def _interrupted(inputs: Sequence[Input]) -> Sequence[Input]:
    return (*inputs, _report(inputs, Restarted("boot-2")))


def _report(inputs: Sequence[Input], event: ButtonPressed | Restarted) -> DeviceReport:
    last = next(each for each in reversed(inputs) if isinstance(each, DeviceReport))
    at = Stamp(inputs[-1].at.utc_ns + 1, inputs[-1].at.mono_ns + 1)
    return DeviceReport(last.device, at, event, Receipt("boot-1", 5_000))


STANDS: Final = {"as it runs": _as_it_runs, "held": _held, "interrupted": _interrupted}


def _misread() -> Table:
    """A reader that could not name a card: the round is held until somebody does."""
    table = Table().ready().staked(1, 2, 3)
    table.press()
    for position in (1, 2, 3):
        faces = list[Face](table.draw(5))
        table.dispense(position, [Misread.UNREADABLE, *faces[1:]] if position == 2 else faces)
        table.deliver(position)
    table.press()
    table.eject()
    return table


PLAYED: Final[dict[str, Callable[[], Table]]] = {
    **{name: partial(recorded, name) for name in EVERY_ROUND},
    "a card that was not read": _misread,
}


def points(name: str, stands: Callable[[Sequence[Input]], Sequence[Input]], chance: Random) -> Iterator[Point]:
    """Moments of the first round of this record at which a card is hidden: all, or one for each prompt."""
    inputs, prompts = PLAYED[name]().inputs, set[str]()
    for length in range(2, len(inputs) + 1):
        point = Point(stands(inputs[:length]), chance)
        played, prompt = point.state.round, f"{point.state.phase} {point.state.prompt}"
        if played is not None and played.number == 1 and point.hides_something and (LONG or prompt not in prompts):
            prompts.add(prompt)
            yield point


# --- the test ---


def found(name: str, stands: str, most: int = QUESTIONS) -> Iterator[str]:
    """Differences between twins in this round."""
    chance = Random(f"{name} {stands}")
    for point in points(name, STANDS[stands], chance):
        yield from map(str, point.differences(probes(point.state, chance, most)))


@pytest.mark.timeout(3600 if LONG else 600)
@pytest.mark.soak
@pytest.mark.parametrize("stands", STANDS)
@pytest.mark.parametrize("name", PLAYED)
def test_nothing_that_anybody_asks_tells_of_a_hidden_card(name: str, stands: str) -> None:
    assert next(found(name, stands), None) is None


QUESTIONS_WEIGHED: Final = 40 if LONG else 2


def weighed(name: str, stands: str, most: int = QUESTIONS_WEIGHED) -> Iterator[str]:
    """Refusals of this round that cost twins unequal work."""
    chance = Random(f"{name} {stands}")
    for point in points(name, STANDS[stands], chance):
        yield from map(str, point.differences_of_work(probes(point.state, chance, most)))


@pytest.mark.timeout(3600)
@pytest.mark.soak
@pytest.mark.parametrize("stands", STANDS)
@pytest.mark.parametrize("name", PLAYED)
def test_no_refusal_takes_longer_for_a_hidden_card(name: str, stands: str) -> None:
    assert next(weighed(name, stands), None) is None


# --- the tester is tested: leaks that were there once, and some that were not ---


def _all_hands(draft: Draft, seat: SeatNumber) -> Iterator[Face]:
    return (face for hand in draft.round.hands if hand.seat != seat for face in hand.faces or ())


def compares_with_every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `enter-cards` was: any place at any time, held against all cards that a device read."""
    monkeypatch.setattr(entering, "open_elsewhere", _all_hands)
    monkeypatch.setattr(standstill, "_cannot_be_seen", lambda *_: None)


def says_whether_it_is_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the refusal of a Play bet was."""

    def check(
        play: Wager, player: Sequence[Card] | None, placed: Sequence[Wager], house: BigRaiseHouse, limits: Limits
    ) -> Refused | None:
        ante = next(bet.stake for bet in placed if bet.name is WagerName.ANTE)
        allowed = big_raise.play_range(ante, player, house)
        if allowed.least <= play.stake <= allowed.most:
            return check_stake(play, placed, (), house.money, limits)
        return Refused(RefusalCode.BELOW_LEAST, f"{'with' if allowed.with_pair else 'without'} a pair")

    monkeypatch.setattr(big_raise, "check_play", check)


def takes_longer_for_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal in the same words for every hand, after a look at the hand."""
    check = big_raise.check_play

    def look(
        play: Wager, player: Sequence[Card] | None, placed: Sequence[Wager], house: BigRaiseHouse, limits: Limits
    ) -> Refused | None:
        ante = next(bet.stake for bet in placed if bet.name is WagerName.ANTE)
        for _ in range(5 if big_raise.play_range(ante, player, house).with_pair else 9):
            pass
        return check(play, player, placed, house, limits)

    monkeypatch.setattr(big_raise, "check_play", look)


def names_a_card_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words for every hand, and beside them, for a program, a card that a device read."""
    check = standstill._cannot_be_seen

    def told(draft: Draft, request: Request, seat: SeatNumber) -> Refusal | None:
        refusal, hand = check(draft, request, seat), entering.hand_meant(draft.round, seat)
        if refusal is None or hand is None:
            return refusal
        card = next((face for face in hand.faces or () if isinstance(face, Card)), None)
        return replace(refusal, said=replace(refusal.said, card=card))

    monkeypatch.setattr(standstill, "_cannot_be_seen", told)


def test_a_refusal_that_takes_longer_for_some_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    takes_longer_for_a_pair(monkeypatch)
    assert next(weighed("big-raise", "as it runs", 30), None) is not None


Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
PLANTED: Final[dict[str, tuple[Plant, str, str]]] = {
    "any hand compared": (compares_with_every_hand, "big-50", "held"),
    "pair or no pair": (says_whether_it_is_a_pair, "big-raise", "as it runs"),
    "a card beside the words": (names_a_card_for_programs, "big-50", "held"),
}


@pytest.mark.parametrize(("plant", "name", "stands"), PLANTED.values(), ids=PLANTED)
def test_twins_find_a_leak_that_is_put_back(
    plant: Plant, name: str, stands: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert next(found(name, stands), None) is not None
