"""What every codec owes in either role: any bytes, in any pieces, give events and damage and nothing else."""

from __future__ import annotations

import os
import random
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.cards import DECK, Misread
from protocols.codec import Codec, Role
from protocols.felt_link import messages as m
from protocols.felt_link.device import DeviceConnection
from protocols.felt_link.events import Greeted, Ordered
from protocols.felt_link.frame import Ack, Nak, encode
from protocols.felt_link.host import HostConnection
from protocols.felt_link.wording import to_frame
from protocols.registry import PROTOCOLS

FUZZ_FACTOR = 20 if os.environ.get("FELTD_FUZZ") == "long" else 1
NOISE_BYTES = 5_000_000 * FUZZ_FACTOR
BROKEN_TRAFFIC_BYTES = 250_000 * FUZZ_FACTOR
KEPT_BYTES_MAX = 200_000  # an unfinished frame, bounded memories, and Python's own overhead
CHUNK = 4096


@dataclass(frozen=True)
class Subject:
    """A codec in one role, traffic that its other end could send, and how its owner reacts to an event."""

    name: str
    role: Role
    traffic: Callable[[random.Random], bytes]
    react: Callable[[Codec[object], object], None]


def felt_link_react(codec: Codec[object], event: object) -> None:
    if isinstance(codec, HostConnection) and isinstance(event, Greeted) and event.version is not None:
        codec.welcome(0)
    if isinstance(codec, DeviceConnection) and isinstance(event, Ordered):
        codec.answer(event.id, None, 0)


def from_a_device(source: random.Random) -> bytes:
    faces = tuple(source.choices((*DECK, *Misread), k=source.randrange(6)))
    seq = source.randrange(1, 12)
    identity = m.Identity("FS-1", "1", "1.0", ())
    return encode(
        to_frame(
            source.choice(
                (
                    m.Hello((1,), identity, source.choice("AB"), 1, seq),
                    m.Numbered(seq, seq % 2 == 0, m.PacketDispensed(1, len(faces), faces)),
                    m.Numbered(seq, False, m.DeckLoaded()),
                    m.Beat(seq),
                    m.Answer("a", None),
                )
            )
        )
    )


def from_a_host(source: random.Random) -> bytes:
    seq = source.randrange(4)
    said = source.choice(
        (
            m.Welcome(1, "0", 0),
            m.Beat(seq),
            Ack(seq),
            Nak(seq, "gap"),
            m.Order(source.choice("abc"), m.Dispense(1 + seq)),
            m.Refuse("device", ""),
        )
    )
    return encode(said if isinstance(said, Ack | Nak) else to_frame(said))


SUBJECTS = [
    Subject("felt-link", Role.HOST, from_a_device, felt_link_react),
    Subject("felt-link", Role.DEVICE, from_a_host, felt_link_react),
]
every_codec = pytest.mark.parametrize("subject", SUBJECTS, ids=lambda one: f"{one.name}-{one.role.value}")


def run(subject: Subject, chunks: Iterator[bytes]) -> tuple[list[object], bytes]:
    """Everything that a codec made of chunks, and everything that it said."""
    codec = PROTOCOLS[subject.name](subject.role, 0)
    events: list[object] = []
    said = bytearray()
    for chunk in chunks:
        codec.receive(chunk, 0)
        while (event := codec.next_event()) is not None:
            subject.react(codec, event)
            events.append(event)
        said += codec.data_to_send()
    return events, bytes(said)


def pieces(data: bytes, cuts: list[int]) -> Iterator[bytes]:
    edges = [0, *sorted(cut % (len(data) + 1) for cut in cuts), len(data)]
    return (data[a:b] for a, b in pairwise(edges))


def broken_traffic(subject: Subject, source: random.Random, size: int) -> bytes:
    """Traffic with bytes changed, lost, repeated and put in."""
    data = bytearray()
    while len(data) < size:
        frame = bytearray(subject.traffic(source))
        for _ in range(source.choice((0, 0, 0, 1, 1, 3))):
            at = source.randrange(len(frame))
            match source.randrange(4):
                case 0:
                    frame[at] = source.randrange(256)
                case 1:
                    del frame[at:]
                case 2:
                    frame[at:at] = frame[:at]
                case _:
                    frame[at:at] = source.randbytes(source.randrange(20))
            frame = frame or bytearray(b"\0")
        data += frame
    return bytes(data)


def test_every_protocol_is_tested_in_both_roles() -> None:
    assert {(one.name, one.role) for one in SUBJECTS} == {(name, role) for name in PROTOCOLS for role in Role}


@every_codec
def test_whole_is_byte_by_byte_is_every_split(subject: Subject) -> None:
    for seed in range(20):
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
    codec = PROTOCOLS[subject.name](subject.role, 0)
    codec.data_to_send()
    codec.receive(b"", 0)
    assert codec.next_event() is None
    assert codec.data_to_send() == b""


@every_codec
def test_fuzz_pure_noise(subject: Subject) -> None:
    seed = random.randrange(2**32)
    source = random.Random(seed)
    print("seed", seed)  # noqa: T201 - shown when it fails
    codec = PROTOCOLS[subject.name](subject.role, 0)
    for _ in range(NOISE_BYTES // CHUNK + 1):
        codec.receive(source.randbytes(CHUNK), 0)
        while (event := codec.next_event()) is not None:
            subject.react(codec, event)
        codec.data_to_send()


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
    codec = PROTOCOLS[subject.name](subject.role, 0)
    chunks = [source.randbytes(CHUNK), b"\x02" + b"A" * (CHUNK - 1), broken_traffic(subject, source, CHUNK)]
    tracemalloc.start()
    try:
        for number in range(300 * FUZZ_FACTOR):
            codec.receive(chunks[number % len(chunks)], number)
            while (event := codec.next_event()) is not None:
                subject.react(codec, event)
            codec.data_to_send()
            del event
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < KEPT_BYTES_MAX
