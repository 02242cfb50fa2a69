"""Machines that are heard by their lights: what contacts become, and an emulated box on a real socket."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterable

import pytest

from drivers import events as e
from drivers.addresses import Address, SerialAddress, TcpAddress
from drivers.contacts import DARK_NS, FOOT, GREEN, INPUTS, RED, TRAY, ContactsDriver
from drivers.driver import Rejected, Understood
from drivers.errors import SetupCode
from drivers.profile import DeviceSettings
from drivers.profiles import PROFILES
from protocols.felt_link import messages as m
from protocols.modbus_tcp.connection import POLL_NS, DeviceConnection
from sim_hardware.contacts_end import ContactsEnd
from sim_hardware.pace import Pace
from sim_hardware.ports import TcpPort
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.drivers.emulated import driven, nothing_left, settings_for, started
from tests.sim_hardware.free_port import free_port

PACKETS, DECKS = "contacts-packets", "contacts-batch"
SHUFFLED = [e.ShuffleStarted(), e.ShuffleFinished(None)]
RED_LIT = e.FaultRaised(e.FaultKind.OTHER, "its red light is lit")

STALL_NS_MAX = 900_000_000
"""For how long a busy machine leaves a process alone: less than the time after which an answer is asked for again."""
HOUR_NS = 3_600_000_000_000


class Box:
    """A driver and a box in no time: contacts are set, and read as often as is asked."""

    def __init__(self, profile: str = PACKETS, address: Address = TcpAddress("box", 502), inputs: int = 8) -> None:  # noqa: B008
        self.driver = ContactsDriver(DeviceSettings(e.DeviceName("machine"), address, PROFILES[profile]), None)
        self.now_ns = 0
        self.closed = [False] * inputs
        self.connect()

    def connect(self) -> None:
        self.box = DeviceConnection(self.now_ns)
        self.driver.connected(self.now_ns)

    def read(self, times: int = 3) -> list[object]:
        """What comes of so many readings."""
        found: list[object] = []
        for _ in range(times):
            self.box.closed = tuple(self.closed)
            self.box.receive(self.driver.data_to_send(), self.now_ns)
            while self.box.next_event() is not None:
                pass
            self.driver.receive(self.box.data_to_send(), self.now_ns)
            outcomes = iter(self.driver.next_outcome, None)
            found += [outcome.event if isinstance(outcome, Understood) else outcome for outcome in outcomes]
            self.now_ns += POLL_NS
            self.driver.handle_timeout(self.now_ns)
        return found

    def set(self, closed: Iterable[int] = (), opened: Iterable[int] = (), times: int = 3) -> list[object]:
        for place in closed:
            self.closed[place] = True
        for place in opened:
            self.closed[place] = False
        return self.read(times)


DARK = DARK_NS // POLL_NS + 3


def up(box: Box) -> Box:
    (link,) = box.read()
    assert isinstance(link, e.LinkUp)
    assert not link.resumed
    return box


def test_a_deal_is_heard_by_lights_tray_and_foot() -> None:
    box = up(Box())
    assert box.set(closed=[GREEN]) == SHUFFLED
    assert box.set(closed=[FOOT]) == [e.ButtonPressed(e.Button.GREEN)]
    assert box.set(opened=[FOOT]) == []
    for position in (1, 2):
        assert box.set(closed=[TRAY]) == [e.PacketDispensed(position, None, None)]
        assert box.set(opened=[TRAY]) == [e.PacketRemoved(position)]
    assert box.set(opened=[GREEN]) == []  # it may only blink
    assert box.read(DARK) == [e.RemainderEjected(None, None)]
    assert box.set(closed=[GREEN]) == SHUFFLED
    assert box.set(closed=[TRAY]) == [e.PacketDispensed(1, None, None)]  # counted from the shuffle


def test_a_deck_that_is_shuffled_again_before_it_was_dealt_is_no_rest() -> None:
    box = up(Box())
    box.set(closed=[GREEN])
    assert box.set(opened=[GREEN], times=DARK) == [e.ShuffleStarted()]


def test_a_machine_of_whole_decks_gives_its_deck_when_its_light_goes_dark() -> None:
    box = up(Box(DECKS))
    assert box.set(closed=[GREEN]) == SHUFFLED
    assert box.set(closed=[TRAY]) == []
    assert box.set(opened=[GREEN], times=DARK) == [e.RemainderEjected(None, None)]


def test_a_blinking_red_light_is_one_fault() -> None:
    box = up(Box())
    assert box.set(closed=[RED]) == [RED_LIT]
    for _ in range(3):
        assert box.set(opened=[RED], times=DARK_NS // POLL_NS // 2) == []
        assert box.set(closed=[RED], times=DARK_NS // POLL_NS // 2) == []
    assert box.set(opened=[RED], times=DARK) == [e.FaultCleared(e.FaultKind.OTHER)]


@pytest.mark.parametrize("place", range(INPUTS))
def test_one_reading_alone_is_no_contact(place: int) -> None:
    box = up(Box())
    assert box.set(closed=[place], times=1) == []
    assert box.set(opened=[place], times=DARK) == []


def test_what_stood_when_the_connection_began_is_no_event_but_a_red_light_is() -> None:
    box = Box()
    box.closed[:INPUTS] = [True] * INPUTS
    link, *rest = box.read()
    assert isinstance(link, e.LinkUp)
    assert rest == [RED_LIT]
    assert box.set(opened=[TRAY, FOOT]) == []  # whose packet it was is not known


def test_after_another_connection_nothing_is_taken_for_known() -> None:
    box = up(Box())
    box.set(closed=[GREEN])
    box.connect()
    assert [type(event) for event in box.read()] == [e.LinkUp]
    assert box.set(opened=[GREEN], times=DARK) == [e.ShuffleStarted()]


def test_a_box_without_such_inputs_and_a_port_that_is_no_network_are_named() -> None:
    refused = Box(inputs=2).read(1)
    assert [one.problem.code for one in refused if isinstance(one, Rejected)] == [SetupCode.WRONG_DEVICE]
    wrong = Box(address=SerialAddress("/dev/ttyUSB0"))
    assert wrong.driver.data_to_send() == b""
    rejected = wrong.driver.next_outcome()
    assert isinstance(rejected, Rejected)
    assert rejected.problem.code is SetupCode.LINE_SETTINGS


def test_it_orders_nothing() -> None:
    assert "commands" not in {can.value for can in PROFILES[PACKETS].capabilities}


@pytest.mark.parametrize("seed", range(10))
def test_an_emulated_machine_shows_every_light_until_a_host_that_is_busy_has_seen_it(seed: int) -> None:
    """A host that stood still for half a second once took a light that was out for one that blinked."""
    late, told, now_ns = random.Random(seed), [*SHUFFLED, e.RemainderEjected(None, None)] * 3, 0
    driver, box = up(Box(DECKS)).driver, ContactsEnd()
    heard: list[object] = []
    box.plugged(now_ns)
    driver.connected(now_ns)
    for _ in range(3):
        box.report_event(m.ShuffleFinished(None), now_ns)
        box.report_event(m.RemainderEjected(None, None), now_ns)
    while len(heard) < len(told) + 1 and now_ns < HOUR_NS:
        box.serve(driver.data_to_send(), now_ns, lambda _: None)
        now_ns += late.choice((0, 0, 0, STALL_NS_MAX, late.randrange(STALL_NS_MAX)))
        driver.receive(box.data_to_send(), now_ns)
        heard += [outcome.event for outcome in iter(driver.next_outcome, None) if isinstance(outcome, Understood)]
        now_ns += POLL_NS + late.choice((0, 0, 0, late.randrange(STALL_NS_MAX)))
        driver.handle_timeout(now_ns)
    assert heard[1:] == told, f"seed {seed}"


def test_an_emulated_machine_is_heard_over_a_socket_and_after_its_power_failed() -> None:
    async def story() -> None:
        settings = ShufflerSettings(counts=False, reads_faces=False, observed=True, pace=Pace(0))
        rig = ShufflerRig(settings, TcpPort(free_port(), clients_max=1), wired=ContactsEnd())
        async with started(rig), driven(settings_for(rig, PROFILES[PACKETS])) as heard:
            await heard.until(lambda: heard.count(e.ShuffleFinished) == 1)
            rig.press("green")
            await heard.until(lambda: heard.count(e.PacketDispensed) == 1)
            assert rig.take_packet() is None
            await heard.until(lambda: heard.count(e.PacketDispensed) == 2)
            told = [event for event in heard.events if not isinstance(event, e.LinkUp)]
            assert told == [
                *SHUFFLED,
                e.ButtonPressed(e.Button.GREEN),
                e.PacketDispensed(1, None, None),
                e.PacketRemoved(1),
                e.PacketDispensed(2, None, None),
            ]
            rig.unplug()
            await heard.until(lambda: heard.count(e.LinkLost) == 1)
            rig.replug()
            await heard.until(lambda: heard.count(e.LinkUp) == 2)

    with nothing_left():
        asyncio.run(story())
