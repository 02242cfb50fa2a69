"""`feltd doctor` on a machine on which the table's daemon runs, or something that could be taken for it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
from pathlib import Path

import pytest

from daemon.journal.journal import Journal
from drivers.transports.holders import holders
from tests.daemon.config.files import GOOD, changed
from tests.daemon.test_cli import feltd
from tests.sim_hardware.free_port import free_port
from tests.support.processes import gone_afterwards

ELSEWHERE = """mount -t tmpfs elsewhere "$0" && exec 3>"$0/port" && echo there && exec sleep infinity"""


@pytest.mark.skipif(os.geteuid() != 0, reason="only as root a process has mounts of its own")
def test_a_process_that_has_the_same_path_in_a_container_open_is_not_named(tmp_path: Path) -> None:
    (port := tmp_path / "port").touch()
    command: list[str | Path] = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ELSEWHERE, tmp_path]
    with gone_afterwards(subprocess.Popen(command, stdout=subprocess.PIPE)) as held:
        assert held.stdout is not None
        if held.stdout.readline() != b"there\n":
            pytest.skip("this machine lets root mount nothing")
        # Seen from a root of our own, the other's path begins above that root.
        assert str(Path(f"/proc/{held.pid}/fd/3").readlink()).endswith(str(port))
        assert holders(port) == ()


def test_a_device_server_is_left_to_the_table_s_running_daemon(tmp_path: Path) -> None:
    """It would drop the daemon's connection for ours."""
    file, journal = tmp_path / "t.toml", Journal.open(tmp_path / "table7.journal", create=True)
    with socket.create_server(("127.0.0.1", free_port())) as server:
        address = f"tcp:127.0.0.1:{server.getsockname()[1]}"
        file.write_text(changed("serial:/dev/serial/by-id/usb-shuffler", address) + f"[mqtt]\nport = {free_port()}\n")
        beside = json.loads(feltd("doctor", "--config", file, "--json").stdout)
        server.setblocking(False)
        with pytest.raises(BlockingIOError):
            server.accept()
        journal.close()
        feltd("doctor", "--config", file, "--json")
        server.accept()[0].close()
    (device,) = (found for found in beside if found["check"] == "device")
    assert device["verdict"] == "ok"
    assert f"left to the running daemon, process {os.getpid()}" in device["said"]


@pytest.mark.parametrize(("is_there", "verdict"), [(True, "ok"), (False, "problem")], ids=["there", "away"])
def test_a_login_is_left_to_the_running_daemon_of_the_same_user(is_there: bool, verdict: str, tmp_path: Path) -> None:
    """Where a user has one connection, doctor's would end the daemon's. Whether a broker is there at all is said."""
    file, journal = tmp_path / "t.toml", Journal.open(tmp_path / "table7.journal", create=True)
    with socket.create_server(("127.0.0.1", free_port())) as server:
        port = server.getsockname()[1]
        file.write_text(f'{GOOD}[mqtt]\nport = {port}\nusername = "table7"\n')
        if not is_there:
            server.close()
        done = feltd("doctor", "--config", file, "--json")
        journal.close()
        if is_there:
            caller, _ = server.accept()
            with caller:
                assert caller.recv(1) == b""
    beside = {found["check"]: found for found in json.loads(done.stdout)}
    assert beside["broker"]["verdict"] == verdict
    assert beside["people"]["verdict"] == "warning"


def test_a_proof_that_was_asked_for_and_not_made_is_a_problem(tmp_path: Path) -> None:
    """Beside a running daemon the table's login is not free: all said "ok", and the status was 0."""
    file, secret = tmp_path / "t.toml", tmp_path / "ana"
    secret.write_text("secret")
    journal = Journal.open(tmp_path / "table7.journal", create=True)
    with socket.create_server(("127.0.0.1", free_port())) as server:
        file.write_text(f'{GOOD}[mqtt]\nport = {server.getsockname()[1]}\nusername = "table7"\n')
        done = feltd("doctor", "--config", file, "--as-user", "ana-diaz", "--as-password-file", secret, "--json")
    journal.close()
    (identity,) = (found for found in json.loads(done.stdout) if found["check"] == "identity")
    assert identity["verdict"] == "problem"
    assert f"process {os.getpid()}" in identity["said"]
    assert done.returncode == 69


@pytest.mark.parametrize(("tables", "verdicts"), [('["*"]', []), ('["7"]', []), ('["8"]', ["warning"])])
def test_a_table_without_a_supervisor_is_a_warning(tables: str, verdicts: list[str], tmp_path: Path) -> None:
    """Nobody could rule on a round that stands still, and `feltd setup` lets a technician leave the question open."""
    file, people = tmp_path / "t.toml", tmp_path / "people.toml"
    file.write_text(f'{GOOD}[mqtt]\nport = {free_port()}\n[people]\nfile = "people.toml"\n')
    named = 'site = "harbour"\n[tables]\n7 = { user = "t7" }\n8 = { user = "t8" }\n[people.ana]\n'
    people.write_text(f'{named}role = "supervisor"\ntables = {tables}\n')
    found = json.loads(feltd("doctor", "--config", file, "--json").stdout)
    assert [each["verdict"] for each in found if each["check"] == "people"] == verdicts
