"""Makes the recordings of this folder: emulated devices, recorded by the code behind `feltd capture`.

`python -m tests.captures.record` writes them again, with what each decodes to and what its driver tells the table of
it; with recordings of real devices as arguments it writes the last two for those. They are frozen: a difference that
shows then is a change of what devices say or of how it is understood, and has to be meant.

A recording whose note `kind` says `published` holds byte strings that public accounts of a link print, as facts, with
where they are from in its note `source`. It is written by hand, and `freeze` writes what it means.

Shufflers are recorded in virtual time over memory, so that every byte comes at its time again; shoes over a real tty,
whose times are those of the day, so that only their bytes do.
"""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Generic, TypeVar

from daemon.tools.capture.recorder import Recording, begin
from daemon.tools.decode.rendering import as_text, row
from drivers.addresses import SerialAddress
from drivers.commands import CommandDue, Dispense, EjectRemainder
from drivers.device import Device, OpenTransport
from drivers.driver import Understood
from drivers.errors import LinkError
from drivers.events import (
    CardDrawn,
    CommandId,
    CutCardDrawn,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    LinkLost,
    LinkUp,
    PacketDispensed,
    PacketRemoved,
    ReadFailed,
    RemainderEjected,
    ShoeLockChanged,
    ShuffleFinished,
    Stamp,
)
from drivers.profile import DeviceSettings
from drivers.profiles import DRIVERS, PROFILES
from drivers.transports import open_transport
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from protocols.capture import Capture, Side, read_capture
from protocols.cards import Card, Misread
from protocols.registry import PROTOCOLS
from sim_hardware.deck import parse_script
from sim_hardware.faults import Always, FaultName, NextTime
from sim_hardware.loop import VirtualLoop, loop_ns
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort, PtyPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings

RigT = TypeVar("RigT", bound=ShufflerRig | ShoeRig)
HERE: Final = Path(__file__).parent
_EPOCH_NS: Final = 1_795_000_000_000_000_000


class Watch:
    """Stamps that begin at the same moment in every recording."""

    def __init__(self) -> None:
        self._begun_ns: Final = loop_ns()

    def __call__(self) -> Stamp:
        since_ns = loop_ns() - self._begun_ns
        return Stamp(_EPOCH_NS + since_ns, since_ns)


def opener(port: MemoryPort) -> Callable[[DeviceSettings, Clock], Awaitable[Transport]]:
    """The way to a device on a memory port."""

    async def opened(_: DeviceSettings, clock: Clock) -> Transport:
        far = port.far
        if not far.is_plugged:
            raise LinkError("no cable")
        transport = MemoryTransport(clock, on_write=far.write)
        far.on_data = transport.deliver
        far.on_unplugged = lambda: transport.cut("the cable was pulled")
        return transport

    return opened


class Scene(Generic[RigT]):
    """A rig, a host that acknowledges, and the recording between them."""

    def __init__(self, rig: RigT, settings: DeviceSettings, opening: OpenTransport) -> None:
        self.rig: Final = rig
        self.written: Final = io.StringIO()
        self.events: Final[list[DeviceEvent]] = []
        self._news: Final = asyncio.Event()
        watch = Watch()
        self.recording: Final[Recording] = begin(self.written, settings, "a test", watch)
        self.device: Final = Device(settings, emit=self._heard, stamp=watch, open_transport=opening)
        self.device.tap.listen(self.recording.record_bytes)

    async def after(self, hand: Callable[[], object], *kinds: type[DeviceEvent]) -> None:
        """Do something at the device, and wait until the driver tells one more of these."""
        before = sum(isinstance(event, kinds) for event in self.events)
        hand()
        await self.until(*kinds, times=before + 1)

    async def until(self, *kinds: type[DeviceEvent], times: int = 1) -> None:
        while sum(isinstance(event, kinds) for event in self.events) < times:
            self._news.clear()
            await self._news.wait()

    def order(self, number: int, command: Dispense | EjectRemainder) -> None:
        self.device.send(CommandDue(CommandId(f"c{number}"), SHUFFLER.name, command))

    def _heard(self, report: DeviceReport) -> None:
        if isinstance(report.event, LinkUp):
            for key in ("model", "serial", "firmware"):
                self.recording.note(key, getattr(report.event.identity, key))
        if report.receipt is not None:
            self.device.acknowledge(report.receipt)
        self.events.append(report.event)
        self._news.set()


async def clean_round(scene: Scene[ShufflerRig]) -> None:
    """Two packets are dealt and taken, and the rest comes out."""
    await scene.until(ShuffleFinished)
    for position in (1, 2):
        scene.order(position, Dispense(position))
        await scene.until(PacketDispensed, times=position)
        scene.rig.take_packet()
        await scene.until(PacketRemoved, times=position)
    scene.order(3, EjectRemainder())
    await scene.until(RemainderEjected)


async def corrupted_frames(scene: Scene[ShufflerRig]) -> None:
    """A third of all frames arrives with one byte changed, in both directions, and the round is dealt all the same."""
    await scene.until(LinkUp)
    scene.rig.arm(FaultName.CORRUPTED_FRAMES, Always(33))
    await clean_round(scene)


async def reboot(scene: Scene[ShufflerRig]) -> None:
    """The power fails with a packet in the tray: another store, and the cards inside have to come out."""
    await scene.until(ShuffleFinished)
    scene.order(1, Dispense(1))
    await scene.until(PacketDispensed)
    scene.rig.reboot()
    await scene.until(LinkUp, times=2)
    scene.rig.take_packet()
    scene.order(2, EjectRemainder())
    await scene.until(RemainderEjected)


