"""Single keys from the terminal, without Enter, and the terminal as it was afterwards."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
import tty
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

KEYS_AT_ONCE: Final = 32


@contextmanager
def keyboard(on_key: Callable[[str], None]) -> Iterator[None]:
    """Have each key told while this lasts; nothing happens when standard input is no terminal."""
    if not sys.stdin.isatty():
        yield
        return
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    loop = asyncio.get_running_loop()

    def read() -> None:
        for key in os.read(fd, KEYS_AT_ONCE).decode("ascii", "ignore"):
            on_key(key)

    tty.setcbreak(fd)
    loop.add_reader(fd, read)
    try:
        yield
    finally:
        loop.remove_reader(fd)
        termios.tcsetattr(fd, termios.TCSADRAIN, before)
