"""Whether the unit of a broker on this machine bounds its memory, and what doctor says where it cannot see that."""

from __future__ import annotations

from pathlib import Path

import pytest

from daemon.mqtt.settings import MqttSettings
from daemon.tools.doctor.broker_memory import UNITS, check_memory
from daemon.tools.doctor.findings import Finding, Verdict

HERE = MqttSettings(host="127.0.0.1")
MOSQUITTO, NATS, _ = UNITS


def shown(unit: str, most: str = "infinity", *, active: str = "active", restart: str = "on-failure") -> str:
    return f"Id={unit}\nActiveState={active}\nMemoryMax={most}\nRestart={restart}\n"


async def found(
    directory: Path, monkeypatch: pytest.MonkeyPatch, *units: str, settings: MqttSettings = HERE, status: int = 0
) -> list[Finding]:
    """Return doctor's findings where systemctl shows these units."""
    (directory / "said").write_text("\n".join(units))
    systemctl = directory / "systemctl"
    systemctl.write_text(f'#!/bin/sh\n[ "$1" = show ] && cat {directory}/said\nexit {status}\n')
    systemctl.chmod(0o755)
    monkeypatch.setattr("shutil.which", lambda _: str(systemctl))
    return await check_memory(settings)


@pytest.mark.parametrize("unit", UNITS)
async def test_a_unit_without_a_bound_is_a_warning_that_names_its_drop_in(
    unit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [shown(other, active="inactive") for other in UNITS if other != unit]
    (one,) = await found(tmp_path, monkeypatch, shown(unit), *others)
    assert (one.check, one.subject, one.verdict) == ("broker-memory", unit, Verdict.WARNING)
    assert f"/etc/systemd/system/{unit}.d/feltd.conf" in one.remedy


@pytest.mark.parametrize(("restart", "verdict"), [("always", Verdict.OK), ("no", Verdict.WARNING)])
async def test_a_bound_is_fine_if_the_broker_comes_back(
    restart: str, verdict: Verdict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bounded = shown(NATS, "2147483648", restart=restart)
    (one,) = await found(tmp_path, monkeypatch, shown(MOSQUITTO, active="inactive"), bounded)
    assert (one.subject, one.verdict) == (NATS, verdict)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
async def test_a_broker_on_this_machine_is_known_as_one(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = await found(tmp_path, monkeypatch, shown(MOSQUITTO), settings=MqttSettings(host=host))
    assert one.verdict is Verdict.WARNING


@pytest.mark.parametrize("host", ["192.0.2.1", "no-such-host.invalid", "."])
async def test_of_a_broker_elsewhere_no_unit_of_this_machine_is_named(
    host: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = await found(tmp_path, monkeypatch, shown(MOSQUITTO), settings=MqttSettings(host=host))
    assert (one.subject, one.verdict) == (f"{host}:{MqttSettings().port}", Verdict.OK)
    assert "only there" in one.said


@pytest.mark.parametrize("units", [(), (shown(MOSQUITTO, active="inactive"),), ("nonsense",), ("Id=x\n=\n\n\n",)])
@pytest.mark.parametrize("status", [0, 1])
async def test_where_no_unit_is_seen_that_is_said_and_nothing_fails(
    units: tuple[str, ...], status: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (one,) = await found(tmp_path, monkeypatch, *units, status=status)
    assert one.verdict is Verdict.OK
    assert "no bound of its memory was looked for" in one.said


async def test_a_machine_without_systemd_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda _: None)
    (one,) = await check_memory(HERE)
    assert one.verdict is Verdict.OK
