"""`feltd run` as a process, as systemd sees it: with no device, no broker, and nobody to ask."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from daemon.clock import stamp
from daemon.config.load import load
from daemon.journal.creation import create
from daemon.journal.journal import Journal
from daemon.journal.reading import JournalReader
from daemon.rules.limits import Day
from daemon.table.carry_over import CarryOver
from daemon.table.inputs import Configured
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import FELTD
from tests.journal.values import dispensed, step, tampered
from tests.sim_hardware.free_port import free_port
from tests.support.processes import gone_afterwards
from tests.support.sentences import Says

JOURNAL = "table7.journal"
WATCHDOG_S = 0.5
SOON_S = 120.0
# Python 3.14.8 knows no more of a thread that waits for another to start. It shows the C calls instead.
UNSAID_BY_3_14 = "<freed thread state>"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A new table whose shuffler is nowhere and whose broker does not answer."""
    written = tmp_path / "t.toml"
    away = f"[mqtt]\nport = {free_port()}\n"
    written.write_text(GOOD.replace("/dev/serial/by-id", str(tmp_path)) + away)
    create(tmp_path / JOURNAL)
    return written


@contextmanager
def running(file: Path, watchdog_s: float = WATCHDOG_S) -> Iterator[tuple[subprocess.Popen[str], socket.socket]]:
    """The process, and the service manager's ear."""
    address = file.with_name("notify")
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(address))
        manager.settimeout(SOON_S)
        told = {"NOTIFY_SOCKET": str(address), "WATCHDOG_USEC": str(round(watchdog_s * 1e6))}
        command = [str(FELTD), "run", "--config", str(file)]
        with gone_afterwards(
            subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | told)
        ) as process:
            try:
                yield process, manager
            finally:
                process.kill()
                address.unlink()


def heard(manager: socket.socket) -> str:
    return manager.recv(4096).decode()


def test_a_table_without_device_and_broker_is_ready_fed_and_ended_in_good_order(file: Path) -> None:
    with running(file) as (process, manager):
        assert heard(manager).startswith("READY=1\nSTATUS=")
        assert [heard(manager) for _ in range(3)] == ["WATCHDOG=1"] * 3
        process.send_signal(signal.SIGTERM)
        last = heard(manager)
        while last == "WATCHDOG=1":
            last = heard(manager)
        assert last.startswith("STOPPING=1\nSTATUS=")
        assert process.wait(SOON_S) == 0


def test_what_is_missing_is_said_and_written_down(file: Path) -> None:
    with running(file) as (process, manager):
        heard(manager)
        assert process.stdout is not None
        seen: set[str] = set()
        while not {"device-needs-technician", "broker-away"} <= seen:
            seen.add(json.loads(process.stdout.readline())["event"])
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON_S) == 0
    journal = Journal.open(file.with_name(JOURNAL), create=False)
    kinds = [fact.kind for fact in journal.facts_after(0, 100)]
    journal.close()
    assert "device-setup-failed" in kinds
    assert "alert-raised" in kinds


def until_logged(process: subprocess.Popen[str], event: str) -> dict[str, Any]:
    assert process.stdout is not None
    while (said := json.loads(process.stdout.readline()))["event"] != event:
        pass
    found: dict[str, Any] = said
    return found


def test_a_reload_takes_the_log_level_and_refuses_the_rest_by_name(file: Path) -> None:
    whole = file.read_text()
    with running(file) as (process, manager):
        heard(manager)
        file.write_text(whole + '[log]\nlevel = "debug"\n')
        process.send_signal(signal.SIGHUP)
        assert until_logged(process, "reloaded")["log_level"] == "debug"
        file.write_text(whole.replace("seats = 6", "seats = 5").replace("[mqtt]", '[mqtt]\nclient_id = "other"'))
        process.send_signal(signal.SIGHUP)
        refused = until_logged(process, "reload-refused")
        assert refused["changed"] == ["seats", "mqtt"]
        assert "Nothing of the file was taken" in refused["remedy"]
        file.write_text("[table]\nseats = ")
        process.send_signal(signal.SIGHUP)
        assert "t.toml" in until_logged(process, "reload-refused")["message"]
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON_S) == 0


def test_new_limits_end_the_table_between_rounds_and_count_from_its_next_start(file: Path) -> None:
    with running(file) as (process, manager):
        heard(manager)
        file.write_text(file.read_text().replace("authorised_most_cents = 40000", "authorised_most_cents = 30000"))
        process.send_signal(signal.SIGHUP)
        assert until_logged(process, "reloaded")["limits_changed"] is True
        assert process.wait(SOON_S) == 0


