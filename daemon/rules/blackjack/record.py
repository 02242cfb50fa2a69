"""A round as written down afterwards: first cards, final hands with their decisions, dealer's cards.

Theory of operation. The record is played again through `play`, so that a decision is legal here exactly when
it would have been legal at the table. Splits need no replay of their own: whatever the order in which they
were made, they leave every hand with one card of the pair's worth, two of those being the first cards dealt,
the first hand's among them. From there each hand is played to its end by its own list of decisions, and the
cards that the decisions made due must be the cards that lie there, all of them.

A decision that the house or the game does not allow is refused; cards that do not fit the decisions void the
round. Neither is an exception.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final

from daemon.rules.blackjack.bets import insurance_refusal
from daemon.rules.blackjack.house import HOUSE, BlackjackHouse
from daemon.rules.blackjack.play import (
    STOOD,
    Action,
    Hand,
    HandState,
    Play,
    deal,
    decide,
    draw,
    refusal,
    split_refusal,
)
from daemon.rules.blackjack.settle import BlackjackFindings, settle
from daemon.rules.blackjack.totals import is_pair
from daemon.rules.dealt import Dealt, irregularity, named
from daemon.rules.results import Irregularity, RefusalCode, Refused, Settled, Voided, VoidReason, voided
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import Card, Face
from protocols.frozen import dataclass

FIRST_CARDS: Final = 2


@dataclass(frozen=True, slots=True)
class HandRecord:
    """One final hand: its cards in the order in which they came, and what was decided for it since its split."""

    faces: tuple[Face, ...]
    actions: tuple[Action, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        return named(self.faces)


@dataclass(frozen=True, slots=True)
class RoundRecord:
    """One player's round. The up card is the dealer's first. `hands` is empty if nothing was decided."""

    player: tuple[Face, ...]
    dealer: tuple[Face, ...]
    hands: tuple[HandRecord, ...] = ()

    @property
    def final(self) -> tuple[HandRecord, ...]:
        return self.hands or (HandRecord(self.player, ()),)


def settle_record(
    record: RoundRecord, wagers: Sequence[Wager], house: BlackjackHouse = HOUSE
) -> Settled[BlackjackFindings] | Voided | Refused:
    """Return the record's result. The wagers have passed `check_wager` under the same options."""
    wrong = _miscounted(record, house)
    if wrong is not None:
        return voided(wagers, wrong)
    insured = any(wager.name is WagerName.INSURANCE for wager in wagers)
    refused = insurance_refusal(named(record.dealer)[0], house) if insured else None
    played = refused or replay(record, house)
    match played:
        case Refused():
            return played
        case Irregularity():
            return voided(wagers, played)
        case Play() if insured and played.hands[0].state is HandState.EVEN_MONEY:
            return Refused(RefusalCode.ILLEGAL_ACTION, "even_money: is insurance by another name; this hand has both")
        case Play():
            return settle(played, record.dealer, wagers, house)


def _miscounted(record: RoundRecord, house: BlackjackHouse) -> Irregularity | None:
    """Return what can be seen wrong in the cards before anybody asks how they came there."""
    hands = [
        Dealt(f"hand {at}", hand.faces, max(len(hand.faces), FIRST_CARDS))
        for at, hand in enumerate(record.final, start=1)
    ]
    dealer = Dealt("dealer", record.dealer, max(len(record.dealer), FIRST_CARDS))
    player = Dealt("player", record.player, FIRST_CARDS)
    return irregularity(player, decks=house.decks) or irregularity(*hands, dealer, decks=house.decks)


def replay(record: RoundRecord, house: BlackjackHouse) -> Play | Irregularity | Refused:
    """Return the play that the record describes; unfinished where the record stops short."""
    play = _start(record, house)
    for at, hand in enumerate(record.final):
        if not isinstance(play, Play) or play.turn not in (at, None):
            break
        play = _play_hand(play, at, hand, house)
    return play


def _start(record: RoundRecord, house: BlackjackHouse) -> Play | Irregularity | Refused:
    """Return the play before its first decision, or right after its last split."""
    player, up = named(record.player), named(record.dealer)[0]
    starts = [hand.cards for hand in record.final]
    if len(starts) == 1:
        if Counter(starts[0][:FIRST_CARDS]) != Counter(player):
            return Irregularity(VoidReason.IMPOSSIBLE_PLAY, "hand 1: does not begin with the player's first two cards")
        first, second = starts[0][:FIRST_CARDS]
        return deal(first, second, up)
    for hands in range(1, len(starts)):
        refused = split_refusal(player, hands, house)
        if refused is not None:
            return refused
    firsts = [cards[0] for cards in starts]
    if not _left_by_splits(firsts, player):
        return Irregularity(VoidReason.IMPOSSIBLE_PLAY, "hands: no split of the player's pair leaves these first cards")
    return Play(tuple(Hand((card,), HandState.SECOND_CARD_DUE) for card in firsts), up)


def _left_by_splits(firsts: Sequence[Card], pair: tuple[Card, ...]) -> bool:
    """Return whether these hands come of this pair: each keeps a card of its worth, its own cards among them."""
    alike = all(is_pair(pair[0], card) for card in firsts)
    return alike and firsts[0] in pair and not Counter(pair) - Counter(firsts)


def _play_hand(play: Play, at: int, hand: HandRecord, house: BlackjackHouse) -> Play | Irregularity | Refused:
    if hand.actions.count(Action.STAND) > 1:
        return _played_on(at)
    moved = _take_due(play, at, hand, house)
    for action in _decisions(hand, play.was_split):
        if not isinstance(moved, Play):
            return moved
        moved = _act(moved, at, action, hand, house)
    if isinstance(moved, Play) and len(moved.hands[at].cards) < len(hand.faces):
        return Irregularity(VoidReason.WRONG_COUNT, f"hand {at + 1}: more cards than its decisions asked for")
    return moved


def _decisions(hand: HandRecord, was_split: bool) -> Iterator[Action]:
    """Return the decisions after a split. A split that its hands show may be written down as well, or left out."""
    actions = iter(hand.actions)
    return dropwhile(lambda action: action is Action.SPLIT, actions) if was_split else actions


def _take_due(play: Play, at: int, hand: HandRecord, house: BlackjackHouse) -> Play | Irregularity | Refused:
    if play.turn != at or not play.card_due:
        return play
    have = len(play.hands[at].cards)
    if have == len(hand.faces):
        return Irregularity(VoidReason.WRONG_COUNT, f"hand {at + 1}: fewer cards than its decisions asked for")
    return draw(play, hand.cards[have], house)


def _act(play: Play, at: int, action: Action, hand: HandRecord, house: BlackjackHouse) -> Play | Irregularity | Refused:
    over = play.turn != at and action is not Action.EVEN_MONEY
    if over and action is Action.STAND and play.hands[at].state in STOOD:
        return play  # it stood by itself; some write that down
    if over:
        return _played_on(at)
    if action is Action.SPLIT:
        lone = Irregularity(VoidReason.IMPOSSIBLE_PLAY, f"hand {at + 1}: a split left no second hand")
        return refusal(play, action, house) or lone
    moved = decide(play, action, house)
    return _take_due(moved, at, hand, house) if isinstance(moved, Play) else moved


def _played_on(at: int) -> Irregularity:
    return Irregularity(VoidReason.HAND_PLAYED_ON, f"hand {at + 1}: something was decided after it was over")
