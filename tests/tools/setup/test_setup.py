"""`feltd setup` as a technician answers it, up to a table that runs with its device."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from daemon.config.load import load
from daemon.config.people import Role, load_people
from daemon.errors import ExitStatus
from daemon.tools.setup.command import _create_journal
from daemon.tools.setup.found import FoundDevice, listen_to, serial_addresses
from drivers.addresses import SerialAddress
from drivers.profiles import PROFILES
from sim_hardware.pace import Pace
from sim_hardware.ports import PtyPort
from sim_hardware.shuffler_rig import ShufflerRig
from sim_hardware.shuffler_settings import ShufflerSettings
from tests.sim_hardware.files import names_in
from tests.sim_hardware.free_port import free_port
from tests.support.certificates import certificates
from tests.support.mosquitto import mosquitto
from tests.tools.bench.running import FELTD

PEOPLE = ["", "ana-diaz"]
"""The dealer's user as it is proposed, and a supervisor."""


async def set_up(directory: Path, *answers: str, name: str = "t7") -> tuple[int, str]:
    """Answer the questions in order; the files go into a directory of the test."""
    files = ("--file", str(directory / f"{name}.toml"), "--journal", str(directory / f"j-{name}" / "journal.db"))
    locale = {**os.environ, "LC_ALL": "C.UTF-8"}
    process = await asyncio.create_subprocess_exec(
        str(FELTD),
        "setup",
        *files,
        stdin=-1,
        stdout=-1,
        stderr=asyncio.subprocess.STDOUT,
        env=locale,
        umask=0o077,
    )
    lines = "".join(f"{line}\n" for line in answers).encode(errors="surrogateescape")
    told, _ = await asyncio.wait_for(process.communicate(lines), 120)
    assert process.returncode is not None
    return process.returncode, told.decode()


@asynccontextmanager
async def shuffler(directory: Path, **able: bool) -> AsyncIterator[ShufflerRig]:
    rig = ShufflerRig(ShufflerSettings(pace=Pace(0), **able), PtyPort(directory / "tty"))  # type: ignore[arg-type]
    await rig.start()
    try:
        yield rig
    finally:
        await rig.stop()


def ports_are_listed() -> list[str]:
    """The answer to whether the machine's own ports shall be listened to, where it has some."""
    return ["n"] if serial_addresses() else []


async def test_a_technician_has_a_table_that_runs_with_its_device(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    with mosquitto(tmp_path / "broker") as broker:
        async with shuffler(tmp_path) as rig:
            table = ["harbour", "table7", "big-50", "", "300"]
            answers = [*table, *ports_are_listed(), rig.address, "localhost", "n", str(broker.port), "", *PEOPLE]
            _, told = await set_up(tmp_path, *answers)
            assert "It can deal big-50 as felt-link-shuffler-faces" in told
            assert "ok       device             shuffler: FeltSim SD-1, serial number SIM-0001" in told
            assert "A start would continue on it." in told
            config = load(tmp_path / "t7.toml")
            assert (config.table.site, config.table.table, config.table.seats) == ("harbour", "table7", 6)
            assert config.devices[0].serial == "SIM-0001"
            assert "names no file of people" not in told
            run = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "daemon", "run", "--config", str(tmp_path / "t7.toml"), stdout=-1
            )
            assert run.stdout is not None
            async with asyncio.timeout(120):
                while json.loads(await run.stdout.readline())["event"] != "device-up":
                    pass
            run.terminate()
            assert await run.wait() == 0


async def test_the_authority_that_lies_beside_the_file_is_proposed(tmp_path: Path) -> None:
    """The guide puts it there. With the machine's own authorities the broker would not be believed."""
    certificates(tmp_path).authority.rename(tmp_path / "ca.pem")
    table = ["harbour", "t", "big-50", "", "", *ports_are_listed(), "usb:1209:0001", "felt-link-shuffler-faces"]
    await set_up(tmp_path, *table, "localhost", "y", str(free_port()), "", "", *PEOPLE)
    tls = load(tmp_path / "t7.toml").mqtt.tls
    assert tls is not None
    assert tls.ca_file == tmp_path / "ca.pem"


