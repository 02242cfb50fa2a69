"""Big Draw's options as a table keeps them: those of the rules, and the device that its draws come from."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from daemon.rules.big_draw import BigDrawHouse, DealStyle, DrawStyle
from daemon.rules.house import House
from daemon.rules.wagers import WagerName
from daemon.table.play import Misfit
from daemon.table.settings import SourceSettings
from daemon.table.vocabulary import SourceKind
from protocols.frozen import dataclass


class Unannounced(Enum):
    """What follows from a winning First 5 hand that its player does not announce, whatever device dealt it."""

    PAID = "paid"  # the dealer is told where a device read the hands, and looks where none did
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class BigDrawAtTable(BigDrawHouse):
    """Big Draw at one table.

    With `draws_from` first hands come out of a shuffler, and the rest of its deck goes into this shoe for the draws.
    The rules know of no device and of no word at the table, so these options stand here.
    """

    unannounced_first_5: Unannounced = Unannounced.PAID
    draws_from: SourceSettings | None = None


def misfits(options: House, source: SourceSettings) -> Iterator[Misfit]:
    """Say what does not fit between the options and the device of the first hands."""
    assert isinstance(options, BigDrawAtTable)
    shoe = options.draws_from
    if source.kind is SourceKind.SHUFFLER and shoe is None and not source.takes_commands:
        allowed = "a device that the table drives, because each draw is a packet of its own size"
        yield Misfit(None, "which takes no commands", allowed)
    if source.kind is SourceKind.SHUFFLER and options.deal is DealStyle.ONE_AT_A_TIME:
        allowed = f"{DealStyle.FIVE_AT_ONCE.value}, because a shuffler gives packets of five"
        yield Misfit("deal", "", allowed)
    if shoe is not None and shoe.kind is not SourceKind.SHOE:
        yield Misfit("draws_from", f"which is a {shoe.kind.value}", "a device whose profile is that of a shoe")
    elif shoe is not None and source.kind is SourceKind.SHOE:
        yield Misfit("draws_from", "", "nothing, because first hands come out of a shoe as well")


def not_shared(options: House, wager: WagerName) -> str | None:
    """Say why what one deal may pay on a wager is not shared: face up, each is paid before the next one draws."""
    assert isinstance(options, BigDrawAtTable)
    if wager is WagerName.BIG_DRAW and options.draw is DrawStyle.FACE_UP:
        return 'none with draw = "face-up": winners share it, and each is paid before the next one draws'
    return None
