"""Virtual time: an event loop whose clock jumps to the next timer instead of waiting for it.

A simulated night takes seconds, and the same seed gives the same order of everything. The loop has no file descriptors
and no threads: code that tries real input or output in it fails at once. When no callback is ready and no timer is set,
it raises NothingCanHappenError and does not hang.

With a seed, the callbacks that are ready at the same moment run in an order drawn from it. So a test finds code that
relies on the order in which tasks were made.

The loop uses three private parts of asyncio that have not changed since 3.4. It asks its `_selector` how long to wait,
calls `_process_events` with what that found, and keeps ready callbacks in `_ready`.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Final, TypeVar

ResultT = TypeVar("ResultT")
NS_PER_S: Final = 1_000_000_000


class NothingCanHappenError(RuntimeError):
    """Deadlock: no callback is ready and no timer is set."""


class _Clock:
    """Takes the place of a loop's selector: it moves the time instead of waiting."""

    def __init__(self) -> None:
        self.now_ns = 0

    def select(self, timeout_s: float | None) -> list[object]:
        if timeout_s is None:
            raise NothingCanHappenError("nothing is ready and no timer is set")
        # Rounded up, so that the next timer is due.
        self.now_ns += -int(-timeout_s * NS_PER_S // 1)
        return []

    def close(self) -> None:
        """Do nothing: no resource is open."""


class VirtualLoop(asyncio.BaseEventLoop):
    """An event loop without real time, files or threads."""

    def __init__(self, seed: int | None = None) -> None:
        super().__init__()
        self._selector: Final = _Clock()
        self._clock_resolution: Final = 1e-9
        self._ready: deque[asyncio.Handle]
        self._order: Final = random.Random(seed) if seed is not None else None  # noqa: S311 - repeatable, not secret

    @property
    def now_ns(self) -> int:
        """Return the exact virtual time. It starts at 0."""
        return self._selector.now_ns

    def time(self) -> float:
        """Return the virtual time in seconds, as asyncio wants it."""
        return self._selector.now_ns / NS_PER_S

    def run_in_executor(  # the thread is left out: a simulation has one
        self, executor: Executor | None, func: Callable[..., ResultT], *args: object
    ) -> asyncio.Future[ResultT]:
        """Run `func` now."""
        done: asyncio.Future[ResultT] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def _process_events(self, _events: list[object]) -> None:
        """Do nothing: there are no files."""

    def _write_to_self(self) -> None:
        """Do nothing: no other thread has to wake the loop."""

    def _run_once(self) -> None:
        if self._order is not None and len(self._ready) > 1:
            shuffled = list(self._ready)
            self._order.shuffle(shuffled)
            self._ready = deque(shuffled)
        super()._run_once()  # type: ignore[misc]


def run(main: Coroutine[object, object, ResultT], seed: int | None = None) -> ResultT:
    """Do as `asyncio.run`, in virtual time."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(seed)) as runner:
        return runner.run(main)


def loop_ns() -> int:
    """Return the running loop's time, in real and in virtual time. Rounded: a loop counts in floating seconds."""
    return round(asyncio.get_running_loop().time() * NS_PER_S)


def loop_s(time_ns: int) -> float:
    """Return a time for the loop's `call_at`."""
    return time_ns / NS_PER_S
