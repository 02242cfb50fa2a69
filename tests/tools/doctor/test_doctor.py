"""`feltd doctor` against real things: ttys and who holds them, Mosquitto with access lists, a tmpfs, journals."""

from __future__ import annotations

import asyncio
import grp
import json
import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from daemon.journal.journal import Journal
from daemon.mqtt.settings import MqttVersion, TlsSettings
from daemon.mqtt.topics import Topics
from daemon.tools.doctor.account import Account, account
from daemon.tools.doctor.broker import check_broker
from daemon.tools.doctor.devices import check_device, check_ports_differ
from daemon.tools.doctor.findings import Finding, Verdict
from daemon.tools.doctor.machine import check_clock, check_journal, clock_status, filesystem
from daemon.tools.doctor.ports import access, check_port, check_rules, ports
from drivers.addresses import SerialAddress, TcpAddress
from drivers.events import DeviceName
from drivers.profile import DeviceSettings
from drivers.profiles import PROFILES
from drivers.transports.holders import holders
from protocols.felt_link.messages import WireCommand
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import feltd
from tests.mqtt.conftest import reach
from tests.sim_hardware.free_port import free_port
from tests.support.certificates import certificates
from tests.support.mosquitto import Mosquitto, mosquitto
from tests.support.sentences import Says
from tests.table.playing import SETTINGS

TOPICS = Topics("harbour", "7")
UNSYNCHRONISED = 0x40


@pytest.fixture
def tty_pair() -> Iterator[tuple[int, Path]]:
    master, slave = os.openpty()
    yield master, Path(os.ttyname(slave))
    os.close(slave)
    os.close(master)


def only(findings: list[Finding] | Iterator[Finding], check: str) -> Finding:
    (found,) = [finding for finding in findings if finding.check == check]
    return found


def device(path: Path | str, profile: str = "felt-link-shuffler-faces", serial: str | None = None) -> DeviceSettings:
    return DeviceSettings(DeviceName("shuffler"), SerialAddress(str(path)), PROFILES[profile], serial)


# Ports.


def test_ports_go_by_their_lasting_names_first(tmp_path: Path) -> None:
    for name in ("ttyUSB0", "ttyACM1"):
        (tmp_path / name).touch()
    for folder in ("by-id", "by-path"):
        (tmp_path / "serial" / folder).mkdir(parents=True)
        (tmp_path / "serial" / folder / f"x-{folder}").symlink_to(tmp_path / "ttyUSB0")
    found = ports(tmp_path, sys=tmp_path)
    assert [name.name for name in found[tmp_path / "ttyUSB0"]] == ["x-by-id", "x-by-path"]
    assert found[tmp_path / "ttyACM1"] == ()


def test_the_process_that_has_a_port_open_is_named(tty_pair: tuple[int, Path]) -> None:
    _, tty = tty_pair
    script = f"import sys; f = open({str(tty)!r}); print('open', flush=True); sys.stdin.read()"
    held = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with held:
        assert held.stdout is not None
        held.stdout.readline()
        assert held.pid in [holder.pid for holder in holders(tty)]
        assert f"process {held.pid} (python" in only(check_port(tty, ()), "port").said
    assert held.pid not in [holder.pid for holder in holders(tty)]


def test_a_process_whose_name_is_no_text_is_named_all_the_same(tty_pair: tuple[int, Path]) -> None:
    """Its own choice of bytes, or a name in UTF-8 that the kernel cut in the middle of a letter, ended doctor."""
    _, tty = tty_pair
    name = "open('/proc/self/comm', 'wb').write(b'gr\\xfc\\x1b[2J')"
    script = f"import sys; f = open({str(tty)!r}); {name}; print('open', flush=True); sys.stdin.read()"
    held = subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with held:
        assert held.stdout is not None
        held.stdout.readline()
        assert f"process {held.pid} (gr\\xfc" in only(check_port(tty, ()), "port").said


def test_a_port_that_we_may_open_is_fine_and_a_file_is_no_port(tty_pair: tuple[int, Path], tmp_path: Path) -> None:
    assert only(check_port(tty_pair[1], ()), "access").verdict is Verdict.OK
    (tmp_path / "file").touch()
    assert only(check_port(tmp_path / "file", ()), "port").verdict is Verdict.PROBLEM


