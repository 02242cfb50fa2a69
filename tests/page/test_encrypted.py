"""The page's server over TLS: it serves, and who exchanges no keys takes no more room than anybody else."""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator
from contextlib import suppress

import aiohttp
import pytest

from daemon.page import room, server
from tests.page.published import PASSWORD
from tests.page.served import Served, page_settings, serving
from tests.support.certificates import Certificates, certificates
from tests.support.mosquitto import Mosquitto

PLACES = 3


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(tmp_path_factory.mktemp("certificates"))


@pytest.fixture
async def served(broker: Mosquitto, made: Certificates, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Served]:
    monkeypatch.setattr(server, "CONNECTIONS_MAX", PLACES)
    async with serving(page_settings(broker.port, certificate=(made.certificate, made.key))) as running:
        yield running


@pytest.fixture
def trusting(made: Certificates) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=str(made.authority))
    context.verify_flags &= ~ssl.VERIFY_X509_STRICT  # of Python 3.13: the authority names no key usage
    return context


async def healthz(served: Served, trusting: ssl.SSLContext, address: str) -> int:
    url = f"https://localhost:{served.settings.port}/healthz"
    connector = aiohttp.TCPConnector(ssl=trusting, local_addr=(address, 0), force_close=True)
    async with aiohttp.ClientSession(connector=connector) as client, client.get(url) as response:
        return response.status


async def silent(served: Served) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection("127.0.0.1", served.settings.port)


async def ended(reader: asyncio.StreamReader) -> None:
    with suppress(ConnectionError):
        while await reader.read():
            pass


async def test_a_request_is_answered_however_its_bytes_come(served: Served, trusting: ssl.SSLContext) -> None:
    """A browser's first request can come with the last byte of the exchange of keys."""
    for _ in range(20):
        assert await healthz(served, trusting, "127.0.0.1") == 200


async def test_the_cookie_of_a_login_is_this_hosts_own(served: Served, trusting: ssl.SSLContext) -> None:
    """No other host of the domain can set one of this name, and none is sent without TLS."""
    url = f"https://localhost:{served.settings.port}"
    posts = {"Content-Type": "application/json", "Origin": url}
    login = json.dumps({"user": "dana", "password": PASSWORD})
    connector = aiohttp.TCPConnector(ssl=trusting, force_close=True)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as client:
        async with client.post(f"{url}/login", data=login, headers=posts) as entered:
            [cookie] = entered.cookies.values()
        assert cookie.key == f"__Host-feltd-page-{served.settings.port}"
        assert (cookie["path"], cookie["domain"], cookie["samesite"]) == ("/", "", "Strict")
        assert (cookie["secure"], cookie["httponly"]) == (True, True)
        jar = {"Cookie": f"{cookie.key}={cookie.value}"}
        async with client.post(f"{url}/logout", data="{}", headers=posts | jar) as left:
            [gone] = left.cookies.values()
        assert (gone.key, gone.value, gone["secure"], gone["max-age"]) == (cookie.key, "", True, "0")


@pytest.mark.parametrize("handshakes", [PLACES + 1, PLACES - 1], ids=["of all places", "of those for new ones"])
async def test_who_says_nothing_has_a_place_like_anybody_else(
    served: Served, trusting: ssl.SSLContext, monkeypatch: pytest.MonkeyPatch, handshakes: int
) -> None:
    monkeypatch.setattr(room, "HANDSHAKES_MAX", handshakes)
    hoarded = [await silent(served) for _ in range(min(PLACES, handshakes))]
    reader, writer = await silent(served)
    assert await reader.read() == b"", "all places are taken, and this address has most of them"
    assert await healthz(served, trusting, "127.0.0.2") == 200
    ended = [asyncio.create_task(reader.read()) for reader, _ in hoarded]
    done, waiting = await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
    assert len(done) == 1, "one gave way"
    for task in waiting:
        task.cancel()
    for each in (writer, *(writer for _, writer in hoarded)):
        each.close()


async def test_who_says_nothing_has_it_for_a_short_time(
    broker: Mosquitto, made: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "HANDSHAKE_S_MAX", 0.05)
    async with serving(page_settings(broker.port, certificate=(made.certificate, made.key))) as served:
        reader, writer = await silent(served)
        assert await reader.read() == b""
        writer.close()


async def test_who_speaks_something_else_is_ended(served: Served, trusting: ssl.SSLContext) -> None:
    reader, writer = await silent(served)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await ended(reader)
    writer.close()
    assert await healthz(served, trusting, "127.0.0.1") == 200


async def test_the_server_ends_while_somebody_says_nothing(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "HANDSHAKE_S_MAX", 86_400.0)
    reader, writer = await silent(served)
    await served.end()
    await ended(reader)
    writer.close()
