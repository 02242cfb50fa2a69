"""Makes the recordings of this folder: emulated devices in virtual time, recorded by the code behind `feltd capture`.

`python -m tests.captures.record` writes them again, with what each decodes to. They are frozen: a difference that
shows then is a change of what devices say or of how it is understood, and has to be meant.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Final

from daemon.capture.recorder import Recording, begin
from daemon.decode.rendering import as_text, row
from drivers.addresses import SerialAddress
from drivers.commands import CommandDue, Dispense, EjectRemainder
from drivers.device import Device
from drivers.errors import LinkError
from drivers.events import (
    CommandId,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    LinkUp,
    PacketDispensed,
    PacketRemoved,
    RemainderEjected,
    ShuffleFinished,
    Stamp,
)
from drivers.profile import DeviceSettings
from drivers.profiles import PROFILES
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from protocols.capture import Capture, Side
from protocols.registry import LISTENERS
from sim_hardware.faults import Always, FaultName
from sim_hardware.loop import VirtualLoop
from sim_hardware.loop_time import loop_ns
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort
from sim_hardware.rig import numbered_boots
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings

HERE: Final = Path(__file__).parent
SETTINGS: Final = DeviceSettings(
    DeviceName("shuffler"), SerialAddress("/dev/memory"), PROFILES["felt-link-shuffler-faces"]
)
_EPOCH_NS: Final = 1_795_000_000_000_000_000


def stamp() -> Stamp:
    return Stamp(_EPOCH_NS + loop_ns(), loop_ns())


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


class Scene:
    """A rig, a host that acknowledges, and the recording between them."""

    def __init__(self, seed: int) -> None:
        self.port = MemoryPort()
        self.rig = ShufflerRig(ShufflerSettings(seed=seed, pace=Pace(5.0)), self.port, boots=numbered_boots("boot"))
        self.written = io.StringIO()
        self.recording: Recording = begin(self.written, SETTINGS, "a test", stamp)
        self.events: list[DeviceEvent] = []
        self._news = asyncio.Event()
        self.device = Device(SETTINGS, emit=self._heard, stamp=stamp, open_transport=opener(self.port))
        self.device.tap.listen(self.recording.hear)

    async def until(self, *kinds: type[DeviceEvent], times: int = 1) -> None:
        while sum(isinstance(event, kinds) for event in self.events) < times:
            self._news.clear()
            await self._news.wait()

    def order(self, number: int, command: Dispense | EjectRemainder) -> None:
        self.device.send(CommandDue(CommandId(f"c{number}"), SETTINGS.name, command))

    def _heard(self, report: DeviceReport) -> None:
        if isinstance(report.event, LinkUp):
            for key in ("model", "serial", "firmware"):
                self.recording.note(key, getattr(report.event.identity, key))
        if report.receipt is not None:
            self.device.acknowledge(report.receipt)
        self.events.append(report.event)
        self._news.set()


async def clean_round(scene: Scene) -> None:
    """Two packets are dealt and taken, and the rest comes out."""
    await scene.until(ShuffleFinished)
    for position in (1, 2):
        scene.order(position, Dispense(position))
        await scene.until(PacketDispensed, times=position)
        scene.rig.take()
        await scene.until(PacketRemoved, times=position)
    scene.order(3, EjectRemainder())
    await scene.until(RemainderEjected)


async def corrupted_frames(scene: Scene) -> None:
    """A third of all frames arrives with one byte changed, in both directions, and the round is dealt all the same."""
    await scene.until(LinkUp)
    scene.rig.arm(FaultName.CORRUPTED_FRAMES, Always(33))
    await clean_round(scene)


async def reboot(scene: Scene) -> None:
    """The power fails with a packet in the tray: another store, and the cards inside have to come out."""
    await scene.until(ShuffleFinished)
    scene.order(1, Dispense(1))
    await scene.until(PacketDispensed)
    scene.rig.reboot()
    await scene.until(LinkUp, times=2)
    scene.rig.take()
    scene.order(2, EjectRemainder())
    await scene.until(RemainderEjected)


SCENES: Final[Mapping[str, Callable[[Scene], Awaitable[None]]]] = {
    "clean-round": clean_round,
    "corrupted-frames": corrupted_frames,
    "reboot": reboot,
}


async def _played(play: Callable[[Scene], Awaitable[None]]) -> str:
    scene = Scene(seed=7)
    await scene.rig.start()
    running = asyncio.create_task(scene.device.run())
    async with asyncio.timeout(600):
        await play(scene)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await scene.rig.stop()
    return scene.written.getvalue()


def recorded(name: str) -> str:
    """One scene's recording."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(_played(SCENES[name]))


def decoded(capture: Capture) -> str:
    """What both directions say, each as `feltd decode` shows it."""
    lines = []
    for side in Side:
        listener = LISTENERS[capture.notes["protocol"]]()
        lines.append(f"# from the {side.name.lower()}")
        for chunk in capture.said_by(side):
            listener.feed(chunk.data)
            lines += [as_text(row(heard)) for heard in iter(listener.next, None)]
        assert listener.end() is None
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    from protocols.capture import read_capture

    for scene_name in SCENES:
        text = recorded(scene_name)
        (HERE / f"{scene_name}.capture").write_text(text)
        (HERE / f"{scene_name}.events").write_text(decoded(read_capture(text)))
