"""What came and waits to be read: however much it is, everybody else has their turns."""

from __future__ import annotations

import asyncio

from drivers.transports.base import BACKLOG_BYTES_MAX, READ_SIZE, Inbox
from tests.drivers.ways import stamp


async def test_a_device_that_sends_without_end_leaves_turns_to_everybody_else() -> None:
    """A device server that nobody guards can send 64 kB at once, without end: a dealer waited behind it for seconds."""
    inbox, turns = Inbox(stamp), 0

    async def somebody_else() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    beside = asyncio.create_task(somebody_else())
    sent = bytes(range(256)) * (BACKLOG_BYTES_MAX // 256)
    inbox.put(sent)
    assert inbox.is_full
    taken: list[bytes] = []
    for number in range(BACKLOG_BYTES_MAX // READ_SIZE):
        chunk = await inbox.get()
        assert turns > number, "it was taken without a turn for others"
        taken.append(chunk.data)
    beside.cancel()
    assert b"".join(taken) == sent
    assert max(map(len, taken)) == READ_SIZE


async def test_a_cancelled_read_of_a_backlog_loses_nothing() -> None:
    inbox = Inbox(stamp)
    inbox.put(b"one")
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait((reading,))
    async with asyncio.timeout(5):
        assert (await inbox.get()).data == b"one"
