"""Big 50 at the table: bets, one packet a seat, the rest of the deck, proof, reconciling (big-50.md)."""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from daemon.rules import big_50
from daemon.rules.wagers import WagerName
from daemon.table import lifecycle, packets, reconciling
from daemon.table.big_50 import settlement
from daemon.table.play import GamePlay, asks_nobody, has_no_keys, right_to_left
from daemon.table.procedure import Procedure
from daemon.table.rows import PACKET_WAITS_FOR, packet_rows
from daemon.table.state import Packet, Phase, TableState
from daemon.table.vocabulary import SeatNumber


def _plan(_state: TableState, seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
    return tuple(Packet(seat, big_50.HAND_CARDS) for seat in seats)


GAME: Final = Procedure(
    play=GamePlay(
        options=big_50.Big50House,
        first_packet_cards=big_50.HAND_CARDS,
        not_ready=packets.not_ready,
        deal=packets.begin,
        plan=_plan,
        after_proof=reconciling.begin,
        resume=reconciling.resume,
        asked=asks_nobody,
        keyed=has_no_keys,
        settle=settlement.settle_hands,
        dealt=packets.all_dealt,
        reconciled_in=right_to_left,
        reconciled=lifecycle.settle,
        spot_names=MappingProxyType(
            {
                WagerName.POKER_HAND: "ROYAL FLUSH",
                WagerName.RED_BLACK: "ALL RED / ALL BLACK",
                WagerName.BIG_50: "BIG 50",
                WagerName.RANGE: "RANGE",
            }
        ),
    ),
    rows=MappingProxyType(packet_rows(after_proof=Phase.RECONCILING)),
    waits_for=PACKET_WAITS_FOR,
)
