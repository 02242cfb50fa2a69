"""Stakes: what may lie on a seat's spots, until the dealer's green says no more bets."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from daemon.frozen import replace
from daemon.rules.games import GAMES
from daemon.rules.limits import Limits
from daemon.rules.money import Cents
from daemon.rules.wagers import Wager
from daemon.table import alerts, positions, seen_stakes
from daemon.table.by_rules import refused_by_rules
from daemon.table.draft import Draft, Refusal, refuse
from daemon.table.inputs import Bet, ClearBets, Request
from daemon.table.round_facts import BetPlaced, BetsCleared, BettingClosed, SeatStake
from daemon.table.said import Clause, Said, SaidId
from daemon.table.same import Same
from daemon.table.settings import TableSettings
from daemon.table.stakes import as_wager, by_seat_and_spot, refused_beside
from daemon.table.state import Phase, Presence, TableState
from daemon.table.vocabulary import Actor, SeatNumber

CHANGES_MAX: Final = 200
"""What players may change of one seat's stakes in a round. Each change stays on record, and betting has no end of its
own: without a bound a terminal that bets and clears fills the journal's disk."""
OBJECTIONS_KEPT: Final = 512  # each is asked for by the bet, and by what is offered after it
INVITATIONS: Final = 8  # that games have: each is asked for after every input while bets are taken


def invite(draft: Draft) -> None:
    """Say, while bets are taken, that green comes after them, or what is missing beside them while it would be refused.

    The sentence stays as it is when the first stake comes: the dealer has bets in sight, and reads it once.
    """
    if draft.state.phase is not Phase.BETTING:
        return
    missing = _blocked(draft) or seen_stakes.dispute(draft.state) or draft.play.not_ready(draft.state)
    invites = draft.play.invites(draft.round)
    if missing is None:
        draft.prompt(_then_green(Same(invites)))
    else:
        assert missing.said is not None, f"{missing.code} is a reason that prompts name"
        # Inside another sentence, a clause with others inside it is those.
        inside = missing.said.because if isinstance(missing.said, Said) else ()
        draft.prompt(Said(SaidId.NO_GREEN_YET, because=(invites, *(inside or (missing.said,)))))


@lru_cache(INVITATIONS)
def _then_green(invites: Same[Clause]) -> Said:
    return Said(SaidId.THEN_GREEN, because=(invites.value,))


def place(draft: Draft, request: Request) -> Refusal | None:
    """Put a stake on a spot, in place of what lies there."""
    bet = request.action
    assert isinstance(bet, Bet)
    refusal = no_such_seat(draft, bet.seat) or not_allowed(draft.state, bet) or _changed_too_often(draft, request)
    if refusal is not None:
        return refusal
    stake = SeatStake(bet.seat, bet.wager, bet.stake_cents, bet.colour)
    others = (other for other in draft.round.stakes if not _replaces(draft, stake, other))
    stakes = tuple(sorted((*others, stake), key=by_seat_and_spot))
    draft.round = replace(draft.round, stakes=stakes, changed=with_change(draft, request, bet.seat))
    positions.take(draft, request, bet.seat)
    draft.say(BetPlaced(bet.seat, bet.wager, bet.stake_cents, bet.colour, request.who, request.role))
    seen_stakes.overrule(draft, request, stake)
    return None


def _replaces(draft: Draft, stake: SeatStake, other: SeatStake) -> bool:
    settings = draft.state.settings
    is_hand = stake.seat == other.seat
    return is_hand and GAMES[settings.game].replaces(as_wager(stake), as_wager(other), settings.house)


def no_such_seat(draft: Draft, seat: SeatNumber) -> Refusal | None:
    """Return why this table does not have the seat, or None."""
    seats = draft.state.settings.seats
    if 1 <= seat <= seats:
        return None
    return Refusal("no-such-seat", Clause(SaidId.NO_SUCH_SEAT, seat, wanted=seats))


