"""What the bench counts of the events that it hears: holes, repeats, each round's money, latency; and the summary."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from daemon.rules.money import dollars
from daemon.tools.bench.client import EventHeard

ROUND_OVER = ("round-settled", "round-voided")
RESULTS = (*ROUND_OVER, "hand-settled", "player-decided")
NOT_A_RESULT = ("who", "role", "journal_hash")
"""A player's terminal or a dealer's key: the decision is the same. The journal's hash has the time in it."""


@dataclass(slots=True)
class Tally:
    """The counts so far. Mutable: one listener writes, anybody reads."""

    kinds: Counter[str] = field(default_factory=Counter)
    last_sequence: int | None = None
    holes: int = 0
    repeats: int = 0
    stakes_cents: int = 0
    returned_cents: int = 0
    take_cents: int = 0
    hands: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    unbalanced: int = 0
    latencies_ns: list[int] = field(default_factory=list)
    _results: Any = field(default_factory=hashlib.sha256)

    def note(self, heard: EventHeard) -> bool:
        """Count one event. Return False for one that was counted before."""
        if self.last_sequence is not None and heard.sequence <= self.last_sequence:
            self.repeats += 1
            return False
        if self.last_sequence is not None and heard.sequence != self.last_sequence + 1:
            self.holes += 1
        self.last_sequence = heard.sequence
        self.kinds[heard.kind] += 1
        self.latencies_ns.append(heard.latency_ns)
        self._note_result(heard)
        return True

    def _note_result(self, heard: EventHeard) -> None:
        data = heard.data
        if heard.kind == "round-settled":
            self.stakes_cents += data["stakes_cents"]
            self.returned_cents += data["returned_cents"]
            self.take_cents += data["take_cents"]
            self.hands += data["hands"]
            self.unbalanced += data["stakes_cents"] != data["returned_cents"] + data["take_cents"]
        if heard.kind == "player-decided":
            self.decisions[data["decision"]] += 1
        if heard.kind in RESULTS:
            result = {name: value for name, value in data.items() if name not in NOT_A_RESULT}
            self._results.update(repr((heard.kind, heard.round_id, sorted(result.items(), key=str))).encode())

    @property
    def rounds(self) -> int:
        """Return how many rounds are over."""
        return sum(self.kinds[kind] for kind in ROUND_OVER)

    @property
    def results_hash(self) -> str:
        """Identify every decision, hand, amount and void so far: the same seed gives the same hash."""
        return str(self._results.hexdigest()[:16])

    def latency_ms(self, quantile: float) -> float:
        """Return this quantile of the latencies, from the last byte of the cause to the message."""
        if not self.latencies_ns:
            return 0.0
        ordered = sorted(self.latencies_ns)
        return ordered[min(len(ordered) - 1, int(quantile * len(ordered)))] / 1e6


def summary(tally: Tally, seed: int, seconds: float, rounds_asked: int | None) -> str:
    """Return the closing lines of a run, for a person. Every figure was counted from messages."""
    per_second = tally.rounds / seconds if seconds else 0.0
    of_asked = f" of {rounds_asked}" if rounds_asked is not None and tally.rounds < rounds_asked else ""
    decisions = ", ".join(f"{times} {decision}" for decision, times in tally.decisions.most_common())
    lines = (
        f"seed      {seed}, results {tally.results_hash} (the same seed gives the same results)",
        f"rounds    {tally.rounds}{of_asked} in {seconds:.1f} s ({per_second:.1f} a second), "
        f"{tally.kinds['round-voided']} void",
        f"hands     {tally.hands}",
        *([f"decisions {decisions}"] if decisions else []),
        f"money     {dollars(tally.stakes_cents)} staked, {dollars(tally.returned_cents)} returned, "
        f"{dollars(tally.take_cents)} taken; {_balance(tally)}",
        f"events    {tally.last_sequence or 0}, {tally.holes} holes, {tally.repeats} repeats",
        f"latency   p50 {tally.latency_ms(0.5):.2f} ms, p99 {tally.latency_ms(0.99):.2f} ms "
        "from the last byte to the message",
    )
    return "\n".join(lines)


def _balance(tally: Tally) -> str:
    if tally.unbalanced:
        return f"{tally.unbalanced} ROUNDS DO NOT BALANCE"
    return "every round balances" if tally.kinds["round-settled"] else "no round was settled"
