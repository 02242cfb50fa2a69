"""Big Raise Hold'em at the bench: each player looks at two cards and the dealer's up card, and folds or plays.

The rule is one that a person can remember. Over all starts it gives away less than one percent of the Ante
against the best decision, which takes the auditor's code a second or two to find.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rich.text import Text

from daemon.rules.big_raise import (
    COMMUNITY_CARDS,
    DEALER_CARDS,
    PLAYER_CARDS,
)
from daemon.rules.big_raise_limits import PLAY_TIMES_LEAST, PLAY_TIMES_MOST, PLAY_TIMES_MOST_WITH_PAIR
from daemon.rules.dealt import named
from daemon.rules.money import dollars
from daemon.rules.wagers import GameName, WagerName
from daemon.table.state import Phase
from daemon.table.vocabulary import COMMUNITY, DEALER, Decision
from daemon.tools.bench.betting_habit import BettingHabit
from daemon.tools.bench.card_text import partly_open
from daemon.tools.bench.client import EventHeard
from daemon.tools.bench.dealing import Dealing, Duties
from daemon.tools.bench.game import BenchGame, Layout
from drivers.events import Button
from protocols.cards import Card, Rank

HABIT: Final = BettingHabit(WagerName.ANTE, (WagerName.TWO_CARD_BONUS, WagerName.FIVE_CARD_BONUS))
FOLDS: Final = 0
BEFORE_CARDS: Final = (Phase.IDLE.value, Phase.BETTING.value)
PLAY_KEYS: Final = {2: Button.PLAY_2, 3: Button.PLAY_3, 4: Button.PLAY_4}
HOUSE_RULES: Final = """\
[games.big-raise-holdem]
five_card_bonus = "BRH-04"
"""


def times_played(hand: Sequence[Card], up: Card) -> int:
    """Return how many Antes a player of this habit plays, or `FOLDS`.

    A pair plays the most. Otherwise the higher card has to be a nine or better and beat the dealer's up card, or meet
    it with an eight or better beside it; what beats it clearly plays the most that is allowed without a pair.
    """
    low, high = sorted(card.rank for card in hand)
    if low == high:
        return PLAY_TIMES_MOST_WITH_PAIR
    if high < Rank.NINE or high < up.rank or (high == up.rank and low < Rank.EIGHT):
        return FOLDS
    is_clear = high >= Rank.KING or (high >= Rank.JACK and low >= Rank.EIGHT and high > up.rank + 1)
    return PLAY_TIMES_MOST if is_clear else PLAY_TIMES_LEAST


class _Players:
    """Everybody who has an Ante down."""

    def __init__(self, dealing: Dealing) -> None:
        self._dealing = dealing
        self._up: Card | None = None
        self._antes: dict[int, int] = {}  # of those who have not decided
        self.duties: Final[Duties] = {
            "betting-closed": self._note_antes,
            "up-card-shown": self._see_up_card,
            "dealer-prompted": self._decide_when_asked,
            "player-decided": self._note_decision,
            "round-voided": self._note_void,
        }

    async def _note_antes(self, heard: EventHeard) -> None:
        antes = (stake for stake in heard.data["stakes"] if stake["wager"] == WagerName.ANTE.value)
        self._antes = {stake["seat"]: stake["stake_cents"] for stake in antes}
        self._up = None

    async def _see_up_card(self, heard: EventHeard) -> None:
        self._up = Card.parse(heard.data["card"])

    async def _note_decision(self, heard: EventHeard) -> None:
        self._antes.pop(heard.data["seat"], None)

    async def _note_void(self, _: EventHeard) -> None:
        self._antes.clear()

    async def _decide_when_asked(self, heard: EventHeard) -> None:
        """Say it again if asked again after a standstill. What is said to the seat later is for the dealer."""
        seat = heard.data["seat"]
        hand = named(self._dealing.hands.get(seat, ()))
        if self._up is None or seat not in self._antes or len(hand) != PLAYER_CARDS:
            return
        times = times_played(hand, self._up)
        if times == FOLDS:
            await self._dealing.decide(heard, Decision.FOLD, Button.FOLD)
        else:
            stake_cents = times * self._antes[seat]
            await self._dealing.decide(heard, Decision.PLAY, PLAY_KEYS[times], stake_cents=stake_cents)


def _house(table: Mapping[str, Any]) -> Text:
    """Return the dealer's cards and those in common, as far as they lie open."""
    dealt = 0 if table["phase"] in BEFORE_CARDS else 1
    line = Text("dealer ").append_text(partly_open(table["dealer_cards"], dealt * DEALER_CARDS))
    return line.append("   in common ").append_text(partly_open(table["community_cards"], dealt * COMMUNITY_CARDS))


def _decided(data: Mapping[str, Any]) -> str:
    stake = data["stake_cents"]
    return f"seat {data['seat']} {'folds' if stake is None else f'plays {dollars(stake)}'}"


def _dealer_shows(data: Mapping[str, Any]) -> str:
    return f"dealer shows {' '.join(data['cards'])}, discards {data['discards']}: {data['reason']}"


def _fold_settled(data: Mapping[str, Any]) -> str:
    net = sum(wager["pays_cents"] for wager in data["wagers"])
    return f"seat {data['seat']}'s fold is settled: {dollars(net)}"


GAME: Final = BenchGame(
    name=GameName.BIG_RAISE,
    layout=Layout(
        columns=MappingProxyType(
            {
                WagerName.ANTE: ("\nANTE", 6),
                WagerName.PLAY: ("\nPLAY", 6),
                WagerName.TWO_CARD_BONUS: ("2 CARD\nBONUS", 6),
                WagerName.FIVE_CARD_BONUS: ("5 CARD\nBONUS", 6),
            }
        ),
        cards=PLAYER_CARDS,
        house=_house,
    ),
    bets=HABIT.bets,
    hands=lambda players: (*(PLAYER_CARDS,) * players, DEALER_CARDS, COMMUNITY_CARDS),
    house_places=(DEALER, COMMUNITY),
    partly_open=MappingProxyType({DEALER: 1}),
    duties=lambda dealing: _Players(dealing).duties,
    words=MappingProxyType(
        {
            "up-card-shown": lambda data: f"dealer's up card: {data['card']}",
            "player-decided": _decided,
            "dealer-hand-shown": _dealer_shows,
            "player-cards-shown": lambda data: f"seat {data['seat']} turns up {' '.join(data['cards'])}",
            "fold-settled": _fold_settled,
            "community-shown": lambda data: f"in common: {' '.join(data['cards'])}",
        }
    ),
    house_rules=HOUSE_RULES,
)
