"""A table's figures are what was heard of it, and `feltd metrics` shows them to Prometheus."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import IO

import paho.mqtt.publish as publish
import pytest
from jsonschema import Draft202012Validator
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from daemon.mqtt.documents import METRICS
from daemon.tools.metrics.families import DOCUMENT_BYTES_MAX
from daemon.tools.schemas.contract import messages
from tests.daemon.config.files import GOOD
from tests.daemon.test_cli import FELTD, feltd
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import Mosquitto, mosquitto
from tests.support.processes import gone_afterwards
from tests.tools.bench.running import benching, children, until_said
from tests.tools.metrics.figures import PLAYED_S, Played, played

SOON_S = 120.0
BASE = "felt/v1/harbour/7"


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return played(tmp_path_factory.mktemp("played"))


def test_the_figures_are_what_was_heard(game: Played) -> None:
    said, heard = game.figures.since_start, game.kinds
    assert said.rounds == heard["round-settled"] > 5
    assert dict(said.voids) == {"wrong-count": heard["round-voided"]}
    assert dict(said.irregularities) == {"wrong-count": heard["irregularity-found"]}
    assert said.interrupted == heard["round-interrupted"]
    assert said.published == sum(said.delays.counts) == game.delivered == heard.total()
    assert game.figures.unpublished == game.unpublished == 0
    assert game.figures.unpublished_ms == 0
    shuffler = game.figures.devices["shuffler"]
    assert (shuffler.up, shuffler.losses) == (False, heard["device-lost"])
    assert shuffler.losses == 1
    assert shuffler.asked_again > 0, "a quarter of its frames came damaged for a time"
    assert game.figures.alerts_that_block >= 1
    assert game.figures.journal_bytes > 10_000


def test_what_waits_for_the_broker_and_for_how_long_is_said_while_it_is_away(game: Played) -> None:
    assert game.while_away.unpublished > 0
    assert PLAYED_S - 10 < game.while_away.unpublished_ms / 1_000 <= PLAYED_S


def test_the_journals_size_tells_nothing_of_cards_that_are_out(game: Played) -> None:
    """Records are packed: how much the file grows by a hand depends on its cards."""
    grown = [(before, now) for (_, before), (cards_out, now) in pairwise(game.sizes) if cards_out and now != before]
    assert grown == []
    assert len({size for _, size in game.sizes}) > 2


def test_the_figures_are_what_their_schema_says(game: Played) -> None:
    (message,) = [message for message in messages() if message.name == "metrics"]
    Draft202012Validator(message.schema).validate(json.loads(METRICS.encode(game.figures)))


@contextmanager
def exporting(config: Path, log: IO[str] | None = None) -> Iterator[int]:
    """Run `feltd metrics`; yield its port. Its log goes to `log` if there is one."""
    port = free_port()
    command = [str(FELTD), "metrics", "--config", str(config), "--port", str(port)]
    with gone_afterwards(subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)) as process:
        assert process.stdout is not None
        assert "/metrics: the tables of" in process.stdout.readline()
        yield port
        process.send_signal(signal.SIGTERM)
        printed, _ = process.communicate(timeout=SOON_S)
        if log is not None:
            log.write(printed)
        assert process.returncode == 0


def samples(port: int) -> dict[tuple[str, ...], float]:
    """Return every sample by its name, its table, and the values of its other labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=SOON_S) as answer:
        assert answer.headers["Content-Type"].startswith("application/openmetrics-text")
        text = answer.read().decode()
    families = text_string_to_metric_families(text)  # type: ignore[no-untyped-call]
    found = [sample for family in families for sample in family.samples]
    return {(sample.name, *_in_order(sample.labels)): sample.value for sample in found}


def _in_order(labels: Mapping[str, str]) -> Iterator[str]:
    yield from (labels[name] for name in ("site", "table") if name in labels)
    yield from (value for name, value in labels.items() if name not in ("site", "table"))


def until(port: int, key: tuple[str, ...], value: float) -> dict[tuple[str, ...], float]:
    """Ask again until a sample has this value."""
    ends_s = time.monotonic() + SOON_S
    while (now := samples(port)).get(key) != value:
        assert time.monotonic() < ends_s, f"{key} is not {value}: {now}"
        time.sleep(0.05)
    return now


def retain(broker: Mosquitto, figures: Played) -> None:
    """Have the broker retain what a table retains."""
    status = json.dumps({"status": "running", "version": "0", "journal": "j", "connected": "", "problems": []})
    for topic, payload in (("status", status.encode()), ("metrics", METRICS.encode(figures.figures))):
        publish.single(f"{BASE}/{topic}", payload, qos=1, retain=True, hostname="127.0.0.1", port=broker.port)