async def a_shoe_through_its_troubles(scene: Scene[ShoeRig]) -> None:
    """Cards, one that is not read, one put back, the cut card, and a cable that is pulled while a card is drawn."""
    await scene.until(LinkUp)
    rig, is_angel_eye = scene.rig, scene.rig.kind is SHOE_KINDS["angel-eye-iiex"]
    await scene.after(rig.draw, CardDrawn)
    rig.arm(FaultName.READ_ERROR, NextTime())
    await scene.after(rig.draw, ReadFailed)
    rig.cancel_error()
    await scene.after(rig.draw, CardDrawn)
    rig.put_back()
    rig.cancel_error()
    await scene.after(rig.draw, CardDrawn)
    await scene.after(rig.draw, CardDrawn)
    assert rig.shoe.is_cut_card_next
    rig.draw()
    if is_angel_eye:
        await scene.until(CutCardDrawn)
        await scene.after(lambda: rig.turn_lock(True), ShoeLockChanged)
        await scene.after(rig.draw, CardDrawn)
        await scene.after(lambda: rig.turn_lock(False), ShoeLockChanged)
    await scene.after(rig.unplug, LinkLost)
    rig.draw()
    await scene.after(rig.replug, LinkUp)
    await scene.after(rig.draw, CardDrawn)


SHUFFLER: Final = DeviceSettings(
    DeviceName("shuffler"), SerialAddress("/dev/memory"), PROFILES["felt-link-shuffler-faces"]
)
SCENES: Final[Mapping[str, Callable[[Scene[ShufflerRig]], Awaitable[None]]]] = {
    "clean-round": clean_round,
    "corrupted-frames": corrupted_frames,
    "reboot": reboot,
}
SHOES: Final[Mapping[str, ShoeKind]] = {
    "angel-eye-shoe": SHOE_KINDS["angel-eye-iiex"],
    "bee-tek-shoe": SHOE_KINDS["bee-tek"],
}
_STACKED: Final = parse_script("8s Ah Kd 2c 3h Td Jc Qs")
_BEHIND_CUT: Final = 4


async def _played(scene: Scene[RigT], play: Callable[[Scene[RigT]], Awaitable[None]]) -> str:
    await scene.rig.start()
    running = asyncio.create_task(scene.device.run())
    async with asyncio.timeout(600):
        await play(scene)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await scene.rig.stop()
    return scene.written.getvalue()


async def _shuffler(play: Callable[[Scene[ShufflerRig]], Awaitable[None]]) -> str:
    port = MemoryPort()
    rig = ShufflerRig(ShufflerSettings(seed=7, pace=Pace(5.0)), port, boots=numbered_boots("boot"))
    return await _played(Scene(rig, SHUFFLER, opener(port)), play)


async def _shoe(kind: ShoeKind, folder: Path) -> str:
    tty = folder / "tty"
    rig = ShoeRig(ShoeSettings(seed=7, behind_cut=_BEHIND_CUT), PtyPort(tty), kind, scripts=_STACKED)
    settings = DeviceSettings(DeviceName("shoe"), SerialAddress(str(tty)), PROFILES[kind.profile])
    return await _played(Scene(rig, settings, open_transport), a_shoe_through_its_troubles)


def recorded(name: str) -> str:
    """One scene's recording."""
    if name in SHOES:
        with TemporaryDirectory() as folder:
            return asyncio.run(_shoe(SHOES[name], Path(folder)))
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_shuffler(SCENES[name]))


def decoded(capture: Capture) -> str:
    """What both directions say, each as `feltd decode` shows it."""
    lines = []
    for side in Side:
        listener = PROTOCOLS[capture.notes["protocol"]].listener()
        lines.append(f"# from the {side.name.lower()}")
        for chunk in capture.said_by(side):
            listener.feed(chunk.data)
            lines += [as_text(row(heard)) for heard in iter(listener.next, None)]
        assert listener.end() is None
    return "\n".join(lines) + "\n"


def told(capture: Capture) -> str:
    """What the driver tells of it, an event a line with its cards in clear; as if the line had never been away.

    This driver gave none of the recorded orders, and says so of each answer.
    """
    settings = DeviceSettings(
        DeviceName(capture.notes["device"]), SerialAddress("/dev/tty"), PROFILES[capture.notes["profile"]]
    )
    driver = DRIVERS[capture.notes["protocol"]](settings, None)
    driver.connected(0)
    lines: list[str] = []
    for chunk in capture.said_by(Side.DEVICE):
        driver.receive(chunk.data, chunk.offset_ns)
        outcomes = iter(driver.next_outcome, None)
        lines += [_spelled(each.event if isinstance(each, Understood) else each) for each in outcomes]
    return "\n".join(lines) + "\n"


def _spelled(value: object) -> str:
    """A repr that names cards, which theirs does not."""
    match value:
        case Card() | Misread():
            return str(value)
        case tuple():
            return f"({', '.join(map(_spelled, value))})"
        case _ if is_dataclass(value):
            parts = (f"{field.name}={_spelled(getattr(value, field.name))}" for field in fields(value))
            return f"{type(value).__name__}({', '.join(parts)})"
        case _:
            return repr(value)


def freeze(file: Path) -> None:
    """Write what a recording means now beside it."""
    capture = read_capture(file.read_text(encoding="utf-8"))
    file.with_suffix(".events").write_text(decoded(capture), encoding="utf-8")
    file.with_suffix(".told").write_text(told(capture), encoding="utf-8")


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    for scene_name in () if given else (*SCENES, *SHOES):
        (HERE / f"{scene_name}.capture").write_text(recorded(scene_name), encoding="utf-8")
    for recording in given or sorted(HERE.glob("*.capture")):
        freeze(recording)
