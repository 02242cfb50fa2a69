"""Counts what a table does, for the retained message `metrics`. Nothing at the table depends on a figure."""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Never

from daemon.clock import Clock, rfc3339
from daemon.intake import Intake
from daemon.journal.journal import Committed, Journal
from daemon.journal.reading import JournaledFact
from daemon.mqtt.metrics import Delays, DeviceFigures, Metrics, SinceStart
from daemon.mqtt.outbox import CURSOR
from daemon.mqtt.session import MqttSession
from daemon.table.facts import DeviceAnomaly, DeviceFaulted, DeviceLost
from daemon.table.round_facts import IrregularityFound, RoundHeld, RoundInterrupted, RoundSettled, RoundVoided
from daemon.table.state import Presence, TableState
from drivers.device import Device
from drivers.events import DeviceName

EVERY_S: Final = 60.0
BOUNDS_MS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000, 60_000)
"""The first eight are what a table does; the others are a broker that was away."""
BY_PERSON: Final = "person"
_COUNTED: Final = frozenset(
    {
        "round-settled",
        "round-voided",
        "round-held",
        "round-interrupted",
        "irregularity-found",
        "device-lost",
        "device-faulted",
        "device-anomaly",
    }
)
_NS_PER_MS: Final = 1_000_000
_NS_PER_US: Final = 1_000


def cards_are_out(state: TableState) -> bool:
    """Return whether the round that runs has cards, which nobody may know yet."""
    return state.round is not None and bool(state.round.hands or state.round.unplaced)


class Meter:
    """One table's counters. `measure` makes the document of them."""

    def __init__(self, stamp: Clock, journal: Journal, intake: Intake, session: MqttSession) -> None:
        self.checked_records = 0
        self.latest: Metrics | None = None
        self._stamp = stamp
        self._journal = journal
        self._intake = intake
        self._session = session
        self._started = rfc3339(stamp().utc_ns)
        self._stops: Counter[type] = Counter()
        self._voids: Counter[str] = Counter()
        self._irregularities: Counter[str] = Counter()
        self._losses: Counter[DeviceName] = Counter()
        self._faults: Counter[DeviceName] = Counter()
        self._anomalies: Counter[tuple[DeviceName, str]] = Counter()
        self._delays = [0] * (len(BOUNDS_MS) + 1)
        self._delay_sum_ns = 0
        self._journal_bytes = 0

    def on_commit(self, committed: Committed, _state: TableState) -> None:
        """Count what was said."""
        for fact in committed.facts:
            if fact.kind in _COUNTED:
                self._count(fact)

    def on_delivered(self, fact: JournaledFact) -> None:
        """Count how long the broker's acknowledgement took from the moment of the fact."""
        delay_ns = self._age_ns(fact)
        self._delays[bisect_left(BOUNDS_MS, delay_ns / _NS_PER_MS)] += 1
        self._delay_sum_ns += delay_ns

    async def run(self, devices: Mapping[DeviceName, Device]) -> Never:
        """Measure at once and then once a minute."""
        while True:
            self.latest = self.measure(devices)
            self._session.wake()
            await asyncio.sleep(EVERY_S)

    def measure(self, devices: Mapping[DeviceName, Device]) -> Metrics:
        """Return the figures as they are now."""
        state, journal = self._intake.state, self._journal
        if not cards_are_out(state) or self._journal_bytes == 0:
            # Records are packed, so their length depends on the cards in them.
            self._journal_bytes = _size_of(journal.path)
        return Metrics(
            at=rfc3339(self._stamp().utc_ns),
            started=self._started,
            since_start=self._since_start(),
            devices={name: self._device(name, device.asked_again, state) for name, device in devices.items()},
            alerts=len(state.alerts),
            alerts_that_block=len(state.blocked_by),
            waiting=self._intake.waiting,
            unpublished=journal.last_sequence() - journal.cursor(CURSOR),
            unpublished_ms=self._unpublished_ms(),
            journal_bytes=self._journal_bytes,
            journal_records=journal.last_offset(),
            checked_records=self.checked_records,
        )

    def _unpublished_ms(self) -> int:
        oldest = self._journal.facts_after(self._journal.cursor(CURSOR), limit=1)
        return sum(self._age_ns(fact) for fact in oldest) // _NS_PER_MS

    def _age_ns(self, fact: JournaledFact) -> int:
        return max(self._stamp().utc_ns - fact.utc_ns, 0)  # a clock may be set back

    def _since_start(self) -> SinceStart:
        published = self._session.outbox.counts
        return SinceStart(
            rounds=self._stops[RoundSettled],
            voids=dict(self._voids),
            irregularities=dict(self._irregularities),
            held=self._stops[RoundHeld],
            interrupted=self._stops[RoundInterrupted],
            delays=Delays(BOUNDS_MS, tuple(self._delays), self._delay_sum_ns // _NS_PER_US),
            published=published.delivered,
            refused=published.refused,
            republished=published.lost,
            connections=self._session.connections,
        )

    def _device(self, name: DeviceName, asked_again: int, state: TableState) -> DeviceFigures:
        return DeviceFigures(
            up=state.device(name).presence is Presence.UP,
            losses=self._losses[name],
            faults=self._faults[name],
            repeats=self._intake.repeats[name],
            asked_again=asked_again,
            anomalies={code: count for (device, code), count in self._anomalies.items() if device == name},
        )

    def _count(self, fact: JournaledFact) -> None:
        data = fact.fact().data
        match data:
            case RoundSettled() | RoundHeld() | RoundInterrupted():
                self._stops[type(data)] += 1
            case RoundVoided(irregularity=irregularity):
                self._voids[BY_PERSON if irregularity is None else irregularity.value] += 1
            case IrregularityFound(irregularity=irregularity):
                self._irregularities[irregularity.value] += 1
            case DeviceLost(device=device):
                self._losses[device] += 1
            case DeviceFaulted(device=device):
                self._faults[device] += 1
            case DeviceAnomaly(device=device, code=code):
                self._anomalies[device, code] += 1
            case _:
                raise AssertionError(f"{fact.kind} is counted by nobody")


def _size_of(journal: Path) -> int:
    """Return what the journal and its -wal take on the disk."""
    size = 0
    for path in (journal, journal.with_name(journal.name + "-wal")):
        with suppress(OSError):
            size += path.stat().st_size
    return size
