"""What is particular to one game at the table: who is dealt what, what follows the proof, and what a hand comes to.

The procedure says what moves the round; this says with what. Code that all games share asks it through `Turn.play`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from daemon.rules.wagers import WagerName
from daemon.table.round_facts import HandSettled
from daemon.table.settings import TableSettings
from daemon.table.state import Hand, Packet, TableState
from daemon.table.vocabulary import SeatNumber

if TYPE_CHECKING:
    from daemon.table.turn import Turn


@dataclass(frozen=True, slots=True)
class GamePlay:
    """One game's particulars.

    `house` is what the rules are asked with. `plan` gives the packets of a round for these seats, in the order of
    dealing. `after_proof` goes on once every card is accounted for, and `resume` where a round stood still after that.
    `settle` gives the results of those of these hands that can be settled, in the same order.
    """

    house: Callable[[TableSettings], Any]
    first_packet_cards: int
    plan: Callable[[Sequence[SeatNumber]], tuple[Packet, ...]]
    after_proof: Callable[[Turn], None]
    resume: Callable[[Turn], None]
    settle: Callable[[TableState, Sequence[Hand]], tuple[HandSettled, ...]]
    spot_names: Mapping[WagerName, str]
