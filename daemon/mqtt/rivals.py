"""Notices that another daemon serves this table, or served it with another journal.

Theory of operation. Two daemons with two journals under one name would both take a bet. So a daemon serves nobody
before it has read what the broker retains of its table. It goes on if that is nothing, or of its own journal and not
after its own last event. Otherwise another journal was here, or this one is an older copy, and a person has to decide.
While it serves, it hears every `status` of its table: one of another daemon ends its service permanently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import aiomqtt
import msgspec

from daemon.errors import SetupError
from daemon.journal.journal import Journal
from daemon.mqtt.documents import Running
from daemon.mqtt.topics import Topics

LOOK_S_MAX: Final = 0.3
"""How long a broker may take to deliver what it retains. Most deliver it before they answer the next subscription."""

Document: TypeAlias = Mapping[str, Any]


class TableTakenError(SetupError):
    """Another daemon serves this table, or its journal is not ours."""

    def __init__(self, found: str) -> None:
        remedy = (
            "Stop the other daemon, or put the newest journal back. If this journal takes the place of the other one "
            "on purpose, run feltd journal take-over."
        )
        super().__init__("table-taken", f"{found} feltd serves nobody over MQTT until this is decided.", remedy)


class AnotherDaemonError(TableTakenError):
    """A daemon began to serve this table while we did. We do not try again: each would end the other's service."""

    def __init__(self, status: Document) -> None:
        who = f"with journal {status.get('journal')}, since {status.get('connected')}"
        super().__init__(f"Another daemon serves this table, {who}.")


def expect_own(messages: Iterable[aiomqtt.Message], topics: Topics, journal: Journal) -> None:
    """Raise TableTakenError if what the broker retains of the table is not of this journal."""
    # A session may have kept older ones, which come first.
    latest = {str(message.topic): message for message in messages}
    for topic in (topics.state, topics.status):
        document = _read(latest[topic]) if topic in latest else {}
        found = document.get("journal")
        if found is not None and found not in {name for _, name in journal.generations}:
            raise TableTakenError(f"The broker has this table with journal {found}, and ours is {journal.id}.")
        sequence = int(document.get("sequence", 0)) if found == journal.id else 0
        if sequence > journal.last_sequence():
            ours = journal.last_sequence()
            found = (
                f"The broker has event {sequence} of this table, and our journal {journal.id} ends with event {ours}."
            )
            raise TableTakenError(found)


def expect_alone(message: aiomqtt.Message, own_connection: str) -> None:
    """Raise AnotherDaemonError if this status is of a daemon that connected after us and runs."""
    document = _read(message)
    # Without MQTT 5 our own statuses come back, also those that a session kept. They are not later than ours.
    if document.get("status") == Running.RUNNING.value and document.get("connected", "") > own_connection:
        raise AnotherDaemonError(document)


def _read(message: aiomqtt.Message) -> Document:
    try:
        document = msgspec.json.decode(bytes(message.payload) or b"{}")
    except msgspec.MsgspecError:
        return {}  # not of feltd, and replaced by our own
    return document if isinstance(document, dict) else {}
