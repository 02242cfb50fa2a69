"""Big Draw Poker at the table (big-draw.md): the button, five cards each, First 5, draws, Big Draw.

Its packets are those of every single-deck game, with phases between them: a player chooses which game is played, all
say what they give up, and First 5 is settled, while the rest of the deck is still in the shuffler. So whatever the
machine does then is this round's matter, in every phase until the rest is out.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.rules import big_draw
from daemon.rules.wagers import WagerName
from daemon.table import (
    betting,
    big_draw_choice,
    big_draw_discards,
    big_draw_draws,
    big_draw_first_5,
    big_draw_reveal,
    big_draw_settlement,
    keys,
    packets,
    reconciling,
    standstill,
)
from daemon.table.inputs import Action
from daemon.table.play import GamePlay
from daemon.table.procedure import Handler, Procedure, Transition, Trigger, goes
from daemon.table.rows import OVER, PACKET_WAITS_FOR, Rows, flat, moving, noted, packet_rows, quiet, standing
from daemon.table.state import Phase, Round
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import SeatNumber
from drivers.events import Button

_ONWARD: Final = (
    Phase.DEALING,
    Phase.DECIDING,
    Phase.FIRST_FIVE,
    Phase.RECONCILING,
    Phase.DEALT,
    Phase.COUNTING,
    Phase.HELD,
    OVER,
)
"""Where a round can stand after whatever was next in it: it runs through what nobody has to do anything for."""


def _asked(played: Round) -> SeatNumber | None:
    return big_draw_choice.holder(played) or big_draw_discards.to_act(played)


def _keyed(played: Round, seat: SeatNumber, button: Button) -> Action | None:
    if big_draw_choice.holder(played) is not None:
        return big_draw_choice.keyed(seat, button)
    return big_draw_discards.keyed(seat, button)


def _unless_all_out(row: Transition, otherwise: Handler = noted) -> Transition:
    """What the machine does once everything is out is not this round's."""

    def handler(turn: Turn, detail: object) -> Refusal | None:
        all_out = turn.round.remainder is not None or turn.round.rest_waived
        return (otherwise if all_out else row.handler)(turn, detail)

    return Transition(handler, row.to)


def _choosing() -> Rows:
    return quiet(Phase.CHOOSING) | {
        Trigger.CHOOSE_GAME: goes(big_draw_choice.choose, Phase.CHOOSING, Phase.DEALING),
        Trigger.PASS_BUTTON: goes(big_draw_choice.pass_on, Phase.CHOOSING),
        Trigger.MOVE_BUTTON: goes(big_draw_choice.move, Phase.CHOOSING),
        Trigger.VOID_ROUND: goes(standstill.void_round, OVER),
    }


def _reconciling() -> Rows:
    """Face up, hands are settled while the rest of the deck is still in the shuffler."""
    rows = moving(Phase.RECONCILING, _ONWARD)
    from_devices = {
        trigger: _unless_all_out(rows[trigger])
        for trigger in (Trigger.PACKET_REMOVED, Trigger.ORDER_REFUSED, Trigger.DEVICE_FAULT)
    }
    strays = {
        trigger: _unless_all_out(rows[trigger], packets.stray)
        for trigger in (Trigger.PACKET_DISPENSED, Trigger.REMAINDER_EJECTED)
    }
    return (
        rows
        | from_devices
        | strays
        | {
            Trigger.NEXT: goes(reconciling.next_pressed, *_ONWARD),
            Trigger.ENTER_CARDS: goes(big_draw_reveal.enter_cards, *_ONWARD),
        }
    )


def _rows() -> dict[Phase, Rows]:
    shared = packet_rows(after_proof=Phase.RECONCILING)
    return shared | {
        Phase.IDLE: shared[Phase.IDLE] | {Trigger.MOVE_BUTTON: goes(big_draw_choice.move, Phase.IDLE)},
        Phase.BETTING: shared[Phase.BETTING]
        | {
            Trigger.GREEN: goes(betting.close, Phase.BETTING, Phase.CHOOSING),
            Trigger.MOVE_BUTTON: goes(big_draw_choice.move, Phase.BETTING),
        },
        Phase.CHOOSING: _choosing(),
        Phase.DEALING: moving(Phase.DEALING, _ONWARD),
        Phase.DECIDING: moving(Phase.DECIDING, _ONWARD)
        | {
            Trigger.SELECT_SEAT: goes(keys.select, Phase.DECIDING),
            Trigger.DECIDE: goes(big_draw_discards.decide, *_ONWARD),
        },
        Phase.FIRST_FIVE: moving(Phase.FIRST_FIVE, _ONWARD)
        | {
            Trigger.NEXT: goes(big_draw_first_5.next_pressed, *_ONWARD),
            Trigger.ENTER_CARDS: goes(big_draw_first_5.enter_cards, Phase.FIRST_FIVE),
        },
        Phase.RECONCILING: _reconciling(),
        Phase.HELD: standing(Phase.HELD, *_ONWARD),
        Phase.INTERRUPTED: standing(Phase.INTERRUPTED, *_ONWARD),
    }


BIG_DRAW: Final = Procedure(
    play=GamePlay(
        house=big_draw_settlement.house_of,
        first_packet_cards=big_draw.HAND_CARDS,
        not_ready=packets.not_ready,
        deal=big_draw_choice.begin,
        plan=big_draw_choice.plan,
        after_proof=big_draw_reveal.begin,
        resume=reconciling.resume,
        asked=_asked,
        keyed=_keyed,
        settle=big_draw_settlement.settle_hands,
        dealt=big_draw_draws.go_on,
        draws_due=big_draw_draws.draws_due,
        reconciled_in=big_draw_draws.in_order,
        reconciled=big_draw_draws.reconciled,
        spot_names=MappingProxyType({WagerName.BIG_DRAW: "BIG DRAW", WagerName.FIRST_5: "FIRST 5"}),
    ),
    transitions=MappingProxyType(flat(_rows())),
    waits_for=MappingProxyType(
        {
            **PACKET_WAITS_FOR,
            Phase.CHOOSING: "the player with the button chooses which game is played",
            Phase.DECIDING: "players say how many cards they draw",
            Phase.FIRST_FIVE: "First 5 is settled; next goes on",
        }
    ),
)
