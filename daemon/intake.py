"""The straight line: one queue, one consumer, no locks.

Whatever happens to the table, a device's report, a request, midnight, enters here and is taken one at a time: the
table's reducer says what it comes to, the journal commits that in one transaction, and only then is the device's
event acknowledged, an order given, an answer sent and a fact heard by anybody. `take` is that line, top to bottom.

An input that is known already is not taken twice. A device that did not hear our acknowledgement sends its event
again, and the journal's receipt shows it; a client that did not hear its answer asks again with the same id, and
gets the answer that was committed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Never, Protocol, TypeAlias, TypeVar

from daemon.journal.journal import Committed, Journal
from daemon.table.inputs import Input, Request
from daemon.table.reducer import apply
from daemon.table.state import Phase, TableState
from daemon.table.step import Answer, Step
from drivers.commands import CommandDue
from drivers.events import DeviceName, DeviceReport, Receipt

WAITING_MAX: Final = 4096
"""Inputs that may wait. Devices send a window at a time and requests wait for their answers, so many more than that
means that the consumer stands still: then it is right to crash and to be started again."""

SNAPSHOT_EVENTS: Final = 1000
"""Replaying this many events takes some hundredths of a second; a snapshot takes about one."""


class Device(Protocol):
    """What the line asks of a device; `drivers.device.Device` does it."""

    def acknowledge(self, receipt: Receipt) -> None:
        """The journal has it."""

    def send(self, due: CommandDue) -> None:
        """Do this, once."""


AnswerT = TypeVar("AnswerT")
Listener: TypeAlias = Callable[[Committed, TableState], None]


@dataclass(slots=True)
class _Asked:
    """A request, and where its answer goes."""

    request: Request
    answer: asyncio.Future[Answer]


class Intake:
    """The line's one consumer. It owns the table's state; everybody else is handed frozen values."""

    def __init__(
        self, journal: Journal, state: TableState, devices: Mapping[DeviceName, Device], code_version: str
    ) -> None:
        self.state = state
        self._journal = journal
        self._devices = devices
        self._code_version = code_version
        self._listeners: list[Listener] = []
        self._waiting: asyncio.Queue[Input | _Asked | asyncio.Future[None]] = asyncio.Queue(WAITING_MAX)
        self._snapshot_offset = journal.last_offset()

    def listen(self, listener: Listener) -> None:
        """Have every committed step told to `listener`, which must not wait."""
        self._listeners.append(listener)

    def report(self, happened: Input) -> None:
        """Queue what a device or the daemon itself noticed."""
        self._waiting.put_nowait(happened)

    async def ask(self, request: Request) -> Answer:
        """Queue a request and wait for its answer, which is committed before it is given."""
        asked = _Asked(request, asyncio.get_running_loop().create_future())
        await self._waiting.put(asked)
        return await asked.answer

    async def probe(self) -> None:
        """Come back once everything that waited before has been taken."""
        passed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        await self._waiting.put(passed)
        await passed

    async def run(self) -> Never:
        """Take inputs for ever. A journal error ends it, and with it the daemon."""
        while True:
            waiting = await self._waiting.get()
            match waiting:
                case asyncio.Future():
                    _resolve(waiting, None)
                case _Asked(request, answer):
                    _resolve(answer, self._answer(request))
                case _:
                    self.take(waiting)

    def take(self, happened: Input) -> Step[TableState] | None:
        """The line. None when the journal has this input already."""
        if self._known(happened):
            self._acknowledge(happened)
            return None
        step = apply(self.state, happened)
        committed = self._journal.append(happened, step)
        self.state = step.state
        self._acknowledge(happened)
        for due in step.commands:
            self._order(due)
        for listener in self._listeners:
            listener(committed, self.state)
        self._snapshot_now_and_then(committed.offset)
        return step

    def order_again(self) -> None:
        """After a start: devices may never have heard the orders that no answer is known of. They do each once."""
        for due in self.state.outstanding:
            self._order(due)

    def _answer(self, request: Request) -> Answer:
        known = self._journal.answer_to(request.client, request.id)
        if known is not None:
            return known
        step = self.take(request)
        assert step is not None, "a request has no receipt"
        assert step.answer is not None, "the table answers every request"
        return step.answer

    def _known(self, happened: Input) -> bool:
        if not isinstance(happened, DeviceReport) or happened.receipt is None:
            return False
        last = self._journal.last_receipt(happened.device)
        return last is not None and last.boot == happened.receipt.boot and happened.receipt.seq <= last.seq

    def _acknowledge(self, happened: Input) -> None:
        if isinstance(happened, DeviceReport) and happened.receipt is not None:
            self._devices[happened.device].acknowledge(happened.receipt)

    def _order(self, due: CommandDue) -> None:
        device = self._devices.get(due.device)
        if device is not None:
            device.send(due)

    def _snapshot_now_and_then(self, offset: int) -> None:
        """Between rounds the state is smallest."""
        quiet = self.state.phase in (Phase.IDLE, Phase.BETTING)
        if quiet and offset - self._snapshot_offset >= SNAPSHOT_EVENTS:
            self._journal.save_snapshot(offset, self.state, self._code_version)
            self._snapshot_offset = offset


def _resolve(future: asyncio.Future[AnswerT], value: AnswerT) -> None:
    """Whoever waited may have given up meanwhile."""
    if not future.done():
        future.set_result(value)
