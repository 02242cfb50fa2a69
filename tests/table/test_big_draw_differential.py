"""Whole rounds at the table against `big_draw.settle` on whole hands, by seed: other code, the same money.

The table settles First 5 and Big Draw at different times, on what a device read and a person said. Here each player
chooses at random what to throw away; a person who turns a hand over reads what really lies there.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from daemon.rules import big_draw
from daemon.rules.big_draw import DealStyle, DrawStyle, Variant
from daemon.rules.money import Cents
from daemon.rules.results import Outcome, Settled
from daemon.rules.wagers import Wager, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.round_facts import HandSettled, RoundSettled, SettledWager
from daemon.table.settings import Reconciling, SourceSettings
from daemon.table.state import Phase
from drivers.events import Button, LinkUp
from protocols.cards import DECK, Card
from tests.table.big_draw_playing import A_SHOE, FOR_DRAWS, BigDrawTable
from tests.table.playing import IDENTITY, SEES_ALL
from tests.table.test_procedure import LONG

ROUNDS = 600 if LONG else 40
COUNTS = replace(SEES_ALL, reads_faces=False)
BLIND = replace(COUNTS, counts=False)


@dataclass
class Player:
    """One player: the stakes, what lies at the seat, and what is given up."""

    seat: int
    stakes: dict[WagerName, int]
    first: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()
    drawn: tuple[Card, ...] = ()
    are_named: bool = False

    @property
    def final(self) -> tuple[Card, ...]:
        return (*(card for card in self.first if card not in self.discards), *self.drawn)


class Play:
    """One round by chance, with everything that really happened to each player's cards."""

    def __init__(self, seed: int, source: SourceSettings, draw: DrawStyle) -> None:
        self.chance = random.Random(seed)
        self.variant = self.chance.choice(list(Variant))
        deal = self.chance.choice(list(DealStyle)) if source is A_SHOE else DealStyle.FIVE_AT_ONCE
        options = BigDrawAtTable(draw=draw, deal=deal, first_5_alone_waits=self.chance.random() < 0.5)
        style = self.chance.choice(list(Reconciling))
        deck = tuple(self.chance.sample(DECK, len(DECK)))
        two = source is SEES_ALL and self.chance.random() < 0.5
        options = replace(options, draws_from=FOR_DRAWS if two else None)
        table = BigDrawTable(deck, options=options, source=source, reconciling=style)
        table.from_draw_shoe(LinkUp(IDENTITY, "boot-s", resumed=True))
        self.table = table.with_deck() if source is A_SHOE else table.waiting()
        self.players = self._bets()

    def _bets(self) -> dict[int, Player]:
        self.table.move_button(self.chance.randint(2, 5))
        self.table.chosen(self.variant)
        seats = sorted(self.chance.sample(range(1, 6), self.chance.randint(1, 5)))
        players = {}
        for seat in seats:
            spots = self.chance.choice([[WagerName.BIG_DRAW], [WagerName.FIRST_5], list(big_draw.SPOTS)])
            stakes = {spot: 100 * self.chance.randint(1, 50) for spot in spots}
            for spot, stake in stakes.items():
                assert self.table.bet(seat, spot, stake).accepted, self.table.answer
            players[seat] = Player(seat, stakes)
        return players

    def order(self) -> tuple[int, ...]:
        assert self.table.state.round is not None
        return self.table.state.round.players

    def run(self) -> None:
        """Whatever phase it stands in, what a good dealer does next."""
        self.table.press()
        steps: dict[Phase, Callable[[], object]] = {
            Phase.DEALING: self._deal,
            Phase.DECIDING: self._decide,
            Phase.FIRST_FIVE: self._first_5,
            Phase.DEALT: self.table.press,
            Phase.COLLECTING: lambda: self.table.eject(faces=list(self.table.deck)),
            Phase.COUNTING: lambda: self.table.stub(len(self.table.deck)),
            Phase.RECONCILING: self._reconcile,
        }
        while not self.table.said(RoundSettled):
            steps[self.table.state.phase]()

    def _deal(self) -> None:
        if "Draw a card" in self.table.state.prompt:
            self._draw_one()
        else:
            self._deal_packet()

    def _deal_packet(self) -> None:
        round_ = self.table.state.round
        assert round_ is not None
        position = sum(hand.delivered for hand in round_.hands) + 1
        packet = round_.plan[position - 1]
        cards = tuple(face for face in self.table.draw(packet.cards) if isinstance(face, Card))
        player = self.players[packet.seat]
        if packet.drawn:
            player.drawn = cards
        else:
            player.first = cards
        self.table.dispense(position, list(cards))
        self.table.deliver(position)

    def _draw_one(self) -> None:
        """The dealer gives the card to the seat that the table names."""
        told = self.table.state.prompt
        player = self.players[int(told.rstrip(".").rpartition(" ")[2])]
        (card,) = self.table.draw(1)
        assert isinstance(card, Card)
        if "the draw of" in told:
            player.drawn = (*player.drawn, card)
        else:
            player.first = (*player.first, card)
        if self.table.state.settings.source is A_SHOE:
            self.table.card(card)
        else:
            self.table.drawn_card(card)

    def _decide(self) -> None:
        seat = next(seat for seat in self.order() if f"Seat {seat}:" in self.table.state.prompt)
        player = self.players[seat]
        player.discards = tuple(self.chance.sample(player.first, self.chance.randint(0, 5)))
        named = player.discards if self.chance.random() < 0.3 else ()
        assert self.table.draw_cards(seat, len(player.discards), *named).accepted, self.table.answer

    def _first_5(self) -> None:
        """Where nobody read the hands, every player who won says so."""
        if "enter it if it wins" in self.table.state.prompt:
            for player in self.players.values():
                if self.first_5_wins(player):
                    self.table.enter(player.seat, player.first)
        self.table.press(Button.NEXT)

    def first_5_wins(self, player: Player) -> bool:
        bet = [Wager(WagerName.FIRST_5, Cents(100))]
        settled = big_draw.settle_first_5(player.first, bet, self.variant)
        return isinstance(settled, Settled) and settled.wagers[0].outcome is not Outcome.LOSE

    def _reconcile(self) -> None:
        round_ = self.table.state.round
        assert round_ is not None
        if self.table.is_asked_for_cards():
            assert round_.showing is not None
            player = self.players[round_.showing]
            assert self.table.enter(player.seat, player.final).accepted, self.table.answer
        else:
            self.table.press(Button.NEXT)

    def said(self) -> dict[tuple[int, WagerName], SettledWager]:
        first: dict[tuple[int, WagerName], SettledWager]
        first = {(fact.seat, fact.wager.wager): fact.wager for fact in self.table.said(FirstFiveSettled)}
        later = {(fact.seat, spot.wager): spot for fact in self.table.said(HandSettled) for spot in fact.wagers}
        assert not first.keys() & later.keys()
        return first | later

    def expected(self) -> dict[tuple[int, WagerName], tuple[Outcome, int, int]]:
        results = {}
        for player in self.players.values():
            wagers = [Wager(name, Cents(stake)) for name, stake in player.stakes.items()]
            settled = big_draw.settle(player.first, player.discards, player.drawn, wagers, self.variant)
            for result in settled.wagers:
                results[player.seat, result.name] = (result.outcome, int(result.pays), int(result.returned))
        return results


@pytest.mark.parametrize("source", [SEES_ALL, COUNTS, BLIND, A_SHOE], ids=["reads", "counts", "blind", "shoe"])
@pytest.mark.parametrize("draw", DrawStyle, ids=lambda style: style.value)
def test_the_table_pays_what_the_rules_pay_on_the_whole_hand(source: SourceSettings, draw: DrawStyle) -> None:
    for seed in range(ROUNDS):
        play = Play(seed, source, draw)
        play.run()
        said = {spot: (wager.outcome, wager.pays_cents, wager.returned_cents) for spot, wager in play.said().items()}
        assert said == play.expected(), f"seed {seed}"
        (settled,) = play.table.said(RoundSettled)
        assert settled.returned_cents == sum(returned for _, _, returned in said.values()), f"seed {seed}"
