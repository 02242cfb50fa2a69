"""Check values, against the literature and against the definition done by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocols.checksum import crc16


def _by_long_division(data: bytes) -> int:
    remainder = 0xFFFF
    for byte in data:
        for place in range(7, -1, -1):
            leading = (remainder >> 15) ^ (byte >> place & 1)
            remainder = (remainder << 1) & 0xFFFF
            remainder ^= 0x1021 * leading
    return remainder


def test_the_check_value_of_the_catalogues() -> None:
    assert crc16(b"123456789") == 0x29B1


@given(st.binary(max_size=64))
def test_it_is_the_division_by_x16_x12_x5_1(data: bytes) -> None:
    assert crc16(data) == _by_long_division(data)
