"""Values for the journal's tests: any value of a type by hypothesis, and a few of each kind by hand."""

from __future__ import annotations

from contextlib import closing
from dataclasses import Field
from pathlib import Path
from typing import Any, TypeVar, cast, get_type_hints

import apsw
from hypothesis import strategies as st

from daemon.journal.record import Packer, first_hash, next_hash
from daemon.rules.big_50 import Big50House
from daemon.rules.house import House, options_of, scale_of
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.paytable_text import read_paytable
from daemon.rules.results import Outcome
from daemon.rules.wagers import GameName, WagerName
from daemon.table.facts import Fact
from daemon.table.games import PROCEDURES
from daemon.table.inputs import Bet, Configured, Request
from daemon.table.round_facts import BetPlaced, HandSettled, SettledWager
from daemon.table.settings import SourceSettings, TableSettings
from daemon.table.step import Answer, Step
from daemon.table.vocabulary import Actor, Evidence, RequestId, RoundId, SeatNumber
from drivers.events import DeviceName, DeviceReport, PacketDispensed, Receipt, Stamp
from protocols.cards import DECK, Face, Misread, parse_cards

T = TypeVar("T")

CENTS = st.integers(1, 10**9).map(Cents)
st.register_type_strategy(Face, st.sampled_from((*DECK, *Misread)))
st.register_type_strategy(MoneyRule, st.builds(MoneyRule, CENTS, st.sampled_from(Breakage)))
st.register_type_strategy(StakeRange, st.builds(lambda least, step: StakeRange(least, None, step), CENTS, CENTS))
st.register_type_strategy(
    LimitSchedule,
    st.dictionaries(st.integers(0, 99_999).map(Day), st.builds(Limits), min_size=1, max_size=3).map(
        lambda dated: LimitSchedule(tuple(sorted(dated.items(), key=lambda day: day[0])))
    ),
)


def houses(kind: type[House]) -> st.SearchStrategy[House]:
    """Options of every kind but the money, which the journal leaves out; some with paytables of the house's own."""
    hints = get_type_hints(kind)
    simple = {option.name: st.from_type(hints[option.name]) for option in options_of(kind) if scale_of(option) is None}
    own = {option.name: paytables(option) for option in options_of(kind) if scale_of(option) is not None}
    return st.builds(kind, **simple, **own)


def paytables(option: Field[Any]) -> st.SearchStrategy[object]:
    """The default, or a paytable of the house's own that pays for every case alike."""
    scale = scale_of(option)
    assert scale is not None
    rows = {scale.spell(case): "3 to 2" for case in scale.cases}
    return st.sampled_from([option.default, read_paytable("ours", "filed", scale, rows)])


KINDS_OF_HOUSE = tuple(procedure.play.options for procedure in PROCEDURES.values())
for kind in KINDS_OF_HOUSE:
    st.register_type_strategy(kind, houses(kind))
st.register_type_strategy(House, st.one_of(*map(houses, KINDS_OF_HOUSE)))

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


def anything(cls: type[T]) -> st.SearchStrategy[T]:
    """Any value of this class, built from its annotations."""
    return st.from_type(cls)


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
