"""A table of the guest: its daemon under its own unit, started as a technician starts it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from daemon.tools.bench.world import TABLE, people_file
from tests.lab.machine import Machine

UNIT = f"feltd@{TABLE}"
JOURNAL = f"/var/lib/feltd/{TABLE}/journal.db"
_FILE = f"/etc/feltd/{TABLE}.toml"
_PEOPLE = "/etc/feltd/people.toml"  # the bench's configuration names it so, beside itself
_SEATS = 6
START_S_MAX = 120.0


@asynccontextmanager
async def running(guest: Machine, configuration: str) -> AsyncIterator[None]:
    """From its first start on; nothing of the table is left afterwards."""
    await asyncio.to_thread(guest.vm.write, _FILE, configuration)
    await asyncio.to_thread(guest.vm.write, _PEOPLE, people_file(_SEATS))
    try:
        await guest.run(f"systemctl restart feltd-user@{TABLE}")  # its directory, which the table before took along
        await guest.run(f"runuser -u feltd-{TABLE} -- /opt/feltd/bin/feltd create-journal --config {_FILE}")
        await guest.run(f"systemctl start {UNIT}", START_S_MAX)
        yield
    except BaseException as error:
        error.add_note(await guest.run(f"journalctl --no-pager -o cat -u {UNIT} | tail -n 40"))
        raise
    finally:
        await guest.run(f"systemctl stop {UNIT}; rm -rf /var/lib/feltd/{TABLE} {_FILE} {_PEOPLE}")
