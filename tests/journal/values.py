"""Values for the journal's tests, a few of each kind by hand; any of a type are in `any_value`.

Programs that start often import this, so it does not import hypothesis.
"""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import cast

import apsw

from daemon.journal.record import Packer, first_hash, next_hash
from daemon.rules.big_50 import Big50House
from daemon.rules.limits import Day
from daemon.rules.results import Outcome
from daemon.rules.wagers import GameName, WagerName
from daemon.table.facts import Fact
from daemon.table.inputs import Bet, Configured, Request
from daemon.table.round_facts import BetPlaced, HandSettled, SettledWager
from daemon.table.settings import SourceSettings, TableSettings
from daemon.table.step import Answer, Step
from daemon.table.vocabulary import Actor, Evidence, RequestId, RoundId, SeatNumber
from drivers.events import DeviceName, DeviceReport, PacketDispensed, Receipt, Stamp
from protocols.cards import parse_cards

SHOE = DeviceName("shuffler")
ROUND = RoundId("round-1")
SETTINGS = TableSettings(
    site="north",
    table="7",
    game=GameName.BIG_50,
    seats=6,
    source=SourceSettings(SHOE, takes_commands=True, reads_faces=True, counts=True),
    options=Big50House(),
)
HAND = HandSettled(
    SeatNumber(1),
    parse_cards("Ah Kd 2c 3c 4d"),
    Evidence.SEEN_BY_DEVICE,
    "ace high",
    20,
    (SettledWager(WagerName.BIG_50, 500, Outcome.LOSE, -500, 0, None, "big-50", "0123"),),
)
BET = BetPlaced(SeatNumber(1), WagerName.BIG_50, 500, None, "player 1")
ACCEPTED = Answer(True, "accepted", "")


def at(number: int) -> Stamp:
    """A moment for event `number`."""
    return Stamp(utc_ns=1_790_000_000_000_000_000 + number, mono_ns=number)


def configured(number: int, rules_version: str = "1") -> Configured:
    return Configured(at(number), Day(20_000), "journal", rules_version, SETTINGS)


def dispensed(number: int, boot: str = "boot-1") -> DeviceReport:
    packet = PacketDispensed(number, 5, parse_cards("Ah Kd 2c 3c 4d"))
    return DeviceReport(SHOE, at(number), packet, Receipt(boot, number))


def bet(number: int, who: str = "panel") -> Request:
    action = Bet(SeatNumber(1), WagerName.BIG_50, 500)
    return Request(at(number), RequestId(f"request-{number}"), who, Actor.PLAYER, None, action)


def step(facts: int = 2, answer: Answer | None = None) -> Step[None]:
    """A step with so many facts."""
    return Step(None, tuple(Fact(ROUND, HAND if n % 2 else BET) for n in range(facts)), (), answer)


def tampered(path: Path, offset: int, old: bytes, new: bytes, *, is_hashed_again: bool = True) -> None:
    """Change what a record says, as somebody who can write to the file would; with the hash of it and of all after."""
    with closing(apsw.Connection(str(path))) as db, db:
        meta = dict(cast("list[tuple[str, bytes]]", db.execute("SELECT key, value FROM meta").fetchall()))
        packer, before = Packer(meta["dictionary"]), first_hash(meta["header"])
        rows = db.execute("SELECT offset, body, hash FROM records ORDER BY offset").fetchall()
        for number, body, stored in cast("list[tuple[int, bytes, bytes]]", rows):
            line = packer.unpack(body)
            if number == offset:
                assert old in line
                line = line.replace(old, new)
            before = next_hash(before, line) if is_hashed_again else stored
            db.execute("UPDATE records SET body = ?, hash = ? WHERE offset = ?", (packer.pack(line), before, number))
