"""USB devices that speak felt-link: a thread reads, the event loop does the rest.

Theory of operation. libusb's reads block, so each open device has one thread that waits for a notice and then fetches
the bytes. The thread stamps the bytes at once and hands them to the loop. Before each read it reserves a place for a
chunk, and `read` frees the place. So bytes that are not read stay in the device. A second thread writes, one piece at
a time and in order, and only while there is something to write.

Both threads check every tenth of a second whether they have to end. `close` tells both to end, waits for them, and only
then closes the device: libusb does not define a close during a transfer.
"""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from drivers.addresses import UsbAddress
from drivers.errors import LinkError
from drivers.transports.base import BACKLOG_BYTES_MAX, Chunk, Clock, Inbox, finish_despite_cancel
from drivers.transports.usb_bus import NOTICE_MS, READ_BYTES, UsbBackend, UsbPipes, open_pipes

_CHUNKS_MAX: Final = BACKLOG_BYTES_MAX // READ_BYTES


class UsbTransport:
    """One open device."""

    def __init__(self, pipes: UsbPipes, clock: Clock) -> None:
        self._pipes: Final = pipes
        self._clock: Final = clock
        self._inbox: Final = Inbox(clock)
        self._places: Final = threading.Semaphore(_CHUNKS_MAX)
        self._shall_end: Final = threading.Event()
        self._unsent: Final = bytearray()
        self._loop: Final = asyncio.get_running_loop()
        self._threads: Final = ThreadPoolExecutor(max_workers=2, thread_name_prefix="usb")
        self._writing: asyncio.Future[int] | None = None
        self._closing: asyncio.Task[None] | None = None
        self._reading: Final = self._loop.run_in_executor(self._threads, self._listen)
        self._reading.add_done_callback(self._stopped_reading)

    async def read(self) -> Chunk:
        """Return the next bytes."""
        chunk = await self._inbox.get()
        self._places.release()
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes. A backlog beyond the limit ends the connection."""
        if self._inbox.is_lost:
            return
        self._unsent.extend(data)
        if len(self._unsent) > BACKLOG_BYTES_MAX:
            self._lose("the device takes no bytes")
        elif self._writing is None:
            self._write_now()

    async def close(self) -> None:
        """End both threads, then close the device."""
        if self._closing is None:
            self._lose("closed")
            self._closing = self._loop.create_task(self._close())
        await finish_despite_cancel(self._closing)

    async def _close(self) -> None:
        under_way: list[asyncio.Future[Any]] = [self._reading, *([self._writing] if self._writing else [])]
        await asyncio.wait(under_way)
        await self._loop.run_in_executor(self._threads, self._pipes.close)
        self._threads.shutdown()
        for ended in under_way:
            error = ended.exception()
            if error is not None and not isinstance(error, LinkError):
                raise error

    def _listen(self) -> None:
        """Read in a thread of its own."""
        while not self._shall_end.is_set():
            if not self._places.acquire(timeout=NOTICE_MS / 1000):
                continue
            data = self._pipes.read()
            if data:
                self._loop.call_soon_threadsafe(self._inbox.put_chunk, Chunk(data, self._clock()))
            else:
                self._places.release()

    def _stopped_reading(self, reading: asyncio.Future[None]) -> None:
        error = reading.exception()
        if error is not None:
            self._lose(str(error) or repr(error))

    def _write_now(self) -> None:
        self._writing = self._loop.run_in_executor(self._threads, self._pipes.write, bytes(self._unsent[:READ_BYTES]))
        self._writing.add_done_callback(self._written)

    def _written(self, writing: asyncio.Future[int]) -> None:
        error = writing.exception()
        if error is not None:
            self._lose(str(error) or repr(error))
            return
        self._writing = None
        del self._unsent[: writing.result()]
        if self._unsent and not self._inbox.is_lost:
            self._write_now()

    def _lose(self, reason: str) -> None:
        self._inbox.lose(reason)
        self._shall_end.set()


async def open_usb(address: UsbAddress, clock: Clock, backend: UsbBackend = None) -> UsbTransport:
    """Open a device. Raise SetupError or LinkError."""
    loop = asyncio.get_running_loop()
    opening = loop.run_in_executor(None, open_pipes, address, backend)
    try:
        pipes = await finish_despite_cancel(opening)
    except asyncio.CancelledError:
        if opening.exception() is None:
            await finish_despite_cancel(loop.run_in_executor(None, opening.result().close))
        raise
    return UsbTransport(pipes, clock)
