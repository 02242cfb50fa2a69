"""The book that the bench keeps of what it heard: no hole in the sequence, every round's money, how long it took."""

from __future__ import annotations

import hashlib
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from daemon.tools.bench.client import EventHeard

ROUND_OVER = ("round.settled", "round.voided")
BY_WHOM = "who"
"""Who said it, a player's terminal or the dealer with a key: no part of a result."""
RESULTS = (*ROUND_OVER, "hand.settled", "player.decided")


@dataclass(slots=True)
class Tally:
    """What was heard so far. Mutable: one listener writes, anybody reads."""

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
        """Write one event down; False for one that was heard before."""
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
        if heard.kind == "round.settled":
            self.stakes_cents += data["stakes_cents"]
            self.returned_cents += data["returned_cents"]
            self.take_cents += data["take_cents"]
            self.hands += data["hands"]
            self.unbalanced += data["stakes_cents"] != data["returned_cents"] + data["take_cents"]
        if heard.kind == "player.decided":
            self.decisions[data["decision"]] += 1
        if heard.kind in RESULTS:
            result = {name: value for name, value in data.items() if name != BY_WHOM}
            self._results.update(repr((heard.kind, heard.round_id, sorted(result.items(), key=str))).encode())

    @property
    def rounds(self) -> int:
        """Rounds that are over."""
        return sum(self.kinds[kind] for kind in ROUND_OVER)

    @property
    def results_hash(self) -> str:
        """One word for every decision, hand, amount and void so far: the same seed gives the same word."""
        return str(self._results.hexdigest()[:16])

    def latency_ms(self, quantile: float) -> float:
        """From the last byte of what caused it to the message, in milliseconds."""
        if not self.latencies_ns:
            return 0.0
        ordered = sorted(self.latencies_ns)
        return ordered[min(len(ordered) - 1, int(quantile * len(ordered)))] / 1e6
