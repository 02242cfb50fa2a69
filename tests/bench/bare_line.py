"""The floor of the straight line: a tty, one durable commit and one publish at QoS 1, and nothing else.

A process of its own, as feltd is: `python -m tests.bench.bare_line TTY PORT DATABASE`. It uses the same libraries.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tty
from contextlib import closing

import apsw

from daemon.journal.reading import JournaledFact
from daemon.mqtt.client import Will, connected
from daemon.mqtt.envelope import CONTENT_TYPE, envelope
from daemon.mqtt.topics import Topics
from daemon.tools.bench.world import SITE, TABLE
from tests.mqtt.conftest import reach

ROW_BYTES = 300
FACT = b'{"seat":1,"position":1,"count":5}'
UP = "device-up"


async def main(name: str, port: int, database: str) -> None:
    topics = Topics(SITE, TABLE)
    port_open = os.open(name, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
    tty.setraw(port_open)
    readable = asyncio.Event()
    asyncio.get_running_loop().add_reader(port_open, readable.set)
    with closing(apsw.Connection(database)) as db:
        db.pragma("journal_mode", "WAL")
        db.pragma("synchronous", "FULL")
        db.execute("CREATE TABLE t (n INTEGER PRIMARY KEY, body BLOB)")
        async with connected(reach(port), "bare", Will("bare/will", b"")) as client:
            sequence = 1
            await client.post(topics.event(UP), envelope(topics.base, _fact(sequence, UP)), content_type=CONTENT_TYPE)
            while True:
                await readable.wait()
                readable.clear()
                try:
                    os.read(port_open, 4096)
                except BlockingIOError:
                    continue
                sequence += 1
                with db:
                    db.execute("INSERT INTO t VALUES (?, zeroblob(?))", (sequence, ROW_BYTES))
                message = envelope(topics.base, _fact(sequence, "hand-dealt"))
                client.post(topics.event("hand-dealt"), message, content_type=CONTENT_TYPE)


def _fact(sequence: int, kind: str) -> JournaledFact:
    return JournaledFact("abc", sequence, 0, sequence, 1_795_000_000_000_000_000, "1", kind, None, FACT)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
