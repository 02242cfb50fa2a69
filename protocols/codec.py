"""What every protocol's connection looks like from outside: bytes and time in, events and bytes out.

A codec is sans-IO: it never reads, writes, sleeps or asks for the time. The owner of the port feeds it (`receive`,
`handle_timeout`), takes its events (`next_event`) and sends its bytes (`data_to_send`). Time is an integer of monotonic
nanoseconds. The caller passes it with every call that can need it, so that a test, a replay and a night at the table
run the same code.

Damage is a value. Any bytes give events, `Garbage` or `Gap`, never an exception, and never use more memory than the
codec's stated bound.
"""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Protocol, TypeVar

from protocols.frozen import dataclass


class Role(Enum):
    """The end of the line at which a codec is."""

    HOST = "host"
    DEVICE = "device"


@dataclass(frozen=True, slots=True)
class Garbage:
    """Bytes that are not a frame of this protocol, or a frame whose check failed. They are evidence, so they are kept.

    A damaged frame can still name a card, so the repr leaves the bytes out.
    """

    data: bytes = field(repr=False)
    reason: str


@dataclass(frozen=True, slots=True)
class Gap:
    """Proof that frames of the other end are lost permanently. `missing` is None when they cannot be counted."""

    missing: int | None
    reason: str


EventT_co = TypeVar("EventT_co", covariant=True)


class Codec(Protocol[EventT_co]):
    """One connection's protocol state. Make a new one for every connection."""

    @property
    def heard_ns(self) -> int | None:
        """Return when the other end last sent something sound, or None. Noise is not a sign of life."""

    def receive(self, data: bytes, now_ns: int) -> None:
        """Take bytes from the line. b"" does nothing."""

    def next_event(self) -> EventT_co | Garbage | Gap | None:
        """Return the next event, in order, or None until more is received."""

    def data_to_send(self) -> bytes:
        """Return the bytes due on the line now. Each byte is returned once."""

    def next_timeout_ns(self) -> int | None:
        """Return when `handle_timeout` is due next, or None."""

    def handle_timeout(self, now_ns: int) -> None:
        """Do what is due: retransmit, beat, or declare silence."""
