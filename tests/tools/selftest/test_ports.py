"""Sound devices on a real tty and behind a device server: every check that there is for them passes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import TypeAlias

import pytest
import pytest_asyncio

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
OF_A_KEEPER = set(NAMES) - MOVING - COMMANDED
PORTS: dict[str, Callable[[Path], Port]] = {
    "pty": lambda path: PtyPort(path / "tty"),
    "tcp": lambda _: TcpPort(free_port()),
}
every_port = pytest.mark.parametrize("make", PORTS.values(), ids=PORTS)
Verdicts: TypeAlias = dict[Verdict, set[str]]
UnderWay: TypeAlias = dict[str, asyncio.Task[Verdicts]]
pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.long]


@pytest.fixture(autouse=True, scope="module")
def one_reconnection() -> Iterator[None]:
    """On a tty each takes two seconds, until the device has missed its host. All of them are seen in virtual time."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(asking, "RECONNECTIONS", 1)
        yield


async def verdicts(rig: Rig, profile: str, allowed: Allowed) -> Verdicts:
    await rig.start()
    try:
        report = await examined(rig, profile, hands_on(rig), allowed)
    finally:
        await rig.stop()
    found = {check.name: check for check in report.checks}
    return {verdict: names_of(found, verdict) for verdict in Verdict}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def under_way(one_reconnection: None, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[UnderWay]:
    """All examinations at once: each waits up to twenty seconds for its device's own timers, and computes nothing."""
    folder = tmp_path_factory.mktemp("ports")
    input_box = ShufflerSettings(counts=False, reads_faces=False, observed=True)
    examinations = {
        "pad": verdicts(ButtonsRig(PadSettings(), TcpPort(free_port())), "felt-link-buttons", Allowed()),
        "sensor": verdicts(StakesRig(SensorSettings(), PtyPort(folder / "sensor")), "felt-link-stakes", Allowed()),
        "box": verdicts(
            ShufflerRig(input_box, TcpPort(free_port(), clients_max=1), wired=ContactsEnd()),
            "contacts-packets",
            Allowed(),
        ),
    }
    for name, make in PORTS.items():
        own = folder / name
        own.mkdir()
        (own / "shoe").mkdir()
        examinations[f"shuffler, {name}"] = verdicts(shuffler(make(own)), SHUFFLER, Allowed(moves=True))
        felt_link = shoe(make(own / "shoe"), SHOE_KINDS["felt-link"])
        examinations[f"shoe, {name}"] = verdicts(felt_link, "felt-link-shoe", Allowed())
    tasks = {name: asyncio.create_task(examination) for name, examination in examinations.items()}
    yield tasks
    for task in tasks.values():
        task.cancel()
    await asyncio.gather(*tasks.values(), return_exceptions=True)


@pytest.mark.parametrize("port", PORTS)
async def test_a_shuffler(port: str, under_way: UnderWay) -> None:
    assert (await under_way[f"shuffler, {port}"])[Verdict.PASSED] == set(NAMES)


@pytest.mark.parametrize("device", [*(f"shoe, {port}" for port in PORTS), "pad", "sensor"])
async def test_a_device_that_keeps_its_events(device: str, under_way: UnderWay) -> None:
    found = await under_way[device]
    assert found[Verdict.NOT_APPLICABLE] == MOVING | COMMANDED
    assert found[Verdict.PASSED] == OF_A_KEEPER


async def test_an_input_box_may_be_asked_and_is_not_said_to_be_written_to(under_way: UnderWay) -> None:
    found = await under_way["box"]
    assert found[Verdict.FAILED] == set()
    assert checks.LINE in found[Verdict.PASSED]


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


async def test_doctor_asks_a_box_nothing_and_does_not_call_it_silent() -> None:
    box = ShufflerRig(ShufflerSettings(observed=True), TcpPort(free_port(), clients_max=1), wired=ContactsEnd())
    await box.start()
    try:
        found = await check_device(settings_of(box, "contacts-packets"))
    finally:
        await box.stop()
    assert found.verdict is doctor.Verdict.OK
