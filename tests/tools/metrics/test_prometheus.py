"""The alert rules and the board of Grafana, in Debian's own Prometheus over a real scrape."""

from __future__ import annotations

import json
import re
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from daemon.tools.metrics.families import Tables
from tests.daemon.config.files import GOOD
from tests.docs.documents import ROOT
from tests.sim_hardware.free_port import free_port
from tests.support.mosquitto import Mosquitto, mosquitto
from tests.support.processes import gone_afterwards
from tests.tools.metrics.figures import Played, played
from tests.tools.metrics.test_metrics import exporting, retain

MONITORING = ROOT / "systemd" / "monitoring"
RULES = MONITORING / "feltd.rules.yml"
SCRAPE = (MONITORING / "prometheus.yml").read_text(encoding="utf-8")
BOARD = json.loads((MONITORING / "grafana.json").read_text(encoding="utf-8"))
SOON_S = 60.0

FIRING = """\
rule_files: [{rules}]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
{series}
    alert_rule_test:
{expected}
"""
TABLE = 'site="harbour", table="table7"'
EXPRESSIONS = dict(re.findall(r"alert: (\w+)\n +expr: (.*)", RULES.read_text(encoding="utf-8")))
SERIES = {
    "FeltdMetricsAway": {'up{job="feltd"}': "0x30"},
    "FeltdBrokerAway": {"feltd_broker_up": "0x30"},
    "FeltdTableDown": {f"feltd_up{{{TABLE}}}": "0x30", "feltd_broker_up": "1x30"},
    "FeltdTableSilent": {f"feltd_up{{{TABLE}}}": "1x30", f"feltd_metrics_timestamp_seconds{{{TABLE}}}": "0x30"},
    "FeltdTableRestarts": {f"feltd_start_timestamp_seconds{{{TABLE}}}": "0+60x30"},
    "FeltdPlayBlocked": {f"feltd_alerts_blocking{{{TABLE}}}": "1x30"},
    "FeltdDeviceDown": {f"feltd_up{{{TABLE}}}": "1x30", f'feltd_device_up{{{TABLE}, device="shuffler"}}': "0x30"},
    "FeltdDeviceNoisy": {f'feltd_device_anomalies_total{{{TABLE}, device="shuffler", code="line-damage"}}': "0+2x30"},
    "FeltdOutboxGrows": {f"feltd_outbox_events{{{TABLE}}}": "201x30"},
    "FeltdOutboxLate": {f"feltd_outbox_lag_seconds{{{TABLE}}}": "301x30"},
    "FeltdEventsRefused": {f"feltd_events_refused_total{{{TABLE}}}": "0+1x30"},
    "FeltdSlow": {
        f'feltd_event_delay_seconds_bucket{{{TABLE}, le="0.5"}}': "0x30",
        f'feltd_event_delay_seconds_bucket{{{TABLE}, le="1.0"}}': "0+9x30",
        f'feltd_event_delay_seconds_bucket{{{TABLE}, le="+Inf"}}': "0+9x30",
        f"feltd_outbox_events{{{TABLE}}}": "0x30",
    },
    "FeltdVoids": {f'feltd_rounds_void_total{{{TABLE}, cause="wrong-count"}}': "0+1x30"},
    "FeltdClock": {"feltd_clock_synchronised": "0x30"},
}
"""What makes each alert fire."""


@contextmanager
def prometheus(directory: Path, target: int) -> Iterator[int]:
    """Run Prometheus over our two files, with another target and a quick scrape. Yield its port."""
    port, config = free_port(), directory / "prometheus.yml"
    (directory / RULES.name).write_bytes(RULES.read_bytes())
    assert "127.0.0.1:9464" in SCRAPE
    config.write_text(SCRAPE.replace("9464", str(target)).replace("30s", "1s"), encoding="utf-8")
    words = [f"--config.file={config}", f"--storage.tsdb.path={directory}/data"]
    words += [f"--web.listen-address=127.0.0.1:{port}", "--log.level=warn"]
    with gone_afterwards(subprocess.Popen(["prometheus", *words], stderr=subprocess.DEVNULL)):
        yield port


def asked(port: int, path: str) -> Any:  # noqa: ANN401
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/{path}", timeout=SOON_S) as answer:
        return json.load(answer)["data"]


def query(port: int, expression: str) -> list[Any]:
    found: list[Any] = asked(port, "query?" + urllib.parse.urlencode({"query": expression}))["result"]
    return found


def until_scraped(port: int) -> None:
    ends_s = time.monotonic() + SOON_S
    while True:
        try:
            if query(port, "feltd_rounds_total"):
                return
        except urllib.error.HTTPError as not_ready:
            not_ready.close()
        except OSError:
            pass  # it does not listen yet
        assert time.monotonic() < ends_s, "Prometheus has not scraped the page"
        time.sleep(0.1)


def expressions() -> Iterator[str]:
    """Every expression of the board, for all sites and tables."""
    for panel in BOARD["panels"]:
        for target in panel["targets"]:
            yield target["expr"].replace("$site", ".*").replace("$table", ".*")


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Played:
    return played(tmp_path_factory.mktemp("played"))


