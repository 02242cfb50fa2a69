"""A table with everybody at once, by seed: machines, a pad, a sensor, people, starts, midnight, a restored journal.

`ChaosTable` is the robot's table. At each input `apply` asserts the invariants, the public picture can be made, a
dealer who does what they are told once has paid and taken what the books say, and between rounds a start from what the
journal carries over is the same table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Final

from daemon.rules.limits import AggregateLimit, Day, Limits, LimitSchedule
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName, WagerName
from daemon.table import alerts, view
from daemon.table.carry_over import carry_over, restored
from daemon.table.facts import FactData
from daemon.table.inputs import (
    Action,
    ChangeGame,
    Configured,
    DayBegan,
    Input,
    JournalDoubted,
    JournalRestored,
    Press,
    Request,
    Rule,
    VoidRound,
)
from daemon.table.settings import (
    AT_A_DEALERS_WILL,
    LargeWins,
    OfferedGame,
    PayingStyle,
    Positions,
    Reconciling,
    SourceSettings,
    TableSettings,
)
from daemon.table.state import DECK_IS_FREE, Deck, Phase
from daemon.table.vocabulary import Irregularity, RequestId, Ruling, SourceKind
from drivers.events import (
    FOREIGN_ORDER,
    Anomaly,
    Button,
    ButtonPressed,
    CameBack,
    CardDrawn,
    CardReturned,
    CommandAnswered,
    CommandId,
    Confidence,
    CutCardDrawn,
    DealCleared,
    DeckLoaded,
    DeviceEvent,
    DeviceName,
    EventsLost,
    FaultCleared,
    FaultKind,
    FaultRaised,
    Identity,
    KeyPressed,
    LinkLost,
    LinkUp,
    ModeChanged,
    PacketDispensed,
    PacketRemoved,
    ReadFailed,
    RemainderEjected,
    Restarted,
    SetupFailed,
    ShoeLockChanged,
    ShuffleFinished,
    ShuffleStarted,
    StakeSeen,
    WentStale,
)
from protocols.cards import DECK, Misread
from tests.table.dealers_hands import DealersHands
from tests.table.playing import IDENTITY, TODAY
from tests.table.probes import probes
from tests.table.recorded_rounds import EVERY_ROUND, recorded
from tests.table.robot_dealer import RobotDealer

PAD, SENSOR, STRANGER = DeviceName("pad"), DeviceName("sensor"), DeviceName("stranger")
SENSOR_UP: Final = LinkUp(Identity("BS-1", "0001", "1.0", ("stakes",)), "boot-s", resumed=True)
SPOTS: Final = ("ante", "poker-hand", "blackjack", "big-draw", "insurance", "play", "first-5", "red", "no-spot")
SHARED: Final = (WagerName.BIG_DRAW, WagerName.FIRST_5, WagerName.POKER_HAND, WagerName.BAD_BEAT)
FACES: Final = (*DECK, *Misread)
SIZES: Final = (1, 2, 3, 5)


@lru_cache
def inputs_of(name: str) -> tuple[Input, ...]:
    """A recorded round."""
    return tuple(recorded(name).inputs)


def settings_of(name: str) -> TableSettings:
    """Those of a recorded round."""
    configured = inputs_of(name)[0]
    assert isinstance(configured, Configured)
    return configured.settings


class ChaosTable(RobotDealer):
    """A table at which anything happens. `reached` is where it has been, `configured` what it was started with last."""

    def __init__(self, settings: TableSettings, chance: Random) -> None:
        self.reached: set[tuple[GameName, Phase]] = set()
        self.configured: Configured | None = None
        self.hands = DealersHands()
        super().__init__(settings, chance)
        self.started(settings)

    def take(self, happened: Input) -> list[FactData]:
        """Apply one input, and look at what anybody may see and at what a start would make of it."""
        facts = super().take(happened)
        if isinstance(happened, Configured):
            self.configured = happened
        self.reached.add((self.state.settings.game, self.state.phase))
        view.public(self.state)
        self.hands.watch(self.steps)
        assert not self._has_rest_inside() or self.state.deck is Deck.IN_USE, "the rest passes for a whole deck"
        carried = carry_over(self.state)
        if carried is not None and self.configured is not None:
            assert restored(carried, self.configured, self.state.at) == self.state, "a start makes another table of it"
        return facts

    def _has_rest_inside(self) -> bool:
        """Cards of the machine's deck are out, and the rest is inside as far as anybody knows."""
        played, kind = self.state.round, self.state.settings.source.kind
        if played is None or kind is not SourceKind.SHUFFLER or self.state.phase in DECK_IS_FREE:
            return False
        return bool(played.hands) and played.remainder is None

    def started(self, settings: TableSettings, days: int = 0, *, names_devices: bool = True) -> None:
        """The daemon starts on this file, so many days later."""
        names = (*sorted(settings.dealing_devices), PAD, SENSOR) if names_devices else None
        day = Day(self.state.day + days)
        self.take(Configured(self._now(), day, self.state.journal, "rules-1", settings, names))

    def noisy_step(self) -> None:
        """Most often the robot plays on, for without it no table would leave its first phases."""
        kinds: dict[Callable[[], None], float] = {
            self.step: 74,
            self.device_reports: 12,
            self._somebody_asks: 10,
            self._starts_again: 1,
            self._other_file: 0.5,
            self._changes_game: 1.5,
            self._day_begins: 0.5,
            self._doubts: 0.5,
            self.restores: 0.5,
            self._stops: 40 if alerts.wins_held(self.state) else 0,  # the robot clears alerts before anything else
        }
        (kind,) = self.chance.choices(list(kinds), list(kinds.values()))
        kind()

    def reports_with_steps(self, steps: int) -> None:
        """Devices say something, and after each of their words the robot may play on."""
        for _ in range(self.chance.randrange(6)):
            self.device_reports()
            for _ in range(self.chance.randrange(steps + 1)):
                self.step()

    def sees_chips(self) -> None:
        """There is a sensor, and on two spots chips lie at each seat."""
        self.says(SENSOR, SENSOR_UP)
        for spot in self.chance.sample(SPOTS, 2):
            for seat in range(1, self.state.settings.seats + 1):
                self.says(SENSOR, StakeSeen(seat, spot, self.chance.choice([500, 1000])))

    def device_reports(self) -> None:
        """Mostly one of the machines. Each says whatever any machine could."""
        machines = (*sorted(self.state.settings.dealing_devices), *self._machines(), *self._machines())
        is_machine = self.chance.random() < 0.8
        device = self.chance.choice(machines if is_machine else (PAD, SENSOR, STRANGER))
        of_machines = (*self._of_the_link(), *self._of_a_shuffler(), *self._of_a_shoe())
        self.says(device, self.chance.choice(of_machines if is_machine else (*of_machines, *self._of_a_table())))

    def _of_the_link(self) -> Sequence[DeviceEvent]:
        chance = self.chance
        fault = chance.choice(list(FaultKind))
        return (
            *(LinkUp(IDENTITY, "boot-c", resumed) for resumed in (True, False)),
            LinkLost("x"),
            Restarted("y"),
            EventsLost(1, "x"),
            WentStale(5),
            CameBack(),
            FaultRaised(fault, chance.choice(["", "x"])),
            FaultCleared(fault),
            Anomaly(chance.choice(["x", FOREIGN_ORDER]), "x"),
            SetupFailed(chance.choice("ab"), "x", "x"),
            self._answer(),
        )

    def _answer(self) -> CommandAnswered:
        """To an order, or to none."""
        due = [each.id for each in self.state.outstanding] or [CommandId("none")]
        return CommandAnswered(self.chance.choice(due), self.chance.choice([None, None, "fault"]))

    def _of_a_shuffler(self) -> Sequence[DeviceEvent]:
        chance, hands = self.chance, self.state.round.hands if self.state.round is not None else ()
        last = max((hand.position for hand in hands), default=0)
        sizes = (*SIZES, self.planned(last + 1))
        faces = tuple(chance.choice(FACES) for _ in range(chance.choice(sizes)))
        return (
            DeckLoaded(),
            ShuffleStarted(),
            ShuffleFinished(chance.choice([None, 51, 52, 53])),
            ModeChanged(chance.choice([*sizes, 7])),
            PacketDispensed(last + chance.randrange(3), chance.choice([None, *sizes]), None),
            PacketDispensed(last + 1, self.planned(last + 1), None),
            PacketDispensed(last + 1, len(faces), faces),
            PacketRemoved(chance.choice([1, last, last + 1])),
            RemainderEjected(chance.choice([None, 40, 52]), None),
        )

    def _of_a_shoe(self) -> Sequence[DeviceEvent]:
        chance = self.chance
        confidence = chance.choice([Confidence.CHECKED, Confidence.DISPUTED])
        return (
            CardDrawn(chance.choice(FACES), confidence, chance.choice([None, 1, 5])),
            CardReturned(None),
            ReadFailed("x"),
            CutCardDrawn(None),
            DealCleared(),
            ShoeLockChanged(is_locked=True),
        )

    def _of_a_table(self) -> Sequence[DeviceEvent]:
        """Keys, and chips that a sensor sees."""
        chance = self.chance
        chips = [(chance.choice([1, 2, 3, 9]), spot, chance.choice([0, 500, 1000, 1001])) for spot in SPOTS]
        keys = [ButtonPressed(button, chance.choice([True, False])) for button in chance.sample(list(Button), 4)]
        return *(StakeSeen(*seen) for seen in chips), *keys, KeyPressed("9")

    def _somebody_asks(self) -> None:
        """Two of those things that anybody may ask here, right or wrong."""
        every = probes(self.state, self.chance, 2)
        for probe in self.chance.sample(every, min(2, len(every))):
            if isinstance(probe.asked, ButtonPressed):
                self.says(PAD, probe.asked)
                continue
            running = None if self.state.round is None else self.state.round.id
            who, name = self.chance.choice(["kim", "lee"]), RequestId(f"p{len(self.inputs)}")
            self.take(Request(self._now(), name, who, probe.role, None, probe.asked, running, probe.seats))

    def _starts_again(self) -> None:
        """On the same file, today or tomorrow, or where somebody has set the clock back."""
        assert self.configured is not None
        self.started(self.configured.settings, self.chance.choice([-1, 0, 0, 1]))

    def _other_file(self) -> None:
        assert self.configured is not None
        self.started(otherwise(self.configured.settings, self.chance))

    def _changes_game(self) -> None:
        self.ask(ChangeGame(self.chance.choice(self.state.settings.games).game))

    def _day_begins(self) -> None:
        self.take(DayBegan(self._now(), Day(self.state.day + 1)))

    def _doubts(self) -> None:
        self.take(JournalDoubted(self._now(), self.chance.choice("ab")))

    def _stops(self) -> None:
        """Somebody voids the round, asks for a void, or goes on with what stands still."""
        ruling = Rule(Ruling.CONTINUE, "seen", self.revision())
        asked: tuple[Action, ...] = (VoidRound("seen"), Press(Button.VOID), ruling)
        self.ask(self.chance.choice(asked), round_id=self.running())

    def restores(self) -> None:
        """A copy of the journal takes its place, of now or of a while ago, and the daemon starts on it."""
        assert self.configured is not None
        file, self.configured = self.configured.settings, None  # what a round leaves before that start names no file
        opened = max(0, self.state.rounds_opened + self.chance.choice([-1, 0, 3]))
        self.take(JournalRestored(self._now(), f"copy-{len(self.inputs)}", "the disk died", "account root", opened))
        self.started(file, self.chance.choice([-1, 0, 1]))


