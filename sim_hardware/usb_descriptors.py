"""What the emulated USB devices say they are: descriptors, each defined once, for every bus they are plugged into.

The numbers are those of the USB 2.0 specification, chapter 9, and of the communication class (CDC 1.2, PSTN 1.2).
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Final

from protocols.felt_link import usb as binding
from protocols.frozen import dataclass

IN: Final = 0x80
"""In an endpoint's address: towards the host."""
_DEVICE, _CONFIGURATION, _STRING, _INTERFACE, _ENDPOINT = 1, 2, 3, 4, 5
_LANGUAGES: Final = b"\x04\x03\x09\x04"  # string 0: American English is the only one
_BUS_POWERED: Final = 0x80
_POWER_2MA: Final = 50


class Speed(IntEnum):
    """As Linux and USB/IP number them."""

    FULL = 2
    HIGH = 3


class Kind(IntEnum):
    """The lower bits of an endpoint's attributes."""

    BULK = 2
    INTERRUPT = 3


@dataclass(frozen=True, slots=True)
class Triple:
    """Class, subclass and protocol of a device or an interface."""

    class_: int
    subclass: int
    protocol: int


IN_INTERFACES: Final = Triple(0, 0, 0)
"""A device that leaves its class to its interfaces."""
VENDOR: Final = Triple(0xFF, 0xFF, 0xFF)
FELT_LINK: Final = Triple(binding.INTERFACE_CLASS, binding.INTERFACE_SUBCLASS, binding.INTERFACE_PROTOCOL)
CDC: Final = Triple(0x02, 0, 0)
CDC_ACM: Final = Triple(0x02, 0x02, 0x01)  # abstract control model, AT commands: what Linux binds cdc_acm to
CDC_DATA: Final = Triple(0x0A, 0, 0)


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One pipe. `interval` counts frames at full speed, and is an exponent of microframes at high speed."""

    address: int
    kind: Kind
    packet_bytes: int
    interval: int = 0

    def encode(self) -> bytes:
        return struct.pack("<BBBBHB", 7, _ENDPOINT, self.address, self.kind, self.packet_bytes, self.interval)


@dataclass(frozen=True, slots=True)
class Interface:
    """A group of endpoints that one driver takes. `extra` are the class's own descriptors."""

    triple: Triple
    endpoints: tuple[Endpoint, ...]
    extra: bytes = b""

    def encode(self, number: int) -> bytes:
        head = struct.pack(
            "<9B", 9, _INTERFACE, number, 0, len(self.endpoints),
            self.triple.class_, self.triple.subclass, self.triple.protocol, 0,
        )  # fmt: skip
        return head + self.extra + b"".join(endpoint.encode() for endpoint in self.endpoints)


@dataclass(frozen=True, slots=True)
class Descriptors:
    """A whole device with its one configuration."""

    vendor: int
    product: int
    release_bcd: int
    strings: tuple[str, str, str]  # manufacturer, product, serial number
    triple: Triple
    speed: Speed
    control_packet_bytes: int
    interfaces: tuple[Interface, ...]

    CONFIGURATION = 1

    @property
    def serial(self) -> str:
        """Return the number on the type plate."""
        return self.strings[2]

    def device(self) -> bytes:
        triple = self.triple
        return struct.pack(
            "<BBHBBBBHHHBBBB", 18, _DEVICE, 0x0200, triple.class_, triple.subclass, triple.protocol,
            self.control_packet_bytes, self.vendor, self.product, self.release_bcd, 1, 2, 3, 1,
        )  # fmt: skip

    def configuration(self) -> bytes:
        body = b"".join(interface.encode(number) for number, interface in enumerate(self.interfaces))
        head = struct.pack(
            "<BBHBBBBB", 9, _CONFIGURATION, 9 + len(body), len(self.interfaces),
            self.CONFIGURATION, 0, _BUS_POWERED, _POWER_2MA,
        )  # fmt: skip
        return head + body

    def get(self, kind: int, index: int) -> bytes | None:
        """Return the descriptor that GET_DESCRIPTOR asks for, or None if this device does not have it."""
        if kind == _STRING:
            return self._string(index)
        return {(_DEVICE, 0): self.device(), (_CONFIGURATION, 0): self.configuration()}.get((kind, index))

    def _string(self, index: int) -> bytes | None:
        if index == 0:
            return _LANGUAGES
        if index > len(self.strings):
            return None
        text = self.strings[index - 1].encode("utf-16-le")
        return bytes((2 + len(text), _STRING)) + text


# pid.codes keeps 1209:0001 to 1209:0010 for tests; devices that leave the house need numbers of their own.
TEST_VENDOR: Final = 0x1209
FELT_LINK_PRODUCT: Final = 0x0001
CDC_ACM_PRODUCT: Final = 0x0002
# FT232R as it leaves FTDI; Linux binds ftdi_sio to it.
FTDI_VENDOR: Final = 0x0403
FTDI_PRODUCT: Final = 0x6001
_MAKER: Final = "feltd emulator"

BULK_IN: Final = IN | 1
BULK_OUT: Final = 2
NOTICE_IN: Final = IN | 3


def felt_link(serial: str) -> Descriptors:
    """Return a device that carries felt-link itself, at high speed. The host asks each millisecond for bytes."""
    endpoints = (
        Endpoint(BULK_IN, Kind.BULK, 512),
        Endpoint(BULK_OUT, Kind.BULK, 512),
        Endpoint(NOTICE_IN, Kind.INTERRUPT, 8, interval=4),
    )
    return Descriptors(
        TEST_VENDOR, FELT_LINK_PRODUCT, 0x0100, (_MAKER, "felt-link device", serial), IN_INTERFACES,
        Speed.HIGH, 64, (Interface(FELT_LINK, endpoints),),
    )  # fmt: skip


# PSTN 1.2, 5.3: header, call management on interface 1, line coding and state are supported, union of 0 and 1.
_ACM_EXTRA: Final = bytes((5, 0x24, 0, 0x10, 1, 5, 0x24, 1, 0, 1, 4, 0x24, 2, 2, 5, 0x24, 6, 0, 1))


def cdc_acm(serial: str) -> Descriptors:
    """Return a device with a serial port of its own."""
    control = Interface(CDC_ACM, (Endpoint(NOTICE_IN, Kind.INTERRUPT, 8, interval=9),), _ACM_EXTRA)
    data = Interface(CDC_DATA, (Endpoint(BULK_IN, Kind.BULK, 512), Endpoint(BULK_OUT, Kind.BULK, 512)))
    return Descriptors(
        TEST_VENDOR, CDC_ACM_PRODUCT, 0x0100, (_MAKER, "serial port", serial), CDC,
        Speed.HIGH, 64, (control, data),
    )  # fmt: skip


def ftdi(serial: str) -> Descriptors:
    """Return an FT232R serial adapter, full speed. Its release number is how the kernel knows the chip."""
    data = Interface(VENDOR, (Endpoint(BULK_IN, Kind.BULK, 64), Endpoint(BULK_OUT, Kind.BULK, 64)))
    return Descriptors(
        FTDI_VENDOR, FTDI_PRODUCT, 0x0600, ("FTDI", "FT232R USB UART", serial), IN_INTERFACES,
        Speed.FULL, 8, (data,),
    )  # fmt: skip
