"""Emulated devices under test: over a line in memory and virtual time, or on real ports; and the hands beside them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from daemon.tools.capture.command import REAL
from daemon.tools.capture.recorder import Outside
from daemon.tools.selftest.checks import Check, Report, Verdict
from daemon.tools.selftest.examination import Allowed, Examination
from daemon.tools.selftest.people import Waiting
from drivers.addresses import SerialAddress, parse_address
from drivers.errors import LinkError
from drivers.events import DeviceName
from drivers.profile import Capability, DeviceSettings
from drivers.profiles import PROFILES
from drivers.transports.base import Clock, Transport
from drivers.transports.memory import MemoryTransport
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.loop import run
from sim_hardware.pace import Pace
from sim_hardware.ports import MemoryPort, Port
from sim_hardware.shoe import ShoeSettings
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shoe_rig import ShoeRig
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.stakes_rig import StakesRig
from tests.drivers.ways import stamp

Rig: TypeAlias = ShufflerRig | ShoeRig | ButtonsRig | StakesRig

SHUFFLER = "felt-link-shuffler-faces"
LISTENED_TO = [kind for kind in SHOE_KINDS.values() if not PROFILES[kind.profile].can(Capability.KEEPS_EVENTS)]
"""Shoes that wait for no acknowledgement: nothing is written to them."""
HANDS_S = 30.0


class Hands:
    """A person who does what is asked, or somebody who does not; `on_told` hears what the test is about to do."""

    def __init__(
        self, act: Callable[[str], object] | None = None, on_told: Callable[[str], object] = lambda _: None
    ) -> None:
        self.asked: list[str] = []
        self._act = act
        self._on_told = on_told

    async def does(self, request: str, waiting: Waiting) -> None:
        self.asked.append(request)
        if self._act is not None:
            self._act(request)
            await waiting(HANDS_S)

    def show_step(self, doing: str) -> None:
        self._on_told(doing)


def shuffler(port: Port, *, reads_faces: bool = True) -> ShufflerRig:
    return ShufflerRig(ShufflerSettings(pace=Pace(0), reads_faces=reads_faces), port)


def shoe(port: Port, kind: ShoeKind) -> ShoeRig:
    return ShoeRig(ShoeSettings(decks=1), port, kind)


def hands_on(rig: Rig) -> Hands:
    """Draws, presses or takes, as it is asked."""

    def act(request: str) -> None:
        if isinstance(rig, ShoeRig):
            rig.draw()
        elif isinstance(rig, StakesRig):
            rig.lay(1, "ante", 500)
        elif isinstance(rig, ButtonsRig):
            rig.press("void")
        elif request.startswith("Take"):
            rig.take_packet()
        elif request.startswith("Put"):
            rig.load()
        else:
            rig.press("void")

    return Hands(act)


def listened_to(rig: Rig) -> bytearray:
    """Every byte that arrives at the device from now on."""
    heard, on_data = bytearray(), rig.emulator.on_data

    def listening(data: bytes) -> None:
        heard.extend(data)
        on_data(data)

    rig.emulator.on_data = listening  # type: ignore[method-assign]
    return heard


def settings_of(rig: Rig, profile: str, serial: str | None = None) -> DeviceSettings:
    is_memory = rig.address == "memory:"
    address = SerialAddress("/dev/memory") if is_memory else parse_address(rig.address)
    return DeviceSettings(DeviceName("device"), address, PROFILES[profile], serial)


async def examined(
    rig: Rig, profile: str, hands: Hands, allowed: Allowed, outside: Outside = REAL, serial: str | None = None
) -> Report:
    return await Examination(settings_of(rig, profile, serial), outside, hands, "run", allowed).report()


class Memory:
    """One device on a line in memory, examined in virtual time."""

    def __init__(self) -> None:
        self.port = MemoryPort()
        self.on_open: Callable[[], object] = lambda: None
        self.under_way = b""  # what has left the device when the port is opened
        self.report: Report | None = None

    def examine(
        self,
        rig: ShufflerRig | ShoeRig,
        profile: str = SHUFFLER,
        hands: Hands | None = None,
        allowed: Allowed | None = None,
        serial: str | None = None,
        *,
        is_loaded: bool = True,
    ) -> dict[str, Check]:
        """The checks by name."""

        async def examination() -> Report:
            await rig.start(loaded=is_loaded)
            try:
                outside = Outside(stamp, self._open)
                return await examined(rig, profile, hands or Hands(), allowed or Allowed(), outside, serial)
            finally:
                await rig.stop()

        self.report = run(examination())
        return {check.name: check for check in self.report.checks}

    async def _open(self, _: DeviceSettings, clock: Clock) -> Transport:
        far = self.port.far
        if not far.is_plugged:
            raise LinkError("no cable")
        self.on_open()
        transport = MemoryTransport(clock, on_write=far.write)
        far.on_data = transport.deliver
        transport.deliver(self.under_way)
        far.on_unplugged = lambda: transport.cut("the cable was pulled")
        return transport


def names_of(checks: dict[str, Check], verdict: Verdict) -> set[str]:
    return {name for name, check in checks.items() if check.verdict is verdict}
