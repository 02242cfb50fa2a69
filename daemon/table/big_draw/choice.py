"""Big Draw: who has the button with two sides, and which game they choose.

A round starts with the choice: the two games pay differently, so no bet is taken before a side is shown. The player at
the button's spot chooses, or passes it to the next spot; the dealer passes it on over an empty seat. The choice holds
until the round ends. Who has the button gets the first hand, or the next player who bets. The button moves on with the
end of a round, also where that player did not bet. A void round is not played, so there it stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from daemon.frozen import replace
from daemon.rules import big_draw
from daemon.rules.big_draw import DealStyle, DrawStyle, Variant
from daemon.table import betting
from daemon.table.big_draw.facts import ButtonMove, ButtonMoved, GameChosen
from daemon.table.big_draw.inputs import ChooseGame, MoveButton, PassButton
from daemon.table.big_draw.settlement import house_of
from daemon.table.big_draw.state import BigDrawRound, deal_of
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Action, Request
from daemon.table.said import Clause, Said, SaidId
from daemon.table.state import Packet, Phase, Round, TableState
from daemon.table.vocabulary import FIRST_SEAT, SeatNumber
from drivers.events import Button

_TITLES: Final = MappingProxyType(
    {Variant.FIVE_CARD_DRAW: "5 Card Draw", Variant.DEUCES_NEVER_LOSES: "Deuces Never Loses"}
)
_INVITES: Final = MappingProxyType({side: Clause(SaidId.SHOW_SIDE, word=title) for side, title in _TITLES.items()})
_SIDES: Final = MappingProxyType(
    {Button.FIVE_CARD_DRAW: Variant.FIVE_CARD_DRAW, Button.DEUCES_NEVER_LOSES: Variant.DEUCES_NEVER_LOSES}
)


def plan(state: TableState, seats: Sequence[SeatNumber]) -> tuple[Packet, ...]:
    """Five cards each, from the player with the button round the table; after the last spot comes the first."""

    def places_on(seat: SeatNumber) -> int:
        return (seat - state.button) % state.settings.seats

    return tuple(Packet(seat, big_draw.HAND_CARDS) for seat in sorted(seats, key=places_on))


def offer(draft: Draft) -> None:
    """Ask the player who has the button. From a seat that the table has no longer, it goes to the first."""
    if draft.state.button > draft.state.settings.seats:
        _move(draft, FIRST_SEAT, ButtonMove.NEXT_ROUND)
    seat, alone = draft.state.button, draft.state.settings.seats == 1
    draft.prompt(Said(SaidId.CHOOSE_SIDE if alone else SaidId.CHOOSE_OR_HAND_ON, seat), seat=seat)


def asked(state: TableState) -> SeatNumber | None:
    """Return who chooses, until the choice is made."""
    return state.button if state.phase is Phase.CHOOSING else None


def choose(draft: Draft, request: Request) -> Refusal | None:
    """Record which side the player with the button chose, and take bets."""
    action = request.action
    assert isinstance(action, ChooseGame)
    refusal = _not_his(draft, action.seat)
    if refusal is not None:
        return refusal
    house = house_of(draft.state.settings)
    is_face_up, one_at_a_time = house.draw is DrawStyle.FACE_UP, house.deal is DealStyle.ONE_AT_A_TIME
    draft.round = replace(draft.round, own=BigDrawRound(action.variant, is_face_up, one_at_a_time))
    draft.say(GameChosen(action.seat, action.variant, request.who, request.role))
    draft.move_to(Phase.BETTING)
    return None


def invites(played: Round) -> Clause:
    """Say which side is shown, and ask for bets."""
    return _INVITES[deal_of(played).variant]


def pass_on(draft: Draft, request: Request) -> Refusal | None:
    """Pass the button on: the next player in turn chooses."""
    action = request.action
    assert isinstance(action, PassButton)
    refusal = _not_his(draft, action.seat)
    if refusal is not None:
        return refusal
    if draft.state.settings.seats == 1:
        return Refusal("nobody-else", Clause(SaidId.NOBODY_ELSE, action.seat))
    # Players at all seats could pass it round without end, and each time stays on record.
    refusal = betting.too_often(draft, request, SaidId.PASSED_TOO_OFTEN)
    if refusal is not None:
        return refusal
    draft.round = replace(draft.round, changed=betting.with_change(draft, request, action.seat))
    _move(draft, _next_spot(draft.state), ButtonMove.PASSED, request)
    offer(draft)
    return None


def move(draft: Draft, request: Request) -> Refusal | None:
    """Put the button where the dealer says that it belongs."""
    action = request.action
    assert isinstance(action, MoveButton)
    refusal = betting.no_such_seat(draft, action.seat)
    if refusal is not None:
        return refusal
    if action.seat == draft.state.button:
        return Refusal("already-there", Clause(SaidId.BUTTON_THERE, action.seat))
    _move(draft, action.seat, ButtonMove.BY_HAND, request)
    if draft.state.phase is Phase.CHOOSING:
        offer(draft)
    return None


def move_on(draft: Draft) -> None:
    """Move the button on after a round: from the last place to the first."""
    _move(draft, _next_spot(draft.state), ButtonMove.NEXT_ROUND)


def _next_spot(state: TableState) -> SeatNumber:
    return SeatNumber(state.button % state.settings.seats + 1)


def keyed(seat: SeatNumber, button: Button) -> Action | None:
    """Return what a key asks for the player with the button."""
    if button is Button.CHOICE_PASSED:
        return PassButton(seat)
    return ChooseGame(seat, _SIDES[button]) if button in _SIDES else None


def _not_his(draft: Draft, seat: SeatNumber) -> Refusal | None:
    first = draft.state.button
    return None if seat == first else Refusal("not-the-button", Clause(SaidId.BUTTON_CHOOSES, first))


def _move(draft: Draft, seat: SeatNumber, why: ButtonMove, by: Request | None = None) -> None:
    """Put the button there."""
    draft.say(ButtonMoved(seat, why) if by is None else ButtonMoved(seat, why, by.who, by.role))
    draft.state = replace(draft.state, button=seat)
