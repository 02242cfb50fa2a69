"""Children that a test can interrupt, also where the tests themselves run in the background.

A shell starts a background job with SIGINT ignored, and what is ignored stays so in every child. What has a handler is
reset to its default in a child (execve(2)), so a handler here is an interrupt that works there.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def interruptible() -> Iterator[None]:
    """Whatever is started in here ends at SIGINT."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
