"""`feltd bench` as a person types it: its runs, its refusals, and how it ends, also when its parts do."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
from pathlib import Path

import pytest

from daemon.errors import ExitStatus
from sim_hardware.faults import SHUFFLER_FAULTS, FaultName
from tests.sim_hardware.free_port import free_port
from tests.support.sentences import Says
from tests.tools.bench.running import FELTD, SOON_S, bench, benching, children, is_alive, line_of, until_said

ROUNDS = 10
WAYS = {
    "mosquitto": ("--broker", "mosquitto"),
    "mosquitto-3.1.1": ("--broker", "mosquitto", "--mqtt", "3.1.1"),
    "built-in": ("--broker", "built-in"),
}


def results(run: subprocess.CompletedProcess[str]) -> str:
    found = re.search(r"results ([0-9a-f]{16})", run.stdout)
    assert found is not None, run.stdout + run.stderr
    return found[1]


@pytest.fixture(scope="module")
def first_run() -> subprocess.CompletedProcess[str]:
    """The command of the README, with fewer rounds."""
    return bench("--rounds", str(ROUNDS), "--fast", "--seed", "7")


def test_a_fast_run_sums_up_what_was_heard(first_run: subprocess.CompletedProcess[str]) -> None:
    assert first_run.returncode == ExitStatus.OK, first_run.stderr
    assert re.search(r"^rounds    10 in [0-9.]+ s \([0-9.]+ a second\), 0 void$", first_run.stdout, re.MULTILINE)
    assert line_of(first_run.stdout, "money").endswith("every round balances")
    assert re.search(r"^events    [0-9]+, 0 holes, 0 repeats$", first_run.stdout, re.MULTILINE)
    assert re.search(r"^latency   p50 [0-9.]+ ms, p99 [0-9.]+ ms from the last byte", first_run.stdout, re.MULTILINE)


def test_it_says_how_to_listen(first_run: subprocess.CompletedProcess[str]) -> None:
    assert re.search(r"listen with: .*(-p|--port) [0-9]+ .*'felt/v1/bench/table1/#'", first_run.stdout)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_the_same_seed_comes_to_the_same_over_every_broker_and_version(
    way: tuple[str, ...], first_run: subprocess.CompletedProcess[str]
) -> None:
    again = bench("--rounds", str(ROUNDS), "--fast", "--seed", "7", *way)
    assert again.returncode == ExitStatus.OK, again.stderr
    assert results(again) == results(first_run)
    assert line_of(again.stdout, "money") == line_of(first_run.stdout, "money")


def test_another_seed_comes_to_something_else(first_run: subprocess.CompletedProcess[str]) -> None:
    assert results(bench("--rounds", str(ROUNDS), "--fast", "--seed", "8")) != results(first_run)


def test_the_built_in_broker_refuses_3_1_1_before_anything_starts(tmp_path: Path, says: Says) -> None:
    run = bench("--rounds", "1", "--fast", "--broker", "built-in", "--mqtt", "3.1.1", "--keep", tmp_path)
    assert run.returncode == ExitStatus.UNAVAILABLE
    assert run.stdout == ""
    says(run.stderr)
    assert run.stderr.endswith("[bench.mqtt-version]\n")
    assert list(tmp_path.iterdir()) == []


def test_a_port_without_a_broker_is_refused() -> None:
    run = bench("--rounds", "1", "--fast", "--port", str(free_port()))
    assert (run.returncode, run.stdout) == (ExitStatus.UNAVAILABLE, "")
    assert run.stderr.endswith("[bench.no-broker]\n")


def test_an_armed_fault_strikes() -> None:
    run = bench("--rounds", "3", "--fast", "--fault", FaultName.SHORT_HAND.value)
    assert run.returncode == ExitStatus.OK
    assert line_of(run.stdout, "rounds").endswith("1 void")


def test_a_void_is_shown_with_its_steps_as_the_dealer_is_told() -> None:
    run = bench("--rounds", "2", "--speed", "200", "--fault", FaultName.SHORT_HAND.value)
    assert run.returncode == ExitStatus.OK
    void = next(line for line in run.stdout.splitlines() if "dealer: Round void: " in line)
    assert "Seat 1: return " in void
    assert void.endswith("Then next.")
    shown = [run.stdout.index(words) for words in ("ROUND VOID: ", "dealer: Round void", "cleared by bench-dealer")]
    assert shown == sorted(shown)


def test_a_fault_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    run = bench("--fault", "gremlins")
    assert run.returncode == ExitStatus.USAGE
    assert all(name.value in run.stderr for name in SHUFFLER_FAULTS)


def test_what_is_kept_is_there_afterwards_and_never_played_on(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    assert bench("--rounds", "1", "--fast", "--keep", kept).returncode == ExitStatus.OK
    assert {"feltd.toml", "feltd.log", "journal.db"} <= {path.name for path in kept.iterdir()}
    again = bench("--rounds", "1", "--fast", "--keep", kept)
    assert (again.returncode, again.stdout) == (ExitStatus.UNAVAILABLE, "")
    assert again.stderr.endswith("[bench.directory-in-use]\n")


def test_a_relative_directory_is_kept_where_it_was_named(tmp_path: Path) -> None:
    command = [str(FELTD), "bench", "--rounds", "1", "--fast", "--keep", "kept"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=SOON_S, check=False, cwd=tmp_path)
    assert (run.returncode, run.stderr) == (ExitStatus.OK, "")
    assert (tmp_path / "kept" / "journal.db").exists()


def test_a_directory_that_cannot_be_made_is_named(tmp_path: Path, says: Says) -> None:
    (tmp_path / "file").touch()
    run = bench("--rounds", "1", "--fast", "--keep", tmp_path / "file" / "kept")
    assert run.returncode == ExitStatus.UNAVAILABLE
    says(run.stderr)


def test_without_a_terminal_it_says_plain_lines() -> None:
    with benching("--speed", "50", "--rounds", "1") as process:
        words = process.communicate(timeout=SOON_S)[0]
        assert process.returncode == ExitStatus.OK
    assert "\x1b" not in words
    order = [
        "listen with: ",
        "round 1: place your bets",
        "no more bets: ",
        "seat 1: 5 cards",
        "round settled: ",
        "seed ",
    ]
    places = [words.index(each) for each in order]
    assert places == sorted(places)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_in_good_order_with_its_children(number: signal.Signals) -> None:
    with benching("--speed", "50", "--rounds", "1000") as process:
        until_said(process, "place your bets")
        started = children(process)
        process.send_signal(number)
        words, errors = process.communicate(timeout=SOON_S)
    assert (process.returncode, errors) == (ExitStatus.OK, "")
    assert re.search(r"^rounds    [0-9]+ of 1000 in ", words, re.MULTILINE)
    assert set(started) == {"daemon", "mosquitto"}
    assert not any(is_alive(pid) for pid in started.values())


@pytest.mark.parametrize(
    ("victim", "code", "cause"),
    [("daemon", "bench.daemon-ended", "status -9"), ("mosquitto", "bench.broker-gone", "connection to its broker")],
)
def test_a_part_that_dies_ends_it_with_a_word(victim: str, code: str, cause: str) -> None:
    with benching("--speed", "50") as process:
        until_said(process, "place your bets")
        started = children(process)
        os.kill(started[victim], signal.SIGKILL)
        errors = process.communicate(timeout=SOON_S)[1]
    assert process.returncode == ExitStatus.UNAVAILABLE
    assert cause in errors
    assert f"[{code}]\n" in errors  # a person who was just sending something says so as well
    assert not any(is_alive(pid) for pid in started.values())


def test_killed_it_takes_its_children_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # what it can no longer clear away
    with benching("--speed", "50") as process:
        until_said(process, "place your bets")
        watched = {os.pidfd_open(pid): name for name, pid in children(process).items()}
        process.kill()
        try:
            for ended, name in watched.items():
                assert select.select([ended], [], [], SOON_S)[0], f"{name} lives on"
        finally:
            for ended in watched:
                os.close(ended)
    assert set(watched.values()) == {"daemon", "mosquitto"}


def test_a_reader_that_goes_away_ends_it() -> None:
    with benching("--speed", "50") as process:
        until_said(process, "place your bets")
        started = children(process)
        assert process.stdout is not None
        process.stdout.close()
        process.wait(timeout=SOON_S)
    assert not any(is_alive(pid) for pid in started.values())


@pytest.mark.parametrize("words", [("--game", "big-50"), ("--game", "big-draw", "--device", "felt-link-shoe")])
def test_draws_come_from_a_shoe_of_their_own_only_beside_a_shuffler(words: tuple[str, ...], says: Says) -> None:
    run = bench(*words, "--draws-from", "felt-link-shoe")
    assert run.returncode == ExitStatus.USAGE
    says(" ".join(run.stderr.split()))
