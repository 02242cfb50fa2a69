"""What the emulated USB devices do with their endpoints: felt-link itself, or one of the two usual serial ports."""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import Final

from protocols.felt_link import usb as binding
from protocols.frozen import dataclass
from sim_hardware import usb_descriptors
from sim_hardware.usb_descriptors import IN
from sim_hardware.usb_device import Setup, UsbDevice


def _take_bytes(queue: bytearray, room: int) -> bytes:
    taken = bytes(queue[:room])
    del queue[:room]
    return taken


class FeltLinkFunction:
    """The bytes as they are, and a notice for as long as some wait."""

    def control(self, setup: Setup, data: bytes) -> bytes | None:
        """Stall: felt-link has no requests of its own."""
        return None

    def wrap(self, queue: bytearray, room: int) -> bytes:
        return _take_bytes(queue, room)

    def notice(self, waiting: int) -> bytes:
        return binding.encode_notice(waiting)


@dataclass(frozen=True, slots=True)
class LineCoding:
    """How the host set the serial port. It has no effect here, because there is no wire behind the port."""

    baud: int = 9_600
    stop_bits: int = 0
    parity: int = 0
    data_bits: int = 8

    _FORM = "<IBBB"  # PSTN 1.2, table 17

    def encode(self) -> bytes:
        return struct.pack(self._FORM, self.baud, self.stop_bits, self.parity, self.data_bits)

    @classmethod
    def decode(cls, data: bytes) -> LineCoding | None:
        return cls(*struct.unpack(cls._FORM, data)) if len(data) == struct.calcsize(cls._FORM) else None


class _Acm(IntEnum):
    """PSTN 1.2, table 13."""

    SET_LINE_CODING = 0x20
    GET_LINE_CODING = 0x21
    SET_CONTROL_LINE_STATE = 0x22
    SEND_BREAK = 0x23


class AcmFunction:
    """A CDC-ACM serial port."""

    def __init__(self) -> None:
        self.coding = LineCoding()

    def control(self, setup: Setup, data: bytes) -> bytes | None:
        match setup.request:
            case _Acm.GET_LINE_CODING:
                return self.coding.encode()
            case _Acm.SET_LINE_CODING:
                coding = LineCoding.decode(data)
                self.coding = coding or self.coding
                return None if coding is None else b""
            case _Acm.SET_CONTROL_LINE_STATE | _Acm.SEND_BREAK:
                return b""
            case _:
                return None

    def wrap(self, queue: bytearray, room: int) -> bytes:
        return _take_bytes(queue, room)

    def notice(self, waiting: int) -> bytes:
        """Send nothing: this interrupt endpoint reports modem lines only, and they do not change."""
        return b""


class FtdiFunction:
    """An FT232R. Every packet to the host begins with two bytes of modem and line status.

    The requests are those that Linux's ftdi_sio sends. The chip accepts every setting.
    """

    _PACKET: Final = 64
    _STATUS: Final = b"\x01\x60"  # bit 0 is always set; transmitter empty
    _GET_MODEM_STATUS, _GET_LATENCY_TIMER = 0x05, 0x0A
    _LATENCY_MS: Final = 16  # the chip's own default

    def control(self, setup: Setup, data: bytes) -> bytes | None:
        if not setup.kind & IN:
            return b""
        if setup.request == self._GET_MODEM_STATUS:
            return self._STATUS
        return bytes((self._LATENCY_MS,)) if setup.request == self._GET_LATENCY_TIMER else bytes(setup.length)

    def wrap(self, queue: bytearray, room: int) -> bytes:
        packets = bytearray()
        while queue and len(packets) + self._PACKET <= room:
            packets += self._STATUS + _take_bytes(queue, self._PACKET - len(self._STATUS))
        return bytes(packets)

    def notice(self, waiting: int) -> bytes:
        """Send nothing: the chip has no interrupt endpoint."""
        return b""


def felt_link_device(serial: str) -> UsbDevice:
    """Felt-link over bulk and interrupt endpoints."""
    return UsbDevice(usb_descriptors.felt_link(serial), FeltLinkFunction())


def cdc_acm_device(serial: str) -> UsbDevice:
    """Felt-link on a device's own serial port."""
    return UsbDevice(usb_descriptors.cdc_acm(serial), AcmFunction())


def ftdi_device(serial: str) -> UsbDevice:
    """Felt-link behind a serial adapter."""
    return UsbDevice(usb_descriptors.ftdi(serial), FtdiFunction())
