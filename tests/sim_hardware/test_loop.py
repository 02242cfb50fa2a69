"""The virtual-time loop: time jumps, the same seed gives the same order, and nothing real happens in it."""

from __future__ import annotations

import asyncio
import os
import time

import pytest

from sim_hardware.loop import NothingCanHappenError, VirtualLoop, run

DAY_S = 86_400


def test_a_month_passes_at_once() -> None:
    async def month() -> int:
        ticks = 0
        for _ in range(30):
            await asyncio.sleep(DAY_S)
            ticks += 1
        loop = asyncio.get_running_loop()
        assert isinstance(loop, VirtualLoop)
        assert loop.now_ns == 30 * DAY_S * 1_000_000_000
        return ticks

    before_s = time.monotonic()
    assert run(month()) == 30
    assert time.monotonic() - before_s < 60


def test_a_timer_is_due_when_it_was_waited_for_and_never_early() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        for delay_s in (1e-9, 0.1, 1 / 3, 12345.6789, 1e7):
            due_s = loop.time() + delay_s
            await asyncio.sleep(delay_s)
            assert loop.time() >= due_s - 1e-9

    run(main())


def _trace(seed: int | None) -> list[int]:
    seen: list[int] = []

    async def work(number: int) -> None:
        for _ in range(3):
            await asyncio.sleep(0.1)
            seen.append(number)

    async def main() -> None:
        async with asyncio.TaskGroup() as group:
            for number in range(6):
                group.create_task(work(number))

    run(main(), seed)
    return seen


def test_the_same_seed_gives_the_same_order_and_another_seed_another_one() -> None:
    assert _trace(1) == _trace(1)
    assert _trace(None) == _trace(None)
    assert len({tuple(_trace(seed)) for seed in range(10)}) > 5


def test_when_nothing_can_ever_happen_it_says_so() -> None:
    async def main() -> None:
        await asyncio.Event().wait()

    with pytest.raises(NothingCanHappenError):
        run(main())


def test_what_would_run_in_a_thread_runs_at_once_and_its_error_reaches_whoever_waits() -> None:
    async def main() -> None:
        loop = asyncio.get_running_loop()
        assert await loop.run_in_executor(None, max, 1, 2) == 2
        with pytest.raises(ZeroDivisionError):
            await loop.run_in_executor(None, divmod, 1, 0)

    run(main())


def test_real_files_are_refused() -> None:
    async def main() -> None:
        readable, writable = os.pipe()
        try:
            with pytest.raises(NotImplementedError):
                asyncio.get_running_loop().add_reader(readable, print)
        finally:
            os.close(readable)
            os.close(writable)

    run(main())


def test_an_error_ends_the_run_and_leaves_no_task() -> None:
    cancelled = []

    async def wait() -> None:
        try:
            await asyncio.sleep(DAY_S)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def main() -> None:
        waiting = asyncio.create_task(wait())
        await asyncio.sleep(1)
        assert not waiting.done()
        raise ValueError

    with pytest.raises(ValueError):
        run(main())
    assert cancelled == [True]
