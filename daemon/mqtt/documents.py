"""The retained messages and the replies: plain JSON documents without an event's envelope.

An event happened once, and its envelope says when. A document says what is true now, and the next one replaces it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any, Final

import msgspec

from daemon.journal.encoding import Codec
from daemon.mqtt.metrics import Metrics
from daemon.mqtt.problems import Problem
from daemon.mqtt.topics import Topics
from daemon.table.picture import AlertView, DeviceView, TableView
from daemon.table.said import Said
from protocols.frozen import dataclass


class Running(Enum):
    """Whether a daemon runs for this table."""

    RUNNING = "running"
    STOPPED = "stopped"  # the daemon ended normally
    LOST = "lost"  # published by the broker when the daemon was silent for too long


@dataclass(frozen=True, slots=True)
class Status:
    """Published first on every connection, and as the last will."""

    status: Running
    version: str
    journal: str
    connected: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """The table after event `sequence`. A new consumer takes this document and then the events after `sequence`."""

    journal: str
    sequence: str  # as in the event's envelope
    table: TableView


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a command of `user`. `where` is the place in the command that could not be read."""

    user: str
    id: str | None
    command: str
    accepted: bool
    code: str
    message: str
    where: str | None = None
    said: Said | None = None  # the message, as a program reads it


def read_retained(payload: bytes) -> Mapping[str, Any]:
    """Return what somebody retained on a table's topic, as it is. Anything else than a document counts as nothing."""
    try:
        return msgspec.json.decode(payload or b"{}", type=dict[str, Any])
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}


_PLAIN: Final[dict[type, str]] = {}  # each document has its own topic and schema, so it names no kinds inside

STATUS: Final = Codec[Status](Status, _PLAIN, is_read=False)
STATE: Final = Codec[State](State, _PLAIN, is_read=False)
METRICS: Final = Codec[Metrics](Metrics, _PLAIN, is_read=False)
REPLY: Final = Codec[Reply](Reply, _PLAIN, is_read=False)
_DEVICE: Final = Codec[DeviceView](DeviceView, _PLAIN, is_read=False)
_ALERT: Final = Codec[AlertView](AlertView, _PLAIN, is_read=False)


def picture(topics: Topics, state: State) -> dict[str, bytes]:
    """Return every message about the table that has to be retained, by topic."""
    devices = {topics.device(device.device): _DEVICE.encode(device) for device in state.table.devices}
    alerts = {topics.alert(alert.alert): _ALERT.encode(alert) for alert in state.table.alerts}
    return {topics.state: STATE.encode(state), **devices, **alerts}
