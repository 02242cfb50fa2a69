"""How a command that only reads logs in to a table's broker: never as the table, whose connection it could end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from daemon.config.files import UnreadableError, text_of
from daemon.errors import SetupError
from daemon.mqtt.settings import MqttSettings


def as_reader(table: MqttSettings, user: str | None, password_file: Path | None) -> MqttSettings:
    """Return how this user reaches the table's broker. Its session ends with the connection.

    Raise SetupError without a user if the table has one: many brokers end a user's first connection at the second.
    """
    if user is None and table.user is not None:
        message = f"The table logs in to the broker as {table.user}, and this command must not do the same."
        remedy = "Give it a user of its own with --user and --password-file, for example a display."
        raise SetupError("no-user", message, remedy)
    password = None if password_file is None else first_line(password_file)
    own = None if table.tls is None or user is None else replace(table.tls, certificate_file=None, key_file=None)
    tls = table.tls if user is None else own
    return replace(table, user=user, password=password, tls=tls, client_id=None, session_expiry_s=0)


def first_line(password_file: Path) -> str:
    """Return the password in this file, or raise SetupError."""
    try:
        return text_of(password_file).partition("\n")[0]
    except UnreadableError as error:
        raise SetupError("password-file", f"{password_file}: this file {error}.", "Name another.") from error
