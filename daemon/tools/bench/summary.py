"""What a finished bench run came to, for a person; every figure was counted from messages."""

from __future__ import annotations

from daemon.rules.money import dollars
from daemon.tools.bench.book import Book


def summary(book: Book, seed: int, seconds: float, rounds_asked: int | None) -> str:
    """The closing lines."""
    per_second = book.rounds / seconds if seconds else 0.0
    lines = (
        f"seed      {seed}, results {book.results_hash} (the same seed gives the same results)",
        f"rounds    {_of(book.rounds, rounds_asked)} in {seconds:.1f} s ({per_second:.1f} a second), "
        f"{book.kinds['round.voided']} void",
        f"hands     {book.hands}",
        *_decisions(book),
        f"money     {dollars(book.stakes_cents)} staked, {dollars(book.returned_cents)} returned, "
        f"{dollars(book.take_cents)} taken; {_balance(book)}",
        f"events    {book.last_sequence or 0}, {book.holes} holes, {book.repeats} repeats",
        f"latency   p50 {book.latency_ms(0.5):.2f} ms, p99 {book.latency_ms(0.99):.2f} ms "
        "from the last byte to the message",
    )
    return "\n".join(lines)


def _decisions(book: Book) -> list[str]:
    """How often what was decided, in games in which players decide; the commonest first."""
    told = ", ".join(f"{times} {decision}" for decision, times in book.decisions.most_common())
    return [f"decisions {told}"] if told else []


def _of(rounds: int, asked: int | None) -> str:
    return f"{rounds} of {asked}" if asked is not None and rounds < asked else str(rounds)


def _balance(book: Book) -> str:
    if book.unbalanced:
        return f"{book.unbalanced} ROUNDS DO NOT BALANCE"
    return "every round balances"
