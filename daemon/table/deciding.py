"""Big Raise: every player folds or makes the Play bet, from the dealer's left; then the dealer's cards are shown.

The dealer's up card is public when the first player is asked. What a player may bet depends on his own two cards, so
the range is never published: a bet outside it is refused to whoever asked, and to nobody else.
"""

from __future__ import annotations

from typing import Final

from daemon.rules import big_raise
from daemon.rules.dealers_discard import dealers_choice
from daemon.rules.money import Cents, dollars
from daemon.rules.wagers import Wager, WagerName
from daemon.table import reconciling
from daemon.table.inputs import Action, Decide, Request
from daemon.table.round_facts import CommunityShown, DealerHandShown, PlayerDecided, SeatStake, UpCardShown
from daemon.table.stakes import as_wager
from daemon.table.state import Decided, Phase, Round
from daemon.table.turn import Refusal, Turn
from daemon.table.vocabulary import COMMUNITY, DEALER, Decision, SeatNumber
from drivers.events import Button
from protocols.cards import Card

_PLAY_KEYS: Final = {Button.PLAY_2: 2, Button.PLAY_3: 3, Button.PLAY_4: 4}
_ACTIONS: Final = {Decision.FOLD: big_raise.Action.FOLD, Decision.PLAY: big_raise.Action.PLAY}


def begin(turn: Turn) -> None:
    """The deck is accounted for: show the up card, and ask the first player."""
    turn.move_to(Phase.DECIDING)
    turn.say(UpCardShown(_cards(turn, DEALER)[0]))
    _ask_next(turn)


def resume(turn: Turn) -> None:
    """Go on where the round stood still."""
    if turn.round.house_shown:
        reconciling.resume(turn)
    else:
        turn.move_to(Phase.DECIDING)
        _ask_next(turn)


def decide(turn: Turn, request: Request) -> Refusal | None:
    """A player folds or plays."""
    action = request.action
    assert isinstance(action, Decide)
    refusal = _not_now(turn, action) or _not_allowed(turn, action)
    if refusal is not None:
        return refusal
    turn.set_round(decided=(*turn.round.decided, Decided(action.seat, action.decision)))
    if action.stake_cents is not None:
        _put_play_bet(turn, action.seat, action.stake_cents)
    turn.say(PlayerDecided(action.seat, action.decision, action.stake_cents, request.who))
    _ask_next(turn)
    return None


def _ask_next(turn: Turn) -> None:
    seat = to_act(turn.round)
    if seat is None:
        _show(turn)
    else:
        ante = _ante(turn.round, seat)
        turn.prompt(f"Seat {seat}: fold, or play from {dollars(2 * ante)}.", seat=seat)


def to_act(played: Round) -> SeatNumber | None:
    """Who decides next: from the dealer's left, whoever has not yet."""
    decided = {each.seat for each in played.decided}
    return next((seat for seat in played.players if seat not in decided), None)


def keyed(played: Round, seat: SeatNumber, button: Button) -> Action | None:
    """What a key asks for this seat; a key for a Play bet says how many antes it is."""
    if button is Button.FOLD:
        return Decide(seat, Decision.FOLD)
    antes = _PLAY_KEYS.get(button)
    return None if antes is None else Decide(seat, Decision.PLAY, antes * _ante(played, seat))


def _ante(played: Round, seat: SeatNumber) -> int:
    return sum(stake.stake_cents for stake in played.stakes_of(seat) if stake.wager is WagerName.ANTE)


def _not_now(turn: Turn, action: Decide) -> Refusal | None:
    first = to_act(turn.round)
    if action.seat == first:
        return None
    if action.seat not in turn.round.players:
        return Refusal("no-such-hand", f"seat {action.seat} has no hand in this round")
    return Refusal("out-of-turn", f"seat {first} decides first, from the dealer's left")


def _not_allowed(turn: Turn, action: Decide) -> Refusal | None:
    wagers = [as_wager(stake) for stake in turn.round.stakes_of(action.seat)]
    chosen = _ACTIONS.get(action.decision)
    if chosen is None:
        return Refusal("not-offered", f"{action.decision.value} is no decision of this game: fold or play")
    if action.stake_cents is not None:
        wagers.append(Wager(WagerName.PLAY, Cents(action.stake_cents)))
    house = turn.play.house(turn.state.settings)
    refused = big_raise.check_action(chosen, wagers, _cards(turn, action.seat), house, turn.round.limits)
    return None if refused is None else Refusal(refused.code.value, refused.message)


def _put_play_bet(turn: Turn, seat: SeatNumber, stake_cents: int) -> None:
    play = SeatStake(seat, WagerName.PLAY, stake_cents)
    turn.set_round(stakes=tuple(sorted((*turn.round.stakes, play), key=lambda stake: (stake.seat, stake.wager.value))))


def _show(turn: Turn) -> None:
    """Everybody has decided: the dealer's other two cards and his discard, then the cards in common."""
    dealer = _cards(turn, DEALER)
    choice = dealers_choice(dealer)
    turn.say(
        DealerHandShown(dealer, choice.keeps, choice.discards, choice.reason.value, choice.reason.suit_was_free),
        CommunityShown(_cards(turn, COMMUNITY)),
    )
    turn.set_round(house_shown=True)
    reconciling.begin(turn)


def _cards(turn: Turn, seat: SeatNumber) -> tuple[Card, ...]:
    """The hand of a place; the proof saw to it that every card of it has a name."""
    hand = turn.round.hand_of(seat)
    assert hand is not None
    return tuple(face for face in hand.faces or () if isinstance(face, Card))
