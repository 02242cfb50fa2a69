"""`feltd schemas`: the public contract as files, for people who write a consumer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click
import msgspec

from daemon.errors import SetupError
from daemon.tools.folder import Folder
from daemon.tools.schemas.asyncapi import asyncapi
from daemon.tools.schemas.contract import Schema, data_schemas, messages
from daemon.visible import visible

ASYNCAPI_FILE: Final = "asyncapi.json"


def schema_files() -> dict[str, Schema]:
    """Return the content of every file, by its name."""
    told = messages()
    schemas = {message.name: message.schema for message in told} | data_schemas()
    return {f"{name}.json": schema for name, schema in schemas.items()} | {ASYNCAPI_FILE: asyncapi(told)}


@click.command()
@click.argument("directory", type=click.Path(path_type=Path, file_okay=False))
def schemas(directory: Path) -> None:
    """Write the JSON Schemas and the AsyncAPI document of MQTT.

    Write one file for each message, and asyncapi.json over all of them, into DIRECTORY. Create DIRECTORY if needed.
    """
    files = schema_files()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with Folder.opened(directory) as folder:
            for name, schema in files.items():
                folder.write(name, _readable(schema))
    except OSError as error:
        message = f"The schemas cannot be written: {error}."
        raise SetupError("schemas-not-written", message, "Name a directory that this user may write.") from error
    click.echo(f"{len(files)} files in {directory}")


def _readable(schema: Schema) -> bytes:
    """Return the file's content. A pattern names characters that draw nothing: an editor has to show them."""
    written = visible(msgspec.json.encode(schema).decode())
    return msgspec.json.format(written.encode(), indent=2) + b"\n"
