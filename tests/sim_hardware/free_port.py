"""A TCP port that is free now, outside the range from which the kernel takes ports for outgoing connections.

A port is asked for now and bound later, by another program. Between the two nobody else may be told the same one.
So each process takes its ports from a block of its own: it holds an abstract Unix socket named after the block until it
ends. Such names live in the network namespace, exactly as ports do. They keep processes apart that share no directory:
the workers of a run, two runs at once, and runs inside other roots.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from itertools import cycle, islice

PORTS = range(10_100, 18_100)  # no browser opens 10080; daemon/tools/bench/broker.py takes from others
_BLOCK = 100  # eighty processes at once; a worker of `make test` has half of these in use at the very most


class _Ports:
    """The ports of one process. A fork has none of its parent's and takes a block of its own."""

    def __init__(self) -> None:
        self._held: list[socket.socket] = []
        self._next: Iterator[int] = iter(())
        self._take_block()  # now: tests count the open files of their process before and after
        os.register_at_fork(after_in_child=self._forget)

    def take(self) -> int:
        """Return the next free port. If every port of the block is in use, take a further block."""
        while True:
            for port in islice(self._next, _BLOCK):
                with socket.socket() as probe:
                    try:
                        probe.bind(("127.0.0.1", port))
                    except OSError:
                        continue
                    return port
            self._take_block()

    def _take_block(self) -> None:
        for first in PORTS[::_BLOCK]:
            mark = socket.socket(socket.AF_UNIX)
            try:
                mark.bind(f"\0feltd-tests-ports-{first}")
            except OSError:  # a process has the block, this one included
                mark.close()
                continue
            self._held.append(mark)
            self._next = cycle(range(first, first + _BLOCK))
            return
        raise RuntimeError(f"every block of ports between {PORTS.start} and {PORTS.stop} is taken")

    def _forget(self) -> None:
        for mark in self._held:
            mark.close()
        self._held, self._next = [], iter(())


free_port = _Ports().take
"""Not the one that the last caller got, so that two tests of a process cannot race for it either."""
