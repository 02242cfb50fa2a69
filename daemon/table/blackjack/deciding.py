"""Blackjack: what players may stake and decide, in turn from the dealer's left, each of their hands to its end.

Whether a decision is allowed is the rules' word, which is public to everybody: the cards that it depends on lie open.
A stake that a decision puts down is a wager of its own to the limits (WAC 230-15-140 lets a player add one for doubling
or splitting), and then lies with the hand's.
"""

from __future__ import annotations

from typing import Final

from daemon.frozen import replace
from daemon.rules.blackjack.bets import SPOTS, check_wager, half_insured
from daemon.rules.blackjack.house import Insurance
from daemon.rules.blackjack.play import Action, HandState, decide
from daemon.rules.money import Cents
from daemon.rules.results import Refused
from daemon.rules.wagers import Wager, WagerName
from daemon.table import betting, inputs, moved_stakes
from daemon.table.blackjack.flow import continue_round
from daemon.table.blackjack.house import house, house_of
from daemon.table.blackjack.settlement import base_stake
from daemon.table.blackjack.state import SeatPlay, deal_of, own_of
from daemon.table.blackjack.wording import which_hand
from daemon.table.by_rules import refused_by_rules
from daemon.table.draft import Draft, Refusal
from daemon.table.inputs import Bet, Decide, Request
from daemon.table.offers import Bounds
from daemon.table.round_facts import PlayerDecided, SeatStake
from daemon.table.said import Clause, SaidId
from daemon.table.stakes import as_wager
from daemon.table.state import Round, TableState
from daemon.table.vocabulary import Decision, SeatNumber
from drivers.events import Button

_ACTIONS: Final = {
    Decision.STAND: Action.STAND,
    Decision.HIT: Action.HIT,
    Decision.DOUBLE: Action.DOUBLE,
    Decision.SPLIT: Action.SPLIT,
    Decision.SURRENDER: Action.SURRENDER,
}
_STAKES_MORE: Final = (Action.DOUBLE, Action.SPLIT)
_KEYS: Final = {
    Button.STAND: Decision.STAND,
    Button.HIT: Decision.HIT,
    Button.DOUBLE: Decision.DOUBLE,
    Button.SPLIT: Decision.SPLIT,
    Button.SURRENDER: Decision.SURRENDER,
    Button.INSURE: Decision.INSURE,
    Button.EVEN_MONEY: Decision.EVEN_MONEY,
}


def place_bet(draft: Draft, request: Request) -> Refusal | None:
    """Take a stake on the hand or on the side bet, before the cards."""
    action = request.action
    assert isinstance(action, Bet)
    if action.wager is WagerName.INSURANCE:
        return Refusal("not-offered", Clause(SaidId.INSURANCE_LATER))
    return betting.place(draft, request)


def asked(state: TableState) -> SeatNumber | None:
    """Return who decides next; while insurance is sold nobody is first."""
    deal = None if state.round is None else own_of(state.round)
    player = deal.to_act if deal is not None and deal.is_deciding else None
    return None if player is None else player.seat


def keyed(_played: Round, seat: SeatNumber, button: Button) -> inputs.Action | None:
    """Return what a key asks for this seat; stakes are the ones that the house sells."""
    decision = _KEYS.get(button)
    return None if decision is None else Decide(seat, decision)


def insure(draft: Draft, request: Request) -> Refusal | None:
    """Insure a player against what lies under the dealer's ace, or pay even money for a blackjack."""
    action = request.action
    assert isinstance(action, Decide)
    player = deal_of(draft.round).at(action.seat)
    if player is None:
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, action.seat))
    match action.decision:
        case Decision.INSURE:
            return _insure(draft, request, action, player)
        case Decision.EVEN_MONEY:
            return _take_even_money(draft, request, player)
        case _:
            return Refusal("not-now", Clause(SaidId.COMES_LATER, word=action.decision.value))


def puts_down(state: TableState, seat: SeatNumber, decision: Decision) -> Bounds | None:
    """Bound what a player may insure for; what doubling and splitting put down is as much as lies on the hand."""
    options, own = house_of(state.settings), None if state.round is None else own_of(state.round)
    player = None if own is None else own.at(seat)
    if decision is not Decision.INSURE or state.round is None or player is None:
        return None
    half, step = half_insured(Cents(base_stake(state.round, player)), options), options.money.chip
    return Bounds(half if options.insurance is Insurance.HALF else step, half, step)


def close_insurance(draft: Draft, _: object) -> Refusal | None:
    """Take no more insurance."""
    moved_stakes.compare(draft, said_late=WagerName.INSURANCE, only=WagerName.INSURANCE)
    draft.round = replace(draft.round, own=replace(deal_of(draft.round), is_insurance_closed=True))
    continue_round(draft)
    return None


