"""How a number of things is said: one card, and many cards."""

from __future__ import annotations


def counted(count: int, what: str) -> str:
    """Return a number with its noun, which is one that takes an s."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"
