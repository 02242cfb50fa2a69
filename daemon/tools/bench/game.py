"""What the bench has to know of a game to play it: a row of `GAMES`, and nothing of it anywhere else.

A game's people learn what everybody at a table learns: what was heard on MQTT, and their own cards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from rich.text import Text

from daemon.config.checks import can_deal
from daemon.config.settings import kind_of
from daemon.rules.wagers import GameName, WagerName
from daemon.table.games import PROCEDURES
from daemon.table.vocabulary import SourceKind
from daemon.tools.bench.betting_habit import PlacedBet
from daemon.tools.bench.dealing import Dealing, Duties
from drivers.profile import DeviceRole
from drivers.profiles import PROFILES
from protocols.frozen import dataclass

Words: TypeAlias = Callable[[Mapping[str, Any]], str]
"""An event's data in the words of somebody at the table."""


def no_duties(_: Dealing) -> Duties:
    """Return a game in which players only bet."""
    return {}


@dataclass(frozen=True, slots=True)
class Layout:
    """How the picture shows the game. `columns` are its spots with a heading of two lines and a width.

    `house` draws what lies open for everybody from the table's public picture; None in a game without such cards.
    `hands` draws what lies open at a seat from the seat's; None where nothing does before it is settled.
    """

    columns: Mapping[WagerName, tuple[str, int]]
    cards: int
    has_total: bool = False
    house: Callable[[Mapping[str, Any]], Text] | None = None
    hands: Callable[[Mapping[str, Any]], Text] | None = None


@dataclass(frozen=True, slots=True)
class BenchGame:
    """One game at the bench.

    `bets` are everybody's by seed, round number and seats. `hands` are the sizes of what is dealt to so many players,
    in order, the house's own after theirs, which lie at `house_places`; of those in
    `partly_open` so many cards lie open before the rest. With `has_draws_from_shoe` a shoe beside the
    shuffler can get the rest of its deck.
    `bets_after` is the kind of the event after which bets are taken. `duties` is what players do beyond betting.
    `words` are those of the events that only this game has. `house_rules` goes into the configuration, with the number
    of `{decks}`. `decks` lie in a shoe unless it is asked for others, and `burn_cards` of them are burned.
    """

    name: GameName
    layout: Layout
    bets: Callable[[int, int, int], tuple[PlacedBet, ...]]
    hands: Callable[[int], tuple[int, ...]]
    house_places: tuple[int, ...] = ()
    partly_open: Mapping[int, int] = field(default_factory=dict)
    duties: Callable[[Dealing], Duties] = no_duties
    bets_after: str = "round-opened"
    words: Mapping[str, Words] = field(default_factory=dict)
    house_rules: str = ""
    decks: int = 1
    burn_cards: int = 0
    has_draws_from_shoe: bool = False

    @property
    def profiles(self) -> tuple[str, ...]:
        """Return the profiles that can deal it, the usual one first. `feltd check-config` takes the same."""
        kinds = PROCEDURES[self.name].play.dealt_from
        deals = [profile for profile in PROFILES.values() if can_deal(profile, self.name)]
        return tuple(profile.name for kind in kinds for profile in deals if kind_of(profile) is kind)

    @property
    def profiles_before_shoe(self) -> tuple[str, ...]:
        """Return the shufflers that can deal it where draws come from a shoe beside them: all that give packets."""
        shufflers = (profile for profile in PROFILES.values() if profile.role is DeviceRole.SHUFFLER)
        packets = tuple(profile.name for profile in shufflers if kind_of(profile) is SourceKind.SHUFFLER)
        return packets if self.has_draws_from_shoe else ()

    @property
    def draws_from(self) -> tuple[str, ...]:
        """Return the profiles of the shoes that can get the rest of a shuffler's deck."""
        shoes = (profile.name for profile in PROFILES.values() if profile.role is DeviceRole.SHOE)
        return tuple(shoes) if self.has_draws_from_shoe else ()