WITHOUT_A_TIME_SERVICE = ("feltd_clock_offset_seconds",)
"""Expressions of the board that have no value on a machine whose clock nobody sets."""


def always(expression: str) -> str:
    """Return an alert's expression with a value for each table, also where nothing is wrong: 0 for no, 1 for yes."""
    return re.sub(r"(==|>|<) (?=[\d.])", r"\1 bool ", expression)


def until_found(port: int, expression: str) -> list[Any]:
    """Ask again until there is a result: a rate needs two scrapes."""
    ends_s = time.monotonic() + SOON_S
    while not (found := query(port, expression)):
        assert time.monotonic() < ends_s, f"Prometheus has nothing for {expression}"
        time.sleep(0.1)
    return found


@dataclass(frozen=True)
class Scraped:
    """A real Prometheus over the page of a table that was played."""

    port: int
    broker: Mosquitto


@contextmanager
def scraping(game: Played, directory: Path) -> Iterator[Scraped]:
    with mosquitto(directory) as broker:
        retain(broker, game)
        config = directory / "t.toml"
        config.write_text(f"{GOOD}[mqtt]\nport = {broker.port}\n", encoding="utf-8")
        with exporting(config) as page, prometheus(directory, page) as port:
            until_scraped(port)
            yield Scraped(port, broker)


def test_every_expression_of_the_board_and_of_the_rules_has_a_result(game: Played, tmp_path: Path) -> None:
    """Over one scraped table: each worker that took one of many tests would play and scrape again."""
    with scraping(game, tmp_path) as found:
        (group,) = asked(found.port, "rules")["groups"]
        assert {rule["health"] for rule in group["rules"]} <= {"ok", "unknown"}
        rounds = query(found.port, 'feltd_rounds_total{site="harbour", table="7"}')
        assert float(rounds[0]["value"][1]) == game.figures.since_start.rounds
        for expression in expressions():
            if expression in WITHOUT_A_TIME_SERVICE:
                query(found.port, expression)  # a wrong one is answered with status 400, which raises
            else:
                until_found(found.port, expression)
        for alert, series in SERIES.items():
            until_found(found.port, always(EXPRESSIONS[alert]))
            _has_labels(found.port, series)


def _has_labels(port: int, series: Iterable[str]) -> None:
    """Each figure that makes an alert fire has these labels also where a real table is scraped."""
    for selector in series:
        name, _, labels = selector.partition("{")
        wanted = set(re.findall(r"(\w+)=", labels))
        assert any(wanted <= found["metric"].keys() for found in until_found(port, name)), selector


def test_without_the_broker_its_own_alert_has_a_result_and_no_table_is_blamed(game: Played, tmp_path: Path) -> None:
    with scraping(game, tmp_path) as found:
        assert query(found.port, EXPRESSIONS["FeltdBrokerAway"]) == []
        found.broker.stop()
        until_found(found.port, EXPRESSIONS["FeltdBrokerAway"])
        assert query(found.port, "feltd_up")[0]["value"][1] == "0"
        assert query(found.port, EXPRESSIONS["FeltdTableDown"]) == []


def test_where_a_time_service_runs_the_board_shows_how_far_the_clock_is_off() -> None:
    """Brought about by the kernel's answer of such a machine: this one may have no time service."""
    names = {family.name for family in Tables(lambda: 0.25).collect()}
    assert set(WITHOUT_A_TIME_SERVICE) <= names


def test_promtool_finds_nothing_wrong_with_the_files(tmp_path: Path) -> None:
    for file in ("feltd.rules.yml", "prometheus.yml"):
        (tmp_path / file).write_bytes((MONITORING / file).read_bytes())
    for words in (["rules", "feltd.rules.yml"], ["config", "prometheus.yml"]):
        done = subprocess.run(["promtool", "check", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("alert", re.findall(r"alert: (\w+)", RULES.read_text(encoding="utf-8")))
def test_each_alert_fires_when_it_should_and_not_before(alert: str, tmp_path: Path) -> None:
    series = "".join(
        f"      - series: '{name}'\n        values: '{values}'\n" for name, values in SERIES[alert].items()
    )
    at_first = f"      - eval_time: 0m\n        alertname: {alert}\n        exp_alerts: []\n"
    test = tmp_path / "test.yml"
    test.write_text(FIRING.format(rules=RULES, series=series, expected=at_first), encoding="utf-8")
    assert _promtool(test).returncode == 0, "it fires at once"
    at_last = at_first.replace("0m", "30m")
    test.write_text(FIRING.format(rules=RULES, series=series, expected=at_last), encoding="utf-8")
    told = _promtool(test)
    assert told.returncode != 0, "it does not fire"
    assert f"alertname: {alert}" in told.stdout + told.stderr
    assert "remedy" in told.stdout + told.stderr


def _promtool(test: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["promtool", "test", "rules", str(test)], capture_output=True, text=True)
