"""Random rounds at the table against the rules' settlement of the record that a bystander wrote."""

from __future__ import annotations

import os
from dataclasses import fields
from random import Random

import pytest

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.paytables import BadBeatPaytable
from daemon.rules.blackjack.record import settle_record
from daemon.rules.results import Settled
from daemon.rules.wagers import WagerName
from daemon.table.blackjack.house import house_of
from daemon.table.facts import FactData
from daemon.table.inputs import Bet, LoadShoe
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Decision, SeatNumber
from drivers.events import Button
from protocols.cards import DECK, Card, Rank
from tests.rules.blackjack.dealt import random_house
from tests.table.blackjack_playing import Blackjack
from tests.table.blackjack_witness import Witness

TABLES = 2000 if "FELTD_SOAK" in os.environ else 60
ROUNDS_A_TABLE = 20
CARDS_A_SEAT = 16  # more than any seat takes with ranks that are not all small
MAY = (Decision.STAND, Decision.HIT, Decision.DOUBLE, Decision.SPLIT, Decision.SURRENDER)


def random_options(chance: Random) -> BlackjackHouse:
    """Any house there can be, as a table is told of it."""
    house = random_house(chance)
    same = {each.name: getattr(house, each.name) for each in fields(BlackjackHouse) if hasattr(house, each.name)}
    others = {
        "paytable": BadBeatPaytable(house.bad_beat_paytable.name),
        "bad_beat_pays": None,
        "bad_beat_alone": chance.random() < 0.5,
        "burn_cards": chance.randint(0, 3),
    }
    return BlackjackHouse(**(same | others))


class Evening:
    """One table, a shoe that is shuffled for each round, and players who do anything that they may."""

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.options = random_options(chance)
        style = chance.choice(list(Reconciling))
        self.table = Blackjack(self.options, reconciling=style)
        self.witness = Witness()
        self.shoe: list[Card] = []

    def play_round(self) -> Witness:
        """One round from loading to the last coin, as a bystander hears it."""
        self.witness = Witness()
        self._load()
        self._bet()
        self._hear(self.table.press(Button.GREEN))
        for _ in range(600):
            if self.table.phase() in (Phase.BETTING, Phase.IDLE):  # idle: the shoe is changed first
                return self.witness
            self._go_on()
        raise AssertionError(f"the round stands in {self.table.phase()}: {self.table.state.prompt}")

    def _load(self) -> None:
        """A shoe of which the same few ranks come often, so that pairs, naturals and long splits do."""
        few = set(self.chance.sample(list(Rank), 4 if self.options.decks > 2 else 13))
        self.shoe = [card for card in DECK * self.options.decks if card.rank in few]
        self.chance.shuffle(self.shoe)
        self.table.ask(LoadShoe(self.options.decks), Actor.DEALER)
        for _ in range(self.options.burn_cards):
            self._draw()

    def _bet(self) -> None:
        most = min(7, len(self.shoe) // CARDS_A_SEAT)
        for seat in self.chance.sample(range(1, 8), self.chance.randint(1, most)):
            if self.chance.random() < 0.9 or not self.options.bad_beat_alone:
                self._stake(seat, WagerName.BLACKJACK)
            if self.chance.random() < 0.7:
                self._stake(seat, WagerName.BAD_BEAT)
        if self.table.state.round is None or not self.table.state.round.stakes:
            self._stake(1, WagerName.BLACKJACK)

    def _stake(self, seat: int, wager: WagerName) -> None:
        self.table.ask(Bet(SeatNumber(seat), wager, self.chance.randint(1, 2000)), Actor.PLAYER)

    def _go_on(self) -> None:
        phase = self.table.phase()
        if "raw a card for" in self.table.state.prompt:
            self._draw()
        elif phase is Phase.INSURING:
            self._insure()
        elif phase is Phase.DECIDING:
            self._decide()
        else:
            self._hear(self.table.press(Button.NEXT))

    def _draw(self) -> None:
        self._hear(self.table.card(self.shoe.pop()))

    def _insure(self) -> None:
        for seat in range(1, 8):
            decision = self.chance.choice([None, Decision.INSURE, Decision.EVEN_MONEY])
            if decision is not None:
                self.table.decide(seat, decision)
                self._hear(self.table.new)
        self._hear(self.table.press(Button.NEXT))

    def _decide(self) -> None:
        seat = next(seat for seat in range(1, 8) if f"Seat {seat}" in self.table.state.prompt.split(". ")[-1])
        for decision in self.chance.sample(MAY, len(MAY)):
            if self.table.decide(seat, decision).accepted:
                self._hear(self.table.new)
                return
        raise AssertionError(f"nothing may be decided: {self.table.state.prompt}")

    def _hear(self, facts: list[FactData]) -> None:
        self.witness.hear(facts)


def compare(evening: Evening, heard: Witness) -> None:
    """What the table said of every seat is what the rules make of the bystander's record."""
    house = house_of(evening.table.state.settings)
    staked = returned = 0
    for seat in heard.hands:
        result = settle_record(heard.record(seat), heard.wagers(seat), house)
        assert isinstance(result, Settled), result
        wanted = {wager.name: (wager.stake, wager.pays, wager.returned) for wager in result.wagers}
        assert heard.came_to(seat) == wanted
        staked += sum(stake for stake, _, _ in wanted.values())
        returned += sum(back for _, _, back in wanted.values())
    (settled,) = heard.settled
    assert (settled.stakes_cents, settled.returned_cents) == (staked, returned)
    assert settled.take_cents == staked - returned


@pytest.mark.parametrize("seed", range(TABLES))
def test_the_table_settles_a_round_as_the_rules_settle_its_record(seed: int) -> None:
    evening = Evening(Random(seed))
    for _ in range(ROUNDS_A_TABLE):
        compare(evening, evening.play_round())
