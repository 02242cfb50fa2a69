"""Nobody learns of a card before the game shows it, from anything that they ask: held by twin tables.

Every place of a round of each game, as it runs and as it stands still, is asked everything that anybody may ask.
`make test` asks a part of it, by a fixed chance; `make soak` asks all of it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from random import Random
from typing import Final, TypeAlias, TypeVar

import pytest

from daemon.rules import big_raise
from daemon.rules.big_draw import Variant
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.limits import Limits, check_stake
from daemon.rules.results import RefusalCode, Refused
from daemon.rules.wagers import Colour, GameName, Wager, WagerName
from daemon.table import entering, standstill
from daemon.table.big_draw.inputs import ChooseGame, Claim, MoveButton, PassButton
from daemon.table.draft import Draft, Refusal
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
    Input,
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
from daemon.table.state import Phase, TableState
from daemon.table.vocabulary import COMMUNITY, FIRST_SEAT, Actor, AlertName, Decision, Irregularity, Ruling, SeatNumber
from drivers.events import Button, ButtonPressed, DeviceReport, Receipt, Restarted, Stamp
from protocols.cards import DECK, Card, Face, Misread
from tests.table.playing import Table
from tests.table.recorded_rounds import EVERY_ROUND, recorded
from tests.table.twins import NOBODY, Point, Probe

LONG: Final = "FELTD_SOAK" in os.environ
QUESTIONS: Final = 100_000 if LONG else 20
"""Of each kind, at each moment."""
ChosenT = TypeVar("ChosenT")
STAFF: Final = (Actor.DEALER, Actor.SUPERVISOR)
OPEN_TURNS: Final = (Phase.RECONCILING, Phase.FIRST_FIVE)
"""Where a hand is entered that has just been turned over."""


# --- where the round stands ---


def _as_it_runs(inputs: Sequence[Input]) -> Sequence[Input]:
    return inputs


def _held(inputs: Sequence[Input]) -> Sequence[Input]:
    return (*inputs, _report(inputs, ButtonPressed(Button.VOID)))


def _interrupted(inputs: Sequence[Input]) -> Sequence[Input]:
    return (*inputs, _report(inputs, Restarted("boot-2")))


def _report(inputs: Sequence[Input], event: ButtonPressed | Restarted) -> DeviceReport:
    last = next(each for each in reversed(inputs) if isinstance(each, DeviceReport))
    at = Stamp(inputs[-1].at.utc_ns + 1, inputs[-1].at.mono_ns + 1)
    return DeviceReport(last.device, at, event, Receipt("boot-1", 5_000))


STANDS: Final = {"as it runs": _as_it_runs, "held": _held, "interrupted": _interrupted}


def _misread() -> Table:
    """A reader that could not name a card: the round is held until somebody does."""
    table = Table().ready().staked(1, 2, 3)
    table.press()
    for position in (1, 2, 3):
        faces = list[Face](table.draw(5))
        table.dispense(position, [Misread.UNREADABLE, *faces[1:]] if position == 2 else faces)
        table.deliver(position)
    table.press()
    table.eject()
    return table


PLAYED: Final[dict[str, Callable[[], Table]]] = {
    **{name: partial(recorded, name) for name in EVERY_ROUND},
    "a card that was not read": _misread,
}


def points(name: str, stands: Callable[[Sequence[Input]], Sequence[Input]], chance: Random) -> Iterator[Point]:
    """Moments of the first round of this record at which a card is hidden: all, or one for each prompt."""
    inputs, prompts = PLAYED[name]().inputs, set[str]()
    for length in range(2, len(inputs) + 1):
        point = Point(stands(inputs[:length]), chance)
        played, prompt = point.state.round, f"{point.state.phase} {point.state.prompt}"
        if played is not None and played.number == 1 and point.hides_something and (LONG or prompt not in prompts):
            prompts.add(prompt)
            yield point


# --- what anybody may ask ---


def probes(state: TableState, chance: Random, most: int) -> list[Probe]:
    """Everything, or as much of each kind as there is time for; most of the seat whose turn it is."""
    seat = whose_turn(state)
    return [
        *_of_players(state, [] if seat is None else [seat], chance, 4 * most),
        *_some(list(_of_the_table(state)), chance, most),
        *_of_players(state, chance.sample(_seats(state), min(most, state.settings.seats)), chance, most),
        *_some(list(_keys(state)), chance, most),
        *_some(list(_entries(state, chance, most)), chance, most),
    ]


def _some(kind: Sequence[ChosenT], chance: Random, most: int) -> list[ChosenT]:
    return chance.sample(kind, min(most, len(kind)))


def _of_the_table(state: TableState) -> Iterator[Probe]:
    actions: list[Action] = [
        *(Press(button) for button in Button if button not in _PLAYS),
        *(ReportIrregularity(what, seat) for what in Irregularity for seat in (None, *_places(state))),
        *(StubCount(count) for count in (-1, 0, 40, 52)),
        *(Rule(ruling, "seen") for ruling in Ruling),
        VoidRound("seen"),
        *(ClearAlert(AlertName(name)) for name in ("none", *(alert.alert for alert in state.alerts))),
        OpenTable(),
        CloseTable(),
        OrderReshuffle(),
        LoadShoe(1),
        *(ChangeGame(game) for game in GameName),
        ChangeDeck(),
        CountDeck(),
        *(MoveButton(seat) for seat in _seats(state)),
    ]
    return (Probe(action, role) for action in actions for role in Actor)


def _of_players(state: TableState, seats: Sequence[SeatNumber], chance: Random, most: int) -> list[Probe]:
    """Who asks is chosen with the action, before a probe is made: most are never put."""
    everything = [
        (seat, action, who) for seat in seats for action in _decisions(state, seat, chance) for who in _WHO_DECIDES
    ]
    return [_decided_by(state, *chosen) for chosen in _some(everything, chance, most)]


_WHO_DECIDES: Final = ("the seat's player", "another player", *STAFF)


def _decided_by(state: TableState, seat: SeatNumber, action: Action, who: str | Actor) -> Probe:
    if isinstance(who, Actor):
        faces_up = _is_play_that_some_hand_allows(state, action)
        return Probe(action, who, sees=frozenset({seat}) if faces_up else NOBODY)
    if who == "another player":
        return Probe(action, Actor.PLAYER, (SeatNumber(seat % state.settings.seats + 1),))
    return Probe(action, Actor.PLAYER, (seat,), frozenset({seat}))


def _decisions(state: TableState, seat: SeatNumber, chance: Random) -> Iterator[Action]:
    yield ClearBets(seat)
    yield PassButton(seat)
    yield Claim(seat)
    yield Claim(seat)
    yield from (ChooseGame(seat, variant) for variant in Variant)
    for stake in (0, 1, 500, 100_000_000):
        yield from (Bet(seat, wager, stake, colour) for wager in WagerName for colour in (None, Colour.RED))
    yield from (Decide(seat, decision) for decision in Decision)
    for decision in (Decision.PLAY, Decision.DOUBLE, Decision.INSURE):
        yield from (Decide(seat, decision, stake) for stake in _stakes(state, seat))
    for count in range(-1, 7):
        yield Decide(seat, Decision.DRAW, None, count)
        yield Decide(seat, Decision.DRAW, None, count, tuple(chance.sample(DECK, max(count, 0))))


def _stakes(state: TableState, seat: SeatNumber) -> set[int | None]:
    staked = [stake.stake_cents for stake in state.round.stakes_of(seat)] if state.round else []
    return {None, 0, 1, *(times * stake + more for stake in staked for times in (1, 2, 3, 4, 5) for more in (-1, 0, 1))}


def _is_play_that_some_hand_allows(state: TableState, action: Action) -> bool:
    """Who asks for one has the hand before them: a player who plays turns it face up."""
    if not isinstance(action, Decide) or action.decision is not Decision.PLAY or state.round is None:
        return False
    antes = [stake.stake_cents for stake in state.round.stakes_of(action.seat) if stake.wager is WagerName.ANTE]
    return any(2 * ante <= (action.stake_cents or 0) <= 4 * ante for ante in antes)


_PLAYS: Final = (Button.PLAY_2, Button.PLAY_3, Button.PLAY_4)


def _keys(state: TableState) -> Iterator[Probe]:
    seat = whose_turn(state)
    turned_over = NOBODY if seat is None else frozenset({seat})
    for button in Button:
        sees = turned_over if button in _PLAYS else NOBODY
        yield Probe(ButtonPressed(button), sees=sees)
        yield from (Probe(Press(button), role, sees=sees) for role in STAFF)


def whose_turn(state: TableState) -> SeatNumber | None:
    """The seat that a key is for."""
    played = state.round
    return None if played is None else played.selected or PROCEDURES[state.settings.game].play.asked(state)


def _entries(state: TableState, chance: Random, most: int) -> Iterator[Probe]:
    """Guesses for every place, each card of the deck in one of them, beside what lies there openly."""
    guesses = list(product(_places(state), STAFF, DECK))
    for place, role, guess in chance.sample(guesses, min(most, len(guesses))):
        packets = [packet.cards for packet in state.round.plan if packet.seat == place] if state.round else []
        rest = chance.sample([card for card in DECK if card is not guess], 4)
        for before in _open_hands(state, place):
            yield _entry(state, place, role, (*before, guess))
        for cards in {1, *packets}:
            yield _entry(state, place, role, (guess, *rest[: cards - 1]))


def _open_hands(state: TableState, place: SeatNumber) -> Iterator[tuple[Card, ...]]:
    """The cards that lie face up at a place, to which one more may be entered."""
    if state.round is not None and place >= FIRST_SEAT:
        hands = PROCEDURES[state.settings.game].play.seat_picture(state.round, place).hands
        yield from (tuple(named) for hand in hands if (named := cards_of(hand.cards)))


def cards_of(faces: Sequence[Face | None]) -> list[Card]:
    """Those of them that have a name."""
    return [face for face in faces if isinstance(face, Card)]


def _entry(state: TableState, place: SeatNumber, role: Actor, cards: tuple[Card, ...]) -> Probe:
    return Probe(EnterCards(place, cards), role, sees=_lies_before(state, place, role))


def _lies_before(state: TableState, place: SeatNumber, role: Actor) -> frozenset[SeatNumber]:
    """A supervisor may have a hand turned over in a standstill, and a hand that is asked for lies open."""
    stands = state.phase in (Phase.HELD, Phase.INTERRUPTED) and role is Actor.SUPERVISOR
    is_asked = state.phase in OPEN_TURNS and state.round is not None and state.round.showing == place
    return frozenset({place}) if stands or is_asked else NOBODY


def _seats(state: TableState) -> list[SeatNumber]:
    return [SeatNumber(seat) for seat in range(1, state.settings.seats + 1)]


def _places(state: TableState) -> list[SeatNumber]:
    return [SeatNumber(place) for place in range(COMMUNITY, state.settings.seats + 2)]


# --- the test ---


def found(name: str, stands: str, most: int = QUESTIONS) -> Iterator[str]:
    """Differences between twins in this round."""
    chance = Random(f"{name} {stands}")
    for point in points(name, STANDS[stands], chance):
        yield from map(str, point.differences(probes(point.state, chance, most)))


@pytest.mark.timeout(3600 if LONG else 600)
@pytest.mark.soak
@pytest.mark.parametrize("stands", STANDS)
@pytest.mark.parametrize("name", PLAYED)
def test_nothing_that_anybody_asks_tells_of_a_hidden_card(name: str, stands: str) -> None:
    assert next(found(name, stands), None) is None


QUESTIONS_WEIGHED: Final = 40 if LONG else 2


def weighed(name: str, stands: str, most: int = QUESTIONS_WEIGHED) -> Iterator[str]:
    """Refusals of this round that cost twins unequal work."""
    chance = Random(f"{name} {stands}")
    for point in points(name, STANDS[stands], chance):
        yield from map(str, point.differences_of_work(probes(point.state, chance, most)))


@pytest.mark.timeout(3600)
@pytest.mark.soak
@pytest.mark.parametrize("stands", STANDS)
@pytest.mark.parametrize("name", PLAYED)
def test_no_refusal_takes_longer_for_a_hidden_card(name: str, stands: str) -> None:
    assert next(weighed(name, stands), None) is None


# --- the tester is tested: leaks that were there once, and some that were not ---


def _all_hands(draft: Draft, seat: SeatNumber) -> Iterator[Face]:
    return (face for hand in draft.round.hands if hand.seat != seat for face in hand.faces or ())


def compares_with_every_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `enter-cards` was: any place at any time, held against all cards that a device read."""
    monkeypatch.setattr(entering, "open_elsewhere", _all_hands)
    monkeypatch.setattr(standstill, "_cannot_be_seen", lambda *_: None)


