"""`feltd check`: one line on a table for Nagios, Icinga and their like, from what the table has retained at its broker.

The check publishes nothing and opens neither a device nor the journal, so it can run every minute beside a table that
is being played. Output and exit status are those of a monitoring plugin and not feltd's usual ones: a first line with
figures after `|`, then a line for each finding with its remedy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from typing import Final

import aiomqtt
import click
import msgspec

from daemon.config.load import load
from daemon.config.option import FILE
from daemon.errors import FeltdError
from daemon.mqtt.client import connected
from daemon.mqtt.documents import Running
from daemon.mqtt.settings import MqttSettings
from daemon.mqtt.topics import Topics
from daemon.table.settings import TableSettings
from daemon.table.state import Phase, Presence
from daemon.tools.doctor.findings import Finding, Verdict, fine, problem, warning
from daemon.tools.doctor.machine import check_room
from daemon.tools.login import Login, as_reader, login_options
from daemon.visible import visible

NAME: Final = "check"
STANDS_STILL: Final = (Phase.HELD.value, Phase.INTERRUPTED.value)


class _Problem(msgspec.Struct, frozen=True):
    code: str
    message: str
    remedy: str


class Status(msgspec.Struct, frozen=True):
    """What is judged of a retained status. Who may publish as the table can retain any other document."""

    status: str
    problems: tuple[_Problem, ...]


class _Alert(msgspec.Struct, frozen=True):
    alert: str
    message: str
    remedy: str
    blocks_play: bool
    device: str | None


class _Device(msgspec.Struct, frozen=True):
    device: str
    presence: str


class _Table(msgspec.Struct, frozen=True):
    alerts: tuple[_Alert, ...]
    devices: tuple[_Device, ...]
    phase: str
    round_number: int


class State(msgspec.Struct, frozen=True):
    """What is judged of a retained state."""

    table: _Table


class PluginStatus(IntEnum):
    """The exit statuses of a monitoring plugin."""

    OK = 0
    WARNING = 1
    CRITICAL = 2
    UNKNOWN = 3


_STATUS: Final = {
    Verdict.OK: PluginStatus.OK,
    Verdict.WARNING: PluginStatus.WARNING,
    Verdict.PROBLEM: PluginStatus.CRITICAL,
}


@click.command()
@click.option("--config", "file", type=FILE, required=True, help="The table's TOML file.")
@click.option("--timeout", "wait_s", type=click.FloatRange(min=0.1), default=5.0, show_default=True,
              help="How many seconds to wait for the broker.")  # fmt: skip
@login_options
@click.pass_context
def check(ctx: click.Context, file: Path, wait_s: float, login: Login) -> None:
    """Check a running table in a second, as a Nagios plugin.

    It reads the table's retained status and state from the broker and looks at the room on the journal's disk. If the
    table logs in with a user, the check needs another one: many brokers end a user's first connection at the second.
    It writes nothing. The exit status is 0 for ok, 1 for a warning, 2 for critical and 3 if the
    check itself was not possible.
    """
    try:
        config = load(file)
        asking = replace(as_reader(config.mqtt, login), connect_s_max=wait_s)
    except FeltdError as error:
        click.echo(f"FELTD UNKNOWN - {_plain(error.message)}\n{error.remedy}")
        ctx.exit(PluginStatus.UNKNOWN)
    state, findings = asyncio.run(_from_broker(asking, config.table, wait_s))
    if config.journal.parent.is_dir():
        findings.append(check_room(config.journal.parent))
    status = max(_STATUS[finding.verdict] for finding in findings)
    click.echo(report(config.table.table, status, findings, state))
    ctx.exit(status)


async def _from_broker(asking: MqttSettings, table: TableSettings, wait_s: float) -> tuple[State | None, list[Finding]]:
    topics = Topics(table.site, table.table)
    client_id = f"{asking.own_client_id(topics.site, topics.table)}:{NAME}"
    retained: dict[str, bytes] = {}
    try:
        async with connected(asking, client_id, None) as connection:
            wanted = (topics.status, topics.state)
            for topic in wanted:
                await connection.listen(topic)
            try:
                async with asyncio.timeout(wait_s):
                    async for message in connection.messages:
                        connection.acknowledge(message)
                        retained[str(message.topic)] = bytes(message.payload)
                        if len(retained) == len(wanted):
                            break
            except TimeoutError:
                pass
    except FeltdError as error:
        return None, [problem("broker", f"{asking.host}:{asking.port}", error.message, error.remedy)]
    except aiomqtt.MqttError as error:  # it let us in, and went away or ended the connection
        remedy = (
            "See whether another program logs in as this user, and whether the broker's list lets it read this table."
        )
        return None, [problem("broker", f"{asking.host}:{asking.port}", f"the connection ended: {error}.", remedy)]
    return examine(retained.get(topics.status, b""), retained.get(topics.state, b""))


def examine(status: bytes, state: bytes) -> tuple[State | None, list[Finding]]:
    """Judge what is retained of a table. Return its state too, if it is one."""
    if not status or not state:
        remedy = "Start it (systemctl start feltd@TABLE), and check that site, name and broker are this table's."
        return None, [problem("daemon", "daemon", "this table has published nothing at this broker.", remedy)]
    try:
        known = msgspec.json.decode(state, type=State)
        return known, list(judge(msgspec.json.decode(status, type=Status), known))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        remedy = "See who may publish as this table at the broker, and whether feltd here is older than the table's."
        said = "what is retained of this table is not a status and a state."
        return None, [problem("daemon", "daemon", said, remedy)]


def judge(status: Status, state: State) -> Iterator[Finding]:
    """Judge the two retained documents of a table."""
    if status.status != Running.RUNNING.value:
        remedy = "Look at journalctl -u feltd@TABLE and at the network between this machine and the broker."
        yield problem("daemon", "daemon", f"the daemon is {status.status}.", remedy)
    for one in status.problems:
        yield Finding(one.code, "broker", Verdict.WARNING, one.message, one.remedy)
    table = state.table
    for alert in table.alerts:
        verdict = Verdict.PROBLEM if alert.blocks_play else Verdict.WARNING
        yield Finding(alert.alert, "alert", verdict, f"{alert.message}.", f"{alert.remedy}.")
    named = {alert.device for alert in table.alerts}
    for device in table.devices:
        if device.presence != Presence.UP.value and device.device not in named:
            said = f"{device.device} is {device.presence}."
            yield warning("device", "device", said, "Check its power and cable; feltd doctor tells more.")
    if table.phase in STANDS_STILL:
        yield warning("phase", "round", f"the round is {table.phase}.", "It waits for a supervisor.")
    yield fine("daemon", "daemon", f"{status.status}, {table.phase}, round {table.round_number}.")


def report(table: str, status: PluginStatus, findings: Sequence[Finding], state: State | None) -> str:
    """Return the plugin's output: the worst finding and the figures in one line, then each finding that is not ok."""
    wrong = sorted(
        (finding for finding in findings if finding.verdict is not Verdict.OK),
        key=lambda finding: -_STATUS[finding.verdict],
    )
    worst = (wrong or findings)[0]
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    alerts, rounds = (0, 0) if state is None else (len(state.table.alerts), state.table.round_number)
    first = f"FELTD {status.name} - {table}: {_plain(worst.said)}{more}"
    lines = [f"{_STATUS[one.verdict].name}: {_plain(f'{one.said} {one.remedy} [{one.check}]')}" for one in wrong]
    return "\n".join([f"{first} | alerts={alerts} rounds={rounds}", *lines])


def _plain(text: str) -> str:
    """Return text without a line break or `|`, which would end a plugin's text, and with nothing for a terminal."""
    return visible(" ".join(text.split()).replace("|", "/"))
