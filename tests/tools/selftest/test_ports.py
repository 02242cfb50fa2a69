"""Sound devices on a real tty and behind a device server: every check that there is for them passes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.tools.doctor import findings as doctor
from daemon.tools.doctor.devices import check_device
from daemon.tools.selftest import asking, checks
from daemon.tools.selftest.checks import NAMES, Verdict
from daemon.tools.selftest.examination import Allowed
from sim_hardware.buttons import PadSettings
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.contacts_end import ContactsEnd
from sim_hardware.ports import Port, PtyPort, TcpPort
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from sim_hardware.stakes import SensorSettings
from sim_hardware.stakes_rig import StakesRig
from tests.sim_hardware.free_port import free_port
from tests.tools.selftest.machines import (
    LISTENED_TO,
    SHUFFLER,
    Rig,
    examined,
    hands_on,
    listened_to,
    names_of,
    settings_of,
    shoe,
    shuffler,
)

MOVING = {checks.LOCK, checks.DEAL}
COMMANDED = {checks.ANSWER_TIMES, checks.ONCE}
OF_A_LISTENER = {checks.RECONNECTS, checks.EVENT, checks.LINE}
every_port = pytest.mark.parametrize(
    "make", [lambda path: PtyPort(path / "tty"), lambda _: TcpPort(free_port())], ids=["pty", "tcp"]
)


@pytest.fixture(autouse=True)
def one_reconnection(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a tty each takes two seconds, until the device has missed its host. All of them are seen in virtual time."""
    monkeypatch.setattr(asking, "RECONNECTIONS", 1)


async def verdicts(rig: Rig, profile: str, allowed: Allowed) -> dict[Verdict, set[str]]:
    await rig.start()
    try:
        report = await examined(rig, profile, hands_on(rig), allowed)
    finally:
        await rig.stop()
    found = {check.name: check for check in report.checks}
    return {verdict: names_of(found, verdict) for verdict in Verdict}


@every_port
async def test_a_shuffler(make: Callable[[Path], Port], tmp_path: Path) -> None:
    found = await verdicts(shuffler(make(tmp_path)), SHUFFLER, Allowed(moves=True))
    assert found[Verdict.PASSED] == set(NAMES)


@every_port
async def test_a_felt_link_shoe(make: Callable[[Path], Port], tmp_path: Path) -> None:
    found = await verdicts(shoe(make(tmp_path), SHOE_KINDS["felt-link"]), "felt-link-shoe", Allowed())
    assert found[Verdict.NOT_APPLICABLE] == MOVING | COMMANDED
    assert found[Verdict.PASSED] == set(NAMES) - MOVING - COMMANDED


async def test_a_pad_of_keys() -> None:
    found = await verdicts(ButtonsRig(PadSettings(), TcpPort(free_port())), "felt-link-buttons", Allowed())
    assert found[Verdict.NOT_APPLICABLE] == MOVING | COMMANDED
    assert found[Verdict.PASSED] == set(NAMES) - MOVING - COMMANDED


@every_port
@pytest.mark.parametrize("kind", LISTENED_TO, ids=lambda kind: kind.protocol)
async def test_a_shoe_that_is_only_listened_to_gets_not_one_byte(
    kind: ShoeKind, make: Callable[[Path], Port], tmp_path: Path
) -> None:
    rig = shoe(make(tmp_path), kind)
    heard = listened_to(rig)
    found = await verdicts(rig, kind.profile, Allowed(moves=True))
    assert found[Verdict.PASSED] == OF_A_LISTENER
    assert found[Verdict.NOT_APPLICABLE] == set(NAMES) - OF_A_LISTENER
    assert heard == b""


async def test_a_bet_sensor_is_asked_for_a_chip(tmp_path: Path) -> None:
    found = await verdicts(StakesRig(SensorSettings(), PtyPort(tmp_path / "tty")), "felt-link-stakes", Allowed())
    assert found[Verdict.FAILED] == found[Verdict.LEFT_OUT] == set()
    assert found[Verdict.NOT_APPLICABLE] == MOVING | COMMANDED


async def test_an_input_box_may_be_asked_and_is_not_said_to_be_written_to() -> None:
    settings = ShufflerSettings(counts=False, reads_faces=False, observed=True)
    box = ShufflerRig(settings, TcpPort(free_port(), clients_max=1), wired=ContactsEnd())
    found = await verdicts(box, "contacts-packets", Allowed())
    assert found[Verdict.FAILED] == set()
    assert checks.LINE in found[Verdict.PASSED]


async def test_doctor_asks_a_box_nothing_and_does_not_call_it_silent() -> None:
    box = ShufflerRig(ShufflerSettings(observed=True), TcpPort(free_port(), clients_max=1), wired=ContactsEnd())
    await box.start()
    try:
        found = await check_device(settings_of(box, "contacts-packets"))
    finally:
        await box.stop()
    assert found.verdict is doctor.Verdict.OK
