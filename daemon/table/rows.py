"""Rows that the procedures of single-deck games share: a deck in a shuffler, a packet for each place, the rest, proof.

A round is always open for bets unless something stands against it. Green closes betting and starts the deal, a second
green collects what is left of the deck; then everything is known and looked at at once. Two phases stand still and wait
for a supervisor. A wrong count voids from wherever it is seen. A void is a phase of its own, which the dealer's next
ends. From IDLE the next round opens by itself.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.table import betting, findings, packets, proof, reconciling, standstill, voiding
from daemon.table.draft import Draft, Refusal
from daemon.table.procedure import Asked, Reported, Rows, goes
from daemon.table.state import Phase

OVER: Final = Phase.IDLE

PACKET_WAITS_FOR: Final = MappingProxyType(
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
        Phase.VOIDING: "the dealer puts stakes and cards of the void round back; next goes on",
    }
)


def noted(_draft: Draft, _detail: object) -> Refusal | None:
    """Leave the round as it is: what the report means is on record already."""
    return None


def packet_rows(after_proof: Phase, *later: Phase) -> dict[Phase, Rows]:
    """Return the rows of a round dealt in packets, up to and with reconciling; the proof leads to `after_proof`.

    `later` are the phases between that and reconciling: a round that was held in one of them goes on there.
    """
    proving = (Phase.COUNTING, after_proof, Phase.HELD, OVER, Phase.VOIDING)
    return {
        Phase.IDLE: quiet(Phase.IDLE),
        Phase.BETTING: _betting(),
        Phase.DEALING: moving(Phase.DEALING, proving),
        Phase.DEALT: moving(Phase.DEALT, proving) | Rows({Asked.GREEN: goes(packets.collect, Phase.COLLECTING)}),
        Phase.COLLECTING: moving(Phase.COLLECTING, proving)
        | Rows(reported={Reported.PACKET_REMOVED: goes(noted, Phase.COLLECTING)}),
        Phase.COUNTING: all_out(Phase.COUNTING) | Rows({Asked.STUB_COUNT: goes(proof.stub_counted, *proving)}),
        Phase.RECONCILING: all_out(Phase.RECONCILING)
        | Rows(
            {
                Asked.NEXT: goes(reconciling.next_pressed, Phase.RECONCILING, OVER),
                Asked.ENTER_CARDS: goes(reconciling.enter_cards, Phase.RECONCILING, Phase.HELD, OVER, Phase.VOIDING),
            }
        ),
        Phase.HELD: standing(Phase.HELD, Phase.DEALING, Phase.DEALT, Phase.RECONCILING, *later, *proving),
        Phase.INTERRUPTED: standing(Phase.INTERRUPTED, Phase.RECONCILING, *proving),
        Phase.VOIDING: voiding_rows(quiet(Phase.VOIDING)),
    }


def voiding_rows(devices: Rows) -> Rows:
    """Return the rows of a void round: the dealer puts everything back, and devices report nothing that concerns it."""
    return devices | Rows({Asked.NEXT: goes(voiding.void_done, OVER)})


def quiet(phase: Phase) -> Rows:
    """Return the rows of a phase in which no card belongs to a round."""
    return Rows(
        reported={
            Reported.PACKET_DISPENSED: goes(packets.stray, phase),
            Reported.PACKET_REMOVED: goes(noted, phase),
            Reported.REMAINDER_EJECTED: goes(packets.stray, phase),
            Reported.DECK_DISTURBED: goes(noted, phase),
            Reported.EVIDENCE_LOST: goes(noted, phase),
            Reported.ORDER_REFUSED: goes(noted, phase),
            Reported.DEVICE_FAULT: goes(noted, phase),
        }
    )


def _betting() -> Rows:
    return quiet(Phase.BETTING) | Rows(
        {
            Asked.BET: goes(betting.place, Phase.BETTING),
            Asked.CLEAR_BETS: goes(betting.clear, Phase.BETTING),
            Asked.GREEN: goes(betting.close, Phase.BETTING, Phase.DEALING),
            Asked.VOID_ROUND: goes(standstill.void_round, OVER, Phase.VOIDING),
        }
    )


def moving(phase: Phase, proving: tuple[Phase, ...]) -> Rows:
    """Return the rows while cards are still coming out of the shuffler: what can go wrong there."""
    return _in_play(phase) | Rows(
        reported={
            Reported.DECK_DISTURBED: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
            Reported.EVIDENCE_LOST: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
            Reported.ORDER_REFUSED: goes(standstill.order_refused, Phase.HELD),
            Reported.DEVICE_FAULT: goes(standstill.fault, Phase.HELD),
            Reported.PACKET_DISPENSED: goes(packets.dispensed, phase, Phase.HELD, Phase.VOIDING),
            Reported.PACKET_REMOVED: goes(packets.removed, phase, Phase.DEALT, *proving),
            Reported.REMAINDER_EJECTED: goes(packets.remainder_out, phase, *proving),
        }
    )


def all_out(phase: Phase) -> Rows:
    """Return the rows when every card is on the felt or in the rack: what the shuffler does is not this round's."""
    return quiet(phase) | _in_play(phase)


def _in_play(phase: Phase) -> Rows:
    return Rows(
        {
            Asked.ASK_VOID: goes(standstill.ask_void, Phase.HELD),
            Asked.REPORT: goes(findings.report_irregularity, phase, Phase.HELD, Phase.VOIDING),
            Asked.VOID_ROUND: goes(standstill.void_round, Phase.VOIDING),
        }
    )


def standing(phase: Phase, *after_ruling: Phase) -> Rows:
    """Return the rows of a wait for a supervisor. The machine goes on reporting: that is kept and moves nothing."""
    return Rows(
        asked={
            Asked.RULE: goes(standstill.rule, phase, *after_ruling),
            Asked.VOID_ROUND: goes(standstill.void_round, OVER, Phase.VOIDING),
            Asked.ENTER_CARDS: goes(standstill.enter_cards, phase),
        },
        reported={
            Reported.PACKET_DISPENSED: goes(packets.dispensed_while_standing, phase),
            Reported.PACKET_REMOVED: goes(packets.removed_while_standing, phase),
            Reported.REMAINDER_EJECTED: goes(packets.remainder_while_standing, phase),
            Reported.DECK_DISTURBED: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
            Reported.EVIDENCE_LOST: goes(standstill.record_broken, phase, Phase.INTERRUPTED),
            Reported.ORDER_REFUSED: goes(noted, phase),
            Reported.DEVICE_FAULT: goes(noted, phase),
        },
    )
