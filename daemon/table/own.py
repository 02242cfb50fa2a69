"""The closed list of what is one game's own: common code carries these values and never looks into them.

`Round.own` is what a round remembers for its game alone, from the end of betting on. The game's package narrows it
(`own_of` and `deal_of` in its module `state`) and is its only reader. A game without such a value keeps None.
"""

from __future__ import annotations

from typing import TypeAlias

from daemon.table.big_draw.state import BigDrawRound
from daemon.table.big_raise.state import BigRaiseRound
from daemon.table.blackjack.state import BlackjackRound

OwnRound: TypeAlias = BigRaiseRound | BigDrawRound | BlackjackRound
