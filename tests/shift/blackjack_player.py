"""One player at a pure blackjack table, a fresh shoe for every round: stands on everything, insures against every ace.

Nobody would so play the main bet, whose spread no audit knows. To the side bet on the first two cards it is as good
as any, because all others than 19, 20 and 21 have lost already; and insurance asks nothing of a strategy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from random import Random
from types import MappingProxyType
from typing import Final

from daemon.rules.audit.report import WagerAudit
from daemon.rules.blackjack.audit import audit_bad_beat, audit_insurance
from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse
from daemon.rules.blackjack.strategy import Strategy
from daemon.rules.money import DOLLAR
from daemon.rules.wagers import WagerName
from daemon.table.blackjack.house import house_of as house_at_table
from daemon.table.round_facts import RoundSettled, RoundVoided
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision
from drivers.events import Button
from protocols.cards import DECK, Card
from tests.shift.returns import Tally
from tests.table.blackjack_playing import Blackjack, blackjack_settings, house_of

SEAT: Final = 1
CARDS_A_ROUND_MAX: Final = 30
OPTIONS: Final = house_of(option=BadBeatOption.FIRST_TWO_CARDS)
COMPARED: Final = (WagerName.BAD_BEAT, WagerName.INSURANCE)
STANDS: Final = Strategy("stands", "Stands on everything.", MappingProxyType({}), frozenset())


def audits(options: BlackjackHouse = OPTIONS) -> dict[str, WagerAudit]:
    """The side bet and insurance as this player plays them."""
    house: BlackjackHouse = house_at_table(blackjack_settings(options))
    side = audit_bad_beat(house, STANDS, (house.bad_beat_paytable,), DOLLAR)
    return {audit.name: audit for audit in (*side, *audit_insurance(house, DOLLAR))}


class BlackjackPlayer:
    """A table with one player, and what the wagers came to."""

    def __init__(self, seed: int, options: BlackjackHouse = OPTIONS) -> None:
        self.tally = Tally()
        self._table = Blackjack(options, seats=1)
        self._decks = options.decks
        self._chance = Random(seed)
        self._shoe: Iterator[Card] = iter(())
        self._acts: Final[Mapping[Phase, Callable[[], object]]] = {
            Phase.BETTING: self._bet,
            Phase.DEALING: self._card,
            Phase.INSURING: self._insure,
            Phase.DECIDING: lambda: self._table.decide(SEAT, Decision.STAND),
            Phase.DEALER_DRAWING: self._card,
            Phase.RECONCILING: self._table.next,
        }

    def play(self, rounds: int) -> None:
        """So many rounds."""
        for _ in range(rounds):
            while not self._table.said(RoundSettled):
                assert not self._table.said(RoundVoided), self._table.said(RoundVoided)
                self._acts[self._table.state.phase]()
            self._write_down()

    def _write_down(self) -> None:
        results = self._table.results(SEAT)
        for wager in results:
            if wager.wager in COMPARED:
                self.tally.note(wager.wager.value, wager.stake_cents, wager.pays_cents, wager.row)
        (settled,) = self._table.said(RoundSettled)
        assert settled.take_cents == -sum(wager.pays_cents for wager in results)
        for kept in (self._table.facts, self._table.record, self._table.commands, self._table.inputs):
            kept.clear()

    def _bet(self) -> None:
        assert self._table.load().accepted, self._table.answer
        self._shoe = iter(self._chance.sample(DECK * self._decks, CARDS_A_ROUND_MAX))
        self._table.stake(SEAT, main=2 * DOLLAR, side=DOLLAR)
        self._table.press(Button.GREEN)

    def _card(self) -> None:
        self._table.card(next(self._shoe))

    def _insure(self) -> None:
        assert self._table.decide(SEAT, Decision.INSURE).accepted, self._table.answer
        self._table.press(Button.GREEN)
