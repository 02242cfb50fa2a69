"""Big Draw: what is next in a round, and the draws from the button on.

Theory of operation. `go_on` is asked whenever every packet that was planned is at its seat. It looks at what the
round holds and does the next thing: discards, First 5, a draw, the rest of the deck. A draw is planned when its turn
comes, so the packet is ordered, counted and delivered like a hand. Face down (option 1) all draws go out, the deck is
proven, and then Big Draw is settled from the button on. Face up (option 2) each hand is settled as soon as its draw is
there; the deck is proven after the last one, and a void then undoes what was paid. Where draws come from a shoe of
their own, the rest of the shuffler's deck is collected and the deck proven before the first of them.
"""

from __future__ import annotations

from itertools import takewhile

from daemon.frozen import replace
from daemon.table import lifecycle, packets, proof, reconciling
from daemon.table.big_draw import choice, discards, first_5
from daemon.table.big_draw.discards import draws_at_all
from daemon.table.big_draw.hands import draw_of, is_drawn
from daemon.table.big_draw.settlement import unsettled
from daemon.table.big_draw.state import deal_of
from daemon.table.draft import Draft
from daemon.table.state import Packet, Round
from daemon.table.vocabulary import SeatNumber, SourceKind


def go_on(draft: Draft) -> None:
    """Do the next thing, after a look at what is out so far."""
    if proof.stops_on_hands(draft):
        return
    asked = discards.to_act(draft.round)
    if asked is not None:
        discards.ask(draft, asked)
    elif not deal_of(draft.round).first_5_over:
        first_5.begin(draft)
    elif draft.round.showing is not None:
        reconciling.resume(draft)
    else:
        _draw(draft)


def _draw(draft: Draft) -> None:
    """Plan the next draw, or settle the hand that comes first. After the last draw, have the rest of the deck out."""
    waiting = next((seat for seat in draft.round.players if not is_drawn(draft.round, seat)), None)
    if deal_of(draft.round).is_face_up and in_order(draft.round):
        reconciling.begin(draft)
    elif waiting is not None and draft.state.settings.shoe is not None and not _can_draw_from_it(draft):
        packets.all_dealt(draft)
    elif waiting is not None:
        packet = Packet(waiting, draw_of(draft.round, waiting).cards, drawn=True)
        draft.round = replace(draft.round, plan=(*draft.round.plan, packet))
        packets.continue_round(draft)
    elif draft.round.accounted:
        draft.play.after_proof(draft)
    else:
        packets.all_dealt(draft)


def _can_draw_from_it(draft: Draft) -> bool:
    """Return whether a shoe for draws can be drawn from: it gets the rest of the deck once that is proven."""
    return draft.state.settings.source.kind is SourceKind.SHOE or draft.round.accounted


def draws_due(played: Round) -> bool:
    """Return whether cards will still be asked for."""
    return discards.to_act(played) is not None or any(not is_drawn(played, seat) for seat in played.players)


def in_order(played: Round) -> tuple[SeatNumber, ...]:
    """Return the seats whose turn it can be, from the button on: they have cards, and something is not settled yet."""
    ready = tuple(takewhile(lambda seat: is_drawn(played, seat), played.players))
    all_drawn = len(ready) == len(played.players)
    return tuple(seat for seat in ready if unsettled(played, seat) and (all_drawn or draws_at_all(played, seat)))


def reconciled(draft: Draft) -> None:
    """Go on when every hand that could be settled is."""
    if draft.round.accounted and not draws_due(draft.round):
        choice.move_on(draft)
        lifecycle.settle(draft)
    else:
        go_on(draft)