async def test_wrong_answers_are_asked_again_and_a_broker_s_password_gets_a_file_of_its_own(tmp_path: Path) -> None:
    table = ["Harbour!", "harbour", "t", "no-game", "bad-beat-blackjack", "99", "7", ""]
    device = [*ports_are_listed(), "COM3", "tcp:10.255.255.1:4001", "felt-link-shuffler-faces", "bee-tek-manual"]
    (tmp_path / "text").write_text("x")
    authority = certificates(tmp_path).authority
    in_latin_1 = "\udce9"  # as a terminal of another encoding sends it
    hosts = [f"caf{in_latin_1}", "10.0.0.400", "localhost"]
    broker = [*hosts, "y", str(free_port()), str(tmp_path / "text"), str(authority), f"table{in_latin_1}", "table7"]
    broker += [f"secret{in_latin_1}", "secret\x07", "secret"]
    people = ["table7", "metrics", "page", "t-display", "Ana", "table7-dealer", ""]
    status, told = await set_up(tmp_path, *table, *device, *broker, *people)
    assert told.count("is a user already") == 4
    assert told.count("Error: 1 to 32 of a-z") == 2
    assert "Error: 'no-game' is not one of" in told
    assert "Error: 'COM3'" in told
    assert told.count("set the terminal to UTF-8") == 4
    assert 'Error: "10.0.0.400"; allowed: a name or an address' in told
    assert "Error: 'felt-link-shuffler-faces' is not one of 'angel-eye-iiex'" in told
    assert "which holds neither a certificate nor a key" in told
    password = tmp_path / "t7.password"
    assert (password.read_text(), password.stat().st_mode & 0o777) == ("secret\n", 0o640)
    assert "secret" not in told
    assert status == ExitStatus.UNAVAILABLE
    assert f"feltd doctor --config {tmp_path / 't7.toml'}" in told


OF_ANY_DEVICE = [*ports_are_listed(), "usb:1209:0001", "felt-link-shuffler-faces", "localhost", "n"]


async def test_the_people_of_a_second_table_are_added_to_the_file_of_the_first(tmp_path: Path) -> None:
    """The file keeps what people wrote into it, and both tables read it."""
    closed = str(free_port())
    await set_up(tmp_path, "harbour", "table7", "", "", "", *OF_ANY_DEVICE, closed, "", *PEOPLE)
    site = tmp_path / "people.toml"
    site.write_text(f"{site.read_text()}# ours\n", encoding="utf-8")
    site.rename(tmp_path / "everybody.toml")
    site.symlink_to("everybody.toml")  # as a site that keeps it elsewhere, and has more readers
    site.chmod(0o644)
    answers = ["harbour", "table8", "", "", "", *OF_ANY_DEVICE, closed, "second", "a password", ""]
    _, told = await set_up(tmp_path, *answers, name="t8")
    people = load_people(site)
    assert {name: table.user for name, table in people.tables.items()} == {"table7": "table7", "table8": "second"}
    assert {user: (person.role.value, person.tables) for user, person in people.people.items()} == {
        "table7-dealer": ("dealer", ("table7",)),
        "ana-diaz": ("supervisor", ("*",)),
        "metrics": ("display", ("*",)),
        "page": ("collector", ("*",)),
        "table7-display": ("display", ("table7",)),
        "table8-dealer": ("dealer", ("table8",)),
        "table8-display": ("display", ("table8",)),
    }
    assert "# ours\n" in site.read_text()
    assert (site.readlink(), site.stat().st_mode & 0o777) == (Path("everybody.toml"), 0o644)
    assert f"feltd access --broker mosquitto --out /etc/mosquitto/feltd.acl {site}" in told
    own = "second, ana-diaz, metrics, page, table8-dealer, table8-display"
    assert f"Give each of these users a password at the broker: {own}. " in told
    for name in ("t7", "t8"):
        load(tmp_path / f"{name}.toml")
    _, told = await set_up(tmp_path, "harbour", "table7", "", "", "", *OF_ANY_DEVICE, closed, "", name="t9")
    assert f"{site} has the users of this table" in told
    assert "User at the broker (empty: none; the file of people says table7)" in told


