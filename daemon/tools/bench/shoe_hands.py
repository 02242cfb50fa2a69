"""The dealer's hands at a shoe: fill it, burn, and draw a card whenever the prompt says for whom.

A prompt is a sentence for a person, and this is the person who reads it; programs have the events.
"""

from __future__ import annotations

import asyncio
import re
from typing import Final, Never

from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame
from drivers.events import Button
from sim_hardware.shoe_rig import ShoeRig

DRAW: Final = re.compile(r"\bdraw a card for\b|^Burn\b", re.IGNORECASE)
DRAW_HAND: Final = re.compile(r"^Draw a card: (the draw of )?seat ([0-9]+)\b")
"""Said once for all the cards of a hand, or of a draw: the dealer knows how many they are."""
FILL: Final = re.compile(r"^Put [0-9]+ decks? into the shoe\b")


class ShoeHands:
    """One dealer at one shoe. `is_ready` says whether it is filled, and its first cards burned."""

    def __init__(self, dealing: Dealing, rig: ShoeRig, game: BenchGame) -> None:
        self.is_ready = False
        self._dealing = dealing
        self._rig = rig
        self._burn_cards = game.burn_cards
        self._is_last_round = False
        self._hand_cards = game.hands(1)[0]
        self._discards: dict[int, int] = {}
        self.duties: Final[Duties] = {
            "round-opened": self._fill_after_the_cut_card,
            "card-burned": self._note_burned,
            "player-decided": self.note_discards,
            "stub-count-asked": self._count_the_rest,
            "betting-closed": self._clear_the_felt,
            "dealer-prompted": self.do_as_prompted,
        }

    async def green(self) -> None:
        """No more bets."""
        await self._dealing.keys.press(Button.GREEN)

    def mend(self) -> None:
        """An error of the shoe's own is put right with its key."""
        self._rig.cancel_error()

    async def run(self) -> Never:
        """A shoe does nothing by itself that hands would have to look after."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    async def _clear_the_felt(self, _: EventHeard) -> None:
        self._dealing.gather()

    async def do_as_prompted(self, heard: EventHeard) -> None:
        """Fill it, or draw."""
        sentence = heard.data["sentence"]
        if FILL.search(sentence):
            await self._fill()
        elif DRAW.search(sentence):
            await self._draw()
        elif found := DRAW_HAND.search(sentence):
            await self._draw_hand(int(found[2]), is_drawn=found[1] is not None)

    async def note_discards(self, heard: EventHeard) -> None:
        """How many cards the draw of this player will have."""
        self._discards[heard.data["seat"]] = heard.data["discards"] or 0

    async def _draw_hand(self, seat: int, *, is_drawn: bool) -> None:
        """All of it, face down to its place."""
        before = len(self._rig.shoe.drawn)
        for _card in range(self._discards[seat] if is_drawn else self._hand_cards):
            await self._draw()
        self._dealing.lay(seat, tuple(piece.face for piece in self._rig.shoe.drawn[before:]), is_drawn=is_drawn)

    async def _fill_after_the_cut_card(self, _: EventHeard) -> None:
        """Of a shoe that does not tell of its cut card, the dealer alone knows that this was its last round.

        While bets are taken nobody is prompted to burn.
        """
        if self._is_last_round:
            await self._fill()
            for _card in range(self._burn_cards):
                await self._draw()

    async def _fill(self) -> None:
        await self._dealing.pace.wait(self._dealing.pace.gather_s)
        self._rig.load()
        self._is_last_round = False
        self.is_ready = self._burn_cards == 0
        await self._dealing.client.ask("load-shoe", Actor.DEALER, decks=self._rig.settings.decks)

    async def _note_burned(self, heard: EventHeard) -> None:
        self.is_ready = heard.data["burned"] == self._burn_cards

    async def _count_the_rest(self, heard: EventHeard) -> None:
        """What is left in the shoe."""
        await self._dealing.pace.wait(self._dealing.pace.gather_s)
        count = len(self._rig.shoe.inside)
        await self._dealing.client.ask("stub-count", Actor.DEALER, heard.round_id, count=count)

    async def _draw(self) -> None:
        """A card; the cut card, if it comes first, is laid aside. A shoe in error is put right before."""
        await self._dealing.pace.wait(self._dealing.pace.take_s)
        if self._rig.shoe.error is not None:
            self._rig.cancel_error()
        if self._rig.shoe.is_cut_card_next:
            self._is_last_round = True
            self._rig.draw()
        self._rig.draw()