def test_a_port_that_we_may_not_open_says_which_group_or_rule_is_missing(says: Says) -> None:
    dialout = grp.getgrnam("dialout").gr_gid
    of_a_group = access("p", _entry(0o20660, dialout), "dealer", may=False)
    of_root_alone = access("p", _entry(0o20600, 0), "dealer", may=False)
    assert of_a_group.verdict is of_root_alone.verdict is Verdict.PROBLEM
    says(of_a_group.remedy)
    says(of_root_alone.remedy)


def _entry(mode: int, group: int) -> os.stat_result:
    return os.stat_result((mode, 0, 0, 1, 0, group, 0, 0, 0, 0))


def test_ports_of_the_board_are_listed_where_there_is_a_chip(tmp_path: Path) -> None:
    dev, sys = tmp_path / "dev", tmp_path / "sys"
    dev.mkdir()
    for name, chip in (("ttyS0", "4\n"), ("ttyS1", "0\n"), ("ttyAMA0", "32\n"), ("ttyS9", "4\n")):
        (sys / name).mkdir(parents=True)
        (sys / name / "type").write_text(chip)
    for name in ("ttyS0", "ttyS1", "ttyAMA0", "ttyUSB0", "tty1"):
        (dev / name).touch()
    assert sorted(port.name for port in ports(dev, sys=sys)) == ["ttyAMA0", "ttyS0", "ttyUSB0"]


def test_rights_follow_owner_then_group_then_others_as_the_kernel_has_it() -> None:
    feltd = Account("feltd", 998, frozenset({998, 20}))

    def may(mode: int, owner: int = 0, group: int = 0) -> bool:
        return feltd.may_open(os.stat_result((0o20000 | mode, 0, 0, 1, owner, group, 0, 0, 0, 0)))

    assert may(0o660, group=20)
    assert not may(0o660, group=5)
    assert may(0o666, group=5)
    assert not may(0o606, group=20), "a group that has no rights is not let in as one of the others"
    assert may(0o600, owner=998)
    assert not may(0o066, owner=998)
    assert not may(0o640, group=20), "to read alone is not enough"
    assert Account("root", 0, frozenset()).may_open(os.stat_result((0o20000, 0, 0, 1, 5, 5, 0, 0, 0, 0)))


def test_the_service_s_user_is_judged_by_its_own_groups(tty_pair: tuple[int, Path]) -> None:
    _, tty = tty_pair
    stranger = Account("feltd", 64_000, frozenset({64_000}))
    tty.chmod(0o660)
    refused = only(check_port(tty, (), stranger), "access")
    assert refused.verdict is Verdict.PROBLEM
    assert "feltd may not" in refused.said
    member = replace(stranger, groups=frozenset({tty.stat().st_gid}))
    assert only(check_port(tty, (), member), "access").verdict is Verdict.OK
    assert only(check_port(tty, (), stranger, is_ours=False), "access").verdict is Verdict.WARNING


def test_an_account_has_the_groups_that_a_login_gives() -> None:
    us = pwd.getpwuid(os.geteuid()).pw_name
    assert account(us).number == os.geteuid()
    assert pwd.getpwuid(os.geteuid()).pw_gid in account(us).groups


def test_a_user_that_there_is_not_is_named(says: Says) -> None:
    result = feltd("doctor", "--user", "nobody-of-that-name")
    assert result.returncode == 2
    says(result.stderr)


def test_udev_rules_are_found_or_missed(tmp_path: Path) -> None:
    assert check_rules((tmp_path,)).verdict is Verdict.WARNING
    (tmp_path / "60-feltd.rules").touch()
    assert check_rules((tmp_path,)).verdict is Verdict.OK


# Devices.


def test_one_port_under_two_names_is_a_problem(tty_pair: tuple[int, Path], tmp_path: Path) -> None:
    name = tmp_path / "by-id"
    name.symlink_to(tty_pair[1])
    pad = DeviceSettings(DeviceName("pad"), SerialAddress(str(name)), PROFILES["felt-link-buttons"])
    (found,) = check_ports_differ([device(tty_pair[1]), pad])
    assert (found.verdict, found.subject) == (Verdict.PROBLEM, "pad")
    assert f"both {tty_pair[1]}" in found.said
    assert not list(check_ports_differ([device(tty_pair[1]), device(tmp_path / "gone")]))


