"""A message as the bench heard it: the envelope taken apart, and when it came."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import msgspec

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Heard:
    """One event."""

    kind: str
    sequence: int
    round_id: str | None
    data: dict[str, Any]
    latency_ns: int


def read(payload: bytes, now_utc_ns: int) -> Heard:
    """An event's envelope; its time is when the transport stamped the bytes that caused it."""
    event = msgspec.json.decode(payload)
    passed = datetime.fromisoformat(event["time"]) - _EPOCH
    happened_ns = ((passed.days * 86_400 + passed.seconds) * 1_000_000 + passed.microseconds) * 1_000
    return Heard(event["type"], event["sequence"], event.get("roundid"), event["data"], now_utc_ns - happened_ns)
