"""`feltd capture`: what a device really says, into a file that can be decoded, replayed and sent to a vendor."""

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
from daemon.config.settings import Config
from daemon.errors import SetupError
from daemon.tools.capture.recorder import Outside, begin, record, record_passively
from drivers.profile import DeviceSettings
from drivers.transports import open_transport

REAL: Final = Outside(stamp, open_transport)


@click.command()
@click.option("--config", "file", type=click.Path(path_type=Path), required=True, help="The table's TOML file.")
@click.option("--device", "name", required=True, help="Its name in that file.")
@click.option("-o", "--output", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="A new file; one that is there is not overwritten.")  # fmt: skip
@click.option("--passive", is_flag=True, help="Write nothing at all to the device.")
@click.option("--acknowledge", is_flag=True, help="Take the events for good: the daemon will never get them.")
def capture(file: Path, name: str, output: Path, passive: bool, acknowledge: bool) -> None:
    """Record a device's line until interrupted.

    Stop the table's daemon first: a port belongs to one program. The file is text with every byte in both directions
    and its time, and shows every card in clear, also those that no player has seen.

    What is written to the device: to a felt-link device the welcome that it waits for, and signs of life. Events are
    not acknowledged, so none is lost to the daemon; but such a device sends only eight of them and then repeats those.
    For longer recordings on a bench, --acknowledge. To Angel Eye and Bee-Tek shoes nothing is written ever. With
    --passive nothing is written to any device; one that speaks felt-link then only says hello.
    """
    if passive and acknowledge:
        raise click.UsageError("--passive and --acknowledge: an acknowledgement is written, give one of them")
    settings = device_named(load(file), name)
    try:
        handle = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except OSError as error:
        raise click.BadParameter(f"{output}: {error.strerror}", param_hint="--output") from None
    tell = partial(click.echo, err=True)
    with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as written:
        recording = begin(written, settings, getpass.getuser(), stamp)
        tell(f"Recording {name} at {settings.address} into {output}; interrupt to end.")
        running = (
            record_passively(recording, settings, REAL, tell=tell)
            if passive
            else record(recording, settings, REAL, acknowledges=acknowledge, tell=tell)
        )
        try:
            asyncio.run(until_interrupted(running))
        except SetupError:
            if not recording.chunks:  # the next try, with the port free, is not to be refused for it
                output.unlink()
            raise
    tell(f"{recording.chunks} chunks in {output}")


def device_named(config: Config, name: str) -> DeviceSettings:
    """The configured device of this name, or what there is instead."""
    for settings in config.devices:
        if settings.name == name:
            return settings
    there = ", ".join(settings.name for settings in config.devices)
    raise click.BadParameter(f"{config.file} has no device {name!r}; it has: {there}", param_hint="--device")


async def until_interrupted(work: Coroutine[Any, Any, Never]) -> None:
    """Let work go on until somebody interrupts; whatever it raises before that is raised."""
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, task.cancel)
    with suppress(asyncio.CancelledError):
        await task
