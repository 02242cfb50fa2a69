"""What every protocol's connection looks like from outside: bytes and time in, events and bytes out.

A codec is sans-IO: it never reads, writes, sleeps or asks for the time. Whoever owns the port feeds it
(`receive`, `handle_timeout`), takes what it understood (`next_event`) and sends what it wants said
(`data_to_send`). Time is an integer of monotonic nanoseconds, given by the caller with every call that can
need it, so that a test, a replay and a night at the table run the same code.

Damage is a value. Any bytes whatever give events, `Garbage` or `Gap`, never an exception, and never more
memory than the codec's stated bound.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol, TypeVar


class Role(Enum):
    """Which end of the line this codec is."""

    HOST = "host"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes that are no frame of this protocol, or a frame whose check failed; kept, because they are evidence.

    A damaged frame can still name a card, so the repr leaves the bytes out.
    """

    data: bytes = field(repr=False)
    reason: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Proof that the other end said something which will never be had; `missing` is None when no one can count it."""

    missing: int | None
    reason: str


EventT_co = TypeVar("EventT_co", covariant=True)


class Codec(Protocol[EventT_co]):
    """One connection's protocol state; make a new one for every connection."""

    @property
    def heard_ns(self) -> int | None:
        """When the other end last said something sound, or None; noise is not a sign of life."""

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take bytes from the line; b"" means nothing."""

    def next_event(self) -> EventT_co | Garbage | Gap | None:
        """The next thing understood, in order, or None until more is received."""

    def data_to_send(self) -> bytes:
        """Bytes due on the line now; each byte is given once."""

    def next_timeout_ns(self) -> int | None:
        """When `handle_timeout` is due next, or None."""

    def handle_timeout(self, now_ns: int) -> None:
        """Time has come: retransmit, beat, or declare silence."""
