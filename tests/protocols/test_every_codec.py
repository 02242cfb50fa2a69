"""What every codec owes in either role: any bytes, in any pieces, give events and damage and nothing else."""

from __future__ import annotations

import gc
import os
import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from types import FunctionType, ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.codec import Role
from protocols.registry import PROTOCOLS
from tests.protocols.subjects import SUBJECTS, Subject, broken_traffic, feed, run

FUZZ_FACTOR = 50 if os.environ.get("FELTD_FUZZ") == "long" else 1
NOISE_BYTES = 4_000_000 // len(SUBJECTS) * FUZZ_FACTOR
BROKEN_TRAFFIC_BYTES = 100_000 * FUZZ_FACTOR
KEPT_BYTES_MAX = 16_384  # an unfinished frame and bounded memories
CHUNK = 4096


every_codec = pytest.mark.parametrize("subject", SUBJECTS, ids=str)


def pieces(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return (data[a:b] for a, b in pairwise(edges))


def test_every_protocol_is_tested_in_both_roles() -> None:
    assert {(one.name, one.role) for one in SUBJECTS} == {(name, role) for name in PROTOCOLS for role in Role}


@every_codec
def test_whole_is_byte_by_byte_is_every_split(subject: Subject) -> None:
    for seed in range(5 * FUZZ_FACTOR):
        data = broken_traffic(subject, random.Random(seed), 400)
        whole = run(subject, iter([data]))
        assert run(subject, (bytes([byte]) for byte in data)) == whole, f"seed {seed}"
        for at in range(len(data)):
            assert run(subject, pieces(data, [at])) == whole, f"seed {seed}, cut at {at}"


@every_codec
@given(data=st.binary(max_size=1500), cuts=st.lists(st.integers(min_value=0), max_size=5))
def test_noise_in_any_pieces_is_the_same_noise(subject: Subject, data: bytes, cuts: list[int]) -> None:
    assert run(subject, pieces(data, cuts)) == run(subject, iter([data]))


@every_codec
def test_nothing_at_all_means_nothing(subject: Subject) -> None:
    codec = PROTOCOLS[subject.name].end(subject.role, 0)
    codec.data_to_send()
    codec.receive(b"", 0)
    assert codec.next_event() is None
    assert codec.data_to_send() == b""


@every_codec
def test_fuzz_pure_noise(subject: Subject) -> None:
    seed = random.randrange(2**32)
    source = random.Random(seed)
    print("seed", seed)  # noqa: T201 - shown when it fails
    codec = PROTOCOLS[subject.name].end(subject.role, 0)
    for _ in range(NOISE_BYTES // CHUNK + 1):
        feed(subject, codec, source.randbytes(CHUNK))


@every_codec
def test_fuzz_broken_traffic(subject: Subject) -> None:
    seed = random.randrange(2**32)
    print("seed", seed)  # noqa: T201 - shown when it fails
    data = broken_traffic(subject, random.Random(seed), BROKEN_TRAFFIC_BYTES)
    whole = run(subject, iter([data]))
    assert run(subject, pieces(data, list(range(0, len(data), 97)))) == whole


@every_codec
def test_fuzz_never_fills_the_memory(subject: Subject) -> None:
    source = random.Random(1)
    codec = PROTOCOLS[subject.name].end(subject.role, 0)
    chunks = [source.randbytes(CHUNK), b"\x02\x05" + b"A" * (CHUNK - 2), broken_traffic(subject, source, CHUNK)]
    for number in range(120 * FUZZ_FACTOR):
        feed(subject, codec, chunks[number % len(chunks)])
        if number < 2 * len(chunks) or number % 50 < len(chunks):
            assert kept_bytes(codec) < KEPT_BYTES_MAX, f"chunk {number}"


def kept_bytes(root: object) -> int:
    """All that hangs on an object. What the whole process holds says less: the interpreter keeps freed pieces."""
    seen: dict[int, object] = {}
    waiting = [root]
    while waiting:
        thing = waiting.pop()
        if id(thing) not in seen and not isinstance(thing, type | ModuleType | FunctionType):
            seen[id(thing)] = thing
            waiting += gc.get_referents(thing)
    return sum(map(sys.getsizeof, seen.values()))
