"""The dealer's hands at a shuffler that gives packets: take one for each place, collect the rest, put a deck in again.

Which cards they are, `LyingCards` knows.
"""

from __future__ import annotations

import asyncio
from typing import Final, Never

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame
from drivers.events import Button
from sim_hardware.faults import FaultName
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_states import State

COLLECT: Final = "Green: collect"
"""Part of the prompt when all hands are out."""


class ShufflerHands:
    """One dealer at one machine."""

    def __init__(self, dealing: Dealing, rig: ShufflerRig, game: BenchGame) -> None:
        self._is_deck_ready = False
        self._dealing = dealing
        self._rig = rig
        self._hands_for = game.hands
        self._is_green_out = False  # pressed, and the table has neither taken nor refused it
        self._is_dealing = False
        self._changed = asyncio.Event()
        self.duties: Final[Duties] = {
            "deck-shuffled": self._deck_is_ready,
            "betting-closed": self._begin,
            "hand-dealt": self._take_hand,
            "dealer-prompted": self._collect_when_prompted,
            "stub-count-asked": self._dealing.count_the_rest,
            "button-refused": self._note_refusal,
            "device-restarted": self._note_refusal,
            "device-events-lost": self._note_refusal,
            "round-settled": self._note_that_it_is_over,
            "round-voided": self._note_that_it_is_over,
        }
        dealing.client.listen_to_state(self._changed.set)

    @property
    def is_ready(self) -> bool:
        """Return whether a shuffled deck is in the machine, and green was not pressed yet.

        To a machine that works by itself, a second green means something else: to give out what is left.
        """
        return self._is_deck_ready and not self._is_green_out

    async def green(self) -> None:
        """Begin the deal. On a machine that works by itself, first dial which packets it is to give."""
        if self._rig.settings.observed:
            self._rig.dial(self._hands_for(len(self._dealing.staked)))
        self._is_green_out = True
        await self._press_green()

    async def _press_green(self) -> None:
        """Press the table's key. A machine that works by itself knows only its own."""
        if self._rig.settings.observed:
            self._rig.press(Button.GREEN.value)
        else:
            await self._dealing.keys.press(Button.GREEN)

    def mend(self) -> None:
        """Repair what hands can repair. A lasting fault stays."""
        if self._rig.machine.state is State.JAMMED:
            self._rig.clear_jam()
        self._rig.disarm(FaultName.WRONG_MODE)

    async def run(self) -> None:
        """Look after the machine until cancelled."""
        async with asyncio.TaskGroup() as looking:
            looking.create_task(self._put_cards_back())
            looking.create_task(self._watch_machine())

    async def _deck_is_ready(self, _: EventHeard) -> None:
        self._is_deck_ready = True

    async def _note_refusal(self, _: EventHeard) -> None:
        """Note that the table did not take green."""
        self._is_green_out = False
        self._changed.set()

    async def _note_that_it_is_over(self, _: EventHeard) -> None:
        self._is_green_out = self._is_dealing = False
        self._changed.set()

    async def _begin(self, _: EventHeard) -> None:
        self._is_green_out = False
        self._is_dealing = True

    async def _take_hand(self, _: EventHeard) -> None:
        self._is_deck_ready = False  # only now: a round that is void before its first card leaves the deck whole
        await self._dealing.pace.wait(self._dealing.pace.take_s)
        self._rig.take_packet()

    async def _collect_when_prompted(self, heard: EventHeard) -> None:
        if COLLECT in heard.data["sentence"]:
            await self._dealing.pace.wait(self._dealing.pace.green_s)
            await self._press_green()

    async def _put_cards_back(self) -> Never:
        """Between rounds, clear the tray and give an empty machine its deck.

        The table's state is published after the machine moves: a packet may lie in the tray before it shows the deal.
        """
        while True:
            self._changed.clear()
            machine = self._rig.machine
            if self._dealing.is_between_rounds and machine.places.tray and not (self._is_green_out or self._is_dealing):
                self._rig.take_packet()
            if self._dealing.is_between_rounds and machine.state is State.EMPTY:
                await self._dealing.pace.wait(self._dealing.pace.gather_s)
                self._rig.load()
            await self._changed.wait()

    async def _watch_machine(self) -> Never:
        while True:
            await self._rig.emulator.turned()
            self._changed.set()
