"""`feltd listen`: what `mosquitto_sub -v` prints, for a machine that has none."""

from __future__ import annotations

import asyncio

import aiomqtt
import click

from daemon.bench.broker import FIRST_CHOICE, LOOPBACK
from daemon.errors import OutageError


@click.command()
@click.argument("topics", nargs=-1)
@click.option("--host", default=LOOPBACK, show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=FIRST_CHOICE, show_default=True)
def listen(topics: tuple[str, ...], host: str, port: int) -> None:
    """Print every message on these topics: the topic, a blank, the payload.

    Without a topic, every table's.
    """
    try:
        asyncio.run(_listen(topics or ("felt/#",), host, port))
    except aiomqtt.MqttError as error:
        message = f"No connection to the broker at {host}:{port}: {error}."
        raise OutageError("listen.broker-away", message, "Start it, or name its host and port.") from error
    except KeyboardInterrupt:
        pass


async def _listen(topics: tuple[str, ...], host: str, port: int) -> None:
    async with aiomqtt.Client(host, port, protocol=aiomqtt.ProtocolVersion.V5) as client:
        for topic in topics:
            await client.subscribe(topic, qos=1)
        async for message in client.messages:
            click.echo(f"{message.topic} {bytes(message.payload).decode('utf-8', 'replace')}")
