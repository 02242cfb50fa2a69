"""pyusb's backend interface over emulated devices: the host's side of USB without a kernel.

It lives with the tests because it has to raise pyusb's own errors, and only the transports of the product import
pyusb. What a device answers is the emulator's: the same `UsbDevice` that a kernel sees over USB/IP.

Theory of operation. The emulated devices live in an event loop; pyusb calls from whatever thread reads or writes. Each
call is carried into the loop and waited for. A transfer that outlives its time-out is taken back there, and if it was
answered in the meantime the answer counts, which is what libusb does.
"""

from __future__ import annotations

import asyncio
import errno
import os
import threading
from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Final, Never, TypeAlias, TypeVar

import usb.backend
import usb.core

from sim_hardware.usb_descriptors import IN, Descriptors, Endpoint
from sim_hardware.usb_device import Setup, Standard, Status, Transfer, UsbDevice

ResultT = TypeVar("ResultT")
Answer: TypeAlias = "Future[tuple[Status, bytes]]"
# libusb.h, enum libusb_error, beside the errno that pyusb gives with each.
_LIBUSB_ERRORS: Final = {
    errno.EIO: -1,
    errno.EACCES: -3,
    errno.ENODEV: -4,
    errno.ENOENT: -5,
    errno.EBUSY: -6,
    errno.ETIMEDOUT: -7,
    errno.EOVERFLOW: -8,
    errno.EPIPE: -9,
}
_HIGH_SPEED: Final = 3  # libusb.h, enum libusb_speed
_ANSWER_S_MAX: Final = 10.0


def fail(number: int) -> Never:
    """Raise what pyusb raises for an error of libusb."""
    kind = usb.core.USBTimeoutError if number == errno.ETIMEDOUT else usb.core.USBError
    raise kind(os.strerror(number), _LIBUSB_ERRORS[number], number)


@dataclass(eq=False, slots=True)
class Socket:
    """One plugged-in device, and what the host's kernel knows of it."""

    device: UsbDevice
    number: int
    is_plugged: bool = True
    claimed_by: object = None
    open_handles: int = 0
    under_way: list[Answer] = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Handle:
    """An open device."""

    socket: Socket


@dataclass(slots=True)
class Troubles:
    """What goes wrong on the host's side, by the test's wish; each list gives the errno of the calls to come."""

    opening: list[int] = field(default_factory=list)
    claiming: list[int] = field(default_factory=list)
    reading: list[int] = field(default_factory=list)
    writing: list[int] = field(default_factory=list)

    @staticmethod
    def strike(planned: list[int]) -> None:
        if planned:
            fail(planned.pop(0))


