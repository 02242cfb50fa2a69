"""The host's end of a real tty, with nothing of ours between: what any program does with a serial port."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path


class TtyEnd:
    """A tty opened raw. `on_unplugged` when it hangs up."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.on_plugged: Callable[[], None] = lambda: None
        self.on_data: Callable[[bytes], None] = lambda _data: None
        self.on_unplugged: Callable[[], None] = lambda: None
        self._fd: int | None = None

    def open(self) -> None:
        fd = self._fd = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(fd)
        asyncio.get_running_loop().add_reader(fd, self._on_readable, fd)
        self.on_plugged()

    def write(self, data: bytes) -> None:
        if self._fd is not None:
            assert os.write(self._fd, data) == len(data)

    def close(self) -> None:
        if self._fd is not None:
            asyncio.get_running_loop().remove_reader(self._fd)
            os.close(self._fd)
            self._fd = None

    def _on_readable(self, fd: int) -> None:
        try:
            data = os.read(fd, 4096)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if data:
            self.on_data(data)
        else:
            self.close()
            self.on_unplugged()
