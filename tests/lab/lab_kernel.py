"""What a Linux kernel and udev make of the emulated devices: drivers, names, owners."""

from __future__ import annotations

import pytest

from sim_hardware.usb_port import UsbKind
from tests.lab.machine import Machine, plugged

NAMES = {UsbKind.CDC_ACM: "ttyACM", UsbKind.FTDI: "ttyUSB"}


async def strings(guest: Machine) -> set[str]:
    """Who the devices on the guest's bus say they are."""
    each = "cd $device && echo $(cat manufacturer), $(cat product), $(cat serial)"
    said = await guest.run(f"for device in /sys/bus/usb/devices/*-*; do [ ! -e $device/serial ] || ({each}); done")
    return set(said.splitlines())


async def node(guest: Machine, ids: str) -> str:
    """The file that a program opens to reach a device without a kernel driver."""
    bus, device = (await guest.run(f"lsusb -d {ids} | tr -d : | cut -d ' ' -f 2,4")).split()
    return f"/dev/bus/usb/{bus}/{device}"


@pytest.mark.parametrize("kind", list(UsbKind))
async def test_the_device_is_on_the_bus_until_it_is_unplugged(guest: Machine, kind: UsbKind) -> None:
    async with plugged(guest, kind, "S-1") as plug:
        assert await strings(guest) == {", ".join(plug.port.device.descriptors.strings)}
    assert await strings(guest) == set()


@pytest.mark.parametrize("kind", [UsbKind.CDC_ACM, UsbKind.FTDI])
async def test_a_serial_port_has_the_name_that_the_emulator_says(guest: Machine, kind: UsbKind) -> None:
    async with plugged(guest, kind, "S-1") as plug:
        path = plug.port.address.removeprefix("serial:")
        assert NAMES[kind] in await guest.run(f"readlink -f {path}")
        plug.port.unplug()
        plug.port.replug()
        await plug.attach()
        assert NAMES[kind] in await guest.run(f"readlink -f {path}")
    assert "gone" in await guest.run(f"test -e {path} || echo gone")


@pytest.mark.parametrize("kind", [UsbKind.CDC_ACM, UsbKind.FTDI])
async def test_the_daemon_may_open_a_serial_port_and_modem_managers_leave_it_alone(
    guest: Machine, kind: UsbKind
) -> None:
    async with plugged(guest, kind, "S-1") as plug:
        path = plug.port.address.removeprefix("serial:")
        assert (await guest.run(f"stat -L -c '%G %a' {path}")).strip() == "dialout 660"
        assert "ID_MM_PORT_IGNORE=1" in await guest.run(f"udevadm info --query=property {path}")


async def test_the_daemon_may_open_whatever_shows_a_felt_link_interface(guest: Machine) -> None:
    async with plugged(guest, UsbKind.FELT_LINK, "S-1"):
        path = await node(guest, "1209:0001")
        assert (await guest.run(f"stat -c '%G %a' {path}")).strip() == "feltd 660"


async def test_other_usb_devices_stay_as_they_were(guest: Machine) -> None:
    async with plugged(guest, UsbKind.FTDI, "S-1"):
        path = await node(guest, "0403:6001")
        assert (await guest.run(f"stat -c '%G %a' {path}")).strip() == "root 664"
