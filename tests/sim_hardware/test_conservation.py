"""Whatever is done to the machine: no piece of pasteboard is lost or made, reports are true, and the store holds."""

from __future__ import annotations

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from protocols.cards import Misread
from protocols.felt_link import messages as m
from protocols.felt_link.limits import STORE_DEPTH_MAX
from sim_hardware.deck import Deck, standard_deck
from sim_hardware.faults import Always, Arming, FaultName, NextTime, OnPacket
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.shuffler_states import MOTORS, TRANSITIONS, State, Stimulus
from tests.sim_hardware.machines import Bench, act

HANDS = st.sampled_from([stimulus for stimulus in Stimulus if stimulus in TRANSITIONS[State.READY]] + [Stimulus.LOAD])
COMMANDS = st.one_of(
    st.builds(m.SetMode, st.integers(0, 60)),
    st.builds(m.Dispense, st.integers(1, 12)),
    st.sampled_from([m.EjectRemainder(), m.Reshuffle(), m.Lock(), m.Unlock(), m.SetLamp(lit=False)]),
)
ARMINGS: st.SearchStrategy[Arming] = st.one_of(
    st.just(Always()), st.just(NextTime()), st.builds(OnPacket, st.integers(1, 5))
)


class RandomLife(RuleBasedStateMachine):
    """Hands, orders, faults and time in any order."""

    @initialize(seed=st.integers(0, 2**32), observed=st.booleans(), counts=st.booleans(), mode=st.integers(1, 26))
    def make(self, seed: int, observed: bool, counts: bool, mode: int) -> None:
        self.bench = Bench(ShufflerSettings(seed=seed, observed=observed, counts=counts, mode=mode))
        self.bench.machine.power_on(0)
        self.loaded: list[int] = []
        self.read = 0

    @rule(hand=HANDS)
    def do(self, hand: Stimulus) -> None:
        was_taken = act(self.bench, hand) is None
        if hand is Stimulus.LOAD and was_taken:
            self.loaded = sorted(piece.number for piece in self.bench.machine.places.everything())
            assert len(self.loaded) in (51, 52)

    @rule(command=COMMANDS)
    def order(self, command: m.WireCommand) -> None:
        self.bench.order(command)

    @rule()
    def deal_one(self) -> None:
        self.bench.order(m.Dispense(self.bench.machine.packets_given + 1))
        self.bench.wait()

    @rule(name=st.sampled_from(FaultName), arming=ARMINGS)
    def switch_on(self, name: FaultName, arming: Arming) -> None:
        self.bench.faults.arm(name, arming)
        self.bench.machine.poke(self.bench.now_ns)

    @rule(name=st.sampled_from(FaultName))
    def switch_off(self, name: FaultName) -> None:
        self.bench.faults.disarm(name)
        self.bench.machine.poke(self.bench.now_ns)

    @rule(time_ns=st.integers(0, 40_000_000_000))
    def wait(self, time_ns: int) -> None:
        self.bench.wait(time_ns)

    @rule()
    def stop_acknowledging(self) -> None:
        self.bench.outside.acknowledges = False

    @rule()
    def acknowledge(self) -> None:
        self.bench.outside.acknowledges = True
        self.bench.outside.catch_up()
        self.bench.machine.poke(self.bench.now_ns)

    @rule(times=st.integers(1, 300))
    def press_again_and_again(self, times: int) -> None:
        for _ in range(times):
            self.bench.machine.press("next", self.bench.now_ns)

    @precondition(lambda self: self.bench.machine.state not in MOTORS)
    @rule()
    def open_and_close_again_and_again(self) -> None:
        for _ in range(20):
            self.bench.machine.open_door(self.bench.now_ns)
            self.bench.machine.close_door(self.bench.now_ns)

    @invariant()
    def every_piece_is_somewhere(self) -> None:
        everything = sorted(piece.number for piece in self.bench.machine.places.everything())
        assert everything == self.loaded

    @invariant()
    def the_store_holds(self) -> None:
        memory = self.bench.outside.memory
        assert memory.next_seq - memory.first_kept <= STORE_DEPTH_MAX

    @invariant()
    def reports_are_true(self) -> None:
        events, self.read = self.bench.outside.events[self.read :], len(self.bench.outside.events)
        for event in events:
            if isinstance(event, m.PacketDispensed | m.RemainderEjected):
                assert event.faces is not None
                assert event.count == (len(event.faces) if self.bench.settings.counts else None)
        self._check_last(events)

    def _check_last(self, events: list[m.WireEvent]) -> None:
        """The packet that was reported last is the one that lies in the tray, but for dust on the lens."""
        if events and isinstance(events[-1], m.PacketDispensed):
            tray = [piece.face for piece in self.bench.machine.places.tray]
            read = events[-1].faces or ()
            wrong = [face for face, seen in zip(tray, read, strict=True) if face is not seen]
            assert len(wrong) <= 1
            assert sum(face is Misread.UNREADABLE for face in read) == len(wrong)


TestRandomLife = RandomLife.TestCase
TestRandomLife.settings = settings(max_examples=100, stateful_step_count=60, deadline=None)


def decks_dealt(settings: ShufflerSettings, faults: tuple[FaultName, ...], decks: int) -> list[list[int]]:
    """The slots of each deck, as they were ready to deal."""
    bench = Bench(settings)
    bench.machine.power_on(0)
    ready = []
    for number in range(decks):
        for name in faults:
            bench.faults.arm(name, OnPacket(number + 1))
        assert bench.machine.load(standard_deck(), bench.now_ns) is None
        bench.wait()
        ready.append([piece.slot for piece in bench.machine.places.rack])
        for _ in range(number):
            bench.order(m.Dispense(bench.machine.packets_given + 1))
            bench.wait()
            bench.machine.clear_jam(bench.now_ns)
            bench.machine.take_packet(bench.now_ns)
        bench.order(m.EjectRemainder())
        bench.wait()
        bench.machine.take_packet(bench.now_ns)
    return ready


def test_the_same_seed_deals_the_same_decks_whatever_happened_between() -> None:
    sound = decks_dealt(ShufflerSettings(seed=3), (), 6)
    assert len({tuple(deck) for deck in sound}) == 6
    faults = (FaultName.SHORT_HAND, FaultName.JAM, FaultName.DUPLICATE_CARD, FaultName.SLOW, FaultName.BOXED_CARD)
    assert decks_dealt(ShufflerSettings(seed=3), faults, 6) == sound
    assert decks_dealt(ShufflerSettings(seed=4), (), 6) != sound


def test_a_reboot_does_not_begin_the_seed_again() -> None:
    bench = Bench(ShufflerSettings(seed=3))
    bench.machine.power_on(0)
    bench.machine.load(standard_deck(), 0)
    bench.wait()
    first = list(bench.machine.places.rack)
    bench.machine.reboot(bench.now_ns)
    bench.wait()
    bench.order(m.EjectRemainder())
    bench.wait()
    bench.machine.load(standard_deck(), bench.now_ns)
    bench.wait()
    assert list(bench.machine.places.rack) != first


def test_a_stacked_deck_lies_as_written_once_and_is_shuffled_by_the_seed_after() -> None:
    stacked = Deck(standard_deck().pieces, stacked=True)
    bench = Bench(ShufflerSettings(seed=3))
    bench.machine.power_on(0)
    bench.machine.load(stacked, 0)
    bench.wait()
    assert tuple(bench.machine.places.rack) == stacked.pieces
    assert bench.order(m.Reshuffle()) is None
    bench.wait()
    assert [piece.slot for piece in bench.machine.places.rack] == decks_dealt(ShufflerSettings(seed=3), (), 2)[1]
