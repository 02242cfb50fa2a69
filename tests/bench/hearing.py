"""A subscriber, which says of each event when it heard it, and what the event says of itself.

A process of its own: `python -m tests.bench.hearing PORT`. The emulated machine and the people are busy when a hand
comes, and what they do would count as the table's time. Linux has one monotonic clock for all processes.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import datetime
from time import perf_counter
from typing import NamedTuple

import aiomqtt
import msgspec

from daemon.mqtt.client import connected
from daemon.mqtt.envelope import Envelope
from daemon.mqtt.topics import Topics
from daemon.tools.bench.world import SITE, TABLE
from tests.mqtt.conftest import reach

READY = "ready"


class Heard(NamedTuple):
    """An event: its kind, when it was heard, its own moment, the record that it is of, and the bytes of the message."""

    kind: str
    heard_s: float
    moment_s: float
    record: str
    size: int


async def main(port: int) -> None:
    async with connected(reach(port), "hearing") as connection:

        def take(message: aiomqtt.Message) -> None:
            heard_s = perf_counter()
            connection.acknowledge(message)
            payload = bytes(message.payload)
            said = msgspec.json.decode(payload, type=Envelope)
            moment_s = datetime.fromisoformat(said.time).timestamp()
            kind = str(message.topic).rpartition("/")[2]
            _say(Heard(kind, heard_s, moment_s, said.id.rpartition(":")[0], len(payload)))

        connection.deliver_to(take)
        await connection.listen(Topics(SITE, TABLE).event("+"))
        _say(Heard(READY, perf_counter(), 0.0, "-", 0))
        await connection.until_lost()


def _say(heard: Heard) -> None:
    sys.stdout.write(f"{heard.kind} {heard.heard_s!r} {heard.moment_s!r} {heard.record} {heard.size}\n")
    sys.stdout.flush()


def heard_of(line: str) -> Heard:
    """Read what the process says of an event."""
    kind, heard_s, moment_s, record, size = line.split()
    return Heard(kind, float(heard_s), float(moment_s), record, int(size))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
