"""The composition root: builds the graph of one table from its configuration, runs it in one task group, and ends it.

The straight line is `intake.Intake.take`; everything here is wiring. A journal error or a mistake of ours ends the
group and with it the process: systemd starts it again and the journal replays. Losing a device or the broker ends
nothing.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Final, Never

import structlog

from daemon import rules, watchdog
from daemon.clock import Calendar, Clock, stamp
from daemon.config.settings import Config
from daemon.intake import Intake
from daemon.journal.journal import Journal
from daemon.mqtt.documents import STATE, State
from daemon.mqtt.session import MqttSession, Table
from daemon.mqtt.topics import Topics
from daemon.panel.server import Panel, Sources
from daemon.recovery import code_fingerprint, expect_own, recover
from daemon.table import view
from daemon.table.inputs import Configured, DayBegan
from daemon.table.reducer import blank
from daemon.table_log import TableLog
from drivers.device import Device, OpenTransport
from drivers.events import DeviceName
from drivers.transports import open_transport
from drivers.transports.usb_hotplug import HotPlug, Pause, listen

CALENDAR_LOOK_S_MAX: Final = 60.0
"""A wall clock that is set while we sleep is noticed after this at the latest."""

_log = structlog.get_logger(__name__)


def run(config: Config) -> None:
    """Run one table until SIGTERM or SIGINT; a `FeltdError` says what an operator has to do."""
    asyncio.run(_run_until_signalled(config))


async def _run_until_signalled(config: Config) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    await serve(config, stop)


async def serve(config: Config, stop: asyncio.Event) -> None:
    """Run one table until `stop` is set; when this returns everything is closed."""
    with HotPlug(listen()) as hot_plug, built(config, replace(REAL, make_pause=hot_plug.pause)) as graph:
        await run_graph(graph, stop)


@dataclass(frozen=True, slots=True)
class Graph:
    """The parts of one running table."""

    config: Config
    journal: Journal
    intake: Intake
    devices: dict[DeviceName, Device]
    session: MqttSession
    panel: Panel | None
    stamp: Clock


@dataclass(frozen=True, slots=True)
class Outside:
    """What lies outside the process, for runs in which it is made: clocks, ways to devices, waiting for them."""

    stamp: Clock = stamp
    open_transport: OpenTransport = open_transport
    make_pause: Callable[[], Pause] = lambda: asyncio.sleep


REAL: Final = Outside()


@contextmanager
def built(config: Config, outside: Outside = REAL) -> Iterator[Graph]:
    """The graph on its journal, which has taken this start; closed afterwards."""
    journal = Journal.open(config.journal, create=False)
    try:
        yield _wired(config, journal, outside)
    finally:
        journal.close()


def _wired(config: Config, journal: Journal, outside: Outside) -> Graph:
    now, code = outside.stamp(), code_fingerprint()
    configured = Configured(now, config.calendar.day(now.utc_ns), journal.id, rules.VERSION, config.table)
    devices: dict[DeviceName, Device] = {}
    recovered = recover(journal, code)
    if recovered is not None:
        expect_own(journal, recovered, config.table)
    intake = Intake(journal, recovered or blank(configured), devices, code)
    for settings in config.devices:
        devices[settings.name] = Device(
            settings,
            emit=intake.report,
            stamp=outside.stamp,
            resume_from=journal.last_receipt(settings.name),
            open_transport=outside.open_transport,
            pause=outside.make_pause(),
        )
    topics = Topics(config.table.site, config.table.table)
    table = Table(journal, lambda: view.public(intake.state), intake.ask, outside.stamp, version("feltd"))
    session = MqttSession(config.mqtt, topics, table)
    intake.listen(lambda _committed, _state: session.wake())
    panel = _panel(config, topics, journal, intake) if config.panel.enabled else None
    intake.listen(TableLog().hear)
    intake.take(configured)
    intake.order_again()
    return Graph(config, journal, intake, devices, session, panel, outside.stamp)


def _panel(config: Config, topics: Topics, journal: Journal, intake: Intake) -> Panel:
    def picture() -> bytes:
        return STATE.encode(State(journal.id, journal.last_sequence(), view.public(intake.state)))

    sources = Sources(topics.base, journal, picture, intake.probe)
    panel = Panel(config.panel.host, config.panel.port, sources)
    intake.listen(lambda _committed, _state: panel.wake())
    return panel


async def run_graph(graph: Graph, stop: asyncio.Event) -> None:
    """Run every part until `stop` is set."""
    manager = watchdog.notifier(os.environ)
    deadline_ns = watchdog.deadline_ns(os.environ, os.getpid())
    async with asyncio.TaskGroup() as group:
        inputs: list[asyncio.Task[None]] = [group.create_task(device.run()) for device in graph.devices.values()]
        inputs.append(group.create_task(midnights(graph.intake, graph.config.calendar, graph.stamp)))
        line = [
            group.create_task(graph.intake.run()),
            group.create_task(graph.session.run()),
            group.create_task(watchdog.watch(manager, graph.intake.probe, deadline_ns)),
        ]
        if graph.panel is not None:
            line.append(group.create_task(graph.panel.run()))
        manager.ready(f"table {graph.config.table.table}")
        _log.info("table-started", table=graph.config.table.table, phase=graph.intake.state.phase.value)
        await stop.wait()
        manager.stopping("finishing what was begun")
        for task in inputs:
            task.cancel()
        await graph.intake.probe()
        for task in line:
            task.cancel()
    _log.info("table-stopped", table=graph.config.table.table)


async def midnights(intake: Intake, calendar: Calendar, stamp: Clock) -> Never:
    """Tell the table of each new day. A clock that is set back brings no day twice."""
    while True:
        now = stamp()
        day = calendar.day(now.utc_ns)
        if day > intake.state.day:
            intake.report(DayBegan(now, day))
        until_midnight_s = (calendar.next_midnight_ns(now.utc_ns) - now.utc_ns) / 1e9
        await asyncio.sleep(min(CALENDAR_LOOK_S_MAX, until_midnight_s))
