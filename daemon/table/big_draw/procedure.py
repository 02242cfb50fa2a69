"""Big Draw Poker at the table (big-draw.md): the button, five cards each, First 5, draws, Big Draw.

A player chooses which game is played, and then bets are taken. The packets are those of every single-deck game, with
phases between them: all say what they give up, and First 5 is settled, while the rest of the deck is still in the
shuffler. So whatever the machine does then is this round's matter, in every phase until the rest is out. From a shoe
the same plan is filled card by card (`big_draw.cards`); each row stands there for both, and only one kind of source
ever fires it.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.rules import big_draw
from daemon.rules.wagers import WagerName
from daemon.table import betting, drawing, keys, packets, proof, reconciling, shoe_rows, standstill
from daemon.table.big_draw import cards, choice, discards, draws, first_5, picture, reveal, settlement
from daemon.table.big_draw.options import BigDrawAtTable, misfits, not_shared
from daemon.table.big_draw.state import own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Action
from daemon.table.play import NOTHING_MOVES, GamePlay
from daemon.table.procedure import Asked, Handler, Procedure, Reported, Rows, Transition, goes
from daemon.table.rows import OVER, PACKET_WAITS_FOR, moving, noted, packet_rows, quiet, standing, voiding_rows
from daemon.table.state import DECK_IS_FREE, Phase, Round, TableState
from daemon.table.vocabulary import SeatNumber, SourceKind
from drivers.events import Button, DeviceReport

_ONWARD: Final = (
    Phase.DEALING,
    Phase.DECIDING,
    Phase.FIRST_FIVE,
    Phase.RECONCILING,
    Phase.DEALT,
    Phase.COUNTING,
    Phase.HELD,
    OVER,
    Phase.VOIDING,
)
"""Where a round can stand after whatever was next in it: it runs through what nobody has to do anything for."""


def _asked(state: TableState) -> SeatNumber | None:
    if state.round is None:
        return None
    return choice.asked(state) or discards.to_act(state.round)


def _keyed(played: Round, seat: SeatNumber, button: Button) -> Action | None:
    if own_of(played) is None:
        return choice.keyed(seat, button)
    return discards.keyed(seat, button)


def _after_proof(draft: Draft) -> None:
    """Go on after the proof. Before the draws the deck is proven only if they come from a shoe of their own."""
    if draws.draws_due(draft.round):
        cards.load_rest(draft)
        draws.go_on(draft)
    else:
        reconciling.begin(draft)


def _resume(draft: Draft) -> None:
    """Go on after the proof: at the hand that lies open, else at whatever is next."""
    if draft.round.showing is None:
        draws.go_on(draft)
    else:
        reconciling.resume(draft)


def _unless_all_out(
    row: Transition[DeviceReport], otherwise: Handler[DeviceReport] = noted
) -> Transition[DeviceReport]:
    """Return the rows when everything is out: what the machine does then is not this round's."""

    def handler(draft: Draft, report: DeviceReport) -> Refusal | None:
        played = draft.round
        all_out = played.accounted or played.remainder is not None or played.rest_waived
        return (otherwise if all_out else row.handler)(draft, report)

    return Transition(handler, row.to | {Phase.RECONCILING})


_OF_A_SHOE: Final = (Reported.CARD_DRAWN, Reported.CUT_CARD_DRAWN, Reported.CARD_RETURNED, Reported.READ_FAILED)


def _either(phase: Phase, from_shuffler: Rows, from_shoe: Rows) -> Rows:
    """Return the rows of one phase for both kinds of source. A hole in the record of either means the same."""
    out_of_shoe = {trigger: from_shoe.reported[trigger] for trigger in _OF_A_SHOE}
    if out_of_shoe[Reported.CARD_DRAWN].handler is drawing.out_of_turn:
        out_of_shoe[Reported.CARD_DRAWN] = goes(cards.out_of_turn, *out_of_shoe[Reported.CARD_DRAWN].to)
    broken = goes(drawing.evidence_lost_in_deal, phase, Phase.INTERRUPTED)
    if phase in DECK_IS_FREE or phase is Phase.COUNTING:
        broken = goes(drawing.evidence_lost, phase)
    record = {Reported.EVIDENCE_LOST: broken, Reported.DECK_DISTURBED: broken}
    return from_shuffler | Rows(reported=out_of_shoe) | Rows(reported=record)


def _betting(rows: Rows) -> Rows:
    return _either(Phase.BETTING, rows, shoe_rows.taking_bets()) | Rows(
        {
            Asked.GREEN: goes(betting.close, Phase.BETTING, Phase.DEALING),
        }
    )


def _choosing() -> Rows:
    from_shoe = shoe_rows.quiet(Phase.CHOOSING, Phase.CHOOSING, Phase.HELD, OVER, Phase.VOIDING)
    return _either(Phase.CHOOSING, quiet(Phase.CHOOSING), from_shoe) | Rows(
        {
            Asked.CHOOSE_GAME: goes(choice.choose, Phase.CHOOSING, Phase.BETTING),
            Asked.PASS_BUTTON: goes(choice.pass_on, Phase.CHOOSING),
            Asked.MOVE_BUTTON: goes(choice.move, Phase.CHOOSING),
            Asked.VOID_ROUND: goes(standstill.void_round, OVER, Phase.VOIDING),
        }
    )


def _waiting(phase: Phase) -> Rows:
    """Return the rows of a wait for a word: no card is due before it, and the deck is not all out."""
    return _either(phase, moving(phase, _ONWARD), shoe_rows.waiting(phase))


