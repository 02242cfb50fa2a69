"""Any dealer, any shoe and any supervisor at a blackjack table, in any order; and what has to hold all the same."""

from __future__ import annotations

import os
from random import Random

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from daemon.rules.blackjack.house import BadBeatOption, BlackjackHouse
from daemon.rules.blackjack.record import settle_record
from daemon.rules.results import Settled
from daemon.rules.wagers import WagerName
from daemon.table.blackjack.facts import DealerCardsShown
from daemon.table.blackjack.house import house_of
from daemon.table.blackjack.state import own_of
from daemon.table.facts import FactData
from daemon.table.inputs import CloseTable, LoadShoe, OpenTable
from daemon.table.round_facts import BettingClosed, CardDealt, HandSettled, RoundOpened, RoundSettled, RoundVoided
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import DEALER, Actor, Decision, Irregularity, PromptAction, Ruling, SeatNumber
from drivers import events as e
from drivers.events import Button, CardDrawn, Confidence, OutsideGame
from protocols.cards import DECK, Card, Face, Misread, Rank
from tests.table.blackjack_playing import Blackjack
from tests.table.blackjack_playing import house_of as options_of
from tests.table.blackjack_witness import Witness
from tests.table.dealers_hands import DealersHands

SEATS = st.integers(1, 3)
FEW = (Rank.ACE, Rank.FIVE, Rank.EIGHT, Rank.TEN, Rank.KING)
EVERY = tuple(irregularity for irregularity in Irregularity if irregularity is not Irregularity.WRONG_COUNT)
TROUBLE = (
    e.LinkLost("pulled"),
    e.LinkUp(e.Identity("S", "1", "1", ()), "b", resumed=False),
    e.LinkUp(e.Identity("S", "1", "1", ()), "b", resumed=True),
    e.Restarted("b"),
    e.EventsLost(None, "gone"),
    e.FaultRaised(e.FaultKind.READER, ""),
    e.FaultCleared(e.FaultKind.READER),
    e.CutCardDrawn(None),
    e.CardReturned(None),
    e.ReadFailed("error 1"),
    e.DealCleared(),
    e.DeckLoaded(),
)


