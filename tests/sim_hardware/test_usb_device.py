"""The emulated USB devices without a bus: descriptors byte for byte, requests, waiting and stalled transfers."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from protocols.felt_link.limits import FRAME_LENGTH_MAX, WINDOW_EVENTS
from sim_hardware.usb_descriptors import BULK_IN, BULK_OUT, NOTICE_IN, cdc_acm, felt_link, ftdi
from sim_hardware.usb_device import QUEUE_BYTES_MAX, Setup, Standard, Status, Transfer, UsbDevice
from sim_hardware.usb_functions import LineCoding, cdc_acm_device, felt_link_device, ftdi_device

SET_CONFIGURATION = Setup(0x00, Standard.SET_CONFIGURATION, 1, 0, 0)


@dataclass
class Program:
    """What the device's program was told, in order."""

    told: list[str | bytes] = field(default_factory=list)

    def on_plugged(self) -> None:
        self.told.append("plugged")

    def on_data(self, data: bytes) -> None:
        self.told.append(data)

    def on_unplugged(self) -> None:
        self.told.append("unplugged")


@dataclass
class Answers:
    """What transfers came back with."""

    got: list[tuple[Status, bytes]] = field(default_factory=list)

    def transfer(self, endpoint: int, data: bytes = b"", room: int = 0) -> Transfer:
        return Transfer(endpoint, lambda status, answer: self.got.append((status, answer)), data, room)


def configured(device: UsbDevice) -> UsbDevice:
    assert device.control(SET_CONFIGURATION) == b""
    return device


def test_the_descriptors_of_a_felt_link_device_byte_for_byte() -> None:
    device = felt_link("SHOE-1")
    assert device.device().hex() == "12010002000000400912010000010102" + "0301"
    assert (
        device.configuration().hex()
        == (
            "09022700010100" + "8032"
            "0904000003ff464c00"  # vendor-specific, FL
            "07058102000200" + "07050202000200" + "07058303080004"
        )
    )


def test_a_device_keeps_a_whole_window_of_the_longest_frames_for_a_host_that_does_not_fetch() -> None:
    assert QUEUE_BYTES_MAX >= WINDOW_EVENTS * FRAME_LENGTH_MAX


def test_the_descriptors_of_a_cdc_acm_port_byte_for_byte() -> None:
    assert cdc_acm("ACM-1").device().hex() == "120100020200004009120200000101020301"
    assert cdc_acm("ACM-1").configuration().hex() == (
        "09024300020100" + "8032"
        "0904000001020201000524001001" + "0524010001" + "04240202" + "0524060001" + "07058303080009"
        "09040100020a00000007058102000200" + "07050202000200"
    )


def test_the_descriptors_of_an_ftdi_adapter_byte_for_byte() -> None:
    assert ftdi("A1").device().hex() == "120100020000000803040160000601020301"
    assert ftdi("A1").configuration().hex() == "090220000101008032" + "0904000002ffffff00" + (
        "07058102400000" + "07050202400000"
    )


def test_strings_are_utf_16_behind_the_list_of_languages() -> None:
    device = felt_link_device("N1")
    assert device.control(Setup(0x80, Standard.GET_DESCRIPTOR, 0x0300, 0, 255)) == b"\x04\x03\x09\x04"
    assert device.control(Setup(0x80, Standard.GET_DESCRIPTOR, 0x0303, 0x0409, 255)) == b"\x06\x03N\x001\x00"
    assert device.control(Setup(0x80, Standard.GET_DESCRIPTOR, 0x0304, 0x0409, 255)) is None


def test_an_answer_is_cut_to_what_was_asked_for() -> None:
    device = felt_link_device("N1")
    assert device.control(Setup(0x80, Standard.GET_DESCRIPTOR, 0x0200, 0, 9)) == device.descriptors.configuration()[:9]


@pytest.mark.parametrize("request_number", [2, 4, 7, 12, 255])
def test_a_request_that_no_device_has_is_stalled(request_number: int) -> None:
    assert felt_link_device("N1").control(Setup(0x80, request_number, 0, 0, 8)) is None


def test_a_request_of_the_vendor_is_stalled_by_felt_link() -> None:
    assert felt_link_device("N1").control(Setup(0xC0, 0x42, 0, 0, 8)) is None


def test_there_is_a_line_from_the_configuration_to_the_reset() -> None:
    device, program = felt_link_device("N1"), Program()
    device.serve(program)
    device.send(b"to nobody")
    configured(device)
    assert device.control(Setup(0x80, Standard.GET_CONFIGURATION, 0, 0, 1)) == b"\x01"
    assert device.waiting == 0
    device.reset()
    device.reset()
    assert program.told == ["plugged", "unplugged"]
    assert device.control(Setup(0, Standard.SET_CONFIGURATION, 2, 0, 0)) is None


