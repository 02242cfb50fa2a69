"""Everything that anybody may ask at a moment of a round, right and wrong, or as much of it as there is time for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Final, TypeVar

from daemon.rules.big_draw import Variant
from daemon.rules.wagers import Colour, GameName, WagerName
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
    Rule,
    StubCount,
    VoidRound,
)
from daemon.table.state import Phase, TableState
from daemon.table.vocabulary import COMMUNITY, FIRST_SEAT, Actor, AlertName, Decision, Irregularity, Ruling, SeatNumber
from drivers.events import Button, ButtonPressed
from protocols.cards import DECK, Card, Face
from tests.table.twins import NOBODY, Probe

ChosenT = TypeVar("ChosenT")
STAFF: Final = (Actor.DEALER, Actor.SUPERVISOR)
OPEN_TURNS: Final = (Phase.RECONCILING, Phase.FIRST_FIVE)
"""Where a hand is entered that has just been turned over."""


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
        *(Rule(ruling, "seen", None) for ruling in Ruling),
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


def _stakes(state: TableState, seat: SeatNumber) -> list[int | None]:
    """Return each once, in an order that is the same in every process: the hash of None is its address."""
    staked = [stake.stake_cents for stake in state.round.stakes_of(seat)] if state.round else []
    around = (times * stake + more for stake in staked for times in (1, 2, 3, 4, 5) for more in (-1, 0, 1))
    return [None, *sorted({0, 1, *around})]


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
