"""Finding a USB device that speaks felt-link, and opening it: every call into pyusb is here.

pyusb reports libusb's errors as errno. Five rules follow from how it works:

- Its time-out is a subclass of its other error, so catch the time-out first.
- A read must have room for whole packets, or a long packet is lost (EOVERFLOW).
- A stalled endpoint stays stalled until it is cleared (EPIPE).
- A device that is gone fails once with ENODEV. Its handle still has to be closed.
- Close nothing while another thread transfers.
"""

from __future__ import annotations

import errno
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import libusb_package
import usb.core
import usb.util

from drivers.addresses import UsbAddress
from drivers.errors import LinkError, LossCode, SetupCode, SetupError, SetupProblem
from protocols.felt_link import usb as binding
from protocols.frozen import dataclass

# pyusb has no types: these are whatever it gives.
UsbDevice: TypeAlias = Any
UsbBackend: TypeAlias = Any
_Descriptor: TypeAlias = Any

# A multiple of every packet size that USB knows for bulk endpoints: 8 to 64, 512 and 1024.
READ_BYTES: Final = 4_096
# A blocked thread notices after at most so long that it has to end.
NOTICE_MS: Final = 100
WRITE_MS: Final = 100
# After a notice the bytes are there. Without one, this one look finds bytes whose notice was lost.
FETCH_MS: Final = 10
# One stall or oversized packet can be an accident on the line, and the protocol repairs it. A row of them is a defect.
ACCIDENTS_MAX: Final = 3


@dataclass(frozen=True, slots=True)
class Endpoints:
    """The addresses of the endpoints, and how large a notice can be."""

    bulk_in: int
    bulk_out: int
    notice_in: int
    notice_bytes: int


class UsbPipes:
    """An open device. One thread may read while another writes. Neither may run during `close`."""

    def __init__(self, device: UsbDevice, endpoints: Endpoints) -> None:
        self._device: Final = device
        self._endpoints: Final = endpoints
        self._accidents: Final[dict[int, int]] = {}

    def read(self) -> bytes:
        """Return the bytes that wait, or b"" if none come for a while. Raise LinkError when there will be no more."""
        self._read(self._endpoints.notice_in, self._endpoints.notice_bytes, NOTICE_MS)
        return self._read(self._endpoints.bulk_in, READ_BYTES, FETCH_MS)

    def write(self, data: bytes) -> int:
        """Return how many of the bytes the device took. Raise LinkError when it will take no more."""
        endpoint = self._endpoints.bulk_out
        try:
            written: int = self._device.write(endpoint, data, WRITE_MS)
        except usb.core.USBTimeoutError:
            return 0
        except usb.core.USBError as error:
            self._survive(endpoint, error)
            return 0
        self._accidents[endpoint] = 0
        return written

    def close(self) -> None:
        """Close the device. Then any program can open it again."""
        usb.util.dispose_resources(self._device)

    def _read(self, endpoint: int, size: int, timeout_ms: int) -> bytes:
        try:
            data = bytes(self._device.read(endpoint, size, timeout_ms))
        except usb.core.USBTimeoutError:
            return b""
        except usb.core.USBError as error:
            self._survive(endpoint, error)
            return b""
        self._accidents[endpoint] = 0
        return data

    def _survive(self, endpoint: int, error: usb.core.USBError) -> None:
        """Tolerate an error that can be an accident. Raise LinkError for every other error."""
        self._accidents[endpoint] = self._accidents.get(endpoint, 0) + 1
        if error.errno == errno.ENODEV:
            raise LinkError("unplugged", LossCode.UNPLUGGED) from error
        if error.errno not in (errno.EPIPE, errno.EOVERFLOW, errno.EINTR) or self._accidents[endpoint] > ACCIDENTS_MAX:
            raise LinkError(f"endpoint {endpoint:#04x} failed: {error.strerror}") from error
        if error.errno == errno.EPIPE:
            self._clear(endpoint)

    def _clear(self, endpoint: int) -> None:
        try:
            self._device.clear_halt(endpoint)
        except usb.core.USBError as error:
            raise LinkError(f"endpoint {endpoint:#04x} stays stalled: {error.strerror}") from error