def a_house(name: str, chance: Random) -> TableSettings:
    """That of a recorded round, with other games to change to, and stricter or not."""
    settings = settings_of(name)
    if chance.random() < 0.5:
        settings = replace(settings, supervised_once_seen=AT_A_DEALERS_WILL)
    if chance.random() < 0.3:
        settings = replace(settings, deck_change_rounds=1)
    if chance.random() < 0.5 and settings.source.kind is not SourceKind.SHOE:
        less = replace(settings.source, reads_faces=False, counts=chance.random() < 0.3)
        settings = replace(settings, source=less, stub_count_rounds_max=1)  # else few tables come to count by hand
    if chance.random() < 0.8:
        settings = replace(settings, offered=_offered(settings, chance), seats=chance.choice([3, 5]))
    return otherwise(settings, chance) if chance.random() < 0.7 else settings


def otherwise(settings: TableSettings, chance: Random) -> TableSettings:
    """The same felt by another file: how it is reconciled, what is a large win, what a deal may pay, what voids."""
    dated = tuple((day, _limits(chance)) for day in (Day(0), Day(TODAY + 1)))
    return replace(
        settings,
        seats=chance.choice([2, 3, 5]),
        reconciling=chance.choice(list(Reconciling)),
        paying=chance.choice(list(PayingStyle)),
        large_wins=chance.choice([LargeWins.HOLD, LargeWins.HOLD, LargeWins.TELL]),
        positions=chance.choice([Positions.HELD, Positions.ONE_EACH]),
        supervised=chance.choice([settings.supervised, tuple(Irregularity)]),
        limits=LimitSchedule(dated) if chance.random() < 0.7 else settings.limits,
    )


