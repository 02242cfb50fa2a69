"""What holds for a felt-link device over every way there is: memory in virtual time, a real tty, real TCP, USB."""

from __future__ import annotations

import asyncio

import pytest

from drivers.commands import (
    CommandDue,
    DeviceCommand,
    Dispense,
    EjectRemainder,
    Lock,
    Reshuffle,
    SetLamp,
    SetMode,
    Unlock,
)
from drivers.device import LinkState
from drivers.events import (
    Anomaly,
    Button,
    ButtonPressed,
    CommandAnswered,
    CommandId,
    DeckLoaded,
    EventsLost,
    Identity,
    KeyPressed,
    LinkLost,
    LinkUp,
    PacketDispensed,
    Receipt,
    Restarted,
    SetupFailed,
)
from drivers.profile import Firmware
from drivers.profiles import PROFILES
from drivers.tap import Direction
from protocols.cards import parse_cards
from protocols.felt_link import messages as m
from protocols.felt_link.events import Unlinked
from tests.drivers.far_end import GREEN, IDENTITY
from tests.drivers.usb_way import UsbWay
from tests.drivers.ways import FACES, NAME, Bench, MemoryWay, PtyWay, TcpWay, Way, over_every_way, renamed

OURS = Identity("FS-1", "10042", "1.4.2", IDENTITY.capabilities)


@pytest.fixture(params=[MemoryWay, PtyWay, TcpWay, UsbWay], ids=["memory", "pty", "tcp", "usb"])
def way(request: pytest.FixtureRequest) -> Way:
    made: Way = request.param()
    return made


def due(command_id: str, command: DeviceCommand) -> CommandDue:
    return CommandDue(CommandId(command_id), NAME, command)


@over_every_way
async def test_it_is_identified_and_then_reports_each_event_once_with_its_receipt(way: Way, bench: Bench) -> None:
    hand = parse_cards("Ah Td 2c Ks 9d")
    device = await bench.link()
    for event in (GREEN, m.WireButtonPressed("cough"), m.PacketDispensed(1, 5, hand)):
        bench.far.happen(event)
    await bench.heard(PacketDispensed)
    assert bench.events == [
        LinkUp(OURS, "B1", resumed=False),
        ButtonPressed(Button.GREEN),
        KeyPressed("cough"),
        PacketDispensed(1, 5, hand),
    ]
    assert [report.receipt for report in bench.reports] == [None, *(Receipt("B1", seq) for seq in (1, 2, 3))]
    assert (device.state, device.identity) == (LinkState.RUNNING, OURS)
    stamps = [report.at.mono_ns for report in bench.reports]
    assert stamps == sorted(stamps)


@over_every_way
async def test_the_device_forgets_what_the_journal_has_and_not_before(way: Way, bench: Bench) -> None:
    device = await bench.link()
    for _ in range(3):
        bench.far.happen()
    await bench.heard(ButtonPressed, times=3)
    assert bench.far.memory.first_kept == 1
    device.acknowledge(Receipt("B1", 2))
    await bench.until(lambda: bench.far.memory.first_kept == 3)


@over_every_way
async def test_a_command_is_done_once_and_answered(way: Way, bench: Bench) -> None:
    await way.plug()
    device = bench.start()
    device.send(due("t1", SetMode(5)))
    await bench.heard(CommandAnswered)
    device.send(due("t2", Dispense(1)))
    device.send(due("t2", Dispense(1)))
    await bench.heard(CommandAnswered, times=2)
    device.send(due("t2", Dispense(1)))
    await bench.heard(CommandAnswered, times=3)
    answers = [CommandAnswered(CommandId(command_id), None) for command_id in ("t1", "t2", "t2")]
    assert bench.of(CommandAnswered) == answers
    assert bench.far.done == [m.SetMode(5), m.Dispense(1)]


@over_every_way
async def test_every_command_of_the_table_reaches_the_device(way: Way, bench: Bench) -> None:
    await way.plug()
    device = bench.start()
    commands: list[DeviceCommand] = [SetMode(5), Dispense(2), EjectRemainder(), Reshuffle()]
    commands += [Lock(), Unlock(), SetLamp(True)]
    for number, command in enumerate(commands):
        device.send(due(str(number), command))
    await bench.heard(CommandAnswered, times=len(commands))
    said = [m.SetMode(5), m.Dispense(2), m.EjectRemainder(), m.Reshuffle(), m.Lock(), m.Unlock(), m.SetLamp(True)]
    assert bench.far.done == said


