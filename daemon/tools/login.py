"""How a command that only reads logs in to a table's broker: never as the table, whose connection it could end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from daemon.config.files import UnreadableError, first_line
from daemon.config.option import FILE
from daemon.errors import SetupError
from daemon.mqtt.settings import MqttSettings, TlsSettings
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Login:
    """Who a command is at the broker: a name with a password, or what a certificate says."""

    user: str | None = None
    password_file: Path | None = None
    certificate_file: Path | None = None
    key_file: Path | None = None


def login_options(command: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options of a login, and call it with `login`."""

    @click.option("--user", help="The user at the broker, for example a display; it needs no command.")
    @click.option("--password-file", type=FILE, help="The file whose first line is its password.")
    @click.option("--certificate-file", type=FILE, help="A certificate that says who the user is, over TLS.")
    @click.option("--key-file", type=FILE, help="Its key, if the file of the certificate has none.")
    @wraps(command)
    def with_login(
        *args: Any,  # noqa: ANN401  # the command's own
        user: str | None,
        password_file: Path | None,
        certificate_file: Path | None,
        key_file: Path | None,
        **kwargs: Any,  # noqa: ANN401
    ) -> None:
        command(*args, login=Login(user, password_file, certificate_file, key_file), **kwargs)

    return with_login


def as_reader(table: MqttSettings, login: Login) -> MqttSettings:
    """Return how this user reaches the table's broker. Its session ends with the connection.

    Raise SetupError without a user if the table has one: many brokers end a user's first connection at the second.
    """
    is_nobody = login.user is None and login.certificate_file is None
    if is_nobody and table.logs_in:
        who = f"as {table.user}" if table.user is not None else "with a certificate"
        message = f"The table logs in to the broker {who}, and this command must not do the same."
        remedy = "Give it a user of its own, for example a display: --user and --password-file, or --certificate-file."
        raise SetupError("no-user", message, remedy)
    password = None if login.password_file is None else _password_in(login.password_file)
    tls = with_certificate(table.tls, login.certificate_file, login.key_file)
    return replace(table, user=login.user, password=password, tls=tls, client_id=None, session_expiry_s=0)


def with_certificate(table: TlsSettings | None, certificate: Path | None, key: Path | None) -> TlsSettings | None:
    """Return the table's TLS with this certificate in place of the table's own."""
    if table is None and certificate is None:
        return None
    return replace(table or TlsSettings(), certificate_file=certificate, key_file=key)


def _password_in(password_file: Path) -> str:
    """Return the password in this file, or raise SetupError."""
    try:
        return first_line(password_file)
    except UnreadableError as error:
        raise SetupError("password-file", f"{password_file}: this file {error}.", "Name another.") from error
