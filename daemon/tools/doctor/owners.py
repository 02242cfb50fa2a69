"""Whose devices a table's devices are: a device that another table's user may open is told with the rule against it.

Debian gives every serial port to the group dialout, and our rule gives felt-link USB devices to the group feltd: both
have every table of the machine. So a table that was taken over could hear, and drive, another table's shuffler.
"""

from __future__ import annotations

import os
import pwd
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

from daemon.tools.doctor.account import Account, account
from daemon.tools.doctor.findings import Finding, fine, warning
from drivers.addresses import Address, SerialAddress, UsbAddress
from drivers.profile import DeviceSettings

_OF_A_TABLE: Final = "feltd-"  # as `feltd-user@` names them
_DEV: Final = Path("/dev")
_USB: Final = Path("/sys/bus/usb/devices")
_NOT_LITERAL: Final = re.compile(rb"[^\w .:-]")


def tables_users() -> Iterator[Account]:
    """Yield the user of each table that was ever started on this machine."""
    for entry in pwd.getpwall():
        if entry.pw_name.startswith(_OF_A_TABLE):
            with suppress(KeyError):  # deleted meanwhile
                yield account(entry.pw_name)


def check_owners(devices: Iterable[DeviceSettings], whose: Account, users: Iterable[Account]) -> Iterator[Finding]:
    """Report for each port that is here whether another table's user may open it too.

    A device can belong to a table's user only: of anybody else, as of the table before its first start, say nothing.
    """
    if not whose.name.startswith(_OF_A_TABLE):
        return
    others = [user for user in users if user.name != whose.name]
    for device in devices:
        node = _node(device.address)
        if node is None or not node.exists():
            continue
        sharing = [other.name for other in others if other.may_open(node.stat())]
        if not sharing:
            yield fine("device-owner", device.name, "can be opened by no other table of this machine.")
            continue
        table = whose.name.removeprefix(_OF_A_TABLE)
        said = f"can be opened by {', '.join(sharing)} too: such a table, taken over, hears and drives this device."
        remedy = (
            f"Put this line into /etc/udev/rules.d/61-feltd-{table}.rules, then run udevadm control --reload and "
            f"udevadm trigger: {rule_for(device.address, whose.name)}"
        )
        yield warning("device-owner", device.name, said, remedy)


def rule_for(address: Address, user: str) -> str:
    """Return the rule of udev by which this device belongs to this user alone. Raise ValueError if it is none."""
    match address:
        case SerialAddress(path):
            name = os.path.relpath(path, _DEV)
            # The links are there before a rule of a file that begins with 61.
            which = f'SUBSYSTEM=="tty", {"SYMLINK" if "/" in name else "KERNEL"}=="{name}"'
        case UsbAddress(vendor, product, serial):
            number = "" if serial is None else f', ATTR{{serial}}=="{_matching(serial)}"'
            ids = f'ATTR{{idVendor}}=="{vendor:04x}", ATTR{{idProduct}}=="{product:04x}"'
            which = f'SUBSYSTEM=="usb", ENV{{DEVTYPE}}=="usb_device", {ids}{number}'
        case _:
            raise ValueError(f"{address} is not a device of this machine")
    return f'ACTION!="remove", {which}, OWNER="{user}", GROUP="root", MODE="0600"'


def _matching(serial: str) -> str:
    """Return a pattern of udev for a serial number. It is a device's own word, and in a rule a quote ends the value.

    What stood behind that would be commands of root's.
    """
    return _NOT_LITERAL.sub(b"?", serial.encode()).decode()


def _node(address: Address) -> Path | None:
    match address:
        case SerialAddress(path):
            return Path(path)
        case UsbAddress(vendor, product, serial):
            wanted = {"idVendor": f"{vendor:04x}", "idProduct": f"{product:04x}"}
            wanted |= {} if serial is None else {"serial": serial}
            return next((_usb_node(at) for at in _USB.glob("*") if _says(at, wanted)), None)
        case _:
            return None  # a device server, which no user of this machine owns


def _says(device: Path, wanted: dict[str, str]) -> bool:
    return all(
        (device / name).exists() and (device / name).read_text().strip() == said for name, said in wanted.items()
    )


def _usb_node(device: Path) -> Path:
    bus, number = (int((device / name).read_text()) for name in ("busnum", "devnum"))
    return _DEV / "bus" / "usb" / f"{bus:03d}" / f"{number:03d}"