@over_every_way
async def test_unplugged_and_plugged_in_again_it_goes_on_where_it_was(way: Way, bench: Bench) -> None:
    device = await bench.link()
    bench.far.happen()
    bench.far.happen()
    await bench.heard(ButtonPressed, times=2)
    device.acknowledge(Receipt("B1", 1))
    await bench.until(lambda: bench.far.memory.first_kept == 2)
    await way.unplug()
    await bench.heard(LinkLost)
    bench.far.happen(m.DeckLoaded())
    device.acknowledge(Receipt("B1", 2))
    device.send(due("t1", Dispense(1)))
    await way.plug()
    await bench.heard(DeckLoaded)
    await bench.heard(CommandAnswered)
    assert bench.of(LinkUp)[1:] == [LinkUp(OURS, "B1", resumed=True)]
    assert len(bench.of(ButtonPressed)) == 2
    assert bench.far.memory.first_kept == 3
    assert bench.log.lines == ["device-up", "device-down", "device-up"]


@over_every_way
async def test_a_restarted_device_says_so_and_does_nothing_that_was_ordered_before(way: Way, bench: Bench) -> None:
    device = await bench.link()
    bench.far.answers = False
    device.send(due("t1", Dispense(1)))
    await bench.until(lambda: b"dispense" in bench.far.heard)
    bench.far.answers = True
    bench.far.restart("B2")
    await bench.heard(CommandAnswered)
    assert bench.events[1:] == [
        Restarted("B2"),
        LinkUp(OURS, "B2", resumed=False),
        CommandAnswered(CommandId("t1"), "device-restarted"),
    ]
    assert bench.far.done == []


@over_every_way
async def test_after_a_restart_of_the_daemon_it_goes_on_after_the_last_receipt(way: Way, bench: Bench) -> None:
    await bench.link()
    bench.far.happen()
    bench.far.happen(m.DeckLoaded())
    await bench.heard(DeckLoaded)
    await bench.stop()
    await way.unplug()
    bench.reports.clear()
    await way.plug()
    bench.start(resume_from=Receipt("B1", 1))
    await bench.heard(DeckLoaded)
    assert bench.events == [LinkUp(OURS, "B1", resumed=True), DeckLoaded()]
    assert bench.reports[-1].receipt == Receipt("B1", 2)


@over_every_way
async def test_after_a_restart_of_the_daemon_a_restarted_device_says_so_first(way: Way, bench: Bench) -> None:
    await way.plug()
    bench.start(resume_from=Receipt("B0", 7))
    await bench.heard(LinkUp)
    assert bench.events == [Restarted("B1"), LinkUp(OURS, "B1", resumed=False)]


@over_every_way
async def test_events_that_only_another_host_had_are_known_to_be_lost(way: Way, bench: Bench) -> None:
    for _ in range(5):
        bench.far.memory.record(GREEN)
    bench.far.memory.sent_seq = 5
    bench.far.memory.acknowledge(4)
    await way.plug()
    bench.start(resume_from=Receipt("B1", 1))
    await bench.heard(ButtonPressed)
    assert bench.of(LinkUp, EventsLost) == [
        LinkUp(OURS, "B1", resumed=False),
        EventsLost(3, "the device no longer keeps them"),
    ]
    assert bench.reports[-1].receipt == Receipt("B1", 5)


@over_every_way
async def test_damage_on_the_line_is_told_and_costs_no_event(way: Way, bench: Bench) -> None:
    await bench.link()
    bench.far.say(b"\x02BUTTON|1||gr\x1been\x030000noise")
    bench.far.happen()
    await bench.heard(ButtonPressed)
    assert "line-damage" in [event.code for event in bench.of(Anomaly) if isinstance(event, Anomaly)]


@over_every_way
async def test_the_tap_has_what_both_said(way: Way, bench: Bench) -> None:
    device = await bench.link()
    said = {d: b"".join(one.data for one in device.tap.kept() if one.direction is d) for d in Direction}
    assert b"HELLO" in said[Direction.FROM_DEVICE]
    assert b"WELCOME" in said[Direction.TO_DEVICE]


