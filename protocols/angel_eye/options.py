"""What the shoes, or the accounts of them, disagree about. A profile chooses; nothing is assumed in silence."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

FIRST_PRINTABLE = 0x20


class CardAgainMeans(Enum):
    """What an `R` report says. One decoder takes it as the first, another as the second."""

    RETRANSMISSION = "retransmission"  # a card that was reported before
    REDEAL = "redeal"  # the round is cleared, and this is the first card of the next attempt


class BccForm(Enum):
    """How the check of a command is written."""

    DIGITS = "digits"  # two hexadecimal characters, as in reports
    BYTE = "byte"


@dataclass(frozen=True, slots=True)
class SeqRange:
    """The SEQ bytes of a shoe whose numbering is known; after `last` comes `first`."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if not FIRST_PRINTABLE <= self.first < self.last <= 0xFF:
            raise ValueError(
                f"a SEQ range runs upwards within {FIRST_PRINTABLE} to 255, not {self.first} to {self.last}"
            )

    def __contains__(self, seq: int) -> bool:
        return self.first <= seq <= self.last

    def after(self, seq: int) -> int:
        """The SEQ of the report that follows."""
        return self.first if seq >= self.last else seq + 1

    def steps(self, start: int, end: int) -> int:
        """How many steps lead from one SEQ to another, at least."""
        return (end - start) % (self.last - self.first + 1)


@dataclass(frozen=True, slots=True)
class AngelEyeOptions:
    """How to read and speak to one shoe.

    Without `seq_range` no report can be proven lost. Unless `commands_armed`, nothing is ever written. The check of a
    command covers its STX, and is written as in reports: so does the maker's printed example; its text leaves STX out.

    With `deals_locked` a house deals another game than baccarat from the locked shoe, in which nothing referees. That
    rests on paper: the link has a word for a card from a locked shoe, and nobody has seen a game dealt so.
    """

    card_again_means: CardAgainMeans = CardAgainMeans.RETRANSMISSION
    seq_range: SeqRange | None = None
    commands_armed: bool = False
    command_bcc_covers_stx: bool = True
    command_bcc_form: BccForm = BccForm.DIGITS
    deals_locked: bool = False
