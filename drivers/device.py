"""Keeps one configured device connected: connect, identify, run, lose, wait, and again.

Theory of operation. `Device.run` is one task. It opens the connection and listens. The device identifies itself, and
feltd writes to it only if it is the configured one. From then on every chunk goes to the driver, and each outcome is
emitted with the time of its bytes. A connection ends because it broke, because the device was silent too long, or
because another device answers. Then the task waits and begins again. The pauses grow where the fault can end by itself,
and are long where a technician must act. A pause ends at once when something was plugged in.

The driver keeps what must survive a lost connection: the place in the device's numbering, and unanswered commands. So
an event is emitted once however often the device sends it, and a command is done once however often it is sent.

An outage is logged once when it begins and once when it ends. A problem for a technician is logged once.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from enum import Enum
from typing import Final, Never, Protocol, TypeAlias, assert_never

import structlog

from drivers.addresses import Rfc2217Address, SerialAddress, TcpAddress, UsbAddress
from drivers.backoff import Backoff
from drivers.commands import CommandDue
from drivers.driver import Damaged, Rejected, Understood
from drivers.errors import LinkError, LossCode, SetupCode, SetupError, SetupProblem
from drivers.events import (
    Anomaly,
    DeviceEvent,
    DeviceReport,
    Identity,
    LinkLost,
    LinkUp,
    Receipt,
    SetupFailed,
    Stamp,
)
from drivers.health import STEADY_NS, Complaints, Rivalry, SilenceWatch
from drivers.profile import DeviceSettings
from drivers.profiles import DRIVERS
from drivers.tap import Direction, Tap
from drivers.transports import open_transport as open_real_transport
from drivers.transports.base import Chunk, Clock, Transport
from drivers.transports.usb_hotplug import Pause

OpenTransport: TypeAlias = Callable[[DeviceSettings, Clock], Awaitable[Transport]]

_S: Final = 1_000_000_000
# A broken cable is tried at once and then less and less often.
RETRY_S_MIN: Final = 0.1
RETRY_S_MAX: Final = 5.0
# So long after a loss, a missing, busy or forbidden port is a device that comes back: udev needs a moment.
RETURNING_NS: Final = 3 * _S
# A refusal is lost if the port is closed before it was sent. At 38,400 baud it takes 25 ms.
REFUSAL_S: Final = 0.1
# A technician is told if nothing has answered so long after the start. A device server needs some seconds to boot.
UNREACHED_NS: Final = 10 * _S
# Bytes that came so long before others are not of the same frame: no line waits so long within one.
HEARD_PAUSE_NS: Final = _S // 10
# The longest frame names 52 cards.
HEARD_BYTES_MAX: Final = 512
# A shorter wait would be rounded to nothing by the loop's clock of floating-point seconds, and the loop would spin.
_WAIT_NS_MIN: Final = 1_000


class Log(Protocol):
    """The part of a structlog logger that is used here."""

    def info(self, event: str, **fields: object) -> object:
        """Log something that is as it should be."""

    def warning(self, event: str, **fields: object) -> object:
        """Log something that is not."""


class LinkState(Enum):
    """The state of a device's connection."""

    CONNECTING = "connecting"
    IDENTIFYING = "identifying"
    RUNNING = "running"
    WAITING = "waiting"  # the fault can end by itself
    BLOCKED = "blocked"  # until a technician acts


class LinkInput(Enum):
    """What changes the state."""

    OPENED = "opened"
    IDENTIFIED = "identified"
    LOST = "lost"
    REJECTED = "rejected"
    RETRY = "retry"


