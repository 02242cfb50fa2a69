"""Raw bytes over TCP, as serial device servers speak it."""

from __future__ import annotations

import asyncio
import socket
from typing import Final, cast

from drivers.addresses import Rfc2217Address, TcpAddress
from drivers.errors import ClosedError, LinkError, LossCode, SetupCode, SetupError, SetupProblem
from drivers.transports.base import BACKLOG_BYTES_MAX, Chunk, Clock, Inbox

CONNECT_S_MAX: Final = 5.0
# A device server that lost power does not close the connection. The kernel probes after 10 s without traffic, and gives
# up after three probes without an answer, two seconds apart (tcp(7)).
_KEEPALIVE: Final = ((socket.TCP_KEEPIDLE, 10), (socket.TCP_KEEPINTVL, 2), (socket.TCP_KEEPCNT, 3))


class TcpTransport(asyncio.Protocol):
    """One open connection."""

    def __init__(self, clock: Clock) -> None:
        self._inbox: Final = Inbox(clock)
        self._closed: Final = asyncio.Event()
        self._transport: asyncio.Transport | None = None
        self._is_paused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport. The loop calls this, and has already set TCP_NODELAY, as for every stream socket."""
        self._transport = cast("asyncio.Transport", transport)
        sock: socket.socket = transport.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEPALIVE:
            sock.setsockopt(socket.IPPROTO_TCP, option, value)

    def data_received(self, data: bytes) -> None:
        """Take what the loop has read."""
        self._inbox.put(data)
        if self._inbox.is_full and self._transport is not None:
            self._is_paused = True
            self._transport.pause_reading()

    def connection_lost(self, exc: Exception | None) -> None:
        """Report the loss. The loop calls this, and closes the socket right after."""
        if exc is None or isinstance(exc, ConnectionResetError):  # which of the two depends on what was under way
            self._inbox.lose(ClosedError("the other end closed the connection"))
        else:
            self._inbox.lose(f"the connection broke: {exc}")
        self._closed.set()

    async def read(self) -> Chunk:
        """Return the next bytes."""
        chunk = await self._inbox.get()
        if self._is_paused and not self._inbox.is_full and self._transport is not None:
            self._is_paused = False
            self._transport.resume_reading()
        return chunk

    def write(self, data: bytes) -> None:
        """Queue bytes. A backlog beyond the limit ends the connection."""
        transport = self._transport
        if transport is None or transport.is_closing():
            return
        transport.write(data)
        if transport.get_write_buffer_size() > BACKLOG_BYTES_MAX:
            self.lose("the other end takes no bytes")

    def lose(self, reason: str) -> None:
        """End the connection. `read` raises the reason."""
        self._inbox.lose(reason)
        if self._transport is not None:
            self._transport.abort()

    async def close(self) -> None:
        """Close without sending what is still queued: the protocol repeats it."""
        if self._transport is not None:
            self._transport.abort()
            await self._closed.wait()


async def open_tcp(address: TcpAddress | Rfc2217Address, clock: Clock) -> TcpTransport:
    """Connect. Raise SetupError for a host that no name server knows, and LinkError for all other failures."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(CONNECT_S_MAX):
            _, protocol = await loop.create_connection(lambda: TcpTransport(clock), address.host, address.port)
    except TimeoutError:
        raise LinkError(f"{address} did not answer within {CONNECT_S_MAX:g} s", LossCode.NOT_REACHED) from None
    except UnicodeError as error:  # a label of the host name is too long
        raise SetupError(_unknown_host(address, str(error))) from error
    except socket.gaierror as error:
        if error.errno == socket.EAI_AGAIN:  # the name server does not answer, and can come back by itself
            raise LinkError(f"{address}: {error.strerror}", LossCode.NOT_REACHED) from error
        raise SetupError(_unknown_host(address, str(error.strerror))) from error
    except OSError as error:
        raise LinkError(f"{address}: {error.strerror or error}", LossCode.NOT_REACHED) from error
    return protocol


def _unknown_host(address: TcpAddress | Rfc2217Address, reason: str) -> SetupProblem:
    wrong = f"{address}: the name {address.host} cannot be resolved ({reason})."
    remedy = f"Correct the name, or use the device server's number; `getent hosts {address.host}` shows what is known."
    return SetupProblem(SetupCode.UNKNOWN_HOST, wrong, remedy)
