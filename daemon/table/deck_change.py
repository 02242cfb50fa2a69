"""The recommended change of the deck: a reminder after so many rounds, or so long, as the house has it.

Play does not wait for it. Rounds and time count from the last change, and from the last reminder: a person who clears
the alert and leaves the deck is reminded again.
"""

from __future__ import annotations

from typing import Final

from daemon.frozen import replace
from daemon.table import alerts
from daemon.table.draft import Draft
from daemon.table.facts import AlertCleared
from daemon.table.inputs import Request
from daemon.table.state import NO_CARDS_OUT

_NS_PER_MINUTE: Final = 60_000_000_000


def count_round(draft: Draft) -> None:
    """Count a round in which cards were dealt, for a house that is reminded by rounds."""
    if draft.round.hands and draft.state.settings.deck_change_rounds is not None:
        draft.state = replace(draft.state, rounds_with_deck=draft.state.rounds_with_deck + 1)


def remind(draft: Draft) -> None:
    """Between two rounds, remind of a change that is due."""
    state = draft.state
    rounds_max, minutes_max = state.settings.deck_change_rounds, state.settings.deck_change_minutes
    if (rounds_max is None and minutes_max is None) or state.phase not in NO_CARDS_OUT:
        return
    # A deck does not come in the future: the clock was set back, and would keep the reminder away until then.
    if state.deck_since_utc_ns is None or state.deck_since_utc_ns > state.at.utc_ns:
        draft.state = replace(state, deck_since_utc_ns=state.at.utc_ns)
        return
    device, minutes = state.settings.source.device, (state.at.utc_ns - state.deck_since_utc_ns) // _NS_PER_MINUTE
    if rounds_max is not None and state.rounds_with_deck >= rounds_max:
        due = alerts.change_deck(device, rounds=state.rounds_with_deck)
    elif minutes_max is not None and minutes >= minutes_max:
        due = alerts.change_deck(device, minutes=minutes)
    else:
        return
    _begin_anew(draft)
    draft.raise_alert(due)


def changed(draft: Draft, by: Request) -> None:
    """Forget what was due: another deck goes in."""
    _begin_anew(draft)
    name = alerts.change_deck_name(draft.state.settings.source.device)
    if draft.state.alert(name) is not None:
        draft.lower_alert(name)
        draft.say(AlertCleared(name, by.who, by.role))


def _begin_anew(draft: Draft) -> None:
    draft.state = replace(draft.state, rounds_with_deck=0, deck_since_utc_ns=draft.state.at.utc_ns)
