"""Big Raise Hold'em at the table (big-raise-holdem.md): two cards a player, three for the dealer, three in common.

The rest of the deck is collected and the deck proven before anybody decides, so that nobody raises on a foul deal.

What the table can check, and when. Cards that a device read are known from the start: a Play bet of four antes is
refused without a pair. Where none did, each place is entered when it lies open: the up card before the first decision,
a hand that plays with its Play bet, a hand that folds with a 2 Card Bonus before it is mucked, the dealer's hand and
the common cards when all have decided, and a fold with a five-card bonus in its turn of reconciling. A bet of four
antes is taken as claimed and proven by the hand at once; without a pair it is the irregularity `raise-without-pair`,
and to go on cuts the bet to what the rules allow. The rules' page leaves that to the house, and to void by itself would
reward a player who bets too much on a bad hand.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from daemon.frozen import replace
from daemon.rules import big_raise
from daemon.rules.house import House
from daemon.rules.wagers import WagerName
from daemon.table import betting, by_hand, keys, lifecycle, packets
from daemon.table.big_raise import deciding, settlement, showing
from daemon.table.big_raise.state import BigRaiseRound
from daemon.table.draft import Draft, Refusal
from daemon.table.play import GamePlay
from daemon.table.procedure import Asked, Procedure, Rows, goes
from daemon.table.rows import OVER, PACKET_WAITS_FOR, all_out, packet_rows
from daemon.table.state import Packet, Phase, TableState
from daemon.table.vocabulary import COMMUNITY, DEALER, SeatNumber, SourceKind


def _plan(_state: TableState, seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
    players = tuple(Packet(seat, big_raise.PLAYER_CARDS) for seat in seats)
    return (*players, Packet(DEALER, big_raise.DEALER_CARDS), Packet(COMMUNITY, big_raise.COMMUNITY_CARDS))


def _not_ready(state: TableState) -> Refusal | None:
    return by_hand.not_ready(state) if by_hand.is_dealt_by_hand(state) else packets.not_ready(state)


def _deal(draft: Draft) -> None:
    draft.round = replace(draft.round, own=BigRaiseRound())
    begin = by_hand.begin if by_hand.is_dealt_by_hand(draft.state) else packets.begin
    begin(draft)


def _not_shared(_options: House, wager: WagerName) -> str | None:
    """Say why what one deal may pay on a wager is not shared: a fold's bonus is paid before the others are known."""
    if wager is WagerName.TWO_CARD_BONUS:
        return "none: winners share it, and a fold is paid its bonus before the next player is asked"
    return None


_SHOWN: Final = (Phase.SHOWING, Phase.RECONCILING, OVER)
_ROWS: Final = packet_rows(Phase.DECIDING, Phase.SHOWING)
_OWN_ROWS: Final = {
    # a batch is looked at when the round takes it
    Phase.BETTING: _ROWS[Phase.BETTING]
    | Rows({Asked.GREEN: goes(betting.close, Phase.BETTING, Phase.DEALING, Phase.HELD, Phase.VOIDING)}),
    Phase.DEALING: _ROWS[Phase.DEALING]
    | Rows(
        {
            Asked.GREEN: goes(
                by_hand.all_out, Phase.DEALING, Phase.COUNTING, Phase.DECIDING, Phase.HELD, OVER, Phase.VOIDING
            )
        }
    ),
    Phase.DECIDING: all_out(Phase.DECIDING)
    | Rows(
        {
            Asked.SELECT_SEAT: goes(keys.select, Phase.DECIDING),
            Asked.DECIDE: goes(deciding.decide, Phase.DECIDING, Phase.SHOWING),
            Asked.NEXT: goes(deciding.next_pressed, Phase.DECIDING, Phase.SHOWING),
            Asked.ENTER_CARDS: goes(deciding.enter_cards, Phase.DECIDING, Phase.SHOWING, Phase.HELD, Phase.VOIDING),
        }
    ),
    Phase.SHOWING: all_out(Phase.SHOWING)
    | Rows(
        {
            Asked.NEXT: goes(showing.next_pressed, *_SHOWN),
            Asked.ENTER_CARDS: goes(showing.enter_cards, *_SHOWN),
        }
    ),
}

GAME: Final = Procedure(
    play=GamePlay(
        options=big_raise.BigRaiseHouse,
        dealt_from=(SourceKind.SHUFFLER, SourceKind.BATCH),
        not_shared=_not_shared,
        first_packet_cards=big_raise.PLAYER_CARDS,
        not_ready=_not_ready,
        deal=_deal,
        plan=_plan,
        after_proof=deciding.begin,
        resume=deciding.resume,
        asked=deciding.asked,
        keyed=deciding.keyed,
        puts_down=deciding.puts_down,
        settle=settlement.settle_hands,
        after_deal=packets.all_dealt,
        reconciled_in=settlement.left_to_settle,
        after_reconciling=lifecycle.settle,
        found_in=deciding.found_in,
        picture=showing.picture,
        seat_picture=showing.seat_picture,
        allow=deciding.allow,
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
    rows=MappingProxyType({**_ROWS, **_OWN_ROWS}),
    waits_for=MappingProxyType(
        {
            **PACKET_WAITS_FOR,
            Phase.DECIDING: "players decide: fold or play",
            Phase.SHOWING: "the dealer's and the community cards are turned over and entered",
        }
    ),
)
