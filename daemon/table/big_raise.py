"""Big Raise Hold'em at the table (big-raise-holdem.md): two cards a player, three for the dealer, three in common.

Packets come from a shuffler that reads faces, because a Play bet of four antes is only legal on a pair and the table
must know. The rest of the deck is collected and the deck proven before anybody decides, so that nobody raises on a
foul deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from daemon.rules import big_raise
from daemon.rules.wagers import WagerName
from daemon.table import big_raise_settlement, deciding, keys, lifecycle, packets
from daemon.table.play import GamePlay, right_to_left
from daemon.table.procedure import Procedure, Trigger, goes
from daemon.table.rows import OVER, PACKET_WAITS_FOR, all_out, flat, packet_rows
from daemon.table.state import Packet, Phase, TableState
from daemon.table.vocabulary import COMMUNITY, DEALER, SeatNumber


def _plan(_state: TableState, seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
    players = tuple(Packet(seat, big_raise.PLAYER_CARDS) for seat in seats)
    return (*players, Packet(DEALER, big_raise.DEALER_CARDS), Packet(COMMUNITY, big_raise.COMMUNITY_CARDS))


_DECIDING: Final = all_out(Phase.DECIDING) | {
    Trigger.SELECT_SEAT: goes(keys.select, Phase.DECIDING),
    Trigger.DECIDE: goes(deciding.decide, Phase.DECIDING, Phase.RECONCILING, OVER),
}

BIG_RAISE: Final = Procedure(
    play=GamePlay(
        house=big_raise_settlement.house_of,
        first_packet_cards=big_raise.PLAYER_CARDS,
        not_ready=packets.not_ready,
        deal=packets.begin,
        plan=_plan,
        after_proof=deciding.begin,
        resume=deciding.resume,
        asked=deciding.to_act,
        keyed=deciding.keyed,
        settle=big_raise_settlement.settle_hands,
        dealt=packets.all_dealt,
        reconciled_in=right_to_left,
        reconciled=lifecycle.settle,
        spot_names=MappingProxyType(
            {
                WagerName.ANTE: "ANTE",
                WagerName.PLAY: "PLAY",
                WagerName.ANTE_BONUS: "ANTE BONUS",
                WagerName.TWO_CARD_BONUS: "2 CARD BONUS",
                WagerName.FIVE_CARD_BONUS: "5 CARD BONUS",
            }
        ),
    ),
    transitions=MappingProxyType(flat(packet_rows(after_proof=Phase.DECIDING) | {Phase.DECIDING: _DECIDING})),
    waits_for=MappingProxyType({**PACKET_WAITS_FOR, Phase.DECIDING: "players decide: fold or play"}),
)
