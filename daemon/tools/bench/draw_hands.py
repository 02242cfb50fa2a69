"""The dealer's hands where draws come from a shoe of their own: the rest of the shuffler's deck goes into it.

Once that is in, the shoe is drawn from like any other. What is left in it after the round goes back with all cards.
"""

from __future__ import annotations

import re
from typing import Final

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.shoe_hands import ShoeHands
from sim_hardware.deck import Deck
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig

FILL_WITH_REST: Final = re.compile(r"^Put the rest of the deck into\b")


class DrawHands:
    """One dealer at the shoe that stands beside his shuffler."""

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
        """What hands can mend at the shoe."""
        self._at_shoe.mend()

    async def _do_as_prompted(self, heard: EventHeard) -> None:
        if FILL_WITH_REST.search(heard.data["sentence"]):
            await self._fill_with_rest()
        else:
            await self._at_shoe.do_as_prompted(heard)

    async def _fill_with_rest(self) -> None:
        """The very cards that came out, in their order: they were shuffled already."""
        await self._dealing.pace.wait(self._dealing.pace.gather_s)
        self._shoe.load(Deck(tuple(self._shuffler.machine.places.ejected), stacked=True))