def _reconciling() -> Rows:
    """Face up, hands are settled while the rest of the deck is still to be drawn from."""
    rows = _waiting(Phase.RECONCILING)
    quietly = (Reported.PACKET_REMOVED, Reported.ORDER_REFUSED, Reported.DEVICE_FAULT)
    broken = (Reported.EVIDENCE_LOST, Reported.DECK_DISTURBED)
    strays = (Reported.PACKET_DISPENSED, Reported.REMAINDER_EJECTED)
    return rows | Rows(
        asked={
            Asked.NEXT: goes(reconciling.next_pressed, *_ONWARD),
            Asked.ENTER_CARDS: goes(reveal.enter_cards, *_ONWARD),
        },
        reported={trigger: _unless_all_out(rows.reported[trigger]) for trigger in quietly}
        | {trigger: _unless_all_out(rows.reported[trigger], drawing.evidence_lost) for trigger in broken}
        | {trigger: _unless_all_out(rows.reported[trigger], packets.stray) for trigger in strays},
    )


def _standing(phase: Phase) -> Rows:
    after = (Phase.BETTING, Phase.CHOOSING, *_ONWARD)
    from_shoe = shoe_rows.standing(phase, cards.rule, cards.enter_cards, *after)
    own = {trigger: from_shoe.asked[trigger] for trigger in (Asked.RULE, Asked.ENTER_CARDS)}
    return _either(phase, standing(phase, *after), from_shoe) | Rows(own)


def _proving(phase: Phase) -> Rows:
    """Return the rows when the rest of the deck is out: hands are settled, or draws begin from a shoe of their own."""
    return Rows(reported={Reported.REMAINDER_EJECTED: goes(packets.remainder_out, phase, *_ONWARD)})


def _rows() -> dict[Phase, Rows]:
    shared = packet_rows(after_proof=Phase.RECONCILING)
    from_shoe = shoe_rows.dealing(Phase.DEALING, cards.card_drawn, *_ONWARD)
    return shared | {
        Phase.IDLE: _either(Phase.IDLE, shared[Phase.IDLE], shoe_rows.idle())
        | Rows({Asked.MOVE_BUTTON: goes(choice.move, Phase.IDLE)}),
        Phase.BETTING: _betting(shared[Phase.BETTING]),
        Phase.CHOOSING: _choosing(),
        Phase.DEALING: _either(Phase.DEALING, moving(Phase.DEALING, _ONWARD), from_shoe),
        Phase.DECIDING: _waiting(Phase.DECIDING)
        | Rows(
            {
                Asked.SELECT_SEAT: goes(keys.select, Phase.DECIDING),
                Asked.DECIDE: goes(discards.decide, *_ONWARD),
                Asked.CLAIM: goes(first_5.claim, Phase.DECIDING),
            }
        ),
        Phase.FIRST_FIVE: _waiting(Phase.FIRST_FIVE)
        | Rows(
            {
                Asked.NEXT: goes(first_5.next_pressed, *_ONWARD),
                Asked.ENTER_CARDS: goes(first_5.enter_cards, Phase.FIRST_FIVE),
                Asked.CLAIM: goes(first_5.claim, Phase.FIRST_FIVE),
            }
        ),
        Phase.DEALT: shared[Phase.DEALT] | _proving(Phase.DEALT),
        Phase.COLLECTING: shared[Phase.COLLECTING] | _proving(Phase.COLLECTING),
        Phase.COUNTING: _either(Phase.COUNTING, shared[Phase.COUNTING], shoe_rows.all_dealt(Phase.COUNTING))
        | Rows({Asked.STUB_COUNT: goes(proof.stub_counted, *_ONWARD)}),
        Phase.RECONCILING: _reconciling(),
        Phase.HELD: _standing(Phase.HELD),
        Phase.INTERRUPTED: _standing(Phase.INTERRUPTED),
        Phase.VOIDING: voiding_rows(
            _either(Phase.VOIDING, quiet(Phase.VOIDING), shoe_rows.quiet(Phase.VOIDING, Phase.VOIDING))
        ),
    }


GAME: Final = Procedure(
    play=GamePlay(
        options=BigDrawAtTable,
        dealt_from=(SourceKind.SHUFFLER, SourceKind.SHOE),
        misfits=misfits,
        not_shared=not_shared,
        first_packet_cards=big_draw.HAND_CARDS,
        not_ready=cards.not_ready,
        begins_in=Phase.CHOOSING,
        ask_first=choice.offer,
        invites=choice.invites,
        deal=cards.begin,
        plan=choice.plan,
        after_proof=_after_proof,
        resume=_resume,
        asked=_asked,
        keyed=_keyed,
        settle=settlement.settle_hands,
        after_deal=draws.go_on,
        draws_due=draws.draws_due,
        ask_card=cards.ask_card,
        still_in=(*NOTHING_MOVES, Phase.DECIDING, Phase.FIRST_FIVE),  # a draw costs nothing
        reconciled_in=draws.in_order,
        after_reconciling=draws.reconciled,
        picture=picture.picture,
        seat_picture=picture.seat_picture,
        spot_names=MappingProxyType({WagerName.BIG_DRAW: "BIG DRAW", WagerName.FIRST_5: "FIRST 5"}),
    ),
    rows=MappingProxyType(_rows()),
    waits_for=MappingProxyType(
        {
            **PACKET_WAITS_FOR,
            Phase.CHOOSING: "the player with the button chooses which game is played, before bets are taken",
            Phase.DECIDING: "players say how many cards they draw",
            Phase.FIRST_FIVE: "First 5 is settled; next goes on",
        }
    ),
)
