"""What the players of the long runs come to, exactly, where they decide something: counted over all deals, and kept.

Big Raise is played by the bench's rule of `times_played`, Big Draw by the best draw. The counts are in `counts.json`
because counting them takes minutes: `python -m tests.shift.counting` writes the file anew, and `make soak` fails when
it finds other numbers than these.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, Final

from daemon.rules.audit.big_draw import completions_of, draw_game
from daemon.rules.audit.big_raise import COMMUNITIES, DEALS, hands_from
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.showdowns import WinCounter, community_orbits
from daemon.rules.big_draw import HOUSE, Variant
from daemon.rules.big_raise_pays import Showdown
from daemon.rules.money import DOLLAR
from daemon.tools.bench.games.big_raise import times_played

FILE: Final = Path(__file__).parent / "counts.json"
SHOWDOWNS: Final = "big-raise-showdowns"
HANDS_PLAYED: Final = "big-raise-hands-played"


def stored() -> dict[str, dict[str, int]]:
    """What was counted: by what was counted, the ways to each case by its name."""
    kept: dict[str, dict[str, int]] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


def big_raise_habit() -> dict[str, dict[str, int]]:
    """Every start weighed with every community and every hidden pair of the dealer's."""
    counter = WinCounter()
    showdowns: Counter[str] = Counter()
    hands: Counter[str] = Counter()
    for wins in counter.wins(counter.count(community_orbits())):
        pair, up = wins.start
        if not times_played(pair, up):
            showdowns[Showdown.FOLDED.name] += wins.starts * DEALS
            continue
        showdowns[Showdown.PLAYER_BEATS.name] += wins.starts * (wins.total - wins.ties)
        showdowns[Showdown.TIE.name] += wins.starts * wins.ties
        showdowns[Showdown.DEALER_BEATS.name] += wins.starts * (DEALS - wins.total)
        for kind, ways in hands_from(wins.start).items():
            hands[kind.name] += wins.starts * ways * (DEALS // COMMUNITIES)
    return {SHOWDOWNS: dict(showdowns), HANDS_PLAYED: dict(hands)}


def best_draws(variant: Variant) -> dict[str, int]:
    """What the best draw makes of all hands."""
    kinds: Any = completions_of(variant).kinds
    counts = draw_game(variant, HOUSE, DOLLAR).count(orbits((5,)))
    return {kind.name: ways for kind, ways in zip(kinds, counts, strict=True)}


def counted() -> dict[str, dict[str, int]]:
    """All of it."""
    return big_raise_habit() | {variant.value: best_draws(variant) for variant in Variant}


if __name__ == "__main__":
    FILE.write_text(json.dumps(counted(), indent=1) + "\n", encoding="utf-8")
