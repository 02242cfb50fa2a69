"""Sound devices on a real tty and behind a device server: every check that there is for them passes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from daemon.tools.selftest import asking, checks
from daemon.tools.selftest.checks import NAMES, Verdict
from daemon.tools.selftest.examination import Allowed
from sim_hardware.buttons import PadSettings
from sim_hardware.buttons_rig import ButtonsRig
from sim_hardware.ports import Port, PtyPort, TcpPort
from sim_hardware.shoe_kinds import SHOE_KINDS, ShoeKind
from tests.sim_hardware.free_port import free_port
from tests.tools.selftest.machines import (
    LISTENED_TO,
    SHUFFLER,
    Rig,
    examined,
    hands_on,
    listened_to,
    names_of,
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
