"""Whole rounds dealt from a shuffled shoe to a player who decides at random among what is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from daemon.rules.blackjack.bets import insurance_refusal
from daemon.rules.blackjack.dealer import found_by_peeking, must_draw
from daemon.rules.blackjack.house import (
    BadBeatOption,
    BlackjackHouse,
    BlackjackPays,
    DoubleOn,
    Insurance,
    SplitAces,
    UnpeekedTakes,
)
from daemon.rules.blackjack.paytables import PAYTABLES
from daemon.rules.blackjack.play import Action, Play, deal, decide, draw, legal_actions
from daemon.rules.blackjack.record import HandRecord, RoundRecord
from daemon.rules.blackjack.totals import total_of
from daemon.rules.money import Cents
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import DECK, Card


@dataclass(frozen=True, slots=True)
class DealtRound:
    """A round that really was dealt, and the same round as somebody would write it down."""

    play: Play
    dealer: tuple[Card, ...]
    record: RoundRecord
    wagers: tuple[Wager, ...]
    house: BlackjackHouse


def random_house(chance: Random) -> BlackjackHouse:
    """Any house there can be."""
    return BlackjackHouse(
        option=chance.choice(list(BadBeatOption)),
        bad_beat_pays=chance.choice(list(PAYTABLES.values())),
        decks=chance.randint(1, 8),
        dealer_hits_soft_17=chance.random() < 0.5,
        blackjack_pays=chance.choice(list(BlackjackPays)),
        peek=chance.random() < 0.5,
        unpeeked_blackjack_takes=chance.choice(list(UnpeekedTakes)),
        double_on=chance.choice(list(DoubleOn)),
        double_after_split=chance.random() < 0.5,
        hands_max=chance.randint(2, 4),
        split_aces=chance.choice(list(SplitAces)),
        late_surrender=chance.random() < 0.5,
        insurance=chance.choice(list(Insurance)),
    )


def deal_round(house: BlackjackHouse, chance: Random) -> DealtRound:
    """One round from a freshly shuffled shoe; twenty-five cards a hand of four are far from any deck's end."""
    shoe = iter(chance.sample(DECK * house.decks, 52))
    first, second, up, hole = (next(shoe) for _ in range(4))
    play = deal(first, second, up)
    stakes = _wagers(up, house, chance)
    actions: list[list[Action]] = [[]]
    if not found_by_peeking((up, hole), house):
        insured = any(wager.name is WagerName.INSURANCE for wager in stakes)
        play = _played(play, actions, shoe, house, insured, chance)
    dealer = tuple(_dealt_out(play, [up, hole], shoe, house))
    hands = tuple(HandRecord(hand.cards, tuple(did)) for hand, did in zip(play.hands, actions, strict=True))
    return DealtRound(play, dealer, RoundRecord((first, second), dealer, hands), stakes, house)


def _wagers(up: Card, house: BlackjackHouse, chance: Random) -> tuple[Wager, ...]:
    stake = Cents(chance.randint(1, 5000))
    placed = [Wager(WagerName.BLACKJACK, stake), Wager(WagerName.BAD_BEAT, Cents(chance.randint(1, 500)))]
    if insurance_refusal(up, house) is None and chance.random() < 0.5:
        placed.append(Wager(WagerName.INSURANCE, Cents(-(-stake // 2))))
    return tuple(placed)


def _played(
    play: Play, actions: list[list[Action]], shoe: Iterator[Card], house: BlackjackHouse, insured: bool, chance: Random
) -> Play:
    """Random decisions; splitting and standing are favoured, so that long and short rounds both occur."""
    while True:
        if play.card_due:
            drawn = draw(play, next(shoe), house)
            assert isinstance(drawn, Play)
            play = drawn
            continue
        may = [action for action, why_not in legal_actions(play, house).items() if why_not is None]
        if not may or (may == [Action.EVEN_MONEY] and (insured or chance.random() < 0.5)):
            return play
        action = chance.choice([*may, *(may if Action.SPLIT not in may else [Action.SPLIT] * 3)])
        at = play.turn or 0
        if action is Action.SPLIT:
            actions.insert(at + 1, [])
        else:
            actions[at].append(action)
        decided = decide(play, action, house)
        assert isinstance(decided, Play)
        play = decided


def _dealt_out(play: Play, dealer: list[Card], shoe: Iterator[Card], house: BlackjackHouse) -> list[Card]:
    while play.contested and must_draw(total_of(dealer), house.dealer_hits_soft_17):
        dealer.append(next(shoe))
    return dealer
