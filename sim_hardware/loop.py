"""Virtual time: an event loop whose clock jumps to the next timer instead of waiting for it.

A simulated night takes seconds, and the same seed gives the same order of everything. The loop has no file
descriptors and no threads: whoever tries to do real input or output in it is told so. When nothing is ready
and no timer is set, nothing can ever happen again, and it says that instead of hanging.

With a seed, the callbacks that are ready at the same moment run in an order drawn from it, so that a test
finds code that relies on the order in which tasks were made.

It stands on three things that asyncio keeps to itself and has not changed since 3.4: the loop asks its
`_selector` how long to wait, calls `_process_events` with what that found, and keeps ready callbacks in
`_ready`.
"""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor
from typing import Final, TypeVar

ResultT = TypeVar("ResultT")
_NS: Final = 1_000_000_000


class NothingCanHappenError(RuntimeError):
    """Every task waits for something that no one can bring about any more."""


class _Clock:
    """Stands where a loop has its selector: waiting is moving the time."""

    def __init__(self) -> None:
        self.now_ns = 0

    def select(self, timeout_s: float | None) -> list[object]:
        if timeout_s is None:
            raise NothingCanHappenError("nothing is ready and no timer is set")
        # Upwards, so that the timer which was waited for is due.
        self.now_ns += -int(-timeout_s * _NS // 1)
        return []

    def close(self) -> None:
        """Nothing is held."""


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
        """The virtual time, exactly; it starts at 0."""
        return self._selector.now_ns

    def time(self) -> float:
        """The virtual time in seconds, as asyncio wants it."""
        return self._selector.now_ns / _NS

    def run_in_executor(  # the thread is left out: a simulation has one
        self, executor: Executor | None, func: Callable[..., ResultT], *args: object
    ) -> asyncio.Future[ResultT]:
        """Run it now; the result is there at once."""
        done: asyncio.Future[ResultT] = self.create_future()
        try:
            done.set_result(func(*args))
        except Exception as error:
            done.set_exception(error)
        return done

    def _process_events(self, _events: list[object]) -> None:
        """No file ever has anything."""

    def _write_to_self(self) -> None:
        """No other thread needs to wake us."""

    def _run_once(self) -> None:
        if self._order is not None and len(self._ready) > 1:
            shuffled = list(self._ready)
            self._order.shuffle(shuffled)
            self._ready = deque(shuffled)
        super()._run_once()  # type: ignore[misc]


def run(main: Coroutine[object, object, ResultT], seed: int | None = None) -> ResultT:
    """As `asyncio.run`, in virtual time."""
    with asyncio.Runner(loop_factory=lambda: VirtualLoop(seed)) as runner:
        return runner.run(main)
