"""What the picture offers (`may`) is taken, and what it does not offer is refused: every game, walked by random people.

After each step of a random table every offer is asked for, from each role and at the ends of its bounds, and has to be
accepted. Then people ask for what comes to mind, and whatever is accepted has to stand among the offers.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, cast, get_args

from hypothesis.stateful import RuleBasedStateMachine, invariant

from daemon.journal.kinds import KINDS
from daemon.rules.big_draw import Variant
from daemon.rules.blackjack.house import Insurance
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.games import PROCEDURES
from daemon.table.inputs import (
    Action,
    Bet,
    ChangeDeck,
    ChangeGame,
    ClearAlert,
    ClearBets,
    CloseTable,
    CountDeck,
    Decide,
    EnterCards,
    LoadShoe,
    OpenTable,
    OrderReshuffle,
    Press,
    ReportIrregularity,
    Request,
    Rule,
    StubCount,
    VoidRound,
)
from daemon.table.may import offers
from daemon.table.offers import Bounds, Command, Offer
from daemon.table.reducer import apply
from daemon.table.round_facts import DealerPrompted
from daemon.table.sentences import in_english
from daemon.table.state import TableState
from daemon.table.step import Answer
from daemon.table.vocabulary import DEALER, Actor, AlertName, Decision, Irregularity, RequestId, Ruling, SeatNumber
from drivers.events import Button, ButtonPressed, Stamp
from tests.table.blackjack_playing import Blackjack, house_of
from tests.table.playing import Table
from tests.table.probes import probes
from tests.table.test_big_draw_walk import RandomFaceDown, RandomFaceUp, RandomFromShoe, RandomTwoDevices
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, PAIR, dealt, table_with
from tests.table.test_blackjack_random import RandomBlackjack, RandomSupervisedBlackjack
from tests.table.test_procedure import RandomBigRaise, RandomTable, walked
from tests.table.test_random_options import RandomTightLimits
from tests.table.test_random_seen_stakes import RandomWatched, RandomWatchedBigRaise
from tests.table.test_random_unread import RandomBlind, RandomByHand
from tests.table.test_random_unread_draws import RandomBlindFaceDown
from tests.table.test_unread_cards import BLIND
from tests.table.twins import Probe

LONG: Final = "FELTD_SOAK" in os.environ
ASKED_OF_A_KIND: Final = 3

PLAIN: Final[dict[Command, Action]] = {
    Command.OPEN_TABLE: OpenTable(),
    Command.CLOSE_TABLE: CloseTable(),
    Command.RESHUFFLE: OrderReshuffle(),
    Command.CHANGE_DECK: ChangeDeck(),
    Command.COUNT_DECK: CountDeck(),
    Command.VOID_ROUND: VoidRound("seen"),
}
FOR_A_POSITION: Final = (Bet, ClearBets, Decide, ChooseGame, PassButton, Claim)
NAMES_A_SEAT: Final[dict[Command, Callable[[SeatNumber], Action]]] = {
    Command.CLEAR_BETS: ClearBets,
    Command.PASS_BUTTON: PassButton,
    Command.MOVE_BUTTON: MoveButton,
    Command.CLAIM: Claim,
}


def test_every_command_can_be_offered() -> None:
    assert {command.value for command in Command} == {KINDS[action] for action in get_args(Action)}


def decisions_offered(table: Table) -> dict[str, Bounds | None]:
    return {offer.choices[0]: offer.amount for offer in offers(table.state) if offer.command is Command.DECIDE}


def test_insurance_is_offered_up_to_half_the_stake() -> None:
    assert decisions_offered(Blackjack().deal("Th Ah 8h 9h", 1)) == {"insure": Bounds(500, 500)}
    up_to_half = house_of(insurance=Insurance.UP_TO_HALF)
    assert decisions_offered(Blackjack(up_to_half).deal("Th Ah 8h 9h", 1)) == {"insure": Bounds(1, 500)}


def test_the_key_for_insurance_sells_no_more_than_half_of_an_odd_stake() -> None:
    """Rounded up it was more than half, and refused."""
    table = Blackjack()
    table.stake(1, main=1001)
    table.press()
    table.cards("Th Ah 8h 9h")
    assert table.decide(1, Decision.INSURE).accepted, table.answer
    assert decisions_offered(table) == {}


def test_a_play_bet_is_offered_in_the_same_bounds_whatever_the_player_holds() -> None:
    hands = (PAIR, NO_PAIR)
    offered = [decisions_offered(dealt(table_with(hand, DEALERS, COMMON), 1)) for hand in hands]
    assert offered == [{"fold": None, "play": Bounds(1000, 1500, 1, 2000)}] * 2


def test_an_entry_is_offered_for_the_place_that_is_asked_for_with_its_number_of_cards() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON, source=BLIND), 1)
    (entry,) = (offer for offer in offers(table.state) if offer.command is Command.ENTER_CARDS)
    assert (entry.seats, entry.amount) == ((DEALER,), Bounds(1, 1))


# --- an offer, as somebody takes it up ---


def actions_of(offer: Offer, chance: Random) -> Iterator[Action]:
    """One or more ways to take the offer."""
    if offer.command in PLAIN:
        yield PLAIN[offer.command]
    elif offer.seats:
        yield from _at_a_seat(offer, chance.choice(offer.seats), chance)
    else:
        yield from _chosen(offer)


def _at_a_seat(offer: Offer, seat: SeatNumber, chance: Random) -> Iterator[Action]:
    choice = next(iter(offer.choices), "")
    match offer.command:
        case Command.BET:
            for colour in offer.colours or (None,):
                yield from (Bet(seat, WagerName(choice), stake, colour) for stake in _ends(offer.amount))
        case Command.DECIDE:
            yield from _decisions(seat, Decision(choice), offer.amount)
        case Command.CHOOSE_GAME:
            yield from (ChooseGame(seat, Variant(variant)) for variant in offer.choices)
        case Command.REPORT:
            yield ReportIrregularity(chance.choice(list(Irregularity)), seat)
        case Command.ENTER_CARDS:
            return  # which cards lie there only the felt knows: `test_cards...` and the random dealers enter them
        case _:
            yield NAMES_A_SEAT[offer.command](seat)


def _decisions(seat: SeatNumber, decision: Decision, amount: Bounds | None) -> Iterator[Action]:
    for number in (None,) if amount is None else _ends(amount):
        is_draw = decision is Decision.DRAW
        yield Decide(seat, decision, None if is_draw else number, number if is_draw else None)


def _ends(amount: Bounds | None) -> set[int]:
    assert amount is not None
    if amount.most is None:
        return {amount.least, amount.least + amount.step, amount.least + 100 * amount.step}
    return {amount.least, min(amount.least + amount.step, amount.most), amount.most}


def _chosen(offer: Offer) -> Iterator[Action]:
    match offer.command:
        case Command.PRESS:  # four antes are for a pair, and nobody but the player knows whether there is one
            yield from (Press(Button(key)) for key in offer.choices if key != Button.PLAY_4.value)
        case Command.STUB_COUNT:
            yield from map(StubCount, _ends(offer.amount))
        case Command.RULE:
            yield from (Rule(Ruling(ruling), "seen", None) for ruling in offer.choices)
        case Command.CLEAR_ALERT:
            yield from (ClearAlert(AlertName(alert)) for alert in offer.choices)
        case Command.CHANGE_GAME:
            yield from (ChangeGame(GameName(game)) for game in offer.choices)
        case Command.LOAD_SHOE:
            yield from map(LoadShoe, _ends(offer.amount))
        case _:
            raise AssertionError(offer)


# --- whether something stands among the offers ---


def is_offered(action: Action, role: Actor, offered: Sequence[Offer]) -> bool:
    return any(
        offer.command.value == KINDS[type(action)] and role in offer.roles and _covers(offer, action)
        for offer in offered
    )


def _covers(offer: Offer, action: Action) -> bool:
    seat = cast("SeatNumber | None", getattr(action, "seat", None))
    if isinstance(action, ReportIrregularity) and seat is None:
        return action.irregularity is not Irregularity.WRONG_COUNT
    if offer.seats and seat not in offer.seats:
        return False
    match action:
        case Bet():
            named = action.colour in offer.colours if offer.colours else action.colour is None
            return named and action.wager.value in offer.choices and _holds(offer.amount, action.stake_cents)
        case Decide():
            number = action.discards if action.decision is Decision.DRAW else action.stake_cents
            return action.decision.value in offer.choices and (number is None or _holds(offer.amount, number))
        case StubCount(count=number) | LoadShoe(decks=number):
            return _holds(offer.amount, number)
        case EnterCards():
            return offer.hand in (None, action.hand or 1) and _holds(offer.amount, len(action.cards))
        case Press(button=word) | Rule(ruling=word) | ChangeGame(game=word) | ChooseGame(variant=word):
            return word.value in offer.choices
        case ClearAlert():
            return action.alert in offer.choices
        case _:
            return True


def _holds(amount: Bounds | None, number: int) -> bool:
    """Without bounds any number that the table takes is the one that it says itself."""
    if amount is None:
        return True
    most = amount.most if amount.most_with_pair is None else amount.most_with_pair
    return amount.least <= number and (most is None or number <= most) and (number - amount.least) % amount.step == 0


# --- both, at any moment ---


def check(state: TableState, chance: Random) -> None:
    offered = offers(state)
    for offer in offered:
        for role in offer.roles:
            for action in actions_of(offer, chance):
                answer = asked(state, action, role)
                assert answer.accepted, f"offered to a {role.value} and refused: {action}: {answer}"
    for probe in probes(state, chance, ASKED_OF_A_KIND):
        if not isinstance(probe.asked, ButtonPressed) and asked(state, probe.asked, probe.role, probe).accepted:
            assert is_offered(probe.asked, probe.role, offered), f"not offered and taken: {probe}"


def asked(state: TableState, action: Action, role: Actor, probe: Probe | None = None) -> Answer:
    at = Stamp(state.at.utc_ns + 1, state.at.mono_ns + 1)
    running = None if state.round is None else state.round.id
    seats = None if probe is None else probe.seats
    held = state.round.position_of(action.seat) if state.round and isinstance(action, FOR_A_POSITION) else None
    who = held.who if held is not None and held.who is not None and role is Actor.PLAYER else "mary"
    answer = apply(state, Request(at, RequestId("asked"), who, role, None, action, running, seats)).answer
    assert answer is not None
    return answer


def offering(machine: type[RuleBasedStateMachine]) -> type[RuleBasedStateMachine]:
    """The same random table, held against its offers after every step."""

    class Offering(machine):  # type: ignore[misc, valid-type]
        table: Table
        held: TableState | None = None

        @invariant()
        def what_is_offered_is_taken_and_what_is_not_is_refused(self) -> None:
            if self.table.state is not self.held:
                self.held = self.table.state
                check(self.held, Random(len(self.table.inputs)))

        @invariant()
        def the_picture_has_what_belongs_to_the_prompt(self) -> None:
            told, prompted = self.table.state.prompted, self.table.said(DealerPrompted)[-1:]
            assert [told] == (prompted or [DealerPrompted("")])
            spots = PROCEDURES[self.table.state.settings.game].play.spot_names
            assert told.sentence == in_english(told.said, told.steps, spots)

    return Offering


TABLES: Final = 3
TestBig50 = walked(offering(RandomTable), TABLES)
TestBigRaise = walked(offering(RandomBigRaise), TABLES)
TestBigRaiseTightLimits = walked(offering(RandomTightLimits), TABLES)
TestBigRaiseUnread = walked(offering(RandomBlind), TABLES)
TestBigRaiseByHand = walked(offering(RandomByHand), TABLES)
TestBigDrawFaceDown = walked(offering(RandomFaceDown), TABLES)
TestBigDrawFaceUp = walked(offering(RandomFaceUp), TABLES)
TestBigDrawUnread = walked(offering(RandomBlindFaceDown), TABLES)
TestBigDrawFromShoe = walked(offering(RandomFromShoe), TABLES)
TestBigDrawTwoDevices = walked(offering(RandomTwoDevices), TABLES)
TestBig50Watched = walked(offering(RandomWatched), TABLES)
TestBigRaiseWatched = walked(offering(RandomWatchedBigRaise), TABLES)
TestBlackjack = walked(offering(RandomBlackjack), TABLES)
TestSupervisedBlackjack = walked(offering(RandomSupervisedBlackjack), TABLES)