# A device that is not the configured one


@pytest.mark.parametrize(
    ("serial", "models", "code"), [("10043", (), "wrong-serial"), (None, ("FS-2",), "wrong-device")]
)
def test_to_a_stranger_nothing_is_ever_written(
    way: Way, serial: str | None, models: tuple[str, ...], code: str
) -> None:
    async def main(bench: Bench) -> None:
        await way.plug()
        device = bench.start(bench.settings(renamed(FACES, models=frozenset(models)), serial))
        device.send(due("t1", Lock()))
        await bench.heard(SetupFailed)
        await bench.stop()
        [failed] = bench.events
        assert isinstance(failed, SetupFailed)
        assert failed.code == code
        assert failed.remedy
        assert bench.far.heard == b""
        assert device.state is LinkState.BLOCKED

    way.run(main)


@over_every_way
async def test_an_unfit_device_is_refused_and_hears_why(way: Way, bench: Bench) -> None:
    await way.plug()
    bench.start(bench.settings(renamed(FACES, firmware=Firmware(least="1.5"))))
    await bench.heard(SetupFailed)
    await bench.until(lambda: bench.far.told)
    assert [event.code for event in bench.events if isinstance(event, SetupFailed)] == ["wrong-firmware"]
    assert bench.far.told == [Unlinked("refused by the host: firmware")]


@over_every_way
async def test_a_device_that_lacks_what_its_profile_promises_is_refused(way: Way, bench: Bench) -> None:
    bench.far.identity = m.Identity("FS-1", "10042", "1.4.2", ("shuffler", "counts", "commands", "buttons"))
    await way.plug()
    bench.start()
    await bench.heard(SetupFailed)
    [failed] = bench.events
    assert isinstance(failed, SetupFailed)
    assert failed.code == "missing-capability"
    assert "faces" in failed.problem


@over_every_way
async def test_a_device_that_counts_anew_under_its_boot_is_refused_and_nothing_of_it_acknowledged(
    way: Way, bench: Bench
) -> None:
    device = await bench.link()
    for _ in range(3):
        bench.far.happen()
    await bench.heard(ButtonPressed, times=3)
    device.acknowledge(Receipt("B1", 3))
    bench.far.restart("B1")
    bench.far.happen(m.DeckLoaded())
    await bench.heard(SetupFailed)
    await bench.until(lambda: Unlinked("refused by the host: device") in bench.far.told)
    assert bench.far.memory.first_kept == 1
    assert [event.code for event in bench.of(SetupFailed) if isinstance(event, SetupFailed)] == ["boot-reused"]
    assert bench.of(DeckLoaded, Restarted) == []
    assert device.state is LinkState.BLOCKED


@over_every_way
async def test_an_observed_device_is_told_nothing_but_that_we_listen(way: Way, bench: Bench) -> None:
    await way.plug()
    device = bench.start(bench.settings(PROFILES["felt-link-shuffler-observed"]))
    await bench.heard(LinkUp)
    device.send(due("t1", Dispense(1)))
    assert bench.events[-1] == CommandAnswered(CommandId("t1"), "not-capable")
    await bench.until(lambda: bench.far.told)
    assert bench.far.done == []
    assert b"DO" not in bench.far.heard


@over_every_way
async def test_whatever_is_open_is_closed_when_it_ends_in_any_state(way: Way, bench: Bench) -> None:
    bench.start()
    await asyncio.sleep(0)
    await bench.stop()
    await way.plug()
    bench.start()
    await asyncio.sleep(0)
    await bench.stop()
    bench.start()
    await bench.heard(LinkUp)


@over_every_way
async def test_a_far_end_that_was_replaced_is_another_device(way: Way, bench: Bench) -> None:
    await way.plug()
    bench.start(bench.settings(serial="10042"))
    await bench.heard(LinkUp)
    await way.unplug()
    await bench.heard(LinkLost)
    bench.far.identity = m.Identity("FS-1", "77", "1.4.2", IDENTITY.capabilities)
    bench.far.heard.clear()
    await way.plug()
    await bench.heard(SetupFailed)
    assert bench.far.heard == b""
