"""`feltd journal`: everything that is done with a journal beside playing on it."""

from __future__ import annotations

import asyncio
import os
import re
from base64 import b64decode
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

import click

from daemon.clock import stamp
from daemon.config.load import load
from daemon.config.option import FILE
from daemon.counting import counted
from daemon.errors import ExitStatus
from daemon.journal.key import find_signer
from daemon.journal.reading import JournalReader
from daemon.mqtt.commands import TEXT_MAX, TEXT_PATTERN
from daemon.mqtt.topics import Topics
from daemon.tools.folder import Folder
from daemon.tools.journal.backup import back_up
from daemon.tools.journal.drawing import drawn
from daemon.tools.journal.export import export
from daemon.tools.journal.pruning import prune
from daemon.tools.journal.replay import replay
from daemon.tools.journal.restoring import restore, whose
from daemon.tools.journal.rounds import find_round, last_rounds, summary, told
from daemon.tools.journal.steps import steps
from daemon.tools.journal.verifying import verify
from daemon.visible import visible

_BEFORE_A_KEY = bytes.fromhex("302a300506032b6570032100")  # in PEM (RFC 8410)
DAY_NS = 86_400 * 10**9
JOURNAL = click.argument("path", metavar="JOURNAL", type=click.Path(exists=True, dir_okay=False, path_type=Path))
CONFIG = click.option("--config", "file", type=FILE, required=True, help="The table's TOML file.")


def _say(text: str, *, err: bool = False) -> None:
    """Print a line. A forged journal must not write another verdict over ours, or hide the rest of it."""
    click.echo(visible(text), err=err)


def _one_line(_: click.Context, __: click.Parameter, given: str | None) -> str | None:
    if given is None:
        return None
    is_text = given == given.encode(errors="replace").decode()  # what is not UTF-8 comes as half characters
    if not is_text or len(given) > TEXT_MAX or re.match(TEXT_PATTERN, given) is None:
        raise click.BadParameter(f"expected at most {TEXT_MAX} characters on one line, each of them visible")
    return given


