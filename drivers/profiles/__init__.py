"""Every kind of device that feltd knows: one row a protocol, with its driver and its profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from drivers.angel_eye import AngelEyeDriver
from drivers.bee_tek import BeeTekDriver
from drivers.contacts import ContactsDriver
from drivers.driver import Driver
from drivers.events import Receipt
from drivers.felt_link import FeltLinkDriver
from drivers.profile import DeviceSettings, Profile
from drivers.profiles import angel_eye, bee_tek, contacts, felt_link
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Family:
    """The kinds of device that speak one protocol, and the driver that understands them."""

    driver: Callable[[DeviceSettings, Receipt | None], Driver]
    profiles: tuple[Profile, ...]


FAMILIES: Final = (
    Family(AngelEyeDriver, angel_eye.PROFILES),
    Family(BeeTekDriver, bee_tek.PROFILES),
    Family(FeltLinkDriver, felt_link.PROFILES),
    Family(ContactsDriver, contacts.PROFILES),
)

PROFILES: Final[Mapping[str, Profile]] = {profile.name: profile for family in FAMILIES for profile in family.profiles}
"""By the name that a configuration uses."""

DRIVERS: Final[Mapping[str, Callable[[DeviceSettings, Receipt | None], Driver]]] = {
    profile.protocol: family.driver for family in FAMILIES for profile in family.profiles
}
"""By the name of the protocol."""
