"""A subscriber, which says of each event when it heard it, and of what moment the event says that it is.

A process of its own: `python -m tests.bench.hearing PORT`. The emulated machine and the people are busy when a hand
comes, and what they do would count as the table's time. Linux has one monotonic clock for all processes.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime
from time import perf_counter

import aiomqtt
import msgspec

from daemon.mqtt.client import connected
from daemon.mqtt.envelope import Envelope
from daemon.mqtt.topics import Topics
from daemon.tools.bench.world import SITE, TABLE
from tests.mqtt.conftest import reach

READY = "ready"


async def main(port: int) -> None:
    async with connected(reach(port), "hearing") as connection:

        def take(message: aiomqtt.Message) -> None:
            heard_s = perf_counter()
            connection.acknowledge(message)
            _say(str(message.topic).rpartition("/")[2], heard_s, _moment_s(bytes(message.payload)))

        connection.deliver_to(take)
        await connection.listen(Topics(SITE, TABLE).event("+"))
        _say(READY, perf_counter(), 0.0)
        await connection.until_lost()


def _moment_s(payload: bytes) -> float:
    return datetime.fromisoformat(msgspec.json.decode(payload, type=Envelope).time).timestamp()


def _say(what: str, heard_s: float, moment_s: float) -> None:
    sys.stdout.write(f"{what} {heard_s!r} {moment_s!r}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
