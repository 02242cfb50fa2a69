"""A press on the page, and what the page reads of the table's answer to it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec

from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Press:
    """One command of a person."""

    table: str
    name: str
    id: str
    round: str | None
    data: msgspec.Raw


class Reply(msgspec.Struct, frozen=True):
    """What the page reads of an answer. Who has a table's password can answer anything else."""

    id: str | None
    accepted: bool
    code: str
    message: str
    said: dict[str, Any] | None = None


def read_reply(payload: bytes) -> Reply | None:
    """Read an answer of the table, or None for what is none, as an event that was resent to this user."""
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return msgspec.json.decode(payload, type=Reply)
    return None
