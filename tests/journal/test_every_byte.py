"""A bit is flipped in each byte of a journal: nothing that follows from it is other than before without a word.

What follows is what a start makes of the file: which events consumers get, what a repeated request is answered, what a
device is asked for, which commands are refused after a flood. A start may refuse the file by name. But no event is
skipped or changed, and where anything else differs, the check of the whole journal says so.
"""

from __future__ import annotations

import os
import random
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from daemon.errors import JournalError
from daemon.journal.journal import Journal
from daemon.journal.reading import JournaledFact, JournalReader
from daemon.journal.record import Carried
from daemon.journal.signing import Signer
from daemon.mqtt.order import MARK
from daemon.mqtt.outbox import CURSOR
from daemon.rules.limits import Day
from daemon.rules.wagers import GameName
from daemon.table.carry_over import CarryOver
from daemon.table.inputs import JournalRestored, Request
from daemon.table.step import Answer
from daemon.tools.journal.verifying import verify
from drivers.events import Receipt
from tests.journal.values import ACCEPTED, SHOE, at, bet, configured, dispensed, step

RECORDS: Final = 14
RESTORED: Final = 4
CARRIED: Final = 9
PUBLISHED: Final = 5
PAGE: Final = 4096
REQUESTS: Final = (2, 6, 8, 10, 12, 14)
EVERY: Final = 1 if "FELTD_SOAK" in os.environ else 31
"""`make test` flips one byte of so many, by a seed; `make soak` flips each."""


@dataclass(frozen=True, slots=True)
class Following:
    """What follows from a file."""

    journal: str
    end: tuple[int, int, bytes]
    facts: tuple[JournaledFact, ...]
    is_marked: bool
    receipt: Receipt | None
    carried: tuple[int, Carried] | None
    checkpoint: int
    answers: tuple[tuple[Request, Answer] | None, ...]


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a row in each table, and events that no consumer has yet, before what a start reads and in it."""
    path = tmp_path_factory.mktemp("sound") / "table.journal"
    with closing(Journal.open(path, create=True, signer=Signer(Ed25519PrivateKey.generate()))) as journal:
        journal.append(configured(1), step(1))
        for number in range(2, RECORDS + 1):
            carried = CarryOver(GameName.BIG_50, Day(1), rounds_opened=number) if number == CARRIED else None
            if number == RESTORED:
                journal.append(JournalRestored(at(number), "abcdef012345", "a test", "nobody"), step(1), carried)
            elif number in REQUESTS:
                journal.append(bet(number), step(2, ACCEPTED), carried)
            else:
                journal.append(dispensed(number), step(number % 3), carried)
            if number == CARRIED:
                journal.checkpoint(number)
        journal.advance(CURSOR, PUBLISHED)
        journal.do_upkeep()
        journal.set_mark(MARK, True)
    return path


def following(path: Path) -> Following:
    with closing(Journal.open(path, create=False)) as journal:
        end = journal.last_offset()
        return Following(
            journal=journal.id,
            end=(end, journal.last_sequence(), journal.hash_at(end)),
            facts=journal.facts_after(journal.cursor(CURSOR), 1_000),
            is_marked=journal.has_mark(MARK),
            receipt=journal.last_receipt(SHOE),
            carried=journal.last_carried(),
            checkpoint=journal.last_checkpoint(),
            answers=tuple(journal.answered("panel", bet(number).id) for number in REQUESTS),
        )


def faults(path: Path) -> bool:
    with closing(JournalReader.open_read_only(path)) as journal:
        return bool(verify(journal, {}, None).faults)


def test_nothing_is_other_than_before_without_a_word(sound: Path, tmp_path: Path) -> None:
    dice = random.Random(seed := int(os.environ.get("FELTD_SEED", "1")))
    content, path, lock = sound.read_bytes(), tmp_path / "table.journal", sound.with_name("table.journal.lock")
    remembered = lock.read_bytes()
    path.write_bytes(content)
    before = following(path)
    for at_byte in range(dice.randrange(EVERY), len(content), EVERY):
        bit = dice.randrange(8)
        where = f"FELTD_SEED={seed}, page {at_byte // PAGE + 1}, byte {at_byte % PAGE}, bit {bit}"
        flipped = bytearray(content)
        flipped[at_byte] ^= 1 << bit
        for left in path.parent.glob("table.journal-*"):
            left.unlink()
        path.write_bytes(flipped)
        path.with_name("table.journal.lock").write_bytes(remembered)
        try:
            is_found = faults(path)
            after = following(path)
        except JournalError:
            continue
        expect_nothing_worse(before, after, is_found=is_found, where=where)


def expect_nothing_worse(before: Following, after: Following, *, is_found: bool, where: str) -> None:
    given = {fact.sequence: fact for fact in after.facts}
    assert {fact.sequence: fact for fact in before.facts}.items() <= given.items(), f"{where}: consumers lack events"
    assert len(given) == len(after.facts) == after.end[1] - after.facts[0].sequence + 1, f"{where}: events with holes"
    assert after.is_marked, f"{where}: after a flood older commands are taken"
    assert (after.journal, after.end, after.receipt) == (before.journal, before.end, before.receipt), where
    assert is_found or (after.answers, after.checkpoint) == (before.answers, before.checkpoint), f"{where}: not found"