def open_pipes(address: UsbAddress, backend: UsbBackend = None) -> UsbPipes:
    """Open the one device that an address names. Raise SetupError or LinkError. This blocks.

    `backend` is pyusb's. None is the libusb that comes with our packages.
    """
    device = _the_one(address, _present(address, backend or _libusb()))
    try:
        return UsbPipes(device, _claim(device))
    except usb.core.USBError as error:
        usb.util.dispose_resources(device)
        raise _named(device, error) from error
    except BaseException:
        usb.util.dispose_resources(device)
        raise


def _libusb() -> UsbBackend:
    backend = libusb_package.get_libusb1_backend()
    if backend is None:
        wrong = "libusb, which reaches USB devices, cannot be loaded or cannot start."
        remedy = "Reinstall feltd's packages, and let its unit use AF_NETLINK if RestrictAddressFamilies is set."
        raise SetupError(SetupProblem(SetupCode.NO_USB, wrong, remedy))
    return backend


# Which of the devices that are plugged in.


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A device of the vendor and product, and its serial number or why it cannot be read."""

    device: UsbDevice
    serial: str | None
    unreadable: usb.core.USBError | None

    def __str__(self) -> str:
        ports = ".".join(str(number) for number in self.device.port_numbers or ())
        where = f"bus {self.device.bus} port {ports}"
        if self.unreadable is not None:
            return f"one whose serial number this user may not read ({where})"
        serial = f":{_legible(self.serial)}" if self.serial else " without a serial number"
        return f"{_ids(self.device)}{serial} ({where})"


def _present(address: UsbAddress, backend: UsbBackend) -> Sequence[_Candidate]:
    found = list(usb.core.find(find_all=True, backend=backend, idVendor=address.vendor, idProduct=address.product))
    if len(found) == 1 and address.serial is None:
        return [_Candidate(found[0], None, None)]
    return [_ask_serial(device) for device in found]


def _ask_serial(device: UsbDevice) -> _Candidate:
    """Open the device, read its serial number, and close it. Reading descriptors changes nothing in a device.

    Ask for the configuration first, because pyusb does not tell why it cannot read a string.
    """
    try:
        device.get_active_configuration()
        return _Candidate(device, device.serial_number, None)
    except usb.core.USBError as error:
        return _Candidate(device, None, error)
    except ValueError:  # it has no strings in any language
        return _Candidate(device, None, None)
    finally:
        usb.util.dispose_resources(device)


def _the_one(address: UsbAddress, candidates: Sequence[_Candidate]) -> UsbDevice:
    fitting = [each for each in candidates if address.serial in (None, each.serial)]
    if len(fitting) == 1:
        return fitting[0].device
    if fitting:
        raise SetupError(_ambiguous(address, fitting))
    for candidate in candidates:
        if candidate.unreadable is not None:
            raise _named(candidate.device, candidate.unreadable)
    raise SetupError(_missing(address, candidates))


def _ambiguous(address: UsbAddress, fitting: Sequence[_Candidate]) -> SetupProblem:
    listed = ", ".join(sorted(str(candidate) for candidate in fitting))
    remedy = "Add the serial number to the address, as usb:vid:pid:serial; unplug one where both have the same or none."
    return SetupProblem(SetupCode.AMBIGUOUS, f"{address} fits {len(fitting)} devices: {listed}.", remedy)


def _missing(address: UsbAddress, others: Sequence[_Candidate]) -> SetupProblem:
    listed = ", ".join(sorted(str(candidate) for candidate in others))
    wrong = f"No USB device {address} is plugged in{f', but {listed}' if others else ''}."
    return SetupProblem(SetupCode.NO_SUCH_PORT, wrong, "Plug the device in, or choose one that `lsusb` shows.")


# Opening it.


def _claim(device: UsbDevice) -> Endpoints:
    interface = _felt_link_interface(device)
    usb.util.claim_interface(device, interface)
    return _endpoints(device, interface)


def _felt_link_interface(device: UsbDevice) -> _Descriptor:
    ours = {
        "bInterfaceClass": binding.INTERFACE_CLASS,
        "bInterfaceSubClass": binding.INTERFACE_SUBCLASS,
        "bInterfaceProtocol": binding.INTERFACE_PROTOCOL,
    }
    interface = usb.util.find_descriptor(_configuration(device), **ours)
    if interface is None:
        raise SetupError(_not_felt_link(device))
    return interface


def _configuration(device: UsbDevice) -> _Descriptor:
    """Return the active configuration, which the kernel has usually set. Setting it again would reset the device."""
    try:
        return device.get_active_configuration()
    except usb.core.USBError as error:
        if error.errno is not None:  # pyusb's own "Configuration not set" has none
            raise
    device.set_configuration()
    return device.get_active_configuration()


def _endpoints(device: UsbDevice, interface: _Descriptor) -> Endpoints:
    found = {
        (usb.util.endpoint_type(each.bmAttributes), usb.util.endpoint_direction(each.bEndpointAddress)): each
        for each in interface
    }
    try:
        bulk_in = found[usb.util.ENDPOINT_TYPE_BULK, usb.util.ENDPOINT_IN]
        bulk_out = found[usb.util.ENDPOINT_TYPE_BULK, usb.util.ENDPOINT_OUT]
        notice_in = found[usb.util.ENDPOINT_TYPE_INTR, usb.util.ENDPOINT_IN]
    except KeyError:
        raise SetupError(_not_felt_link(device)) from None
    return Endpoints(
        bulk_in.bEndpointAddress, bulk_out.bEndpointAddress, notice_in.bEndpointAddress, notice_in.wMaxPacketSize
    )


def _not_felt_link(device: UsbDevice) -> SetupProblem:
    return SetupProblem(
        SetupCode.NOT_A_PORT,
        f"The USB device {_ids(device)} has no felt-link interface.",
        "If it is a serial port or adapter, configure the port that `ls /dev/serial/by-id` shows, as serial:/dev/….",
    )


def _named(device: UsbDevice, error: usb.core.USBError) -> Exception:
    problem = _problems(device).get(error.errno)
    if problem is not None:
        return SetupError(problem)
    if error.errno == errno.ENODEV:
        return LinkError("unplugged while it was opened", LossCode.UNPLUGGED)
    return LinkError(f"USB device {_ids(device)}: {error.strerror}")


def _problems(device: UsbDevice) -> Mapping[int, SetupProblem]:
    node = f"/dev/bus/usb/{device.bus:03}/{device.address:03}"
    rule = f'SUBSYSTEM=="usb", ATTR{{idVendor}}=="{device.idVendor:04x}", ATTR{{idProduct}}=="{device.idProduct:04x}"'
    denied = SetupProblem(
        SetupCode.PERMISSION_DENIED,
        f"This user may not open the USB device {_ids(device)} ({node}).",
        "Install feltd's udev rules (60-feltd.rules), or one of your own and plug the device in again: "
        f'{rule}, GROUP="feltd", MODE="0660"',
    )
    busy = SetupProblem(
        SetupCode.PORT_BUSY,
        f"Another program or a kernel driver has the USB device {_ids(device)} ({node}).",
        f"Find it with `fuser {node}` or `lsusb -t`, and stop it.",
    )
    return {errno.EACCES: denied, errno.EPERM: denied, errno.EBUSY: busy}


def _legible(serial: str) -> str:
    """Return a device's words so that they move no terminal's cursor and turn no sentence round."""
    return serial if serial.isascii() and serial.isprintable() else ascii(serial)


def _ids(device: UsbDevice) -> str:
    return f"usb:{device.idVendor:04x}:{device.idProduct:04x}"
