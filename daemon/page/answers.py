"""What comes of a press and of a login, where the page itself says it."""

from __future__ import annotations

from typing import Any, Final, Literal, TypeAlias

from protocols.frozen import dataclass

PageCode: TypeAlias = Literal[
    "broker-away",
    "broker-lost",
    "broker-refused",
    "log-in",
    "no-answer",
    "not-a-person",
    "open-broker",
    "refused",
    "too-many-failures",
    "too-many-logins",
    "too-many-users",
]
"""What the page says by itself of a login or of a press. They are public names, and stay."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of a press. `accepted` is None if nobody can say whether it was done."""

    accepted: bool | None
    code: str
    message: str
    said: dict[str, Any] | None = None  # the message, as a program reads it


def by_the_page(accepted: bool | None, code: PageCode, message: str) -> Answer:
    """Return what the page answers in the table's place."""
    return Answer(accepted, code, message)


NO_ANSWER: Final = by_the_page(None, "no-answer", "The table has not answered. Look at the table before you try again.")
BROKER_AWAY: Final = by_the_page(False, "broker-away", "Not sent: the broker cannot be reached.")
BROKER_LOST: Final = by_the_page(None, "broker-lost", "The broker went away. Look at the table before you try again.")


class LoginRefusedError(Exception):
    """A login was not taken. `code` is for the page, the sentence for the person."""

    def __init__(self, code: PageCode, message: str) -> None:
        super().__init__(message)
        self.code: Final = code
        self.message = message
