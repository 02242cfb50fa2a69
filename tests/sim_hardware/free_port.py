"""A TCP port that is free now, below the range from which the kernel takes ports for outgoing connections."""

from __future__ import annotations

import itertools
import os
import socket
from collections.abc import Iterator

_PORTS = range(20_000, 32_000)
_start = os.getpid() % 12 * 1_000  # workers of one run have neighbouring ids: each begins in a thousand of its own
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
