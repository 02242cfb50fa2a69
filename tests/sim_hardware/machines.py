"""A shuffler mechanism with nothing round it but a real store, and ways to bring it into each of its states."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from protocols.felt_link import messages as m
from protocols.felt_link.memory import DeviceMemory
from sim_hardware.deck import Deck, standard_deck
from sim_hardware.faults import FaultBoard, FaultName, NextTime
from sim_hardware.mechanism import Refused
from sim_hardware.pace import S
from sim_hardware.shuffler import Shuffler
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import State, Stimulus

LONG_NS: Final = 100 * S
"""Longer than any motion."""


@dataclass
class Surroundings:
    """Keeps every report in a device's real store, which is acknowledged at once unless a test says otherwise."""

    acknowledges: bool = True
    events: list[m.WireEvent] = field(default_factory=list)
    pulls: int = 0
    boots: int = 0
    memory: DeviceMemory = field(default_factory=lambda: DeviceMemory("before"))

    def report_event(self, event: m.WireEvent, now_ns: int) -> None:
        self.memory.record(event)
        self.events.append(event)
        if self.acknowledges:
            self.catch_up()

    def catch_up(self) -> None:
        """The host has everything on disk."""
        self.memory.sent_seq = self.memory.next_seq - 1
        self.memory.acknowledge(self.memory.sent_seq)

    def has_room(self) -> bool:
        return not self.memory.is_full

    def cable_pulled(self, now_ns: int) -> None:
        self.pulls += 1

    def power_lost(self, now_ns: int) -> None:
        self.memory = DeviceMemory("off")

    def power_back(self, now_ns: int) -> None:
        self.boots += 1
        self.memory = DeviceMemory(f"boot-{self.boots}")


class Bench:
    """One machine, its faults, what it said, and the time."""

    def __init__(
        self, settings: ShufflerSettings | None = None, kind: type[Shuffler] = Shuffler, deck: Deck | None = None
    ) -> None:
        self.faults: Final = FaultBoard()
        self.outside: Final = Surroundings()
        self.settings: Final = settings or ShufflerSettings(seed=7)
        self.machine: Final = kind(self.settings, self.faults, self.outside)
        self.deck = deck or standard_deck()
        self.now_ns = 0

    def is_in(self, state: State) -> bool:
        return self.machine.state is state

    def wait(self, time_ns: int = LONG_NS) -> None:
        self.now_ns += time_ns
        self.machine.handle_timeout(self.now_ns)

    def order(self, command: m.WireCommand) -> Refused | None:
        return self.machine.take_order(command, self.now_ns)

    def packet(self) -> None:
        """One packet into the tray."""
        assert self.order(m.Dispense(self.machine.packets_given + 1)) is None
        self.wait()

    def hand(self) -> None:
        """One packet, taken."""
        self.packet()
        assert self.machine.take_packet(self.now_ns) is None


def _booting(bench: Bench) -> None:
    """As it is made."""


def _empty(bench: Bench) -> None:
    bench.machine.power_on(bench.now_ns)


def _loaded(bench: Bench) -> None:
    _empty(bench)
    bench.order(m.Lock())
    bench.machine.load(bench.deck, bench.now_ns)


def _shuffling(bench: Bench) -> None:
    _empty(bench)
    bench.machine.load(bench.deck, bench.now_ns)


def _ready(bench: Bench) -> None:
    _shuffling(bench)
    bench.wait()


def _dispensing(bench: Bench) -> None:
    _ready(bench)
    bench.order(m.Dispense(1))
    bench.wait(700_000_000)


def _offered(bench: Bench) -> None:
    _ready(bench)
    bench.packet()


def _last_offered(bench: Bench) -> None:
    _offered(bench)
    bench.order(m.EjectRemainder())
    bench.wait()


def _ejecting(bench: Bench) -> None:
    _offered(bench)
    bench.order(m.EjectRemainder())


def _unproven(bench: Bench) -> None:
    _offered(bench)
    bench.machine.open_door(bench.now_ns)
    bench.machine.close_door(bench.now_ns)


def _jammed(bench: Bench) -> None:
    _ready(bench)
    bench.faults.arm(FaultName.JAM, NextTime())
    bench.packet()


REACH: Final[Mapping[State, Callable[[Bench], None]]] = {
    State.BOOTING: _booting,
    State.EMPTY: _empty,
    State.LOADED: _loaded,
    State.SHUFFLING: _shuffling,
    State.READY: _ready,
    State.DISPENSING: _dispensing,
    State.OFFERED: _offered,
    State.LAST_OFFERED: _last_offered,
    State.EJECTING: _ejecting,
    State.UNPROVEN: _unproven,
    State.JAMMED: _jammed,
}


def bench_in(state: State, settings: ShufflerSettings | None = None) -> Bench:
    """A machine in this state, unlocked unless the state needs the lock."""
    bench = Bench(settings)
    REACH[state](bench)
    assert bench.machine.state is state
    return bench


def _no_refusal(act: Callable[[int], None]) -> Callable[[int], Refused | None]:
    def acts(now_ns: int) -> Refused | None:
        act(now_ns)
        return None

    return acts


def act(bench: Bench, stimulus: Stimulus) -> Refused | None:
    """Do to the machine what a hand or a host can do."""
    machine = bench.machine
    orders: dict[Stimulus, m.WireCommand] = {
        Stimulus.SET_MODE: m.SetMode(machine.mode.cards),
        Stimulus.DISPENSE: m.Dispense(machine.packets_given + 1),
        Stimulus.EJECT: m.EjectRemainder(),
        Stimulus.RESHUFFLE: m.Reshuffle(),
        Stimulus.LOCK: m.Lock(),
        Stimulus.UNLOCK: m.Unlock(),
        Stimulus.LAMP: m.SetLamp(lit=True),
    }
    hands: dict[Stimulus, Callable[[int], Refused | None]] = {
        Stimulus.LOAD: lambda now_ns: machine.load(bench.deck, now_ns),
        Stimulus.TAKE: machine.take_packet,
        Stimulus.PRESS: lambda now_ns: machine.press("green", now_ns),
        Stimulus.OPEN_DOOR: _no_refusal(machine.open_door),
        Stimulus.CLOSE_DOOR: _no_refusal(machine.close_door),
        Stimulus.CLEAR: machine.clear_jam,
        Stimulus.REBOOT: _no_refusal(machine.reboot),
    }
    if stimulus in orders:
        return bench.order(orders[stimulus])
    return hands[stimulus](bench.now_ns)