def test_a_read_waits_until_there_are_bytes() -> None:
    device, answers = configured(felt_link_device("N1")), Answers()
    device.submit(answers.transfer(BULK_IN, room=4))
    device.submit(answers.transfer(BULK_IN, room=512))
    assert answers.got == []
    device.send(b"abcdefg")
    assert answers.got == [(Status.OK, b"abcd"), (Status.OK, b"efg")]


def test_the_notice_says_how_much_waits_for_as_long_as_it_waits() -> None:
    device, answers = configured(felt_link_device("N1")), Answers()
    device.submit(answers.transfer(NOTICE_IN, room=8))
    device.send(b"abc")
    device.submit(answers.transfer(NOTICE_IN, room=8))
    device.submit(answers.transfer(BULK_IN, room=512))
    device.submit(answers.transfer(NOTICE_IN, room=8))
    three = (Status.OK, b"\x03\x00\x00\x00")
    assert answers.got == [three, three, (Status.OK, b"abc")]


def test_a_transfer_taken_back_is_never_answered() -> None:
    device, answers = configured(felt_link_device("N1")), Answers()
    taken_back = answers.transfer(BULK_IN, room=512)
    device.submit(taken_back)
    assert device.cancel(taken_back)
    assert not device.cancel(taken_back)
    device.send(b"abc")
    assert (answers.got, device.waiting) == ([], 3)


def test_a_halted_endpoint_stalls_until_it_is_cleared() -> None:
    device, answers = configured(felt_link_device("N1")), Answers()
    device.submit(answers.transfer(BULK_IN, room=512))
    device.halt(BULK_IN)
    device.send(b"abc")
    device.submit(answers.transfer(BULK_IN, room=512))
    assert answers.got == [(Status.STALLED, b"")] * 2
    assert device.control(Setup(0x82, Standard.GET_STATUS, 0, BULK_IN, 2)) == b"\x01\x00"
    assert device.control(Setup(0x02, Standard.CLEAR_FEATURE, 0, BULK_IN, 0)) == b""
    device.submit(answers.transfer(BULK_IN, room=512))
    assert answers.got[-1] == (Status.OK, b"abc")


def test_a_deaf_device_takes_bytes_only_when_it_hears_again() -> None:
    device, program, answers = felt_link_device("N1"), Program(), Answers()
    device.serve(program)
    configured(device).is_deaf = True
    device.submit(answers.transfer(BULK_OUT, b"abc"))
    assert answers.got == []
    device.end_deafness()
    assert (answers.got, program.told) == ([(Status.OK, b"")], ["plugged", b"abc"])


def test_what_the_host_does_not_fetch_is_lost_beyond_the_buffer() -> None:
    device = configured(felt_link_device("N1"))
    for _ in range(10):
        device.send(b"x" * 1000)
    assert device.waiting == QUEUE_BYTES_MAX


def test_an_acm_port_keeps_its_line_coding_and_refuses_half_a_one() -> None:
    device = cdc_acm_device("N1")
    coding = LineCoding(115_200, 0, 0, 8)
    assert device.control(Setup(0x21, 0x20, 0, 0, 7), coding.encode()) == b""
    assert device.control(Setup(0xA1, 0x21, 0, 0, 7)) == b"\x00\xc2\x01\x00\x00\x00\x08"
    assert device.control(Setup(0x21, 0x20, 0, 0, 3), b"\x00\xc2\x01") is None
    assert device.control(Setup(0x21, 0x22, 3, 0, 0)) == b""
    assert device.control(Setup(0x21, 0x77, 0, 0, 0)) is None


def test_an_ftdi_adapter_puts_its_status_before_every_packet() -> None:
    device, answers = configured(ftdi_device("A1")), Answers()
    device.send(bytes(range(100)))
    device.submit(answers.transfer(BULK_IN, room=512))
    assert answers.got == [(Status.OK, b"\x01\x60" + bytes(range(62)) + b"\x01\x60" + bytes(range(62, 100)))]


def test_an_ftdi_adapter_says_yes_to_what_the_kernel_sets() -> None:
    device = ftdi_device("A1")
    assert device.control(Setup(0x40, 3, 0x001A, 0, 0)) == b""  # 115,200 baud
    assert device.control(Setup(0xC0, 5, 0, 0, 2)) == b"\x01\x60"
    assert device.control(Setup(0xC0, 10, 0, 0, 1)) == b"\x10"
