"""`feltd listen`: what `mosquitto_sub -v` prints, for a machine that has none."""

from __future__ import annotations

import asyncio
from typing import Final, Never

import aiomqtt
import click

from daemon.errors import OutageError
from daemon.tools.bench.broker import FIRST_CHOICE, LOOPBACK

AGAIN_S: Final = 1.0  # as long as mosquitto_sub waits
_MISSED: Final = (
    "What was published meanwhile and not retained is missing here: a hole in the events' sequence shows it, and "
    "cmd/resend asks for it."
)


@click.command()
@click.argument("topics", nargs=-1)
@click.option("--host", default=LOOPBACK, show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=FIRST_CHOICE, show_default=True)
def listen(topics: tuple[str, ...], host: str, port: int) -> None:
    """Print every message on these topics: the topic, a blank, the payload.

    Without a topic, every table's. A broker that goes away is waited for.
    """
    try:
        asyncio.run(_listen(topics or ("felt/#",), host, port))
    except aiomqtt.MqttError as error:
        message = f"No connection to the broker at {host}:{port}: {error}."
        raise OutageError("listen.broker-away", message, "Start it, or name its host and port.") from error
    except KeyboardInterrupt:
        pass


async def _listen(topics: tuple[str, ...], host: str, port: int) -> Never:
    """A broker that was there once is waited for. What it said meanwhile is not made up for: that is `cmd/resend`'s."""
    was_there = is_there = False
    while True:
        try:
            async with aiomqtt.Client(host, port, protocol=aiomqtt.ProtocolVersion.V5) as client:
                await _subscribe(client, topics)
                if was_there:
                    _note(f"The broker at {host}:{port} is back. {_MISSED}")
                was_there = is_there = True
                await _print(client)
        except aiomqtt.MqttError as error:
            if not was_there:
                raise
            if is_there:
                _note(f"The broker at {host}:{port} is gone: {error}. It is tried again until it is back.")
            is_there = False
        await asyncio.sleep(AGAIN_S)


def _note(what: str) -> None:
    """Beside the messages, not among them: another program may read those."""
    click.echo(what, err=True)


async def _subscribe(client: aiomqtt.Client, topics: tuple[str, ...]) -> None:
    for topic in topics:
        await client.subscribe(topic, qos=1)


async def _print(client: aiomqtt.Client) -> None:
    async for message in client.messages:
        click.echo(f"{message.topic} {bytes(message.payload).decode('utf-8', 'replace')}")
