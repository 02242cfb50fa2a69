"""What every game's rules answer in the same words: its bets, their paytables, whether a bet may be placed.

How a hand is settled differs from game to game in what must be known (cards, decisions, a dealer). So each game's
`settle` is called by the code that knows that game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from daemon.rules.limits import Limits
from daemon.rules.paytable import Paytable
from daemon.rules.results import Refused
from daemon.rules.wagers import GameName, Wager, WagerName
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

HouseT = TypeVar("HouseT")


def is_content(_house: object, _limits: Limits) -> Iterator[str]:
    """Return no caution: no wager of the game depends on the limits of another."""
    return iter(())


def lies_on_its_spot(bet: Wager, placed: Wager, _house: object) -> bool:
    """Return whether both bets are on one spot, where a seat has one stake on a spot."""
    return bet.name is placed.name


def by_the_cent(_wager: WagerName, _limits: Limits) -> int:
    """Say that no later bet has to follow in its own step."""
    return 1


@dataclass(frozen=True, slots=True)
class GameSpec(Generic[HouseT]):
    """One game. `house` is its options with their defaults; `spots` are in the order in which they are reconciled.

    `paytables_of` gives every paytable by which a spot may be paid; `check_wager` speaks of bets before the cards.
    `sold_later` are spots on which nothing is bet before the cards lie, with the reason.
    `replaces` says whether a new bet takes the place of this one of the same hand. `cautions` says what these limits
    refuse a player although each wager's own limits allow it. `followed_in` is the step of the stakes on a spot that a
    later bet can follow.
    `auditor` imports the game's audit, and is asked only where something is counted: a running table counts nothing.
    """

    name: GameName
    title: str
    spots: tuple[WagerName, ...]
    positions_max: int
    house: HouseT
    paytables_of: Callable[[WagerName, HouseT], tuple[Paytable[Any], ...]]
    check_wager: Callable[[Wager, Sequence[Wager], HouseT, Limits], Refused | None]
    auditor: Callable[[], Auditor[HouseT]]
    replaces: Callable[[Wager, Wager, HouseT], bool] = lies_on_its_spot
    cautions: Callable[[HouseT, Limits], Iterator[str]] = is_content
    followed_in: Callable[[WagerName, Limits], int] = by_the_cent
    sold_later: Mapping[WagerName, str] = field(default_factory=lambda: MappingProxyType({}))

    def check_wagers(self, wagers: Sequence[Wager], house: HouseT, limits: Limits) -> Refused | None:
        """Return why a hand's bets are not accepted together, or None."""
        for number, wager in enumerate(wagers):
            others = [*wagers[:number], *wagers[number + 1 :]]
            refused = self.check_wager(wager, others, house, limits)
            if refused is not None:
                return refused
        return None
