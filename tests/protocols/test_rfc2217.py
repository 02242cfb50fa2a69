"""RFC 2217's client end by its literals: what it offers, asks for, waits for, answers and lets through."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.rfc2217 import PortControl, Stage
from tests.support.sentences import Says

# RFC 854 and 2217: IAC FF, WILL FB, WONT FC, DO FD, DONT FE, SB FA, SE F0; BINARY 0, SUPPRESS-GO-AHEAD 3, COM-PORT 2C.
OFFERS = bytes.fromhex("FF FD 00  FF FD 03  FF FB 00  FF FB 03  FF FB 2C")
AGREED = bytes.fromhex("FF FD 2C")
SET = bytes.fromhex(
    "FF FA 2C 0A 00 FF F0"  # no notices of the line
    "FF FA 2C 0B 00 FF F0"  # nor of the modem
    "FF FA 2C 0C 01 FF F0"  # purge what was received
    "FF FA 2C 05 01 FF F0"  # no flow control
    "FF FA 2C 05 08 FF F0"  # DTR on
    "FF FA 2C 05 0C FF F0"  # RTS off
    "FF FA 2C 01 00 00 12 C0 FF F0"  # 4800 baud
    "FF FA 2C 02 08 FF F0"  # eight bits
    "FF FA 2C 03 01 FF F0"  # no parity
    "FF FA 2C 04 01 FF F0"  # one stop bit
)
ANSWERS = bytes.fromhex("FF FA 2C 65 00 00 12 C0 FF F0 FF FA 2C 66 08 FF F0 FF FA 2C 67 01 FF F0 FF FA 2C 68 01 FF F0")


def control() -> PortControl:
    return PortControl(baud=4_800, dtr=True, rts=False)


def ready() -> PortControl:
    made = control()
    made.receive(AGREED + ANSWERS)
    made.data_to_send()
    assert made.stage is Stage.READY
    return made


def test_it_offers_first_asks_for_the_settings_once_agreed_and_is_ready_when_all_are_answered() -> None:
    port = control()
    assert (port.data_to_send(), port.stage) == (OFFERS, Stage.NEGOTIATING)
    port.receive(AGREED)
    assert (port.data_to_send(), port.stage) == (SET, Stage.SETTING)
    port.receive(ANSWERS[:-1])
    assert port.stage is Stage.SETTING
    port.receive(ANSWERS[-1:])
    assert (port.data_to_send(), port.stage) == (b"", Stage.READY)


def test_bytes_that_came_before_the_port_was_set_are_dropped_and_those_after_it_are_not() -> None:
    port = control()
    assert port.receive(b"early" + AGREED + b"too early" + ANSWERS + b"hello") == b"hello"


def test_the_byte_ff_is_doubled_on_the_way_and_single_again_at_either_end() -> None:
    port = ready()
    assert port.receive(b"a\xff\xffb") == b"a\xffb"
    port.send(b"a\xffb")
    assert port.data_to_send() == b"a\xff\xffb"


def test_a_baud_rate_with_ff_in_it_is_escaped_and_its_answer_read() -> None:
    port = PortControl(baud=0xFF00, dtr=True, rts=True)
    port.receive(AGREED)
    assert bytes.fromhex("FF FA 2C 01 00 00 FF FF 00 FF F0") in port.data_to_send()
    port.receive(bytes.fromhex("FF FA 2C 65 00 00 FF FF 00 FF F0") + ANSWERS[10:])
    assert port.stage is Stage.READY


def test_nothing_goes_to_the_device_before_the_port_is_set() -> None:
    port = control()
    port.data_to_send()
    port.send(b"WELCOME")
    assert port.data_to_send() == b""
    port.receive(AGREED + ANSWERS)
    assert port.data_to_send().endswith(b"WELCOME")


def test_a_server_that_asks_to_wait_is_waited_for() -> None:
    port = ready()
    port.receive(bytes.fromhex("FF FA 2C 6C FF F0"))
    port.send(b"later")
    assert (port.data_to_send(), port.held_bytes) == (b"", 5)
    port.receive(bytes.fromhex("FF FA 2C 6D FF F0"))
    assert port.data_to_send() == b"later"


@pytest.mark.parametrize(
    "said",
    [
        "FF FE 2C",
        "FF FE 00",
        "FF FC 00",
        "FF FD 2C FF FA 2C 65 00 00 25 80 FF F0",
        "FF FD 2C FF FA 2C 67 02 FF F0",
    ],
)
def test_what_cannot_be_is_said(said: str, says: Says) -> None:
    port = control()
    port.receive(bytes.fromhex(said))
    assert port.stage is Stage.REFUSED
    assert port.refusal is not None
    says(port.refusal)


def test_a_port_that_is_taken_back_later_is_refused_then() -> None:
    port = ready()
    port.receive(bytes.fromhex("FF FE 2C"))
    assert port.stage is Stage.REFUSED


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("FF FB 01", "FF FE 01"),  # WILL ECHO: do not
        ("FF FD 18", "FF FC 18"),  # DO TERMINAL-TYPE: we will not
        ("FF FB 00 FF FB 03 FF FD 00 FF FD 03", ""),  # what we asked for, and what we offered
        ("FF FC 01 FF FE 18", ""),  # what was never on
        ("FF F1 FF F9", ""),  # NOP and GO AHEAD
        ("FF FA 18 01 FF F0", ""),  # another option's sub-negotiation
        ("FF FA 2C 6B 10 FF F0", ""),  # a modem line moved
    ],
)
def test_what_else_telnet_says_is_answered_only_where_something_would_change(said: str, answer: str) -> None:
    port = ready()
    assert port.receive(b"a" + bytes.fromhex(said) + b"b") == b"ab"
    assert port.data_to_send() == bytes.fromhex(answer)
    assert port.stage is Stage.READY


def test_a_server_that_offers_the_port_instead_is_taken_at_its_word() -> None:
    port = control()
    port.data_to_send()
    port.receive(bytes.fromhex("FF FB 2C"))
    assert port.stage is Stage.SETTING
    assert port.data_to_send() == bytes.fromhex("FF FD 2C") + SET


def test_a_sub_negotiation_without_end_takes_no_memory() -> None:
    port = ready()
    port.receive(bytes.fromhex("FF FA 2C 00") + b"x" * 100_000)
    assert len(port._sub) <= 64
    assert port.receive(bytes.fromhex("FF F0") + b"card") == b"card"


@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=8))
def test_any_bytes_split_anywhere_are_read_as_if_they_came_at_once(data: bytes, cuts: list[int]) -> None:
    whole, split = ready(), ready()
    places = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[begin:end] for begin, end in pairwise(places)]
    assert b"".join(split.receive(piece) for piece in pieces) == whole.receive(data)
    assert (split.stage, split.data_to_send()) == (whole.stage, whole.data_to_send())
