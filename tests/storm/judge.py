"""What holds in any storm, whatever goes wrong.

The judge knows what was heard over the broker, which cards hands took out of the devices, and what the journal has. It
keeps its own account of stakes and asks the table's state for nothing. It finds: an event that is missing or was never
committed, a report or a request that was taken twice, a request that was answered in two ways, a stake that is lost, a
wager that is settled twice, a card that was never dealt, and a card that is named before its moment.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from daemon.journal.journal import Journal
from daemon.journal.reading import JournaledFact
from daemon.journal.record import ANSWERS
from daemon.mqtt.envelope import envelope
from daemon.mqtt.outbox import CURSOR
from daemon.mqtt.topics import Topics
from daemon.recovery import recover, replayed
from daemon.table.inputs import Request
from daemon.table.step import Answer
from daemon.table.vocabulary import RequestId
from daemon.tools.bench.client import EventHeard
from drivers.events import DeviceReport

CARD: Final = re.compile(r"(?<![\w-])[2-9TJQKA][cdhs](?![\w-])")
RESULTS: Final = ("hand-settled", "fold-settled", "first-five-settled", "wager-taken")
DISTURBED: Final = ("irregularity-found", "round-held", "round-interrupted", "round-voided")
BEFORE_PROOF: Final = {"first-five-settled", "cards-entered", "card-dealt", "dealer-cards-shown"}
"""These may name a card before the deck is proven: a player turned it over, a person read it, or it is dealt open."""

Spot = tuple[int, str, str | None]


@dataclass
class Judge:
    """One storm's judge. What it finds is an AssertionError where it is found.

    With `is_strict` nothing has happened that may disturb a round: none is irregular, void or stands still.
    """

    is_strict: bool = False
    on_felt: Counter[str] = field(default_factory=Counter)
    _stakes: dict[Spot, int] = field(default_factory=dict)
    _is_closed: bool = False
    _is_proven: bool = False
    _net_cents: int = 0
    _settled: set[tuple[str, int]] = field(default_factory=set)
    _number: int = 0
    _named: set[str] = field(default_factory=set)

    def hear(self, heard: EventHeard) -> None:
        """Judge the next event."""
        data, where = heard.data, f"{heard.sequence}, {heard.kind}"
        match heard.kind:
            case "round-opened":
                assert data["number"] == self._number + 1, f"{where}: {data['number']} follows {self._number}"
                self._number = data["number"]
                self._begin()
            case "bet-placed":
                self._stakes[_spot(data)] = data["stake_cents"]
            case "bets-cleared":
                self._stakes = {spot: cents for spot, cents in self._stakes.items() if spot[0] != data["seat"]}
            case "betting-closed":
                closed = {_spot(stake): stake["stake_cents"] for stake in data["stakes"]}
                assert closed == self._stakes, f"{where}: {closed} were closed, {self._stakes} were placed"
                self._is_closed = True
                self.on_felt.clear()
            case "deck-accounted":
                self._is_proven = True
            case "player-decided":
                self._stakes[data["seat"], f"decision {heard.sequence}", None] = data["stake_cents"] or 0
            case "round-settled" | "round-voided":
                self._end(heard, where)
            case _:
                pass
        if heard.kind in RESULTS:
            self._settle(heard, where)
        assert not (self.is_strict and heard.kind in DISTURBED and data.get("returned_cents", 1)), f"{where}: {data}"
        self._judge_cards(heard, where)

    def _begin(self) -> None:
        self._stakes, self._net_cents, self._is_closed, self._is_proven = {}, 0, False, False
        self._settled.clear()

    def _settle(self, heard: EventHeard, where: str) -> None:
        data = heard.data
        if heard.kind != "wager-taken":
            once = (heard.kind, data["seat"])
            assert once not in self._settled, f"{where}: seat {data['seat']} was settled before"
            self._settled.add(once)
        wagers = data["wagers"] if "wagers" in data else [data["wager"]]
        self._net_cents += sum(wager["pays_cents"] for wager in wagers)
        for hand in data.get("hands") or [data]:
            invented = Counter(hand.get("cards", ())) - self.on_felt
            assert not invented, f"{where}: {sorted(invented)} lie nowhere on the felt"

    def _end(self, heard: EventHeard, where: str) -> None:
        data, staked = heard.data, sum(self._stakes.values())
        if heard.kind == "round-settled":
            told = (data["stakes_cents"], data["returned_cents"], data["take_cents"])
            own = (staked, staked + self._net_cents, -self._net_cents)
            assert told == own, f"{where}: it says {told}, and stakes and results make {own}"
        else:
            assert data["returned_cents"] == staked, f"{where}: {data['returned_cents']} of {staked} are returned"
            assert sum(stake["stake_cents"] for stake in data["returned"]) == staked, f"{where}: {data['returned']}"

    def _judge_cards(self, heard: EventHeard, where: str) -> None:
        named = set(CARD.findall(json.dumps(heard.data)))
        if named and heard.kind not in BEFORE_PROOF and not self._lies_open(heard):
            assert self._is_proven, f"{where}: {sorted(named)} before the deck was proven"

    @staticmethod
    def _lies_open(heard: EventHeard) -> bool:
        """A hand that was dealt open, card by card."""
        return bool(heard.data.get("hands"))

    def see(self, picture: bytes, new: tuple[JournaledFact, ...]) -> None:
        """Judge what anybody may see of the table after a commit. Each of its cards was said by an event before."""
        for fact in new:
            if fact.kind == "round-opened":
                self._named.clear()
            self._named.update(CARD.findall(fact.body.decode()))
        shown = set(CARD.findall(picture.decode()))
        assert shown <= self._named, f"{sorted(shown - self._named)} are in the picture, and no event has said them"


def judge_journal(path: Path, received: Mapping[int, bytes], answers: Mapping[RequestId, Answer]) -> None:
    """Judge the journal of a storm, beside what came over the broker and what people were answered."""
    journal = Journal.open(path, create=False)
    try:
        _judge_publishing(journal, received)
        _judge_inputs(journal, answers)
        assert recover(journal) == replayed(journal, None, 0), "a start and a replay of everything differ"
    finally:
        journal.close()


def _judge_publishing(journal: Journal, received: Mapping[int, bytes]) -> None:
    table = recover(journal)
    assert table is not None
    base = Topics(table.settings.site, table.settings.table).base
    facts = {fact.sequence: envelope(base, fact) for fact in journal.facts_after(0, 10_000_000)}
    for sequence, payload in received.items():
        assert facts.get(sequence) == payload, f"{sequence} was published, and the journal has {facts.get(sequence)!r}"
    missing = set(range(1, journal.cursor(CURSOR) + 1)) - received.keys()
    assert not missing, f"the cursor has passed {sorted(missing)[:5]}, which nobody received"


def _judge_inputs(journal: Journal, answers: Mapping[RequestId, Answer]) -> None:
    last: dict[tuple[str, str], int] = {}
    asked: set[tuple[str, str]] = set()
    for offset, happened in journal.replay(0):
        if isinstance(happened, DeviceReport) and happened.receipt is not None:
            boot, seq = (happened.device, happened.receipt.boot), happened.receipt.seq
            assert seq == last.get(boot, 0) + 1, f"record {offset}: event {seq} of {boot} follows {last.get(boot, 0)}"
            last[boot] = seq
        if isinstance(happened, Request):
            once = (happened.who, happened.id)
            assert once not in asked, f"record {offset}: request {once} was taken before"
            asked.add(once)
            first = ANSWERS.decode(bytes(journal.line(offset).answer))
            told = answers.get(happened.id, first)  # nobody waits for an answer who has left the table
            assert told == first, f"record {offset}: request {once} was answered {first}, and then {told}"


def _spot(stake: Mapping[str, Any]) -> Spot:
    return stake["seat"], stake["wager"], stake["colour"]
