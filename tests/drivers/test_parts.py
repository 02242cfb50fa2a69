"""The pure parts of the device layer: addresses, profiles, words, health, tap."""

from __future__ import annotations

from typing import get_args

import pytest

from drivers import events as e
from drivers.addresses import (
    Address,
    AddressError,
    Rfc2217Address,
    SerialAddress,
    TcpAddress,
    UsbAddress,
    parse_address,
)
from drivers.events import Anomaly, Button, CameBack, Stamp, WentStale
from drivers.felt_link import device_event
from drivers.health import REPEAT_NS_MIN, Complaints, SilenceWatch
from drivers.profile import Firmware, Freshness
from drivers.tap import CHUNK_COST, Direction, Tap
from drivers.transports.base import Chunk
from protocols.cards import Misread, parse_cards
from protocols.felt_link import messages as m
from tests.support.sentences import Says

S = 1_000_000_000
HAND = parse_cards("Ah Td")
CHECKED = e.Confidence.CHECKED
KEYS = {"green": Button.GREEN, "F1": Button.NEXT}

# Addresses


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("serial:/dev/serial/by-id/usb-FS", SerialAddress("/dev/serial/by-id/usb-FS")),
        ("serial:/dev/odd:name", SerialAddress("/dev/odd:name")),
        ("tcp:nport.pit:4001", TcpAddress("nport.pit", 4001)),
        ("tcp:[fe80::1]:4001", TcpAddress("fe80::1", 4001)),
        ("rfc2217:nport.pit:4001", Rfc2217Address("nport.pit", 4001)),
        ("rfc2217:[fe80::1]:4001", Rfc2217Address("fe80::1", 4001)),
        ("usb:0403:6001", UsbAddress(0x0403, 0x6001, None)),
        ("usb:0403:600A:FS:1", UsbAddress(0x0403, 0x600A, "FS:1")),
    ],
)
def test_an_address_is_read_and_reads_back(text: str, address: Address) -> None:
    assert parse_address(text) == address
    assert parse_address(str(address)) == address


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("", "serial:/dev/"),
        ("/dev/ttyUSB0", "serial:/dev/…"),
        ("com:1", "tcp:host:port"),
        ("serial:ttyUSB0", "the whole path"),
        ("serial:", "the whole path"),
        ("tcp:nport", "1 to 65535"),
        ("tcp:nport:0", "1 to 65535"),
        ("tcp:nport:65536", "1 to 65535"),
        ("tcp:nport:²", "1 to 65535"),
        ("tcp::4001", "1 to 65535"),
        ("rfc2217:nport", "allowed is rfc2217:host:port"),
        ("usb:0403", "four hexadecimal"),
        ("usb:403:6001", "four hexadecimal"),
    ],
)
def test_what_is_no_address_says_what_would_be(text: str, hint: str) -> None:
    with pytest.raises(AddressError, match=hint) as wrong:
        parse_address(text)
    assert repr(text) in str(wrong.value)


# Profiles


@pytest.mark.parametrize(
    ("firmware", "version", "is_admitted"),
    [
        (Firmware(), "anything", True),
        (Firmware(least="1.4"), "1.4", True),
        (Firmware(least="1.4"), "1.4.0", True),
        (Firmware(least="1.4"), "1.10", True),
        (Firmware(least="1.4"), "1.3.9", False),
        (Firmware(below="2"), "1.99", True),
        (Firmware(below="2"), "2", False),
        (Firmware(below="2"), "2.0", False),
        (Firmware(least="1.4", below="2"), "1.5b", False),
        (Firmware(least="1.4"), "", False),
    ],
)
def test_firmware_is_compared_by_its_numbers(firmware: Firmware, version: str, is_admitted: bool) -> None:
    assert firmware.admits(version) is is_admitted


def test_a_range_of_firmware_can_be_read(says: Says) -> None:
    says("\n".join([str(one) for one in (Firmware(), Firmware("1"), Firmware(below="2"), Firmware("1", "2"))]))


# Words

