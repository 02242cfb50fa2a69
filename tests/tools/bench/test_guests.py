"""A guest at the real bench: whenever they sit down or leave, they are asked for their bets soon, and play goes on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import pytest

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import GameName, WagerName
from daemon.table.settings import Reconciling
from daemon.table.vocabulary import Actor
from daemon.tools.bench.broker import BrokerKind
from daemon.tools.bench.client import GUEST, EventHeard
from daemon.tools.bench.dealer import Habits, People
from daemon.tools.bench.dealing import DealingPace
from daemon.tools.bench.settings import BenchSettings
from daemon.tools.bench.world import World, world
from sim_hardware.pace import Knob

pytestmark = pytest.mark.timeout(680)
SEAT: Final = 3
SPEED: Final = 100.0
SOON_S: Final = 100.0
"""Far more than a round takes, and less than a guest who says nothing is waited for two times."""
LOOK_S: Final = 0.01


@dataclass
class Sitting:
    """The bench, and what was heard from it."""

    world: World
    people: People
    playing: asyncio.Task[None]
    heard: list[EventHeard] = field(default_factory=list)

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(SOON_S):
            while not is_so():
                if self.playing.done():
                    await self.playing  # and raise what ended it
                await asyncio.sleep(LOOK_S)

    async def next(self, kind: str, seat: int | None = None) -> EventHeard:
        """Wait for the next event of this kind."""
        start = len(self.heard)

        def found() -> Sequence[EventHeard]:
            return [one for one in self.heard[start:] if one.kind == kind and seat in (None, one.data.get("seat"))]

        await self.until(lambda: bool(found()))
        return found()[0]

    async def until_waited_for(self) -> None:
        """Wait until guests are asked for bets. With the button of Big Draw, first choose a side."""
        answered: list[EventHeard] = []

        def open_questions() -> Sequence[EventHeard]:
            return [one for one in self.heard if self._is_choice(one) and one not in answered]

        while not self.people.guests.is_waited_for:
            await self.until(lambda: self.people.guests.is_waited_for or bool(open_questions()))
            for question in open_questions():
                answered.append(question)
                choice = {"seat": SEAT, "variant": Variant.FIVE_CARD_DRAW.value}
                await self.world.client.ask_as(GUEST, "choose-game", question.round_id, **choice)

    def _is_choice(self, heard: EventHeard) -> bool:
        is_asked = heard.kind == "dealer-prompted" and heard.data["seat"] == SEAT and "?" in heard.data["sentence"]
        return is_asked and SEAT in self.people.guests.seats and self.world.settings.game is GameName.BIG_DRAW

    async def bet(self, seat: int = SEAT) -> None:
        round_id = next(one.round_id for one in reversed(self.heard) if one.kind == "round-opened")
        wager = {
            GameName.BIG_RAISE: WagerName.ANTE,
            GameName.BIG_DRAW: WagerName.BIG_DRAW,
            GameName.BLACKJACK: WagerName.BLACKJACK,
            GameName.BIG_50: WagerName.POKER_HAND,
        }[self.world.settings.game]
        data = {"seat": seat, "wager": wager.value, "stake_cents": 500}
        answer = await self.world.client.ask_as(GUEST, "bet", round_id, **data)
        assert answer["accepted"], answer

    async def void(self) -> None:
        round_id = next(one.round_id for one in reversed(self.heard) if one.kind == "round-opened")
        answer = await self.world.client.ask("void-round", Actor.SUPERVISOR, round_id, reason="to look what happens")
        assert answer["accepted"], answer


@asynccontextmanager
async def sitting(directory: Path, game: GameName, seats: int = 4, profile: str = "") -> AsyncIterator[Sitting]:
    knob = Knob(SPEED)
    settings = BenchSettings(
        directory, 7, seats, SPEED, Reconciling.STEP, BrokerKind.BUILT_IN, "5", game=game, knob=knob,
        profile=profile or ("angel-eye-iiex" if game is GameName.BLACKJACK else "felt-link-shuffler-faces"),
        decks=8 if game is GameName.BLACKJACK else 1,
    )  # fmt: skip
    async with world(settings) as running:
        habits = Habits(7, seats, DealingPace(SPEED, knob=knob), game)
        people = People(running.client, running.rig, habits, running.pad, running.draws_rig)
        playing = asyncio.create_task(people.run())
        there = Sitting(running, people, playing)
        running.client.listen(there.heard.append)
        try:
            yield there
        finally:
            playing.cancel()
            await asyncio.gather(playing, return_exceptions=True)


MOMENTS: Final = (
    "round-opened",
    "bet-placed",
    "betting-closed",
    "hand-dealt",
    "player-decided",
    "hand-settled",
    "round-settled",
    "deck-shuffled",
)


@pytest.mark.parametrize("game", [GameName.BIG_RAISE, GameName.BIG_DRAW])
async def test_whoever_sits_down_at_any_moment_is_asked_for_bets_soon_and_can_bet(
    game: GameName, tmp_path: Path
) -> None:
    async with sitting(tmp_path, game) as there:
        for moment in MOMENTS:
            await there.next(moment)
            there.people.sit(SEAT)
            await there.until_waited_for()
            await there.bet()
            there.people.guests.ready()
            await there.next("betting-closed")
            there.people.play_for(SEAT)
            await there.next("round-settled")


async def test_whoever_sits_down_while_the_benchs_own_bet_is_under_way_gets_the_next_round(tmp_path: Path) -> None:
    async with sitting(tmp_path, GameName.BIG_RAISE) as there:
        await there.next("bet-placed", seat=SEAT - 1)
        asked = there.world.client.ask

        async def sit_down_meanwhile(command: str, role: Actor, round_id: str | None = None, **data: object) -> object:
            if (command, data.get("seat")) == ("bet", SEAT):
                there.people.sit(SEAT)
            return await asked(command, role, round_id, **data)

        there.world.client.ask = sit_down_meanwhile  # type: ignore[assignment, method-assign]
        await there.until(lambda: bool(there.people.guests.seats | there.people.guests.arriving))
        there.world.client.ask = asked  # type: ignore[method-assign]
        await there.until_waited_for()
        await there.bet()


@pytest.mark.parametrize("game", [GameName.BIG_RAISE, GameName.BIG_DRAW, GameName.BLACKJACK])
async def test_the_round_ends_without_a_guest_who_leaves_with_chips_on_the_table(
    game: GameName, tmp_path: Path
) -> None:
    async with sitting(tmp_path, game) as there:
        there.people.sit(SEAT)
        await there.until_waited_for()
        await there.bet()
        there.people.play_for(SEAT)
        await there.next("round-settled")


async def test_who_comes_back_to_their_own_chips_decides_over_them(tmp_path: Path) -> None:
    async with sitting(tmp_path, GameName.BIG_RAISE) as there:
        there.people.sit(SEAT)
        await there.until_waited_for()
        await there.bet()
        await there.until(lambda: _has_chips(there))
        there.people.play_for(SEAT)
        there.people.sit(SEAT)
        assert there.people.guests.seats == {SEAT}


def _has_chips(there: Sitting) -> bool:
    return any(one.kind == "bet-placed" and one.data["who"] == GUEST for one in there.heard)


async def test_a_round_that_is_void_while_guests_bet_is_followed_by_one_with_bets(tmp_path: Path) -> None:
    async with sitting(tmp_path, GameName.BIG_RAISE) as there:
        there.people.sit(SEAT)
        await there.until_waited_for()
        await there.void()
        await there.next("round-opened")
        await there.until(lambda: not there.people.guests.is_waited_for)
        await there.until_waited_for()
        await there.bet()
        there.people.guests.ready()
        closed = await there.next("betting-closed")
        assert len({stake["seat"] for stake in closed.data["stakes"]}) > 1, "the bench has bet, too"


async def test_a_jam_is_cleared_while_guests_bet(tmp_path: Path) -> None:
    async with sitting(tmp_path, GameName.BIG_RAISE) as there:
        there.people.sit(SEAT)
        await there.until_waited_for()
        there.world.rig.unplug()
        await there.next("alert-raised")
        there.world.rig.replug()
        await there.next("alert-cleared")
        assert there.people.guests.is_waited_for


async def test_the_bench_plays_where_guests_have_all_seats_and_bet_nothing(tmp_path: Path) -> None:
    async with sitting(tmp_path, GameName.BIG_RAISE, seats=1) as there:
        there.people.sit(1)
        await there.until_waited_for()
        there.people.guests.ready()
        await there.next("round-settled")


async def test_while_the_bench_is_paused_nobody_loses_patience(tmp_path: Path) -> None:
    async with sitting(tmp_path, GameName.BIG_RAISE) as there:
        there.people.pause_or_go_on()
        there.people.sit(SEAT)
        there.people.pause_or_go_on()
        await there.until_waited_for()
        there.people.pause_or_go_on()
        await there.bet()
        there.people.guests.ready()
        there.people.pause_or_go_on()
        await there.next("betting-closed")