def _known_hashes(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> dict[int, str]:
    known = {}
    for word in given:
        offset, _colon, hash_ = word.partition(":")
        if not offset.isdecimal() or not re.fullmatch("[0-9a-fA-F]{64}", hash_):
            raise click.BadParameter(f"{word!r} is not an offset, a colon and 64 hexadecimal digits")
        known[int(offset)] = hash_
    return known


def _key_of(word: str) -> str:
    lines = Path(word).read_text().splitlines()[1:-1] if Path(word).is_file() else []
    return b64decode("".join(lines)).removeprefix(_BEFORE_A_KEY).hex() if lines else word.lower()


def _public_key(_ctx: click.Context, _param: click.Parameter, word: str | None) -> str | None:
    try:
        key = None if word is None else _key_of(word)
    except ValueError:  # a file of other bytes
        key = ""
    if key is not None and not re.fullmatch("[0-9a-f]{64}", key):
        raise click.BadParameter(f"{word} is not an Ed25519 public key in PEM or in hexadecimal digits")
    return key


@click.group()
def journal() -> None:
    """Verify, show, export, back up, prune and restore a table's journal."""


@journal.command("verify")
@JOURNAL
@click.option("--known", metavar="OFFSET:HASH", multiple=True, callback=_known_hashes,
              help="A hash kept elsewhere. A round-settled with the id X:8:0 has that of record 7.")  # fmt: skip
@click.option("--key", metavar="KEY", callback=_public_key,
              help="The public key that must have signed: its file in PEM, or in hex.")  # fmt: skip
@click.pass_context
def verify_command(ctx: click.Context, path: Path, known: Mapping[int, str], key: str | None) -> None:
    """Check that a journal holds what was written, record by record.

    The table may play on meanwhile: nothing is changed. It looks at every hash and signature, for holes, and at the
    indexes, and names each place that does not fit. It ends with status 74 if there is one.
    """
    with closing(JournalReader.open_read_only(path)) as opened:
        found = verify(opened, known, key)
    for fault in found.faults:
        _say(f"record {fault.offset}: {fault.what}", err=True)
    signed = f"{found.signed} checkpoints are signed, the last at record {found.signed_to}, by {', '.join(found.keys)}."
    _say(f"{path}: journal {found.journal}, records {found.first} to {found.last}.")
    _say(f"The last hash is {found.head}.")
    _say(signed if found.signed else "It is unsigned.")
    if found.faults:
        _say(f"{len(found.faults)} places do not fit.")
        ctx.exit(ExitStatus.JOURNAL)
    _say("Everything fits.")


@journal.command("rounds")
@JOURNAL
@click.option("--last", "count", type=click.IntRange(min=1), default=20, show_default=True, help="How many.")
def rounds_command(path: Path, count: int) -> None:
    """List the last rounds that are over: when, which game, and what they came to."""
    with closing(JournalReader.open_read_only(path)) as opened:
        for record in last_rounds(opened, count):
            _say(summary(record))


@journal.command("show")
@JOURNAL
@click.argument("round_id", metavar="ROUND")
@click.option("--picture", type=click.Path(path_type=Path), help="Draw the table into this SVG file instead.")
@click.option(
    "--at", "offset", metavar="RECORD", type=int, help="Draw it as it was after this record. Default: its last step."
)
@click.option("--steps", "for_program", is_flag=True, help="Write the table at every step as JSON, for a program.")
def show_command(path: Path, round_id: str, picture: Path | None, offset: int | None, *, for_program: bool) -> None:
    """Show one round as a person reads it: cards, wagers, decisions and prompts, who and when.

    A round that is being played is not shown: its cards are hidden until it ends. A picture has what everybody could
    see at that step. With --steps, each line is one record with the table's public state after it.
    """
    with closing(JournalReader.open_read_only(path)) as opened:
        record = find_round(opened, round_id)
        svg = None
        if record is not None and record.is_over and picture is not None:
            last = record.lines[-1]["offset"]
            step = record.lines[-2]["offset"] if offset is None else offset  # with the last it is over
            if not record.first <= step <= last:
                raise click.BadParameter(f"{round_id} has the records {record.first} to {last}", param_hint="--at")
            svg = drawn(opened, record.first, step)
        if record is not None and record.is_over and for_program:
            for step in steps(opened, record.first, record.lines[-1]["offset"]):
                click.echo(step)
            return
    if record is None:
        raise click.BadParameter(f"the journal has no round {round_id}", param_hint="ROUND")
    if not record.is_over:
        raise click.BadParameter(
            f"{round_id} is being played, and its cards are hidden until it ends", param_hint="ROUND"
        )
    if picture is not None and svg is not None:
        try:
            with Folder.opened(picture.parent) as folder:
                folder.write(picture.name, svg.encode())
        except OSError as error:
            raise click.BadParameter(f"{picture}: {error.strerror}", param_hint="--picture") from None
        return
    for line in told(record):
        _say(line)


@journal.command("backup")
@JOURNAL
@click.argument("target", type=click.Path(path_type=Path))
def backup_command(path: Path, target: Path) -> None:
    """Copy a journal to a new file, whole, while its table plays.

    The copy is that of one moment, and appears under its name when it is on the disk. To put it in the place of a lost
    journal, see `feltd journal restored`.
    """
    done = back_up(path, target)
    _say(f"{target}: journal {done.journal}, {counted(done.last, 'record')}, {done.size_bytes} bytes.")
    _say(f"The last hash is {done.head}.")


@journal.command("export")
@JOURNAL
@click.argument("directory", type=click.Path(path_type=Path))
@click.option("--first", "first_round", metavar="ROUND", help="Begin with this round. Default: with the first record.")
def export_command(path: Path, directory: Path, first_round: str | None) -> None:
    """Write everything that an auditor needs into a new directory, with a program that checks it.

    It has every record as a line of JSON, their hashes, the signed checkpoints, the paytables, the schemas, and
    verify.py, which needs only Python. It ends with the last round that is over.
    """
    with closing(JournalReader.open_read_only(path)) as opened:
        done = export(opened, directory, first_round)
    _say(f"{directory}: records {done.first} to {done.last}, {counted(done.checkpoints, 'checkpoint')}.")
    _say(f"Check it with: python3 -I {directory / 'verify.py'}")


@journal.command("prune")
@JOURNAL
@click.option("--older-than", "days", metavar="DAYS", type=click.IntRange(min=1), required=True,
              help="Forget what happened more than so many days ago.")  # fmt: skip
def prune_command(path: Path, days: int) -> None:
    """Forget what is old. What is kept still proves itself, and joins an export or a hash that was kept elsewhere.

    Stop the daemon first, and export what the law wants kept. The journal is cut before a start of the daemon between
    two rounds, so a table that is never started again keeps everything. What is forgotten is checked before, and what
    the broker has not received yet is kept.
    """
    done = prune(path, stamp().utc_ns - days * DAY_NS)
    if done is None:
        _say(f"{path}: nothing is forgotten. No start between two rounds is more than {days} days old.")
        return
    signed = "signed" if done.is_signed else "unsigned"
    _say(f"{path}: records {done.first} to {done.last} are forgotten. The file has {done.size_bytes} bytes.")
    _say(f"The rest follows the {signed} hash {done.hash}.")


@journal.command("replay")
@JOURNAL
@click.pass_context
def replay_command(ctx: click.Context, path: Path) -> None:
    """Run a journal through this version, and say where it would have decided otherwise.

    Only the first difference of a round is named. It ends with status 1 if there is one.
    """
    with closing(JournalReader.open_read_only(path)) as opened:
        found = list(replay(opened))
        for difference in found:
            _say(f"record {difference.offset}: {difference.what}")
        _say(f"{counted(opened.last_offset() - opened.base.offset, 'record')}, {counted(len(found), 'difference')}.")
    if found:
        ctx.exit(ExitStatus.REFUSED)


@journal.command("take-over")
@CONFIG
def take_over_command(file: Path) -> None:
    """Say that this table's journal takes the place of another one at the broker.

    A daemon serves nobody while the broker has its table with another journal, or with later events than its own. This
    removes that state from the broker, as the table's own user. Stop the other daemon first.
    """
    from daemon.tools.journal.taking_over import take_over  # the other commands need no broker

    config = load(file)
    taken = asyncio.run(take_over(config.mqtt, Topics(config.table.site, config.table.table)))
    _say(f"The broker no longer has a state of {config.table.table}. It had journal {taken or 'none'}.")


@journal.command()
@CONFIG
@click.option(
    "--because",
    metavar="REASON",
    required=True,
    callback=_one_line,
    help="Why the journal had to be restored, for the record.",
)
@click.option(
    "--by",
    metavar="NAME",
    callback=_one_line,
    help="Who restores it. The record also says whose account runs this, and who logged in.",
)
@click.option("--last-round", type=click.IntRange(min=0), help="The highest round number that was dealt.")
def restored(file: Path, because: str, by: str | None, last_round: int | None) -> None:
    """Continue on a copy of the journal in the place of a lost one.

    Put the copy and its -wal in the journal's place first, with the daemon stopped. This command records the restore,
    gives the journal a new id, and lets the daemon start on it. What was committed after the copy was made is lost:
    consumers hear of it in `journal-continued`. Round numbers that the lock file remembers are not dealt again. If the
    lock file is lost too, it asks for the last round that people know of.
    """
    config = load(file)
    done = restore(config.journal, stamp(), because, whose(by), last_round, find_signer(os.environ, config.journal_key))
    lost = f"{done.lost} records are lost." if done.lost else "The lock file remembers no record that is lost."
    _say(f"{config.journal}: journal {done.journal} continues {done.before} after record {done.offset - 1}. {lost}")
