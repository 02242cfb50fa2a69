"""Where a process can end on the straight line: around a commit, an answer, an acknowledgement, a command, a cursor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import apsw

from daemon.app import Graph
from daemon.journal.journal import Committed
from daemon.table.inputs import Request
from drivers.commands import CommandDue
from drivers.device import Device
from drivers.events import Receipt


class CrashError(Exception):
    """The process ends here."""


class Point(Enum):
    """Where on the straight line the process can end."""

    BEFORE_COMMIT = "before a commit"
    AFTER_COMMIT = "after a commit"
    BEFORE_ANSWERING = "before a client is answered"
    BEFORE_ACKNOWLEDGING = "before a device is told"
    AFTER_ACKNOWLEDGING = "after a device was told"
    BEFORE_COMMAND = "before a command is sent"
    AFTER_COMMAND = "after a command was sent"
    BEFORE_CURSOR = "before the cursor moves"
    AFTER_CURSOR = "after the cursor moved"


def crash_of(work: Callable[[], object]) -> tuple[object, ...]:
    """Return where the process ended in this work, if it did. Let any other error pass.

    A disk that takes no more bytes because the power went raises a CrashError within SQLite. Where that ends a
    transaction, SQLite puts an error of its own in front of it, as no real disk makes it do.
    """
    try:
        work()
    except (CrashError, apsw.SQLError) as error:
        crash = error.__context__ if isinstance(error, apsw.SQLError) else error
        if not isinstance(crash, CrashError):
            raise
        return crash.args
    return ()


@dataclass(slots=True)
class FragileDevice:
    """A device around which the process can end."""

    device: Device
    reach: Callable[[Point], None]

    @property
    def asked_again(self) -> int:
        return self.device.asked_again

    def acknowledge(self, receipt: Receipt) -> None:
        self.reach(Point.BEFORE_ACKNOWLEDGING)
        self.device.acknowledge(receipt)
        self.reach(Point.AFTER_ACKNOWLEDGING)

    def send(self, due: CommandDue) -> None:
        self.reach(Point.BEFORE_COMMAND)
        self.device.send(due)
        self.reach(Point.AFTER_COMMAND)


def make_fragile(graph: Graph, reach: Callable[[Point], None]) -> None:
    """Have `reach` called at each point of this graph's line. It may raise CrashError."""
    for name, device in graph.devices.items():
        graph.devices[name] = FragileDevice(device, reach)  # type: ignore[assignment]
    append, advance = graph.journal.append, graph.journal.advance

    def appended(*committed: Any) -> Committed:  # noqa: ANN401
        reach(Point.BEFORE_COMMIT)
        done = append(*committed)
        reach(Point.AFTER_COMMIT)
        if isinstance(committed[0], Request):
            reach(Point.BEFORE_ANSWERING)
        return done

    def advanced(name: str, sequence: int) -> None:
        reach(Point.BEFORE_CURSOR)
        advance(name, sequence)
        reach(Point.AFTER_CURSOR)

    graph.journal.append = appended  # type: ignore[assignment, method-assign]
    graph.journal.advance = advanced  # type: ignore[method-assign]
