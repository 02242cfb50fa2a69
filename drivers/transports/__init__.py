"""Connections to devices: the only importers of pyserial and pyusb."""

from __future__ import annotations

from typing import assert_never

from drivers.addresses import Rfc2217Address, SerialAddress, TcpAddress, UsbAddress
from drivers.profile import DeviceSettings
from drivers.transports.base import Clock, Transport
from drivers.transports.rfc2217 import open_rfc2217
from drivers.transports.serial import open_serial
from drivers.transports.tcp import open_tcp
from drivers.transports.usb import open_usb


async def open_transport(settings: DeviceSettings, clock: Clock) -> Transport:
    """Open the connection to a configured device. Raise SetupError or LinkError."""
    match settings.address:
        case SerialAddress() as address:
            return await open_serial(address, settings.profile.line, clock)
        case TcpAddress() as address:
            return await open_tcp(address, clock)
        case Rfc2217Address() as address:
            return await open_rfc2217(address, settings.profile.line, clock)
        case UsbAddress() as address:
            return await open_usb(address, clock)
        case unknown:
            assert_never(unknown)
