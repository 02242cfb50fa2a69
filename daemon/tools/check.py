"""`feltd check`: one line on a table for Nagios, Icinga and their like, from what the table has retained at its broker.

The check publishes nothing and opens neither a device nor the journal, so it can run every minute beside a table that
is being played. Output and exit status are those of a monitoring plugin and not feltd's usual ones: a first line with
figures after `|`, then a line for each finding with its remedy.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from typing import Any, Final, TypeAlias

import aiomqtt
import click

from daemon.config.load import load
from daemon.config.option import FILE
from daemon.errors import FeltdError
from daemon.mqtt.client import connected
from daemon.mqtt.documents import Running, read_retained
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

Document: TypeAlias = Mapping[str, Any]


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
    documents, findings = asyncio.run(_from_broker(asking, config.table, wait_s))
    if config.journal.parent.is_dir():
        findings.append(check_room(config.journal.parent))
    status = max(_STATUS[finding.verdict] for finding in findings)
    click.echo(report(config.table.table, status, findings, documents.get("state", {})))
    ctx.exit(status)


async def _from_broker(
    asking: MqttSettings, table: TableSettings, wait_s: float
) -> tuple[dict[str, Document], list[Finding]]:
    topics = Topics(table.site, table.table)
    client_id = f"{asking.own_client_id(topics.site, topics.table)}:{NAME}"
    documents: dict[str, Document] = {}
    try:
        async with connected(asking, client_id, None) as connection:
            wanted = {topics.status: "status", topics.state: "state"}
            for topic in wanted:
                await connection.listen(topic)
            try:
                async with asyncio.timeout(wait_s):
                    async for message in connection.messages:
                        connection.acknowledge(message)
                        documents[wanted[str(message.topic)]] = read_retained(bytes(message.payload))
                        if len(documents) == len(wanted):
                            break
            except TimeoutError:
                pass
    except FeltdError as error:
        return documents, [problem("broker", f"{asking.host}:{asking.port}", error.message, error.remedy)]
    except aiomqtt.MqttError as error:  # it let us in, and went away or ended the connection
        remedy = (
            "See whether another program logs in as this user, and whether the broker's list lets it read this table."
        )
        return documents, [problem("broker", f"{asking.host}:{asking.port}", f"the connection ended: {error}.", remedy)]
    try:
        return documents, list(judge(documents.get("status", {}), documents.get("state", {})))
    except (KeyError, TypeError):
        remedy = "See who may publish as this table at the broker, and whether feltd here is older than the table's."
        return {}, [problem("daemon", "daemon", "what is retained of this table is not a status and a state.", remedy)]


def judge(status: Document, state: Document) -> Iterator[Finding]:
    """Judge the two retained documents of a table. An empty one is missing."""
    if not status or not state:
        remedy = "Start it (systemctl start feltd@TABLE), and check that site, name and broker are this table's."
        yield problem("daemon", "daemon", "this table has published nothing at this broker.", remedy)
        return
    running = status["status"]
    if running != Running.RUNNING.value:
        remedy = "Look at journalctl -u feltd@TABLE and at the network between this machine and the broker."
        yield problem("daemon", "daemon", f"the daemon is {running}.", remedy)
    for one in status["problems"]:
        yield warning(one["code"], "broker", one["message"], one["remedy"])
    table = state["table"]
    for alert in table["alerts"]:
        judged = problem if alert["blocks_play"] else warning
        yield judged(alert["alert"], "alert", f"{alert['message']}.", f"{alert['remedy']}.")
    named = {alert["device"] for alert in table["alerts"]}
    for device in table["devices"]:
        if device["presence"] != Presence.UP.value and device["device"] not in named:
            said = f"{device['device']} is {device['presence']}."
            yield warning("device", "device", said, "Check its power and cable; feltd doctor tells more.")
    if table["phase"] in STANDS_STILL:
        yield warning("phase", "round", f"the round is {table['phase']}.", "It waits for a supervisor.")
    yield fine("daemon", "daemon", f"{running}, {table['phase']}, round {table['round_number']}.")


def report(table: str, status: PluginStatus, findings: Sequence[Finding], state: Document) -> str:
    """Return the plugin's output: the worst finding and the figures in one line, then each finding that is not ok."""
    wrong = sorted(
        (finding for finding in findings if finding.verdict is not Verdict.OK),
        key=lambda finding: -_STATUS[finding.verdict],
    )
    worst = (wrong or findings)[0]
    more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
    pictured = state.get("table", {})
    figures = {"alerts": len(pictured.get("alerts", ())), "rounds": pictured.get("round_number", 0)}
    first = f"FELTD {status.name} - {table}: {_plain(worst.said)}{more}"
    after = " ".join(f"{name}={value}" for name, value in figures.items())
    lines = [f"{_STATUS[one.verdict].name}: {_plain(one.said)} {_plain(one.remedy)} [{one.check}]" for one in wrong]
    return "\n".join([f"{first} | {after}", *lines])


def _plain(text: str) -> str:
    """Return text without a line break or `|`, which would end a plugin's text, and with nothing for a terminal."""
    return visible(" ".join(text.split()).replace("|", "/"))
