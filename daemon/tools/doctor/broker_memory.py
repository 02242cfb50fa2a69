"""The memory of a broker on this machine: whether its unit bounds it.

No access list bounds what a user, or with RabbitMQ 3.10 who has not logged in, has a broker keep. Only systemd can say
whether there is a bound, and only on the broker's own machine. A broker elsewhere, in a container or started by hand
is not a warning: its table would have one permanently. The finding then says what was not seen.
"""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from daemon.mqtt.settings import MqttSettings
from daemon.tools.doctor.findings import Finding, fine, warning

UNITS: Final = ("mosquitto.service", "nats-server.service", "rabbitmq-server.service")
_ASKED: Final = ("Id", "ActiveState", "MemoryMax", "Restart")
_NO_BOUND: Final = "infinity"
_SYSTEMCTL_S_MAX: Final = 5.0
_RESOLVE_S_MAX: Final = 5.0


async def check_memory(settings: MqttSettings) -> list[Finding]:
    """Check each broker's unit that runs on this machine, if the table's broker is here."""
    where = f"{settings.host}:{settings.port}"
    if not await _is_here(settings.host):
        said = "is not on this machine. Whether its memory is bounded can be seen only there (systemd/README.md)."
        return [fine("broker-memory", where, said)]
    found = list(_units(await asyncio.to_thread(_shown)))
    if not found:
        said = (
            f"runs in none of the units that doctor knows ({', '.join(UNITS)}): no bound of its memory was looked for."
        )
        return [fine("broker-memory", where, said)]
    return found


async def _is_here(host: str) -> bool:
    """Return whether an address of this host is one of this machine: no other can be bound."""
    asked = asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_DGRAM)
    try:
        addresses = await asyncio.wait_for(asked, _RESOLVE_S_MAX)
    except (OSError, UnicodeError):  # a time-out is an OSError, too
        return False
    for family, kind, number, _, address in addresses:
        with suppress(OSError), socket.socket(family, kind, number) as tried:
            tried.bind(address)
            return True
    return False


def _shown() -> str:
    """Return what systemd says of the units, or nothing where it does not run."""
    systemctl = shutil.which("systemctl")
    if systemctl is None:
        return ""
    words = [systemctl, "show", f"--property={','.join(_ASKED)}", *UNITS]
    try:
        asked = subprocess.run(words, capture_output=True, text=True, timeout=_SYSTEMCTL_S_MAX, check=False)  # noqa: S603
    except (subprocess.TimeoutExpired, OSError):
        return ""
    return asked.stdout if asked.returncode == 0 else ""


def _units(shown: str) -> Iterator[Finding]:
    """Yield a finding for each unit that runs. `systemctl show` has a blank line between two units."""
    for block in shown.split("\n\n"):
        said = dict(line.partition("=")[::2] for line in block.splitlines())
        unit, most = said.get("Id", ""), said.get("MemoryMax", "")
        if said.get("ActiveState") != "active" or unit not in UNITS or not most:
            continue
        if most == _NO_BOUND:
            text = "has no bound for its memory. A user, at RabbitMQ anybody, can fill the machine's."
            place = f"/etc/systemd/system/{unit}.d/feltd.conf"
            remedy = f"Copy systemd/broker-memory.conf to {place}, then systemctl daemon-reload."
            yield warning("broker-memory", unit, text, remedy)
        elif said.get("Restart") == "no":
            text = "is ended at the bound of its memory, and not started again."
            yield warning("broker-memory", unit, text, "Add Restart=always, as systemd/broker-memory.conf has it.")
        else:
            yield fine("broker-memory", unit, f"has at most {most} bytes of memory.")
