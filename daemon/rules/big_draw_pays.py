"""Big Draw Poker's paytables: two games, and in each the bet on the first five and the one after the draw."""

from __future__ import annotations

from typing import Final

from daemon.rules.deuces import WildHand
from daemon.rules.paytable import Scale
from daemon.rules.paytable_text import read_paytable
from daemon.rules.scales import POKER

SOURCE: Final = "Big Draw Poker rules as approved by the Washington State Gambling Commission"

DEUCES: Final[Scale[WildHand]] = Scale(
    "five-card poker, deuces wild",
    tuple(WildHand),
    spell=lambda hand: hand.value,
    groups={"royal flush with deuces": (WildHand.WILD_ROYAL,)},
)

DRAW_BIG_DRAW: Final = read_paytable(
    "5 Card Draw Big Draw",
    SOURCE,
    POKER,
    {
        "royal flush": "200 to 1",
        "straight flush": "50 to 1",
        "four of a kind": "25 to 1",
        "full house": "6 to 1",
        "flush": "5 to 1",
        "straight": "3 to 1",
        "three of a kind": "2 to 1",
        "two pair": "1 to 1",
        "jacks or better": "push",
    },
)

DRAW_FIRST_5: Final = read_paytable(
    "5 Card Draw First 5",
    SOURCE,
    POKER,
    {
        "royal flush": "prize 5000.00",
        "straight flush": "prize 1000.00",
        "four of a kind": "200 to 1",
        "full house": "60 to 1",
        "flush": "25 to 1",
        "straight": "20 to 1",
        "three of a kind": "9 to 1",
        "two pair": "4 to 1",
        "jacks or better": "1 to 1",
    },
)

DEUCES_BIG_DRAW: Final = read_paytable(
    "Deuces Never Loses Big Draw",
    SOURCE,
    DEUCES,
    {
        "four deuces": "222 to 1",
        "royal flush, no deuces": "222 to 1",
        "wild royal": "10 to 1",
        "five of a kind": "9 to 1",
        "straight flush": "7 to 1",
        "four of a kind": "4 to 1",
        "full house": "2 to 1",
        "flush": "3 to 2",
        "straight": "1 to 1",
        "three of a kind": "push",
    },
)

DEUCES_FIRST_5: Final = read_paytable(
    "Deuces Never Loses First 5",
    SOURCE,
    DEUCES,
    {
        "four deuces": "prize 2222.00",
        "royal flush, no deuces": "prize 2222.00",
        "wild royal": "222 to 1",
        "five of a kind": "75 to 1",
        "straight flush": "30 to 1",
        "four of a kind": "12 to 1",
        "full house": "6 to 1",
        "flush": "5 to 1",
        "straight": "4 to 1",
        "three of a kind": "3 to 1",
    },
)
