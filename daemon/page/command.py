"""`feltd page`: the screens for a browser."""

from __future__ import annotations

from pathlib import Path
from types import MappingProxyType
from typing import Final

import click

from daemon import logs
from daemon.config.option import FILE
from daemon.config.page import DEFAULT_PORT, LOOPBACK, PageSettings, load_page
from daemon.mqtt.settings import MqttSettings
from daemon.page import app

BENCH: Final = "bench"
BENCH_BROKER_PORT: Final = 18_830


@click.command()
@click.option("--config", "file", type=FILE, help="The page's TOML file.")
@click.option("--broker", type=click.IntRange(1, 65535), help="Without a file: the port of a broker on this machine.")
@click.option("--site", default=BENCH, show_default=True, help="Without a file: the site whose tables are shown.")
@click.option("--port", type=click.IntRange(0, 65535), default=DEFAULT_PORT, show_default=True, help="Listen here.")
@click.option("--trial-user", "trial_users", multiple=True, help="Let this user in without a password. For a trial.")
@click.option(
    "--people",
    "people_file",
    type=click.Path(path_type=Path),
    help="Offer each user what this file of people lets them do.",
)
@click.option("--journal", "journals", type=(str, click.Path(path_type=Path)), multiple=True, metavar="TABLE FILE",
              help="Read this table's rounds also from its journal.")  # fmt: skip
def page(
    file: Path | None,
    broker: int | None,
    site: str,
    port: int,
    trial_users: tuple[str, ...],
    people_file: Path | None,
    journals: tuple[tuple[str, Path], ...],
) -> None:
    """Serve the screens of the tables to browsers.

    It ends with SIGTERM or Ctrl-C. Without --config it is for a trial: it listens on this machine only, and reads a
    broker of this machine. A bench's broker checks no passwords, so name its users with --trial-user.
    """
    if file is not None:
        if broker is not None or trial_users or people_file is not None or journals:
            raise click.UsageError("--broker, --trial-user, --people and --journal are for a trial without --config")
        settings = load_page(file)
    else:
        settings = PageSettings(
            site=site,
            mqtt=MqttSettings(host=LOOPBACK, port=broker or BENCH_BROKER_PORT, session_expiry_s=0),
            port=port,
            trial_users=trial_users,
            people_file=people_file,
            journals=MappingProxyType(dict(journals)),
        )
    logs.configure(settings.log_level)
    app.run(settings, lambda address: click.echo(f"Open {address} in a browser.", err=True))
