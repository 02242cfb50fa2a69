"""The command line: its table of commands, its exit statuses, and how little it imports to print a page."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import daemon
from daemon.cli import COMMANDS
from daemon.errors import ExitStatus
from daemon.lazy import LazyCommand
from tests.daemon.config.files import GOOD, SAFE, changed
from tests.support.sentences import Says

FELTD = Path(sys.executable).with_name("feltd")
HEAVY = {"aiohttp", "aiomqtt", "apsw", "asyncio", "msgspec", "rich", "structlog", "tomllib", "usb", "serial"}


def feltd(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([FELTD, *words], capture_output=True, text=True, timeout=180, check=False)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_each_command_is_where_the_table_says_and_its_help_begins_alike(command: LazyCommand) -> None:
    real = command.load()
    assert real.get_short_help_str(limit=200) == command.get_short_help_str(limit=200)


def test_what_is_no_command_is_not_taken_for_one(says: Says) -> None:
    with pytest.raises(TypeError) as raised:
        LazyCommand("x", "daemon.errors:exit_status", "").load()
    says(raised.value)


def test_help_lists_every_command_and_every_exit_status() -> None:
    told = feltd("--help").stdout
    assert all(f"  {command.name} " in told for command in COMMANDS)
    assert all(f"{status.value:>3}  {status.meaning}" in told for status in ExitStatus)


def test_help_imports_nothing_heavy() -> None:
    script = f"""
import sys, json
from daemon.cli import feltd
feltd(["--help"], standalone_mode=False)
print(json.dumps(sorted(set(sys.modules) & {HEAVY!r})))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=180, check=True)
    assert json.loads(done.stdout.splitlines()[-1]) == []


def test_a_misspelt_command_is_answered_with_the_nearest() -> None:
    done = feltd("chek-config", "x")
    assert done.returncode == ExitStatus.USAGE
    assert "check-config" in done.stderr


def test_the_version_is_that_of_the_package() -> None:
    done = feltd("--version")
    assert done.returncode == 0
    assert done.stdout.startswith("feltd 0.")


def test_a_good_configuration_is_called_good(tmp_path: Path, says: Says) -> None:
    file = tmp_path / "t.toml"
    file.write_text(GOOD + SAFE)
    done = feltd("check-config", file)
    assert (done.returncode, done.stderr) == (0, "")
    says(done.stdout)


def test_what_stands_behind_each_profile_is_said(tmp_path: Path, says: Says) -> None:
    file = tmp_path / "t.toml"
    file.write_text(f'{GOOD}{SAFE}\n[devices.shoe]\nprofile = "bee-tek-manual"\naddress = "serial:/dev/ttyS0"\n')
    done = feltd("check-config", file)
    assert (done.returncode, done.stderr) == (0, "")
    for line in done.stdout.splitlines()[1:]:
        says(line)


def test_a_bad_configuration_ends_with_78_and_every_problem(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(changed("seats = 6", "seats = 60\nsets = 6"))
    done = feltd("check-config", file)
    assert done.returncode == 78
    assert done.stdout == ""
    assert [line.rsplit("[")[-1] for line in done.stderr.splitlines()] == [
        "not-allowed]",
        "unknown-key]",
        "config.invalid]",
    ]


def test_the_daemon_refuses_a_bad_configuration_with_78_and_touches_nothing(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(changed("seats = 6", "seats = 60"))
    done = feltd("run", "--config", file)
    assert done.returncode == 78
    assert "table.seats: found 60" in done.stderr
    assert list(tmp_path.iterdir()) == [file]


def test_the_problems_are_there_for_programs_too(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text(changed("seats = 6", "seats = 60"))
    done = feltd("check-config", "--json", file)
    assert done.returncode == 78
    assert json.loads(done.stdout) == [
        {
            "code": "not-allowed",
            "file": str(file),
            "line": 4,
            "key": "table.seats",
            "found": "60",
            "allowed": "a whole number from 1 to 20",
            "nearest": None,
            "remedy": "Write one of the values that are named.",
        }
    ]
    file.write_text(GOOD)
    assert json.loads(feltd("check-config", "--json", file).stdout) == []


def copy_of_our_package(directory: Path) -> Path:
    """The package as an installer unpacks it, so that another one can be unpacked over it."""
    ours = Path(daemon.__file__).parent
    there = directory / "daemon"
    there.mkdir()
    for file in ours.glob("*.py"):
        (there / file.name).write_bytes(file.read_bytes())
    return there


def run_copy(directory: Path) -> subprocess.CompletedProcess[str]:
    script = "import sys; sys.path.insert(0, sys.argv.pop(1)); from daemon.cli import main; main()"
    words = [sys.executable, "-c", script, str(directory), "--help"]
    return subprocess.run(words, capture_output=True, text=True, timeout=180, check=False)


def test_our_package_alone_is_accepted(tmp_path: Path) -> None:
    copy_of_our_package(tmp_path)
    assert run_copy(tmp_path).returncode == 0


@pytest.mark.parametrize(("file", "content"), [("__init__.py", '"""Another daemon."""'), ("pidfile.py", "")])
def test_python_daemon_unpacked_over_us_is_noticed_at_the_start(tmp_path: Path, file: str, content: str) -> None:
    (copy_of_our_package(tmp_path) / file).write_text(content)
    done = run_copy(tmp_path)
    assert done.returncode == ExitStatus.UNAVAILABLE
    assert "python-daemon" in done.stderr
    assert "[setup.foreign-daemon-package]" in done.stderr


FAILURES = {
    "KeyError('x')": (70, "KeyError: x\n"),
    "errors.JournalError('journal-full', 'Full.', 'Make room.')": (74, "Full.\nMake room. [journal-full]\n"),
    "ExceptionGroup('line', [errors.OutageError('a', 'Away.', 'Wait.'), errors.JournalError('b', 'Full.', 'Act.')])": (
        74,
        "Away.\nWait. [a]\nFull.\nAct. [b]\n",
    ),
    "ExceptionGroup('line', [errors.OutageError('a', 'Away.', 'Wait.'), KeyError('x')])": (70, "KeyError: x\n"),
}


@pytest.mark.parametrize(("error", "expected"), FAILURES.items(), ids=FAILURES)
def test_whatever_nobody_caught_ends_with_its_status_and_its_remedy(error: str, expected: tuple[int, str]) -> None:
    status, told = expected
    script = f"""
from daemon import cli, errors
import click, sys
@click.command()
def fail(): raise {error}
cli.feltd.add_command(fail)
sys.argv = ["feltd", "fail"]
cli.main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == status
    assert told in done.stderr
    assert ("in fail\n" in done.stderr) is (status == 70)  # a defect is told with its trace
    assert (done.stderr == told) is (status != 70)