async def test_a_supervisor_is_asked_for_as_long_as_the_site_has_none(tmp_path: Path) -> None:
    """With the next table, and doctor says it at the end of the first."""
    answers = [*OF_ANY_DEVICE, str(free_port()), ""]
    _, told = await set_up(tmp_path, "harbour", "table7", "", "", "", *answers, "", "")
    assert "names no supervisor of table7" in told
    _, told = await set_up(tmp_path, "harbour", "table8", "", "", "", *answers, "", "ana-diaz", name="t8")
    assert "names no supervisor" not in told
    assert load_people(tmp_path / "people.toml").people["ana-diaz"].role is Role.SUPERVISOR


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('site = "pier"\n[tables]\n', "setup.other-site"),
        ('site = "harbour\n', "config.invalid"),
        ('site = "harbour"\ntables = {table1 = {user = "table1"}}\n', "setup.people-by-hand"),
    ],
)
async def test_a_file_of_people_that_cannot_be_this_table_s_stops_it_before_anything_is_written(
    tmp_path: Path, text: str, code: str
) -> None:
    (tmp_path / "people.toml").write_text(text)
    (tmp_path / "people.toml").chmod(0o640)
    answers = ["harbour", "table7", "", "", "", *OF_ANY_DEVICE, str(free_port()), "", "", ""]
    status, told = await set_up(tmp_path, *answers)
    assert status != ExitStatus.OK
    assert code in told
    assert (tmp_path / "people.toml").read_text() == text
    assert os.listdir(tmp_path) == ["people.toml"]  # noqa: PTH208  ruff takes the other for one that waits


@pytest.mark.parametrize("name", ["t7.toml", "t7.password"])
async def test_a_file_that_is_there_is_left_as_it_is(tmp_path: Path, name: str) -> None:
    """And nothing is written beside it: the next setup would find a table half made."""
    (tmp_path / name).write_text("mine")
    status, told = await set_up(tmp_path, "harbour", "t", "", "", "")
    assert status == ExitStatus.UNAVAILABLE
    assert told.endswith("[setup.file-there]\n")
    assert (tmp_path / name).read_text() == "mine"
    assert names_in(tmp_path) == [name]


async def test_a_directory_that_may_not_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, told = await set_up(tmp_path / "file", "harbour", "t", "", "", "", *ports_are_listed(), "usb:1209:0001",
                                "felt-link-shuffler-faces", "localhost", "n", "", "", *PEOPLE)  # fmt: skip
    assert status == ExitStatus.UNAVAILABLE
    assert told.endswith("[setup.not-written]\n")


@pytest.mark.parametrize(
    ("able", "profile"),
    [
        ({}, "felt-link-shuffler-faces"),
        ({"reads_faces": False}, "felt-link-shuffler-counts"),
        ({"reads_faces": False, "counts": False}, "felt-link-shuffler-blind"),
        ({"observed": True}, "felt-link-shuffler-observed-faces"),
        ({"batch": True}, "felt-link-shuffler-batch"),
    ],
)
async def test_a_device_gets_the_profile_that_promises_most_of_what_it_can(
    tmp_path: Path, able: dict[str, bool], profile: str
) -> None:
    async with shuffler(tmp_path, **able):
        (found,) = await listen_to([SerialAddress(str(tmp_path / "tty"))])
    best = found.best_of(list(PROFILES.values()))
    assert best is not None
    assert best.name == profile


async def test_what_does_not_say_who_it_is_is_shown_and_not_guessed(tmp_path: Path) -> None:
    master, slave = os.openpty()
    found = await listen_to([SerialAddress(os.ttyname(slave)), SerialAddress(str(tmp_path / "gone"))])
    os.close(master)
    os.close(slave)
    assert [one.best_of(list(PROFILES.values())) for one in found] == [None, None]
    assert found[0].says.startswith("sends nothing")
    assert found[1] == FoundDevice(f"serial:{tmp_path / 'gone'}", f"The port {tmp_path / 'gone'} does not exist.")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files to another user")
def test_root_gives_a_tables_user_no_file_that_this_user_linked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The directory of a table is its user's, who may put there what they like before setup runs again."""
    monkeypatch.setattr("daemon.tools.setup.command.SERVICE_USER", "daemon")
    secret = tmp_path / "shadow"
    secret.touch()
    table = tmp_path / "table7"
    table.mkdir()
    (table / "journal.db-link").symlink_to(secret)
    _create_journal(table / "journal.db")
    assert secret.stat().st_uid == 0
    assert (table / "journal.db").stat().st_uid != 0
