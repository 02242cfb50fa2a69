"""The bench's people: players who bet by habit, and a dealer whose hands are on the emulated shuffler.

Theory of operation. They know only what MQTT says. Each event that calls for hands is queued, and one task does what
it calls for, at a pace: bets and then green when a round opens, take the hand when one is dealt, green again when all
are at their seats, next at each seat, cards back into the machine when the round is over. What the table refuses is
tried again when the thing that it waits for is reported. In trouble the supervisor is called, who frees what is
stuck, voids what cannot go on and clears the alerts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from daemon.bench.client import TableClient
from daemon.bench.habit import bets
from daemon.bench.heard import Heard
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor
from drivers.events import Button
from sim_hardware.faults import FaultName
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_states import State


@dataclass(frozen=True, slots=True)
class DealingPace:
    """How long people take at speed 1, in seconds; a speed of 0 is without waiting."""

    speed: float
    bets_s: float = 2.0
    green_s: float = 1.0
    take_s: float = 0.8
    seat_s: float = 2.5
    gather_s: float = 2.0
    supervisor_s: float = 3.0

    async def wait(self, seconds: float) -> None:
        """Take that long."""
        if self.speed > 0:
            await asyncio.sleep(seconds / self.speed)


@dataclass(frozen=True, slots=True)
class Habits:
    """How these people play and deal."""

    seed: int
    seats: int
    pace: DealingPace
    reconciling: Reconciling


class People:
    """Everybody at the bench's table."""

    def __init__(self, client: TableClient, rig: ShufflerRig, habits: Habits) -> None:
        self._client = client
        self._rig = rig
        self._seed = habits.seed
        self._seats = habits.seats
        self._reconciling = habits.reconciling
        self._pace = habits.pace
        self._todo: asyncio.Queue[Heard] = asyncio.Queue()
        self._last_heard = 0
        self._to_deliver = 0
        self._bets_are_down = False
        self._deck_ready = False
        self._playing = asyncio.Event()
        self._playing.set()
        self._duties: Final[Mapping[str, Callable[[Heard], Awaitable[None]]]] = {
            "round.opened": self._bet,
            "deck.shuffled": self._deck_is_ready,
            "alert.raised": self._see_to_alert,
            "alert.cleared": self._green_if_bets_are_down,
            "device.fault-cleared": self._clear_alerts,
            "device.up": self._clear_alerts,
            "device.came-back": self._clear_alerts,
            "device.mode-changed": self._clear_alerts,
            "betting.closed": self._count_hands,
            "hand.dealt": self._take_hand,
            "hand.delivered": self._green_after_the_last,
            "hand.settled": self._next,
            "cards.asked": self._call_supervisor,
            "round.held": self._call_supervisor,
            "round.interrupted": self._call_supervisor,
        }
        self._stirred = asyncio.Event()
        client.listen(self._hear)
        client.listen_to_state(self._stirred.set)

    @property
    def is_paused(self) -> bool:
        """Whether everybody holds still."""
        return not self._playing.is_set()

    def pause_or_go_on(self) -> None:
        """Hold still, or go on; what happens meanwhile is done afterwards."""
        if self.is_paused:
            self._playing.set()
        else:
            self._playing.clear()

    def _hear(self, heard: Heard) -> None:
        """At least once on the wire: after a crash an event can come again, and is done once."""
        if heard.sequence <= self._last_heard:
            return
        self._last_heard = heard.sequence
        if heard.kind in self._duties:
            self._todo.put_nowait(heard)

    async def run(self) -> None:
        """Be at the table until cancelled."""
        async with asyncio.TaskGroup() as at_the_table:
            at_the_table.create_task(self._do_duties())
            at_the_table.create_task(self._put_cards_back())
            at_the_table.create_task(self._watch_machine())

    async def _do_duties(self) -> None:
        """What events call for, one after the other."""
        while True:
            heard = await self._todo.get()
            await self._playing.wait()
            await self._duties[heard.kind](heard)

    async def _bet(self, heard: Heard) -> None:
        self._bets_are_down = False
        await self._pace.wait(self._pace.bets_s)
        for bet in bets(self._seed, heard.data["number"], self._seats):
            data = {"seat": bet.seat, "wager": bet.wager.value, "stake_cents": bet.stake_cents}
            await self._client.ask("bet", Actor.PLAYER, heard.round_id, **data)
        self._bets_are_down = True
        await self._green_if_bets_are_down(heard)

    async def _deck_is_ready(self, heard: Heard) -> None:
        self._deck_ready = True
        await self._green_if_bets_are_down(heard)

    async def _green_if_bets_are_down(self, _: Heard) -> None:
        if self._bets_are_down and self._deck_ready:
            await self._pace.wait(self._pace.green_s)
            self._rig.press(Button.GREEN.value)

    async def _count_hands(self, heard: Heard) -> None:
        self._bets_are_down = self._deck_ready = False
        self._to_deliver = len({stake["seat"] for stake in heard.data["stakes"]})

    async def _take_hand(self, _: Heard) -> None:
        await self._pace.wait(self._pace.take_s)
        self._rig.take()

    async def _green_after_the_last(self, _: Heard) -> None:
        self._to_deliver -= 1
        if self._to_deliver == 0:
            await self._pace.wait(self._pace.green_s)
            self._rig.press(Button.GREEN.value)

    async def _next(self, _: Heard) -> None:
        if self._reconciling is Reconciling.STEP:
            await self._pace.wait(self._pace.seat_s)
            self._rig.press(Button.NEXT.value)

    async def _put_cards_back(self) -> None:
        """Between rounds an empty machine gets its deck, once the tray is clear."""
        while True:
            self._stirred.clear()
            machine = self._rig.machine
            if self._is_between_rounds() and machine.places.tray:
                self._rig.take()
            if self._is_between_rounds() and machine.state is State.EMPTY:
                await self._pace.wait(self._pace.gather_s)
                self._rig.load()
            await self._stirred.wait()

    async def _watch_machine(self) -> None:
        while True:
            await self._rig.emulator.turned()
            self._stirred.set()

    def _is_between_rounds(self) -> bool:
        return self._client.state.get("table", {}).get("phase") in (Phase.IDLE.value, Phase.BETTING.value)

    async def _see_to_alert(self, heard: Heard) -> None:
        """Mend what hands can mend; a fault that a technician switched on for good stays."""
        await self._pace.wait(self._pace.supervisor_s)
        if self._rig.machine.state is State.JAMMED:
            self._rig.clear_jam()
        self._rig.disarm(FaultName.WRONG_MODE)
        await self._clear_alerts(heard)

    async def _clear_alerts(self, _: Heard) -> None:
        for alert in self._client.state.get("table", {}).get("alerts", []):
            await self._client.ask("clear-alert", Actor.SUPERVISOR, alert=alert["alert"])

    async def _call_supervisor(self, heard: Heard) -> None:
        """Only this round: by the time that the word is heard it may be over."""
        await self._pace.wait(self._pace.supervisor_s)
        reason = "the bench's supervisor voids what stands still"
        await self._client.ask("void-round", Actor.SUPERVISOR, heard.round_id, reason=reason)
