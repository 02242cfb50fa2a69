"""Serial ports of this machine: their names, who may open them, who has them open, and feltd's udev rules."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from daemon.tools.doctor.account import Account
from daemon.tools.doctor.findings import Finding, Verdict, fine, problem, warning
from drivers.transports.holders import PROC, holders

DEV: Final = Path("/dev")
RULES_FILE: Final = "60-feltd.rules"
RULES_FOLDERS: Final = tuple(map(Path, ("/etc/udev/rules.d", "/run/udev/rules.d", "/usr/lib/udev/rules.d")))
_GROUP_MAY: Final = stat.S_IRGRP | stat.S_IWGRP
_NOT_IN_THE_UNIT: Final = ("tmp", "home", "root")  # PrivateTmp and ProtectHome of systemd/feltd@.service
SYS: Final = Path("/sys/class/tty")
_NO_CHIP: Final = "0"  # linux/serial_core.h, PORT_UNKNOWN: a name for which there is no hardware
_KINDS: Final = ("ttyUSB*", "ttyACM*")
_NAMED: Final = ("serial/by-id/*", "serial/by-path/*")


def ports(dev: Path = DEV, configured: Sequence[Path] = (), sys: Path = SYS) -> dict[Path, tuple[Path, ...]]:
    """Return each port that is built in, plugged in or configured, with its lasting names, the best first."""
    plugged_in = (path for kind in _KINDS for path in sorted(dev.glob(kind)))
    found: dict[Path, list[Path]] = {path: [] for path in (*plugged_in, *built_in(dev, sys))}
    names = [name for pattern in _NAMED for name in sorted(dev.glob(pattern))]
    for name in (*names, *(path for path in configured if path not in names)):
        if name.exists():
            leading = found.setdefault(name.resolve(), [])
            if name != name.resolve():
                leading.append(name)
    return {port: tuple(leading) for port, leading in found.items()}


def built_in(dev: Path = DEV, sys: Path = SYS) -> tuple[Path, ...]:
    """Return the ports of the board. The kernel has names for ports that do not exist; only those with a chip count."""
    chips = ((kind.parent.name, kind.read_text().strip()) for kind in sorted(sys.glob("*/type")))
    return tuple(dev / name for name, chip in chips if chip != _NO_CHIP and (dev / name).exists())


def check_port(
    port: Path, names: Sequence[Path], whose: Account | None = None, *, proc: Path = PROC, is_ours: bool = True
) -> Iterator[Finding]:
    """Check one port without opening it, with the rights of this user or of ourselves.

    A port that is not ours may belong to another program, so a missing right on it is only a warning.
    """
    subject = str(names[0] if names else port)
    entry = port.stat()
    if not stat.S_ISCHR(entry.st_mode):
        yield problem("port", subject, f"{port} is not a device.", "Choose a port that `ls /dev/serial/by-id` shows.")
        return
    yield from (_hidden_from_the_unit(name) for name in names if name.parts[1] in _NOT_IN_THE_UNIT)
    held_by = holders(port, proc)
    held = f"; open in {', '.join(map(str, held_by))}" if held_by else "; no process that we may see has it open"
    yield fine("port", subject, f"is {port}{held}.")
    if whose is None:
        found = access(subject, entry, _user(os.geteuid()), may=os.access(port, os.R_OK | os.W_OK))
    else:
        found = access(subject, entry, whose.name, may=whose.may_open(entry))
    yield found if is_ours or found.verdict is Verdict.OK else replace(found, verdict=Verdict.WARNING)


def access(subject: str, entry: os.stat_result, us: str, *, may: bool) -> Finding:
    """Check who may open a port, and which right is missing."""
    group = _group(entry.st_gid)
    who = f"{_user(entry.st_uid)} and group {group} may open it (mode {stat.filemode(entry.st_mode)})"
    if may:
        return fine("access", subject, f"{who}; {us} may.")
    if entry.st_gid and entry.st_mode & _GROUP_MAY == _GROUP_MAY:
        remedy = f"As root: usermod -aG {group} {us}, and log in again."
    else:
        remedy = f"Install feltd's udev rules ({RULES_FILE}), or give the port a group in a rule of your own."
    return problem("access", subject, f"{who}; {us} may not.", remedy)


def _hidden_from_the_unit(name: Path) -> Finding:
    said = "feltd's unit has a /tmp of its own (PrivateTmp) and sees no home directory (ProtectHome)."
    return warning("port", str(name), said, "For a table that the unit runs, put the name into /run/feltd-bench.")


def check_rules(folders: Sequence[Path] = RULES_FOLDERS) -> Finding:
    """Check whether feltd's udev rules are installed."""
    for folder in folders:
        if (folder / RULES_FILE).exists():
            return fine("udev-rules", RULES_FILE, f"is in {folder}.")
    said = "is not installed: ModemManager may write to new ports, and feltd may not open felt-link USB devices."
    return warning("udev-rules", RULES_FILE, said, f"Install systemd/{RULES_FILE} into {folders[0]}.")


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)
