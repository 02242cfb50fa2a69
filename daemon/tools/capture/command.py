"""`feltd capture`: records a device's line into a file that can be decoded, replayed and sent to a vendor."""

from __future__ import annotations

import asyncio
import getpass
import os
import signal
from collections.abc import Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, Never

import click

from daemon.clock import stamp
from daemon.config.load import load
from daemon.config.option import FILE
from daemon.config.settings import Config
from daemon.errors import SetupError
from daemon.tools.capture.blinded import new_file, write_blinded
from daemon.tools.capture.recorder import Outside, begin, record, record_passively
from drivers.profile import DeviceSettings
from drivers.transports import open_transport

REAL: Final = Outside(stamp, open_transport)


@click.command()
@click.option("--config", "file", type=FILE, help="The table's TOML file.")
@click.option("--device", "name", help="The device's name in that file.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="A new file; an existing one is not overwritten.")  # fmt: skip
@click.option("--passive", is_flag=True, help="Write nothing at all to the device.")
@click.option("--acknowledge", is_flag=True, help="Take the events permanently: the daemon never gets them.")
@click.option("--for-the-project", "recording", type=click.Path(exists=True, dir_okay=False, path_type=Path),
              metavar="RECORDING", help="Record nothing: write a recording so that it can be given away.")  # fmt: skip
@click.option("--key", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE",
              help="With --for-the-project: the site's own key. A missing file is made.")  # fmt: skip
def capture(file: Path | None, name: str | None, output: Path, passive: bool, acknowledge: bool,
            recording: Path | None, key: Path | None) -> None:  # fmt: skip
    """Record a device's line until interrupted.

    Stop the table's daemon first: a port belongs to one program. The file is text with every byte in both directions
    and its time. It shows every card in clear, also cards that no player has seen.

    Events are not acknowledged, so the daemon loses none. A felt-link device gets the welcome that it waits for, and
    signs of life; without acknowledgements it sends only eight events and repeats them. For longer recordings on a
    bench use --acknowledge. Nothing is ever written to a shoe that does not speak felt-link. With --passive nothing is
    written to any device; a felt-link device then only says hello.

    With --for-the-project another recording is written in which every card stands for another one and serial numbers
    are replaced, by a key that stays with the site. Everything else is the same bit by bit.
    """
    if recording is not None:
        if key is None or file is not None or name is not None or passive or acknowledge:
            raise click.UsageError("--for-the-project takes a recording, --key and --output, and records nothing")
        write_blinded(recording, key, output)
        return
    if file is None or name is None:
        raise click.UsageError("--config and --device name what is recorded, and one of them is missing")
    if passive and acknowledge:
        raise click.UsageError("--passive writes nothing and --acknowledge writes acknowledgements; give one of them")
    settings = device_named(load(file), name)
    handle = new_file(output, "--output")
    tell = partial(click.echo, err=True)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as written:
        recorded = begin(written, settings, getpass.getuser(), stamp)
        tell(f"Recording {name} at {settings.address} into {output}; interrupt to end.")
        running = (
            record_passively(recorded, settings, REAL, tell=tell)
            if passive
            else record(recorded, settings, REAL, acknowledges=acknowledge, tell=tell)
        )
        try:
            asyncio.run(until_interrupted(running))
        except SetupError:
            if not recorded.chunks:  # an empty file would make the next try fail
                output.unlink()
            raise
    tell(f"{recorded.chunks} chunks in {output}")


def device_named(config: Config, name: str) -> DeviceSettings:
    """Return the configured device of this name, or raise with the names that there are."""
    for settings in config.devices:
        if settings.name == name:
            return settings
    there = ", ".join(settings.name for settings in config.devices)
    raise click.BadParameter(f"{config.file} has no device {name!r}; it has: {there}", param_hint="--device")


async def until_interrupted(work: Coroutine[Any, Any, Never]) -> None:
    """Run `work` until SIGINT or SIGTERM. Raise what it raises before that."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