def _limits(chance: Random) -> Limits:
    wagers = chance.sample(SHARED, chance.choice([0, 0, 2]))
    aggregates = tuple(AggregateLimit(wager, Cents(chance.choice([700, 30_000])), shares_all=True) for wager in wagers)
    return Limits(aggregates=aggregates, verify_over=Cents(chance.choice([0, 0, 1_999])))


def another_file(before: TableSettings, chance: Random) -> TableSettings:
    """Those of some recorded round: often from another kind of machine, of another name, or with fewer seats."""
    every = [settings_of(name) for name in EVERY_ROUND]
    others = [each for each in every if each.source.kind is not before.source.kind]
    settings = chance.choice(others if chance.random() < 0.5 else every)
    if chance.random() < 0.4:
        settings = replace(settings, seats=chance.randrange(1, 4))
    if chance.random() < 0.3:
        settings = replace(settings, source=renamed(settings.source))
    return settings


def _offered(settings: TableSettings, chance: Random) -> tuple[OfferedGame, ...]:
    """One of each game, each from a machine whose name belongs to no other kind of machine."""
    offered = [OfferedGame(settings.game, settings.source, settings.options)]
    others = [settings_of(name) for name in EVERY_ROUND]
    for other in chance.sample(others, len(others)):
        if other.game not in [offer.game for offer in offered]:
            source = other.source if other.source == settings.source else renamed(other.source)
            offered.append(OfferedGame(other.game, source, other.options))
    return tuple(offered)


def renamed(source: SourceSettings) -> SourceSettings:
    """The same machine by another name: one that says what it is and can."""
    reads, obeys = ("reading" if source.reads_faces else "blind"), ("driven" if source.takes_commands else "observed")
    return replace(source, device=DeviceName(f"{source.kind.value}-{reads}-{obeys}"))
