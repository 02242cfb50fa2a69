"""`feltd listen`: prints what `mosquitto_sub -v` prints, and reaches a broker as the table itself does."""

from __future__ import annotations

import asyncio
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Final, Never
from uuid import uuid4

import aiomqtt
import click

from daemon import logs
from daemon.config.load import load
from daemon.config.option import FILE
from daemon.errors import FeltdError, OutageError
from daemon.logs import LogLevel
from daemon.mqtt.client import connected
from daemon.mqtt.delivery import BrokerAwayError
from daemon.mqtt.settings import MqttSettings, MqttVersion, TlsSettings
from daemon.mqtt.topics import Topics
from daemon.tools.bench.broker import FIRST_CHOICE, LOOPBACK
from daemon.tools.login import Login, as_reader, login_options
from daemon.visible import visible

AGAIN_S: Final = 1.0  # as long as mosquitto_sub waits
EVERYTHING: Final = ("felt/#",)
TOPIC_BYTES_MAX: Final = 65_535  # MQTT 5.0, 1.5.4
_FILTER: Final = re.compile(r"#|(?:\+|[^+#/]*)(?:/(?:\+|[^+#/]*))*(?:/#)?")  # MQTT 5.0, 4.7.1
_MISSED: Final = (
    "Messages that were published meanwhile and not retained are missing here: a hole in the events' sequence shows "
    "it, and cmd/resend asks for them."
)


def _filters(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """Refuse what no broker takes: the library would end with an error of its own."""
    for topic in given:
        fits = 0 < len(topic.encode(errors="surrogateescape")) <= TOPIC_BYTES_MAX and topic.isprintable()
        if not (fits and _FILTER.fullmatch(topic)):
            said = "a topic, with + for one level of it, and # at its end for everything below, as felt/v1/+/table7/#"
            raise click.BadParameter(f"expected {said}")
    return given


@click.command()
@click.argument("topics", nargs=-1, callback=_filters)
@click.option("--config", "file", type=FILE, help="A table's TOML file, which names its broker.")
@click.option("--host", help=f"By default the file's, or {LOOPBACK}.")
@click.option("--port", type=click.IntRange(1, 65535), help=f"By default the file's, or {FIRST_CHOICE}.")
@click.option("--mqtt", "version", type=click.Choice([each.value for each in MqttVersion]), help="By default 5.")
@login_options
@click.option("--ca-file", type=click.Path(path_type=Path), help="Speak TLS, with this certificate authority.")
def listen(
    topics: tuple[str, ...],
    file: Path | None,
    host: str | None,
    port: int | None,
    version: str | None,
    ca_file: Path | None,
    login: Login,
) -> None:
    """Print every message on these topics: the topic, a blank, the payload.

    Without a topic it prints every table's, and with --config everything that the table says to everybody. If the
    broker goes away, it waits for the broker.
    """
    logs.configure(LogLevel.WARNING, sys.stderr)  # no line of ours between the messages
    settings = MqttSettings(host=LOOPBACK, port=FIRST_CHOICE)
    if file is not None:
        config = load(file)
        settings = config.mqtt
        # The filters that every user may read. Some brokers refuse a filter that covers more.
        own = Topics(config.table.site, config.table.table)
        topics = topics or (own.status, own.state, own.devices, own.alerts, own.event("+"))
    changes: dict[str, object] = {"host": host, "port": port, "version": version and MqttVersion(version)}
    changes["tls"] = None if ca_file is None else TlsSettings(ca_file=ca_file)
    settings = replace(settings, **{key: value for key, value in changes.items() if value is not None})  # type: ignore[arg-type]
    try:
        asyncio.run(_listen(topics or EVERYTHING, as_reader(settings, login)))
    except BrokerAwayError as error:
        remedy = "Start the broker, or name its host and port."
        raise OutageError("listen.broker-away", error.message, remedy) from error
    except KeyboardInterrupt:
        pass


async def _listen(topics: tuple[str, ...], settings: MqttSettings) -> Never:
    """Connect again after each loss. Missed messages are not asked for: `cmd/resend` is the reader's to send."""
    was_there = is_there = False
    where = f"{settings.host}:{settings.port}"
    while True:
        try:
            async with connected(settings, f"{settings.user or 'feltd'}:listen-{uuid4().hex[:8]}", None) as client:
                for topic in topics:
                    await client.listen(topic)
                if was_there:
                    click.echo(f"The broker at {where} is back. {_MISSED}", err=True)
                was_there = is_there = True
                async for message in client.messages:
                    click.echo(visible(f"{message.topic} {bytes(message.payload).decode('utf-8', 'replace')}"))
                    client.acknowledge(message)
        except (aiomqtt.MqttError, BrokerAwayError) as error:
            if not was_there:
                raise
            if is_there:
                said = error.message if isinstance(error, FeltdError) else str(error)
                click.echo(f"The broker at {where} is gone: {said}. Trying again until it is back.", err=True)
            is_there = False
        await asyncio.sleep(AGAIN_S)
