"""Runs one device by its address with what is installed here, and writes what becomes of it: a JSON object a line."""

import asyncio
import json
import sys
import time

from drivers.addresses import parse_address
from drivers.device import Device
from drivers.events import DeviceName, DeviceReport, Stamp
from drivers.profile import DeviceSettings
from drivers.profiles import PROFILES
from drivers.transports.usb_hotplug import HotPlug, listen


def stamp() -> Stamp:
    return Stamp(time.time_ns(), time.monotonic_ns())


def emit(report: DeviceReport) -> None:
    line = json.dumps({"event": type(report.event).__name__, "what": str(report.event)})
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


async def main(address: str) -> None:
    settings = DeviceSettings(DeviceName("shuffler"), parse_address(address), PROFILES["felt-link-shuffler-faces"])
    with HotPlug(listen()) as hot_plug:
        await Device(settings, emit=emit, stamp=stamp, pause=hot_plug.pause()).run()


asyncio.run(main(sys.argv[1]))
