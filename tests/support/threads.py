"""A thread that is taken: what the loop hands over to it begins when the test says so.

Without it a test cannot know whether the thread was faster: what is done at once has Python 3.14 tell the loop at once.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager


@contextmanager
def no_thread_free() -> Iterator[None]:
    """Keep whatever this loop gives to its threads waiting until this ends."""
    gate, threads = threading.Event(), ThreadPoolExecutor(1)
    asyncio.get_running_loop().set_default_executor(threads)  # the loop's end shuts it down
    threads.submit(gate.wait)
    try:
        yield
    finally:
        gate.set()
