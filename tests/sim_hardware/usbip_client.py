"""A kernel's end of USB/IP, written out in bytes as Documentation/usb/usbip_protocol.rst has them."""

from __future__ import annotations

import asyncio
import struct

IN_TIME_S = 60
ASK_IMPORT = bytes.fromhex("0111 8003 00000000") + b"1-1".ljust(32, b"\0")
SET_CONFIGURATION = bytes.fromhex("0009010000000000")


class Client:
    """A kernel's end of the connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def take(self, count: int) -> bytes:
        async with asyncio.timeout(IN_TIME_S):
            return await self.reader.readexactly(count)

    async def attach(self) -> bytes:
        self.writer.write(ASK_IMPORT)
        assert await self.take(8) == bytes.fromhex("0111 0003 00000000")
        return await self.take(312)

    def submit(
        self, sequence: int, endpoint: int, *, data: bytes = b"", room: int = 0, setup: bytes = bytes(8)
    ) -> None:
        is_in = int(bool(room))
        head = struct.pack(">5I", 1, sequence, 0x10001, is_in, endpoint)
        self.writer.write(head + struct.pack(">Iiiii", 0, room or len(data), 0, 0, 0) + setup + data)

    def unlink(self, sequence: int, victim: int) -> None:
        self.writer.write(struct.pack(">6I24x", 2, sequence, 0x10001, 0, 0, victim))

    async def answer(self, *, is_in: bool = False) -> tuple[int, int, int, bytes]:
        """Which command, its sequence number, its status, and its data."""
        head = await self.take(48)
        command, sequence = struct.unpack_from(">2I", head)
        status, length = struct.unpack_from(">2i", head, 20)
        return command, sequence, status, await self.take(length) if is_in else b""

    async def configure(self) -> None:
        self.submit(1, 0, setup=SET_CONFIGURATION)
        assert await self.answer() == (3, 1, 0, b"")

    async def is_cut(self) -> bool:
        async with asyncio.timeout(IN_TIME_S):
            try:
                return not await self.reader.read()
            except ConnectionResetError:
                return True
