"""Requests: may this be asked, by whom, and of what is it a trigger. What the round does with it is the procedure's."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from daemon.frozen import replace
from daemon.table import alerts, changing, loading, orders, positions, reconciling
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.draft import Draft, Refusal, refuse
from daemon.table.facts import AlertCleared, TableClosed, TableOpened
from daemon.table.inputs import (
    Action,
    Bet,
    ChangeDeck,
    ChangeGame,
    ClearAlert,
    ClearBets,
    CloseTable,
    CountDeck,
    Decide,
    EnterCards,
    LoadShoe,
    OpenTable,
    OrderReshuffle,
    Press,
    ReportIrregularity,
    Request,
    Rule,
    StubCount,
    VoidRound,
)
from daemon.table.procedure import Asked
from daemon.table.said import Clause, Said, SaidId
from daemon.table.settings import LoadsShoe
from daemon.table.state import STANDS_STILL
from daemon.table.vocabulary import Actor, SeatNumber

_AT_THE_TABLE: Final = frozenset({Actor.DEALER, Actor.SUPERVISOR})
_ANY_PLAYER: Final = frozenset({Actor.PLAYER, Actor.DEALER, Actor.SUPERVISOR})
_RESPONSIBLE: Final = frozenset({Actor.SUPERVISOR})
_ANY_STAFF: Final = frozenset({Actor.DEALER, Actor.SUPERVISOR, Actor.TECHNICIAN})

MAY: Final = MappingProxyType(
    {
        Bet: _ANY_PLAYER,
        ClearBets: _ANY_PLAYER,
        Decide: _ANY_PLAYER,
        ChooseGame: _ANY_PLAYER,
        PassButton: _ANY_PLAYER,
        Claim: _ANY_PLAYER,
        MoveButton: _AT_THE_TABLE,
        Press: _AT_THE_TABLE,
        EnterCards: _AT_THE_TABLE,
        ReportIrregularity: _AT_THE_TABLE,
        StubCount: _AT_THE_TABLE,
        Rule: _RESPONSIBLE,
        VoidRound: _RESPONSIBLE,
        ClearAlert: _ANY_STAFF,  # and each alert says who may clear it
        OpenTable: _RESPONSIBLE,
        CloseTable: _RESPONSIBLE,
        OrderReshuffle: _AT_THE_TABLE,
        LoadShoe: _AT_THE_TABLE,
        ChangeGame: _RESPONSIBLE,
        ChangeDeck: _RESPONSIBLE,
        CountDeck: _AT_THE_TABLE,
    }
)
"""Who may ask for what."""

TRIGGERS: Final = MappingProxyType(
    {
        Bet: Asked.BET,
        ClearBets: Asked.CLEAR_BETS,
        Decide: Asked.DECIDE,
        ChooseGame: Asked.CHOOSE_GAME,
        PassButton: Asked.PASS_BUTTON,
        Claim: Asked.CLAIM,
        MoveButton: Asked.MOVE_BUTTON,
        EnterCards: Asked.ENTER_CARDS,
        ReportIrregularity: Asked.REPORT,
        StubCount: Asked.STUB_COUNT,
        Rule: Asked.RULE,
        VoidRound: Asked.VOID_ROUND,
    }
)


def trigger_of(action: Action) -> Asked | None:
    """Return what an action is to a round, or None if it concerns the table itself. `keys` knows what a key means."""
    return TRIGGERS.get(type(action))


NEEDS_ROUND: Final = frozenset({Bet, ClearBets, Decide, ChooseGame, PassButton, Claim, Rule, VoidRound})
"""These name their round: one that comes late must not fall on the next round, with other stakes and other cards."""
_OF_A_POSITION: Final = (Bet, ClearBets, Decide, Claim)


def not_permitted(draft: Draft, request: Request) -> Refusal | None:
    """Return why this request is not looked at: it is too old, not this user's to make, or meant for another round."""
    if request.expires_utc_ns is not None and request.at.utc_ns > request.expires_utc_ns:
        return Refusal("expired", Clause(SaidId.EXPIRED))
    # Without a call of its own: each picture asks this of everything that may be offered.
    by_supervisor = type(request.action) is LoadShoe and draft.state.settings.loads_shoe is LoadsShoe.SUPERVISOR
    allowed = _RESPONSIBLE if by_supervisor else MAY[type(request.action)]
    if request.role not in allowed:
        who = tuple(sorted(role.value for role in allowed))
        return Refusal("not-permitted", Clause(SaidId.NOT_PERMITTED, word=request.role.value, names=who))
    if request.seats is not None and getattr(request.action, "seat", None) not in request.seats:
        own = tuple(map(SeatNumber, request.seats))
        return Refusal("not-your-seat", Clause(SaidId.NOT_YOUR_SEAT, seats=own, who=request.who))
    return _wrong_round(draft, request) or _wrong_player(draft, request)


