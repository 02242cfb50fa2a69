"""Notices that another daemon serves this table, or served it with another journal.

Theory of operation. Two daemons with two journals under one name would both take a bet. So a daemon serves nobody
before it has read what the broker retains of its table. It goes on if that is nothing, or of its own journal and not
after the last event that can be there from us: the last one of the journal when feltd started, and then the last one
that we told. What was written since tells nothing: an older copy writes events of its own at its start, and so had as
many as the broker. Otherwise another journal was here, or this one is an older copy, and a person has to decide.
If a daemon still runs there, ours does not come back by itself: looking again would disturb the one that serves.
While it serves, it hears every `status` of its table: one of another daemon ends its service permanently.

A copy of the journal has the same name, and a status that says `running` can be what a crash of ours left. So the later
daemon serves, if the table did not move on since the copy was made. The first one finds its status when it comes back
to the broker, which gives one user one connection, and ends: it knows which connections were its own. It may find the
other's will instead, which says `lost`: its own connection was what the broker ended the other one for. The will of
another journal tells of a daemon that looked and gave way: if ours gave way to it, nobody would serve.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias

import aiomqtt

from daemon.errors import SetupError
from daemon.journal.journal import Journal
from daemon.mqtt.documents import Running, read_retained
from daemon.mqtt.topics import Topics

LOOK_S_MAX: Final = 0.3
"""How long a broker that answers out of order may take to deliver what it retains.

Mosquitto, NATS and RabbitMQ have delivered it when they answer the next subscription.
"""

OWN_KEPT: Final = 64
"""So many connections of ours are known again: more than can end before the broker has the first status of one."""

TRIES_KEPT: Final = 4096
"""So many tries are known again: more than a day of them, at the longest pause between two."""

TOLD_MAX: Final = 40  # a journal's name has 12 characters, a time 27
_SEQUENCE: Final = re.compile(r"[0-9]{1,18}")

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
        who = f"with journal {_told(status.get('journal'))}, since {_told(status.get('connected'))}"
        super().__init__(f"Another daemon serves this table, {who}.", AGAIN_BY_A_PERSON)


class Rivals:
    """Finds the other daemons of our table, over all connections of this process."""

    def __init__(self, topics: Topics, journal: Journal) -> None:
        self._topics = topics
        self._journal = journal
        self._told = journal.last_sequence()  # the last event of ours that the broker can have
        self._served: deque[str] = deque(maxlen=OWN_KEPT)
        self._tried: deque[str] = deque(maxlen=TRIES_KEPT)

    def note_tried(self, connected: str) -> None:
        """Record that we try to connect with a will of this time. A slow broker keeps it even if our try fails."""
        self._tried.append(connected)

    def note_served(self, connected: str) -> None:
        """Record that we serve the table on the connection of this time."""
        self._served.append(connected)

    def note_told(self, sequence: int) -> None:
        """Record that we tell the broker of the table after this event."""
        self._told = sequence

    def look(self, messages: Iterable[aiomqtt.Message]) -> None:
        """Raise TableTakenError if what the broker retains of the table is of another journal or another daemon."""
        latest = {str(message.topic): message for message in messages}
        status = _retained(latest, self._topics.status)
        try:
            self._expect_own(latest)
        except TableTakenError:
            if _is_running(status):
                raise AnotherDaemonError(status) from None
            raise
        if self._came_after_us(status):
            raise AnotherDaemonError(status)

    def hear(self, message: aiomqtt.Message) -> None:
        """Raise AnotherDaemonError if this status, heard while we serve, is of another daemon that runs."""
        status = read_retained(bytes(message.payload))
        connected = _time_of(status)
        # Without MQTT 5 our own statuses come back.
        if not _is_running(status) or connected in self._served:
            return
        # What our last process said can still be on its way. It is of our journal, and not later than ours.
        if not self._is_ours(status.get("journal")) or connected > self._served[-1]:
            raise AnotherDaemonError(status)

    def _came_after_us(self, status: Document) -> bool:
        """Return whether another daemon of this journal has been here since we served."""
        connected = _time_of(status)
        # Before we have served, it can be what a crash of ours left.
        if not self._served or connected in self._served or connected in self._tried:
            return False
        # A copy of the journal has served, or will. Another journal only looked, or the state would be its own.
        is_lost_copy = status.get("status") == Running.LOST.value and self._is_ours(status.get("journal"))
        return _is_running(status) or (is_lost_copy and connected > self._served[-1])

    def _expect_own(self, latest: Mapping[str, aiomqtt.Message]) -> None:
        state, status = (_retained(latest, topic) for topic in (self._topics.state, self._topics.status))
        self._expect_journal(state)
        if not self._is_ours(state.get("journal")) or _is_running(status):
            self._expect_journal(status)
        # Else another daemon only looked, and its will says `lost`: had it served, the state would be its own.

    def _expect_journal(self, document: Document) -> None:
        ours = self._journal.id
        found = document.get("journal")
        if found is not None and not self._is_ours(found):
            raise TableTakenError(f"The broker has this table with journal {_told(found)}, and ours is {ours}.")
        sequence = _sequence_of(document) if found == ours else 0
        if sequence > self._told:
            last = f"from our journal {ours} it can have none after event {self._told}"
            raise TableTakenError(f"The broker has event {sequence} of this table, and {last}.")

    def _is_ours(self, journal: object) -> bool:
        return any(journal == name for _, name in self._journal.generations)  # it can be of any type of JSON


def _retained(latest: Mapping[str, aiomqtt.Message], topic: str) -> Document:
    return read_retained(bytes(latest[topic].payload)) if topic in latest else {}


def _time_of(status: Document) -> str:
    connected = status.get("connected")
    return connected if isinstance(connected, str) else ""


def _sequence_of(document: Document) -> int:
    """Return the number of the last event, or 0 if the document has none that a table could have written."""
    sequence = document.get("sequence")
    return int(sequence) if isinstance(sequence, str) and _SEQUENCE.fullmatch(sequence) else 0


def _told(value: object) -> str:
    """Return what somebody retained, for a message: the table's name for a journal, or the beginning of anything."""
    return str(value)[:TOLD_MAX]


def _is_running(status: Document) -> bool:
    return status.get("status") == Running.RUNNING.value
