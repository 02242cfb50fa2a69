"""Recording one device's line, without the daemon.

Theory of operation. By default the recorder is a host like the daemon: it identifies the device, keeps the link alive
and connects again after a loss. It keeps no journal, so it acknowledges nothing unless it is told to. A felt-link
device sends at most eight unacknowledged events and repeats them; the daemon gets all of them later. A passive recorder
only opens the port and reads. It writes nothing, and a felt-link device keeps saying hello.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from typing import Final, Never, TextIO, cast

from daemon.clock import Clock, rfc3339
from daemon.error_codes import ErrorCode
from daemon.errors import SetupError
from drivers import errors
from drivers.device import Device, OpenTransport
from drivers.errors import LinkError
from drivers.events import DeviceReport, LinkLost, LinkUp, SetupFailed
from drivers.profile import DeviceSettings
from drivers.tap import Direction, Tapped
from drivers.transports.base import Transport
from protocols.capture import FIRST_LINE, Chunk, Side, chunk_line, note_line
from protocols.frozen import dataclass

REOPEN_S: Final = 1.0
_SIDES: Final = {Direction.FROM_DEVICE: Side.DEVICE, Direction.TO_DEVICE: Side.HOST}


@dataclass(frozen=True, slots=True)
class Outside:
    """Clock and transport, real or made for a test."""

    stamp: Clock
    open_transport: OpenTransport


class Recording:
    """The file being written. Each line is flushed, so that it survives a crash of the recorder."""

    def __init__(self, file: TextIO, begun_mono_ns: int) -> None:
        self.chunks = 0
        self._file: Final = file
        self._begun_ns: Final = begun_mono_ns
        self._last_ns = 0

    def begin(self, notes: Iterable[tuple[str, str]]) -> None:
        """Write the first line, and what is known before the device says anything."""
        self._write(FIRST_LINE + "\n" + "".join(note_line(key, text) for key, text in notes))

    def note(self, key: str, text: str) -> None:
        """Write something that has become known."""
        self._write(note_line(key, text))

    def record_bytes(self, tapped: Tapped) -> None:
        """Write bytes that went over the line.

        Bytes that came in during a write have an earlier stamp and are recorded later. They keep the order in which
        they are recorded, because that is the order in which one followed from the other.
        """
        self.chunks += 1
        self._last_ns = max(self._last_ns, tapped.at.mono_ns - self._begun_ns)
        self._write(chunk_line(Chunk(self._last_ns, _SIDES[tapped.direction], tapped.data)))

    def _write(self, text: str) -> None:
        self._file.write(text)
        self._file.flush()


def begin(file: TextIO, settings: DeviceSettings, who: str, clock: Clock) -> Recording:
    """Return a recording that has its first notes."""
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
    """Record as a host until cancelled. Raise SetupError if a technician has to act first."""
    failed: asyncio.Future[Never] = asyncio.get_running_loop().create_future()

    def note_report(report: DeviceReport) -> None:
        match report.event:
            case LinkUp(identity):
                for key in ("model", "serial", "firmware"):
                    recording.note(key, getattr(identity, key))
                tell(f"{identity.model}, serial number {identity.serial}, firmware {identity.firmware}")
            case LinkLost(reason):
                tell(f"lost: {reason}")
            case SetupFailed(code, problem) if _is_unplugged(recording, code):
                tell(f"not connected: {problem}")
            case SetupFailed(code, problem, remedy) if not failed.done():
                failed.set_exception(setup_error(code, problem, remedy))
            case _:
                if acknowledges and report.receipt is not None:
                    device.acknowledge(report.receipt)

    device = Device(
        settings, emit=note_report, stamp=outside.stamp, open_transport=outside.open_transport, log=_NoLog()
    )
    device.tap.listen(recording.record_bytes)
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
    """Record without ever writing, until cancelled. Raise SetupError if a technician has to act first."""
    while True:
        try:
            transport = await outside.open_transport(settings, outside.stamp)
        except errors.SetupError as error:
            code, problem = error.problem.code, error.problem.problem
            if not _is_unplugged(recording, code):
                raise setup_error(code.value, problem, error.problem.remedy) from error
            tell(f"not connected: {problem}")
        except LinkError as error:
            tell(f"not connected: {error}")
        else:
            await _read(recording, transport, tell)
        await asyncio.sleep(REOPEN_S)


def _is_unplugged(recording: Recording, code: str) -> bool:
    """Return whether only the port is missing of a device that was heard: it may come back."""
    return code == errors.SetupCode.NO_SUCH_PORT and recording.chunks > 0


async def _read(recording: Recording, transport: Transport, tell: Callable[[str], None]) -> None:
    try:
        while True:
            chunk = await transport.read()
            recording.record_bytes(Tapped(Direction.FROM_DEVICE, chunk.at, chunk.data))
    except LinkError as error:
        tell(f"lost: {error}")
    finally:
        await transport.close()


def setup_error(code: str, problem: str, remedy: str) -> SetupError:
    """Return the device layer's problem as an error of the program. A busy port is most often held by the daemon."""
    if code == errors.SetupCode.PORT_BUSY.value:
        remedy = f"If it is feltd, stop it first (systemctl stop feltd@TABLE). {remedy}"
    return SetupError(cast("ErrorCode", f"device.{code}"), problem, remedy)


class _NoLog:
    """A log that writes nothing: the recording is the log."""

    def info(self, event: str, **fields: object) -> None:
        pass

    def warning(self, event: str, **fields: object) -> None:
        pass