def test_a_table_that_was_killed_starts_on_its_journal_again(file: Path) -> None:
    for _ in range(2):
        with running(file) as (process, manager):
            heard(manager)
            process.kill()
            process.wait(SOON_S)
    journal = Journal.open(file.with_name(JOURNAL), create=False)
    kinds = [fact.kind for fact in journal.facts_after(0, 100)]
    journal.close()
    assert kinds.count("table-configured") == 2


def test_a_record_that_was_changed_is_an_alert_of_the_running_table(file: Path) -> None:
    with closing(Journal.open(file.with_name(JOURNAL), create=False)) as journal:
        settings = load(file).table
        journal.append(Configured(stamp(), Day(20_000), journal.id, "1", settings), step(0))
        for number in range(2, 300):
            journal.append(dispensed(number), step(0))
        journal.append(
            Configured(stamp(), Day(20_000), journal.id, "1", settings), step(0), CarryOver(settings.game, Day(20_000))
        )
    tampered(file.with_name(JOURNAL), 7, b'"Ah"', b'"As"', is_hashed_again=False)
    with running(file) as (process, manager):
        heard(manager)
        assert process.stdout is not None
        while (said := json.loads(process.stdout.readline()))["event"] != "alert" or "journal" not in said["alert"]:
            pass
        assert "record 7" in said["message"]
        assert "As" not in said["message"]


def test_a_cursor_that_was_changed_is_an_alert_of_the_running_table(file: Path) -> None:
    path = file.with_name(JOURNAL)
    with closing(Journal.open(path, create=False)) as journal:
        settings = load(file).table
        journal.append(Configured(stamp(), Day(20_000), journal.id, "1", settings), step(7))
        journal.advance("mqtt", 5)
        journal.do_upkeep()
    with closing(apsw.Connection(str(path))) as hand:
        hand.execute("UPDATE cursors SET sequence = 7")
    with running(file) as (process, manager):
        heard(manager)
        assert process.stdout is not None
        while (said := json.loads(process.stdout.readline()))["event"] != "alert" or "journal" not in said["alert"]:
            pass
        assert "cursor mqtt stands at 7, and was left at 5" in said["message"]


def test_a_table_with_a_key_signs_its_journal_at_start_and_stop(file: Path) -> None:
    key = file.with_name("key.pem")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", key], check=True, capture_output=True)
    file.write_text(file.read_text().replace("[journal]\n", f'[journal]\nkey_file = "{key}"\n'))
    with running(file) as (process, manager):
        assert "READY=1" in heard(manager)
        with closing(JournalReader.open_read_only(file.with_name(JOURNAL))) as journal:
            assert journal.last_checkpoint() == 1
        process.send_signal(signal.SIGTERM)
        assert process.wait(SOON_S) == 0
    with closing(JournalReader.open_read_only(file.with_name(JOURNAL))) as journal:
        assert journal.last_checkpoint() == journal.last_offset()


def test_a_second_daemon_on_the_same_journal_ends_with_74(file: Path) -> None:
    with running(file) as (_, manager):
        heard(manager)
        second = subprocess.run([FELTD, "run", "--config", file], capture_output=True, text=True, timeout=SOON_S)
    assert second.returncode == 74
    assert "[journal-held]" in second.stderr


def test_another_table_s_journal_is_not_gone_on_with(file: Path, says: Says) -> None:
    with running(file) as (_, manager):
        assert "READY=1" in heard(manager)
    file.write_text(file.read_text().replace('name = "7"', 'name = "8"'))
    done = subprocess.run([FELTD, "run", "--config", file], capture_output=True, text=True, timeout=SOON_S)
    assert done.returncode == 74
    says(done.stderr)
    assert "[journal-of-another-table]" in done.stderr


def test_without_a_journal_it_ends_with_74_and_begins_none(file: Path) -> None:
    """As on a disk that was not mounted: what is put there would be under the mount when it comes."""
    for left in file.parent.glob(f"{JOURNAL}*"):
        left.unlink()
    done = subprocess.run([FELTD, "run", "--config", file], capture_output=True, text=True, timeout=SOON_S)
    assert done.returncode == 74
    assert "[journal-missing]" in done.stderr
    assert "feltd create-journal" in done.stderr
    assert list(file.parent.iterdir()) == [file]


def test_at_the_watchdogs_signal_the_process_says_where_it_stands(file: Path) -> None:
    command = [str(FELTD), "run", "--config", str(file)]
    with gone_afterwards(
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while json.loads(process.stdout.readline())["event"] != "table-started":
            pass
        process.send_signal(signal.SIGABRT)
        told = process.stderr.read()
        assert process.wait(SOON_S) == -signal.SIGABRT
    assert "Fatal Python error: Aborted" in told
    assert "app.py" in told or UNSAID_BY_3_14 in told
