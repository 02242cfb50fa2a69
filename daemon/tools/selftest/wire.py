"""One felt-link line without the driver: any bytes can be sent, and every frame that came is kept with its time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from typing import Final, Never, TypeVar

from daemon.errors import OutageError
from daemon.tools.capture.recorder import Outside, setup_error
from drivers import errors
from drivers.errors import LinkError
from drivers.profile import DeviceSettings
from drivers.transports.base import Transport
from protocols.felt_link import messages as m
from protocols.felt_link.frame import AnyFrame, Frame, FrameReader, encode
from protocols.felt_link.limits import BEAT_NS
from protocols.felt_link.wording import from_frame, to_frame
from protocols.frozen import dataclass

MessageT = TypeVar("MessageT")
_S: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Came:
    """One message of the device, and when its last byte came."""

    at_ns: int
    message: m.Reading


class Wire:
    """A host of our own making. It keeps the link alive by beats, unless `beats_seq` is None."""

    def __init__(self, transport: Transport, outside: Outside) -> None:
        self.came: Final[list[Came]] = []
        self.beats_seq: int | None = None
        self._transport: Final = transport
        self._outside: Final = outside
        self._reader: Final = FrameReader()
        self._news: Final = asyncio.Event()
        self._sent_ns = 0
        self._is_lost = False

    @property
    def now_ns(self) -> int:
        """Read the clock of all measurements here."""
        return self._outside.stamp().mono_ns

    def send(self, *messages: m.Message) -> None:
        """Send messages."""
        self.send_bytes(b"".join(encode(to_frame(message)) for message in messages))

    def send_frame(self, frame: AnyFrame) -> None:
        """Send an acknowledgement or a refusal."""
        self.send_bytes(encode(frame))

    def send_bytes(self, data: bytes) -> None:
        """Send bytes as they are."""
        self._sent_ns = self.now_ns
        self._transport.write(data)

    async def listen(self) -> Never:
        """Keep everything that comes, until cancelled."""
        while True:
            try:
                chunk = await self._transport.read()
            except LinkError:
                self._is_lost = True
                self._news.set()
                await asyncio.Future[Never]()
            self._reader.feed(chunk.data)
            for found in iter(self._reader.next, None):
                if isinstance(found, Frame):
                    self.came.append(Came(chunk.at.mono_ns, from_frame(found)))
            self._news.set()

    async def until(self, is_so: Callable[[], object], within_ns: int) -> bool:
        """Wait until `is_so()`, for at most `within_ns`. Return whether it came."""
        end_ns = self.now_ns + within_ns
        while not is_so():
            left_ns = end_ns - self.now_ns
            if left_ns <= 0 or self._is_lost:
                return False
            if self.beats_seq is not None and self.now_ns >= self._sent_ns + BEAT_NS:
                self.send(m.Beat(self.beats_seq))
            self._news.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left_ns, BEAT_NS // 2) / _S):
                    await self._news.wait()
        return True

    async def last(self, duration_ns: int) -> None:
        """Listen for so long, whatever comes."""
        await self.until(lambda: False, duration_ns)

    def since(self, mark: int, kind: type[MessageT]) -> list[MessageT]:
        """Return the messages of a kind that came after `mark`, a former length of `came`."""
        return [came.message for came in self.came[mark:] if isinstance(came.message, kind)]


@asynccontextmanager
async def opened(settings: DeviceSettings, outside: Outside) -> AsyncIterator[Wire]:
    """Open the device's port, and close it afterwards. Raise FeltdError if it cannot be opened."""
    try:
        transport = await outside.open_transport(settings, outside.stamp)
    except errors.SetupError as error:
        raise setup_error(error.problem.code.value, error.problem.problem, error.problem.remedy) from error
    except LinkError as error:
        where = f"{settings.name} cannot be reached: {error}."
        raise OutageError("selftest.away", where, "Check its power and cable, and the address.") from error
    wire = Wire(transport, outside)
    listening = asyncio.ensure_future(wire.listen())
    try:
        yield wire
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await transport.close()
