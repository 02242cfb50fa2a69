"""Bad Beat Blackjack at the bench: players go by basic strategy, never insure, and now and then make the side bet.

Their cards lie open but for the dealer's second, so what they know is what was heard. They follow it with the rules'
own account of a hand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from rich.text import Text

from daemon.counting import counted
from daemon.rules.blackjack.basic import basic_action
from daemon.rules.blackjack.house import HOUSE
from daemon.rules.blackjack.play import Action, Play, deal, decide, draw
from daemon.rules.money import dollars
from daemon.rules.results import Refused
from daemon.rules.wagers import GameName, WagerName
from daemon.table.vocabulary import DEALER, Decision
from daemon.table.wording import place_name
from daemon.tools.bench.betting_habit import BettingHabit
from daemon.tools.bench.card_text import open_cards, partly_open
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame, Layout
from drivers.events import Button
from protocols.cards import Card

HABIT: Final = BettingHabit(WagerName.BLACKJACK, (WagerName.BAD_BEAT,))
FIRST_CARDS: Final = 2
CARDS_SHOWN: Final = 7
HOUSE_RULES: Final = """\
[games.bad-beat-blackjack]
decks = {decks}
burn_cards = 1
"""
BURN_CARDS: Final = 1
KEYS: Final = MappingProxyType(
    {
        Action.STAND: (Decision.STAND, Button.STAND),
        Action.HIT: (Decision.HIT, Button.HIT),
        Action.DOUBLE: (Decision.DOUBLE, Button.DOUBLE),
        Action.SPLIT: (Decision.SPLIT, Button.SPLIT),
        Action.SURRENDER: (Decision.SURRENDER, Button.SURRENDER),
    }
)
"""How each action is said, and with which key. Even money is insurance, and nobody here takes it."""
_ACTIONS: Final = MappingProxyType({decision.value: action for action, (decision, _) in KEYS.items()})


class _Players:
    """Everybody with a hand."""

    def __init__(self, dealing: Dealing) -> None:
        self._dealing = dealing
        self._first: dict[int, list[Card]] = defaultdict(list)
        self._plays: dict[int, Play] = {}
        self.duties: Final[Duties] = {
            "betting-closed": self._begin,
            "card-dealt": self._see_card,
            "player-decided": self._follow,
            "dealer-prompted": self._do_as_asked,
        }

    async def _begin(self, _: EventHeard) -> None:
        self._first.clear()
        self._plays.clear()

    async def _see_card(self, heard: EventHeard) -> None:
        seat, name = heard.data["seat"], heard.data["card"]
        if name is None:
            return
        card = Card.parse(name)
        play = self._plays.get(seat)
        if play is None:
            self._first[seat].append(card)
        else:
            self._plays[seat] = _agreed(draw(play, card, HOUSE))

    async def _follow(self, heard: EventHeard) -> None:
        play = self._play_of(heard.data["seat"])
        action = _ACTIONS.get(heard.data["decision"])
        if play is not None and action is not None:
            self._plays[heard.data["seat"]] = _agreed(decide(play, action, HOUSE))

    async def _do_as_asked(self, heard: EventHeard) -> None:
        """Do as the prompt asks. A question to a seat is for its player; one to everybody is about insurance."""
        if not heard.data["sentence"].endswith("?"):
            if "Insurance?" in heard.data["sentence"]:
                await self._dealing.pace.wait(self._dealing.pace.decide_s)
                await self._dealing.keys.press(Button.NEXT)
            return
        play = self._play_of(heard.data["seat"])
        if play is not None:
            decision, key = KEYS[basic_action(play, HOUSE)]
            await self._dealing.decide(heard, decision, key)

    def _play_of(self, seat: int | None) -> Play | None:
        """Return a seat's hands, from the moment when its two cards and the dealer's are known."""
        if seat is None or seat == DEALER:
            return None
        if seat not in self._plays and len(self._first[seat]) == FIRST_CARDS and self._first[DEALER]:
            first, second = self._first[seat]
            self._plays[seat] = deal(first, second, self._first[DEALER][0])
        return self._plays.get(seat)


def _agreed(moved: Play | Refused) -> Play:
    assert isinstance(moved, Play), f"the table did what the rules refuse: {moved.message}"
    return moved


def _house(table: Mapping[str, Any]) -> Text:
    """Return the dealer's cards as far as they lie open, and what the shoe still holds."""
    shown = table["dealer_cards"]
    line = Text("dealer ").append_text(partly_open(shown, max(FIRST_CARDS, len(shown)) if shown else 0))
    shoe = table["shoe"]
    return line if shoe is None else line.append(f"   shoe: {counted(shoe['cards_gone'], 'card')} gone", style="dim")


def _hands(seat: Mapping[str, Any]) -> Text:
    """Return all hands of a seat, a stroke between them."""
    return Text(" | ").join(open_cards(hand["cards"]) for hand in seat["hands"])


def _dealt(data: Mapping[str, Any]) -> str:
    return f"{place_name(data['seat'])}: {data['card'] or 'a card face down'}"


def _decided(data: Mapping[str, Any]) -> str:
    hand = "" if data["hand"] is None else f", hand {data['hand']}"
    return f"seat {data['seat']}{hand}: {data['decision']}"


def _taken(data: Mapping[str, Any]) -> str:
    wager = data["wager"]
    return f"seat {data['seat']}: {wager['wager']} {dollars(wager['pays_cents'])}: {data['why']}"


GAME: Final = BenchGame(
    name=GameName.BLACKJACK,
    layout=Layout(
        columns=MappingProxyType(
            {
                WagerName.BLACKJACK: ("\nBET", 9),
                WagerName.INSURANCE: ("\nINSURANCE", 9),
                WagerName.BAD_BEAT: ("BAD\nBEAT", 6),
            }
        ),
        cards=CARDS_SHOWN,
        house=_house,
        hands=_hands,
    ),
    bets=HABIT.bets,
    hands=lambda players: (FIRST_CARDS,) * (players + 1),
    duties=lambda dealing: _Players(dealing).duties,
    words=MappingProxyType(
        {
            "card-dealt": _dealt,
            "player-decided": _decided,
            "dealer-peeked": lambda data: f"dealer peeks: {'blackjack' if data['blackjack'] else 'no blackjack'}",
            "dealer-cards-shown": lambda data: f"dealer shows {' '.join(data['cards'])}, {data['total']}",
            "wager-taken": _taken,
            "shoe-loaded": lambda data: f"shoe loaded: {counted(data['decks'], 'deck')}",
            "card-burned": lambda _: "a card is burned",
            "cut-card-out": lambda _: "the cut card: last round of this shoe",
        }
    ),
    house_rules=HOUSE_RULES,
    decks=HOUSE.decks,
    burn_cards=BURN_CARDS,
)
