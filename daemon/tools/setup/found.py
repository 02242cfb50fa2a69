"""The devices that this machine has, as far as they say who they are. Nothing is written to any of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Final

from daemon.tools.doctor.devices import hello_of
from daemon.tools.doctor.ports import built_in, ports
from drivers.addresses import SerialAddress
from drivers.errors import LinkError, SetupError
from drivers.events import DeviceName
from drivers.felt_link import problem_of
from drivers.profile import DeviceSettings, Profile
from drivers.profiles import PROFILES
from protocols import felt_link
from protocols.felt_link.messages import Hello
from protocols.frozen import dataclass

LISTENER: Final = next(profile for profile in PROFILES.values() if profile.protocol == felt_link.NAME)
"""Any profile of felt-link: all have the same speed, and a device says hello before it knows its host."""


@dataclass(frozen=True, slots=True)
class FoundDevice:
    """A port, and the hello of the felt-link device behind it. Other devices do not identify themselves."""

    address: str
    says: str
    hello: Hello | None = None

    def best_of(self, fitting: list[Profile]) -> Profile | None:
        """Return the fitting profile that promises most of what the device can do, or None if it has not told."""
        if self.hello is None:
            return None
        hello, address = self.hello, SerialAddress("/")
        able = [one for one in fitting if one.protocol == felt_link.NAME and not _problem(hello, one, address)]
        return max(able, key=lambda profile: len(profile.capabilities), default=None)


def _problem(hello: Hello, profile: Profile, address: SerialAddress) -> bool:
    return problem_of(hello, DeviceSettings(DeviceName("device"), address, profile)) is not None


def serial_addresses(list_ports: Callable[[], dict[Path, tuple[Path, ...]]] = ports) -> list[SerialAddress]:
    """Return the ports that are plugged in, by their lasting names, and then those of the board."""
    of_the_board = built_in()
    listed = sorted(list_ports().items(), key=lambda item: item[0] in of_the_board)
    return [SerialAddress(str(names[0] if names else port)) for port, names in listed]


async def listen_to(addresses: list[SerialAddress]) -> list[FoundDevice]:
    """Listen on all ports at the same time, and return what is behind each."""
    return list(await asyncio.gather(*map(_listen_to, addresses)))


async def _listen_to(address: SerialAddress) -> FoundDevice:
    settings = DeviceSettings(DeviceName("device"), address, LISTENER)
    try:
        hello = await hello_of(settings)
    except SetupError as error:
        return FoundDevice(str(address), error.problem.problem)
    except LinkError as error:
        return FoundDevice(str(address), f"{error}.")
    if hello is None:
        return FoundDevice(str(address), "sends nothing: a shoe that was not drawn from, or another device.")
    who = hello.identity
    can = ", ".join(sorted(str(word) for word in who.capabilities))
    return FoundDevice(str(address), f"{who.model}, serial number {who.serial} ({can}).", hello)
