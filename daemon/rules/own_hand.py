"""A game in which players only bet: each hand of a player's own decides all wagers on it, and nothing else does.

A game says what there is to find in the cards, and for each spot which paytable pays it and which part of the findings
it looks at. Whether a bet may be placed, and what a hand comes to, is the same in all of these games and stands here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from daemon.rules.dealt import Dealt, irregularity, named
from daemon.rules.game import GameSpec, lies_on_its_spot
from daemon.rules.house import House
from daemon.rules.limits import NO_LIMITS, Limits, check_stake
from daemon.rules.paytable import CaseT, Paytable
from daemon.rules.results import RefusalCode, Refused, Settled, Voided, WagerResult, voided
from daemon.rules.settlement import settle_wager
from daemon.rules.wagers import GameName, Wager, WagerName
from protocols.cards import Card, Face
from protocols.frozen import dataclass

if TYPE_CHECKING:
    from daemon.rules.audit.auditor import Auditor

HouseT = TypeVar("HouseT", bound=House)
FoundT = TypeVar("FoundT")


@dataclass(frozen=True, slots=True)
class Spot(Generic[HouseT, FoundT, CaseT]):
    """One spot: the paytable by which the house pays it, and the case on its scale that a bet there has."""

    pays: Callable[[HouseT], Paytable[CaseT]]
    case: Callable[[FoundT, Wager], CaseT]

    def settle(self, wager: Wager, found: FoundT, cards: tuple[Card, ...], house: HouseT) -> WagerResult:
        """Return what the findings come to for a bet on this spot."""
        return settle_wager(wager, self.pays(house), self.case(found, wager), cards, house.money)


def names_no_colour(wager: Wager, _house: object) -> Refused | None:
    """Refuse a bet that names a colour, on a spot where the player names none."""
    if wager.colour is None:
        return None
    message = f"{wager.name.value}: no colour is named here; the stake wins or loses without one"
    return Refused(RefusalCode.COLOUR_NOT_NAMED_HERE, message, wager.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnHandRules(Generic[HouseT, FoundT]):
    """One such game. `find` says what a hand's cards are. `spots` stand in the order in which they are reconciled.

    `check_colour` says why a bet that names this colour, or none, is not accepted. The other fields are `GameSpec`'s.
    """

    name: GameName
    title: str
    hand_cards: int
    positions_max: int
    house: HouseT
    spots: Mapping[WagerName, Spot[HouseT, FoundT, Any]]
    find: Callable[[tuple[Card, ...]], FoundT]
    auditor: Callable[[], Auditor[HouseT]]
    check_colour: Callable[[Wager, HouseT], Refused | None] = names_no_colour
    replaces: Callable[[Wager, Wager, HouseT], bool] = lies_on_its_spot

    def spec(self) -> GameSpec[HouseT]:
        """Return the game as the catalogue has it."""
        return GameSpec(
            name=self.name,
            title=self.title,
            spots=tuple(self.spots),
            positions_max=self.positions_max,
            house=self.house,
            paytables_of=self.paytables_of,
            check_wager=self.check_wager,
            auditor=self.auditor,
            replaces=self.replaces,
        )

    def paytables_of(self, wager: WagerName, house: HouseT | None = None) -> tuple[Paytable[Any], ...]:
        """Return the paytable by which the house pays a spot. A spot of another game has none."""
        spot = self.spots.get(wager)
        return () if spot is None else (spot.pays(house or self.house),)

    def check_wager(
        self, wager: Wager, placed: Sequence[Wager], house: HouseT | None = None, limits: Limits = NO_LIMITS
    ) -> Refused | None:
        """Return why the bet is not accepted beside the hand's other bets, or None."""
        house = house or self.house
        paytables = self.paytables_of(wager.name, house)
        if not paytables:
            allowed = ", ".join(spot.value for spot in self.spots)
            message = f"{wager.name.value} is not a wager of {self.title}. It has {allowed}"
            return Refused(RefusalCode.NOT_OFFERED, message, wager.name)
        return self.check_colour(wager, house) or check_stake(wager, placed, paytables, house.money, limits)

    def settle(
        self, faces: Sequence[Face], wagers: Sequence[Wager], house: HouseT | None = None
    ) -> Settled[FoundT] | Voided:
        """Return what one hand comes to. The wagers have passed `check_wager` under the same options."""
        wrong = irregularity(Dealt("hand", faces, self.hand_cards))
        if wrong is not None:
            return voided(wagers, wrong)
        house, cards = house or self.house, named(faces)
        found = self.find(cards)
        return Settled(tuple(self.spots[bet.name].settle(bet, found, cards, house) for bet in wagers), found)
