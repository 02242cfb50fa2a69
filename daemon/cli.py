"""The command `feltd`: its subcommands, and how an error that nothing caught ends the process."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

import daemon
from daemon.errors import ExitStatus, FeltdError, SetupError, exit_status
from daemon.lazy import LazyCommand
from daemon.redact import trace
from daemon.visible import visible

COMMANDS = (
    LazyCommand(
        "bench",
        "daemon.tools.bench.command:bench",
        "Play a game with the emulated device that deals it, a broker and the daemon together.",
    ),
    LazyCommand("run", "daemon.config.command:run", "Run the daemon of one table."),
    LazyCommand(
        "create-journal", "daemon.config.command:create_journal", "Make a new table's journal, once in its life."
    ),
    LazyCommand(
        "page",
        "daemon.page.command:page",
        "Serve the screens of the tables to browsers.",
    ),
    LazyCommand(
        "adjudicate",
        "daemon.tools.rules.adjudicate:adjudicate_command",
        "Settle hands: JSON lines in, JSON lines out, in order.",
    ),
    LazyCommand("audit", "daemon.tools.rules.audit:audit_command", "Compute the exact return of every wager."),
    LazyCommand("advise", "daemon.tools.rules.advise:advise_command", "Say the best decision for given cards."),
    LazyCommand(
        "emulate",
        "sim_hardware.command:emulate",
        "Emulated devices on real ports, with faults to switch on while they run.",
    ),
    LazyCommand(
        "listen",
        "daemon.tools.listen:listen",
        "Print every message on these topics: the topic, a blank, the payload.",
    ),
    LazyCommand("decode", "daemon.tools.decode.command:decode", "Show what a device really said, frame by frame."),
    LazyCommand("capture", "daemon.tools.capture.command:capture", "Record a device's line until interrupted."),
    LazyCommand(
        "selftest",
        "daemon.tools.selftest.command:selftest",
        "Find out whether a real device does what its protocol promises.",
    ),
    LazyCommand(
        "schemas",
        "daemon.tools.schemas.command:schemas",
        "Write the JSON Schemas and the AsyncAPI document of MQTT.",
    ),
    LazyCommand(
        "journal",
        "daemon.tools.journal.command:journal",
        "Verify, show, export, back up, prune and restore a table's journal.",
    ),
    LazyCommand(
        "access",
        "daemon.tools.access:access",
        "Write a broker's access list from the site's file of people.",
    ),
    LazyCommand(
        "files",
        "daemon.tools.files.command:files",
        "Write unit, examples, man pages and completion into a directory.",
    ),
    LazyCommand("doctor", "daemon.tools.doctor.command:doctor", "Find what would keep a table from being played."),
    LazyCommand(
        "setup",
        "daemon.tools.setup.command:setup",
        "Set up a new table: ask, write its file, create its journal, and run doctor.",
    ),
    LazyCommand("check", "daemon.tools.check:check", "Check a running table in a second, as a Nagios plugin."),
    LazyCommand(
        "metrics", "daemon.tools.metrics.command:metrics", "Serve every table's figures to Prometheus, at /metrics."
    ),
    LazyCommand(
        "check-config",
        "daemon.config.command:check_config",
        "Say everything that is wrong with a table's, a site's or the page's file.",
    ),
)


def _exit_statuses() -> str:
    lines = "\n".join(f"{status.value:>3}  {status.meaning}" for status in ExitStatus)
    return f"\b\nExit status:\n{lines}"


def _print_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    if asked:
        from daemon.version import full_version  # only here: it takes longer to import than the help takes to print

        click.echo(f"{daemon.PROGRAM} {full_version()}")
        context.exit()


@click.group(commands={command.name or "": command for command in COMMANDS}, epilog=_exit_statuses())
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Print it.")
def feltd() -> None:
    """The daemon beside a casino table: shufflers and shoes in, proven and settled hands out over MQTT."""  # noqa: D401 - the help says what it is


def main() -> None:
    """Run the command line. End with the status of the error, if one is raised."""
    try:
        _refuse_foreign_package()
        feltd(prog_name=daemon.PROGRAM)
    except Exception as error:
        status = exit_status(error)
        if status is ExitStatus.SOFTWARE:
            _say(trace(error))
        else:
            for told in _leaves(error):
                _say(f"{told.message}\n{told.remedy} [{told.code}]")
        sys.exit(status)


def _say(lines: str) -> None:
    """Print what went wrong. A device's, a broker's or a forged file's own words are in it."""
    click.echo("\n".join(map(visible, lines.split("\n"))), err=True)


def _leaves(error: BaseException) -> Iterator[FeltdError]:
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    elif isinstance(error, FeltdError):
        yield error


def _refuse_foreign_package() -> None:
    # Both distributions install a package named daemon. The files of both are then in one folder, and the one that was
    # installed last has the ``__init__``.
    here = Path(__file__).resolve().parent
    if getattr(daemon, "PROGRAM", None) != "feltd" or (here / "pidfile.py").exists():
        raise SetupError(
            "setup.foreign-daemon-package",
            f"The package python-daemon is installed in the same folder as feltd: {here}.",
            "Install feltd into a virtual environment of its own.",
        )
