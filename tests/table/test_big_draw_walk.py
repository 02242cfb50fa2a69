"""Big Draw under any dealer, any players, any shuffler and any supervisor, in any order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from hypothesis import strategies as st
from hypothesis.stateful import invariant, rule

from daemon.rules.big_draw import DealStyle, DrawStyle, Variant
from daemon.rules.results import Outcome
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.facts import FirstFiveSettled
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.big_draw.options import BigDrawAtTable
from daemon.table.inputs import Decide, LoadShoe, OpenTable
from daemon.table.round_facts import DeckAccounted, HandDealt, HandSettled, PromptStep, RoundSettled, RoundVoided
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import Actor, Decision, Irregularity, PromptAction, SeatNumber
from drivers.events import (
    CardDrawn,
    CardReturned,
    Confidence,
    CutCardDrawn,
    DeckLoaded,
    DeviceEvent,
    DeviceReport,
    EventsLost,
    FaultCleared,
    FaultKind,
    FaultRaised,
    LinkLost,
    LinkUp,
    ReadFailed,
    Receipt,
    Stamp,
)
from protocols.cards import DECK, Card, Face, Misread
from tests.table.big_draw_playing import A_SHOE, DRAW_SHOE, FOR_DRAWS
from tests.table.playing import IDENTITY, Table
from tests.table.test_procedure import FACES, PROPER, SEATS, RandomTable, make_ready, press_next, walked
from tests.table.test_view import cards_in


def _choose(table: Table) -> None:
    make_ready(table)
    for seat in (1, 2, 3):
        table.ask(ChooseGame(SeatNumber(seat), Variant.DEUCES_NEVER_LOSES), Actor.PLAYER)


def _draw(table: Table) -> None:
    for seat in (1, 2, 3):
        table.ask(Decide(SeatNumber(seat), Decision.DRAW, None, seat), Actor.PLAYER)


def _reconcile(table: Table) -> None:
    """NEXT, or where a hand is asked for, what was kept from the front of it and what was drawn."""
    round_ = table.state.round
    assert round_ is not None
    seat = round_.showing
    if seat is not None and all(settled.seat != seat for settled in round_.settled):
        dealt, drawn = round_.hand_of(seat), round_.drawn_by(seat)
        new = () if drawn is None else drawn.faces or ()
        kept = () if dealt is None else (dealt.faces or ())[: 5 - len(new)]
        table.enter(seat, tuple(face for face in (*kept, *new) if isinstance(face, Card)))
    press_next(table)


class RandomBigDraw(RandomTable):
    """The same, with what Big Draw has more."""

    options = BigDrawAtTable()
    game = GameName.BIG_DRAW
    deck = tuple(DECK[number * 23 % 52] for number in range(52))  # neither in order nor by chance
    wagers = (WagerName.BIG_DRAW, WagerName.FIRST_5)
    proper = PROPER | {
        Phase.CHOOSING: _choose,
        Phase.DECIDING: _draw,
        Phase.FIRST_FIVE: press_next,
        Phase.RECONCILING: _reconcile,
    }

    @rule(seat=SEATS)
    def choose(self, seat: int) -> None:
        self.table.ask(ChooseGame(SeatNumber(seat), Variant.FIVE_CARD_DRAW), Actor.PLAYER)

    @rule(seat=SEATS)
    def pass_button(self, seat: int) -> None:
        self.table.ask(PassButton(SeatNumber(seat)), Actor.PLAYER)

    @rule(seat=SEATS)
    def announce(self, seat: int) -> None:
        self.table.ask(Claim(SeatNumber(seat)), Actor.PLAYER)

    @rule(seat=st.integers(0, 4))
    def move_button(self, seat: int) -> None:
        self.table.ask(MoveButton(SeatNumber(seat)), Actor.DEALER)

    @rule(seat=SEATS, cards=st.integers(-1, 6), named=st.booleans())
    def draw_cards(self, seat: int, cards: int, named: bool) -> None:
        dealt = self.table.state.round.hand_of(SeatNumber(seat)) if self.table.state.round else None
        faces = dealt.faces or () if dealt is not None and named else ()
        discarded = tuple(face for face in faces[: max(cards, 0)] if isinstance(face, Card))
        self.table.ask(Decide(SeatNumber(seat), Decision.DRAW, None, cards, discarded), Actor.DEALER)

    @rule()
    def reconcile(self) -> None:
        if self.table.state.phase is Phase.RECONCILING:
            _reconcile(self.table)

    def said_in_rounds(self) -> dict[str, list[object]]:
        """By round, what was said in those of which the last step said something."""
        latest = self.table.record[len(self.table.record) - len(self.table.new) :]
        rounds: dict[str, list[object]] = {fact.round_id: [] for fact in latest if fact.round_id is not None}
        for fact in self.table.record if rounds else ():
            if fact.round_id in rounds:
                rounds[fact.round_id].append(fact.data)
        return rounds

    @invariant()
    def no_wager_is_settled_twice(self) -> None:
        for facts in self.said_in_rounds().values():
            spots = [
                *((fact.seat, fact.wager.wager) for fact in facts if isinstance(fact, FirstFiveSettled)),
                *((fact.seat, spot.wager) for fact in facts if isinstance(fact, HandSettled) for spot in fact.wagers),
            ]
            assert len(spots) == len(set(spots))

    @invariant()
    def first_5_takes_before_it_pays_and_does_both_before_any_draw(self) -> None:
        for facts in self.said_in_rounds().values():
            steps = [_step_of(fact) for fact in facts if _step_of(fact)]
            assert all(earlier <= later for earlier, later in pairwise(steps))

    @invariant()
    def only_cards_that_lie_open_are_public(self) -> None:
        lie_open = {face for fact in self.table.said(HandSettled) for face in fact.cards}
        for fact in self.table.said(FirstFiveSettled):
            assert (fact.wager.outcome is Outcome.LOSE) == (fact.cards == ())
            lie_open |= set(fact.cards)
        assert cards_in(public(self.table.state)) <= lie_open
        assert cards_in(tuple(self.table.new)) <= lie_open

    @invariant()
    def a_hand_after_the_draw_is_of_cards_that_its_player_had(self) -> None:
        round_ = self.table.state.round
        for settled in round_.settled if round_ is not None else ():
            hands = [hand.faces or () for hand in round_.hands if hand.seat == settled.seat]  # type: ignore[union-attr]
            assert set(settled.cards) <= {face for faces in hands for face in faces}
            assert set(hands[-1]) <= set(settled.cards) or len(hands) == 1

    @invariant()
    def a_void_leaves_everybody_with_his_stake(self) -> None:
        for facts in self.said_in_rounds().values():
            voided = [fact for fact in facts if isinstance(fact, RoundVoided)]
            if voided:
                pays = _paid(facts)
                assert -sum(_signed(step) for step in voided[0].undone) == pays

    @invariant()
    def a_settled_round_adds_up_what_was_said(self) -> None:
        for facts in self.said_in_rounds().values():
            for settled in (fact for fact in facts if isinstance(fact, RoundSettled)):
                assert settled.take_cents == -_paid(facts)


class RandomFaceDown(RandomBigDraw):
    """Option 1."""

    @invariant()
    def nothing_is_settled_before_the_deck_is_proven(self) -> None:
        for facts in self.said_in_rounds().values():
            kinds = [type(fact) for fact in facts if isinstance(fact, DeckAccounted | HandSettled)]
            assert HandSettled not in kinds or kinds[0] is DeckAccounted


class RandomFaceUp(RandomBigDraw):
    """Option 2: hands are settled between the draws."""

    options = BigDrawAtTable(draw=DrawStyle.FACE_UP, first_5_alone_waits=True)


def _load(table: Table) -> None:
    for alert in table.state.alerts:
        table.device(FaultCleared(FaultKind.JAM))
        table.clear(alert.alert)
    table.link_up()
    table.ask(OpenTable())
    table.deck = list(table.whole_deck)
    table.ask(LoadShoe(1), Actor.DEALER)


def _bet(table: Table) -> None:
    for seat in (1, 2):
        for wager in (WagerName.BIG_DRAW, WagerName.FIRST_5):
            table.bet(seat, wager)
    table.press()


def _card(table: Table) -> None:
    (face,) = table.draw(1) or [Misread.UNREADABLE]
    table.device(CardDrawn(face, Confidence.CHECKED))


def _choose_and_load(table: Table) -> None:
    if table.state.shoe is None or table.state.blocked_by:
        _load(table)
    for seat in (1, 2, 3):
        table.ask(ChooseGame(SeatNumber(seat), Variant.FIVE_CARD_DRAW), Actor.PLAYER)


class RandomFromShoe(RandomFaceDown):
    """Card by card; a shoe gives no packets and has no mode."""

    source = A_SHOE
    supervised = (Irregularity.UNREADABLE_CARD, Irregularity.CARD_OUT_OF_TURN, Irregularity.DISPUTED_CARD)
    options = BigDrawAtTable(deal=DealStyle.ONE_AT_A_TIME)
    proper = RandomBigDraw.proper | {
        Phase.IDLE: _load,
        Phase.BETTING: _bet,
        Phase.CHOOSING: _choose_and_load,
        Phase.DEALING: _card,
    }
    good_packet = any_packet = take = eject = shuffle = None  # type: ignore[assignment]  # no rules here

    @rule(steps=st.integers(5, 20))
    def deal_on(self, steps: int) -> None:
        for _ in range(steps):
            if self.table.state.phase is Phase.DEALING:
                _card(self.table)

    @rule()
    def any_time(self) -> None:
        _card(self.table)

    @rule(face=FACES, confidence=st.sampled_from(Confidence))
    def any_card(self, face: Face, confidence: Confidence) -> None:
        self.table.device(CardDrawn(face, confidence))

    @rule(event=st.sampled_from([CutCardDrawn(None), CardReturned(None), ReadFailed("smudged"), DeckLoaded()]))
    def of_the_shoe(self, event: CutCardDrawn | CardReturned | ReadFailed | DeckLoaded) -> None:
        self.table.device(event)

    @rule(seat=SEATS, more=st.lists(st.sampled_from(DECK), max_size=2))
    def enter_as_it_lies(self, seat: int, more: list[Card]) -> None:
        round_ = self.table.state.round
        dealt = round_.drawn_by(SeatNumber(seat)) or round_.hand_of(SeatNumber(seat)) if round_ is not None else None
        faces = () if dealt is None else dealt.faces or ()
        self.table.enter(seat, (*(face for face in faces if isinstance(face, Card)), *more))


def _of_second_device(table: Table, event: DeviceEvent) -> None:
    at = Stamp(1_796_000_000_000_000_000, len(table.inputs))
    table.take(DeviceReport(DRAW_SHOE, at, event, Receipt("boot-s", len(table.inputs))))


def _with_both(proper: Callable[[Table], object]) -> Callable[[Table], object]:
    def with_both(table: Table) -> None:
        _of_second_device(table, LinkUp(IDENTITY, "boot-s", resumed=True))
        proper(table)

    return with_both


def _deal_or_draw(table: Table) -> None:
    if "Draw a card" in table.state.prompt:
        _of_second_device(table, CardDrawn((table.draw(1) or [Misread.UNREADABLE])[0], Confidence.CHECKED))
    else:
        PROPER[Phase.DEALING](table)


class RandomTwoDevices(RandomFaceDown):
    """Hands out of a shuffler, draws out of a shoe, and either of them at any time."""

    options = BigDrawAtTable(draws_from=FOR_DRAWS)
    proper = RandomBigDraw.proper | {
        Phase.BETTING: _with_both(PROPER[Phase.BETTING]),
        Phase.CHOOSING: _with_both(_choose),
        Phase.DEALING: _deal_or_draw,
        Phase.COLLECTING: lambda table: table.eject(faces=list(table.deck)),
    }

    @rule(steps=st.integers(1, 12))
    def deal_on(self, steps: int) -> None:
        for _ in range(steps):
            if self.table.state.phase is Phase.DEALING:
                _deal_or_draw(self.table)

    @rule(face=FACES)
    def any_card(self, face: Face) -> None:
        _of_second_device(self.table, CardDrawn(face, Confidence.CHECKED))

    @rule(
        event=st.sampled_from(
            [
                CutCardDrawn(None),
                CardReturned(None),
                ReadFailed("smudged"),
                EventsLost(None, "gone"),
                LinkLost("pulled"),
                FaultRaised(FaultKind.READER, ""),
                FaultCleared(FaultKind.READER),
            ]
        )
    )
    def of_the_second(self, event: DeviceEvent) -> None:
        _of_second_device(self.table, event)


def _step_of(fact: object) -> int:
    if isinstance(fact, FirstFiveSettled):
        return 1 if fact.wager.outcome is Outcome.LOSE else 2
    return 3 if isinstance(fact, HandDealt) and fact.drawn else 0


def _paid(facts: list[object]) -> int:
    """What all results said so far gave the players beyond their stakes."""
    first = sum(fact.wager.pays_cents for fact in facts if isinstance(fact, FirstFiveSettled))
    return first + sum(spot.pays_cents for fact in facts if isinstance(fact, HandSettled) for spot in fact.wagers)


def _signed(step: PromptStep) -> int:
    return step.amount_cents if step.action is PromptAction.RETURN else -step.amount_cents


TestTwoDevices = walked(RandomTwoDevices, tables=35)
TestFromShoe = walked(RandomFromShoe, tables=35)
TestFaceDown = walked(RandomFaceDown, tables=35)
TestFaceUp = walked(RandomFaceUp, tables=35)
