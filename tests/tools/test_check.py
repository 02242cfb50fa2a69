"""`feltd check` beside a table that is played, one that was killed and one that never was, as a monitoring plugin."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.publish as publish
import pytest

from daemon.tools.check import PluginStatus, examine, report
from daemon.tools.doctor.findings import Verdict, fine
from tests.daemon.config.files import GOOD
from tests.sim_hardware.free_port import free_port
from tests.support.forked import feltd
from tests.support.mosquitto import mosquitto
from tests.tools.bench.running import benching, children, until_said

PLUGIN_LINE = re.compile(r"FELTD (OK|WARNING|CRITICAL|UNKNOWN) - [^|\n]+ \| alerts=[0-9]+ rounds=[0-9]+\n")


def checked(kept: Path) -> subprocess.CompletedProcess[str]:
    return feltd("check", "--config", kept / "feltd.toml")


def test_a_table_that_is_played_is_ok_and_a_killed_one_is_critical(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, benching("--port", str(broker.port), "--keep", str(tmp_path / "k")) as process:
        until_said(process, "place your bets")
        played = checked(tmp_path / "k")
        assert (played.returncode, played.stderr) == (PluginStatus.OK, "")
        assert played.stdout.startswith("FELTD OK - table1: running, ")
        assert PLUGIN_LINE.fullmatch(played.stdout)
        os.kill(children(process)["daemon"], signal.SIGKILL)
        process.wait(60)
        killed = checked(tmp_path / "k")
        assert killed.returncode == PluginStatus.CRITICAL
        assert killed.stdout.startswith("FELTD CRITICAL - table1: the daemon is lost.")


def test_a_broker_that_is_away_or_has_never_heard_of_the_table_is_critical(tmp_path: Path) -> None:
    (tmp_path / "broker").mkdir()
    file = tmp_path / "t.toml"
    file.write_text(f"{GOOD}[mqtt]\nport = {free_port()}\n")
    away = feltd("check", "--config", file)
    assert away.returncode == PluginStatus.CRITICAL
    assert "[broker]" in away.stdout
    with mosquitto(tmp_path / "broker") as broker:
        file.write_text(f"{GOOD}[mqtt]\nport = {broker.port}\n")
        unheard = feltd("check", "--config", file, "--timeout", "0.5")
    assert unheard.returncode == PluginStatus.CRITICAL
    assert "this table has published nothing" in unheard.stdout


@contextmanager
def hanging_up() -> Iterator[int]:
    """The port of a broker that takes two subscriptions and then closes the connection."""

    def serve() -> None:
        visitor, _ = server.accept()
        with visitor:
            visitor.recv(4096)
            visitor.sendall(bytes((0x20, 3, 0, 0, 0)))
            for _ in range(2):
                asked = visitor.recv(4096)
                visitor.sendall(bytes((0x90, 4, *asked[2:4], 0, 1)))

    port = free_port()
    with socket.create_server(("127.0.0.1", port)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        yield port
        thread.join()


def test_a_broker_that_ends_the_connection_while_it_is_read_is_critical(tmp_path: Path) -> None:
    """As one does for whose user another program logs in: it was a traceback with a status that no plugin has."""
    file = tmp_path / "t.toml"
    with hanging_up() as port:
        file.write_text(f"{GOOD}[mqtt]\nport = {port}\n")
        ended = feltd("check", "--config", file)
    assert (ended.returncode, ended.stderr) == (PluginStatus.CRITICAL, "")
    assert "[broker]" in ended.stdout


def test_nonsense_that_is_retained_is_critical_and_ends_nothing(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        file = tmp_path / "t.toml"
        file.write_text(f"{GOOD}[mqtt]\nport = {broker.port}\n")
        half = b'{"status": "running"}'
        for payload in (b"{", b"[]", b"[" * 100_000, half, b'{"status": "running", "problems": [5]}'):
            for topic in ("status", "state"):
                where = f"felt/v1/harbour/7/{topic}"
                publish.single(where, payload, qos=1, retain=True, hostname="127.0.0.1", port=broker.port)
            run = feltd("check", "--config", file)
            assert (run.returncode, run.stderr) == (PluginStatus.CRITICAL, ""), payload


def test_a_file_that_cannot_be_used_is_unknown(tmp_path: Path) -> None:
    run = feltd("check", "--config", tmp_path / "none.toml")
    assert (run.returncode, run.stderr) == (PluginStatus.UNKNOWN, "")
    assert run.stdout.startswith("FELTD UNKNOWN - ")


RUNNING: dict[str, Any] = {"status": "running", "problems": []}
TABLE: dict[str, Any] = {"alerts": [], "devices": [], "phase": "betting", "round_number": 7}
ALERT = {"alert": "verify-x", "message": "verify", "remedy": "check it", "blocks_play": False, "device": None}
PROBLEM = {"code": "event-refused", "message": "Refused.", "remedy": "Allow it."}


@pytest.mark.parametrize(
    ("status", "table", "check"),
    [
        (RUNNING | {"problems": [PROBLEM]}, TABLE, "event-refused"),
        (RUNNING, TABLE | {"alerts": [ALERT]}, "verify-x"),
        (RUNNING, TABLE | {"devices": [{"device": "pad", "presence": "stale"}]}, "device"),
        (RUNNING, TABLE | {"phase": "interrupted"}, "phase"),
    ],
)
def test_what_a_person_should_see_to_but_play_goes_on_is_a_warning(
    status: dict[str, Any], table: dict[str, Any], check: str
) -> None:
    _, findings = examine(json.dumps(status).encode(), json.dumps({"table": table}).encode())
    (found,) = (one for one in findings if one.verdict is not Verdict.OK)
    assert (found.verdict, found.check) == (Verdict.WARNING, check)


ODD: tuple[Any, ...] = (None, True, 5, 1.5, 10**400, "", "a|b\n\x1b[2J", [], {}, [5], [[]], {"a": 5}, {"table": 5})


def everything_odd(document: dict[Any, Any] | list[Any]) -> Iterator[Any]:
    """Yield the document with each of its values, at any depth, changed to each odd one, and without it."""
    yield from ODD
    for key, value in document.items() if isinstance(document, dict) else enumerate(document):
        if isinstance(document, dict):
            yield {name: item for name, item in document.items() if name != key}
        for odd in everything_odd(value) if isinstance(value, dict | list) else ODD:
            changed = document.copy()
            changed[key] = odd
            yield changed


def test_whatever_is_retained_the_plugin_has_its_line_and_its_figures() -> None:
    """A number in the place of a text was a traceback with a status that no plugin has, and a text a figure."""
    device = {"device": "pad", "presence": "stale"}
    status, state = RUNNING | {"problems": [PROBLEM]}, {"table": TABLE | {"alerts": [ALERT], "devices": [device]}}
    pairs = [(odd, state) for odd in everything_odd(status)] + [(status, odd) for odd in everything_odd(state)]
    for pair in pairs:
        known, findings = examine(*(json.dumps(one).encode() for one in pair))
        first, *others = report("t", PluginStatus.CRITICAL, findings, known).splitlines()
        assert re.fullmatch(r"FELTD CRITICAL - [^|]+ \| alerts=[0-9]+ rounds=[0-9]+", first), pair
        assert all(re.fullmatch(r"(WARNING|CRITICAL): [^|]*", line) for line in others), pair
        assert "".join((first, *others)).isprintable()


def test_an_alert_that_blocks_play_is_critical_and_stands_first_with_its_remedy() -> None:
    table = TABLE | {"alerts": [ALERT, ALERT | {"alert": "jam-shuffler", "message": "jam", "blocks_play": True}]}
    state, findings = examine(json.dumps(RUNNING).encode(), json.dumps({"table": table}).encode())
    told = report("t", PluginStatus.CRITICAL, findings, state).splitlines()
    assert told == [
        "FELTD CRITICAL - t: jam. (and 1 more) | alerts=2 rounds=7",
        "CRITICAL: jam. check it. [jam-shuffler]",
        "WARNING: verify. check it. [verify-x]",
    ]


def test_words_of_a_device_cannot_end_the_line() -> None:
    told = report("t", PluginStatus.OK, [fine("device", "x", "a|b\nc")], None)
    assert told == "FELTD OK - t: a/b c | alerts=0 rounds=0"


def test_words_of_a_broker_move_nothing_on_a_terminal() -> None:
    told = report("t", PluginStatus.OK, [fine("device", "x", "a\x1b]0;b\x07\x9b2Jc\u202ed\U000e0001")], None)
    assert told == r"FELTD OK - t: a\u001b]0;b\u0007\u009b2Jc\u202ed\udb40\udc01 | alerts=0 rounds=0"


def test_the_tables_own_user_is_left_to_the_table(tmp_path: Path) -> None:
    """Where a user has one connection, a check every minute would end the table's every minute."""
    file = tmp_path / "t.toml"
    with mosquitto(tmp_path) as broker:
        file.write_text(f'{GOOD}[mqtt]\nport = {broker.port}\nusername = "table7"\n')
        refused = feltd("check", "--config", file)
        assert refused.returncode == PluginStatus.UNKNOWN
        assert "as table7" in refused.stdout
        looked = feltd("check", "--config", file, "--user", "table7-display")
        assert "this table has published nothing" in looked.stdout
