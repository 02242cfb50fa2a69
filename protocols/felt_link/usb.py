"""felt-link over USB: the numbers of the binding that SPEC.md describes (section 2, Over USB), for both ends."""

from __future__ import annotations

from typing import Final

# USB 2.0, table 9-12: class 0xFF leaves subclass and protocol to the vendor. Ours spell FL.
INTERFACE_CLASS: Final = 0xFF
INTERFACE_SUBCLASS: Final = 0x46
INTERFACE_PROTOCOL: Final = 0x4C

NOTICE_BYTES: Final = 4


def encode_notice(waiting: int) -> bytes:
    """Return the interrupt packet that says how many bytes are waiting."""
    return waiting.to_bytes(NOTICE_BYTES, "little")
