"""A row of the page of codes."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    """One code."""

    code: str
    cells: tuple[str, ...]
