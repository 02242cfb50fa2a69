"""An export of a journal: one directory with everything that a stranger needs to check it, and nothing of ours to run.

It ends with the last round that is over, because the cards of the one that is being played are hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from daemon.errors import SetupError
from daemon.journal.errors import JournalContentError, JournalDamagedError
from daemon.journal.reading import Checkpoint, JournalReader
from daemon.rules.games import GAMES
from daemon.rules.house import narrowed
from daemon.rules.limits import AGGREGATE_ODDS
from daemon.rules.money import Cents
from daemon.rules.paytable import Paytable
from daemon.table.inputs import Configured
from daemon.tools.folder import Folder
from daemon.tools.journal import verify
from daemon.tools.schemas.command import schema_files
from protocols.frozen import dataclass

PIECE: Final = 1_000
CONFIGURED: Final = b'"input":{"kind":"configured"'
README: Final = """\
An export of a feltd journal.

base.json      what the first record follows: its number, that of its last event, its hash, and the chip in force;
               the limits on what a deal pays: a wager, the most, and the least odds that count; the text of every
               paytable, whose SHA-256 the results name; the journal's header, whose SHA-256 is the hash before record 1
records.jsonl  one record a line: what happened, what the table said of it, what it answered
hashes.txt     the hash of each record: SHA-256 of the hash before it (32 bytes) and its line. Behind it, where the
               record was signed: the key and the signature in hexadecimal, and the line that they are for
schemas        the JSON Schemas of the events
verify.py      checks all of this: python3 -I verify.py

There is no Poker Hand History here. That format has a closed list of games, all of them between players, and the
games of this table are played against the house. The records have every card, wager and decision.
"""


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export holds."""

    first: int
    last: int
    checkpoints: int


def export(journal: JournalReader, directory: Path, first_round: str | None) -> Exported:
    """Write the export into a new directory. Begin behind the record that opened `first_round`, or with the first."""
    carried = journal.last_carried()
    after = _base(journal, first_round)
    if carried is None or carried[0] <= after:
        raise JournalContentError(journal.path, "no round is over in what is asked for")
    last = carried[0]
    try:
        # As the journal: it has cards that nobody was shown, and of a shoe in play.
        with Folder.made_new(directory, 0o700) as folder:
            return _write(journal, folder, after, last)
    except OSError as error:
        remedy = "Name a directory that does not exist yet, in one that does."
        raise SetupError("export-directory", f"{directory}: {error.strerror}.", remedy) from error


def _write(journal: JournalReader, folder: Folder, after: int, last: int) -> Exported:
    configured = journal.carried_at(after).configured if after > journal.base.offset else after + 1
    in_force = _configuration(journal, configured)
    checkpoints = journal.checkpoints(after, last)
    configurations = [in_force, *_write_records(journal, folder, after, last, checkpoints)]
    base = {
        "header": journal.header.decode(),
        "offset": after,
        "sequence": journal.sequence_at(after),
        "hash": journal.hash_at(after).hex(),
        "chip": in_force.settings.money.chip,
        "limits": sorted({limit for each in configurations for limit in _aggregates(each)}),
        "paytables": sorted({paytable.text() for each in configurations for paytable in _paytables(each)}),
    }
    folder.write("base.json", msgspec.json.encode(base) + b"\n")
    folder.write("README.txt", README.encode())
    with folder.below("schemas") as schemas:
        for name, schema in schema_files().items():
            schemas.write(name, msgspec.json.encode(schema))
    folder.write("verify.py", Path(verify.__file__).read_bytes())
    return Exported(after + 1, last, len(checkpoints))


def _signed_there(journal: JournalReader, one: Checkpoint) -> str:
    try:
        return f" {one.key.hex()} {one.signature.hex()} {one.line.decode()}"
    except UnicodeDecodeError as error:
        raise JournalDamagedError(journal.path, f"record {one.offset}: its checkpoint is not UTF-8") from error


def _base(journal: JournalReader, first_round: str | None) -> int:
    if first_round is None:
        return journal.base.offset
    opened = journal.opened_at(first_round)
    if opened is None:
        raise JournalContentError(journal.path, f"it has no round {first_round}")
    return opened


def _write_records(
    journal: JournalReader, folder: Folder, after: int, last: int, checkpoints: Sequence[Checkpoint]
) -> list[Configured]:
    """Write the lines, their hashes and what was signed. Return every configuration among them."""
    configurations = []
    signed = {one.offset: _signed_there(journal, one) for one in checkpoints}
    with folder.writing("records.jsonl") as records, folder.writing("hashes.txt") as hashes:
        while after < last:
            for record in journal.checked(after, min(PIECE, last - after)):
                records.write(record.line + b"\n")
                hashes.write(f"{record.hash.hex()}{signed.get(record.offset, '')}\n".encode())
                after = record.offset
                if CONFIGURED in record.line:
                    configurations.append(_configuration(journal, after))
    return configurations


def _configuration(journal: JournalReader, offset: int) -> Configured:
    configured = journal.input_at(offset)
    if not isinstance(configured, Configured):
        raise JournalContentError(journal.path, f"record {offset} is not a configuration")
    return configured


def _aggregates(configured: Configured) -> Iterator[tuple[str, Cents, int]]:
    for _, limits in configured.settings.limits.dated:
        for one in limits.aggregates:
            yield one.wager.value, one.most, 0 if one.shares_all else int(AGGREGATE_ODDS)


def _paytables(configured: Configured) -> Iterator[Paytable[Any]]:
    for offer in configured.settings.games:
        playing = configured.settings.playing(offer.game)
        assert playing is not None, "it is one of the offered"
        spec = GAMES[offer.game]
        for spot in spec.spots:
            yield from spec.paytables_of(spot, narrowed(playing.house, type(spec.house)))
