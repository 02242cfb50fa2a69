"""A game in which players only bet: each has a packet of their own, and it alone decides.

One packet a seat, the rest of the deck, proof, reconciling from the dealer's right. The rules say what a hand comes to,
and the game says what its spots and its hands are called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Generic, TypeVar

from daemon.rules.house import House
from daemon.rules.own_hand import OwnHandRules
from daemon.rules.results import Settled, Voided, WagerResult
from daemon.rules.wagers import Wager, WagerName
from daemon.table import lifecycle, packets, reconciling
from daemon.table.play import GamePlay, asks_nobody, has_no_keys, right_to_left
from daemon.table.procedure import Procedure
from daemon.table.round_facts import HandSettled
from daemon.table.rows import PACKET_WAITS_FOR, packet_rows
from daemon.table.stakes import as_wager, said_wager, within_aggregates
from daemon.table.state import Hand, Packet, Phase, Round, TableState
from daemon.table.vocabulary import SeatNumber
from protocols.frozen import dataclass

HouseT = TypeVar("HouseT", bound=House)
FoundT = TypeVar("FoundT")


@dataclass(frozen=True, slots=True)
class OwnHands(Generic[HouseT, FoundT]):
    """One such game. `name_and_total` gives what a hand is called, and its total if it has one."""

    rules: OwnHandRules[HouseT, FoundT]
    name_and_total: Callable[[FoundT], tuple[str, int | None]]
    spot_names: Mapping[WagerName, str]

    def procedure(self) -> Procedure:
        """Return how the game is played."""
        play = GamePlay(
            options=type(self.rules.house),
            first_packet_cards=self.rules.hand_cards,
            not_ready=packets.not_ready,
            deal=packets.begin,
            plan=self._plan,
            after_proof=reconciling.begin,
            resume=reconciling.resume,
            asked=asks_nobody,
            keyed=has_no_keys,
            settle=self.settle_hands,
            after_deal=packets.all_dealt,
            reconciled_in=right_to_left,
            after_reconciling=lifecycle.settle,
            spot_names=self.spot_names,
        )
        return Procedure(play, MappingProxyType(packet_rows(after_proof=Phase.RECONCILING)), PACKET_WAITS_FOR)

    def _plan(self, _state: TableState, seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
        return tuple(Packet(seat, self.rules.hand_cards) for seat in seats)

    def settle_hands(self, state: TableState, hands: Sequence[Hand]) -> tuple[HandSettled, ...]:
        """Settle every hand whose cards are known, in the order dealt. They share what one deal may pay."""
        house, played = state.settings.house, state.round
        assert played is not None
        assert isinstance(house, type(self.rules.house))
        paytables_of = self.rules.paytables_of
        known = [hand for hand in hands if hand.faces is not None]
        results = [self.rules.settle(hand.faces or (), self._wagers(hand, played), house) for hand in known]
        wagers = within_aggregates(
            [result.wagers for result in results],
            played.limits,
            lambda wager: next(iter(paytables_of(wager, house)), None),
            house.money.chip,
        )
        return tuple(map(self._hand_settled, known, results, wagers))

    def _hand_settled(self, hand: Hand, result: Settled[FoundT] | Voided, wagers: Sequence[WagerResult]) -> HandSettled:
        name, total = self.name_and_total(result.findings) if isinstance(result, Settled) else (None, None)
        return HandSettled(hand.seat, hand.faces or (), hand.evidence, name, total, tuple(map(said_wager, wagers)))

    def _wagers(self, hand: Hand, played: Round) -> list[Wager]:
        stakes = sorted(played.stakes_of(hand.seat), key=lambda stake: list(self.rules.spots).index(stake.wager))
        return [as_wager(stake) for stake in stakes]
