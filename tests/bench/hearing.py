"""A subscriber, which says of each event when it heard it.

A process of its own: `python -m tests.bench.hearing PORT`. The emulated machine and the people are busy when a hand
comes, and what they do would count as the table's time. Linux has one monotonic clock for all processes.
"""

from __future__ import annotations

import asyncio
import sys
from time import perf_counter

import aiomqtt

from daemon.mqtt.client import connected
from daemon.mqtt.topics import Topics
from daemon.tools.bench.world import SITE, TABLE
from tests.mqtt.conftest import reach

READY = "ready"


async def main(port: int) -> None:
    async with connected(reach(port), "hearing") as connection:

        def take(message: aiomqtt.Message) -> None:
            heard_s = perf_counter()
            connection.acknowledge(message)
            _say(str(message.topic).rpartition("/")[2], heard_s)

        connection.deliver_to(take)
        await connection.listen(Topics(SITE, TABLE).event("+"))
        _say(READY, perf_counter())
        await connection.until_lost()


def _say(what: str, at_s: float) -> None:
    sys.stdout.write(f"{what} {at_s!r}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
