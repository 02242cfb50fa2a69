"""How rounds begin and end. A round opens by itself as soon as nothing stands against it: the dealer never waits."""

from __future__ import annotations

from daemon.table import orders
from daemon.table.round_facts import RoundOpened, RoundSettled, RoundVoided
from daemon.table.state import Deck, Phase, Presence, Round
from daemon.table.turn import Turn
from daemon.table.vocabulary import Irregularity, RoundId


def open_if_possible(turn: Turn) -> None:
    """Open the next round, or tell the dealer what stands against it."""
    if turn.state.phase is not Phase.IDLE:
        return
    obstacle = _obstacle(turn)
    if obstacle is not None:
        turn.prompt(obstacle)
        return
    limits = turn.state.settings.limits.on(turn.state.day)
    assert limits is not None, "an obstacle would have said so"
    number = turn.state.rounds_opened + 1
    round_id = RoundId(f"{turn.state.settings.table}-{number}")
    turn.set(round=Round(round_id, number, limits), rounds_opened=number, phase=Phase.BETTING)
    turn.say(RoundOpened(number, turn.state.settings.game))
    turn.prompt("Place your bets. Green: no more bets.")


def _obstacle(turn: Turn) -> str | None:
    state = turn.state
    shuffler = state.settings.source.device
    if not state.opened:
        return "The table is closed. Open it to begin a round."
    if state.blocked_by:
        return f"No new round until cleared: {', '.join(state.blocked_by)}."
    if state.device(shuffler).presence is not Presence.UP:
        return f"Waiting for {shuffler}."
    if state.settings.limits.on(state.day) is None:
        return "No limits are configured for today. Call the pit."
    return None


def settle(turn: Turn) -> None:
    """Every seat is reconciled: add up, and make room for the next round."""
    settled = turn.round.settled
    staked = turn.round.staked_cents
    returned = sum(wager.returned_cents for seat in settled for wager in seat.wagers)
    turn.say(RoundSettled(staked, returned, staked - returned, len(settled)))
    _close(turn)


def void(turn: Turn, reason: str, irregularity: Irregularity | None) -> None:
    """No result: every stake back, the cards out and shuffled again."""
    turn.say(RoundVoided(reason, irregularity, turn.round.stakes, turn.round.staked_cents))
    must_shuffle = turn.state.deck is Deck.IN_USE
    _close(turn)
    if must_shuffle:
        orders.owe_reshuffle(turn)


def _close(turn: Turn) -> None:
    """Cards that were dealt are out of the shuffler until it says that it shuffled a deck again."""
    left_inside = turn.state.deck is Deck.IN_USE and turn.round.remainder is None
    if turn.state.deck is Deck.IN_USE:
        turn.set(deck=Deck.UNKNOWN)
    turn.set(round=None, phase=Phase.IDLE)
    adopt_settings(turn)
    if left_inside:
        orders.owe_reshuffle(turn)


def adopt_settings(turn: Turn) -> None:
    """Between rounds, a configuration that waited comes into force."""
    if turn.state.round is None and turn.state.settings_next is not None:
        turn.set(settings=turn.state.settings_next, settings_next=None)