class EmulatedBus(usb.backend.IBackend):  # type: ignore[misc]  # pyusb has no types
    """A bus in memory: `plug` and `unplug` for the emulator, pyusb's backend for the host."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._loop_thread = threading.get_ident()
        self._sockets: Final[list[Socket]] = []
        self._plugged = 0
        self._news: Final = asyncio.Event()
        self.troubles: Final = Troubles()
        self.timed_out: Final[Counter[int]] = Counter()
        """How many transfers were taken back, by endpoint."""

    @property
    def open_handles(self) -> int:
        """How many handles nobody has given back, also on devices that are gone."""
        return sum(socket.open_handles for socket in self._sockets)

    async def transferred(self) -> None:
        """Wait until a transfer has ended, one way or the other."""
        self._news.clear()
        await self._news.wait()

    # The emulator's side.

    @property
    def how_to_attach(self) -> str:
        """Nothing: this bus has its host."""
        return "it is attached"

    async def open(self) -> None:
        """It is there."""

    async def close(self) -> None:
        """Pull every plug."""
        for socket in self._sockets:
            self.unplug(socket.device)

    def plug(self, device: UsbDevice) -> None:
        """The kernel finds the device and configures it before any program sees it."""
        self._plugged += 1
        device.reset()
        self._sockets.append(Socket(device, self._plugged))
        device.control(Setup(0, Standard.SET_CONFIGURATION, Descriptors.CONFIGURATION, 0, 0))

    def unplug(self, device: UsbDevice) -> None:
        """A transfer that is going on finds the device gone."""
        for socket in self._sockets:
            if socket.device is device and socket.is_plugged:
                socket.is_plugged = False
                device.reset()
                for waiting in socket.under_way:
                    waiting.cancel()

    # The host's side: finding.

    def enumerate_devices(self) -> Iterator[Socket]:
        return iter([socket for socket in self._sockets if socket.is_plugged])

    def get_parent(self, dev: Socket) -> None:
        return None

    def get_device_descriptor(self, dev: Socket) -> SimpleNamespace:
        device = dev.device.descriptors
        return SimpleNamespace(
            bLength=18, bDescriptorType=1, bcdUSB=0x0200, bDeviceClass=device.triple.class_,
            bDeviceSubClass=device.triple.subclass, bDeviceProtocol=device.triple.protocol,
            bMaxPacketSize0=device.control_packet_bytes, idVendor=device.vendor, idProduct=device.product,
            bcdDevice=device.release_bcd, iManufacturer=1, iProduct=2, iSerialNumber=3, bNumConfigurations=1,
            address=dev.number, bus=1, port_number=dev.number, port_numbers=(dev.number,), speed=_HIGH_SPEED,
        )  # fmt: skip

    def get_configuration_descriptor(self, dev: Socket, config: int) -> SimpleNamespace:
        device = dev.device.descriptors
        if config:
            raise IndexError(config)
        return SimpleNamespace(
            bLength=9, bDescriptorType=2, wTotalLength=len(device.configuration()),
            bNumInterfaces=len(device.interfaces), bConfigurationValue=Descriptors.CONFIGURATION, iConfiguration=0,
            bmAttributes=0x80, bMaxPower=50, extra_descriptors=[],
        )  # fmt: skip

    def get_interface_descriptor(self, dev: Socket, intf: int, alt: int, config: int) -> SimpleNamespace:
        if alt or config:
            raise IndexError(alt)
        interface = dev.device.descriptors.interfaces[intf]
        return SimpleNamespace(
            bLength=9, bDescriptorType=4, bInterfaceNumber=intf, bAlternateSetting=0,
            bNumEndpoints=len(interface.endpoints), bInterfaceClass=interface.triple.class_,
            bInterfaceSubClass=interface.triple.subclass, bInterfaceProtocol=interface.triple.protocol, iInterface=0,
            extra_descriptors=list(interface.extra),
        )  # fmt: skip

    def get_endpoint_descriptor(self, dev: Socket, ep: int, intf: int, alt: int, config: int) -> SimpleNamespace:
        endpoint: Endpoint = dev.device.descriptors.interfaces[intf].endpoints[ep]
        return SimpleNamespace(
            bLength=7, bDescriptorType=5, bEndpointAddress=endpoint.address, bmAttributes=int(endpoint.kind),
            wMaxPacketSize=endpoint.packet_bytes, bInterval=endpoint.interval, bRefresh=0, bSynchAddress=0,
            extra_descriptors=[],
        )  # fmt: skip

    # Opening.

    def open_device(self, dev: Socket) -> Handle:
        self._must_be_there(dev)
        Troubles.strike(self.troubles.opening)
        dev.open_handles += 1
        return Handle(dev)

    def close_device(self, dev_handle: Handle) -> None:
        dev_handle.socket.open_handles -= 1

    def get_configuration(self, dev_handle: Handle) -> int:
        return self._control(dev_handle, Setup(IN, Standard.GET_CONFIGURATION, 0, 0, 1))[0]

    def set_configuration(self, dev_handle: Handle, config_value: int) -> None:
        self._control(dev_handle, Setup(0, Standard.SET_CONFIGURATION, config_value, 0, 0))

    def is_kernel_driver_active(self, dev_handle: Handle, intf: int) -> bool:
        return False

    def claim_interface(self, dev_handle: Handle, intf: int) -> None:
        self._must_be_there(dev_handle.socket)
        Troubles.strike(self.troubles.claiming)
        if dev_handle.socket.claimed_by not in (None, dev_handle):
            fail(errno.EBUSY)
        dev_handle.socket.claimed_by = dev_handle

    def release_interface(self, dev_handle: Handle, intf: int) -> None:
        dev_handle.socket.claimed_by = None

    # Transferring.

    def ctrl_transfer(
        self,
        dev_handle: Handle,
        bm_request_type: int,
        request: int,
        value: int,
        index: int,
        data: array[int],
        timeout: int,
    ) -> int:
        setup = Setup(bm_request_type, request, value, index, len(data))
        answer = self._control(dev_handle, setup, b"" if setup.is_in else bytes(data))
        data[: len(answer)] = array("B", answer)
        return len(answer) if setup.is_in else len(data)

    def clear_halt(self, dev_handle: Handle, ep: int) -> None:
        self._control(dev_handle, Setup(2, Standard.CLEAR_FEATURE, 0, ep, 0))

    def bulk_read(self, dev_handle: Handle, ep: int, intf: int, buff: array[int], timeout: int) -> int:
        Troubles.strike(self.troubles.reading)
        data = self._transfer(dev_handle.socket, ep, timeout, room=len(buff))
        buff[: len(data)] = array("B", data)
        return len(data)

    intr_read = bulk_read

    def bulk_write(self, dev_handle: Handle, ep: int, intf: int, data: array[int], timeout: int) -> int:
        Troubles.strike(self.troubles.writing)
        self._transfer(dev_handle.socket, ep, timeout, data=bytes(data))
        return len(data)

    def _control(self, handle: Handle, setup: Setup, data: bytes = b"") -> bytes:
        self._must_be_there(handle.socket)
        answer = self._in_loop(lambda: handle.socket.device.control(setup, data))
        return fail(errno.EPIPE) if answer is None else answer

    def _transfer(self, socket: Socket, endpoint: int, timeout_ms: int, *, data: bytes = b"", room: int = 0) -> bytes:
        self._must_be_there(socket)
        answered: Answer = Future()
        transfer = Transfer(endpoint, lambda status, got: answered.set_result((status, got)), data, room)
        self._in_loop(lambda: self._begin(socket, transfer, answered))
        try:
            status, got = self._outcome(socket, transfer, answered, timeout_ms / 1000)
        except CancelledError:
            fail(errno.ENODEV)
        finally:
            self._in_loop(lambda: self._end(socket, answered))
        return got if status is Status.OK else fail(errno.EPIPE)

    def _outcome(self, socket: Socket, transfer: Transfer, answered: Answer, timeout_s: float) -> tuple[Status, bytes]:
        try:
            return answered.result(timeout_s)
        except TimeoutError:
            if self._in_loop(lambda: socket.device.cancel(transfer)):
                self.timed_out[transfer.endpoint] += 1
                fail(errno.ETIMEDOUT)
            return answered.result(0)

    @staticmethod
    def _begin(socket: Socket, transfer: Transfer, answered: Answer) -> None:
        socket.under_way.append(answered)
        socket.device.submit(transfer)

    @staticmethod
    def _must_be_there(socket: Socket) -> None:
        if not socket.is_plugged:
            fail(errno.ENODEV)

    def _end(self, socket: Socket, answered: Answer) -> None:
        socket.under_way.remove(answered)
        self._news.set()

    def _in_loop(self, call: Callable[[], ResultT]) -> ResultT:
        """The emulator is not made for threads."""
        if threading.get_ident() == self._loop_thread:
            return call()
        done: Future[ResultT] = Future()

        def run() -> None:
            try:
                done.set_result(call())
            except BaseException as error:
                done.set_exception(error)

        self._loop.call_soon_threadsafe(run)
        return done.result(_ANSWER_S_MAX)
