"""Rows that the procedures of games dealt from a shoe share: what the shoe does, and a round that stands still for it.

What leaves the shoe always means something, in every phase; only where it goes is the game's to say. A shoe that takes
back the deal of its own game (`deal-cleared`) has no row: it knows nothing of this one.
"""

from __future__ import annotations

from daemon.table import betting, drawing, findings, standstill
from daemon.table.inputs import Request
from daemon.table.procedure import Asked, Handler, Reported, Rows, goes
from daemon.table.rows import OVER, noted
from daemon.table.state import Phase
from drivers.events import DeviceReport


def idle() -> Rows:
    """Return the rows between rounds: the shoe may be burned, or changed."""
    return quiet(Phase.IDLE, Phase.IDLE)


def taking_bets(*after_green: Phase) -> Rows:
    """Bets are taken; a card that comes now came too early."""
    return quiet(Phase.BETTING, Phase.BETTING, Phase.HELD, OVER, Phase.VOIDING) | Rows(
        {
            Asked.BET: goes(betting.place, Phase.BETTING),
            Asked.CLEAR_BETS: goes(betting.clear, Phase.BETTING),
            Asked.GREEN: goes(betting.close, Phase.BETTING, *after_green),
            Asked.VOID_ROUND: goes(standstill.void_round, OVER, Phase.VOIDING),
        }
    )


def dealing(phase: Phase, drawn: Handler[DeviceReport], *after_card: Phase) -> Rows:
    """Return the rows while cards are still to come out of the shoe. `drawn` says where the next one goes."""
    return _in_round(phase) | Rows(
        reported={
            Reported.CARD_DRAWN: goes(drawn, phase, Phase.HELD, OVER, Phase.VOIDING, *after_card),
            Reported.DECK_DISTURBED: goes(drawing.evidence_lost_in_deal, Phase.INTERRUPTED),
            Reported.EVIDENCE_LOST: goes(drawing.evidence_lost_in_deal, Phase.INTERRUPTED),
            Reported.DEVICE_FAULT: goes(standstill.fault, Phase.HELD),
        }
    )


def waiting(phase: Phase) -> Rows:
    """Return the rows while cards are still to come, but none before somebody has decided something."""
    return dealing(phase, drawing.out_of_turn)


def all_dealt(phase: Phase) -> Rows:
    """Return the rows when every card of the round lies on the felt, and no other may come."""
    return _in_round(phase) | Rows(
        reported={
            Reported.CARD_DRAWN: goes(drawing.out_of_turn, phase, Phase.HELD, Phase.VOIDING),
            Reported.DECK_DISTURBED: goes(noted, phase),
            Reported.EVIDENCE_LOST: goes(drawing.evidence_lost, phase),
            Reported.DEVICE_FAULT: goes(noted, phase),
        }
    )


def standing(phase: Phase, rule: Handler[Request], enter: Handler[Request], *after_ruling: Phase) -> Rows:
    """Return the rows of a wait for a supervisor. A card that is drawn meanwhile is out of turn like any other."""
    return Rows(
        asked={
            Asked.RULE: goes(rule, phase, OVER, Phase.VOIDING, *after_ruling),
            Asked.VOID_ROUND: goes(standstill.void_round, OVER, Phase.VOIDING),
            Asked.ENTER_CARDS: goes(enter, phase),
        },
        reported={
            Reported.CARD_DRAWN: goes(drawing.out_of_turn, phase, OVER, Phase.VOIDING),
            Reported.CUT_CARD_DRAWN: goes(drawing.cut_card, phase),
            Reported.CARD_RETURNED: goes(drawing.returned, phase, OVER, Phase.VOIDING),
            Reported.READ_FAILED: goes(drawing.read_failed, phase, OVER, Phase.VOIDING),
            Reported.DECK_DISTURBED: goes(drawing.evidence_lost_in_deal, Phase.INTERRUPTED),
            Reported.EVIDENCE_LOST: goes(drawing.evidence_lost_in_deal, Phase.INTERRUPTED),
            Reported.DEVICE_FAULT: goes(noted, phase),
        },
    )


def quiet(phase: Phase, *after: Phase) -> Rows:
    """Return the rows of a phase in which no card of a round is out or due."""
    return Rows(
        reported={
            Reported.CARD_DRAWN: goes(drawing.between_deals, *after),
            Reported.CUT_CARD_DRAWN: goes(drawing.cut_card, phase),
            Reported.CARD_RETURNED: goes(drawing.returned, *after),
            Reported.READ_FAILED: goes(drawing.read_failed, *after),
            Reported.DECK_DISTURBED: goes(noted, phase),
            Reported.EVIDENCE_LOST: goes(drawing.evidence_lost, phase),
            Reported.DEVICE_FAULT: goes(noted, phase),
        }
    )


def _in_round(phase: Phase) -> Rows:
    return Rows(
        asked={
            Asked.ASK_VOID: goes(standstill.ask_void, Phase.HELD),
            Asked.REPORT: goes(findings.report_irregularity, phase, Phase.HELD, Phase.VOIDING),
            Asked.VOID_ROUND: goes(standstill.void_round, Phase.VOIDING),
        },
        reported={
            Reported.CUT_CARD_DRAWN: goes(drawing.cut_card, phase),
            Reported.CARD_RETURNED: goes(drawing.returned, phase, Phase.HELD, Phase.VOIDING),
            Reported.READ_FAILED: goes(drawing.read_failed, phase, Phase.HELD, Phase.VOIDING),
        },
    )
