"""The page of `feltd metrics`: one page for Prometheus, of all tables that a broker knows.

Theory of operation. Each table retains its figures at the broker once a minute (`metrics`), and its `status`. This
program hears both, as any other consumer does, and shows them as OpenMetrics at a port of this machine. No table
listens to anybody, and one scrape covers all tables of a broker. While the broker is away, `feltd_broker_up` is 0 and
every `feltd_up` too: the figures then are those of the last minute that was heard.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final, Never
from uuid import uuid4

import aiomqtt
import click
from aiohttp import hdrs, web
from prometheus_client import CollectorRegistry
from prometheus_client.openmetrics.exposition import CONTENT_TYPE_LATEST, generate_latest

from daemon.bad_requests import quiet_logger
from daemon.errors import OutageError
from daemon.mqtt.client import Connection, connected
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import VERSION
from daemon.tools.doctor.machine import clock_offset_s
from daemon.tools.metrics.families import METRICS, STATUS, Heard, Tables, read
from daemon.tools.metrics.places import HEADER_FIELD_BYTES_MAX, HEADERS_MAX, Places
from daemon.visible import visible

AGAIN_S: Final = 1.0
SHUTDOWN_S_MAX: Final = 1.0


async def serve(site: str, settings: MqttSettings, host: str, port: int) -> None:
    """Serve the tables of a site until SIGTERM or SIGINT."""
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    tables = Tables(clock_offset_s)
    hearing = asyncio.create_task(_hear(site, settings, tables))
    try:
        async with _listening(tables, host, port):
            click.echo(f"http://{host}:{port}/metrics: the tables of {site} at {settings.host}:{settings.port}")
            stopping = asyncio.create_task(stop.wait())
            done, _ = await asyncio.wait({hearing, stopping}, return_when=asyncio.FIRST_COMPLETED)
            if hearing in done:
                await hearing
    finally:
        hearing.cancel()


@asynccontextmanager
async def _listening(tables: Tables, host: str, port: int) -> AsyncIterator[None]:
    registry = CollectorRegistry()
    registry.register(tables)

    async def page(_: web.Request) -> web.Response:
        text = generate_latest(registry)  # type: ignore[no-untyped-call]
        answer = web.Response(body=text, headers={hdrs.CONTENT_TYPE: CONTENT_TYPE_LATEST})
        answer.force_close()
        return answer

    app = web.Application()
    app.router.add_get("/metrics", page)
    runner = web.AppRunner(
        app,
        access_log=None,
        logger=quiet_logger(),
        shutdown_timeout=SHUTDOWN_S_MAX,
        max_line_size=HEADER_FIELD_BYTES_MAX,
        max_field_size=HEADER_FIELD_BYTES_MAX,
        max_headers=HEADERS_MAX,
        auto_decompress=False,  # 200 kB that somebody packed can become 200 MB here
    )
    await runner.setup()
    server = runner.server
    assert server is not None, "set up just now"
    try:
        try:
            listener = await asyncio.get_running_loop().create_server(Places(server).meet, host, port)
        except OSError as error:
            message = f"feltd metrics cannot listen at {host}:{port}: {error.strerror}."
            remedy = "Give it a free port with --port; ss -ltnp shows which process has one."
            raise OutageError("metrics.cannot-listen", message, remedy) from error
        try:
            yield
        finally:
            listener.close()
    finally:
        await runner.cleanup()


async def _hear(site: str, settings: MqttSettings, tables: Tables) -> Never:
    """Connect again after each loss. A broker that refuses us ends the program: a person has to act."""
    client_id = f"{settings.user or 'feltd'}:{METRICS}-{uuid4().hex[:8]}"
    while True:
        try:
            async with connected(settings, client_id, None) as connection:
                for what in (STATUS, METRICS):
                    await connection.listen(f"{VERSION}/{site}/+/{what}")
                tables.is_connected = True
                async with asyncio.TaskGroup() as group:
                    group.create_task(connection.until_lost())
                    group.create_task(_take(connection, tables))
        except* BrokerAwayError:
            tables.is_connected = False
        await asyncio.sleep(AGAIN_S)


async def _take(connection: Connection, tables: Tables) -> None:
    left_out = set[str]()  # each is named once for a connection: a table could write nonsense without end
    with suppress(aiomqtt.MqttError):  # `until_lost` says that the connection ended
        async for message in connection.messages:
            connection.acknowledge(message)
            *_, site, table, what = str(message.topic).split("/")
            said = read(what, bytes(message.payload))
            if said is None:
                topic = str(message.topic)
                if topic not in left_out:
                    click.echo(f"{visible(topic)}: not what this version of feltd reads; left out.", err=True)
                left_out.add(topic)
                continue
            heard = tables.heard.setdefault((site, table), Heard())
            if what == STATUS:
                heard.status = said
            else:
                heard.metrics = said
            if not heard.status and not heard.metrics:  # a table that was taken away
                del tables.heard[site, table]
