"""What stands retained on the broker and what goes back to a requester: plain JSON documents, not events.

An event happened once and has an envelope that says when; a document is what is so now, and the next one takes
its place.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from daemon.journal.encoding import Codec
from daemon.mqtt.problems import Problem
from daemon.mqtt.topics import Topics
from daemon.table.facts import AlertRaised
from daemon.table.view import DeviceView, TableView


class Running(Enum):
    """Whether a daemon stands behind the topics."""

    RUNNING = "running"
    STOPPED = "stopped"  # ended in good order
    LOST = "lost"  # the broker's word, when it has heard nothing for too long


@dataclass(frozen=True, slots=True)
class Status:
    """The birth on every connect, and the last will."""

    status: Running
    version: str
    journal: str
    connected: str
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """The table as it is after event `sequence`: whoever joins takes this, and events from the next one on."""

    journal: str
    sequence: int
    table: TableView


@dataclass(frozen=True, slots=True)
class Reply:
    """The word back to whoever sent a command. `where` is the place in the message that was not as it has to be."""

    id: str | None
    command: str
    accepted: bool
    code: str
    message: str
    where: str | None = None


_PLAIN: Final[dict[type, str]] = {}  # a document has its own topic and schema, and needs no kinds inside

STATUS: Final = Codec[Status](Status, _PLAIN)
STATE: Final = Codec[State](State, _PLAIN)
REPLY: Final = Codec[Reply](Reply, _PLAIN)
_DEVICE: Final = Codec[DeviceView](DeviceView, _PLAIN)
_ALERT: Final = Codec[AlertRaised](AlertRaised, _PLAIN)


def picture(topics: Topics, state: State) -> dict[str, bytes]:
    """Everything about the table that has to stand retained, by topic."""
    devices = {topics.device(device.device): _DEVICE.encode(device) for device in state.table.devices}
    alerts = {topics.alert(alert.alert): _ALERT.encode(alert) for alert in state.table.alerts}
    return {topics.state: STATE.encode(state), **devices, **alerts}