class RandomBlackjack(RuleBasedStateMachine):
    """A house that voids for everything."""

    supervised: tuple[Irregularity, ...] = ()
    options: BlackjackHouse = options_of(decks=8, burn_cards=1)

    def __init__(self) -> None:
        super().__init__()
        self.table = Blackjack(self.options, seats=3, supervised=self.supervised)
        self.shoe: list[Card] = []
        self.heard = len(self.table.facts)
        self.witness = Witness()
        self.hands = DealersHands()
        self.refill()

    @invariant()
    def who_does_what_prompts_tell_moves_what_the_books_have(self) -> None:
        self.hands.watch(self.table.steps)

    def refill(self) -> None:
        """A few ranks, so that pairs, aces and blackjacks come often."""
        self.shoe = [card for card in DECK * self.options.decks if card.rank in FEW]
        Random(self.table.state.rounds_opened).shuffle(self.shoe)

    # --- what a good dealer does; without it chance alone hardly ever deals a round ---

    @rule(steps=st.integers(10, 40), choice=st.integers(0, 9))
    def go_on_properly(self, steps: int, choice: int) -> None:
        """A whole round, or nearly."""
        for step in range(steps):
            self._go_on(choice + step)

    @rule(steps=st.integers(1, 10), choice=st.integers(0, 9))
    def go_on_a_little(self, steps: int, choice: int) -> None:
        """To somewhere in the middle of one."""
        for step in range(steps):
            self._go_on(choice + step)

    def _go_on(self, choice: int) -> None:
        table = self.table
        match table.phase():
            case Phase.HELD | Phase.INTERRUPTED:
                self._rule_well()
            case Phase.IDLE if "Burn" not in table.state.prompt:
                self._prepare()
            case _ if "raw a card for" in table.state.prompt or "Burn" in table.state.prompt:
                self.good_card()
            case Phase.BETTING:
                self._bet()
            case Phase.INSURING if choice % 3:
                table.decide(choice % 3, (Decision.INSURE, Decision.EVEN_MONEY)[choice % 2])
            case Phase.DECIDING:
                self._decide(choice)
            case _:
                table.press(Button.NEXT)

    def _rule_well(self) -> None:
        """Look where the card lies that no device could name, then go on."""
        played = self.table.state.round
        assert played is not None
        deal = own_of(played)
        due = None if deal is None else deal.due(house_of(self.table.state.settings))
        if deal is not None and due is not None and played.unplaced:
            lies = deal.hands_of(due.seat)[due.hand - 1]
            named = [face for face in (*played.unplaced, *self.shoe[-1:]) if isinstance(face, Card)]
            self.table.enter_hand(due.seat, (*lies, *named[:1]), due.hand)
        if not self.table.rule(Ruling.CONTINUE).accepted:
            self.table.rule(Ruling.VOID)

    def _bet(self) -> None:
        self._clear_alerts()
        for seat in (1, 2, 3):
            self.table.bet(seat, WagerName.BLACKJACK, 1000)
            self.table.bet(seat, WagerName.BAD_BEAT, 200)
        self.table.press(Button.GREEN)

    def _decide(self, choice: int) -> None:
        decisions = (Decision.SPLIT, Decision.STAND, Decision.HIT, Decision.DOUBLE, Decision.SURRENDER)
        for decision in (decisions[choice % len(decisions)], Decision.STAND):
            for seat in (1, 2, 3):
                if self.table.decide(seat, decision).accepted:
                    return

    def _prepare(self) -> None:
        self._clear_alerts()
        self.table.ask(OpenTable())
        if self.table.state.shoe is None:
            self.load()

    def _clear_alerts(self) -> None:
        for alert in self.table.state.alerts:
            self.table.device(e.FaultCleared(e.FaultKind.READER))
            self.table.link_up(resumed=True)
            self.table.clear(alert.alert)

    # --- what anybody may do at any time ---

    @rule()
    def load(self) -> None:
        if self.table.ask(LoadShoe(self.options.decks), Actor.DEALER).accepted:
            self.refill()

    @rule()
    def good_card(self) -> None:
        if self.shoe:
            self.table.card(self.shoe.pop())

    @rule(
        face=st.sampled_from([*DECK[:3], *Misread]),
        confidence=st.sampled_from(Confidence),
        outside=st.sampled_from([None, None, *OutsideGame]),
        number=st.sampled_from([None, None, 1, 7]),
    )
    def any_card(self, face: Face, confidence: Confidence, outside: OutsideGame | None, number: int | None) -> None:
        self.table.device(CardDrawn(face, confidence, number, None, outside))

    @rule(event=st.sampled_from(TROUBLE))
    def trouble(self, event: e.DeviceEvent) -> None:
        self.table.device(event)

    @rule(button=st.sampled_from(Button))
    def press(self, button: Button) -> None:
        self.table.press(button)

    @rule(seat=SEATS, wager=st.sampled_from(WagerName), stake=st.integers(-1, 900))
    def bet(self, seat: int, wager: WagerName, stake: int) -> None:
        self.table.bet(seat, wager, stake)

    @rule(seat=SEATS, decision=st.sampled_from(Decision), stake=st.sampled_from([None, None, 500, 1000]))
    def decide(self, seat: int, decision: Decision, stake: int | None) -> None:
        self.table.decide(seat, decision, stake)

    @rule(place=st.integers(0, 3), more=st.lists(st.sampled_from(DECK), max_size=2), hand=st.sampled_from([None, 1, 2]))
    def enter(self, place: int, more: list[Card], hand: int | None) -> None:
        """What lies there by the record, and perhaps more."""
        deal = own_of(self.table.state.round) if self.table.state.round else None
        hands = deal.hands_of(SeatNumber(place)) if deal is not None and place in deal.places else ((),)
        self.table.enter_hand(place, (*hands[min(hand or 1, len(hands)) - 1], *more), hand)

    @rule(ruling=st.sampled_from(Ruling))
    def rule_on_it(self, ruling: Ruling) -> None:
        self.table.rule(ruling)

    @rule()
    def void(self) -> None:
        self.table.void()

    @rule(action=st.sampled_from([OpenTable(), CloseTable()]))
    def manage(self, action: OpenTable | CloseTable) -> None:
        self.table.ask(action)

    @rule()
    def clear_all_alerts(self) -> None:
        self._clear_alerts()

    # --- what holds ---

    @invariant()
    def every_settled_round_is_what_the_rules_make_of_it(self) -> None:
        """So no round settles twice, none with a card too many or too few, and the money balances."""
        new, self.heard = self.table.facts[self.heard :], len(self.table.facts)
        for fact in new:
            if isinstance(fact, RoundOpened):
                self.witness = Witness()
            self.witness.hear([fact])
            if isinstance(fact, RoundSettled):
                self._compare(fact)

    def _compare(self, settled: RoundSettled) -> None:
        house = house_of(self.table.state.settings)
        results = [
            settle_record(self.witness.record(seat), self.witness.wagers(seat), house) for seat in self.witness.hands
        ]
        assert len(self.witness.settled) == 1
        assert all(isinstance(result, Settled) for result in results), results
        wagers = [wager for result in results if isinstance(result, Settled) for wager in result.wagers]
        assert settled.stakes_cents == sum(wager.stake for wager in wagers)
        assert settled.returned_cents == sum(wager.returned for wager in wagers)
        assert settled.take_cents == settled.stakes_cents - settled.returned_cents

    @invariant()
    def a_round_ends_once(self) -> None:
        ended = len(self.table.said(RoundSettled)) + len(self.table.said(RoundVoided))
        runs = self.table.phase() not in (Phase.IDLE, Phase.VOIDING)
        assert ended + runs == self.table.state.rounds_opened

    @invariant()
    def phase_and_round_agree(self) -> None:
        assert (self.table.state.round is None) == (self.table.phase() is Phase.IDLE)

    @invariant()
    def no_seat_is_settled_twice_in_a_round(self) -> None:
        facts = [fact.data for fact in self.table.of_this_round()]
        seats = [fact.seat for fact in facts if isinstance(fact, HandSettled)]
        assert len(seats) == len(set(seats))

    @invariant()
    def the_hole_card_is_nobodys_before_it_is_shown(self) -> None:
        facts = [fact.data for fact in self.table.of_this_round()]
        if any(isinstance(fact, DealerCardsShown) for fact in facts):
            return
        assert len(public(self.table.state).dealer_cards) <= 1
        assert not [fact for fact in facts if _tells_a_hidden_card(fact)]

    @invariant()
    def a_void_gives_back_what_was_staked_and_undoes_what_was_done(self) -> None:
        for voided in self.table.said(RoundVoided):
            assert voided.returned_cents == sum(stake.stake_cents for stake in voided.returned)
            assert all(step.amount_cents > 0 for step in voided.undone)
            assert {step.action for step in voided.undone} <= {PromptAction.TAKE, PromptAction.RETURN}

    @invariant()
    def the_ledger_counts_no_less_than_lies_on_the_felt(self) -> None:
        state = self.table.state
        deal = own_of(state.round) if state.round else None
        if deal is not None and state.shoe is not None and state.phase is not Phase.VOIDING:
            lies = sum(len(hand) for place in deal.places for hand in deal.hands_of(place))
            assert state.shoe.gone >= lies

    @invariant()
    def bets_close_once_in_a_round(self) -> None:
        closed = [fact for fact in self.table.of_this_round() if isinstance(fact.data, BettingClosed)]
        assert len(closed) <= 1


def _tells_a_hidden_card(fact: FactData) -> bool:
    return isinstance(fact, CardDealt) and fact.seat == DEALER and fact.position > 1 and fact.card is not None


class RandomSupervisedBlackjack(RandomBlackjack):
    """A house in which a supervisor rules, at a table where nobody peeks."""

    supervised = EVERY
    options = options_of(decks=8, peek=False, option=BadBeatOption.FIRST_SPLIT_HAND)


LONG = "FELTD_SOAK" in os.environ
RandomBlackjack.TestCase.settings = RandomSupervisedBlackjack.TestCase.settings = hypothesis_settings(
    max_examples=5000 if LONG else 35,
    stateful_step_count=50,
    deadline=None,
    database=None,
    derandomize=not LONG,  # the quick run plays the same tables everywhere; make soak plays new ones
)
TestRandomBlackjack = RandomBlackjack.TestCase
TestRandomSupervisedBlackjack = RandomSupervisedBlackjack.TestCase
