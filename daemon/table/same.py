"""A frozen value as a key of a cache: the same object is the same key.

Settings and limits stand for a day, and are compared and hashed field by field, which takes longer than what is cached.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from protocols.frozen import dataclass

ValueT = TypeVar("ValueT")


@dataclass(frozen=True, slots=True, eq=False)
class Same(Generic[ValueT]):
    """Equal to what holds the same object. It keeps the object, so no other gets its id."""

    value: ValueT

    def __eq__(self, other: object) -> bool:
        """Return whether both hold one object."""
        return isinstance(other, Same) and self.value is other.value

    def __hash__(self) -> int:
        """Return the object's id."""
        return id(self.value)
