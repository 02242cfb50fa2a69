"""The password that systemd gives to a table, looked for while the table is stopped or runs; and who else can read
what it gives to the programs beside it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from daemon.config.files import UnreadableError, first_line
from daemon.tools.doctor.findings import Finding, fine, problem, warning
from protocols.frozen import dataclass

CHECK: Final = "credential"
_SYSTEMCTL_S_MAX: Final = 10
_FOR_OTHERS: Final = 0o077


@dataclass(frozen=True, slots=True)
class Credential:
    """What was found out of a credential, and the password if this user may read it."""

    finding: Finding
    password: str | None = None


def find_credential(name: str, table: str) -> Credential:
    """Ask systemd where the unit of this table takes the credential from, and look there."""
    return find_in_unit(name, f"feltd@{table}", "password_credential")


def find_in_unit(name: str, unit: str, key: str) -> Credential:
    """Ask systemd where the unit takes the credential from, which this key of its file names, and look there."""
    loaded = _loaded_by(unit)
    if loaded is None:
        said = "systemd cannot be asked here where it comes from."
        return Credential(warning(CHECK, name, said, "Run doctor on the machine of the unit."))
    if name not in loaded:
        known = ", ".join(loaded) or "none"
        remedy = f"Correct {key}, or add LoadCredential={name}:PATH with systemctl edit {unit}."
        return Credential(problem(CHECK, name, f"is not loaded by {unit}; its credentials: {known}.", remedy))
    return _looked_into(Path(loaded[name]), name, unit)


def check_secrets_beside(table: str) -> Iterator[Finding]:
    """Yield a problem for each secret of the page and of the metrics that others than root can read."""
    for unit in ("feltd-page", f"feltd-metrics@{table}"):
        for name, path in (_loaded_by(unit) or {}).items():
            source = Path(path)
            with suppress(OSError):  # it is not there, or this user may not look for it
                if source.stat().st_mode & _FOR_OTHERS:
                    yield _open(f"{name} of {unit}", source)


def _looked_into(source: Path, name: str, unit: str) -> Credential:
    remedy = f"Write the password to {source}: install -m 600 /dev/null {source}, and then an editor."
    try:
        password = first_line(source)
    except UnreadableError as error:
        if isinstance(error.__context__, PermissionError):
            said = f"comes from {source}, which only root can read."
            return Credential(warning(CHECK, name, said, "Run doctor as root to have the broker tried with it."))
        return Credential(problem(CHECK, name, f"comes from {source}, and this file {error}.", remedy))
    if not password:
        return Credential(problem(CHECK, name, f"comes from {source}, whose first line is empty.", remedy))
    if source.stat().st_mode & _FOR_OTHERS:
        return Credential(_open(name, source), password)
    return Credential(fine(CHECK, name, f"is given to {unit} from {source}."), password)


def _open(subject: str, source: Path) -> Finding:
    closed = f"chmod 600 {source}; systemd reads it as root."
    return problem(CHECK, subject, f"comes from {source}, which others than root can read.", closed)


def _loaded_by(unit: str) -> dict[str, str] | None:
    """Return the credentials that the unit loads, by name, or None if there is no systemd to ask."""
    systemctl = shutil.which("systemctl")
    if systemctl is None:
        return None
    words = [systemctl, "cat", unit]  # `systemctl show` does not print them
    try:
        asked = subprocess.run(words, capture_output=True, text=True, timeout=_SYSTEMCTL_S_MAX, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        return None
    if asked.returncode != 0:
        return None
    return dict(_credentials(asked.stdout, unit.partition("@")[2]))


def _credentials(text: str, instance: str) -> Iterator[tuple[str, str]]:
    """Yield name and path of each credential that a unit with its drop-ins loads from a file."""
    for line in text.splitlines():
        key, _, value = line.strip().partition("=")
        name, _, path = value.partition(":")
        if key == "LoadCredential" and path:
            yield name, path.replace("%i", instance)
