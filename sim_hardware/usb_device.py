"""The device's end of a USB cable, without a bus: transfers in, answers out.

Theory of operation. A bus (USB/IP for a kernel, or a backend for pyusb) hands over one `Transfer` at a time. It gets
the transfer back through `Transfer.done`, at once or when the device has something: an IN transfer waits until there
are bytes, as a real endpoint answers NAK. A bus may cancel a transfer, which is then never answered. The line begins
when the host sets the configuration. It ends when the bus is lost or reset.

The `Function` knows what the bytes mean: felt-link itself, or a serial port of one of two kinds.
"""

from __future__ import annotations

import struct
from collections import deque
from collections.abc import Callable
from dataclasses import field
from enum import Enum, IntEnum
from typing import Final, Protocol

from protocols.frozen import dataclass
from sim_hardware.ports import PortUser
from sim_hardware.usb_descriptors import BULK_IN, BULK_OUT, IN, NOTICE_IN, Descriptors

QUEUE_BYTES_MAX: Final = 4_096
"""What waits for a host that does not fetch: a whole window of felt-link's longest frames."""


class Status(Enum):
    """How a transfer ended."""

    OK = "ok"
    STALLED = "stalled"


@dataclass(eq=False, slots=True)
class Transfer:
    """One transfer on an endpoint other than 0. For OUT it has the data, for IN the room that the host has."""

    endpoint: int
    done: Callable[[Status, bytes], None]
    data: bytes = field(default=b"", repr=False)
    room: int = 0


@dataclass(frozen=True, slots=True)
class Setup:
    """The eight bytes that begin a control transfer (USB 2.0, table 9-2)."""

    kind: int
    request: int
    value: int
    index: int
    length: int

    @classmethod
    def decode(cls, data: bytes) -> Setup:
        return cls(*struct.unpack("<BBHHH", data))

    @property
    def is_in(self) -> bool:
        return bool(self.kind & IN)

    @property
    def is_standard(self) -> bool:
        return not self.kind & 0x60

    @property
    def is_for_endpoint(self) -> bool:
        return self.kind & 0x1F == 2


class Standard(IntEnum):
    """USB 2.0, table 9-4."""

    GET_STATUS = 0
    CLEAR_FEATURE = 1
    SET_FEATURE = 3
    SET_ADDRESS = 5
    GET_DESCRIPTOR = 6
    GET_CONFIGURATION = 8
    SET_CONFIGURATION = 9
    GET_INTERFACE = 10
    SET_INTERFACE = 11


class Function(Protocol):
    """What a device does beyond being on a bus."""

    def control(self, setup: Setup, data: bytes) -> bytes | None:
        """Answer a request of the class or the vendor. Return None to stall it."""

    def wrap(self, queue: bytearray, room: int) -> bytes:
        """Take bytes out of the queue for a bulk transfer with this much room."""

    def notice(self, waiting: int) -> bytes:
        """Return what the interrupt endpoint sends while this many bytes wait, or b"" to send nothing."""


class UsbDevice:
    """One emulated device. Mutable. Its bus gives it transfers."""

    def __init__(self, descriptors: Descriptors, function: Function) -> None:
        self.descriptors: Final = descriptors
        self.is_deaf = False
        """Whether it takes no bytes, as a device does whose program hangs."""
        self._function: Final = function
        self._user: PortUser | None = None
        self._configuration = 0
        self._halted: Final[set[int]] = set()
        self._queue: Final = bytearray()
        self._pending: Final[deque[Transfer]] = deque()

    @property
    def is_configured(self) -> bool:
        """Return whether there is a line."""
        return self._configuration != 0

    @property
    def waiting(self) -> int:
        """Return how many bytes the host has not fetched."""
        return len(self._queue)

    # What the device's program does.

    def serve(self, user: PortUser | None) -> None:
        """Tell this user of the line from now on."""
        self._user = user

    def send(self, data: bytes) -> None:
        """Send bytes to the host. Bytes that find no room in the queue are lost."""
        if self.is_configured:
            self._queue.extend(data)
            self._answer_pending()
            del self._queue[QUEUE_BYTES_MAX:]

    def halt(self, endpoint: int) -> None:
        """Fail an endpoint until the host clears it."""
        self._halted.add(endpoint)
        self._answer_pending()

    def end_deafness(self) -> None:
        """Take bytes again."""
        self.is_deaf = False
        self._answer_pending()

    # What the bus does.

    def reset(self) -> None:
        """Return to the state after power-on: the bus is new, or was reset."""
        was_configured = self.is_configured
        self._configuration = 0
        self._halted.clear()
        self._queue.clear()
        self._pending.clear()
        if was_configured and self._user is not None:
            self._user.on_unplugged()

    def control(self, setup: Setup, data: bytes = b"") -> bytes | None:
        """Answer a request on endpoint 0. The answer is empty for OUT, and None if the request is stalled."""
        answer = self._standard(setup) if setup.is_standard else self._function.control(setup, data)
        return None if answer is None else answer[: setup.length] if setup.is_in else b""

    def submit(self, transfer: Transfer) -> None:
        """Take a transfer on one of the function's endpoints."""
        self._pending.append(transfer)
        self._answer_pending()

    def cancel(self, transfer: Transfer) -> bool:
        """Cancel a transfer. Return False if it was answered before."""
        if transfer in self._pending:
            self._pending.remove(transfer)
            return True
        return False

    # Endpoint 0.

    def _standard(self, setup: Setup) -> bytes | None:
        match setup.request:
            case Standard.GET_DESCRIPTOR:
                return self.descriptors.get(setup.value >> 8, setup.value & 0xFF)
            case Standard.GET_STATUS:
                is_halted = setup.is_for_endpoint and setup.index in self._halted
                return bytes((is_halted, 0))
            case Standard.GET_CONFIGURATION:
                return bytes((self._configuration,))
            case Standard.GET_INTERFACE:
                return b"\0"
            case Standard.SET_CONFIGURATION:
                return self._configure(setup.value)
            case Standard.CLEAR_FEATURE:
                self._halted.discard(setup.index)
                return b""
            case Standard.SET_ADDRESS | Standard.SET_INTERFACE | Standard.SET_FEATURE:
                return b""
            case _:
                return None

    def _configure(self, value: int) -> bytes | None:
        if value not in (0, Descriptors.CONFIGURATION):
            return None
        self.reset()
        self._configuration = value
        if self.is_configured and self._user is not None:
            self._user.on_plugged()
        return b""

    # The other endpoints.

    def _answer_pending(self) -> None:
        for transfer in tuple(self._pending):
            if transfer in self._pending:  # an answer to one of them may have changed the others
                self._answer(transfer)

    def _answer(self, transfer: Transfer) -> None:
        if transfer.endpoint in self._halted:
            self._finish(transfer, Status.STALLED)
        elif transfer.endpoint == BULK_OUT and not self.is_deaf:
            self._finish(transfer, Status.OK)
            if self._user is not None:
                self._user.on_data(transfer.data)
        elif transfer.endpoint == BULK_IN and self._queue:
            self._finish(transfer, Status.OK, self._function.wrap(self._queue, transfer.room))
        elif transfer.endpoint == NOTICE_IN and self._queue and (said := self._function.notice(len(self._queue))):
            self._finish(transfer, Status.OK, said[: transfer.room])

    def _finish(self, transfer: Transfer, status: Status, data: bytes = b"") -> None:
        self._pending.remove(transfer)
        transfer.done(status, data)
