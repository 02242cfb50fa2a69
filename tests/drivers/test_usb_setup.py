"""Which USB device an address names, and what a technician is told when none or more than one fits."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator

import pytest

from drivers.addresses import UsbAddress, parse_address
from drivers.errors import LinkError, SetupCode, SetupError, SetupProblem
from drivers.events import Stamp
from drivers.transports.usb import UsbTransport, open_usb
from sim_hardware.usb_descriptors import FELT_LINK_PRODUCT, TEST_VENDOR
from sim_hardware.usb_functions import cdc_acm_device, felt_link_device, ftdi_device
from tests.drivers.usb_threads import usb_threads
from tests.support.sentences import Says
from tests.support.threads import no_thread_free
from tests.support.usb_backend import EmulatedBus


def address(serial: str | None = None) -> UsbAddress:
    return UsbAddress(TEST_VENDOR, FELT_LINK_PRODUCT, serial)


@pytest.fixture
async def bus() -> AsyncIterator[EmulatedBus]:
    bus = EmulatedBus()
    yield bus
    await bus.close()
    assert bus.open_handles == 0
    assert usb_threads() == []


async def opened(bus: EmulatedBus, where: UsbAddress) -> UsbTransport:
    return await open_usb(where, lambda: Stamp(0, 0), bus)


async def refused(bus: EmulatedBus, where: UsbAddress) -> SetupProblem:
    with pytest.raises(SetupError) as caught:
        await opened(bus, where)
    return caught.value.problem


async def test_the_serial_number_chooses_among_two_alike(bus: EmulatedBus) -> None:
    devices = [felt_link_device(serial) for serial in ("SHOE-1", "SHOE-2")]
    for device in devices:
        bus.plug(device)
    transport = await opened(bus, address("SHOE-2"))
    devices[1].send(b"it is me")
    assert (await transport.read()).data == b"it is me"
    await transport.close()


async def test_two_that_fit_are_listed_and_neither_is_opened(bus: EmulatedBus, says: Says) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    bus.plug(felt_link_device("SHOE-2"))
    problem = await refused(bus, address())
    assert problem.code is SetupCode.AMBIGUOUS
    says(problem.problem)
    says(problem.remedy)


async def test_two_with_the_same_serial_number_are_not_guessed_at_either(bus: EmulatedBus, says: Says) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    bus.plug(felt_link_device("SHOE-1"))
    problem = await refused(bus, address("SHOE-1"))
    assert problem.code is SetupCode.AMBIGUOUS
    says(problem.remedy)


async def test_none_is_looked_for_again_soon(bus: EmulatedBus, says: Says) -> None:
    problem = await refused(bus, address("SHOE-1"))
    assert problem.code is SetupCode.NO_SUCH_PORT
    says(problem.problem)
    assert problem.retry_ns == 1_000_000_000


async def test_another_of_the_same_kind_is_named_when_the_wanted_one_is_missing(bus: EmulatedBus, says: Says) -> None:
    bus.plug(felt_link_device("SHOE-2"))
    problem = await refused(bus, address("SHOE-1"))
    assert problem.code is SetupCode.NO_SUCH_PORT
    says(problem.problem)


@pytest.mark.parametrize("serial", ["\x1b[2J", "SHOE-1\nall is well", "\u202e1-EOHS", "\ufeff", "é" * 100, "\x00"])
async def test_what_a_strange_device_calls_itself_is_shown_as_text(bus: EmulatedBus, serial: str) -> None:
    bus.plug(felt_link_device(serial))
    problem = await refused(bus, address("SHOE-1"))
    assert problem.code is SetupCode.NO_SUCH_PORT
    assert problem.problem.isascii()
    assert problem.problem.isprintable()


async def test_a_forbidden_device_names_the_rule_that_is_missing(bus: EmulatedBus, says: Says) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    bus.troubles.opening.append(errno.EACCES)
    problem = await refused(bus, address())
    assert problem.code is SetupCode.PERMISSION_DENIED
    assert "/dev/bus/usb/001/001" in problem.problem
    says(problem.remedy)


async def test_a_serial_number_that_may_not_be_read_is_a_matter_of_permission(bus: EmulatedBus) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    bus.troubles.opening.append(errno.EACCES)
    assert (await refused(bus, address("SHOE-1"))).code is SetupCode.PERMISSION_DENIED


async def test_a_device_that_another_program_has_is_busy(bus: EmulatedBus, says: Says) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    first = await opened(bus, address())
    problem = await refused(bus, address())
    assert problem.code is SetupCode.PORT_BUSY
    says(problem.remedy)
    await first.close()
    second = await opened(bus, address())
    await second.close()


@pytest.mark.parametrize(
    ("where", "device"),
    [("usb:0403:6001", ftdi_device("A900EMU1")), ("usb:1209:0002", cdc_acm_device("ACM-1"))],
)
async def test_a_serial_adapter_is_sent_to_its_serial_port(bus: EmulatedBus, where: str, device: object) -> None:
    bus.plug(device)  # type: ignore[arg-type]
    parsed = parse_address(where)
    assert isinstance(parsed, UsbAddress)
    problem = await refused(bus, parsed)
    assert problem.code is SetupCode.NOT_A_PORT
    assert "/dev/serial/by-id" in problem.remedy


@pytest.mark.parametrize("number", [errno.ENODEV, errno.EIO])
async def test_trouble_while_claiming_is_left_to_time(bus: EmulatedBus, number: int) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    bus.troubles.claiming.append(number)
    with pytest.raises(LinkError):
        await opened(bus, address())


async def test_an_opening_that_is_cancelled_leaves_nothing_open(bus: EmulatedBus) -> None:
    bus.plug(felt_link_device("SHOE-1"))
    with no_thread_free():
        opening = asyncio.create_task(opened(bus, address()))
        await asyncio.sleep(0)
        opening.cancel()
        await asyncio.sleep(0)
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert bus.open_handles == 0
