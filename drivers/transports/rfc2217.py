"""A serial port behind a device server that lets us set it: RFC 2217 over TCP.

`TcpTransport` has the connection, and `PortControl` everything about Telnet. A port is open once the server has set it
as the profile says.
"""

from __future__ import annotations

import asyncio
from typing import Final

from drivers.addresses import Rfc2217Address
from drivers.errors import LinkError, SetupCode, SetupError, SetupProblem
from drivers.profile import LineSettings
from drivers.transports.base import BACKLOG_BYTES_MAX, Chunk, Clock
from drivers.transports.tcp import TcpTransport, open_tcp
from protocols.rfc2217 import PortControl, Stage

AGREE_S_MAX: Final = 5.0  # a few round trips


class Rfc2217Transport:
    """One port that the server has set."""

    def __init__(self, connection: TcpTransport, control: PortControl, first: Chunk) -> None:
        """`first` is what the device sent in the same bytes as the server's last answer, often nothing."""
        self._connection: Final = connection
        self._control: Final = control
        self._first: Chunk | None = first if first.data else None

    async def read(self) -> Chunk:
        """Return the device's next bytes."""
        chunk, self._first = self._first, None
        while chunk is None or not chunk.data:
            chunk = await _next(self._connection, self._control)
            if self._control.refusal is not None:
                raise LinkError(self._control.refusal)
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes. A backlog beyond the limit, here or in the connection, ends the connection."""
        self._control.send(data)
        self._connection.write(self._control.data_to_send())
        if self._control.held_bytes > BACKLOG_BYTES_MAX:
            self._connection.lose("the device server takes no bytes")

    async def close(self) -> None:
        """Close the connection."""
        await self._connection.close()


async def open_rfc2217(address: Rfc2217Address, line: LineSettings, clock: Clock) -> Rfc2217Transport:
    """Connect and have the port set. Raise SetupError or LinkError."""
    connection = await open_tcp(address, clock)
    control = PortControl(baud=line.baud, dtr=line.dtr, rts=line.rts)
    connection.write(control.data_to_send())
    try:
        first = await _agreed(address, line, connection, control)
    except BaseException:
        await connection.close()
        raise
    return Rfc2217Transport(connection, control, first)


async def _agreed(address: Rfc2217Address, line: LineSettings, connection: TcpTransport, control: PortControl) -> Chunk:
    """Wait until the port is set, and return the bytes that came with that. Raise SetupError if it is refused."""
    try:
        async with asyncio.timeout(AGREE_S_MAX):
            chunk = await _next(connection, control)
            while control.stage not in (Stage.READY, Stage.REFUSED):
                chunk = await _next(connection, control)
    except TimeoutError:
        raise SetupError(_no_rfc2217(address)) from None
    if control.refusal is not None:
        raise SetupError(_refused(address, line, control.refusal))
    return chunk


async def _next(connection: TcpTransport, control: PortControl) -> Chunk:
    """Return what the device said in the next bytes, which may be nothing. Answer the server's part of them."""
    chunk = await connection.read()
    data = control.receive(chunk.data)
    connection.write(control.data_to_send())
    return Chunk(data, chunk.at)


def _refused(address: Rfc2217Address, line: LineSettings, reason: str) -> SetupProblem:
    wrong = f"{address}: {reason}."
    remedy = (
        f"Let the device server's port be set to {line.baud} baud, 8N1, by its clients, or set it there and use its "
        "raw TCP port, as tcp:host:port."
    )
    return SetupProblem(SetupCode.LINE_SETTINGS, wrong, remedy)


def _no_rfc2217(address: Rfc2217Address) -> SetupProblem:
    wrong = f"{address} did not agree within {AGREE_S_MAX:g} s to have its port set."
    remedy = "Set the device server's port to RFC 2217; if it is a raw TCP port, its address is tcp:host:port."
    return SetupProblem(SetupCode.NOT_A_PORT, wrong, remedy)
