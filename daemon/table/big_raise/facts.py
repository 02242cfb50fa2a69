"""What is said of Big Raise and of no other game: cards as they are turned over, and folds."""

from __future__ import annotations

from daemon.table.round_facts import SettledWager
from daemon.table.vocabulary import Evidence, SeatNumber
from protocols.cards import Face
from protocols.frozen import dataclass


@dataclass(frozen=True, slots=True)
class UpCardShown:
    """The dealer's card that players decide against; said anew when it had been entered wrongly."""

    card: Face
    evidence: Evidence = Evidence.SEEN_BY_DEVICE


@dataclass(frozen=True, slots=True)
class DealerHandShown:
    """The dealer's three cards, the two that play, the one that is given up, and why that one."""

    cards: tuple[Face, ...]
    keeps: tuple[Face, ...]
    discards: Face
    reason: str
    suit_was_free: bool
    evidence: Evidence = Evidence.SEEN_BY_DEVICE


@dataclass(frozen=True, slots=True)
class CommunityShown:
    """The cards that all players share."""

    cards: tuple[Face, ...]
    evidence: Evidence = Evidence.SEEN_BY_DEVICE


@dataclass(frozen=True, slots=True)
class PlayerCardsShown:
    """A player makes the Play bet and turns their two cards face up."""

    seat: SeatNumber
    cards: tuple[Face, ...]
    evidence: Evidence = Evidence.SEEN_BY_DEVICE


@dataclass(frozen=True, slots=True)
class FoldSettled:
    """What is over with a fold, at the player's turn. Two cards that win nothing stay face down, and are not said."""

    seat: SeatNumber
    wagers: tuple[SettledWager, ...]
    evidence: Evidence
    cards: tuple[Face, ...] = ()
