"""Loading the shoe: by the dealer's word, or by the shoe's own where it says such things; and when it must be done.

Nothing opens before a shoe is loaded and its first cards are burned. It is changed after its last round, after a void
in which cards had left it, and once it is known to be foul.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from daemon.table import alerts
from daemon.table.inputs import LoadShoe
from daemon.table.procedure import Trigger
from daemon.table.round_facts import ShoeChangeDue, ShoeLoaded
from daemon.table.shoe import ShoeRules, loaded
from daemon.table.state import NO_CARDS_OUT, TableState
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import SourceKind
from drivers.events import DeckLoaded, DeviceName, ShuffleFinished, ShuffleStarted
from protocols.cards import DECK


def rules_of(turn: Turn) -> ShoeRules:
    """How the game that is played is dealt from its shoe."""
    return turn.play.shoe(turn.state.settings)


def obstacle(turn: Turn) -> str | None:
    """What the dealer has to do with the shoe before a round can open."""
    if turn.state.settings.source.kind is not SourceKind.SHOE:
        return None
    shoe = turn.state.shoe
    if shoe is None:
        return f"Put {_decks(rules_of(turn).decks)} into the shoe, and say that it is loaded."
    if shoe.burn_due:
        return f"Burn {shoe.burn_due} card{'s' if shoe.burn_due > 1 else ''}."
    return None


def not_ready(state: TableState) -> Refusal | None:
    """Why no card can be dealt from the shoe, or None."""
    if state.shoe is None:
        return Refusal("shoe-not-loaded", "no shoe is loaded: put the decks in and say so with load-shoe")
    if state.shoe.burn_due:
        return Refusal("burn-due", f"{state.shoe.burn_due} of the first cards are to be burned yet")
    if state.shoe.is_spoiled:
        return Refusal("shoe-spoiled", "the shoe is not to be dealt from any more: change it and say so with load-shoe")
    return None


def load(turn: Turn, action: LoadShoe, who: str) -> Refusal | None:
    """Somebody put shuffled decks into the shoe."""
    state = turn.state
    if state.settings.source.kind is not SourceKind.SHOE:
        return Refusal("not-a-shoe", f"{state.settings.source.device} is no shoe: it says itself when a deck is in")
    if state.phase not in NO_CARDS_OUT:
        return Refusal(f"not-while-{state.phase.value}", "a round is dealt from this shoe; void it or finish it first")
    wanted = rules_of(turn).decks
    if action.decks != wanted:
        return Refusal("wrong-decks", f"this game is dealt from {_decks(wanted)} here, not from {action.decks}")
    _load(turn, who)
    return None


def reported(turn: Turn, name: DeviceName, event: DeckLoaded | ShuffleStarted | ShuffleFinished) -> Trigger | None:
    """The shoe says itself that decks were put in, or that it shuffles them."""
    if turn.state.phase not in NO_CARDS_OUT:
        spoil(turn)
        return Trigger.DECK_DISTURBED
    match event:
        case DeckLoaded():
            _load(turn, name)
        case ShuffleStarted():
            turn.set(shoe=None)
        case ShuffleFinished(count):
            _shuffled(turn, name, count)
        case _:
            assert_never(event)
    return None


def _shuffled(turn: Turn, name: DeviceName, count: int | None) -> None:
    wanted = rules_of(turn).decks * len(DECK)
    if count in (None, wanted):
        _load(turn, name)
    else:
        turn.set(shoe=None)
        turn.raise_alert(alerts.wrong_load(name, count or 0, wanted))


def _load(turn: Turn, who: str) -> None:
    rules = rules_of(turn)
    turn.set(shoe=loaded(rules))
    turn.say(ShoeLoaded(turn.state.settings.source.device, rules.decks, who))


def spoil(turn: Turn) -> None:
    """The shoe is not dealt from any more: after the round that runs, or at once."""
    if turn.state.shoe is not None:
        turn.set(shoe=replace(turn.state.shoe, is_spoiled=True))
        if turn.state.round is None:
            end_round(turn)


def void(turn: Turn) -> None:
    """The cards of a void round go back and are shuffled again, and so the shoe is."""
    if turn.state.shoe is not None and turn.state.shoe.of_this_round:
        spoil(turn)


def end_round(turn: Turn) -> None:
    """Between rounds a shoe that has to be changed is none."""
    shoe = turn.state.shoe
    if shoe is not None:
        turn.set(shoe=shoe.after_round())
        is_source = turn.state.settings.source.kind is SourceKind.SHOE
        if turn.state.shoe is None and is_source:
            turn.say(ShoeChangeDue(turn.state.settings.source.device, shoe.gone))


def forget_if_another(turn: Turn, before: TableState) -> None:
    """A shoe was loaded for a game on a device: under settings with another, nothing is known of what it holds."""
    then, now = before.settings, turn.state.settings
    if then.source.device != now.source.device:
        turn.set(batch=None)
    shoe = turn.state.shoe
    same = (then.game, then.source.device) == (now.game, now.source.device)
    if shoe is not None and not (same and shoe.decks == rules_of(turn).decks):
        turn.set(shoe=None)


def _decks(count: int) -> str:
    return "1 deck" if count == 1 else f"{count} decks"