def decide_hand(draft: Draft, request: Request) -> Refusal | None:
    """Take a player's decision for the hand whose turn it is."""
    action = request.action
    assert isinstance(action, Decide)
    player = deal_of(draft.round).to_act
    assert player is not None
    refusal = _not_now(draft.round, player, action)
    return refusal or _decide(draft, request, action, player)


def _not_now(played: Round, player: SeatPlay, action: Decide) -> Refusal | None:
    if action.seat not in played.players:
        return Refusal("no-such-hand", Clause(SaidId.NO_HAND_THERE, action.seat))
    if action.seat != player.seat:
        hand, hands = which_hand(player)
        return Refusal("out-of-turn", Clause(SaidId.HAND_DECIDES_FIRST, player.seat, hand=hand, hands=hands))
    if action.decision not in _ACTIONS:
        allowed = tuple(decision.value for decision in _ACTIONS)
        return Refusal("not-offered", Clause(SaidId.NOT_TO_DECIDE, word=action.decision.value, names=allowed))
    return None


def _decide(draft: Draft, request: Request, action: Decide, player: SeatPlay) -> Refusal | None:
    assert player.play is not None
    wanted = _ACTIONS[action.decision]
    moved = decide(player.play, wanted, house(draft))
    if isinstance(moved, Refused):
        return refused_by_rules(moved)
    more = base_stake(draft.round, player) if wanted in _STAKES_MORE else 0
    refusal = _wrong_stake(draft, action, more)
    if refusal is not None:
        return refusal
    hand = (player.play.turn or 0) + 1 if player.play.was_split else None
    draft.round = replace(
        draft.round,
        own=deal_of(draft.round).with_seat(replace(player, play=moved)),
        stakes=tuple(_raised(stake, player.seat, more) for stake in draft.round.stakes),
    )
    draft.say(PlayerDecided(player.seat, action.decision, more or None, request.who, hand=hand, role=request.role))
    continue_round(draft)
    return None


def _wrong_stake(draft: Draft, action: Decide, more: int) -> Refusal | None:
    if action.stake_cents is not None and action.stake_cents != more:
        is_as_much, decision = SaidId.STAKE_AS_MUCH if more else SaidId.STAKE_OF_NONE, action.decision.value
        return Refusal("wrong-stake", Clause(is_as_much, word=decision, cents=more or None))
    if not more:
        return None
    others = [as_wager(stake) for stake in draft.round.stakes_of(action.seat) if stake.wager is not WagerName.BLACKJACK]
    wager = Wager(WagerName.BLACKJACK, Cents(more))
    refused = check_wager(wager, others, house(draft), draft.round.limits)
    return None if refused is None else refused_by_rules(refused)


def _raised(stake: SeatStake, seat: SeatNumber, more: int) -> SeatStake:
    is_it = (stake.seat, stake.wager) == (seat, WagerName.BLACKJACK)
    return replace(stake, stake_cents=stake.stake_cents + more) if is_it else stake


def _insure(draft: Draft, request: Request, action: Decide, player: SeatPlay) -> Refusal | None:
    if player.play is not None and player.play.hands[0].state is HandState.EVEN_MONEY:
        return Refusal("illegal-action", Clause(SaidId.EVEN_MONEY_TAKEN))
    stakes = draft.round.stakes_of(player.seat)
    half = half_insured(Cents(base_stake(draft.round, player)), house(draft))
    stake = half if action.stake_cents is None else Cents(action.stake_cents)
    wager = Wager(WagerName.INSURANCE, stake)
    refused = check_wager(wager, [as_wager(other) for other in stakes], house(draft), draft.round.limits)
    if refused is not None:
        return refused_by_rules(refused)
    bought = SeatStake(player.seat, WagerName.INSURANCE, stake)
    by_seat = sorted((*draft.round.stakes, bought), key=lambda stake: (stake.seat, SPOTS.index(stake.wager)))
    draft.round = replace(draft.round, stakes=tuple(by_seat))
    draft.say(PlayerDecided(player.seat, Decision.INSURE, stake, request.who, role=request.role))
    return None


def _take_even_money(draft: Draft, request: Request, player: SeatPlay) -> Refusal | None:
    assert player.play is not None
    stakes = {stake.wager for stake in draft.round.stakes_of(player.seat)}
    if WagerName.BLACKJACK not in stakes:
        return Refusal("needs-another-wager", Clause(SaidId.EVEN_MONEY_NEEDS, spot=WagerName.BLACKJACK))
    if WagerName.INSURANCE in stakes:
        return Refusal("illegal-action", Clause(SaidId.HAND_INSURED))
    moved = decide(player.play, Action.EVEN_MONEY, house(draft))
    if isinstance(moved, Refused):
        return refused_by_rules(moved)
    draft.round = replace(draft.round, own=deal_of(draft.round).with_seat(replace(player, play=moved)))
    draft.say(PlayerDecided(player.seat, Decision.EVEN_MONEY, None, request.who, role=request.role))
    return None
