"""Somebody who sits beside a blackjack table, hears its facts and nothing else, and writes the round down.

The rules can settle such a record by themselves, so the table's results can be compared with those of a path that
shares none of the table's code.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from daemon.rules.blackjack.play import Action
from daemon.rules.blackjack.record import HandRecord, RoundRecord
from daemon.rules.money import Cents
from daemon.rules.wagers import Wager, WagerName
from daemon.table.blackjack.facts import DealerCardsShown
from daemon.table.facts import FactData
from daemon.table.round_facts import (
    BettingClosed,
    CardDealt,
    HandSettled,
    PlayerDecided,
    RoundSettled,
    SettledWager,
    WagerTaken,
)
from daemon.table.vocabulary import DEALER, Decision, SeatNumber
from protocols.cards import Card, Face

ACTIONS = {
    Decision.STAND: Action.STAND,
    Decision.HIT: Action.HIT,
    Decision.DOUBLE: Action.DOUBLE,
    Decision.SURRENDER: Action.SURRENDER,
    Decision.EVEN_MONEY: Action.EVEN_MONEY,
}


@dataclass
class Written:
    """One hand as it is being written down."""

    cards: list[Face]
    actions: list[Action] = field(default_factory=list)


@dataclass
class Witness:
    """One round, as far as it was heard."""

    first: dict[SeatNumber, list[Face]] = field(default_factory=lambda: defaultdict(list))
    hands: dict[SeatNumber, list[Written]] = field(default_factory=dict)
    dealer: list[Face] = field(default_factory=list)
    stakes: dict[SeatNumber, dict[WagerName, int]] = field(default_factory=lambda: defaultdict(dict))
    results: dict[SeatNumber, list[SettledWager]] = field(default_factory=lambda: defaultdict(list))
    settled: list[RoundSettled] = field(default_factory=list)

    def hear(self, facts: Iterable[FactData]) -> None:
        """Write down what concerns the cards, the decisions and the money."""
        for fact in facts:
            match fact:
                case BettingClosed(stakes):
                    for stake in stakes:
                        self.stakes[stake.seat][stake.wager] = stake.stake_cents
                case CardDealt():
                    self._card(fact)
                case PlayerDecided():
                    self._decision(fact)
                case DealerCardsShown(cards):
                    self.dealer = list(cards)
                case WagerTaken(seat, wager):
                    self.results[seat].append(wager)
                case HandSettled():
                    self.results[fact.seat] += fact.wagers
                case RoundSettled():
                    self.settled.append(fact)
                case _:
                    pass

    def _card(self, dealt: CardDealt) -> None:
        if dealt.seat == DEALER:
            if dealt.card is not None:
                self.dealer.append(dealt.card)
            return
        assert isinstance(dealt.card, Card), "players' cards lie open"
        if len(self.first[dealt.seat]) < 2:
            self.first[dealt.seat].append(dealt.card)
            self.hands[dealt.seat] = [Written(list(self.first[dealt.seat]))]
            return
        hand = self.hands[dealt.seat][dealt.hand - 1]
        hand.cards.append(dealt.card)
        assert len(hand.cards) == dealt.position

    def _decision(self, decided: PlayerDecided) -> None:
        place = (decided.hand or 1) - 1
        hands = self.hands[decided.seat]
        match decided.decision:
            case Decision.INSURE:
                self.stakes[decided.seat][WagerName.INSURANCE] = decided.stake_cents or 0
            case Decision.SPLIT:
                hands.insert(place + 1, Written([hands[place].cards.pop()]))
                hands[place].actions.clear()
            case decision:
                hands[place].actions.append(ACTIONS[decision])

    def record(self, seat: SeatNumber) -> RoundRecord:
        """One player's round, as the rules can settle it."""
        hands = tuple(HandRecord(tuple(hand.cards), tuple(hand.actions)) for hand in self.hands[seat])
        return RoundRecord(tuple(self.first[seat]), tuple(self.dealer), hands)

    def wagers(self, seat: SeatNumber) -> tuple[Wager, ...]:
        """The player's stakes as they were put down; what doubling and splitting added, the rules work out."""
        return tuple(Wager(name, Cents(stake)) for name, stake in self.stakes[seat].items())

    def came_to(self, seat: SeatNumber) -> dict[WagerName, tuple[int, int, int]]:
        """Stake, net and what went back, wager by wager, as the table said it."""
        sums: dict[WagerName, tuple[int, int, int]] = {}
        for wager in self.results[seat]:
            stake, pays, returned = sums.get(wager.wager, (0, 0, 0))
            sums[wager.wager] = stake + wager.stake_cents, pays + wager.pays_cents, returned + wager.returned_cents
        return sums