async def test_a_device_is_identified_without_a_byte_written(tmp_path: Path, says: Says) -> None:
    heard = bytearray()
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0)), PtyPort(tmp_path / "tty"))
    serve = rig.end.serve

    def listened(data: bytes, now_ns: int, obey: Callable[[WireCommand], str | None]) -> None:
        heard.extend(data)
        serve(data, now_ns, obey)

    rig.end.serve = listened  # type: ignore[method-assign]
    await rig.start()
    found = await check_device(device(tmp_path / "tty"))
    wrong = await check_device(device(tmp_path / "tty", serial="X"))
    await rig.stop()
    assert found.verdict is Verdict.OK
    says(found.said)
    assert wrong.verdict is Verdict.PROBLEM
    assert heard == b""


@pytest.mark.parametrize(
    ("profile", "able", "says"),
    [
        ("felt-link-shuffler-faces", {"reads_faces": False}, "lacks what felt-link-shuffler-faces promises: faces"),
        ("felt-link-shuffler-faces", {"batch": True}, "gives decks out whole"),
        ("felt-link-shoe", {}, "lacks what felt-link-shoe promises: "),
    ],
)
async def test_a_device_that_the_daemon_would_refuse_is_a_problem(
    tmp_path: Path, profile: str, able: dict[str, bool], says: str
) -> None:
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0), **able), PtyPort(tmp_path / "tty"))  # type: ignore[arg-type]
    await rig.start()
    found = await check_device(device(tmp_path / "tty", profile))
    await rig.stop()
    assert found.verdict is Verdict.PROBLEM
    assert says in found.said


async def test_a_shoe_that_is_to_tell_what_it_cannot_is_a_problem(tty_pair: tuple[int, Path]) -> None:
    found = await check_device(device(tty_pair[1], "bee-tek-manual", serial="S-1"), 0.1)
    assert found.verdict is Verdict.PROBLEM
    assert found.remedy == "Take the serial number out of the configuration."


async def test_silence_is_judged_by_what_the_device_promises(tty_pair: tuple[int, Path]) -> None:
    assert (await check_device(device(tty_pair[1]), 0.1)).verdict is Verdict.WARNING
    assert (await check_device(device(tty_pair[1], "bee-tek-manual"), 0.1)).verdict is Verdict.OK


async def test_noise_is_a_wrong_profile(tty_pair: tuple[int, Path], says: Says) -> None:
    master, tty = tty_pair
    checking = asyncio.ensure_future(check_device(device(tty), 3.0))
    while not checking.done():  # what comes before the port is opened is thrown away
        os.write(master, b"\x06noise\n")
        await asyncio.wait({checking}, timeout=0.05)
    says(checking.result().said)


async def test_a_device_that_is_not_there_is_a_problem(tmp_path: Path) -> None:
    gone = await check_device(device(tmp_path / "tty"))
    nobody = DeviceSettings(
        DeviceName("shuffler"), TcpAddress("127.0.0.1", free_port()), PROFILES["felt-link-shuffler-faces"]
    )
    for finding in (gone, await check_device(nobody)):
        assert finding.verdict is Verdict.PROBLEM
        assert finding.remedy


# Machine.


def test_the_kernel_says_how_its_clock_is() -> None:
    assert isinstance(clock_status(), int)
    assert check_clock(0).verdict is Verdict.OK
    assert check_clock(UNSYNCHRONISED).verdict is Verdict.WARNING
    assert check_clock(None).verdict is Verdict.WARNING


def test_a_journal_in_memory_is_a_problem() -> None:
    memory = Path("/dev/shm")  # noqa: S108 - every Linux has it, and it is what is meant
    assert filesystem(memory) == "tmpfs"
    assert only(check_journal(memory / "none.journal", SETTINGS), "journal-disk").verdict is Verdict.PROBLEM


def test_a_mount_at_a_name_that_is_no_text_hides_no_other(tmp_path: Path) -> None:
    """Any user who may mount with FUSE could end doctor and setup by it."""
    (tmp_path / "mounts").write_bytes(b"x /home/kim/b\xfc\r\x0c fuse rw 0 0\ny %b ext4 rw 0 0\n" % bytes(tmp_path))
    assert filesystem(tmp_path / "table7", tmp_path / "mounts") == "ext4"


