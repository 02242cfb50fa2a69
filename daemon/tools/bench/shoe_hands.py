"""The dealer's hands at a shoe: fill it, burn cards, and draw a card when the prompt says for whom.

A shoe deals the whole game, or stands beside a shuffler and gets the rest of its deck for the draws. The dealer here
reads prompts, which are sentences for people. Programs should use the events.
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
from sim_hardware.deck import Deck
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig

FILL_WITH_REST: Final = re.compile(r"^Put the rest of the deck into\b")
DRAW: Final = re.compile(r"\bdraw a card for\b|^Burn\b", re.IGNORECASE)
DRAW_HAND: Final = re.compile(r"^Draw a card: (the draw of )?seat ([0-9]+)\b")
"""The prompt comes once for all cards of a hand or draw. The dealer knows how many they are."""
FILL: Final = re.compile(r"^Put [0-9]+ decks? into the shoe\b")


class ShoeHands:
    """One dealer at one shoe. `is_ready` is whether it is filled and its first cards are burned."""

    def __init__(self, dealing: Dealing, rig: ShoeRig, game: BenchGame) -> None:
        self.is_ready = False
        self._dealing = dealing
        self._rig = rig
        self._burn_cards = game.burn_cards
        self._is_last_round = False
        self._drawn_for = ""  # the prompt for which a card is out that the table has not told of yet
        self._hand_cards = game.hands(1)[0]
        self._discards: dict[int, int] = {}
        self.duties: Final[Duties] = {
            "round-opened": self._fill_after_the_cut_card,
            "card-burned": self._note_burned,
            "card-dealt": self._note_that_it_was_seen,
            "alert-cleared": self._note_that_it_was_seen,  # what went wrong with the card was put right
            "round-settled": self._note_that_it_was_seen,
            "round-voided": self._note_that_it_was_seen,
            "player-decided": self.note_discards,
            "stub-count-asked": self._dealing.count_the_rest,
            "dealer-prompted": self.do_as_prompted,
        }

    async def green(self) -> None:
        """Press green: no more bets."""
        await self._dealing.keys.press(Button.GREEN)

    def mend(self) -> None:
        """Clear the shoe's error with its key."""
        self._rig.cancel_error()

    async def run(self) -> Never:
        """Wait: a shoe needs no hands between events."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    async def do_as_prompted(self, heard: EventHeard) -> None:
        """Fill the shoe or draw, if the prompt asks for it and another has not taken its place on the screen."""
        if heard.sequence < self._dealing.newest_prompt:
            return  # what is still due is in the newest: a card for each of two prompts would be one too many
        sentence = heard.data["sentence"]
        if FILL.search(sentence):
            await self._fill()
        elif DRAW.search(sentence) and sentence != self._drawn_for:
            # A table that comes back asks again before it hears of the card that was drawn meanwhile.
            self._drawn_for = sentence
            await self._draw()
        elif found := DRAW_HAND.search(sentence):
            is_draw, seat = found[1] is not None, int(found[2])
            for _card in range(self._discards[seat] if is_draw else self._hand_cards):
                await self._draw()

    async def note_discards(self, heard: EventHeard) -> None:
        """Remember how many cards this player draws."""
        self._discards[heard.data["seat"]] = heard.data["discards"] or 0

    async def _fill_after_the_cut_card(self, _: EventHeard) -> None:
        """Fill the shoe and burn, if the last round was the shoe's last.

        Only the dealer knows that, if the shoe does not report its cut card. While bets are taken no prompt asks to
        burn.
        """
        if self._is_last_round:
            await self._fill()
            for _card in range(self._burn_cards):
                await self._draw()

    async def _fill(self) -> None:
        await self._dealing.pace.wait(self._dealing.pace.gather_s)
        if not self._rig.shoe.inside or self._rig.shoe.drawn:
            self._rig.load()  # else they lie in it already: a table that ends before it knows asks again
        self._is_last_round = False
        self.is_ready = self._burn_cards == 0
        await self._dealing.client.ask("load-shoe", Actor.DEALER, decks=self._rig.settings.decks)

    async def _note_that_it_was_seen(self, _: EventHeard) -> None:
        self._drawn_for = ""

    async def _note_burned(self, heard: EventHeard) -> None:
        self._drawn_for = ""
        self.is_ready = heard.data["burned"] == self._burn_cards

    async def _draw(self) -> None:
        """Draw a card. First clear an error, and lay the cut card aside if it comes first."""
        await self._dealing.pace.wait(self._dealing.pace.take_s)
        if self._rig.shoe.error is not None:
            self._rig.cancel_error()
        if self._rig.shoe.is_cut_card_next:
            self._is_last_round = True
            self._rig.draw()
        self._rig.draw()


class DrawHands:
    """The dealer at the shoe beside the shuffler. The rest of the deck goes into it, and back with all cards."""

    def __init__(self, dealing: Dealing, shuffler: ShufflerRig, shoe: ShoeRig, game: BenchGame) -> None:
        self._dealing = dealing
        self._shuffler = shuffler
        self._shoe = shoe
        self._at_shoe: Final = ShoeHands(dealing, shoe, game)
        self.duties: Final[Duties] = {
            "player-decided": self._at_shoe.note_discards,
            "dealer-prompted": self._do_as_prompted,
        }

    def mend(self) -> None:
        """Clear the shoe's error with its key."""
        self._at_shoe.mend()

    async def _do_as_prompted(self, heard: EventHeard) -> None:
        if FILL_WITH_REST.search(heard.data["sentence"]):
            await self._dealing.pace.wait(self._dealing.pace.gather_s)
            rest = self._shuffler.machine.places.ejected  # stacked: these very cards in this order
            self._shoe.load(Deck(tuple(rest), stacked=True))
        else:
            await self._at_shoe.do_as_prompted(heard)
