"""A user of this machine, and what files they may read and write."""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from daemon.config.settings import Config
from daemon.mqtt.settings import TlsSettings
from daemon.tools.doctor.findings import Finding, fine, problem
from protocols.frozen import dataclass

_READ, _WRITE, _ENTER = 0o4, 0o2, 0o1
_OF_THE_UNIT: Final = "feltd-{table}"  # User= of systemd/feltd@.service


@dataclass(frozen=True, slots=True)
class Account:
    """A user of this machine as the kernel knows them: a number, and the groups that they are in."""

    name: str
    number: int
    groups: frozenset[int]

    def may_open(self, entry: os.stat_result) -> bool:
        """Return whether owner, group and mode let the user read and write. Access lists are not looked at."""
        return self._has(entry, _READ | _WRITE)

    def kept_from(self, path: Path) -> Path | None:
        """Return the file, or the directory above it, that keeps this user from reading the file. None if none does."""
        for directory in reversed(path.parents):
            if not self._has(directory.stat(), _ENTER):
                return directory
        return None if self._has(path.stat(), _READ) else path

    def _has(self, entry: os.stat_result, rights: int) -> bool:
        if self.number == 0:
            return True
        shift = 6 if entry.st_uid == self.number else 3 if entry.st_gid in self.groups else 0
        return entry.st_mode >> shift & rights == rights


def account(name: str) -> Account:
    """Return the user of this name, or raise KeyError."""
    known = pwd.getpwnam(name)
    return Account(name, known.pw_uid, frozenset(os.getgrouplist(name, known.pw_gid)))


def of_the_unit(table_file: Path) -> Account | None:
    """Return the user that systemd runs the table of this file as, for root, who may do everything. None for others."""
    if os.geteuid() == 0:
        with suppress(KeyError):
            return account(_OF_THE_UNIT.format(table=table_file.stem))
    return None


def check_files(config: Config, whose: Account | None) -> Iterator[Finding]:
    """Check whether the table's user may read what its configuration consists of. For ourselves, reading it has."""
    if whose is None:
        return
    yield from check_readable([path.absolute() for path in _read_by_a_table(config)], whose)


def check_readable(files: Sequence[Path], whose: Account) -> Iterator[Finding]:
    """Check whether a user may read these files, of which the first names the others."""
    kept_from = [(path, where) for path in files if path.exists() and (where := whose.kept_from(path)) is not None]
    for path, where in kept_from:
        remedy = f"chgrp feltd {where} && chmod {'g+rx' if where.is_dir() else 'g+r'} {where}"
        yield problem("file", str(path), f"{whose.name} may not read it, because of the rights on {where}.", remedy)
    if not kept_from:
        yield fine("file", str(files[0]), f"{whose.name} may read it, and the files that it names.")


def _read_by_a_table(config: Config) -> Iterator[Path]:
    tls = config.mqtt.tls or TlsSettings()
    yield config.file
    for path in (config.people, tls.ca_file, tls.certificate_file, tls.key_file):
        if path is not None:
            yield path
