"""An emulated device's USB plug, as the port of any mechanism.

The mechanism does not know what carries its bytes: felt-link endpoints, a serial port in the device, or an adapter.
The bus is where the plug goes in: a USB/IP server for a kernel, or one in memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol

from sim_hardware.ports import PortUser
from sim_hardware.usb_descriptors import Descriptors
from sim_hardware.usb_device import UsbDevice
from sim_hardware.usb_functions import cdc_acm_device, felt_link_device, ftdi_device
from sim_hardware.usbip import UsbipServer


class Bus(Protocol):
    """Something with USB sockets."""

    @property
    def how_to_attach(self) -> str:
        """Return what a person has to do before the host sees the device."""

    async def open(self) -> None:
        """Make the bus, until `close`."""

    def plug(self, device: UsbDevice) -> object:
        """Put a device's plug in."""

    def unplug(self, device: UsbDevice) -> None:
        """Pull a device's plug."""

    async def close(self) -> None:
        """Pull every plug, and remove the bus."""


class UsbKind(StrEnum):
    """What a device looks like on the bus."""

    FELT_LINK = "felt-link"
    CDC_ACM = "cdc-acm"
    FTDI = "ftdi"


DEVICES: Final[Mapping[UsbKind, Callable[[str], UsbDevice]]] = MappingProxyType(
    {
        UsbKind.FELT_LINK: felt_link_device,
        UsbKind.CDC_ACM: cdc_acm_device,
        UsbKind.FTDI: ftdi_device,
    }
)


class UsbPort:
    """One plug. Unlike a tty it has a line only after a host has set the device's configuration."""

    def __init__(self, kind: UsbKind, serial: str, bus: Bus) -> None:
        self._kind: Final = kind
        self._bus: Final = bus
        self._is_plugged = False
        self.device: Final = DEVICES[kind](serial)

    @property
    def address(self) -> str:
        """Return the USB ids, or the name that udev gives to the serial port."""
        device = self.device.descriptors
        match self._kind:
            case UsbKind.FELT_LINK:
                return f"usb:{device.vendor:04x}:{device.product:04x}:{device.serial}"
            case UsbKind.CDC_ACM:
                return f"serial:{_by_id(device)}-if00"
            case UsbKind.FTDI:
                return f"serial:{_by_id(device)}-if00-port0"

    @property
    def how_to_attach(self) -> str:
        """Return what a person has to do before the host sees the device, also after each `unplug`."""
        return self._bus.how_to_attach

    async def open(self, user: PortUser) -> None:
        self.device.serve(user)
        await self._bus.open()
        self.replug()

    def write(self, data: bytes) -> None:
        self.device.send(data)

    def unplug(self) -> None:
        if self._is_plugged:
            self._is_plugged = False
            self._bus.unplug(self.device)

    def replug(self) -> None:
        if not self._is_plugged:
            self._is_plugged = True
            self._bus.plug(self.device)

    async def close(self) -> None:
        self.unplug()
        await self._bus.close()
        self.device.serve(None)


def _by_id(device: Descriptors) -> str:
    """Return the port's name by udev's rules: the device's strings, without what a file name may not have."""
    strings = "_".join(device.strings).replace(" ", "_")
    return f"/dev/serial/by-id/usb-{strings}"


def usbip_port(kind: UsbKind, serial: str, tcp_port: int, host: str = "127.0.0.1") -> UsbPort:
    """Return a device alone on a USB/IP server of its own, under bus id 1-1."""
    return UsbPort(kind, serial, UsbipServer(tcp_port, host))