def says_whether_it_is_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the refusal of a Play bet was."""

    def check(
        play: Wager, player: Sequence[Card] | None, placed: Sequence[Wager], house: BigRaiseHouse, limits: Limits
    ) -> Refused | None:
        ante = next(bet.stake for bet in placed if bet.name is WagerName.ANTE)
        allowed = big_raise.play_range(ante, player, house)
        if allowed.least <= play.stake <= allowed.most:
            return check_stake(play, placed, (), house.money, limits)
        return Refused(RefusalCode.BELOW_LEAST, f"{'with' if allowed.with_pair else 'without'} a pair")

    monkeypatch.setattr(big_raise, "check_play", check)


def takes_longer_for_a_pair(monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal in the same words for every hand, after a look at the hand."""
    check = big_raise.check_play

    def look(
        play: Wager, player: Sequence[Card] | None, placed: Sequence[Wager], house: BigRaiseHouse, limits: Limits
    ) -> Refused | None:
        ante = next(bet.stake for bet in placed if bet.name is WagerName.ANTE)
        for _ in range(5 if big_raise.play_range(ante, player, house).with_pair else 9):
            pass
        return check(play, player, placed, house, limits)

    monkeypatch.setattr(big_raise, "check_play", look)


def names_a_card_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same words for every hand, and beside them, for a program, a card that a device read."""
    check = standstill._cannot_be_seen

    def told(draft: Draft, request: Request, seat: SeatNumber) -> Refusal | None:
        refusal, hand = check(draft, request, seat), entering.hand_meant(draft.round, seat)
        if refusal is None or hand is None:
            return refusal
        card = next((face for face in hand.faces or () if isinstance(face, Card)), None)
        return replace(refusal, said=replace(refusal.said, card=card))

    monkeypatch.setattr(standstill, "_cannot_be_seen", told)


def test_a_refusal_that_takes_longer_for_some_cards_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    takes_longer_for_a_pair(monkeypatch)
    assert next(weighed("big-raise", "as it runs", 30), None) is not None


Plant: TypeAlias = Callable[[pytest.MonkeyPatch], None]
PLANTED: Final[dict[str, tuple[Plant, str, str]]] = {
    "any hand compared": (compares_with_every_hand, "big-50", "held"),
    "pair or no pair": (says_whether_it_is_a_pair, "big-raise", "as it runs"),
    "a card beside the words": (names_a_card_for_programs, "big-50", "held"),
}


@pytest.mark.parametrize(("plant", "name", "stands"), PLANTED.values(), ids=PLANTED)
def test_twins_find_a_leak_that_is_put_back(
    plant: Plant, name: str, stands: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    assert next(found(name, stands), None) is not None