TRANSITIONS: Final[Mapping[tuple[LinkState, LinkInput], LinkState]] = {
    (LinkState.CONNECTING, LinkInput.OPENED): LinkState.IDENTIFYING,
    (LinkState.CONNECTING, LinkInput.LOST): LinkState.WAITING,
    (LinkState.CONNECTING, LinkInput.REJECTED): LinkState.BLOCKED,
    (LinkState.IDENTIFYING, LinkInput.IDENTIFIED): LinkState.RUNNING,
    (LinkState.IDENTIFYING, LinkInput.LOST): LinkState.WAITING,
    (LinkState.IDENTIFYING, LinkInput.REJECTED): LinkState.BLOCKED,
    (LinkState.RUNNING, LinkInput.IDENTIFIED): LinkState.RUNNING,  # it restarted and said hello again
    (LinkState.RUNNING, LinkInput.LOST): LinkState.WAITING,
    (LinkState.RUNNING, LinkInput.REJECTED): LinkState.BLOCKED,
    (LinkState.WAITING, LinkInput.RETRY): LinkState.CONNECTING,
    (LinkState.BLOCKED, LinkInput.RETRY): LinkState.CONNECTING,
}


class Device:
    """One device, and all that is open for it."""

    def __init__(
        self,
        settings: DeviceSettings,
        *,
        emit: Callable[[DeviceReport], None],
        stamp: Clock,
        resume_from: Receipt | None = None,
        open_transport: OpenTransport = open_real_transport,
        pause: Pause = asyncio.sleep,
        log: Log | None = None,
    ) -> None:
        self._settings: Final = settings
        self._queue_report: Final = emit
        self._stamp: Final = stamp
        self._open_transport: Final = open_transport
        self._pause: Final = pause
        self._log: Final[Log] = log if log is not None else structlog.get_logger(__name__)
        self._driver: Final = DRIVERS[settings.profile.protocol](settings, resume_from)
        self.tap: Final = Tap()
        self._backoff: Final = Backoff(RETRY_S_MIN, RETRY_S_MAX)
        self._complaints: Final = Complaints()
        self._rivalry: Final = Rivalry()
        self._state = LinkState.CONNECTING
        self._identity: Identity | None = None
        self._transport: Transport | None = None
        self._watch = SilenceWatch(settings.profile.freshness, 0)
        self._timer: asyncio.Timeout | None = None
        self._identify_by_ns = 0
        self._up_since_ns = 0
        self._evidence = bytearray()
        self._evidence_at_ns = 0
        self._lost_ns: int | None = None
        self._tried_since_ns: int | None = None  # until a device has answered
        self._is_told_down = False
        self._told_problem: SetupCode | None = None

    @property
    def state(self) -> LinkState:
        """Return the state of the connection."""
        return self._state

    @property
    def identity(self) -> Identity | None:
        """Return which device answered last, or None before the first answer."""
        return self._identity

    @property
    def asked_again(self) -> int:
        """Return how often the device was asked to send an event again."""
        return self._driver.asked_again

    async def run(self) -> Never:
        """Keep the device connected until cancelled. Everything is closed when this ends."""
        self._tried_since_ns = self._stamp().mono_ns
        while True:
            pause_ns = await self._connect_once()
            await self._pause(pause_ns / _S)
            self._move(LinkInput.RETRY)

    def acknowledge(self, receipt: Receipt) -> None:
        """Acknowledge this event and all before it: the journal has them."""
        self._driver.acknowledge(receipt, self._stamp().mono_ns)
        self._send_due_bytes()

    def send(self, due: CommandDue) -> None:
        """Send a command, to be done once. The device's answer is a report, and so is a refusal of the driver."""
        at = self._stamp()
        refused = self._driver.send(due, at.mono_ns)
        if refused is not None:
            self._emit_report(refused, at)
        self._send_due_bytes()

    # One connection, from opening the port to the pause before the next try.

    async def _connect_once(self) -> int:
        try:
            transport = await self._open_transport(self._settings, self._stamp)
        except SetupError as error:
            return self._reject(error.problem)
        except LinkError as error:
            return self._lose(str(error), error.code)
        try:
            return await self._converse(transport)
        finally:
            self._transport = None
            await transport.close()

    async def _converse(self, transport: Transport) -> int:
        self._move(LinkInput.OPENED)
        self._begin(transport)
        try:
            while True:
                await self._serve_once(transport)
                await asyncio.sleep(0)  # the line goes before the next wait is set up: people wait for what it says
        except LinkError as error:
            return self._lose(str(error), error.code)
        except SetupError as error:
            self._send_due_bytes()
            await asyncio.sleep(REFUSAL_S)
            return self._reject(error.problem)

    def _begin(self, transport: Transport) -> None:
        now_ns = self._stamp().mono_ns
        self._transport = transport
        self._watch = SilenceWatch(self._settings.profile.freshness, now_ns)
        self._identify_by_ns = now_ns + self._settings.profile.freshness.reopen_ns
        self._driver.connected(now_ns)

    async def _serve_once(self, transport: Transport) -> None:
        """Take what came next, or do what is due while nothing comes."""
        chunk = await self._wait(transport)
        at = self._stamp() if chunk is None else chunk.at
        if chunk is None:
            self._driver.handle_timeout(at.mono_ns)
        else:
            self._keep_raw(chunk)
            self._driver.receive(chunk.data, at.mono_ns)
        self._take_outcomes(at)  # reads the bytes; `_emit_report` queues each event
        self._send_due_bytes()
        self._check_silence(self._stamp())

    def _keep_raw(self, chunk: Chunk) -> None:
        """Keep the bytes in the tap, and the latest unbroken ones as evidence for the next report."""
        self.tap.record(Direction.FROM_DEVICE, chunk.data, chunk.at)
        if chunk.at.mono_ns - self._evidence_at_ns > HEARD_PAUSE_NS:
            self._evidence.clear()
        self._evidence_at_ns = chunk.at.mono_ns
        self._evidence += chunk.data
        del self._evidence[:-HEARD_BYTES_MAX]

    async def _wait(self, transport: Transport) -> Chunk | None:
        try:
            async with asyncio.timeout(self._wait_s()) as self._timer:
                return await transport.read()
        except TimeoutError:
            return None
        finally:
            self._timer = None

    def _wait_s(self) -> float:
        due_ns = [self._watch.due_ns()]
        next_ns = self._driver.next_timeout_ns()
        if next_ns is not None:
            due_ns.append(next_ns)
        if self._state is LinkState.IDENTIFYING:
            due_ns.append(self._identify_by_ns)
        return max(min(due_ns) - self._stamp().mono_ns, _WAIT_NS_MIN) / _S

    def _send_due_bytes(self) -> None:
        """Send the bytes that are due, and set the timer for the next thing that is due."""
        if self._transport is None:
            return
        data = self._driver.data_to_send()
        if data:
            self.tap.record(Direction.TO_DEVICE, data, self._stamp())
            self._transport.write(data)
        if self._timer is not None and not self._timer.expired():
            self._timer.reschedule(asyncio.get_running_loop().time() + self._wait_s())

    # The driver's outcomes.

    def _take_outcomes(self, at: Stamp) -> None:
        """Have the driver read its bytes, and report what they say: an event that it understood, and what is wrong."""
        while (outcome := self._driver.next_outcome()) is not None:
            match outcome:
                case Understood(LinkUp() as event, _):
                    self._identified(event, at)
                case Understood(Anomaly() as event, None):
                    self._complain(event, at)
                case Understood(event, receipt):
                    self._emit_report(event, at, receipt)
                case Damaged(size):
                    self._complain(Anomaly("line-damage", f"{size} bytes are not a frame"), at)
                case Rejected(problem):
                    raise SetupError(problem)
                case _:
                    assert_never(outcome)

    def _emit_report(self, event: DeviceEvent, at: Stamp, receipt: Receipt | None = None) -> None:
        """Emit a report with the bytes since the last one. If one chunk brings two events, the first gets both's."""
        self._queue_report(DeviceReport(self._settings.name, at, event, receipt, self._evidence.decode("latin-1")))
        self._evidence.clear()

    def _complain(self, anomaly: Anomaly, at: Stamp) -> None:
        admitted = self._complaints.admit(anomaly, at.mono_ns)
        if admitted is not None:
            self._emit_report(admitted, at)

    def _identified(self, event: LinkUp, at: Stamp) -> None:
        if self._state is LinkState.IDENTIFYING:
            self._up_since_ns = at.mono_ns
            self._watch = SilenceWatch(self._settings.profile.freshness, at.mono_ns)
            who = event.identity
            self._log.info("device-up", device=self._settings.name, model=who.model, serial=who.serial)
        self._move(LinkInput.IDENTIFIED)
        self._identity = event.identity
        self._tried_since_ns = None
        self._is_told_down, self._told_problem = False, None
        self._emit_report(event, at)

    def _check_silence(self, at: Stamp) -> None:
        news = self._watch.check(self._driver.heard_ns, at.mono_ns)
        if news is not None and self._state is LinkState.RUNNING:
            self._emit_report(news, at)
        if self._watch.is_over(at.mono_ns):
            raise LinkError("nothing sound was heard for too long", LossCode.SILENT)
        if self._state is LinkState.IDENTIFYING and at.mono_ns >= self._identify_by_ns:
            raise LinkError("it did not say who it is", LossCode.UNNAMED)

    def _lose(self, reason: str, code: LossCode | SetupCode) -> int:
        self._end_running(reason, code)
        self._move(LinkInput.LOST)
        if not self._is_told_down:
            self._is_told_down = True
            self._log.warning("device-down", device=self._settings.name, reason=reason)
        if self._tried_since_ns is not None and self._stamp().mono_ns >= self._tried_since_ns + UNREACHED_NS:
            self._tell_once(_no_answer(self._settings, reason))
        return round(self._backoff.next_s() * _S)

    def _reject(self, problem: SetupProblem) -> int:
        if problem.may_pass and self._is_returning():
            return self._lose(problem.problem, problem.code)
        self._end_running(problem.problem, problem.code)
        self._move(LinkInput.REJECTED)
        self._is_told_down = True
        self._tell_once(problem)
        return problem.retry_ns

    def _tell_once(self, problem: SetupProblem) -> None:
        if problem.code is not self._told_problem:
            self._told_problem = problem.code
            self._tell(problem)

    def _tell(self, problem: SetupProblem) -> None:
        self._emit_report(SetupFailed(problem.code.value, problem.problem, problem.remedy), self._stamp())
        self._log.warning(
            "device-needs-technician",
            device=self._settings.name,
            code=problem.code.value,
            problem=problem.problem,
            remedy=problem.remedy,
        )

    def _end_running(self, reason: str, code: LossCode | SetupCode) -> None:
        if self._state is LinkState.RUNNING:
            at = self._stamp()
            self._lost_ns = at.mono_ns
            up_ns = at.mono_ns - self._up_since_ns
            if up_ns >= STEADY_NS:  # a device that comes and goes every second stays in the long pauses
                self._backoff.reset()
            self._emit_report(LinkLost(reason, code.value), at)
            if self._rivalry.ended(up_ns, was_closed=code is LossCode.CLOSED):
                self._tell(_shared(self._settings))

    def _is_returning(self) -> bool:
        return self._lost_ns is not None and self._stamp().mono_ns < self._lost_ns + RETURNING_NS

    def _move(self, moved_by: LinkInput) -> None:
        self._state = TRANSITIONS[self._state, moved_by]


def _shared(settings: DeviceSettings) -> SetupProblem:
    return SetupProblem(
        SetupCode.SHARED,
        f"{settings.address} closes the connection again and again, soon after it is up.",
        "Check whether another table or program uses it too, and give each device to one table. Else check its power.",
    )


def _no_answer(settings: DeviceSettings, reason: str) -> SetupProblem:
    """Name both causes: a wrong address, the commonest mistake, looks like a device that is switched off."""
    match settings.address:
        case TcpAddress() | Rfc2217Address():
            remedy = "Check the address and the port, the power of the device server, and the network in between."
        case SerialAddress() | UsbAddress():
            baud = settings.profile.line.baud
            remedy = f"Check that the device is on, that it is on this port, and that its line runs at {baud} baud."
        case _:
            assert_never(settings.address)
    return SetupProblem(SetupCode.NO_ANSWER, f"Nothing has answered on {settings.address} so far: {reason}.", remedy)
