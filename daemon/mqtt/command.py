"""`feltd schemas`: the public contract as files, for whoever writes a consumer."""

from __future__ import annotations

from pathlib import Path

import click

from daemon.errors import SetupError
from daemon.mqtt.schemas import write_schemas


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def schemas(directory: Path) -> None:
    """Write the JSON Schemas and the AsyncAPI document of MQTT.

    One file a message, asyncapi.json over all of them, into DIRECTORY, which is made if it is not there.
    """
    try:
        written = write_schemas(directory)
    except OSError as error:
        message = f"The schemas cannot be written: {error}."
        raise SetupError("schemas-not-written", message, "Name a directory that this user may write.") from error
    click.echo(f"{len(written)} files in {directory}")