def _wrong_player(draft: Draft, request: Request) -> Refusal | None:
    """Choosing a game is for the button's seat, and comes before anybody has bet."""
    action = request.action
    if not isinstance(action, _OF_A_POSITION):
        return None
    return positions.not_theirs(draft, request, action.seat)


def _wrong_round(draft: Draft, request: Request) -> Refusal | None:
    running = draft.state.round.id if draft.state.round is not None else None
    if running is not None and request.round_id == running:
        return None
    if request.round_id is None and type(request.action) in NEEDS_ROUND:
        return Refusal("round-missing", Clause(SaidId.ROUND_MISSING, word=running or "none"))
    if request.round_id not in (None, running):
        return Refusal("other-round", Clause(SaidId.OTHER_ROUND, text=request.round_id, word=running or "none"))
    return None


def table_itself(draft: Draft, request: Request) -> Refusal | None:
    """Do what concerns the table and no round."""
    match request.action:
        case OpenTable():
            return _open(draft, request)
        case CloseTable():
            return _close(draft, request)
        case ClearAlert():
            return _clear(draft, request, request.action)
        case OrderReshuffle():
            return changing.reshuffle(draft, request)
        case ChangeGame():
            return changing.change_game(draft, request, request.action)
        case ChangeDeck():
            return changing.change_deck(draft, request)
        case CountDeck():
            return changing.count_deck(draft, request)
        case LoadShoe():
            return loading.load(draft, request.action, request.who)
        case _:
            raise AssertionError(f"{request.action} is a round's matter")


def _open(draft: Draft, request: Request) -> Refusal | None:
    if draft.state.opened:
        return refuse("already-open", SaidId.ALREADY_OPEN)
    draft.say(TableOpened(request.who, request.role))
    draft.state = replace(draft.state, opened=True)
    return None


def _close(draft: Draft, request: Request) -> Refusal | None:
    if not draft.state.opened:
        return refuse("already-closed", SaidId.ALREADY_CLOSED)
    draft.say(TableClosed(request.who, request.role))
    draft.state = replace(draft.state, opened=False)
    return None


def _clear(draft: Draft, request: Request, action: ClearAlert) -> Refusal | None:
    alert = draft.state.alert(action.alert)
    if alert is None:
        standing = tuple(each.alert for each in draft.state.alerts) or ("none",)
        return Refusal("no-such-alert", Clause(SaidId.NO_SUCH_ALERT, text=action.alert, names=standing))
    if request.role not in alert.cleared_by:
        who = tuple(role.value for role in alert.cleared_by)
        return Refusal("not-permitted", Clause(SaidId.CLEARED_BY, text=action.alert, names=who))
    if alerts.came_again(draft.state, action.alert, action.since_ms):
        return Refusal("changed-since", Said(SaidId.CHANGED_SINCE, because=alerts.inside(alert)))
    cause = alerts.standing_cause(draft.state, alert, orders.cards_wanted(draft))
    if cause is not None:
        remedy = alert.remedy_said or Clause(SaidId.IN_ITS_WORDS, text=alert.remedy)
        return Refusal("cause-stands", Said(SaidId.CAUSE_STANDS, because=(cause, remedy)))
    draft.lower_alert(action.alert)
    draft.say(AlertCleared(action.alert, request.who, request.role))
    if draft.state.round is not None and draft.state.phase not in STANDS_STILL:
        reconciling.tell_when_verified(draft)
    return None
