"""The floor of the straight line: a tty, one durable commit and one publish at QoS 1, and nothing else.

A process of its own, as feltd is: `python -m tests.bench.bare_line TTY PORT DATABASE ROW_BYTES SIZE…`. It uses the same
libraries. With several sizes it publishes as many messages, in one write, as feltd does with what one input says.
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
HAND = "hand-dealt"


async def main(name: str, port: int, database: str, row_bytes: int, sizes: tuple[int, ...]) -> None:
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
            sequence, least = 1, len(envelope(topics.base, _fact(1, HAND)))
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
                    db.execute("INSERT INTO t VALUES (?, zeroblob(?))", (sequence, row_bytes))
                for number, size in enumerate(sizes, 1):
                    message = envelope(topics.base, _fact(sequence, HAND, size - least))
                    client.post(topics.event(HAND), message, content_type=CONTENT_TYPE, more=number < len(sizes))


def _fact(sequence: int, kind: str, more_bytes: int = 0) -> JournaledFact:
    body = FACT[:-1] + b" " * more_bytes + FACT[-1:]
    return JournaledFact("abc", sequence, 0, sequence, 1_795_000_000_000_000_000, "1", kind, None, body)


if __name__ == "__main__":
    words = sys.argv[1:]
    asyncio.run(main(words[0], int(words[1]), words[2], int(words[3]), tuple(map(int, words[4:]))))