def test_a_journal_is_looked_at_while_it_is_written_to(tmp_path: Path, says: Says) -> None:
    path = tmp_path / "t.journal"
    says(only(check_journal(path, SETTINGS), "journal").remedy)
    journal = Journal.open(path, create=True)
    says(only(check_journal(path, SETTINGS), "journal").said, id=journal.id)
    journal.close()
    assert only(check_journal(path, SETTINGS), "journal").verdict is Verdict.OK
    assert only(check_journal(path, SETTINGS), "journal-writing").verdict is Verdict.OK
    assert not list(tmp_path.glob(".feltd-doctor*"))


def test_a_journal_that_is_gone_damaged_or_none_is_a_problem(tmp_path: Path, says: Says) -> None:
    path = tmp_path / "t.journal"
    Journal.open(path, create=True).close()
    path.unlink()
    says(only(check_journal(path, SETTINGS), "journal").said)
    path.write_bytes(b"not a database" * 1_000)
    assert only(check_journal(path, SETTINGS), "journal").verdict is Verdict.PROBLEM
    assert only(check_journal(tmp_path / "no" / "t.journal", SETTINGS), "journal-directory").verdict is Verdict.PROBLEM


# Broker.


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    directory = tmp_path / "broker"
    directory.mkdir()
    with mosquitto(directory) as running:
        yield running


async def test_a_broker_that_acknowledges_slowly_is_a_warning(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("daemon.tools.doctor.broker.SLOW_MS", 0.0)
    (slow,) = [finding for finding in await check_broker(reach(broker.port), TOPICS) if finding.remedy]
    assert (slow.check, slow.verdict) == ("broker-speed", Verdict.WARNING)
    assert "set_tcp_nodelay" in slow.remedy


async def test_a_broker_that_lets_us_do_everything(broker: Mosquitto) -> None:
    findings = await check_broker(reach(broker.port), TOPICS)
    assert {finding.verdict for finding in findings} == {Verdict.OK}
    assert len(findings) == 11


async def test_a_topic_that_may_not_be_written_is_named(broker: Mosquitto) -> None:
    base = TOPICS.base
    broker.set_access(f"topic readwrite {base}/device/#\ntopic readwrite {base}/alert/#\ntopic read {base}/cmd/+/+\n")
    while True:
        findings = await check_broker(reach(broker.port), TOPICS)
        refused = [finding.subject for finding in findings if finding.verdict is Verdict.PROBLEM]
        if refused:  # the broker reads its list again some time after the signal
            break
    assert refused == [TOPICS.event("doctor-check"), TOPICS.reply("doctor-check")]


@pytest.mark.parametrize("is_encrypted", [True, False], ids=["TLS here, plain there", "plain here, TLS there"])
async def test_tls_on_one_side_only_is_named_as_that(is_encrypted: bool, broker: Mosquitto, tmp_path: Path) -> None:
    made = certificates(tmp_path)
    if is_encrypted:
        (plain,) = await check_broker(replace(reach(broker.port), tls=TlsSettings(ca_file=made.authority)), TOPICS)
        assert plain.remedy.startswith("This port does not speak TLS")
        return
    (tmp_path / "encrypted").mkdir()
    with mosquitto(tmp_path / "encrypted", options=(f"certfile {made.certificate}", f"keyfile {made.key}")) as running:
        (encrypted,) = await check_broker(reach(running.port), TOPICS)
    assert encrypted.remedy.startswith("This port speaks TLS")


async def test_a_broker_of_the_older_version_cannot_say(broker: Mosquitto) -> None:
    findings = await check_broker(reach(broker.port, MqttVersion.V3_1_1), TOPICS)
    assert only(findings, "broker-publish").verdict is Verdict.WARNING


async def test_a_broker_that_is_away_is_one_problem(says: Says) -> None:
    (finding,) = await check_broker(reach(free_port()), TOPICS)
    assert finding.verdict is Verdict.PROBLEM
    says(finding.remedy)


# The command.


def test_the_command_ends_with_69_for_a_problem_and_says_it_as_json(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(GOOD + f"[mqtt]\nport = {free_port()}\n")
    done = feltd("doctor", "--config", file, "--json")
    assert done.returncode == 69
    problems = {found["check"] for found in json.loads(done.stdout) if found["verdict"] == "problem"}
    assert {"device", "broker"} <= problems
    assert "PROBLEM  broker" in feltd("doctor", "--config", file).stdout


def test_without_a_file_it_looks_at_the_machine() -> None:
    checks = {found["check"] for found in json.loads(feltd("doctor", "--json").stdout)}
    assert {"clock", "udev-rules"} <= checks
