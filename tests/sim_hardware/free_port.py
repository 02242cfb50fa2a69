"""A TCP port that is free now, below the range from which the kernel takes ports for outgoing connections."""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Iterator

_PORTS = range(20_000, 32_000)
# Each worker of a run begins in ports of its own, and what it starts elsewhere in these: two that begin at one port
# find the same ones free, and the second program that binds one fails.
_worker = int(os.environ.get("PYTEST_XDIST_WORKER", f"gw{os.getpid()}").removeprefix("gw")) % 12
_start = _worker * 1_000 + os.getpid() % 10 * 100
_candidates: Iterator[int] = itertools.cycle([*_PORTS[_start:], *_PORTS[:_start]])


def free_port() -> int:
    """Not the one that the last caller got, so that two tests of a process cannot race for it."""
    for port in itertools.islice(_candidates, len(_PORTS)):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port below 32768")
