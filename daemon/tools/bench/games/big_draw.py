"""Big Draw Poker at the bench: the player with the button chooses a side or passes, and all draw to what is worth most.

A player gives up cards by their number, face down, as at a real table. So only that player knows the hand after the
draw, and the dealer enters most hands when they are turned over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, Final

from rich.text import Text

from daemon.rules.audit.big_draw import draw_game
from daemon.rules.audit.draw import DrawGame, split
from daemon.rules.big_draw import HAND_CARDS, HOUSE, Variant, hand_of, paytable_of
from daemon.rules.dealt import named
from daemon.rules.money import DOLLAR, dollars
from daemon.rules.wagers import GameName, WagerName
from daemon.table.vocabulary import Actor, Decision
from daemon.tools.bench.betting_habit import BettingHabit, Occasion
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame, Layout
from drivers.events import Button
from protocols.cards import Card

HABIT: Final = BettingHabit(WagerName.BIG_DRAW, (WagerName.FIRST_5,))
PASSES_ONE_IN: Final = 5
TITLES: Final = {Variant.FIVE_CARD_DRAW: "5 Card Draw", Variant.DEUCES_NEVER_LOSES: "Deuces Never Loses"}
SIDE_KEYS: Final = {
    Variant.FIVE_CARD_DRAW: Button.FIVE_CARD_DRAW,
    Variant.DEUCES_NEVER_LOSES: Button.DEUCES_NEVER_LOSES,
}
DRAW_KEYS: Final = (Button.DRAW_0, Button.DRAW_1, Button.DRAW_2, Button.DRAW_3, Button.DRAW_4, Button.DRAW_5)
FIRST_5_ASKED: Final = "First 5"
"""With this the prompt before First 5 is settled begins, where the dealer is waited for."""


@cache
def _game(variant: Variant) -> DrawGame[Any]:
    return draw_game(variant, HOUSE, DOLLAR)


def kept(hand: Sequence[Card], variant: Variant) -> tuple[Card, ...]:
    """Return what a player keeps: whatever is worth most to Big Draw, by the auditor's count of every draw.

    The count knows no card twice. A player who has one, out of a deck that somebody spoiled, keeps all.
    """
    if len(set(hand)) < len(hand):
        return tuple(hand)
    return split(hand, _game(variant).best(hand))[0]


def wins_first_5(hand: Sequence[Card], variant: Variant) -> bool:
    """Return whether a player says that the five cards won."""
    paytable = paytable_of(WagerName.FIRST_5, variant, HOUSE)
    assert paytable is not None, "the bet is on the layout on both sides of the button"
    return paytable.row_for(hand_of(hand, variant)) is not None


class _Players:
    """Everybody with a bet down, and what the dealer sees of the hands that players show."""

    def __init__(self, dealing: Dealing) -> None:
        self._dealing = dealing
        self._variant: Variant | None = None
        self._number = 0
        self._has_passed = self._has_announced = self._is_first_5_done = False
        self._first_5_seats: tuple[int, ...] = ()
        self._first: dict[int, tuple[Card, ...]] = {}
        self.duties: Final[Duties] = {
            "round-opened": self._begin,
            "betting-closed": self._note_first_5,
            "button-moved": self._note_pass,
            "game-chosen": self._see_side,
            "dealer-prompted": self._do_as_prompted,
        }

    async def _begin(self, heard: EventHeard) -> None:
        self._number = heard.data["number"]
        self._variant = None
        self._has_passed = self._has_announced = self._is_first_5_done = False
        self._first.clear()

    async def _note_first_5(self, heard: EventHeard) -> None:
        stakes = heard.data["stakes"]
        self._first_5_seats = tuple(s["seat"] for s in stakes if s["wager"] == WagerName.FIRST_5.value)

    async def _note_pass(self, heard: EventHeard) -> None:
        self._has_passed = self._has_passed or heard.data["why"] == "passed"

    async def _see_side(self, heard: EventHeard) -> None:
        self._variant = Variant(heard.data["variant"])

    async def _do_as_prompted(self, heard: EventHeard) -> None:
        sentence = heard.data["sentence"]
        if sentence.startswith(FIRST_5_ASKED):
            await self._finish_first_5(heard)
        elif "?" in sentence and self._variant is None:
            await self._choose(heard)
        elif "?" in sentence and self._variant is not None:
            await self._announce(heard)
            await self._draw(heard, self._variant)

    async def _choose(self, heard: EventHeard) -> None:
        """Choose a game, or pass the button: once at most, and not at a table with one seat."""
        occasion = Occasion(self._dealing.seed, self._number, heard.data["seat"])
        if self._dealing.seats > 1 and not self._has_passed and occasion.is_one_in(PASSES_ONE_IN, "passes"):
            await self._dealing.say(heard, "pass-button", Button.CHOICE_PASSED)
            return
        variant = tuple(Variant)[occasion.draw("side") % len(Variant)]
        await self._dealing.say(heard, "choose-game", SIDE_KEYS[variant], variant=variant.value)

    async def _draw(self, heard: EventHeard, variant: Variant) -> None:
        seat = heard.data["seat"]
        hand = named(self._dealing.hands.get(seat, ()))
        if len(hand) != HAND_CARDS:
            return
        self._first[seat] = hand
        if seat in self._dealing.guests.seats:  # who says which cards they keep, and then how many they give up
            self._dealing.guests.ask(heard)
            return
        keeps = self._dealing.hands[seat] = kept(hand, variant)
        discards = HAND_CARDS - len(keeps)
        await self._dealing.decide(heard, Decision.DRAW, DRAW_KEYS[discards], discards=discards)

    async def _announce(self, heard: EventHeard) -> None:
        """Everybody who has won First 5 says so, once they have all five cards and before anybody draws."""
        if self._has_announced:
            return
        self._has_announced = True
        for seat in self._winners().keys() - self._dealing.guests.seats:
            await self._dealing.ask_for(seat, "claim", heard.round_id)

    async def _finish_first_5(self, heard: EventHeard) -> None:
        """Players who won turn their five over, discards and all, and the dealer enters what no device read."""
        if self._is_first_5_done:
            return
        self._is_first_5_done = True
        await self._announce(heard)
        await self._dealing.pace.wait(self._dealing.pace.seat_s)
        for seat, hand in self._winners().items():
            cards = [str(card) for card in hand]
            await self._dealing.client.ask("enter-cards", Actor.DEALER, heard.round_id, seat=seat, cards=cards)
        await self._dealing.keys.press(Button.NEXT)

    def _winners(self) -> dict[int, tuple[Card, ...]]:
        """Return the hands, as they were dealt, that win First 5."""
        won: dict[int, tuple[Card, ...]] = {}
        for seat in self._first_5_seats:
            hand = self._first.get(seat) or named(self._dealing.hands.get(seat, ()))
            if self._variant is not None and len(hand) == HAND_CARDS and wins_first_5(hand, self._variant):
                won[seat] = hand
        return won


def _house(table: Mapping[str, Any]) -> Text:
    """Return where the button lies, and which side is up."""
    variant = table["variant"]
    side = "" if variant is None else f" · {TITLES[Variant(variant)]}"
    return Text(f"button at seat {table['button']}{side}", style="bold")


def _first_5(data: Mapping[str, Any]) -> str:
    cards = f"{' '.join(data['cards'])}, {data['hand']}" if data["cards"] else "face down"
    return f"seat {data['seat']}: First 5 {dollars(data['wager']['pays_cents'])}, {cards}"


GAME: Final = BenchGame(
    name=GameName.BIG_DRAW,
    has_draws_from_shoe=True,
    layout=Layout(
        columns=MappingProxyType({WagerName.FIRST_5: ("FIRST\n5", 6), WagerName.BIG_DRAW: ("BIG\nDRAW", 6)}),
        cards=HAND_CARDS,
        house=_house,
    ),
    bets=HABIT.bets,
    hands=lambda players: (HAND_CARDS,) * players,
    duties=lambda dealing: _Players(dealing).duties,
    bets_after="game-chosen",
    words=MappingProxyType(
        {
            "button-moved": lambda data: f"the button goes to seat {data['seat']}: {data['why']}",
            "game-chosen": lambda data: f"seat {data['seat']} chooses {TITLES[Variant(data['variant'])]}",
            "player-decided": lambda data: f"seat {data['seat']} draws {data['discards']}",
            "first-five-claimed": lambda data: f"seat {data['seat']} announces First 5",
            "first-five-settled": _first_5,
        }
    ),
)
