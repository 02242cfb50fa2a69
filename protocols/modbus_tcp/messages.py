"""What host and input box say to each other, as frozen values."""

from __future__ import annotations

from typing import TypeAlias

from protocols.frozen import dataclass
from protocols.modbus_tcp.frame import Frame

READ_DISCRETE_INPUTS = 2  # function code
EXCEPTION_BIT = 0x80
ILLEGAL_FUNCTION, ILLEGAL_ADDRESS, ILLEGAL_VALUE = 1, 2, 3  # exception codes
INPUTS_MAX = 16
"""No request of ours asks for more, so a request and an answer always differ in length. The papers allow 2000."""
_REQUEST_BYTES = 5
_EXCEPTION_BYTES = 2


@dataclass(frozen=True, slots=True)
class ReadInputs:
    """Host: which of `count` inputs from `first`, counted from 0, are closed?"""

    first: int
    count: int


@dataclass(frozen=True, slots=True)
class Inputs:
    """Box: these inputs are closed, in order. The last byte is filled up with open ones."""

    closed: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """Box: it does not do what was asked, and why."""

    function: int
    code: int


@dataclass(frozen=True, slots=True)
class UnknownPdu:
    """A sound frame of another function, or with a body that its function does not have."""

    function: int
    size: int


Message: TypeAlias = ReadInputs | Inputs | Refused | UnknownPdu


def read(frame: Frame) -> Message:
    """Return what a frame says."""
    pdu = frame.pdu
    function = pdu[0]
    if function & EXCEPTION_BIT and len(pdu) == _EXCEPTION_BYTES:
        return Refused(function & ~EXCEPTION_BIT, pdu[1])
    if function == READ_DISCRETE_INPUTS and len(pdu) == _REQUEST_BYTES:
        return ReadInputs(int.from_bytes(pdu[1:3], "big"), int.from_bytes(pdu[3:5], "big"))
    if function == READ_DISCRETE_INPUTS and len(pdu) > 1 and 0 < pdu[1] == len(pdu) - 2 <= INPUTS_MAX // 8:
        return Inputs(tuple(bool(byte >> bit & 1) for byte in pdu[2:] for bit in range(8)))
    return UnknownPdu(function, len(pdu))


def write(message: ReadInputs | Inputs | Refused) -> bytes:
    """Return the body that says this."""
    match message:
        case ReadInputs(first, count):
            return bytes((READ_DISCRETE_INPUTS,)) + first.to_bytes(2, "big") + count.to_bytes(2, "big")
        case Inputs(closed):
            packed = bytes(
                sum(is_closed << bit for bit, is_closed in enumerate(closed[at : at + 8]))
                for at in range(0, len(closed), 8)
            )
            return bytes((READ_DISCRETE_INPUTS, len(packed))) + packed
        case Refused(function, code):
            return bytes((function | EXCEPTION_BIT, code))
