"""What came and waits to be read: however much it is, everybody else has their turns."""

from __future__ import annotations

import asyncio
from math import ceil
from typing import Final

import pytest

from drivers.profiles import PROFILES
from drivers.transports.base import BACKLOG_BYTES_MAX, BYTES_PER_S_MAX, READ_SIZE, TURN_BYTES_MAX, Inbox
from sim_hardware.loop import run
from tests.drivers.ways import stamp

LONG_S: Final = 20.0
BITS_PER_BYTE: Final = 10  # with start and stop bit


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
    for number in range(BACKLOG_BYTES_MAX // TURN_BYTES_MAX):
        chunk = await inbox.get()
        assert turns > number, "it was taken without a turn for others"
        taken.append(chunk.data)
    beside.cancel()
    assert b"".join(taken) == sent
    assert max(map(len, taken)) == TURN_BYTES_MAX


async def test_a_cancelled_read_of_a_backlog_loses_nothing() -> None:
    inbox = Inbox(stamp)
    inbox.put(b"one")
    reading = asyncio.create_task(inbox.get())
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.wait((reading,))
    async with asyncio.timeout(5):
        assert (await inbox.get()).data == b"one"


@pytest.mark.parametrize("piece_bytes", [64, 512, READ_SIZE, 4 * READ_SIZE, BACKLOG_BYTES_MAX])
def test_of_a_device_that_sends_without_end_only_so_much_is_taken(piece_bytes: int) -> None:
    """Large pieces wait in the inbox, and small ones each come after it was emptied: both are held to the rate."""

    async def taken_for_long() -> int:
        inbox, taken = Inbox(stamp), 0
        piece_s = piece_bytes / (8 * BYTES_PER_S_MAX)

        async def send() -> None:
            while True:
                if not inbox.is_full:
                    inbox.put(bytes(piece_bytes))
                await asyncio.sleep(piece_s)

        sending = asyncio.create_task(send())
        try:
            async with asyncio.timeout(LONG_S):
                while True:
                    taken += len((await inbox.get()).data)
        except TimeoutError:
            sending.cancel()
        return taken

    most = BYTES_PER_S_MAX * LONG_S + BACKLOG_BYTES_MAX + READ_SIZE
    assert most * 0.95 <= run(taken_for_long()) <= most


def test_a_line_at_any_speed_of_a_profile_brings_less_than_is_read() -> None:
    speeds = {profile.line.baud for profile in PROFILES.values()}
    assert max(speeds) / BITS_PER_BYTE < BYTES_PER_S_MAX / 2


@pytest.mark.parametrize("baud", [115_200, 230_400])
@pytest.mark.parametrize("piece_bytes", [62, READ_SIZE])
def test_a_line_that_never_rests_is_never_waited_for(baud: int, piece_bytes: int) -> None:
    """Also where a USB adapter gives what it has in pieces of 62 bytes, or a busy machine reads late and much."""

    async def longest_s() -> float:
        inbox, loop, longest = Inbox(stamp), asyncio.get_running_loop(), 0.0
        for _ in range(int(LONG_S * baud / BITS_PER_BYTE / piece_bytes)):
            await asyncio.sleep(piece_bytes * BITS_PER_BYTE / baud)
            inbox.put(bytes(piece_bytes))
            began_s = loop.time()
            for _ in range(ceil(piece_bytes / TURN_BYTES_MAX)):
                await inbox.get()
            longest = max(longest, loop.time() - began_s)
        return longest

    assert run(longest_s()) == 0


def test_what_a_device_keeps_comes_at_once_again_after_a_pause() -> None:
    async def seconds() -> list[float]:
        inbox, loop, waited = Inbox(stamp), asyncio.get_running_loop(), list[float]()
        for _ in range(3):
            inbox.put(bytes(BACKLOG_BYTES_MAX))
            began_s = loop.time()
            for _ in range(BACKLOG_BYTES_MAX // TURN_BYTES_MAX):
                await inbox.get()
            waited.append(loop.time() - began_s)
            await asyncio.sleep(BACKLOG_BYTES_MAX / BYTES_PER_S_MAX)
        return waited

    assert run(seconds()) == [0.0, 0.0, 0.0]


def test_a_read_that_is_cancelled_while_it_waits_for_the_rate_loses_nothing() -> None:
    async def take() -> None:
        inbox, data = Inbox(stamp), b""
        sent = bytes(range(256)) * (3 * BACKLOG_BYTES_MAX // 256)
        inbox.put(sent)
        while len(data) < len(sent):
            try:
                async with asyncio.timeout(0.01):
                    data += (await inbox.get()).data
            except TimeoutError:
                pass
        assert data == sent

    run(take())
