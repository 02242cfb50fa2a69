"""Big Draw: who has the button with two sides, and which game they choose.

The button lies at a spot of the table, from round to round. When no more bets are taken it goes on over empty seats,
so the player with a stake there, or next in turn, is asked and also gets the first hand. They choose, or pass it to
the next player. It moves on with the end of a round; a void round is not played, so there it stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from daemon.rules import big_draw
from daemon.rules.big_draw import DealStyle, DrawStyle, Variant
from daemon.table import betting
from daemon.table.big_draw import cards
from daemon.table.big_draw.facts import ButtonMove, ButtonMoved, GameChosen
from daemon.table.big_draw.inputs import ChooseGame, MoveButton, PassButton
from daemon.table.big_draw.settlement import house_of
from daemon.table.big_draw.state import BigDrawRound, deal_of, own_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Action, Request
from daemon.table.state import Packet, Phase, Round, TableState
from daemon.table.vocabulary import SeatNumber
from drivers.events import Button

_SIDES: Final = MappingProxyType(
    {Button.FIVE_CARD_DRAW: Variant.FIVE_CARD_DRAW, Button.DEUCES_NEVER_LOSES: Variant.DEUCES_NEVER_LOSES}
)


def plan(state: TableState, seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
    """Five cards each, from the player with the button round the table; after the last spot comes the first."""

    def places_on(seat: SeatNumber) -> int:
        return (seat - state.button) % state.settings.seats

    return tuple(Packet(seat, big_draw.HAND_CARDS) for seat in sorted(seats, key=places_on))


def begin(draft: Draft) -> None:
    """No more bets: ask the player who has the button."""
    house = house_of(draft.state.settings)
    is_face_up, one_at_a_time = house.draw is DrawStyle.FACE_UP, house.deal is DealStyle.ONE_AT_A_TIME
    draft.round = replace(draft.round, own=BigDrawRound(is_face_up, one_at_a_time))
    offer(draft)


def offer(draft: Draft) -> None:
    """Ask the first player at or after the button, where it then lies."""
    draft.move_to(Phase.CHOOSING)
    seat = draft.round.players[0]
    if seat != draft.state.button:
        _move(draft, seat, ButtonMove.EMPTY_SEAT)
    draft.prompt(f"Seat {seat} has the button: 5 Card Draw or Deuces Never Loses? Or pass it on.", seat=seat)


def holder(played: Round) -> SeatNumber | None:
    """Return who chooses, until the choice is made."""
    own = own_of(played)
    return played.players[0] if own is not None and own.variant is None else None


def choose(draft: Draft, request: Request) -> Refusal | None:
    """Record which side the player with the button chose, and deal."""
    action = request.action
    assert isinstance(action, ChooseGame)
    refusal = _not_his(draft, action.seat) or betting.cannot_deal(draft)
    if refusal is not None:
        return refusal
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), variant=action.variant))
    draft.say(GameChosen(action.seat, action.variant, request.who, request.role))
    cards.begin(draft)
    return None


def pass_on(draft: Draft, request: Request) -> Refusal | None:
    """Pass the button on: the next player in turn chooses."""
    action = request.action
    assert isinstance(action, PassButton)
    refusal = _not_his(draft, action.seat)
    if refusal is not None:
        return refusal
    if len(draft.round.players) == 1:
        return Refusal("nobody-else", f"nobody but seat {action.seat} plays; choose a game")
    _move(draft, draft.round.players[1], ButtonMove.PASSED, request)
    offer(draft)
    return None


def move(draft: Draft, request: Request) -> Refusal | None:
    """The dealer puts the button where it belongs."""
    action = request.action
    assert isinstance(action, MoveButton)
    refusal = betting.no_such_seat(draft, action.seat)
    if refusal is not None:
        return refusal
    if action.seat == draft.state.button:
        return Refusal("already-there", f"the button lies at seat {action.seat}")
    _move(draft, action.seat, ButtonMove.BY_HAND, request)
    if draft.state.phase is Phase.CHOOSING:
        offer(draft)
    return None


def move_on(draft: Draft) -> None:
    """A round is over: one spot on, from the last to the first."""
    _move(draft, SeatNumber(draft.state.button % draft.state.settings.seats + 1), ButtonMove.NEXT_ROUND)


def keyed(seat: SeatNumber, button: Button) -> Action | None:
    """What a key asks for the player with the button."""
    if button is Button.CHOICE_PASSED:
        return PassButton(seat)
    return ChooseGame(seat, _SIDES[button]) if button in _SIDES else None


def _not_his(draft: Draft, seat: SeatNumber) -> Refusal | None:
    first = holder(draft.round)
    return None if seat == first else Refusal("not-the-button", f"seat {first} has the button and chooses")


def _move(draft: Draft, seat: SeatNumber, why: ButtonMove, by: Request | None = None) -> None:
    """Put the button there; while a game is chosen, that is where the deal will begin."""
    draft.state = replace(draft.state, button=seat)
    draft.say(ButtonMoved(seat, why) if by is None else ButtonMoved(seat, why, by.who, by.role))
    if draft.state.phase is Phase.CHOOSING:
        draft.round = replace(draft.round, plan=plan(draft.state, draft.round.players))