def not_allowed(state: TableState, bet: Bet) -> Refusal | None:
    """Return why rules and limits refuse this bet beside the seat's others, or None."""
    assert state.round is not None, "bets are taken in a round"
    wager = Wager(bet.wager, Cents(bet.stake_cents), bet.colour)
    return objection(state.settings, state.round.limits, map(as_wager, state.round.stakes_of(bet.seat)), wager)


def objection(settings: TableSettings, limits: Limits, lying: Iterable[Wager], wager: Wager) -> Refusal | None:
    """Return why rules and limits refuse this wager beside what lies at its seat, or None."""
    return _objection(Same(settings), Same(limits), tuple(lying), wager)


@lru_cache(OBJECTIONS_KEPT)
def _objection(
    settings: Same[TableSettings], limits: Same[Limits], lying: tuple[Wager, ...], wager: Wager
) -> Refusal | None:
    refused = refused_beside(settings.value, limits.value, wager, lying)
    return None if refused is None else refused_by_rules(refused)


def clear(draft: Draft, request: Request) -> Refusal | None:
    """Give a seat its stakes back."""
    action = request.action
    assert isinstance(action, ClearBets)
    # Staff clears chips that count as no bet, too. A player's word overrules no device.
    clears_chips = request.role is not Actor.PLAYER and seen_stakes.lie_at(draft.state, action.seat)
    if not draft.round.stakes_of(action.seat) and not clears_chips:
        return refuse("nothing-there", SaidId.NO_STAKE_THERE, action.seat)
    refusal = _changed_too_often(draft, request)
    if refusal is not None:
        return refusal
    left = tuple(stake for stake in draft.round.stakes if stake.seat != action.seat)
    draft.round = replace(draft.round, stakes=left, changed=with_change(draft, request, action.seat))
    positions.give_up(draft, request, action.seat)
    draft.say(BetsCleared(action.seat, request.who, request.role))
    seen_stakes.overrule_seat(draft, request, action.seat)
    return None


def _changed_too_often(draft: Draft, request: Request) -> Refusal | None:
    return too_often(draft, request, SaidId.CHANGED_TOO_OFTEN)


def too_often(draft: Draft, request: Request, said: SaidId) -> Refusal | None:
    """Return that a player changed something at this seat as often as they may in a round, or None."""
    seat = getattr(request.action, "seat", None)
    changed = draft.round.changed
    if len(changed) < CHANGES_MAX or request.role is not Actor.PLAYER or changed.count(seat) < CHANGES_MAX:
        return None
    return Refusal("too-many-changes", Clause(said, seat, count=CHANGES_MAX))


def with_change(draft: Draft, request: Request, seat: SeatNumber) -> tuple[SeatNumber, ...]:
    """Return the seats of a round's changes with this one, if a player made it."""
    return (*draft.round.changed, seat) if request.role is Actor.PLAYER else draft.round.changed


def close(draft: Draft, _: object) -> Refusal | None:
    """Close betting. Every seat with a stake gets a hand, from the dealer's left."""
    refusal = cannot_deal(draft)
    if refusal is not None:
        return refusal
    seats = sorted({stake.seat for stake in draft.round.stakes})
    draft.round = replace(draft.round, plan=draft.play.plan(draft.state, seats))
    draft.say(BettingClosed(draft.round.stakes))
    draft.play.deal(draft)
    return None


def cannot_deal(draft: Draft) -> Refusal | None:
    """Return why no cards can go out now, or None."""
    no_bets = None if draft.round.stakes else refuse("no-bets", SaidId.NO_BETS)
    return _blocked(draft) or seen_stakes.dispute(draft.state) or no_bets or draft.play.not_ready(draft.state)


def _blocked(draft: Draft) -> Refusal | None:
    """Return why nothing at all can be dealt, whatever was bet, or None."""
    state, source = draft.state, draft.state.settings.source.device
    if state.blocked_by:
        why = Said(SaidId.CLEAR_FIRST, names=state.blocked_by, because=alerts.to_clear(state))
        return Refusal("play-blocked", why)
    if state.device(source).presence is not Presence.UP:
        return Refusal("device-missing", alerts.not_there(state, source))
    return None
