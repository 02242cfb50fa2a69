"""The dealer's hands at a batch shuffler: take the shuffled deck out, deal it by hand, count the rest.

There are two decks: while one is dealt, the machine shuffles the other. The key on the machine gives the deck out, so
keys for the table are pressed elsewhere.
"""

from __future__ import annotations

from typing import Final, Never

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame
from drivers.events import Button
from protocols.cards import Face
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_states import State

DEAL: Final = "Deal by hand"
"""How the prompt begins that says who is dealt what."""


class BatchHands:
    """One dealer at one machine. `is_ready` is whether the dealer holds a shuffled deck."""

    def __init__(self, dealing: Dealing, rig: ShufflerRig, game: BenchGame) -> None:
        self.is_ready = False
        self._dealing = dealing
        self._rig = rig
        self._game = game
        self._deck: tuple[Face, ...] = ()  # for the next round
        self._is_shuffled = False  # is the deck in the machine
        self._is_taking_bets = False
        self.duties: Final[Duties] = {
            "deck-shuffled": self._note_shuffled,
            "round-opened": self._begin,
            "batch-out": self._take_deck,
            "betting-closed": self._note_that_bets_stand,
            "dealer-prompted": self._deal_when_prompted,
            "stub-count-asked": self._dealing.count_the_rest,
        }

    async def green(self) -> None:
        """Press green: no more bets."""
        await self._dealing.keys.press(Button.GREEN)

    def mend(self) -> None:
        """Clear a jam."""
        if self._rig.machine.state is State.JAMMED:
            self._rig.clear_jam()

    async def run(self) -> Never:
        """Give an empty machine the other deck, after the deck that came out is picked up."""
        while True:
            if self._rig.machine.state is State.EMPTY:
                self._dealing.picked_up = tuple(piece.face for piece in self._rig.machine.places.ejected)
                await self._dealing.pace.wait(self._dealing.pace.gather_s)
                self._rig.load()
            await self._rig.emulator.turned()

    async def _note_shuffled(self, _: EventHeard) -> None:
        self._is_shuffled = True
        await self._have_deck_out()

    async def _begin(self, _: EventHeard) -> None:
        self._is_taking_bets = True
        await self._have_deck_out()

    async def _have_deck_out(self) -> None:
        """Press the machine's key while bets are taken. At another time the table would take it for its own key."""
        if self._is_shuffled and self._is_taking_bets and not self._deck:
            await self._dealing.pace.wait(self._dealing.pace.take_s)
            self._rig.press(Button.GREEN.value)

    async def _take_deck(self, heard: EventHeard) -> None:
        self._is_shuffled = False
        self._deck = self._dealing.picked_up
        self.is_ready = heard.data["is_shuffled"]

    async def _note_that_bets_stand(self, _: EventHeard) -> None:
        self.is_ready = self._is_taking_bets = False

    async def _deal_when_prompted(self, heard: EventHeard) -> None:
        if not heard.data["sentence"].startswith(DEAL):
            return
        sizes = self._game.hands(len(self._dealing.staked))
        for _hand in sizes:
            await self._dealing.pace.wait(self._dealing.pace.take_s)
        self._deck = ()
        await self.green()
