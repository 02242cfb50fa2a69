"""The address of a device as text: `serial:/dev/…`, `tcp:host:port`, `rfc2217:host:port`, `usb:vid:pid[:serial]`."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import Final, TypeAlias

from protocols.frozen import dataclass

_PORT_MAX: Final = 65_535
_HEX_ID: Final = re.compile(r"[0-9a-fA-F]{4}")
_WITH_SPEED: Final = re.compile(r"/dev/tty\w+:\d+")
_NOT_IN_HOST: Final = re.compile(r"[\s/@]")
_NUMBERED: Final = re.compile(r"(?:^|\.)[0-9]+\Z")
"""No name ends in a number. The system takes `10.0.40` for 10.0.0.40, which is another device."""
FORMS: Final = "serial:/dev/…, tcp:host:port, rfc2217:host:port or usb:vid:pid[:serial]"


class AddressError(ValueError):
    """A text is not an address. `wrong` follows "which"."""

    def __init__(self, text: str, wrong: str, allowed: str) -> None:
        super().__init__(f"{text!r} {wrong}: allowed is {allowed}")
        self.wrong = wrong
        self.allowed = allowed


@dataclass(frozen=True, slots=True)
class SerialAddress:
    """A serial port. A path under `/dev/serial/by-id` stays the same when devices are plugged in another order."""

    path: str

    def __str__(self) -> str:
        return f"serial:{self.path}"


@dataclass(frozen=True, slots=True)
class TcpAddress:
    """A serial device server: raw bytes over TCP."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"tcp:{_at(self.host, self.port)}"


@dataclass(frozen=True, slots=True)
class Rfc2217Address:
    """A serial device server whose port feltd sets to the speed of the profile."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"rfc2217:{_at(self.host, self.port)}"


def _at(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


@dataclass(frozen=True, slots=True)
class UsbAddress:
    """A USB device by vendor and product, and by its serial number where two alike are plugged in."""

    vendor: int
    product: int
    serial: str | None

    def __str__(self) -> str:
        serial = "" if self.serial is None else f":{self.serial}"
        return f"usb:{self.vendor:04x}:{self.product:04x}{serial}"


Address: TypeAlias = SerialAddress | TcpAddress | Rfc2217Address | UsbAddress


def parse_address(text: str) -> Address:
    """Return the address that a text names. Raise AddressError if it names none."""
    scheme, _, rest = text.partition(":")
    match scheme:
        case "serial":
            return _serial(text, rest)
        case "tcp":
            return TcpAddress(*_host_and_port(text, rest))
        case "rfc2217":
            return Rfc2217Address(*_host_and_port(text, rest))
        case "usb":
            return _usb(text, rest)
        case _:
            raise AddressError(text, "names no kind of connection", FORMS)


def _serial(text: str, path: str) -> SerialAddress:
    if not path.startswith("/"):
        raise AddressError(text, "names no port", "the whole path after serial:, as serial:/dev/ttyUSB0")
    if _WITH_SPEED.fullmatch(path):
        raise AddressError(text, "names a speed", "the path alone, because the profile sets the speed")
    return SerialAddress(path)


def _host_and_port(text: str, rest: str) -> tuple[str, int]:
    host, _, port = rest.rpartition(":")
    host = host.removeprefix("[").removesuffix("]")
    is_port = port.isascii() and port.isdecimal() and 0 < int(port) <= _PORT_MAX
    if not host or _NOT_IN_HOST.search(host) or not is_port:
        scheme = text.partition(":")[0]
        raise AddressError(text, f"names no host and port from 1 to {_PORT_MAX}", f"{scheme}:host:port")
    if (_NUMBERED.search(host) or ":" in host) and not is_ip_address(host):
        allowed = "four numbers from 0 to 255, as 10.0.0.40, an address of IPv6, or a name"
        raise AddressError(text, "names no IP address", allowed)
    return host, int(port)


def is_ip_address(host: str) -> bool:
    """Return whether this is an address of IPv4 or IPv6, and not a name."""
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _usb(text: str, rest: str) -> UsbAddress:
    vendor, _, rest = rest.partition(":")
    product, _, serial = rest.partition(":")
    if not _HEX_ID.fullmatch(vendor) or not _HEX_ID.fullmatch(product):
        allowed = "four hexadecimal digits for each, as usb:0403:6001 (see lsusb)"
        raise AddressError(text, "names no vendor and product", allowed)
    return UsbAddress(int(vendor, 16), int(product, 16), serial or None)


_MEANT: Final = (
    (re.compile(r"([0-9a-f]{4}:[0-9a-f]{4}(?::.+)?)", re.IGNORECASE), r"usb:\1"),
    (re.compile(r"rfc2217://([\w.-]+:\d{1,5})/?", re.ASCII), r"rfc2217:\1"),
    (re.compile(r"(?:(?:socket|tcp)://)?([\w.-]+:\d{1,5})/?", re.ASCII), r"tcp:\1"),
    (re.compile(r"serial:/+(dev/tty\w+):\d+"), r"serial:/\1"),
    (re.compile(r"(?:serial:)?(?:dev/)?(tty\w+)", re.IGNORECASE), r"serial:/dev/\1"),
    (re.compile(r"(?:serial:)?(/.+)", re.IGNORECASE), r"serial:\1"),
)
"""Texts that people write, and the address that each means."""


def meant_address(text: str) -> str | None:
    """Return the address that was probably meant by a text that is not one, or None."""
    for form, address in _MEANT:
        if (found := form.fullmatch(text.strip())) is not None:
            try:
                return str(parse_address(found.expand(address)))
            except AddressError:
                continue
    return None
