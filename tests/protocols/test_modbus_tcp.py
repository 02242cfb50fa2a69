"""Modbus/TCP as its papers write it: literal frames, what is asked and answered, and what is not a frame."""

from __future__ import annotations

import pytest

from protocols.codec import Garbage
from protocols.modbus_tcp.connection import ANSWER_NS_MAX, POLL_NS, DeviceConnection, HostConnection, listener
from protocols.modbus_tcp.frame import Frame, FrameReader, encode
from protocols.modbus_tcp.messages import Inputs, Message, ReadInputs, Refused, UnknownPdu, read, write

# The bodies are those of the papers' function 02, with fewer inputs where theirs are more than we ask for.
LITERALS: list[tuple[str, Message]] = [
    ("02 00 C4 00 16", ReadInputs(196, 22)),
    ("02 01 05", Inputs((True, False, True, False, False, False, False, False))),
    ("02 02 00 80", Inputs((False,) * 15 + (True,))),
    ("82 02", Refused(2, 2)),
    ("05 00 AC FF 00", UnknownPdu(5, 5)),
    ("02 03 AC DB 35 00", UnknownPdu(2, 6)),
    ("02", UnknownPdu(2, 1)),
]
NOTHING = (False,) * 8


@pytest.mark.parametrize(("body", "message"), LITERALS, ids=[body for body, _ in LITERALS])
def test_a_body_of_the_papers_is_read_and_written(body: str, message: Message) -> None:
    pdu = bytes.fromhex(body)
    assert read(Frame(1, 1, pdu)) == message
    if not isinstance(message, UnknownPdu):
        assert write(message) == pdu


def test_the_header_is_that_of_the_papers() -> None:
    frame = Frame(0x1501, 0xFF, bytes.fromhex("02 00 00 00 04"))
    data = bytes.fromhex("15 01 00 00 00 06 FF 02 00 00 00 04")
    assert encode(frame) == data
    reader = FrameReader()
    reader.feed(data)
    assert reader.next() == frame


def test_noise_before_a_frame_is_told_and_the_frame_is_found() -> None:
    reader = FrameReader()
    reader.feed(b"HELLO" + encode(Frame(7, 1, b"\x82\x01")))
    found = list(iter(reader.next, None))
    assert [one.data for one in found if isinstance(one, Garbage)] == [b"H", b"E", b"L", b"L", b"O"]
    assert found[-1] == Frame(7, 1, b"\x82\x01")


def answered(box: DeviceConnection, host: HostConnection, now_ns: int) -> list[object]:
    box.receive(host.data_to_send(), now_ns)
    while box.next_event() is not None:
        pass
    host.receive(box.data_to_send(), now_ns)
    return list(iter(host.next_event, None))


def test_a_host_asks_at_once_and_again_after_each_answer() -> None:
    host, box = HostConnection(0), DeviceConnection(0)
    assert answered(box, host, 0) == [Inputs(NOTHING)]
    box.closed = (True, *NOTHING[1:])
    assert host.next_timeout_ns() == POLL_NS
    host.handle_timeout(POLL_NS)
    assert answered(box, host, POLL_NS) == [Inputs((True, *NOTHING[1:]))]
    assert host.heard_ns == POLL_NS


def test_an_old_answer_is_left_alone_and_a_lost_one_asked_for_again() -> None:
    host, box = HostConnection(0), DeviceConnection(0)
    box.receive(host.data_to_send(), 0)
    assert box.next_event() == ReadInputs(0, 8)
    late = box.data_to_send()
    host.handle_timeout(ANSWER_NS_MAX)
    host.receive(late, ANSWER_NS_MAX)
    assert host.next_event() is None
    assert answered(box, host, ANSWER_NS_MAX) == [Inputs(NOTHING)]


@pytest.mark.parametrize(
    ("body", "code"),
    [("02 00 00 00 00", 3), ("02 00 00 00 11", 3), ("02 00 06 00 04", 2), ("01 00 00 00 04", 1), ("2B 0E 01 00", 1)],
)
def test_a_box_refuses_what_it_cannot_answer(body: str, code: int) -> None:
    box = DeviceConnection(0)
    pdu = bytes.fromhex(body)
    box.receive(encode(Frame(9, 3, pdu)), 0)
    while box.next_event() is not None:
        pass
    assert box.data_to_send() == encode(Frame(9, 3, bytes((pdu[0] | 0x80, code))))


def test_a_listener_reads_both_directions_of_a_line() -> None:
    along = listener()
    along.feed(encode(Frame(3, 1, b"\2\0\0\0\4")) + encode(Frame(3, 1, b"\2\1\5")))
    heard = [one.saying for one in iter(along.next, None)]
    assert [getattr(one, "said", None) for one in heard] == [
        ReadInputs(0, 4),
        Inputs((True, False, True, False, False, False, False, False)),
    ]
