"""What a key means: some are a trigger whatever is played, some choose a seat, the others are the game's own.

A key that says a decision is the dealer asking for it, so it becomes the same request that a program would make. It
is for the seat that was selected, else for the one that is asked; a selection is for one decision.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.frozen import replace
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Action, Press, Request
from daemon.table.procedure import Asked
from daemon.table.round_facts import SeatSelected
from daemon.table.said import Clause, Said, SaidId
from daemon.table.vocabulary import SeatNumber
from drivers.events import Button, ButtonPressed, DeviceName

TRIGGERS: Final = MappingProxyType(
    {
        Button.GREEN: Asked.GREEN,
        Button.NEXT: Asked.NEXT,
        Button.VOID: Asked.ASK_VOID,
        Button.COUNT: Asked.COUNT,
        Button.SUPERVISOR: Asked.SUPERVISOR,
    }
)
_CALLS: Final = (Button.VOID, Button.SUPERVISOR)
SEATS: Final = MappingProxyType(
    {
        Button.SEAT_1: SeatNumber(1),
        Button.SEAT_2: SeatNumber(2),
        Button.SEAT_3: SeatNumber(3),
        Button.SEAT_4: SeatNumber(4),
        Button.SEAT_5: SeatNumber(5),
        Button.SEAT_6: SeatNumber(6),
        Button.SEAT_7: SeatNumber(7),
        Button.SEAT_8: SeatNumber(8),
    }
)


def always(button: Button) -> Asked | None:
    """Return what a key means in every game alike, if it does."""
    return Asked.SELECT_SEAT if button in SEATS else TRIGGERS.get(button)


def select(draft: Draft, request: Request) -> Refusal | None:
    """Direct the next decision by a key to the seat whose key was pressed."""
    action = request.action
    assert isinstance(action, Press)
    seat = SEATS[action.button]
    if seat not in draft.round.players:
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, seat))
    draft.say(SeatSelected(seat))
    draft.round = replace(draft.round, selected=seat)
    return None


def decision(draft: Draft, button: Button) -> Action | Refusal:
    """Return what a key of the game's own asks for now."""
    played = draft.state.round
    seat = None if played is None else played.selected or draft.play.asked(draft.state)
    action = None if played is None or seat is None else draft.play.keyed(played, seat, button)
    if action is None:
        return Refusal(
            "key-means-nothing", Clause(SaidId.MEANS_NOTHING_NOW, word=button.value, text=draft.state.prompt)
        )
    return action


def doubt(draft: Draft, pad: DeviceName) -> None:
    """Keys of a pad may be lost. Nothing was done by them, so what is waited for is said again, with a warning."""
    spend_selection(draft)
    warning, told = Said(SaidId.KEYS_MAY_BE_LOST, device=pad), draft.state.prompted
    if draft.state.round is not None and warning not in told.said[:1]:
        draft.prompt(warning, *told.said, steps=told.steps, seat=told.seat)


def came_too_late(draft: Draft, pad: DeviceName, pressed: ButtonPressed) -> Refusal | None:
    """Return why a key that waited in its device is not done: nobody saw it work, so it may have been done again.

    A pad that is plugged in again says at once what was pressed meanwhile, and three folds would do for three seats
    what was meant for one. Asking for help is never too late. A machine that gives its cards at its own green gave them
    with that press, also where its cable was out. Its other keys move no cards: three nexts would be three seats' pay.
    """
    deals = pad in draft.state.settings.dealing_devices and pressed.button is Button.GREEN
    if not pressed.kept or pressed.button in _CALLS or deals:
        return None
    return Refusal("pressed-unheard", Clause(SaidId.PRESSED_UNHEARD, word=pressed.button.value))


def spend_selection(draft: Draft) -> None:
    """Let go the seat that was selected: the decision has been made."""
    if draft.state.round is not None and draft.state.round.selected is not None:
        draft.round = replace(draft.round, selected=None)
