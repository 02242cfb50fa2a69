"""Recording one device's line, without the daemon.

Theory of operation. By default the recorder is a host like the daemon: it identifies the device, keeps the link alive
and comes back after a loss, but it keeps no journal, so it acknowledges nothing unless it was told to. A felt-link
device sends at most eight events that nobody acknowledges and repeats them; the daemon gets all of them later.
Passive, it only opens the port and reads: nothing is written, and a felt-link device goes on saying hello.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Never, TextIO

from daemon.clock import Clock, rfc3339
from daemon.errors import SetupError
from drivers import errors
from drivers.device import Device, OpenTransport
from drivers.errors import LinkError
from drivers.events import DeviceReport, LinkLost, LinkUp, SetupFailed
from drivers.profile import DeviceSettings
from drivers.tap import Direction, Tapped
from drivers.transports.base import Transport
from protocols.capture import FIRST_LINE, Chunk, Side, chunk_line, note_line

REOPEN_S: Final = 1.0
_SIDES: Final = {Direction.FROM_DEVICE: Side.DEVICE, Direction.TO_DEVICE: Side.HOST}


@dataclass(frozen=True, slots=True)
class Outside:
    """Clock and way to the device, real or made."""

    stamp: Clock
    open_transport: OpenTransport


class Recording:
    """The file being written. Every line is flushed: what was heard before a crash is there after it."""

    def __init__(self, file: TextIO, begun_mono_ns: int) -> None:
        self.chunks = 0
        self._file: Final = file
        self._begun_ns: Final = begun_mono_ns
        self._last_ns = 0

    def begin(self, notes: Iterable[tuple[str, str]]) -> None:
        """The first line and what is known before the device has said anything."""
        self._write(FIRST_LINE + "\n" + "".join(note_line(key, text) for key, text in notes))

    def note(self, key: str, text: str) -> None:
        """Something that has become known."""
        self._write(note_line(key, text))

    def hear(self, tapped: Tapped) -> None:
        """Bytes went over the line.

        What came in while something was being said has an earlier stamp and is heard later. It keeps the order in which
        it was heard, because that is the order in which one followed from the other.
        """
        self.chunks += 1
        self._last_ns = max(self._last_ns, tapped.at.mono_ns - self._begun_ns)
        self._write(chunk_line(Chunk(self._last_ns, _SIDES[tapped.direction], tapped.data)))

    def _write(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def begin(file: TextIO, settings: DeviceSettings, who: str, clock: Clock) -> Recording:
    """A recording with its first notes."""
    now = clock()
    recording = Recording(file, now.mono_ns)
    recording.begin(
        (
            ("recorded", rfc3339(now.utc_ns)),
            ("by", who),
            ("device", settings.name),
            ("profile", settings.profile.name),
            ("protocol", settings.profile.protocol),
            ("baud", str(settings.profile.line.baud)),
        )
    )
    return recording


async def record(
    recording: Recording, settings: DeviceSettings, outside: Outside, *, acknowledges: bool, tell: Callable[[str], None]
) -> Never:
    """Record as a host until cancelled, or SetupError when a technician has to act first."""
    failed: asyncio.Future[Never] = asyncio.get_running_loop().create_future()

    def heard(report: DeviceReport) -> None:
        match report.event:
            case LinkUp(identity):
                for key in ("model", "serial", "firmware"):
                    recording.note(key, getattr(identity, key))
                tell(f"{identity.model}, serial number {identity.serial}, firmware {identity.firmware}")
            case LinkLost(reason):
                tell(f"lost: {reason}")
            case SetupFailed(code, problem, remedy) if not failed.done():
                failed.set_exception(setup_error(code, problem, remedy))
            case _:
                if acknowledges and report.receipt is not None:
                    device.acknowledge(report.receipt)

    device = Device(settings, emit=heard, stamp=outside.stamp, open_transport=outside.open_transport, log=_Silent())
    device.tap.listen(recording.hear)
    running = asyncio.ensure_future(device.run())
    try:
        await asyncio.wait({running, failed}, return_when=asyncio.FIRST_COMPLETED)
        await (failed if failed.done() else running)
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        failed.cancel()


async def record_passively(
    recording: Recording, settings: DeviceSettings, outside: Outside, *, tell: Callable[[str], None]
) -> Never:
    """Record without ever writing, until cancelled, or SetupError."""
    while True:
        try:
            transport = await outside.open_transport(settings, outside.stamp)
        except errors.SetupError as error:
            raise setup_error(error.problem.code.value, error.problem.problem, error.problem.remedy) from error
        except LinkError as error:
            tell(f"not there: {error}")
        else:
            await _read(recording, transport, tell)
        await asyncio.sleep(REOPEN_S)


async def _read(recording: Recording, transport: Transport, tell: Callable[[str], None]) -> None:
    try:
        while True:
            chunk = await transport.read()
            recording.hear(Tapped(Direction.FROM_DEVICE, chunk.at, chunk.data))
    except LinkError as error:
        tell(f"lost: {error}")
    finally:
        await transport.close()


def setup_error(code: str, problem: str, remedy: str) -> SetupError:
    """The device layer's problem as an error of the program; a port that is taken is most often the daemon's."""
    if code == errors.SetupCode.PORT_BUSY.value:
        remedy = f"If it is feltd, stop it first (systemctl stop feltd@TABLE). {remedy}"
    return SetupError(f"device.{code}", problem, remedy)


class _Silent:
    """The recording is the log."""

    def info(self, event: str, **fields: object) -> None:
        pass

    def warning(self, event: str, **fields: object) -> None:
        pass
