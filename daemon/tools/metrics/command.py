"""`feltd metrics`: the figures of all tables of a broker, for Prometheus."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Final

import click

from daemon import logs
from daemon.config.document import InvalidConfigurationError, text_or_error
from daemon.config.load import examine
from daemon.config.option import FILE
from daemon.config.sections import Sections
from daemon.config.settings import broker_of
from daemon.logs import LogLevel
from daemon.tools.login import Login, as_reader, login_options

HOST: Final = "127.0.0.1"
PORT: Final = 9464
"""The port that the OpenTelemetry project gives to exporters for Prometheus. Nothing else of ours has it."""


@click.command()
@click.option("--config", "file", type=FILE, required=True,
              help="Any table's TOML file: it names site and broker.")  # fmt: skip
@login_options
@click.option("--host", default=HOST, show_default=True, help="Listen at this address of this machine.")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True)
def metrics(file: Path, host: str, port: int, login: Login) -> None:
    """Serve every table's figures to Prometheus, at /metrics.

    It hears the broker that FILE names and covers all tables of that site. It publishes nothing and opens neither a
    device nor a journal. It runs until it is interrupted.
    """
    logs.configure(LogLevel.WARNING)
    sections = examine(text_or_error(file))
    if not isinstance(sections, Sections):
        raise InvalidConfigurationError(file, sections)
    settings = as_reader(broker_of(sections, file), login)
    from daemon.tools.metrics.page import serve  # only here: `feltd --help` needs no web server

    asyncio.run(serve(sections.table.site, settings, host, port))
