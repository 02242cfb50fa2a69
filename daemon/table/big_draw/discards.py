"""Big Draw: every player with a Big Draw bet gives up 0 to 5 cards, in the order of the deal.

They lie face down, so their number is what the table must know. Staff who saw them may name them as well. What is
named is kept hidden and never judged aloud: the refusal of a card that is not there tells which cards are. With it the
hand after the draw is known and paid, so it is not for the player to say, who might give up another card than the one
that they name.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.frozen import replace
from daemon.rules import big_draw
from daemon.rules.wagers import WagerName
from daemon.table.big_draw.settlement import house_of, wager_of
from daemon.table.big_draw.state import PlayerDraw, deal_of, own_of
from daemon.table.by_rules import refused_by_rules
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Action, Decide, Request
from daemon.table.round_facts import PlayerDecided
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import Phase, Round
from daemon.table.vocabulary import Actor, Decision, SeatNumber
from daemon.table.whose_turn import out_of_turn
from drivers.events import Button

_DRAWS: Final = MappingProxyType(
    {
        Button.DRAW_0: 0,
        Button.DRAW_1: 1,
        Button.DRAW_2: 2,
        Button.DRAW_3: 3,
        Button.DRAW_4: 4,
        Button.DRAW_5: 5,
    }
)


def to_act(played: Round) -> SeatNumber | None:
    """Return who decides next: from the button on, the first player of Big Draw who has not."""
    own = own_of(played)
    if own is None:
        return None
    return next((seat for seat in played.players if draws_at_all(played, seat) and own.draw_of(seat) is None), None)


def draws_at_all(played: Round, seat: SeatNumber) -> bool:
    """Return whether a hand draws. One that has only a First 5 bet has nothing to draw for."""
    return any(stake.wager is WagerName.BIG_DRAW for stake in played.stakes_of(seat))


def ask(draft: Draft, seat: SeatNumber) -> None:
    """Wait for this player."""
    draft.move_to(Phase.DECIDING)
    may_claim = _may_claim(draft)
    claims = (Said(SaidId.FIRST_5_CLAIMS, seats=may_claim),) if may_claim else ()
    draft.prompt(Said(SaidId.HOW_MANY_CARDS, seat, wanted=big_draw.DISCARDS_MAX), *claims, seat=seat)


def _may_claim(draft: Draft) -> tuple[SeatNumber, ...]:
    """Return the seats whose players are asked nothing of First 5 and may announce a winning hand meanwhile."""
    played, waits = draft.round, house_of(draft.state.settings).first_5_alone_waits
    claims = deal_of(played).claims
    return tuple(
        seat
        for seat in played.players
        if wager_of(played, seat, WagerName.FIRST_5) is not None
        and seat not in claims
        and (draws_at_all(played, seat) or not waits)
    )


def decide(draft: Draft, request: Request) -> Refusal | None:
    """Take the cards that a player gives up, or none."""
    action = request.action
    assert isinstance(action, Decide)
    refusal = out_of_turn(draft, action.seat) or _not_allowed(action, request.role)
    if refusal is not None:
        return refusal
    cards = action.discards or 0
    draft.say(PlayerDecided(action.seat, Decision.DRAW, None, request.who, cards, role=request.role))
    own = deal_of(draft.round)
    draft.round = replace(
        draft.round, own=replace(own, draws=(*own.draws, PlayerDraw(action.seat, cards, action.discarded)))
    )
    draft.play.after_deal(draft)
    return None


def _not_allowed(action: Decide, role: Actor) -> Refusal | None:
    if action.decision is not Decision.DRAW or action.stake_cents is not None:
        return Refusal("not-offered", Clause(SaidId.DRAWS_COST_NOTHING))
    if action.discards is None:
        return Refusal("count-missing", Clause(SaidId.HOW_MANY_GIVEN_UP, wanted=big_draw.DISCARDS_MAX))
    refused = big_draw.check_discards(action.discards)
    if refused is not None:
        return refused_by_rules(refused)
    if action.discarded and role is Actor.PLAYER:
        return Refusal("not-permitted", Clause(SaidId.PLAYER_NAMES_NONE))
    if action.discarded and not action.discards == len(action.discarded) == len(set(action.discarded)):
        return Refusal("wrong-count", Clause(SaidId.NAME_SO_MANY, count=action.discards))
    return None


def keyed(seat: SeatNumber, button: Button) -> Action | None:
    """Return what a key asks for the player who is asked."""
    cards = _DRAWS.get(button)
    return None if cards is None else Decide(seat, Decision.DRAW, discards=cards)
