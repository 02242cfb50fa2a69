"""Check values of the links that we speak."""

from __future__ import annotations

from binascii import crc_hqx
from typing import Final

_ALL_ONES: Final = 0xFFFF


def crc16(data: bytes) -> int:
    """Return the CRC-16/IBM-3740, also called CCITT-FALSE.

    Polynomial x^16+x^12+x^5+1 (0x1021), first value 0xFFFF, most significant bit first, nothing inverted at the end.
    Its check value over the digits 1 to 9 is 0x29B1 in Ross Williams' and Greg Cook's catalogues.
    """
    return crc_hqx(data, _ALL_ONES)


def xor(data: bytes) -> int:
    """Return the exclusive or of all bytes, also called LRC or BCC."""
    check = 0
    for byte in data:
        check ^= byte
    return check
