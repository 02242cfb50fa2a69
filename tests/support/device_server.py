"""A serial device server that speaks RFC 2217: pyserial's own, over a real tty, for each client that connects."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import serial
import serial.rfc2217


class PtySerial(serial.Serial):
    """A pty has no modem lines, and refuses a client that asks for them."""

    cts = dsr = ri = cd = property(lambda self: False)

    baud_max: int | None = None

    def _reconfigure_port(self, force_update: bool = False) -> None:
        """Many a server's port has no such speed."""
        if self.baud_max is not None:
            self._baudrate: int = min(self._baudrate, self.baud_max)
        super()._reconfigure_port(force_update)  # type: ignore[misc]

    def _update_dtr_state(self) -> None:
        self.dtr_is = self._dtr_state  # type: ignore[attr-defined]

    def _update_rts_state(self) -> None:
        self.rts_is = self._rts_state  # type: ignore[attr-defined]


class DeviceServer:
    """Opens the tty when somebody connects; hangs up when the tty goes away, as servers that watch DSR do."""

    def __init__(self, tty: Path, port: int, baud_max: int | None = None) -> None:
        self.address = f"rfc2217:127.0.0.1:{port}"
        self.serial: PtySerial | None = None
        self._tty = tty
        self._port = port
        self.baud_max = baud_max
        self._talks: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[DeviceServer]:
        server = await asyncio.start_server(self._accept, "127.0.0.1", self._port)
        try:
            yield self
        finally:
            server.close()
            for talk in self._talks:
                talk.cancel()
            await asyncio.gather(*self._talks, return_exceptions=True)
            await server.wait_closed()

    def hang_up(self) -> None:
        """End every connection."""
        for talk in self._talks:
            talk.cancel()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.get_running_loop().create_task(self._talk(reader, writer))
        self._talks.add(talk)
        talk.add_done_callback(self._talks.discard)

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                await self._serve(reader, writer)
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        port = PtySerial(str(self._tty), timeout=0)
        port.baud_max = self.baud_max
        self.serial = port
        manager = serial.rfc2217.PortManager(port, writer)  # type: ignore[arg-type]  # typeshed has a Serial for both
        loop = asyncio.get_running_loop()
        gone = loop.create_future()

        def from_device() -> None:
            try:
                data = port.read(4_096)
            except OSError:
                data = b""
            if data:
                writer.write(b"".join(manager.escape(data)))
            elif not gone.done():
                gone.set_result(None)

        async def from_host() -> None:
            while data := await reader.read(4_096):
                port.write(b"".join(manager.filter(data)))

        loop.add_reader(port.fileno(), from_device)
        hearing = loop.create_task(from_host())
        try:
            await asyncio.wait((hearing, gone), return_when=asyncio.FIRST_COMPLETED)
        finally:
            loop.remove_reader(port.fileno())
            port.close()  # before anything is waited for, since a cancellation may come twice
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
