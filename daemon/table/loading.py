"""Loading the shoe: by the dealer's word, or by the shoe's own where it says such things; and when it must be done.

Nothing opens before a shoe is loaded and its first cards are burned. It is changed after its last round, after a void
in which cards had left it, and once it is known to be foul.
"""

from __future__ import annotations

from typing import assert_never

from daemon.counting import counted
from daemon.frozen import replace
from daemon.table import alerts
from daemon.table.draft import Draft, Refusal, refuse
from daemon.table.inputs import LoadShoe
from daemon.table.procedure import Reported
from daemon.table.refusal_codes import NOT_WHILE
from daemon.table.round_facts import ShoeChangeDue, ShoeLoaded
from daemon.table.said import Clause, Said, SaidId
from daemon.table.shoe import ShoeRules, loaded
from daemon.table.state import DECK_IS_FREE, Phase, TableState
from daemon.table.vocabulary import SourceKind
from drivers.events import DeckLoaded, DeviceName, ShuffleFinished, ShuffleStarted
from protocols.cards import DECK


def rules_of(draft: Draft) -> ShoeRules:
    """Return how the game that is played is dealt from its shoe."""
    return draft.play.shoe(draft.state.settings)


def obstacle(draft: Draft) -> Said | None:
    """Return what the dealer has to do with the shoe before a round can open."""
    if draft.state.settings.source.kind is not SourceKind.SHOE:
        return None
    shoe = draft.state.shoe
    if shoe is None:
        return Said(SaidId.LOAD_SHOE, count=rules_of(draft).decks)
    if shoe.burn_due:
        return Said(SaidId.BURN_CARDS, count=shoe.burn_due)
    return None


def not_ready(state: TableState) -> Refusal | None:
    """Return why no card can be dealt from the shoe, or None."""
    if state.shoe is None:
        return Refusal("shoe-not-loaded", Clause(SaidId.SHOE_NOT_LOADED))
    if state.shoe.burn_due:
        return Refusal("burn-due", Clause(SaidId.BURN_DUE, count=state.shoe.burn_due))
    if state.shoe.is_spoiled:
        return Refusal("shoe-spoiled", Clause(SaidId.SHOE_SPOILED))
    return None


def load(draft: Draft, action: LoadShoe, who: str) -> Refusal | None:
    """Somebody put shuffled decks into the shoe."""
    state = draft.state
    if state.settings.source.kind is not SourceKind.SHOE:
        return refuse("not-a-shoe", SaidId.NOT_A_SHOE, device=state.settings.source.device)
    if state.phase not in DECK_IS_FREE:
        return refuse(NOT_WHILE[state.phase], SaidId.SHOE_IN_USE)
    wanted = rules_of(draft).decks
    if action.decks != wanted:
        return Refusal("wrong-decks", Clause(SaidId.WRONG_DECKS, count=wanted, left=action.decks))
    _load(draft, who)
    return None


def reported(draft: Draft, name: DeviceName, event: DeckLoaded | ShuffleStarted | ShuffleFinished) -> Reported | None:
    """Record the shoe's own word that decks were put in, or that it shuffles them."""
    if draft.state.phase not in DECK_IS_FREE:
        spoil(draft)
        return Reported.DECK_DISTURBED
    match event:
        case DeckLoaded():
            _load(draft, name)
        case ShuffleStarted():
            draft.state = replace(draft.state, shoe=None)
        case ShuffleFinished(count):
            _shuffled(draft, name, count)
        case _:
            assert_never(event)
    return None


def _shuffled(draft: Draft, name: DeviceName, count: int | None) -> None:
    wanted = rules_of(draft).decks * len(DECK)
    if count in (None, wanted):
        _load(draft, name)
    else:
        draft.state = replace(draft.state, shoe=None)
        draft.raise_alert(alerts.wrong_load(name, count or 0, wanted))


def _load(draft: Draft, who: str) -> None:
    rules = rules_of(draft)
    draft.state = replace(draft.state, shoe=loaded(rules))
    draft.say(ShoeLoaded(draft.state.settings.source.device, rules.decks, who))


def spoil(draft: Draft) -> None:
    """Mark the shoe as one that is no longer dealt from, after the round that runs or at once."""
    if draft.state.shoe is not None:
        draft.state = replace(draft.state, shoe=replace(draft.state.shoe, is_spoiled=True))
        if draft.state.round is None or draft.state.phase is Phase.VOIDING:
            end_round(draft)


def void(draft: Draft) -> None:
    """Have the shoe shuffled again: the cards of a void round go back into it."""
    if draft.state.shoe is not None and draft.state.shoe.of_this_round:
        spoil(draft)


def take_out(draft: Draft) -> None:
    """Forget the cards in the shoe: others are put in, and somebody says so with load-shoe."""
    shoe = draft.state.shoe
    if shoe is not None:
        draft.state = replace(draft.state, shoe=None)
        draft.say(ShoeChangeDue(draft.state.settings.source.device, shoe.gone))


def end_round(draft: Draft) -> None:
    """Between rounds a shoe that has to be changed is none. One for draws holds the rest of one round's deck."""
    shoe = draft.state.shoe
    if shoe is None:
        return
    is_source = draft.state.settings.source.kind is SourceKind.SHOE
    draft.state = replace(draft.state, shoe=shoe.after_round(rules_of(draft)) if is_source else None)
    if draft.state.shoe is None and is_source:
        draft.say(ShoeChangeDue(draft.state.settings.source.device, shoe.gone))


def forget_if_another(draft: Draft, before: TableState) -> None:
    """Forget the shoe's load if these settings deal from another device, or another game."""
    then, now = before.settings, draft.state.settings
    if then.source.machine != now.source.machine:
        draft.state = replace(draft.state, batch=None)
    shoe = draft.state.shoe
    same = (then.game, then.source.machine) == (now.game, now.source.machine)
    if shoe is not None and not (same and shoe.decks == rules_of(draft).decks):
        draft.state = replace(draft.state, shoe=None)


def _decks(count: int) -> str:
    return counted(count, "deck")
