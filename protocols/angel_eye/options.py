"""The points in which shoes, or the public accounts of them, differ. A profile chooses each of them explicitly."""

from __future__ import annotations

from enum import Enum

from protocols.frozen import dataclass

FIRST_PRINTABLE = 0x20


class CardAgainMeans(Enum):
    """What an `R` report says. One public decoder takes it as the first, another as the second."""

    RETRANSMISSION = "retransmission"  # a card that was reported before
    REDEAL = "redeal"  # the round is cleared, and this is the first card of the next attempt


class BccForm(Enum):
    """How the check of a command is written."""

    DIGITS = "digits"  # two hexadecimal characters, as in reports
    BYTE = "byte"


@dataclass(frozen=True, slots=True)
class SeqRange:
    """The SEQ bytes of a shoe whose numbering is known. After `last` comes `first`."""

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
        """Return the SEQ of the next report."""
        return self.first if seq >= self.last else seq + 1

    def steps(self, start: int, end: int) -> int:
        """Return the least number of steps from one SEQ to another."""
        return (end - start) % (self.last - self.first + 1)


@dataclass(frozen=True, slots=True)
class AngelEyeOptions:
    """How to read and speak to one shoe.

    Without `seq_range` no report can be proven lost. Unless `commands_armed`, nothing is ever written. By default the
    check of a command covers its STX and is written as in reports, as in the maker's printed example. The text around
    that example leaves STX out.

    With `deals_locked` a house deals another game than baccarat from the locked shoe, which does not referee. That
    rests on paper: the link has a word for a card from a locked shoe, but no game dealt so has been seen.
    """

    card_again_means: CardAgainMeans = CardAgainMeans.RETRANSMISSION
    seq_range: SeqRange | None = None
    commands_armed: bool = False
    command_bcc_covers_stx: bool = True
    command_bcc_form: BccForm = BccForm.DIGITS
    deals_locked: bool = False
