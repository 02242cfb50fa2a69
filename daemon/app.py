"""The composition root: wires the parts of one table from its configuration, starts them, and closes them.

Nothing here decides anything about the game: the straight line is `Intake.take_input`. A journal error or a defect of
ours ends the task group and with it the process. systemd then starts the daemon again, and it continues on its
journal. The loss of a device or of the broker ends nothing.
"""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final, Never

import structlog

from daemon import rules, watchdog
from daemon.clock import Calendar, Clock, stamp
from daemon.config.people import PeopleAtTable
from daemon.config.settings import Config
from daemon.errors import FeltdError
from daemon.intake import Intake
from daemon.journal.checking import check_while_playing
from daemon.journal.journal import Journal
from daemon.journal.key import find_signer
from daemon.meter import Meter
from daemon.mqtt.session import MqttSession, Table
from daemon.mqtt.topics import Topics
from daemon.recovery import expect_own, recover
from daemon.reload import Reload
from daemon.table import view
from daemon.table.inputs import Configured, DayBegan, JournalDoubted
from daemon.table.reducer import blank
from daemon.table.state import TableState
from daemon.table_log import TableLog
from daemon.version import full_version
from drivers.device import Device, OpenTransport
from drivers.events import DeviceName
from drivers.transports import open_transport
from drivers.transports.usb_hotplug import HotPlug, Pause, listen
from protocols.frozen import dataclass

CALENDAR_LOOK_S_MAX: Final = 60.0
"""A wall clock that is set while `midnights` sleeps is noticed after this time at the latest."""

_log = structlog.get_logger(__name__)


def run(config: Config) -> None:
    """Run one table until SIGTERM or SIGINT, or after SIGUSR1 until no round is played. SIGHUP reads the file again.

    Raise a `FeltdError` if an operator has to act.
    """

    async def serve_until_signalled() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        stop_between_rounds, read_again = asyncio.Event(), asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, stop.set)
        loop.add_signal_handler(signal.SIGUSR1, stop_between_rounds.set)
        # Its default would end the table when a technician's terminal closes.
        loop.add_signal_handler(signal.SIGHUP, read_again.set)
        await serve(config, stop, stop_between_rounds, read_again)

    asyncio.run(serve_until_signalled())


async def serve(
    config: Config, stop: asyncio.Event, stop_between_rounds: asyncio.Event, read_again: asyncio.Event
) -> None:
    """Run one table until `stop` is set, or after `stop_between_rounds` until no round is played.

    Each time that `read_again` is set, the file is read again. When this returns, everything is closed.
    """
    manager = watchdog.notifier(os.environ)
    with HotPlug(listen()) as hot_plug:
        outside = replace(REAL, make_pause=hot_plug.pause, on_progress=manager.extend_start)
        with built(config, outside) as graph:
            restart = stop_between_rounds.set if manager.address is not None else None
            reload = Reload(config, graph.people, restart)
            waiting = [
                asyncio.create_task(wait_for_the_round(graph.intake, stop_between_rounds, stop)),
                asyncio.create_task(reload_when_asked(reload, read_again)),
            ]
            try:
                await run_graph(graph, stop)
            finally:
                for task in waiting:
                    task.cancel()


async def reload_when_asked(reload: Reload, asked: asyncio.Event) -> Never:
    """Read the file again each time that somebody asks for it."""
    while True:
        await asked.wait()
        asked.clear()
        await reload.read_again()


async def wait_for_the_round(intake: Intake, asked: asyncio.Event, stop: asyncio.Event) -> None:
    """Set `stop` as soon as no stake lies on the table, once an end between rounds is asked for."""

    def look(state: TableState) -> None:
        if state.is_between_rounds:
            stop.set()

    await asked.wait()
    # At the commit itself: the next round takes its first bet before a task could wake up.
    intake.listen(lambda _committed, state: look(state))
    look(intake.state)
    if not stop.is_set():
        _log.info("stop-waits-for-the-round", phase=intake.state.phase.value)


@dataclass(frozen=True, slots=True)
class Graph:
    """The parts of one running table."""

    config: Config
    journal: Journal
    intake: Intake
    devices: dict[DeviceName, Device]
    session: MqttSession
    stamp: Clock
    meter: Meter
    people: PeopleAtTable


@dataclass(frozen=True, slots=True)
class Outside:
    """What lies outside the process: the clock, how ports are opened, how a device waits. Tests give their own."""

    stamp: Clock = stamp
    open_transport: OpenTransport = open_transport
    make_pause: Callable[[], Pause] = lambda: asyncio.sleep
    on_progress: Callable[[], None] = lambda: None  # a start that takes long is still at work


REAL: Final = Outside()


@contextmanager
def built(config: Config, outside: Outside = REAL) -> Iterator[Graph]:
    """Yield the started parts of one table. Close the journal afterwards."""
    # The journal is opened first: its lock keeps a second daemon away before anything else is touched.
    signer = find_signer(os.environ, config.journal_key)
    if signer is None:
        _log.info("journal-unsigned", journal=config.journal)
    journal = Journal.open(config.journal, create=False, signer=signer, on_progress=outside.on_progress)
    try:
        now = outside.stamp()
        day, names = config.calendar.day(now.utc_ns), tuple(device.name for device in config.devices)
        configured = Configured(now, day, journal.id, rules.VERSION, config.table, names)
        graph = _wire(config, journal, outside, configured)
        _start(graph, configured)
        journal.checkpoint(now.utc_ns)
        yield graph
        journal.checkpoint(outside.stamp().utc_ns)  # not after an error: the journal may be what failed
        journal.do_upkeep()
    finally:
        journal.close()


