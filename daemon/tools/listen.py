"""`feltd listen`: prints what `mosquitto_sub -v` prints, on a machine that does not have it."""

from __future__ import annotations

import asyncio
from typing import Final, Never

import aiomqtt
import click

from daemon.errors import OutageError
from daemon.tools.bench.broker import FIRST_CHOICE, LOOPBACK

AGAIN_S: Final = 1.0  # as long as mosquitto_sub waits
_MISSED: Final = (
    "Messages that were published meanwhile and not retained are missing here: a hole in the events' sequence shows "
    "it, and cmd/resend asks for them."
)


@click.command()
@click.argument("topics", nargs=-1)
@click.option("--host", default=LOOPBACK, show_default=True)
@click.option("--port", type=click.IntRange(1, 65535), default=FIRST_CHOICE, show_default=True)
def listen(topics: tuple[str, ...], host: str, port: int) -> None:
    """Print every message on these topics: the topic, a blank, the payload.

    Without a topic it prints every table's. If the broker goes away, it waits for the broker.
    """
    try:
        asyncio.run(_listen(topics or ("felt/#",), host, port))
    except aiomqtt.MqttError as error:
        message = f"No connection to the broker at {host}:{port}: {error}."
        raise OutageError("listen.broker-away", message, "Start the broker, or name its host and port.") from error
    except KeyboardInterrupt:
        pass


async def _listen(topics: tuple[str, ...], host: str, port: int) -> Never:
    """Connect again after each loss. Missed messages are not asked for: `cmd/resend` is the reader's to send."""
    was_there = is_there = False
    while True:
        try:
            async with aiomqtt.Client(host, port, protocol=aiomqtt.ProtocolVersion.V5) as client:
                for topic in topics:
                    await client.subscribe(topic, qos=1)
                if was_there:
                    click.echo(f"The broker at {host}:{port} is back. {_MISSED}", err=True)
                was_there = is_there = True
                async for message in client.messages:
                    click.echo(f"{message.topic} {bytes(message.payload).decode('utf-8', 'replace')}")
        except aiomqtt.MqttError as error:
            if not was_there:
                raise
            if is_there:
                click.echo(f"The broker at {host}:{port} is gone: {error}. Trying again until it is back.", err=True)
            is_there = False
        await asyncio.sleep(AGAIN_S)
