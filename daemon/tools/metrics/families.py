"""The retained documents of the tables as families of OpenMetrics."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from datetime import datetime
from itertools import accumulate
from typing import Any, Final, TypeAlias

import msgspec
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from daemon.mqtt.documents import Running
from daemon.mqtt.metrics import Metrics
from protocols.frozen import dataclass

Document: TypeAlias = Mapping[str, Any]
STATUS: Final = "status"
METRICS: Final = "metrics"
_TABLE: Final = ("site", "table")
DOCUMENT_BYTES_MAX: Final = 16_384
"""Many times what a table retains. Each name in it would be a time series of its own."""
_NO_COUNT: Final = re.compile(rb"[0-9]{19}")  # nothing counts so far, and a float does not hold every number of JSON
_MS: Final = 1_000.0
_US: Final = 1_000_000.0


@dataclass(slots=True)
class Heard:
    """What the broker has retained of one table."""

    status: Document = field(default_factory=dict)
    metrics: Document = field(default_factory=dict)


def read(what: str, payload: bytes) -> Document | None:
    """Return what a table has retained, empty where that was taken away, or None if no figure can be read from it.

    A person who has one table's password must not end the figures of all others.
    """
    if not payload:
        return {}
    if len(payload) > DOCUMENT_BYTES_MAX:
        return None
    try:
        document = msgspec.json.decode(payload, type=dict[str, Any])
        if what == METRICS:
            if _NO_COUNT.search(payload):
                return None
            said = msgspec.convert(document, Metrics)
            delays = said.since_start.delays
            if min(_seconds(said.at), _seconds(said.started)) < 0 or len(delays.counts) != len(delays.bounds_ms) + 1:
                return None
    except (msgspec.MsgspecError, ValueError, OverflowError, RecursionError):
        return None
    return document


@dataclass(frozen=True, slots=True)
class _Number:
    """One number of the document: its name and help in OpenMetrics, and how it is read."""

    name: str
    help: str
    read: Callable[[Document], float]


def _since(key: str) -> Callable[[Document], float]:
    return lambda said: float(said["since_start"][key])


GAUGES: Final = (
    _Number("feltd_metrics_timestamp_seconds", "When the table measured.", lambda said: _seconds(said["at"])),
    _Number("feltd_start_timestamp_seconds", "When the daemon started.", lambda said: _seconds(said["started"])),
    _Number("feltd_alerts", "Alerts that stand.", lambda said: said["alerts"]),
    _Number("feltd_alerts_blocking", "Alerts that keep a round from opening.", lambda said: said["alerts_that_block"]),
    _Number("feltd_queue_inputs", "Inputs that wait for the table.", lambda said: said["waiting"]),
    _Number("feltd_outbox_events", "Events that the broker has not acknowledged.", lambda said: said["unpublished"]),
    _Number(
        "feltd_outbox_lag_seconds", "Since the oldest of these happened.", lambda said: said["unpublished_ms"] / _MS
    ),
    _Number("feltd_journal_bytes", "What the journal takes on the disk.", lambda said: said["journal_bytes"]),
    _Number("feltd_journal_records", "Records in the journal.", lambda said: said["journal_records"]),
    _Number("feltd_journal_checked_records", "Of them checked since the start.", lambda said: said["checked_records"]),
)
COUNTERS: Final = (
    _Number("feltd_rounds", "Rounds that were settled.", _since("rounds")),
    _Number("feltd_rounds_held", "Rounds that were held.", _since("held")),
    _Number("feltd_rounds_interrupted", "Rounds that were interrupted.", _since("interrupted")),
    _Number("feltd_events_published", "Events that the broker took.", _since("published")),
    _Number("feltd_events_refused", "Events that the broker refused.", _since("refused")),
    _Number("feltd_events_republished", "Events that were sent again.", _since("republished")),
    _Number("feltd_connections", "Connections to the broker.", _since("connections")),
)
DEVICE_COUNTERS: Final = (
    _Number("feltd_device_losses", "How often the device was disconnected.", lambda device: device["losses"]),
    _Number("feltd_device_faults", "Faults that the device reported.", lambda device: device["faults"]),
    _Number("feltd_device_repeats", "Events that the device sent again.", lambda device: device["repeats"]),
    _Number("feltd_device_asked_again", "How often an event was asked for again.", lambda said: said["asked_again"]),
)


class Tables(Collector):
    """All tables of a broker, by site and name."""

    def __init__(self, clock_offset_s: Callable[[], float | None]) -> None:
        self.heard: dict[tuple[str, str], Heard] = {}
        self.is_connected = False
        self._clock_offset_s = clock_offset_s

    def collect(self) -> Iterator[Metric]:
        """Yield every family. Call it in the thread that hears the broker."""
        yield GaugeMetricFamily("feltd_broker_up", "Whether feltd metrics hears the broker.", value=self.is_connected)
        offset_s = self._clock_offset_s()
        yield GaugeMetricFamily("feltd_clock_synchronised", "Whether a time service has set the clock.",
                                value=offset_s is not None)  # fmt: skip
        if offset_s is not None:
            yield GaugeMetricFamily("feltd_clock_offset_seconds", "How far the clock still has to be moved.",
                                    value=offset_s)  # fmt: skip
        yield self._up()
        measured = {table: heard.metrics for table, heard in self.heard.items() if heard.metrics}
        for number in GAUGES:
            gauge = GaugeMetricFamily(number.name, number.help, labels=_TABLE)
            for table, said in measured.items():
                gauge.add_metric(table, number.read(said))
            yield gauge
        for number in COUNTERS:
            counter = CounterMetricFamily(number.name, number.help, labels=_TABLE)
            for table, said in measured.items():
                counter.add_metric(table, number.read(said))
            yield counter
        yield from _named(measured, "feltd_rounds_void", "Void rounds, by cause.", "cause", "voids")
        yield from _named(measured, "feltd_irregularities", "Irregularities.", "irregularity", "irregularities")
        yield _delays(measured)
        yield from _devices(measured)

    def _up(self) -> Metric:
        up = GaugeMetricFamily("feltd_up", "Whether the table's daemon runs.", labels=_TABLE)
        for table, heard in self.heard.items():
            up.add_metric(table, self.is_connected and heard.status.get("status") == Running.RUNNING.value)
        return up


def _named(
    measured: Mapping[tuple[str, str], Document], name: str, about: str, label: str, key: str
) -> Iterator[Metric]:
    counter = CounterMetricFamily(name, about, labels=(*_TABLE, label))
    for table, said in measured.items():
        for what, count in said["since_start"][key].items():
            counter.add_metric((*table, what), count)
    yield counter


def _delays(measured: Mapping[tuple[str, str], Document]) -> Metric:
    about = "From the device's last byte to the broker's acknowledgement."
    histogram = HistogramMetricFamily("feltd_event_delay_seconds", about, labels=_TABLE)
    for table, said in measured.items():
        delays = said["since_start"]["delays"]
        bounds = [*(str(bound / _MS) for bound in delays["bounds_ms"]), "+Inf"]
        buckets = list(zip(bounds, accumulate(delays["counts"]), strict=True))
        histogram.add_metric(table, buckets=buckets, sum_value=delays["sum_us"] / _US)
    return histogram


def _devices(measured: Mapping[tuple[str, str], Document]) -> Iterator[Metric]:
    named = [((*table, name), device) for table, said in measured.items() for name, device in said["devices"].items()]
    labels = (*_TABLE, "device")
    up = GaugeMetricFamily("feltd_device_up", "Whether the device is connected.", labels=labels)
    for device, said in named:
        up.add_metric(device, said["up"])
    yield up
    for number in DEVICE_COUNTERS:
        counter = CounterMetricFamily(number.name, number.help, labels=labels)
        for device, said in named:
            counter.add_metric(device, number.read(said))
        yield counter
    anomalies = CounterMetricFamily(
        "feltd_device_anomalies", "What a sound device does not do.", labels=(*labels, "code")
    )
    for device, said in named:
        for code, count in said["anomalies"].items():
            anomalies.add_metric((*device, code), count)
    yield anomalies


def _seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()
