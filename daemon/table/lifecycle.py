"""How rounds begin and end. A round opens by itself as soon as nothing stands against it: the dealer never waits.

Some wagers are settled before the others, so every result is booked when it is said. The end of the round adds up
what is booked; a void undoes it, because the dealer may have paid or taken it already.
"""

from __future__ import annotations

from collections.abc import Sequence

from daemon.table import alerts, loading, orders
from daemon.table.inputs import Request
from daemon.table.round_facts import PromptStep, RoundOpened, RoundSettled, RoundVoided, SettledWager
from daemon.table.settings import TableSettings
from daemon.table.state import Deck, Phase, Presence, Round, SaidResult
from daemon.table.turn import Turn
from daemon.table.vocabulary import Irregularity, PromptAction, RoundId, SeatNumber


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
    wrong_packets = orders.wrong_packets(turn)
    return f"Waiting: {wrong_packets}." if wrong_packets is not None else loading.obstacle(turn)


def book(turn: Turn, seat: SeatNumber, wagers: Sequence[SettledWager]) -> None:
    """Remember results that are said now."""
    turn.set_round(said=(*turn.round.said, *(SaidResult(seat, wager) for wager in wagers)))


def settle(turn: Turn) -> None:
    """Every seat is reconciled: add up, and make room for the next round."""
    staked = turn.round.staked_cents
    returned = sum(result.wager.returned_cents for result in turn.round.said)
    hands = {result.seat for result in turn.round.said}
    turn.say(RoundSettled(staked, returned, staked - returned, len(hands)))
    _close(turn)


def void(turn: Turn, reason: str, irregularity: Irregularity | None, by: Request | None = None) -> None:
    """No result: every stake back, the cards out and shuffled again."""
    undone = tuple(step for result in turn.round.said for step in _undoing(result))
    who, role = (None, None) if by is None else (by.who, by.role)
    turn.say(RoundVoided(reason, irregularity, turn.round.stakes, turn.round.staked_cents, undone, who, role))
    if undone:
        turn.raise_alert(alerts.undo(turn.round.id, undone, turn.play.spot_names))
    must_shuffle = turn.state.deck is Deck.IN_USE
    loading.void(turn)
    _close(turn)
    if must_shuffle:
        orders.owe_reshuffle(turn)


def _undoing(result: SaidResult) -> tuple[PromptStep, ...]:
    """What leaves the player with his stake and nothing else."""
    pays = result.wager.pays_cents
    if not pays:
        return ()
    action = PromptAction.TAKE if pays > 0 else PromptAction.RETURN
    return (PromptStep(result.wager.wager, action, abs(pays), result.seat),)


def _close(turn: Turn) -> None:
    """Cards that were dealt are out of the shuffler until it says that it shuffled a deck again."""
    left_inside = turn.state.deck is Deck.IN_USE and turn.round.remainder is None
    if turn.state.deck is Deck.IN_USE:
        turn.set(deck=Deck.UNKNOWN)
    turn.set(round=None, phase=Phase.IDLE)
    loading.end_round(turn)
    adopt_settings(turn)
    if left_inside:
        orders.owe_reshuffle(turn)


def adopt_settings(turn: Turn) -> None:
    """Between rounds, a configuration that waited comes into force."""
    if turn.state.round is None and turn.state.settings_next is not None:
        adopt(turn, turn.state.settings_next)


def adopt(turn: Turn, settings: TableSettings) -> None:
    """From now on these settings. What was known of the deck was known of the one in the device dealt from till now."""
    before = turn.state
    turn.set(settings=settings, settings_next=None)
    loading.forget_if_another(turn, before)
    if settings.source.device != before.settings.source.device:
        turn.set(deck=Deck.UNKNOWN, reshuffle_owed=False)
        orders.owe_reshuffle(turn)
    orders.tend(turn)
