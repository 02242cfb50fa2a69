"""Notices that another daemon serves this table, or served it with another journal.

Theory of operation. Two daemons with two journals under one name would both take a bet. So a daemon serves nobody
before it has read what the broker retains of its table. It goes on if that is nothing, or of its own journal and not
after its own last event. Otherwise another journal was here, or this one is an older copy, and a person has to decide.
If a daemon still runs there, ours does not come back by itself: looking again would disturb the one that serves.
While it serves, it hears every `status` of its table: one of another daemon ends its service permanently.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import aiomqtt

from daemon.errors import SetupError
from daemon.journal.journal import Journal
from daemon.mqtt.documents import Running, read_retained
from daemon.mqtt.topics import Topics

LOOK_S_MAX: Final = 0.3
"""How long a broker may take to deliver what it retains. Most deliver it before they answer the next subscription."""

TAKEN_AGAIN_S: Final = 60.0
"""When a table that was taken, and that nobody serves, is looked at again: this too ends the connection of a daemon."""
AGAIN_BY_A_PERSON: Final = " Then restart this daemon: it does not try again by itself."

Document: TypeAlias = Mapping[str, Any]


class TableTakenError(SetupError):
    """Another daemon serves this table, or its journal is not ours."""

    def __init__(self, found: str, then: str = "") -> None:
        remedy = (
            "Stop the other daemon, or put the newest journal back. If this journal takes the place of the other one "
            f"on purpose, run feltd journal take-over.{then}"
        )
        super().__init__("table-taken", f"{found} feltd serves nobody over MQTT until this is decided.", remedy)


class AnotherDaemonError(TableTakenError):
    """A daemon serves this table beside us. We do not try again: each try ends the other's connection.

    Both log in as the table, and a broker gives one user, or one client id, one connection. Ten tries a minute took as
    many connections from the daemon that served.
    """

    def __init__(self, status: Document) -> None:
        who = f"with journal {status.get('journal')}, since {status.get('connected')}"
        super().__init__(f"Another daemon serves this table, {who}.", AGAIN_BY_A_PERSON)


def expect_own(messages: Iterable[aiomqtt.Message], topics: Topics, journal: Journal) -> None:
    """Raise TableTakenError if what the broker retains of the table is not of this journal."""
    # A session may have kept older ones, which come first.
    latest = {str(message.topic): message for message in messages}
    try:
        _expect_own(latest, topics, journal)
    except TableTakenError:
        status = read_retained(bytes(latest[topics.status].payload)) if topics.status in latest else {}
        if status.get("status") == Running.RUNNING.value:
            raise AnotherDaemonError(status) from None
        raise


def _expect_own(latest: Mapping[str, aiomqtt.Message], topics: Topics, journal: Journal) -> None:
    for topic in (topics.state, topics.status):
        document = read_retained(bytes(latest[topic].payload)) if topic in latest else {}
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
    document = read_retained(bytes(message.payload))
    # Without MQTT 5 our own statuses come back, also those that a session kept. They are not later than ours.
    if document.get("status") == Running.RUNNING.value and document.get("connected", "") > own_connection:
        raise AnotherDaemonError(document)
