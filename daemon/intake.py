"""The straight line: one queue, one consumer, no locks.

Everything that happens to the table enters here and is taken one at a time: a device's report, a request, midnight.
The reducer works out the step. The journal commits it in one transaction. Only then listeners are called, the device's
event is acknowledged, commands are sent and answers are given. `take_input` is that line, top to bottom.

No input is taken twice. A device that did not receive our acknowledgement sends its event again, and the journal's
receipt shows that it is known. A client that did not receive its answer asks again under the same id, and gets the
answer that was committed. A refused request that changed nothing is not committed, and the table is asked anew.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Never, Protocol, TypeAlias, TypeGuard, TypeVar

from daemon.frozen import replace
from daemon.journal.journal import Committed, Journal
from daemon.table.carry_over import CarryOver, carry_over
from daemon.table.inputs import Input, Request
from daemon.table.reducer import apply
from daemon.table.refusal_codes import RefusalName
from daemon.table.state import TableState
from daemon.table.step import Answer, Step
from drivers.commands import CommandDue
from drivers.events import DeviceName, DeviceReport, Receipt

WAITING_MAX: Final = 4096
"""Inputs that may wait. Devices send a window at a time and requests wait for their answers. A queue this long
means that the consumer stands still: crashing, and a restart by systemd, is then the right answer."""

CARRY_OVER_INPUTS: Final = 200
"""A table on which nobody plays carries over after so many inputs too, or a start would replay a long night."""

_ID_REUSED_CODE: Final[RefusalName] = "id-reused"
_ID_REUSED: Final = Answer(
    accepted=False,
    code=_ID_REUSED_CODE,
    message="you gave this id to another command before; a new command takes a new id",
)


class TableDevice(Protocol):
    """What the line asks of a device. `drivers.device.Device` implements it."""

    def acknowledge(self, receipt: Receipt) -> None:
        """Tell the device that the journal has its event."""

    def send(self, due: CommandDue) -> None:
        """Give the device a command. A device obeys each command id once."""


AnswerT = TypeVar("AnswerT")
Listener: TypeAlias = Callable[[Committed, TableState], None]


@dataclass(slots=True)
class _QueuedRequest:
    """A request, and the future that its answer resolves."""

    request: Request
    answer: asyncio.Future[Answer]


class Intake:
    """The line's one consumer. It owns the table's state. Everybody else gets frozen values."""

    def __init__(self, journal: Journal, state: TableState, devices: Mapping[DeviceName, TableDevice]) -> None:
        self.state = state
        self._journal = journal
        self._devices = devices
        self._listeners: list[Listener] = []
        self.repeats: Counter[DeviceName] = Counter()  # events that a device sent again though the journal had them
        self._waiting: asyncio.Queue[Input | _QueuedRequest | asyncio.Future[None]] = asyncio.Queue(WAITING_MAX)
        # As if the last carry-over were long ago: the first input of a start carries over, if it can.
        self._carried_offset = -CARRY_OVER_INPUTS
        self._is_upkeep_due = False  # of the journal, between two rounds

    @property
    def waiting(self) -> int:
        """Return the inputs that wait in the queue."""
        return self._waiting.qsize()

    def listen(self, listener: Listener) -> None:
        """Call `listener` after every commit. It must not wait: the next input waits for it."""
        self._listeners.append(listener)

    def queue_input(self, happened: Input) -> None:
        """Queue what a device or the daemon itself noticed. Raise QueueFull if the consumer stands still."""
        self._waiting.put_nowait(happened)

    async def submit_request(self, request: Request) -> Answer:
        """Queue a request and return its answer, which is committed by then."""
        asked = _QueuedRequest(request, asyncio.get_running_loop().create_future())
        await self._waiting.put(asked)
        return await asked.answer

    async def probe(self) -> None:
        """Return when everything that was queued before has been taken."""
        passed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._waiting.put(passed)
        await passed

    async def run(self) -> Never:
        """Take inputs until cancelled. A journal error ends it, and with it the daemon."""
        while True:
            waiting = await self._waiting.get()
            match waiting:
                case asyncio.Future():
                    _resolve(waiting, None)
                case _QueuedRequest(request, answer):
                    _resolve(answer, self._answer_request(request))
                case _:
                    self.take_input(waiting)
            if self._is_upkeep_due:
                self._is_upkeep_due = False
                await asyncio.sleep(0)  # the answer goes out first
                self._journal.do_upkeep()

    def take_input(self, happened: Input) -> Step[TableState] | None:
        """Take one input down the whole line. Return its step, or None if the journal has the input already."""
        if self._is_known(happened):
            self._acknowledge_repeat(happened)
            return None
        step = apply(self.state, happened)
        if self._changes_nothing(step):
            return step  # a refused request: many of them would fill the journal's disk
        carried = self._due_carry_over(step.state)  # at a round's end: what the next start needs of it
        committed = self._journal.append(happened, step, carried)
        # The step is on the disk. A crash before here leaves nothing of it: the device and the client say it again.
        # After a crash from here on the device hears at its next connection what we have, and `resend_commands` sends
        # what was not sent. So nothing is lost if people are told before the device is.
        self.state = step.state
        for listener in self._listeners:  # the first publishes the facts
            listener(committed, self.state)
        self._acknowledge_input(happened)
        for due in step.commands:
            self._send_command(due)
        return step

    def resend_commands(self) -> None:
        """Send the commands that no answer is known of, after a start. The crash may have come before they went out."""
        for due in self.state.outstanding:
            self._send_command(due)

    def _answer_request(self, request: Request) -> Answer:
        # The journal is asked before the table: a repeat gets the first answer even if the table would now refuse it.
        answered = self._journal.answered(request.who, request.id)
        if answered is not None:
            first, known = answered
            is_same = (first.action, first.round_id) == (request.action, request.round_id)
            return known if is_same else _ID_REUSED
        step = self.take_input(request)
        assert step is not None, "a request has no receipt"
        assert step.answer is not None, "the table answers every request"
        return step.answer

    def _changes_nothing(self, step: Step[TableState]) -> bool:
        refused = step.answer is not None and not step.answer.accepted
        return refused and not step.facts and not step.commands and replace(step.state, at=self.state.at) == self.state

    def _is_known(self, happened: Input) -> TypeGuard[DeviceReport]:
        if not isinstance(happened, DeviceReport) or happened.receipt is None:
            return False
        last = self._journal.last_receipt(happened.device)
        # A device counts its events from 1 after each boot, so numbers compare only within one boot.
        return last is not None and last.boot == happened.receipt.boot and happened.receipt.seq <= last.seq

    def _acknowledge_repeat(self, report: DeviceReport) -> None:
        # Rare: the link drops repeats of the boot that it remembers. This device came back under one that only the
        # journal knows. It sends again because our acknowledgement was lost, and without one would never stop.
        self._acknowledge_input(report)
        self.repeats[report.device] += 1

    def _acknowledge_input(self, happened: Input) -> None:
        if isinstance(happened, DeviceReport) and happened.receipt is not None:
            self._devices[happened.device].acknowledge(happened.receipt)

    def _send_command(self, due: CommandDue) -> None:
        # A device that the file no longer names may still have a command outstanding from the last configuration.
        device = self._devices.get(due.device)
        if device is not None:
            device.send(due)

    def _due_carry_over(self, after: TableState) -> CarryOver | None:
        """Return what outlives the round, at its end and now and then until the next one begins."""
        ended = (None if self.state.round is None else self.state.round.id) != (
            None if after.round is None else after.round.id
        )
        offset = self._journal.last_offset() + 1
        if not ended and offset - self._carried_offset < CARRY_OVER_INPUTS:
            return None
        carried = carry_over(after)
        if carried is not None:  # if it is not committed after all, the daemon ends
            self._carried_offset = offset
            self._is_upkeep_due = True
        return carried


def _resolve(future: asyncio.Future[AnswerT], value: AnswerT) -> None:
    if not future.done():  # a client that disconnected has cancelled it
        future.set_result(value)
