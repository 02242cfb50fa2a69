"""One player at the pure table, round after round, through every game that it offers, where figures need many rounds.

No wire, no journal, no clock: the reducer alone, driven by what its phase waits for, with a dealer who does what is
asked and a machine that shuffles well. The player bets a dollar on every spot of the game and decides as the bench's
players do. One seat, so that every deal is an independent one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from types import MappingProxyType
from typing import Final

from daemon.rules.audit.big_draw import draw_game
from daemon.rules.audit.draw import DrawGame, split
from daemon.rules.big_draw import HOUSE as BIG_DRAW_HOUSE
from daemon.rules.big_draw import Variant
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FiveCardBonus
from daemon.rules.deuces import WildHand
from daemon.rules.evaluator import PokerHand
from daemon.rules.house import House
from daemon.rules.money import DOLLAR
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.inputs import ChooseGame
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.big_raise.facts import FoldSettled
from daemon.table.inputs import ChangeGame, Decide
from daemon.table.round_facts import HandSettled, RoundSettled, RoundVoided, SettledWager
from daemon.table.settings import OfferedGame
from daemon.table.state import Deck, Phase
from daemon.table.vocabulary import DEALER, Actor, Decision, SeatNumber
from daemon.tools.bench.games.big_raise import times_played
from drivers.events import Button
from protocols.cards import DECK, Card
from tests.shift.exact import OWN_HANDS
from tests.shift.returns import Tally
from tests.table.playing import SEES_ALL, Table, settings
from tests.table.test_procedure import press_next

SEAT: Final = SeatNumber(1)
SPOTS: Final[Mapping[GameName, tuple[WagerName, ...]]] = MappingProxyType(
    {
        **{game: tuple(rules.spots) for game, rules in OWN_HANDS.items()},
        GameName.BIG_RAISE: (WagerName.ANTE, WagerName.TWO_CARD_BONUS, WagerName.FIVE_CARD_BONUS),
        GameName.BIG_DRAW: (WagerName.BIG_DRAW, WagerName.FIRST_5),
    }
)
OPTIONS: Final[Mapping[GameName, House]] = MappingProxyType(
    {
        **{game: rules.house for game, rules in OWN_HANDS.items()},
        GameName.BIG_RAISE: BigRaiseHouse(five_card_bonus=FiveCardBonus.BRH_04, five_card_bonus_on_fold=True),
        GameName.BIG_DRAW: BigDrawAtTable(),
    }
)


@cache
def _draws(variant: Variant) -> DrawGame[PokerHand] | DrawGame[WildHand]:
    return draw_game(variant, BIG_DRAW_HOUSE, DOLLAR)


class Player:
    """A table with one player, and what the wagers came to."""

    def __init__(self, seed: int, options: Mapping[GameName, House] = OPTIONS) -> None:
        offered = tuple(OfferedGame(game, SEES_ALL, options[game]) for game in SPOTS)
        first = offered[0]
        self.tally = Tally()
        self.rounds = 0
        self.cards_for: Callable[[Random], list[Card]] = _shuffled
        self._table = Table(settings(game=first.game, options=first.options, offered=offered, seats=1))
        self._table.ready()
        self._chance = Random(seed)
        self._variant: Variant | None = None
        self._acts: Final[Mapping[Phase, Callable[[], object]]] = {
            Phase.BETTING: self._bet,
            Phase.CHOOSING: self._choose,
            Phase.DEALING: self._deal,
            Phase.DEALT: self._table.press,
            Phase.COLLECTING: self._table.eject,
            Phase.DECIDING: self._decide,
            Phase.FIRST_FIVE: lambda: press_next(self._table),
            Phase.SHOWING: lambda: self._table.press(Button.NEXT),
            Phase.RECONCILING: lambda: press_next(self._table),
        }

    def change_to(self, game: GameName) -> None:
        """As the pit does, between two rounds."""
        if self._table.state.settings.game is not game:
            assert self._table.ask(ChangeGame(game)).accepted, self._table.answer
        self._table.answer_orders()
        self._forget()

    def play(self, rounds: int) -> None:
        """So many rounds of the game that is on."""
        for _ in range(rounds):
            self._round()

    def _round(self) -> None:
        while not self._table.said(RoundSettled):
            assert not self._table.said(RoundVoided), self._table.said(RoundVoided)
            self._acts[self._table.state.phase]()
        self._table.answer_orders()
        self._write_down()
        self.rounds += 1

    def _write_down(self) -> None:
        """Money balances in every round, and then what it said is forgotten: a million rounds would fill the memory."""
        said = [wager for fact in self._table.facts for wager in _wagers_of(fact)]
        for wager in said:
            name = wager.wager.value if self._variant is None else f"{wager.wager.value}, {self._variant.value}"
            self.tally.note(name, wager.stake_cents or DOLLAR, wager.pays_cents, wager.row)
        (settled,) = self._table.said(RoundSettled)
        assert settled.take_cents == -sum(wager.pays_cents for wager in said)
        self._forget()

    def _forget(self) -> None:
        self._variant = None
        for kept in (self._table.facts, self._table.record, self._table.commands, self._table.inputs):
            kept.clear()

    def _bet(self) -> None:
        if self._table.state.deck is not Deck.READY:
            self._table.deck = list(self.cards_for(self._chance))
            self._table.shuffle()
        for wager in SPOTS[self._table.state.settings.game]:
            assert self._table.bet(SEAT, wager, DOLLAR).accepted, self._table.answer
        self._table.press()

    def _choose(self) -> None:
        self._variant = tuple(Variant)[self.rounds % len(Variant)]
        assert self._table.ask(ChooseGame(SEAT, self._variant), Actor.PLAYER).accepted, self._table.answer

    def _deal(self) -> None:
        assert self._table.state.round is not None
        position = sum(hand.delivered for hand in self._table.state.round.hands) + 1
        self._table.dispense(position)
        self._table.deliver(position)

    def _decide(self) -> None:
        hand = self._hand(SEAT)
        if self._variant is not None:
            thrown = split(hand, _draws(self._variant).best(hand))[1]
            action, by = Decide(SEAT, Decision.DRAW, None, len(thrown), thrown), Actor.DEALER  # who names the cards
        else:
            times = times_played(hand, self._hand(DEALER)[0])
            action = Decide(SEAT, Decision.PLAY, times * DOLLAR) if times else Decide(SEAT, Decision.FOLD)
            by = Actor.PLAYER
        assert self._table.ask(action, by).accepted, self._table.answer
        if action.decision is Decision.FOLD:
            self._table.press(Button.NEXT)

    def _hand(self, seat: SeatNumber) -> tuple[Card, ...]:
        assert self._table.state.round is not None
        hand = self._table.state.round.hand_of(seat)
        assert hand is not None
        return tuple(face for face in hand.faces or () if isinstance(face, Card))


def _wagers_of(fact: object) -> tuple[SettledWager, ...]:
    match fact:
        case HandSettled(wagers=wagers) | FoldSettled(wagers=wagers):
            return wagers
        case FirstFiveSettled(wager=wager):
            return (wager,)
        case _:
            return ()


def _shuffled(chance: Random) -> list[Card]:
    return chance.sample(DECK, len(DECK))
