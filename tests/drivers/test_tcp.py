"""Device servers: TCP connections that are refused, dropped, or stick."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Coroutine

import pytest

from drivers.addresses import TcpAddress
from drivers.errors import ClosedError, LinkError, SetupError
from drivers.transports.tcp import TcpTransport, open_tcp
from tests.drivers.ways import open_files, stamp
from tests.sim_hardware.free_port import free_port


class Server:
    """A device server whose one connection the test holds."""

    def __init__(self) -> None:
        self.listener = socket.create_server(("127.0.0.1", free_port()))
        self.listener.setblocking(False)
        self.address = TcpAddress("127.0.0.1", self.listener.getsockname()[1])

    async def accept(self) -> tuple[TcpTransport, socket.socket]:
        loop = asyncio.get_running_loop()
        opening = asyncio.ensure_future(open_tcp(self.address, stamp))
        far, _ = await loop.sock_accept(self.listener)
        far.setblocking(False)
        return await opening, far


def served(main: Callable[[Server], Coroutine[object, object, None]]) -> None:
    before = open_files()
    server = Server()
    with server.listener:
        asyncio.run(main(server))
    assert open_files() == before


def test_bytes_go_both_ways_at_once_and_the_connection_asks_for_life_signs() -> None:
    async def main(server: Server) -> None:
        near, far = await server.accept()
        loop = asyncio.get_running_loop()
        with far:
            await loop.sock_sendall(far, b"from the device")
            assert (await near.read()).data == b"from the device"
            near.write(b"from the host")
            assert await loop.sock_recv(far, 100) == b"from the host"
            ours: socket.socket = near._transport.get_extra_info("socket")  # type: ignore[union-attr]
            assert ours.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            assert ours.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
            await near.close()
            assert await loop.sock_recv(far, 100) == b""

    served(main)


@pytest.mark.parametrize(
    ("host", "number", "error"),
    [
        ("shoe-server", socket.EAI_NONAME, SetupError),
        ("shoe-server", socket.EAI_AGAIN, LinkError),  # the name server is away
        ("x" * 64 + ".example", 0, SetupError),  # no name can have such a label
    ],
)
def test_a_name_that_cannot_be_resolved_is_named(
    host: str, number: int, error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unresolved(*_: object, **__: object) -> None:
        raise socket.gaierror(number, "says the resolver")

    if number:
        monkeypatch.setattr(socket, "getaddrinfo", unresolved)
    with pytest.raises(error, match=host):
        asyncio.run(open_tcp(TcpAddress(host, 4001), stamp))


def test_nobody_listens() -> None:
    address = TcpAddress("127.0.0.1", free_port())
    with pytest.raises(LinkError, match=str(address)):
        asyncio.run(open_tcp(address, stamp))


def test_the_other_end_closes() -> None:
    async def main(server: Server) -> None:
        near, far = await server.accept()
        await asyncio.get_running_loop().sock_sendall(far, b"bye")
        far.close()
        assert (await near.read()).data == b"bye"
        with pytest.raises(ClosedError, match="closed the connection"):
            await near.read()
        near.write(b"still there?")
        await near.close()
        await near.close()

    served(main)


def test_a_device_server_that_takes_no_bytes_ends_the_connection() -> None:
    async def main(server: Server) -> None:
        near, far = await server.accept()
        with far:
            for _ in range(1_000):
                near.write(b"x" * 100_000)
            with pytest.raises(LinkError, match="takes no bytes"):
                await near.read()
        await near.close()

    served(main)


def test_what_nobody_takes_is_not_taken_into_memory() -> None:
    async def main(server: Server) -> None:
        near, far = await server.accept()
        loop = asyncio.get_running_loop()
        flood = b"x" * 8_000_000
        with far:
            sending = asyncio.ensure_future(loop.sock_sendall(far, flood))
            done, _ = await asyncio.wait((sending,), timeout=0.3)
            assert not done, "everything was taken into memory"
            taken = 0
            while taken < len(flood):
                taken += len((await near.read()).data)
            await sending
        await near.close()

    served(main)
