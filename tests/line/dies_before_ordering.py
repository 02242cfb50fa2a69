"""feltd, killed for good after it has acknowledged a device's event and before it gives the order that follows from it.

A program of its own, since only the process itself can be ended just there: its first word is the order's name.
"""

from __future__ import annotations

import os
import signal
import sys

from daemon.cli import main
from daemon.intake import Intake
from daemon.table.inputs import Input
from drivers.commands import CommandDue
from drivers.events import DeviceReport

DIES_BEFORE = sys.argv.pop(1)
_acknowledge, _send = Intake._acknowledge_input, Intake._send_command
_acknowledged: list[Input] = []


def acknowledge(intake: Intake, happened: Input) -> None:
    """As ever, and remembered."""
    _acknowledge(intake, happened)
    _acknowledged[:] = [happened] if isinstance(happened, DeviceReport) and happened.receipt is not None else []


def send(intake: Intake, due: CommandDue) -> None:
    """The first that follows from an acknowledged event is never given. What is ordered again at a start is."""
    if _acknowledged and type(due.command).__name__ == DIES_BEFORE:
        os.kill(os.getpid(), signal.SIGKILL)
    _send(intake, due)


if __name__ == "__main__":
    Intake._acknowledge_input, Intake._send_command = acknowledge, send  # type: ignore[assignment, method-assign]
    main()
