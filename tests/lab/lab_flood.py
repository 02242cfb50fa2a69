"""A table's answers while the page's unit wants all of the processor: the weight in that unit keeps them coming.

The guest has one processor and the kernel's own scheduler. The page's unit is the shipped one, with a program that
never ends in the place of its own. How many answers come is compared within one run, in turns, because an emulated
guest is now faster and now slower. What the shipped weight gives is compared with the weight that a unit has without
one. Nothing waits for an answer then, so nothing can starve: a second such program is in the place of a table.
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
USUAL = "100"
"""The weight of a unit that names none (systemd.resource-control(5)), and of all tables of a machine together."""
BUSY = "lab-busy.service"
# The processor's time that the page's unit got for each second of what runs beside it among the tables.
SHARE = f"""\
systemd-run --quiet --unit={BUSY} --slice=system-feltd.slice /bin/sh -c 'while :; do :; done'
cd /sys/fs/cgroup/system.slice
used() {{ awk '/^usage_usec/ {{ print $2 }}' {PAGE}/cpu.stat system-feltd.slice/{BUSY}/cpu.stat | xargs; }}
before=$(used); sleep {WINDOW_S:g}; after=$(used)
systemctl stop {BUSY}
echo $before $after | awk '{{ print ($3 - $1) / ($4 - $2) }}'
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


async def install_the_flood(guest: Machine) -> str:
    """Put an endless program in the place of the page's. Return the weight that its unit is shipped with."""
    await guest.run(f"install -m 644 /opt/systemd/{PAGE} /etc/systemd/system && mkdir -p /etc/systemd/system/{PAGE}.d")
    await asyncio.to_thread(guest.vm.write, f"/etc/systemd/system/{PAGE}.d/flood.conf", FLOOD)
    await guest.run("systemctl daemon-reload")
    return (await guest.run(f"systemctl show {PAGE} -p CPUWeight --value")).strip()


async def test_a_flood_in_the_pages_unit_leaves_a_table_its_answers(guest: Machine) -> None:
    shipped = await install_the_flood(guest)
    await guest.run("systemctl restart lab-mosquitto")
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


async def test_the_shipped_weight_leaves_the_page_a_fraction_and_the_usual_one_a_half(guest: Machine) -> None:
    shipped = await install_the_flood(guest)
    share = {}
    for weight in (shipped, USUAL):
        async with flooded(guest, weight):
            share[weight] = float(await guest.run(SHARE, BESIDE_A_FLOOD_S_MAX))
    assert share[shipped] <= 2 * int(shipped) / int(USUAL), share
    assert share[USUAL] >= 0.7, share
