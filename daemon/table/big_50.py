"""Big 50 at the table: bets, one packet a seat, the rest of the deck, proof, reconciling (big-50.md).

Theory of operation. A round is always open for bets unless something stands against it. The dealer's green closes
betting and starts the deal; a second green collects what is left of the deck; then everything is known and looked at
at once. Two phases stand still and wait for a supervisor. A wrong count voids from wherever it is seen, which leads
to IDLE, and from there the next round opens by itself, so most rows name BETTING too.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from daemon.rules import big_50
from daemon.rules.wagers import WagerName
from daemon.table import betting, big_50_settlement, packets, proof, reconciling, standstill
from daemon.table.play import GamePlay
from daemon.table.procedure import Procedure, Transition, Trigger, goes
from daemon.table.state import Packet, Phase
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import SeatNumber

_OVER: Final = Phase.IDLE
_PROVING: Final = (Phase.COUNTING, Phase.RECONCILING, Phase.HELD, _OVER)


def _noted(_turn: Turn, _detail: object) -> Refusal | None:
    """What it means was put on record already; the round does not move."""
    return None


_BETTING: Final = {
    Trigger.BET: goes(betting.place, Phase.BETTING),
    Trigger.CLEAR_BETS: goes(betting.clear, Phase.BETTING),
    Trigger.GREEN: goes(betting.close, Phase.BETTING, Phase.DEALING),
    Trigger.VOID_ROUND: goes(standstill.void_round, _OVER),
    Trigger.PACKET_DISPENSED: goes(packets.stray, Phase.BETTING),
    Trigger.PACKET_REMOVED: goes(_noted, Phase.BETTING),
    Trigger.REMAINDER_EJECTED: goes(packets.stray, Phase.BETTING),
    Trigger.DECK_DISTURBED: goes(_noted, Phase.BETTING),
    Trigger.EVIDENCE_LOST: goes(_noted, Phase.BETTING),
    Trigger.ORDER_REFUSED: goes(_noted, Phase.BETTING),
    Trigger.DEVICE_FAULT: goes(_noted, Phase.BETTING),
}

_IDLE: Final = {
    Trigger.PACKET_DISPENSED: goes(packets.stray, Phase.IDLE),
    Trigger.PACKET_REMOVED: goes(_noted, Phase.IDLE),
    Trigger.REMAINDER_EJECTED: goes(packets.stray, Phase.IDLE),
    Trigger.DECK_DISTURBED: goes(_noted, Phase.IDLE),
    Trigger.EVIDENCE_LOST: goes(_noted, Phase.IDLE),
    Trigger.ORDER_REFUSED: goes(_noted, Phase.IDLE),
    Trigger.DEVICE_FAULT: goes(_noted, Phase.IDLE),
}


def _moving(phase: Phase) -> dict[Trigger, Transition]:
    """What can go wrong while cards are still coming out of the shuffler."""
    return {
        Trigger.ASK_VOID: goes(standstill.ask_void, Phase.HELD),
        Trigger.VOID_ROUND: goes(standstill.void_round, _OVER),
        Trigger.DECK_DISTURBED: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
        Trigger.EVIDENCE_LOST: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
        Trigger.ORDER_REFUSED: goes(standstill.order_refused, Phase.HELD),
        Trigger.DEVICE_FAULT: goes(standstill.fault, Phase.HELD),
        Trigger.PACKET_DISPENSED: goes(packets.dispensed, phase, Phase.HELD, _OVER),
        Trigger.PACKET_REMOVED: goes(packets.removed, phase, Phase.DEALT, *_PROVING),
        Trigger.REMAINDER_EJECTED: goes(packets.remainder_out, phase, *_PROVING),
    }


_DEALING: Final = _moving(Phase.DEALING)

_DEALT: Final = _moving(Phase.DEALT) | {
    Trigger.GREEN: goes(packets.collect, Phase.COLLECTING),
}

_COLLECTING: Final = _moving(Phase.COLLECTING) | {
    Trigger.PACKET_REMOVED: goes(_noted, Phase.COLLECTING),
}


def _all_out(phase: Phase) -> dict[Trigger, Transition]:
    """Every card is on the felt or in the rack: what the shuffler does now is not this round's."""
    return {
        Trigger.ASK_VOID: goes(standstill.ask_void, Phase.HELD),
        Trigger.VOID_ROUND: goes(standstill.void_round, _OVER),
        Trigger.PACKET_DISPENSED: goes(packets.stray, phase),
        Trigger.PACKET_REMOVED: goes(_noted, phase),
        Trigger.REMAINDER_EJECTED: goes(packets.stray, phase),
        Trigger.DECK_DISTURBED: goes(_noted, phase),
        Trigger.EVIDENCE_LOST: goes(_noted, phase),
        Trigger.ORDER_REFUSED: goes(_noted, phase),
        Trigger.DEVICE_FAULT: goes(_noted, phase),
    }


