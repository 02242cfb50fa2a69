"""A device that another table of the machine may open is named, with the rule by which it is one table's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from daemon.tools.doctor import owners
from daemon.tools.doctor.account import Account
from daemon.tools.doctor.findings import Verdict
from daemon.tools.doctor.owners import check_owners, rule_for
from drivers.addresses import Address, SerialAddress, TcpAddress, UsbAddress, parse_address
from drivers.events import DeviceName
from drivers.profile import DeviceSettings
from drivers.profiles import PROFILES
from tests.support.sentences import Says

BY_ID = "/dev/serial/by-id/usb-FTDI_FT232R_USB_UART_A5069RR4-if00-port0"
DIALOUT = os.getgid()
OWN = Account("feltd-table7", 60_901, frozenset({DIALOUT}))
OTHER = Account("feltd-table8", 60_902, frozenset({DIALOUT}))


def device(address: Address) -> DeviceSettings:
    return DeviceSettings(DeviceName("shuffler"), address, PROFILES["felt-link-shuffler-faces"], None)


@pytest.fixture
def port(tmp_path: Path) -> Path:
    """A file that belongs to a group which both tables are in, as a port does to dialout."""
    made = tmp_path / "port"
    made.touch()
    made.chmod(0o660)
    return made


def test_a_port_of_the_group_of_all_tables_is_told_with_its_rule(port: Path, says: Says) -> None:
    shuffler = device(SerialAddress(str(port)))
    [alone] = check_owners([shuffler], OWN, [OWN])
    assert alone.verdict is Verdict.OK
    [shared] = check_owners([shuffler], OWN, [OWN, OTHER])
    assert (shared.check, shared.verdict) == ("device-owner", Verdict.WARNING)
    says(shared.said)
    says(shared.remedy.partition(" ACTION")[0])


def test_a_port_of_the_tables_own_user_is_its_own(port: Path) -> None:
    port.chmod(0o600)
    [own] = check_owners([device(SerialAddress(str(port)))], OWN, [OWN, OTHER])
    assert own.verdict is Verdict.OK


def test_of_a_user_that_is_no_tables_nothing_is_said(port: Path) -> None:
    """`feltd setup` names the user feltd before the table has its own: a rule for that one would lock the table out."""
    service = Account("feltd", 0, frozenset())
    assert list(check_owners([device(SerialAddress(str(port)))], service, [OWN, OTHER])) == []


def test_what_is_not_here_or_on_a_server_is_nobodys() -> None:
    away = [device(SerialAddress("/dev/not-plugged-in")), device(TcpAddress("127.0.0.1", 4001))]
    assert list(check_owners(away, OWN, [OWN, OTHER])) == []
    with pytest.raises(ValueError, match="not a device of this machine"):
        rule_for(TcpAddress("127.0.0.1", 4001), OWN.name)


def test_a_usb_device_is_found_by_its_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at, serial, number in (("1-1", "FL1", "4"), ("1-2", "FL2", "7")):
        (tmp_path / at).mkdir()
        said = {"idVendor": "1209", "idProduct": "fe17", "serial": serial, "busnum": "1", "devnum": number}
        for name, text in said.items():
            (tmp_path / at / name).write_text(f"{text}\n")
    (tmp_path / "usb1").mkdir()  # a hub need not have a serial number
    node = tmp_path / "bus/usb/001/007"
    node.parent.mkdir(parents=True)
    node.touch(mode=0o600)
    monkeypatch.setattr(owners, "_USB", tmp_path)
    monkeypatch.setattr(owners, "_DEV", tmp_path)
    stranger = Account("feltd-table8", os.getuid() + 1, frozenset())
    owner = Account("feltd-table8", os.getuid(), frozenset())
    shuffler = device(UsbAddress(0x1209, 0xFE17, "FL2"))
    assert [found.verdict for found in check_owners([shuffler], OWN, [stranger])] == [Verdict.OK]
    assert [found.verdict for found in check_owners([shuffler], OWN, [owner])] == [Verdict.WARNING]
    assert not list(check_owners([device(UsbAddress(0x1209, 0xFE17, "FL3"))], OWN, [owner]))


@pytest.mark.parametrize("address", [f"serial:{BY_ID}", "serial:/dev/ttyS0", "usb:1209:fe17", "usb:1209:fe17:FL2"])
def test_the_rule_matches_what_the_address_names(address: str, says: Says) -> None:
    says(rule_for(parse_address(address), OWN.name))


def test_a_serial_number_ends_no_value_of_the_rule() -> None:
    """A technician copies it from what a device says of itself, and what a rule runs is run by root."""
    hostile = parse_address('usb:1209:fe17:é", RUN+="/bin/sh *')
    assert 'ATTR{serial}=="???? RUN????bin?sh ?", OWNER="feltd-table7"' in rule_for(hostile, OWN.name)
