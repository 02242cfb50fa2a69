"""What outlives a round: all that the next round needs to know of the ones before.

Theory of operation. The journal keeps a `CarryOver` at the end of each round. A start takes the last one and the inputs
after it, so its time does not grow with the journal. `carry_over` takes it from a state, and `restored` makes the same
state again, by any version of this code.

It exists only between rounds: there is no round, or one is open in which nothing has happened. So nothing that a round
remembers has to be written, and a game can change what it remembers without making a journal unreadable.

Its fields are kept permanently, as those of the inputs are: add fields with defaults, and never change a default.
"""

from __future__ import annotations

from daemon.frozen import replace
from daemon.rules.limits import Day, Limits
from daemon.rules.wagers import GameName
from daemon.table.facts import AlertRaised
from daemon.table.games import PROCEDURES
from daemon.table.inputs import Configured
from daemon.table.round_facts import DealerPrompted
from daemon.table.said import Said
from daemon.table.seen_stakes import laid
from daemon.table.shoe import Shoe
from daemon.table.state import AlertTime, Deck, DeviceState, PastRound, Phase, Remainder, Round, SeenStake, TableState
from daemon.table.vocabulary import FIRST_SEAT, RoundId, SeatNumber
from drivers.commands import CommandDue
from drivers.events import Stamp
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class FreshRound:
    """A round in which nothing has happened, in its game's first phase. Its number is the last of `rounds_opened`."""

    id: RoundId
    limits: Limits | None = None  # None: those of `CarryOver.day`. Others if midnight came over chips that were seen


@dataclass(frozen=True, slots=True)
class CarryOver:
    """A table between two rounds. Its settings are those of the configuration in force, with `game` played."""

    game: GameName
    day: Day
    round: FreshRound | None = None
    opened: bool = True
    rounds_opened: int = 0
    rounds_since_stub_count: int = 0
    button: SeatNumber = FIRST_SEAT
    reshuffle_owed: bool = False
    deck: Deck = Deck.UNKNOWN
    batch: Remainder | None = None
    shoe: Shoe | None = None
    devices: tuple[DeviceState, ...] = ()
    alerts: tuple[AlertRaised, ...] = ()
    outstanding: tuple[CommandDue, ...] = ()
    commands_issued: int = 0
    prompt: str = ""
    prompt_seat: SeatNumber | None = None  # steps belong to a round
    rounds_with_deck: int = 0
    deck_since_utc_ns: int | None = None
    phase_since_utc_ns: int | None = None
    alerts_since: tuple[AlertTime, ...] = ()
    seen: tuple[SeenStake, ...] = ()
    prompt_said: tuple[Said, ...] = ()
    recent: tuple[PastRound, ...] = ()


def carry_over(state: TableState) -> CarryOver | None:
    """Return what outlives the round that ended, or None while one is being played."""
    if state.settings_next is not None or not _is_between_rounds(state):
        return None
    return CarryOver(
        game=state.settings.game,
        day=state.day,
        round=None if state.round is None else _fresh(state.round, state),
        opened=state.opened,
        rounds_opened=state.rounds_opened,
        rounds_since_stub_count=state.rounds_since_stub_count,
        button=state.button,
        reshuffle_owed=state.reshuffle_owed,
        deck=state.deck,
        batch=state.batch,
        shoe=state.shoe,
        devices=state.devices,
        alerts=state.alerts,
        outstanding=state.outstanding,
        commands_issued=state.commands_issued,
        prompt=state.prompted.sentence,
        prompt_seat=state.prompted.seat,
        rounds_with_deck=state.rounds_with_deck,
        deck_since_utc_ns=state.deck_since_utc_ns,
        phase_since_utc_ns=state.phase_since_utc_ns,
        alerts_since=state.alerts_since,
        seen=state.seen,
        prompt_said=state.prompted.said,
        recent=state.recent,
    )


def restored(carried: CarryOver, configured: Configured, at: Stamp) -> TableState:
    """Return the state that `carried` was taken from. `at` is the time of its input, `configured` was in force then."""
    settings = configured.settings.playing(carried.game)
    if settings is None:
        raise ValueError(f"the configuration in force does not offer {carried.game.value}")
    fresh = None
    if carried.round is not None:
        limits = carried.round.limits or settings.limits.on(carried.day)
        if limits is None:
            raise ValueError("the configuration in force has no limits for the day of the round")
        fresh = Round(carried.round.id, carried.rounds_opened, limits)
    table = TableState(
        settings=settings,
        journal=configured.journal,
        rules_version=configured.rules_version,
        at=at,
        day=carried.day,
        phase=Phase.IDLE if fresh is None else PROCEDURES[carried.game].play.begins_in,
        opened=carried.opened,
        round=fresh,
        rounds_opened=carried.rounds_opened,
        rounds_since_stub_count=carried.rounds_since_stub_count,
        button=carried.button,
        reshuffle_owed=carried.reshuffle_owed,
        deck=carried.deck,
        batch=carried.batch,
        shoe=carried.shoe,
        devices=carried.devices,
        alerts=carried.alerts,
        outstanding=carried.outstanding,
        commands_issued=carried.commands_issued,
        prompted=DealerPrompted(carried.prompt, carried.prompt_seat, said=carried.prompt_said),
        rounds_with_deck=carried.rounds_with_deck,
        deck_since_utc_ns=carried.deck_since_utc_ns,
        phase_since_utc_ns=carried.phase_since_utc_ns,
        alerts_since=carried.alerts_since,
        seen=carried.seen,
        recent=carried.recent,
        named=configured.devices,
    )
    return replace(table, round=laid(table))


def _is_between_rounds(state: TableState) -> bool:
    """Chips that a device sees do not stand in the way: they make the same bets in a round that is restored."""
    if state.round is None:
        return state.phase is Phase.IDLE
    untouched = replace(state, round=Round(state.round.id, state.rounds_opened, state.round.limits))
    return state.phase is PROCEDURES[state.settings.game].play.begins_in and state.round == laid(untouched)


def _fresh(opened: Round, state: TableState) -> FreshRound:
    of_the_day = state.settings.limits.on(state.day)
    return FreshRound(opened.id, None if opened.limits == of_the_day else opened.limits)
