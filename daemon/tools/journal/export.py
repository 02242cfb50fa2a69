"""An export of a journal: one directory with everything that a stranger needs to check it, and nothing of ours to run.

It ends with the last round that is over, because the cards of the one that is being played are hidden.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from daemon.errors import SetupError
from daemon.journal.errors import JournalContentError, JournalDamagedError
from daemon.journal.reading import Checkpoint, JournalReader
from daemon.rules.games import GAMES
from daemon.rules.house import narrowed
from daemon.rules.paytable import Paytable
from daemon.table.inputs import Configured
from daemon.tools.journal import verify
from daemon.tools.schemas.command import schema_files
from protocols.frozen import dataclass

PIECE: Final = 1_000
CONFIGURED: Final = b'"input":{"kind":"configured"'
README: Final = """\
An export of a feltd journal.

header.json        the journal's name and format; its SHA-256 is the first hash
base.json          what the first record follows: its number, that of its last event, and its hash; the chip, the limits
records.jsonl      one record a line: what happened, what the table said of it, what it answered
hashes.txt         the hash of each record: SHA-256 of the hash before it (32 bytes) and its line
checkpoints.jsonl  signed lines that name a record and its hash; the key and the signature in hexadecimal
paytables.json     every paytable by the SHA-256 of its text, which the results name
schemas            the JSON Schemas of the events
verify.py          checks all of this: python3 -I verify.py

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
        directory.mkdir(mode=0o700)  # as the journal: it has cards that nobody was shown, and of a shoe in play
        (directory / "schemas").mkdir()
    except OSError as error:
        remedy = "Name a directory that does not exist yet, in one that does."
        raise SetupError("export-directory", f"{directory}: {error.strerror}.", remedy) from error
    configured = journal.carried_at(after).configured if after > journal.base.offset else after + 1
    in_force = _configuration(journal, configured)
    base = {
        "journal": journal.id_at(after + 1),
        "offset": after,
        "sequence": journal.sequence_at(after),
        "hash": journal.hash_at(after).hex(),
        "chip_cents": in_force.settings.money.chip,
        "limits": json.loads(bytes(journal.line(configured).input))["settings"].get("limits", {}),
    }
    configurations = [in_force, *_write_records(journal, directory, after, last)]
    paytables = {paytable.sha256: paytable.text() for each in configurations for paytable in _paytables(each)}
    checkpoints = [_checkpoint(journal, one) for one in journal.checkpoints(after, last)]
    _write_lines(directory / "base.json", [base])
    _write_lines(directory / "paytables.json", [paytables])
    _write_lines(directory / "checkpoints.jsonl", checkpoints)
    (directory / "header.json").write_bytes(journal.header)
    (directory / "README.txt").write_text(README, encoding="utf-8")
    for name, schema in schema_files().items():
        (directory / "schemas" / name).write_bytes(msgspec.json.encode(schema))
    shutil.copy(verify.__file__, directory / "verify.py")
    return Exported(after + 1, last, len(checkpoints))


def _checkpoint(journal: JournalReader, signed: Checkpoint) -> dict[str, str]:
    try:
        line = signed.line.decode()
    except UnicodeDecodeError as error:
        raise JournalDamagedError(journal.path, f"record {signed.offset}: its checkpoint is not UTF-8") from error
    return {"line": line, "key": signed.key.hex(), "signature": signed.signature.hex()}


def _write_lines(file: Path, values: Sequence[object]) -> None:
    file.write_text("".join(json.dumps(value) + "\n" for value in values), encoding="utf-8")


def _base(journal: JournalReader, first_round: str | None) -> int:
    if first_round is None:
        return journal.base.offset
    opened = journal.opened_at(first_round)
    if opened is None:
        raise JournalContentError(journal.path, f"it has no round {first_round}")
    return opened


def _write_records(journal: JournalReader, directory: Path, after: int, last: int) -> list[Configured]:
    """Write the lines and their hashes. Return every configuration among them."""
    configurations = []
    with (directory / "records.jsonl").open("wb") as records, (directory / "hashes.txt").open("w") as hashes:
        while after < last:
            for record in journal.checked(after, min(PIECE, last - after)):
                records.write(record.line + b"\n")
                hashes.write(record.hash.hex() + "\n")
                after = record.offset
                if CONFIGURED in record.line:
                    configurations.append(_configuration(journal, after))
    return configurations


def _configuration(journal: JournalReader, offset: int) -> Configured:
    configured = journal.input_at(offset)
    if not isinstance(configured, Configured):
        raise JournalContentError(journal.path, f"record {offset} is not a configuration")
    return configured


def _paytables(configured: Configured) -> Iterator[Paytable[Any]]:
    for offer in configured.settings.games:
        playing = configured.settings.playing(offer.game)
        assert playing is not None, "it is one of the offered"
        spec = GAMES[offer.game]
        for spot in spec.spots:
            yield from spec.paytables_of(spot, narrowed(playing.house, type(spec.house)))
