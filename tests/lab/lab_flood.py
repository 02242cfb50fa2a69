"""A table's answers while the page's unit wants all of the processor: the weight in that unit keeps them coming.

The guest has one processor and the kernel's own scheduler. The page's unit is the shipped one, with a program that
never ends in the place of its own. How many answers come is compared within one run, in turns, because an emulated
guest is now faster and now slower.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from daemon.mqtt.topics import Topics
from daemon.table.vocabulary import Actor
from daemon.tools.bench.client import TableClient, connected
from daemon.tools.bench.world import SITE, TABLE
from tests.lab.machine import Machine
from tests.lab.table import JOURNAL, UNIT, running

PAGE = "feltd-page.service"
WINDOW_S = 4.0
TURNS = 3
HEAVIER = 1_000  # fifty times what the page may have; a table still feeds the watchdog beside it
BESIDE_A_FLOOD_S_MAX = 240.0
FLOOD = """\
[Service]
ExecStart=
ExecStart=/bin/sh -c "for _ in 1 2 3 4; do while :; do :; done & done; wait"
"""
CONFIGURATION = f"""\
[table]
site = "{SITE}"
name = "{TABLE}"
seats = 1
game = "big-50"
deals_from = "shuffler"

[[limits]]
first_day = 2020-01-01
authorised_most_cents = 40000

[devices.shuffler]
profile = "felt-link-shuffler-faces"
address = "tcp:127.0.0.1:4001"

[mqtt]
host = "127.0.0.1"

[people]
file = "people.toml"

[journal]
path = "{JOURNAL}"
"""


async def answered(client: TableClient) -> int:
    """Ask as soon as the last question is answered; how often that was."""
    loop, count = asyncio.get_running_loop(), 0
    end = loop.time() + WINDOW_S
    while loop.time() < end:
        await client.ask("clear-alert", Actor.TECHNICIAN, alert="none")
        count += 1
    return count


@asynccontextmanager
async def flooded(guest: Machine, weight: str) -> AsyncIterator[None]:
    start = f"systemctl start {PAGE} && systemctl set-property --runtime {PAGE} CPUWeight={weight}"
    await guest.run(start, BESIDE_A_FLOOD_S_MAX)
    try:
        yield
    finally:
        await guest.run(f"systemctl stop {PAGE}", BESIDE_A_FLOOD_S_MAX)


async def test_a_flood_in_the_pages_unit_leaves_a_table_its_answers(guest: Machine) -> None:
    await guest.run(f"install -m 644 /opt/systemd/{PAGE} /etc/systemd/system && mkdir -p /etc/systemd/system/{PAGE}.d")
    await asyncio.to_thread(guest.vm.write, f"/etc/systemd/system/{PAGE}.d/flood.conf", FLOOD)
    await guest.run("systemctl daemon-reload; systemctl restart lab-mosquitto")
    shipped = (await guest.run(f"systemctl show {PAGE} -p CPUWeight --value")).strip()
    beside: Counter[str] = Counter()
    async with running(guest, CONFIGURATION), connected(guest.mqtt_port, Topics(SITE, TABLE)) as client:
        await guest.until(f"systemctl show {UNIT} -p StatusText --value | grep --quiet 'broker up'")
        for _ in range(TURNS):
            beside["nothing"] += await answered(client)
            async with flooded(guest, shipped):
                beside["the page"] += await answered(client)
            async with flooded(guest, str(HEAVIER)):
                beside["a heavier unit"] += await answered(client)
    assert 2 * beside["the page"] >= beside["nothing"], beside
    assert beside["the page"] >= 2 * beside["a heavier unit"], beside
