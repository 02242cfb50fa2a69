"""Every code of a refusal of the table. They are public names, and stay: `systemd/CODES.md` explains each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, TypeAlias, cast

from daemon.table.state import Phase

RefusalName: TypeAlias = Literal[
    # who may, and for which round
    "expired",
    "id-reused",
    "not-permitted",
    "not-your-seat",
    "one-position",
    "other-round",
    "position-held",
    "round-missing",
    # the table, its game and its alerts
    "already-closed",
    "already-open",
    "already-played",
    "cause-stands",
    "game-not-offered",
    "no-such-alert",
    "play-blocked",
    "stakes-down",
    # what the cards are dealt from
    "burn-due",
    "deck-not-ready",
    "device-missing",
    "device-takes-no-commands",
    "no-such-count",
    "not-a-shoe",
    "not-a-shuffler",
    "shoe-not-loaded",
    "shoe-spoiled",
    "wrong-decks",
    # keys
    "key-means-nothing",
    "pressed-unheard",
    # bets; the rules of games and the limits say most of them (`RefusalCode`)
    "above-authorised",
    "above-most",
    "already-placed",
    "below-least",
    "cannot-be-followed",
    "cannot-be-paid-exactly",
    "colour-missing",
    "colour-not-named-here",
    "needs-another-wager",
    "no-bets",
    "no-such-seat",
    "not-offered",
    "not-whole-chips",
    "nothing-there",
    "off-step",
    "stake-disputed",
    "stake-not-positive",
    "too-many-changes",
    "too-many-large-wagers",
    "too-many-wagers",
    "wrong-stake",
    # decisions
    "already-announced",
    "already-there",
    "count-missing",
    "fold-first",
    "illegal-action",
    "no-such-hand",
    "nobody-else",
    "not-announced",
    "not-now",
    "not-the-button",
    "out-of-turn",
    "too-late",
    "verify-first",
    # cards that a person enters, and what a person reports
    "already-accounted",
    "already-reported",
    "card-too-often",
    "card-unplaced",
    "cards-missing",
    "cards-unnamed",
    "changed-since",
    "decided-on",
    "differs-from-record",
    "duplicate-card",
    "hands-missing",
    "not-asked",
    "not-dealt",
    "not-due-there",
    "not-shown",
    "not-this-hand",
    "nothing-missing",
    "place-missing",
    "read-by-device",
    "up-card-missing",
    "wrong-count",
    # what means nothing in a phase
    "not-while-idle",
    "not-while-betting",
    "not-while-choosing",
    "not-while-dealing",
    "not-while-dealt",
    "not-while-collecting",
    "not-while-counting",
    "not-while-insuring",
    "not-while-deciding",
    "not-while-showing",
    "not-while-first-five",
    "not-while-dealer-drawing",
    "not-while-reconciling",
    "not-while-held",
    "not-while-interrupted",
    "not-while-voiding",
]

NOT_WHILE: Final[Mapping[Phase, RefusalName]] = MappingProxyType(
    {phase: cast("RefusalName", f"not-while-{phase.value}") for phase in Phase}
)
"""Why something means nothing now, for each phase."""
