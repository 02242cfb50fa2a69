"""What an audit does for one game, and who may watch it: `feltd audit` counts everything, a start counts the edges."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from daemon.rules.audit.orbits import Roles
from daemon.rules.audit.report import GameAudit, audit_paytable
from daemon.rules.game import GameSpec
from daemon.rules.limits import Limits
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.wagers import WagerName
from protocols.frozen import dataclass

HouseT = TypeVar("HouseT")
ItemT = TypeVar("ItemT")

Orbits: TypeAlias = Sequence[tuple[Roles, int]]


class Counts(Protocol):
    """Something that counts over orbits of deals, part by part."""

    def count(self, orbits: Orbits, /) -> list[int]:
        """Return what these orbits add to every count."""


class Watch(Protocol):
    """Runs long counts, and may show a waiting person how far they are."""

    def count(self, counts: Counts, orbits: Orbits, label: str) -> list[int]:
        """Return the counts over all the orbits."""

    def each(self, items: Sequence[ItemT], label: str) -> Iterable[ItemT]:
        """Yield the items one by one."""

    def run(self, tasks: Sequence[Callable[[], ItemT]], label: str) -> Iterable[ItemT]:
        """Yield what the tasks return, in their order. They may run in other processes."""


class _Unwatched:
    """Counts at once, in this process."""

    def count(self, counts: Counts, orbits: Orbits, label: str) -> list[int]:
        return counts.count(orbits)

    def each(self, items: Sequence[ItemT], label: str) -> Iterable[ItemT]:
        return items

    def run(self, tasks: Sequence[Callable[[], ItemT]], label: str) -> Iterable[ItemT]:
        return (task() for task in tasks)


UNWATCHED: Final[Watch] = _Unwatched()


@dataclass(frozen=True, slots=True)
class Edge:
    """What the house keeps of a stake on one wager, in the mean. `at_most` where the player may do better."""

    wager: str
    paytable: str
    house_edge: Fraction
    at_most: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Auditor(Generic[HouseT]):
    """One game's audit. `quick_edges` gives the edges for a start, where the audit itself would take too long."""

    audit: Callable[[HouseT, Cents, Watch], GameAudit]
    quick_edges: Callable[[HouseT, Limits], Iterator[Edge]] | None = None

    def edges(self, house: HouseT, limits: Limits) -> Iterator[Edge]:
        """Yield the edge of everything that can be staked, at the least stake where the stake matters."""
        if self.quick_edges is not None:
            yield from self.quick_edges(house, limits)
        else:
            for wager in self.audit(house, DOLLAR, UNWATCHED).wagers:
                yield Edge(wager.name, wager.paytable, wager.house_edge)


def as_dealt(
    game: GameSpec[HouseT], counts: Mapping[WagerName, Mapping[Any, int]], assumptions: tuple[str, ...]
) -> Auditor[HouseT]:
    """Return the audit of a game without decisions: each spot's paytable over its counted cases."""

    def audit(house: HouseT, stake: Cents, _watch: Watch) -> GameAudit:
        wagers = (
            audit_paytable(spot.value, paytable, counts[spot], stake)
            for spot in game.spots
            for paytable in game.paytables_of(spot, house)
        )
        return GameAudit(game.name, game.title, assumptions, tuple(wagers))

    return Auditor(audit)