def _wire(config: Config, journal: Journal, outside: Outside, configured: Configured) -> Graph:
    """Make the parts and connect them. Read the journal, write nothing."""
    recovered = recover(journal, outside.on_progress)
    if recovered is not None:
        expect_own(journal, recovered, config.table)
    # The intake and the devices need each other, so the intake gets the dictionary before it is filled.
    devices: dict[DeviceName, Device] = {}
    intake = Intake(journal, recovered or blank(configured), devices)
    for settings in config.devices:
        devices[settings.name] = Device(
            settings,
            emit=intake.queue_input,
            stamp=outside.stamp,
            # A device that keeps events is asked for those after the last one that is on the disk.
            resume_from=journal.last_receipt(settings.name),
            open_transport=outside.open_transport,
            pause=outside.make_pause(),
        )
    topics = Topics(config.table.site, config.table.table)

    def report_people(error: FeltdError | None) -> None:
        session.report_people(error)  # there is a session when a changed file is read

    people = PeopleAtTable(config.people, topics.site, topics.table, report_people)
    table = Table(
        journal,
        lambda: view.public(intake.state),
        intake.submit_request,
        people.person,
        outside.stamp,
        full_version(),
        lambda: meter.latest,
        people.users,
    )
    session = MqttSession(config.mqtt, topics, table)
    meter = Meter(outside.stamp, journal, intake, session)
    intake.listen(lambda _committed, _state: session.wake())  # the first: subscribers wait for it
    intake.listen(meter.on_commit)
    session.outbox.listen(meter.on_delivered)
    intake.listen(TableLog().on_commit)
    return Graph(config, journal, intake, devices, session, outside.stamp, meter, people)


def _start(graph: Graph, configured: Configured) -> None:
    """Commit this start, and repeat the commands that no answer is known of.

    No task runs yet. So the start is the first input after the last one of the process before, and whatever a device
    or a client says comes behind it.
    """
    graph.intake.take_input(configured)
    for doubt in graph.journal.doubts:
        graph.intake.take_input(JournalDoubted(configured.at, doubt))
    graph.intake.resend_commands()


async def run_graph(graph: Graph, stop: asyncio.Event) -> None:
    """Run every part until `stop` is set, then end in order: inputs first, the line when it has taken them all."""
    manager = watchdog.notifier(os.environ)
    deadline_ns = watchdog.deadline_ns(os.environ, os.getpid())
    status = watchdog.StatusLine(manager, lambda: status_text(graph))
    graph.intake.listen(lambda _committed, _state: status.tell())

    async def beat() -> None:
        await graph.intake.probe()
        status.tell()  # the broker comes and goes without a commit

    async with asyncio.TaskGroup() as group:
        inputs: list[asyncio.Task[None]] = [group.create_task(device.run()) for device in graph.devices.values()]
        inputs.append(group.create_task(midnights(graph.intake, graph.config.calendar, graph.stamp)))
        inputs.append(group.create_task(check_journal(graph)))
        inputs.append(group.create_task(graph.meter.run(graph.devices)))
        line = [
            group.create_task(graph.intake.run()),
            group.create_task(graph.session.run()),
            group.create_task(watchdog.watch(manager, beat, deadline_ns)),
        ]
        # The journal is sound and the start is committed. Devices and the broker may still be away: a table without
        # them is ready, and says what it waits for.
        manager.ready(status_text(graph))
        _log.info(
            "table-started",
            version=full_version(),
            table=graph.config.table.table,
            phase=graph.intake.state.phase.value,
        )
        await stop.wait()
        manager.stopping("finishing what was begun")
        for task in inputs:
            task.cancel()
        # What was queued before the stop is committed and answered. What a device says later, it keeps and says again.
        await graph.intake.probe()
        for task in line:
            task.cancel()
    _log.info("table-stopped", table=graph.config.table.table)


def status_text(graph: Graph) -> str:
    """Return phase, round, devices and broker in one line, without a card."""
    state = graph.intake.state
    parts = [state.phase.value if state.round is None else f"{state.phase.value}, round {state.round.id}"]
    parts += [f"{name} {state.device(name).presence.value}" for name in graph.devices]
    parts.append("broker up" if graph.session.there.is_set() else "broker away")
    return f"table {graph.config.table.table}: {'; '.join(parts)}"


async def check_journal(graph: Graph) -> None:
    """Check the whole journal once while the table plays. Queue a `JournalDoubted` at the first fault."""

    def checked(record: int) -> None:
        graph.meter.checked_records = record

    def doubt(fault: str) -> None:
        graph.intake.queue_input(JournalDoubted(graph.stamp(), fault))

    await check_while_playing(graph.journal, doubt, checked)


async def midnights(intake: Intake, calendar: Calendar, stamp: Clock) -> Never:
    """Queue a `DayBegan` for each new day. A clock that is set back repeats no day."""
    while True:
        now = stamp()
        day = calendar.day(now.utc_ns)
        if day > intake.state.day:
            intake.queue_input(DayBegan(now, day))
        until_midnight_s = (calendar.next_midnight_ns(now.utc_ns) - now.utc_ns) / 1e9
        await asyncio.sleep(min(CALENDAR_LOOK_S_MAX, until_midnight_s))
