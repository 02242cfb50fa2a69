"""Every kind of shoe that can be emulated: one row a protocol. The mechanism is the same for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from re import Pattern
from typing import Final

from protocols import angel_eye, bee_tek, felt_link
from protocols.angel_eye.options import AngelEyeOptions
from protocols.bee_tek.connection import DeviceConnection as BeeTekShoe
from protocols.bee_tek.messages import ShoeRecord
from protocols.felt_link.messages import Identity
from protocols.frozen import dataclass
from sim_hardware import angel_eye_end, bee_tek_end, felt_link_end
from sim_hardware.angel_eye_end import AngelEyeEnd
from sim_hardware.cable import LINES
from sim_hardware.felt_link_shoe_end import FeltLinkShoeEnd
from sim_hardware.mechanism import LinkController
from sim_hardware.shoe_events import ShoeEvent, ShoeOrder
from sim_hardware.talking_end import SpeakingEnd
from sim_hardware.usb_port import UsbKind


@dataclass(frozen=True, slots=True)
class Making:
    """What a link controller can be made from. Each kind takes what it needs."""

    who: Identity
    boots: Iterator[str]
    options: AngelEyeOptions
    suit_first: bool


@dataclass(frozen=True, slots=True)
class ShoeKind:
    """One kind. `frames` matches the empty text between one of its frames and the next.

    `profile` is feltd's usual one for it, and `usb` what it is on a bus. With `has_keys` its line has words for keys,
    and with `has_referee` it knows baccarat.
    """

    protocol: str
    profile: str
    usb: UsbKind
    frames: Pattern[bytes]
    controller: Callable[[Making], LinkController[ShoeEvent, ShoeOrder]]
    has_keys: bool = False
    has_referee: bool = False


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
            has_referee=True,
        ),
        ShoeKind(
            bee_tek.NAME,
            profile="bee-tek-manual",
            usb=UsbKind.FTDI,
            frames=LINES,
            controller=lambda making: SpeakingEnd[ShoeRecord](
                partial(BeeTekShoe, suit_first=making.suit_first), bee_tek_end.line_for
            ),
        ),
    )
}
"""By the name of the protocol."""
