"""What a finished bench run came to, for a person; every figure was counted from messages."""

from __future__ import annotations

from daemon.rules.money import dollars
from daemon.tools.bench.tally import Tally


def summary(tally: Tally, seed: int, seconds: float, rounds_asked: int | None) -> str:
    """The closing lines."""
    per_second = tally.rounds / seconds if seconds else 0.0
    lines = (
        f"seed      {seed}, results {tally.results_hash} (the same seed gives the same results)",
        f"rounds    {_of(tally.rounds, rounds_asked)} in {seconds:.1f} s ({per_second:.1f} a second), "
        f"{tally.kinds['round.voided']} void",
        f"hands     {tally.hands}",
        *_decisions(tally),
        f"money     {dollars(tally.stakes_cents)} staked, {dollars(tally.returned_cents)} returned, "
        f"{dollars(tally.take_cents)} taken; {_balance(tally)}",
        f"events    {tally.last_sequence or 0}, {tally.holes} holes, {tally.repeats} repeats",
        f"latency   p50 {tally.latency_ms(0.5):.2f} ms, p99 {tally.latency_ms(0.99):.2f} ms "
        "from the last byte to the message",
    )
    return "\n".join(lines)


def _decisions(tally: Tally) -> list[str]:
    """How often what was decided, in games in which players decide; the commonest first."""
    told = ", ".join(f"{times} {decision}" for decision, times in tally.decisions.most_common())
    return [f"decisions {told}"] if told else []


def _of(rounds: int, asked: int | None) -> str:
    return f"{rounds} of {asked}" if asked is not None and rounds < asked else str(rounds)


def _balance(tally: Tally) -> str:
    if tally.unbalanced:
        return f"{tally.unbalanced} ROUNDS DO NOT BALANCE"
    return "every round balances"