TRANSLATED: list[tuple[m.WireEvent | m.Unintelligible, e.DeviceEvent]] = [
    (m.DeckLoaded(), e.DeckLoaded()),
    (m.ShuffleStarted(), e.ShuffleStarted()),
    (m.ShuffleFinished(52), e.ShuffleFinished(52)),
    (m.ShuffleFinished(None), e.ShuffleFinished(None)),
    (m.PacketDispensed(3, 2, HAND), e.PacketDispensed(3, 2, HAND)),
    (m.PacketDispensed(3, None, None), e.PacketDispensed(3, None, None)),
    (m.PacketRemoved(3), e.PacketRemoved(3)),
    (m.RemainderEjected(2, HAND), e.RemainderEjected(2, HAND)),
    (m.WireCardDrawn(7, HAND[0], "game"), e.CardDrawn(HAND[0], CHECKED, 7, e.Claim("game", None))),
    (m.WireCardDrawn(8, Misread.BOXED, "burn"), e.CardDrawn(Misread.BOXED, CHECKED, 8, e.Claim("burn", None))),
    (
        m.WireCardDrawn(9, HAND[1], "locked"),
        e.CardDrawn(HAND[1], CHECKED, 9, e.Claim("locked", None), e.OutsideGame.LOCKED),
    ),
    (m.WireCardReturned(9), e.CardReturned(9)),
    (m.WireCutCardDrawn(8), e.CutCardDrawn(8)),
    (m.WireButtonPressed("green"), e.ButtonPressed(Button.GREEN)),
    (m.WireButtonPressed("F1"), e.ButtonPressed(Button.NEXT)),
    (m.WireButtonPressed("f2"), e.KeyPressed("f2")),
    (m.StakeSeen(3, "ante", 1500), e.StakeSeen(3, "ante", 1500)),
    (m.WireFaultRaised("jam", "tray"), e.FaultRaised(e.FaultKind.JAM, "tray")),
    (m.WireFaultRaised("on-fire", "left"), e.FaultRaised(e.FaultKind.OTHER, "on-fire: left")),
    (m.WireFaultRaised("on-fire", ""), e.FaultRaised(e.FaultKind.OTHER, "on-fire")),
    (m.WireFaultCleared("jam"), e.FaultCleared(e.FaultKind.JAM)),
    (m.WireFaultCleared("on-fire"), e.FaultCleared(e.FaultKind.OTHER)),
    (m.ModeChanged(5), e.ModeChanged(5)),
    (m.PowerReturned(), e.Anomaly("power-returned", "the device was off in between; it has kept its events")),
    (
        m.Unintelligible(9, False, "CARD", "not an event of this version", "1|Ah"),
        e.EventsLost(1, "event CARD cannot be understood: not an event of this version"),
    ),
]


@pytest.mark.parametrize(("said", "meant"), TRANSLATED)
def test_what_a_device_said_in_the_tables_language(said: m.WireEvent | m.Unintelligible, meant: e.DeviceEvent) -> None:
    assert device_event(said, KEYS) == meant


def test_every_wire_event_is_among_them() -> None:
    assert {type(said) for said, _ in TRANSLATED} == {*get_args(m.WireEvent), m.Unintelligible}


def test_every_fault_that_we_know_is_the_same_word_on_the_line() -> None:
    assert {word.value for word in m.FaultKind} == {kind.value for kind in e.FaultKind}
    assert all(device_event(m.WireFaultCleared(kind.value), {}) == e.FaultCleared(kind) for kind in e.FaultKind)


# Health

LIMITS = Freshness(stale_ns=3 * S, steady_ns=1 * S, reopen_ns=30 * S)


def test_stale_at_the_limit_and_not_before() -> None:
    watch = SilenceWatch(LIMITS, 0)
    assert watch.due_ns() == 3 * S
    assert watch.check(None, 3 * S - 1) is None
    assert watch.check(None, 3 * S) == WentStale(3 * S)
    assert watch.check(None, 4 * S) is None
    assert watch.due_ns() == 30 * S
    assert [watch.is_over(at_ns) for at_ns in (30 * S - 1, 30 * S)] == [False, True]


def test_fresh_again_only_after_it_was_heard_for_the_steady_time() -> None:
    watch = SilenceWatch(LIMITS, 0)
    watch.check(None, 3 * S)
    heard = [5 * S, 5 * S + S // 2, 6 * S]
    assert [watch.check(at_ns, at_ns) for at_ns in heard] == [None, None, CameBack()]


def test_a_silence_in_between_begins_the_steady_time_anew() -> None:
    watch = SilenceWatch(LIMITS, 0)
    watch.check(None, 3 * S)
    heard = [5 * S, 8 * S, 9 * S - 1, 9 * S]
    assert [watch.check(at_ns, at_ns) for at_ns in heard] == [None, None, None, CameBack()]


def test_hearing_in_time_is_no_news() -> None:
    watch = SilenceWatch(LIMITS, 0)
    assert all(watch.check(at_ns, at_ns) is None for at_ns in range(0, 100 * S, 2 * S))


def test_a_complaint_passes_once_in_a_while_and_counts_what_was_held_back() -> None:
    complaints = Complaints()
    noise, other = Anomaly("line-damage", "3 bytes are not a frame"), Anomaly("other", "")
    assert complaints.admit(noise, 0) == noise
    assert complaints.admit(noise, REPEAT_NS_MIN - 2) is None
    assert complaints.admit(other, REPEAT_NS_MIN - 1) == other
    assert complaints.admit(noise, REPEAT_NS_MIN - 1) is None
    assert complaints.admit(noise, REPEAT_NS_MIN) == Anomaly(
        "line-damage", "3 bytes are not a frame; 2 more like it before"
    )
    assert complaints.admit(noise, 2 * REPEAT_NS_MIN) == noise


# Tap


def test_the_tap_keeps_the_newest_bytes_up_to_its_size() -> None:
    tap = Tap(bytes_max=10 + 2 * CHUNK_COST)
    for number in range(5):
        tap.record(Direction.FROM_DEVICE, b"%d" % number * 4, Stamp(number, number))
    assert [one.data for one in tap.kept()] == [b"3333", b"4444"]
    tap.record(Direction.TO_DEVICE, b"x" * 1_000, Stamp(9, 9))
    assert tap.kept() == ()


def test_raw_bytes_are_never_printed() -> None:
    tap = Tap()
    tap.record(Direction.FROM_DEVICE, b"Ah", Stamp(0, 0))
    assert "Ah" not in repr(tap.kept())
    assert "Ah" not in repr(Chunk(b"Ah", Stamp(0, 0)))
