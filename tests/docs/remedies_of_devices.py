"""What to do where a device goes away, loses events, refuses an order or fails a check of `feltd selftest`."""

from __future__ import annotations

from typing import Final

from daemon.tools.selftest.checks import CheckName
from drivers.commands import DriverRefusal
from drivers.contacts import RED_LIGHT
from drivers.errors import LossCode, LostEventsCode
from protocols.angel_eye.messages import NakCode
from protocols.felt_link.messages import Refusal

_POWER: Final = "Check its power, its cable and its plugs. feltd connects again by itself."
_CABLE: Final = "Check cable, plug and earth, and keep the cable away from motors."
_CONFIRM: Final = "The supervisor confirms the cards that lie on the table, or voids the round."
_MAKER: Final = (
    "Record the line with feltd capture. Send the record to the device's maker and to the maintainers of feltd."
)
_PANEL: Final = "Look at the machine's display and put right what it says. Then the supervisor rules on the round."
_AGAIN: Final = "Wait until the machine stands still, then order it again."

OF_LOSSES: Final[dict[LossCode, tuple[str, str]]] = {
    LossCode.CLOSED: (
        "the other end closed the connection",
        "See that no other program or table uses the device: many take one connection. Then check its power.",
    ),
    LossCode.NOT_REACHED: (
        "nothing answers at its address on the network",
        "Check its power and its network cable, and compare its address with the table's file.",
    ),
    LossCode.UNPLUGGED: ("its USB plug was pulled, or it lost its power", _POWER),
    LossCode.FAILED: ("the port reported an error", _POWER),
    LossCode.SILENT: (
        "its port is open, and nothing sound came from it for too long",
        "Switch the device off and on. Then check the cable and the speed of its line.",
    ),
    LossCode.UNNAMED: (
        "its port is open, and the device did not say who it is",
        "Compare the device with its profile in the table's file. Then switch it off and on.",
    ),
}

OF_LOST_EVENTS: Final[dict[LostEventsCode, tuple[str, str]]] = {
    LostEventsCode.GAP: ("the numbers of its events have a hole", _CONFIRM),
    LostEventsCode.HIDDEN_BY_DAMAGE: (
        "so much damage came that a report may be hidden in it",
        f"{_CONFIRM} A technician checks cable, plug and earth.",
    ),
    LostEventsCode.REPEATED_UNKNOWN: (
        "the shoe repeated a card that had never come",
        f"{_CONFIRM} A technician checks cable, plug and earth.",
    ),
    LostEventsCode.UNCLEAR_REPORT: (
        "a report came whole and has no known meaning: it may have been a card",
        f"{_CONFIRM} A technician compares the device's firmware with its profile.",
    ),
}
"""How it is known that events are lost. An open round is interrupted."""

OF_DRIVERS_FAULTS: Final[dict[str, tuple[str, str]]] = {
    RED_LIGHT: ("its red light is lit", "Open the shuffler and do what its own manual says of the red light."),
}

OF_ORDERS_BY_A_DRIVER: Final[dict[DriverRefusal, tuple[str, str]]] = {
    "device-restarted": (
        "the device started anew before it had answered",
        "See whether it did what was ordered, then the supervisor rules on the round.",
    ),
    "not-answered": (
        "the shoe did not answer, and may have done it",
        "See at the shoe whether it is locked. Then check its cable.",
    ),
    "not-capable": ("this kind of device cannot do it", "Choose the device's own profile, or do it by its keys."),
    "not-identified": (
        "no report of such a shoe has come since the port was opened, so nothing is written to it",
        "Draw a card or press a key of the shoe. If nothing comes, check cable and address.",
    ),
    "not-sent": ("the connection broke before it was sent", _POWER),
    "queue-full": ("too many orders wait for it", "Check the device's cable: it answers too slowly or not at all."),
}

OF_ORDERS_BY_A_DEVICE: Final[dict[Refusal, tuple[str, str]]] = {
    Refusal.BUSY: ("it is at work", _AGAIN),
    Refusal.LOCKED: ("it is locked", "Unlock it at its panel."),
    Refusal.NO_DECK: ("it has no shuffled deck", "Put a whole deck in and let it shuffle."),
    Refusal.FAULT: ("it stands with a fault", _PANEL),
    Refusal.STORE_FULL: (
        "it keeps as many events as it can, and nobody acknowledges them",
        "Check that feltd runs and that its journal's disk is not full.",
    ),
    Refusal.POSITION: (
        "the packet was given already, or is not the next",
        "Count the packets on the table. The supervisor confirms the cards, or voids the round.",
    ),
    Refusal.BAD_ARGUMENT: ("it does not know what is meant by a part of the order", _MAKER),
    Refusal.NOT_CAPABLE: ("it cannot do that", "Choose the device's own profile."),
    Refusal.UNKNOWN_COMMAND: ("it does not know the order", "Update its firmware, or choose its own profile."),
    Refusal.ID_REUSED: ("it had another order under this number", _MAKER),
}

OF_ORDERS_BY_A_SHOE: Final[dict[NakCode, tuple[str, str]]] = {
    NakCode.LINE: ("the order came to the shoe damaged", _CABLE),
    NakCode.BCC: ("the order came to the shoe damaged", _CABLE),
    NakCode.NO_ETX: ("the order came to the shoe without its end", _CABLE),
    NakCode.LENGTH: ("the order has a length that the shoe does not know", _MAKER),
    NakCode.ADDRESS: ("the order is for a place that the shoe does not have", _MAKER),
    NakCode.COMMAND: ("the shoe does not know the order", _MAKER),
    NakCode.TYPE: ("the shoe does not know this kind of order", _MAKER),
    NakCode.BUSY: ("the shoe is at work", "Wait until the shoe stands still, then order it again."),
    NakCode.WRITING: ("the shoe is writing its memory", "Wait until the shoe stands still, then order it again."),
    NakCode.OTHER: ("the shoe does not say why", "Look at the shoe's display, and do what it says."),
}

_TECHNICIAN: Final = "technician"
_DEVICES_MAKER: Final = "the device's maker"

OF_SELFTEST: Final[dict[CheckName, tuple[str, str]]] = {
    "identity": (_TECHNICIAN, "the device that is configured is there, and promises what its profile says"),
    "reconnects": (_TECHNICIAN, "the same device with the same memory answers each time that its port is opened"),
    "heartbeat": (_TECHNICIAN, "it is never silent for longer than its profile allows"),
    "answer-times": (_DEVICES_MAKER, "it answers each order of its lamp, and soon"),
    "command-once": (_DEVICES_MAKER, "it answers a repeated order as before, and refuses its number for another one"),
    "event": (_TECHNICIAN, "it reports what a person does at it"),
    "redelivery": (_DEVICES_MAKER, "it sends an event again that nobody acknowledged"),
    "repair": (_DEVICES_MAKER, "it sends an event again that arrived damaged"),
    "acknowledgement": (_DEVICES_MAKER, "it forgets an event that was acknowledged, and goes on behind it"),
    "lock": (_TECHNICIAN, "locked, it dispenses nothing, and it can be unlocked (with --move)"),
    "deal": (_TECHNICIAN, "it shuffles, dispenses a packet and ejects the rest, and its counts agree (with --move)"),
    "line": (_TECHNICIAN, "its line brought no damage, no hole and no broken connection"),
}
"""Who acts on a check that failed, and what it looks for."""
