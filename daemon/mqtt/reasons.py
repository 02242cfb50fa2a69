"""Reason codes of MQTT 5, and the return codes of MQTT 3.1.1, which share their numbers."""

from __future__ import annotations

from typing import Final

from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

NO_MATCHING_SUBSCRIBERS: Final = 16  # MQTT 5, 3.4.2.1: a success
UNSPECIFIED: Final = 0x80  # MQTT 5, 2.4; paho also reports it when the socket was closed without a DISCONNECT
FAILURE_MIN: Final = 128  # MQTT 5, 2.4: reason codes from 0x80 up are failures
SESSION_TAKEN_OVER: Final = 0x8E

# Reason codes of a CONNACK that stay until a technician changes something (MQTT 5, 3.2.2.2; MQTT 3.1.1, 3.2.2.3).
REFUSED_PERMANENTLY: Final = frozenset({1, 2, 4, 5, 0x84, 0x85, 0x86, 0x87, 0x8A, 0x8C, 0x9D})
NO_SUCH_VERSION: Final = frozenset({1, 0x84})


def number_of(code: int | ReasonCode | None) -> int:
    """Return the code as a number, 0 if there is none."""
    if code is None:
        return 0
    return code.value if isinstance(code, ReasonCode) else code


def reason_of(code: int) -> str:
    """Return the name of a PUBACK's reason code."""
    names: dict[str, list[int]] = ReasonCode.names.get(code, {})
    return next((name for name, types in names.items() if PacketTypes.PUBACK in types), "no code of MQTT 5")
