"""`feltd journal`: everything that is done with a journal beside playing on it."""

from __future__ import annotations

import getpass
import os
from pathlib import Path

import click

from daemon.clock import stamp
from daemon.config.load import load
from daemon.journal.key import find_signer
from daemon.tools.journal.restoring import restore

FILE = click.Path(path_type=Path)
CONFIG = click.option("--config", "file", type=FILE, required=True, help="The table's TOML file.")


@click.group()
def journal() -> None:
    """Verify, show, export, back up and restore a table's journal."""


@journal.command()
@CONFIG
@click.option("--because", metavar="REASON", required=True, help="Why the journal had to be restored, for the record.")
@click.option("--by", "who", metavar="NAME", default=getpass.getuser, help="Who restored it. Default: who runs this.")
@click.option("--last-round", type=click.IntRange(min=0), default=0, help="The highest round number that was dealt.")
def restored(file: Path, because: str, who: str, last_round: int) -> None:
    """Continue on a copy of the journal in the place of a lost one.

    Put the copy and its -wal in the journal's place first, with the daemon stopped. This command records the restore,
    gives the journal a new id, and lets the daemon start on it. What was committed after the copy was made is lost:
    consumers hear of it in `journal-continued`. Round numbers that the lock file remembers are not dealt again. If the
    lock file is lost too, give the last round that people know of.
    """
    config = load(file)
    done = restore(config.journal, stamp(), because, who, last_round, find_signer(os.environ, config.journal_key))
    lost = f"{done.lost} records are lost." if done.lost else "The lock file remembers no record that is lost."
    click.echo(
        f"{config.journal}: journal {done.journal} continues {done.before} after record {done.offset - 1}. {lost}"
    )