def test_a_scrape_has_every_figure(game: Played, tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker:
        retain(broker, game)
        config = tmp_path / "t.toml"
        config.write_text(f"{GOOD}[mqtt]\nport = {broker.port}\n", encoding="utf-8")
        with exporting(config) as port:
            shown = until(port, ("feltd_up", "harbour", "7"), 1)
            shown = until(port, ("feltd_rounds_total", "harbour", "7"), game.figures.since_start.rounds)
            broker.stop()
            until(port, ("feltd_broker_up",), 0)
            assert samples(port)["feltd_up", "harbour", "7"] == 0
    said = game.figures
    assert shown["feltd_rounds_void_total", "harbour", "7", "wrong-count"] == said.since_start.voids["wrong-count"]
    assert shown["feltd_device_losses_total", "harbour", "7", "shuffler"] == 1
    assert shown["feltd_device_asked_again_total", "harbour", "7", "shuffler"] == said.devices["shuffler"].asked_again
    assert shown["feltd_device_up", "harbour", "7", "shuffler"] == 0
    assert shown["feltd_event_delay_seconds_count", "harbour", "7"] == said.since_start.published
    assert shown["feltd_event_delay_seconds_bucket", "harbour", "7", "+Inf"] == said.since_start.published
    assert shown["feltd_journal_bytes", "harbour", "7"] == said.journal_bytes
    assert shown["feltd_broker_up",] == 1


def test_a_running_table_retains_its_figures_and_a_killed_one_is_down(tmp_path: Path) -> None:
    with mosquitto(tmp_path) as broker, benching("--port", str(broker.port), "--keep", str(tmp_path / "k")) as process:
        until_said(process, "place your bets")
        with exporting(tmp_path / "k" / "feltd.toml") as port:
            shown = until(port, ("feltd_up", "bench", "table1"), 1)
            assert ("feltd_journal_records", "bench", "table1") in until(port, ("feltd_broker_up",), 1)
            assert ("feltd_start_timestamp_seconds", "bench", "table1") in shown
            children_of = children(process)
            subprocess.run(["kill", "-KILL", str(children_of["daemon"])], check=True)
            until(port, ("feltd_up", "bench", "table1"), 0)


def test_a_table_that_retains_nonsense_takes_no_other_tables_figures(game: Played, tmp_path: Path) -> None:
    whole = METRICS.encode(game.figures)
    no_bounds = json.loads(whole)
    no_bounds["since_start"]["delays"]["counts"] = [1]
    nonsense = [b"{", b"[]", b"[" * 100_000, b'{"at": 5}', b"\xff", whole.replace(b'"at":"2', b'"at":"x')]
    nonsense += [whole.replace(b'"alerts":', b'"alerts":1e999,"_":'), json.dumps(no_bounds).encode()]
    nonsense += [whole.replace(b'"rounds":', b'"rounds":1' + b"0" * 400 + b',"_":')]
    many_causes = json.loads(whole)
    many_causes["since_start"]["voids"] = {f"cause-{number}": 1 for number in range(2_000)}
    nonsense.append(json.dumps(many_causes).encode())
    assert len(whole) * 8 < DOCUMENT_BYTES_MAX
    with mosquitto(tmp_path) as broker:
        config = tmp_path / "t.toml"
        config.write_text(f"{GOOD}[mqtt]\nport = {broker.port}\n", encoding="utf-8")
        with exporting(config) as port:
            for payload in nonsense:
                for topic in ("status", "metrics"):
                    publish.single(f"{BASE}8/{topic}", payload, qos=1, hostname="127.0.0.1", port=broker.port)
            retain(broker, game)
            until(port, ("feltd_rounds_total", "harbour", "7"), game.figures.since_start.rounds)
            assert ("feltd_rounds_total", "harbour", "78") not in samples(port)


def test_nobody_fills_its_log(game: Played, tmp_path: Path) -> None:
    """Neither who may open its port nor who has a table's password."""
    with mosquitto(tmp_path) as broker, (tmp_path / "log").open("w+") as log:
        config = tmp_path / "t.toml"
        config.write_text(f"{GOOD}[mqtt]\nport = {broker.port}\n", encoding="utf-8")
        with exporting(config, log) as port:
            for _ in range(30):
                with socket.create_connection(("127.0.0.1", port)) as visitor:
                    visitor.sendall(b"GET /\0 HTTP/1.1\r\n\r\n")
                    assert visitor.recv(12) == b"HTTP/1.0 400"
                publish.single(f"{BASE}8/status", b"{", qos=1, hostname="127.0.0.1", port=broker.port)
            retain(broker, game)
            until(port, ("feltd_up", "harbour", "7"), 1)
        log.seek(0)
        lines = log.read().splitlines()
    assert [line.count("bad-request") + line.count("left out") for line in lines] == [1, 1], lines


def test_a_port_that_is_taken_and_a_password_that_is_not_there_are_said(tmp_path: Path) -> None:
    config = tmp_path / "t.toml"
    config.write_text(GOOD, encoding="utf-8")
    asked = feltd("metrics", "--config", config, "--user", "metrics", "--password-file", tmp_path / "none")
    assert asked.returncode == 69
    assert "[password-file]" in asked.stderr
    with mosquitto(tmp_path) as broker:
        taken = feltd("metrics", "--config", config, "--port", str(broker.port))
    assert taken.returncode == 69
    assert "[metrics.cannot-listen]" in taken.stderr


def test_what_a_daemon_counts_begins_with_its_start(game: Played) -> None:
    later = replace(game.figures, at=game.figures.started)
    assert METRICS.decode(METRICS.encode(later)) == later
