"""The way over USB: pyusb and the transport's threads are real, the kernel's part is the emulated bus."""

from __future__ import annotations

import time

from drivers.addresses import UsbAddress
from drivers.profile import DeviceSettings
from drivers.transports.base import Clock, Transport
from drivers.transports.usb import open_usb
from sim_hardware.usb_descriptors import FELT_LINK_PRODUCT, TEST_VENDOR
from sim_hardware.usb_device import UsbDevice
from sim_hardware.usb_functions import felt_link_device
from tests.drivers.usb_threads import usb_threads
from tests.drivers.ways import RealWay, stamp_at
from tests.support.usb_backend import EmulatedBus


class UsbWay(RealWay):
    """A device that speaks felt-link itself, on a bus that is made when there is a loop."""

    def __init__(self) -> None:
        super().__init__()
        self.address = UsbAddress(TEST_VENDOR, FELT_LINK_PRODUCT, None)
        self._bus: EmulatedBus | None = None
        self._device: UsbDevice | None = None

    async def open(self, settings: DeviceSettings, clock: Clock) -> Transport:
        """Bytes are stamped in the reading thread, which has no event loop to ask; the loop's clock is this one too."""
        return await open_usb(self.address, lambda: stamp_at(time.monotonic_ns()), self._there())

    async def plug(self) -> None:
        self._device = felt_link_device(self.far.identity.serial)
        self._device.serve(self)
        self._there().plug(self._device)

    async def unplug(self) -> None:
        if self._device is not None:
            self._there().unplug(self._device)
            self._device = None

    def on_plugged(self) -> None:
        assert self._device is not None
        self.far.plugged(self._device.send)

    def on_data(self, data: bytes) -> None:
        self.far.hear(data)

    def on_unplugged(self) -> None:
        self.far.unplugged()

    def left_open(self) -> list[str]:
        handles = self._bus.open_handles if self._bus is not None else 0
        return [*super().left_open(), *usb_threads(), *["USB handle"] * handles]

    def _there(self) -> EmulatedBus:
        if self._bus is None:
            self._bus = EmulatedBus()
        return self._bus
