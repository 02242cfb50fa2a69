"""The figures of a table for people who watch machines: the retained message `metrics`, new once a minute.

A number under `since_start` counts from the start of the daemon and falls to 0 at the next one. The others say what is
so at the moment `at`. No figure depends on a card.
"""

from __future__ import annotations

from collections.abc import Mapping

from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class DeviceFigures:
    """One device: whether it is there, and what it did since the start."""

    up: bool
    losses: int
    faults: int
    repeats: int  # events that came again, because our acknowledgement was lost
    asked_again: int  # how often feltd asked for an event again, because it was lost or damaged on the line (NAK)
    anomalies: Mapping[str, int]  # by their code; the same one is counted once in 10 s


@dataclass(frozen=True, slots=True)
class Delays:
    """How long events took from the device's last byte to the broker's acknowledgement.

    `counts` has a number for each bound, of the delays up to it and above the bound before, and one more for the rest.
    """

    bounds_ms: tuple[int, ...]
    counts: tuple[int, ...]
    sum_us: int


@dataclass(frozen=True, slots=True)
class SinceStart:
    """What was counted since the daemon started."""

    rounds: int
    voids: Mapping[str, int]  # by irregularity; `person` where no irregularity was the cause
    irregularities: Mapping[str, int]
    held: int
    interrupted: int
    delays: Delays
    published: int
    refused: int  # by the broker
    republished: int  # in flight when a connection ended
    connections: int  # to the broker


@dataclass(frozen=True, slots=True)
class Metrics:
    """The figures of one table."""

    at: str
    started: str
    since_start: SinceStart
    devices: Mapping[str, DeviceFigures]
    alerts: int
    alerts_that_block: int
    waiting: int  # inputs in the table's queue
    unpublished: int  # events that the broker has not acknowledged
    unpublished_ms: int  # since the oldest of them happened; 0 where there is none
    journal_bytes: int  # before the cards of the round that runs
    journal_records: int
    checked_records: int  # of them found unchanged since the start
