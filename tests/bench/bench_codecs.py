"""Megabytes a second through each codec, and what a table at the fastest pace of its line costs.

Sound traffic, read in chunks of the size of the kernel's tty buffer, and noise beside it: a codec must not be
slower on a broken line than the line is.
"""

from __future__ import annotations

import random
from time import perf_counter

import pytest

from protocols.registry import PROTOCOLS
from tests.bench.conftest import Figures
from tests.protocols.subjects import SUBJECTS, Subject, feed

SEED = 7
SIZE = 1_000_000
CHUNK = 4096
ROUNDS = 3
# Bytes a second: 10 bits a byte at the baud of the protocol's fastest profile; a box is asked 12 bytes every 20 ms.
LINE_BYTES_S = {"felt-link": 11_520, "angel-eye-iiex": 960, "bee-tek": 960, "modbus-tcp": 600}
# A core spends at most this part of its time on reading one line that is never silent.
SHARE_MAX = 0.02


def sound(subject: Subject) -> bytes:
    source = random.Random(SEED)
    data = bytearray()
    while len(data) < SIZE:
        data += subject.traffic(source)
    return bytes(data)


def bytes_a_second(subject: Subject, data: bytes) -> float:
    """The best of some rounds."""
    best = 0.0
    for _ in range(ROUNDS):
        codec = PROTOCOLS[subject.name].end(subject.role, 0)
        started = perf_counter()
        for at in range(0, len(data), CHUNK):
            feed(subject, codec, data[at : at + CHUNK])
        best = max(best, len(data) / (perf_counter() - started))
    return best


@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
def test_a_codec_is_faster_than_its_line_by_far(subject: Subject, figures: Figures) -> None:
    speeds = {kind: bytes_a_second(subject, data) for kind, data in (("sound", sound(subject)), ("noise", noise()))}
    shares = {kind: LINE_BYTES_S[subject.name] / speed for kind, speed in speeds.items()}
    for kind, speed in speeds.items():
        line = LINE_BYTES_S[subject.name]
        figures.keep(f"codec {subject}, {kind}, beside its line", speed / 1e6, "MB/s", line / 1e6)
    figures.hold(f"codec {subject}, of what its line takes", max(shares.values()) * 100, "%", bar=SHARE_MAX * 100)


def noise() -> bytes:
    return random.Random(SEED).randbytes(SIZE)
