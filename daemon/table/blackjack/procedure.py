"""Bad Beat Blackjack at the table (bad-beat-blackjack.md), from a shoe of one to eight decks that reads its cards.

The shoe's cards have no address, so the procedure attributes each by what was decided before it. What follows what
is in `blackjack.flow`; here is which trigger means something in which phase.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.wagers import WagerName
from daemon.table import keys, loading, reconciling
from daemon.table.blackjack import confirming, deciding, flow, house, picture, settlement
from daemon.table.blackjack.state import FIRST_CARDS
from daemon.table.play import GamePlay
from daemon.table.procedure import Asked, Procedure, Reported, Rows, goes
from daemon.table.rows import OVER, voiding_rows
from daemon.table.shoe_rows import all_dealt, dealing, idle, quiet, standing, taking_bets, waiting
from daemon.table.state import Packet, Phase
from daemon.table.vocabulary import DEALER, SourceKind

_PLAYED_OUT: Final = (Phase.DEALER_DRAWING, Phase.RECONCILING, OVER, Phase.VOIDING)  # all have decided
_AFTER_PEEK: Final = (Phase.DECIDING, *_PLAYED_OUT)
_AFTER_FIRST_CARDS: Final = (Phase.INSURING, *_AFTER_PEEK)
_ANYWHERE: Final = (Phase.BETTING, Phase.DEALING, *_AFTER_FIRST_CARDS)


def _insuring() -> Rows:
    closing = goes(deciding.close_insurance, *_AFTER_PEEK)
    return waiting(Phase.INSURING) | Rows(
        {
            Asked.SELECT_SEAT: goes(keys.select, Phase.INSURING),
            Asked.DECIDE: goes(deciding.insure, Phase.INSURING),
            Asked.NEXT: closing,
            Asked.GREEN: closing,
        }
    )


def _deciding() -> Rows:
    return dealing(Phase.DECIDING, flow.card_drawn, *_PLAYED_OUT) | Rows(
        {
            Asked.SELECT_SEAT: goes(keys.select, Phase.DECIDING),
            Asked.DECIDE: goes(deciding.decide_hand, Phase.DECIDING, *_PLAYED_OUT),
        }
    )


def _reconciling() -> Rows:
    """Naturals are paid before the players act, so this can lead to them as well as to the end."""
    broken = goes(flow.evidence_lost, Phase.RECONCILING, Phase.INTERRUPTED)
    return all_dealt(Phase.RECONCILING) | Rows(
        asked={Asked.NEXT: goes(reconciling.next_pressed, Phase.RECONCILING, *_AFTER_PEEK)},
        reported={Reported.EVIDENCE_LOST: broken, Reported.DECK_DISTURBED: broken},
    )


GAME: Final = Procedure(
    play=GamePlay(
        options=BlackjackHouse,
        dealt_from=(SourceKind.SHOE,),
        first_packet_cards=FIRST_CARDS,
        not_ready=loading.not_ready,
        deal=flow.begin,
        plan=lambda _, seats: tuple(Packet(seat, FIRST_CARDS) for seat in (*seats, DEALER)),
        after_proof=flow.continue_round,
        resume=flow.continue_round,
        asked=deciding.asked,
        keyed=deciding.keyed,
        puts_down=deciding.puts_down,
        settle=settlement.settle_hands,
        after_deal=flow.continue_round,
        reconciled_in=flow.seats_to_reconcile,
        after_reconciling=flow.reconciled,
        spot_names=MappingProxyType(
            {
                WagerName.BLACKJACK: "BET",  # on a hand that is not a natural, "pay BLACKJACK" would say that it is one
                WagerName.INSURANCE: "INSURANCE",
                WagerName.BAD_BEAT: "BAD BEAT",
            }
        ),
        shoe=house.shoe_rules,
        settling_in=(Phase.DEALER_DRAWING, Phase.RECONCILING),
        least_on_spot=settlement.least_on_spot,
        picture=picture.picture,
        seat_picture=picture.seat_picture,
    ),
    rows=MappingProxyType(
        {
            Phase.IDLE: idle(),
            Phase.BETTING: taking_bets(Phase.DEALING) | Rows({Asked.BET: goes(deciding.place_bet, Phase.BETTING)}),
            Phase.DEALING: dealing(Phase.DEALING, flow.card_drawn, *_AFTER_FIRST_CARDS),
            Phase.INSURING: _insuring(),
            Phase.DECIDING: _deciding(),
            Phase.DEALER_DRAWING: dealing(Phase.DEALER_DRAWING, flow.card_drawn, Phase.RECONCILING),
            Phase.RECONCILING: _reconciling(),
            Phase.HELD: standing(Phase.HELD, confirming.rule, confirming.enter_cards, *_ANYWHERE),
            Phase.VOIDING: voiding_rows(quiet(Phase.VOIDING, Phase.VOIDING)),
            Phase.INTERRUPTED: standing(Phase.INTERRUPTED, confirming.rule, confirming.enter_cards, *_ANYWHERE),
        }
    ),
    waits_for=MappingProxyType(
        {
            Phase.IDLE: "no round is open",
            Phase.BETTING: "bets are taken until green",
            Phase.DEALING: "first cards are drawn from the shoe",
            Phase.INSURING: "players insure or take even money; next goes on",
            Phase.DECIDING: "players decide, and draw what they decided",
            Phase.DEALER_DRAWING: "the dealer draws by the house's rule",
            Phase.RECONCILING: "seats are reconciled; next goes on",
            Phase.HELD: "a supervisor has to rule",
            Phase.INTERRUPTED: "a supervisor has to confirm the cards or void",
            Phase.VOIDING: "the dealer puts stakes and cards of the void round back; next goes on",
        }
    ),
)
