"""What the page reads of a table's answer."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import msgspec


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
