"""What really lies where at the bench, if its own people deal or somebody at a screen while they are paused.

Theory of operation. A packet that the table tells of consists of the first cards that left the machine and lie nowhere
yet; a card out of a shoe is the last one. So this needs no hands at the device. It is done as an event is heard, and
not as a duty, because a paused bench does no duties. A blind shuffler's cards are known here and nowhere else: who
deals at the bench has to see what they would see on a felt. So it is with the rest of the deck, which they would count.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Final

from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing
from daemon.tools.bench.game import BenchGame
from daemon.tools.bench.keys import Source
from protocols.cards import Face
from sim_hardware.deck import Piece
from sim_hardware.shoe_rig import ShoeRig


class LyingCards:
    """Follows each card from its machine to its place, and keeps `Dealing.hands` and `Dealing.rest`."""

    def __init__(self, dealing: Dealing, rig: Source, draws_rig: ShoeRig | None, game: BenchGame) -> None:
        self._dealing = dealing
        self._rig = rig
        self._draws_rig = draws_rig
        self._game = game
        self._last_heard = 0
        self._laid: Final[set[tuple[bool, int]]] = set()  # pieces that lie somewhere: of the draws' shoe, its number
        self._by_hand: dict[int, tuple[Face, ...]] = {}  # what a deck that came out whole gives each place
        self._hears: Final[Mapping[str, Callable[[EventHeard], None]]] = {
            "betting-closed": self._begin,
            "hand-dealt": self._lay_packet,
            "card-dealt": self._lay_card,
            "up-card-shown": lambda _: self._dealing.partly_open.clear(),
            "player-decided": self._give_up,
            "stub-count-asked": self._count_rest,
        }
        dealing.client.listen(self._note)

    def _note(self, heard: EventHeard) -> None:
        """Take an event once: after a crash of the daemon the same one can come again."""
        if heard.sequence > self._last_heard and heard.kind in self._hears:
            self._last_heard = heard.sequence
            self._hears[heard.kind](heard)

    def _begin(self, heard: EventHeard) -> None:
        self._dealing.gather()
        self._dealing.partly_open.update(self._game.partly_open)
        self._laid.clear()  # a shuffler's deck was whole when it began to deal, which it can do before this is heard
        if isinstance(self._rig, ShoeRig):
            self._laid.update((False, piece.number) for piece in self._rig.shoe.drawn)
        self._by_hand = self._dealt_by_hand(sorted({stake["seat"] for stake in heard.data["stakes"]}))

    def _dealt_by_hand(self, seats: Sequence[int]) -> dict[int, tuple[Face, ...]]:
        if not self._dealing.picked_up:
            return {}
        cards, places = iter(self._dealing.picked_up), (*seats, *self._game.house_places)
        sizes = self._game.hands(len(seats))
        return {place: tuple(islice(cards, size)) for place, size in zip(places, sizes, strict=True)}

    def _lay_packet(self, heard: EventHeard) -> None:
        seat, count, is_drawn = heard.data["seat"], heard.data["count"], heard.data["drawn"]
        if seat in self._by_hand:
            self._dealing.lay(seat, self._by_hand[seat], is_drawn=False)
            return
        new = self._new(is_drawn=is_drawn)
        self._lay(seat, new[-count:] if self._is_shoe(is_drawn=is_drawn) and count else new[:count], is_drawn=is_drawn)

    def _lay_card(self, heard: EventHeard) -> None:
        """Lay one card out of the shoe. What was drawn before it and lies nowhere went out of play."""
        seat, new = heard.data["seat"], self._new(is_drawn=False)
        self._laid.update((False, piece.number) for piece in new)
        self._dealing.lay(seat, tuple(piece.face for piece in new[-1:]), is_drawn=seat in self._dealing.hands)

    def _lay(self, seat: int, pieces: Sequence[Piece], *, is_drawn: bool) -> None:
        self._laid.update((self._is_of_draws_shoe(is_drawn=is_drawn), piece.number) for piece in pieces)
        self._dealing.lay(seat, tuple(piece.face for piece in pieces), is_drawn=is_drawn)

    def _give_up(self, heard: EventHeard) -> None:
        """Give up the last cards of a hand where nobody chose which: somebody at a screen said only how many."""
        seat, discards = heard.data["seat"], heard.data.get("discards")
        if discards is not None:
            kept = len(self._dealing.first_hands.get(seat, ())) - discards
            self._dealing.hands[seat] = self._dealing.hands.get(seat, ())[: max(0, kept)]

    def _count_rest(self, _: EventHeard) -> None:
        """Count what is left: in the shoe, of the deck that was dealt by hand, or what the shuffler gave out last."""
        if isinstance(self._rig, ShoeRig):
            self._dealing.rest = len(self._rig.shoe.inside)
        elif self._rig.settings.batch:
            self._dealing.rest = len(self._dealing.picked_up) - sum(map(len, self._by_hand.values()))
        else:
            self._dealing.rest = len(self._rig.machine.places.ejected)

    def _new(self, *, is_drawn: bool) -> list[Piece]:
        of_draws = self._is_of_draws_shoe(is_drawn=is_drawn)
        return [piece for piece in self._out(is_drawn=is_drawn) if (of_draws, piece.number) not in self._laid]

    def _out(self, *, is_drawn: bool) -> Sequence[Piece]:
        """Return what came out of the machine that this card is from, in order."""
        rig = self._draws_rig if is_drawn and self._draws_rig is not None else self._rig
        if isinstance(rig, ShoeRig):
            return rig.shoe.drawn
        return (*rig.machine.places.taken, *rig.machine.places.tray)

    def _is_of_draws_shoe(self, *, is_drawn: bool) -> bool:
        return is_drawn and self._draws_rig is not None

    def _is_shoe(self, *, is_drawn: bool) -> bool:
        return self._is_of_draws_shoe(is_drawn=is_drawn) or isinstance(self._rig, ShoeRig)
