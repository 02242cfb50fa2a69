"""Every kind of shoe that can be emulated: one row a protocol. The mechanism is the same for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from re import Pattern
from typing import Final

from protocols import angel_eye, bee_tek, felt_link
from protocols.angel_eye.options import AngelEyeOptions
from protocols.felt_link.messages import Identity
from sim_hardware import angel_eye_end, bee_tek_end, felt_link_end
from sim_hardware.angel_eye_end import AngelEyeEnd
from sim_hardware.bee_tek_end import BeeTekEnd
from sim_hardware.felt_link_shoe_end import FeltLinkShoeEnd
from sim_hardware.link_controller import LinkController
from sim_hardware.shoe_events import ShoeEvent, ShoeOrder
from sim_hardware.usb_port import UsbKind


@dataclass(frozen=True, slots=True)
class Making:
    """What a link controller can be made from; each kind takes what it needs."""

    seed: int
    who: Identity
    boots: Iterator[str]
    options: AngelEyeOptions


@dataclass(frozen=True, slots=True)
class ShoeKind:
    """One kind. `frames` matches, without a width, where one of its frames ends and the next begins.

    `profile` is feltd's usual one for it, and `usb` what it is on a bus. With `has_keys` its line has words for keys.
    """

    protocol: str
    profile: str
    usb: UsbKind
    frames: Pattern[bytes]
    controller: Callable[[Making], LinkController[ShoeEvent, ShoeOrder]]
    has_keys: bool = False


SHOE_KINDS: Final[Mapping[str, ShoeKind]] = {
    kind.protocol: kind
    for kind in (
        ShoeKind(
            felt_link.NAME,
            profile="felt-link-shoe",
            usb=UsbKind.FELT_LINK,
            frames=felt_link_end.FRAMES,
            controller=lambda making: FeltLinkShoeEnd(making.who, making.boots),
            has_keys=True,
        ),
        ShoeKind(
            angel_eye.NAME,
            profile="angel-eye-iiex",
            usb=UsbKind.FTDI,
            frames=angel_eye_end.FRAMES,
            controller=lambda making: AngelEyeEnd(making.options),
        ),
        ShoeKind(
            bee_tek.NAME,
            profile="bee-tek-manual",
            usb=UsbKind.FTDI,
            frames=bee_tek_end.FRAMES,
            controller=lambda making: BeeTekEnd(making.seed),
        ),
    )
}
"""By the name of the protocol."""