_COUNTING: Final = _all_out(Phase.COUNTING) | {Trigger.STUB_COUNT: goes(proof.stub_counted, *_PROVING)}

_RECONCILING: Final = _all_out(Phase.RECONCILING) | {
    Trigger.NEXT: goes(reconciling.next_pressed, Phase.RECONCILING, _OVER),
    Trigger.ENTER_CARDS: goes(reconciling.enter_cards, Phase.RECONCILING, _OVER),
}


def _standing(phase: Phase, *goes_on: Phase) -> dict[Trigger, Transition]:
    """Waiting for a supervisor. The machine knows nothing of that, so what it reports is kept and moves nothing."""
    return {
        Trigger.RULE: goes(standstill.rule, phase, *goes_on, *_PROVING),
        Trigger.VOID_ROUND: goes(standstill.void_round, _OVER),
        Trigger.ENTER_CARDS: goes(standstill.enter_cards, phase),
        Trigger.PACKET_DISPENSED: goes(packets.dispensed_while_standing, phase),
        Trigger.PACKET_REMOVED: goes(packets.removed_while_standing, phase),
        Trigger.REMAINDER_EJECTED: goes(packets.remainder_while_standing, phase),
        Trigger.DECK_DISTURBED: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
        Trigger.EVIDENCE_LOST: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
        Trigger.ORDER_REFUSED: goes(_noted, phase),
        Trigger.DEVICE_FAULT: goes(_noted, phase),
    }


_BY_PHASE: Final = {
    Phase.IDLE: _IDLE,
    Phase.BETTING: _BETTING,
    Phase.DEALING: _DEALING,
    Phase.DEALT: _DEALT,
    Phase.COLLECTING: _COLLECTING,
    Phase.COUNTING: _COUNTING,
    Phase.RECONCILING: _RECONCILING,
    Phase.HELD: _standing(Phase.HELD, Phase.DEALING, Phase.DEALT),
    Phase.INTERRUPTED: _standing(Phase.INTERRUPTED),
}


def _plan(seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
    return tuple(Packet(seat, big_50.HAND_CARDS) for seat in seats)


BIG_50: Final = Procedure(
    play=GamePlay(
        house=big_50_settlement.house_of,
        first_packet_cards=big_50.HAND_CARDS,
        plan=_plan,
        after_proof=reconciling.begin,
        settle=big_50_settlement.settle_hands,
        spot_names=MappingProxyType(
            {
                WagerName.POKER_HAND: "ROYAL FLUSH",
                WagerName.RED_BLACK: "ALL RED / ALL BLACK",
                WagerName.BIG_50: "BIG 50",
                WagerName.RANGE: "RANGE",
            }
        ),
    ),
    transitions=MappingProxyType(
        {(phase, trigger): row for phase, rows in _BY_PHASE.items() for trigger, row in rows.items()}
    ),
    waits_for=MappingProxyType(
        {
            Phase.IDLE: "no round is open",
            Phase.BETTING: "bets are taken until green",
            Phase.DEALING: "hands are being dealt",
            Phase.DEALT: "green collects the rest of the deck",
            Phase.COLLECTING: "the rest of the deck is coming out",
            Phase.COUNTING: "the rest of the deck is to be counted and entered",
            Phase.RECONCILING: "seats are reconciled; next goes on",
            Phase.HELD: "a supervisor has to rule",
            Phase.INTERRUPTED: "a supervisor has to confirm the cards or void",
        }
    ),
)
