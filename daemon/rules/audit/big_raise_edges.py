"""Big Raise Hold'em's audit, and its edges from the best play that is stored."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from daemon.rules.audit.auditor import Auditor, Edge, Watch
from daemon.rules.audit.best_play import ANTE_AND_PLAY, PLAYED
from daemon.rules.audit.big_raise import TOTAL, audit_big_raise, bonus_nets
from daemon.rules.audit.dealt_hands import poker_counts, two_card_counts
from daemon.rules.audit.report import GameAudit, audit_paytable
from daemon.rules.audit.showdowns import WinCounter, community_orbits
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.limits import Limits
from daemon.rules.money import DOLLAR, Cents
from daemon.rules.wagers import WagerName

_PLAYED_SHARE: Final = Fraction(sum(PLAYED.values()), TOTAL)


def _audit(house: BigRaiseHouse, stake: Cents, watch: Watch) -> GameAudit:
    counter = WinCounter()
    counts = watch.count(counter, community_orbits(), "every showdown of Big Raise")
    return audit_big_raise(house, stake, counter.wins(counts))


def _edges(house: BigRaiseHouse, _limits: Limits) -> Iterator[Edge]:
    two = audit_paytable(WagerName.TWO_CARD_BONUS.value, house.two_card_bonus_pays, two_card_counts(), DOLLAR)
    yield Edge(two.name, two.paytable, two.house_edge)
    if house.five_card_paytable is not None:
        name = WagerName.FIVE_CARD_BONUS.value
        stays = house.five_card_bonus_on_fold
        five = audit_paytable(name, house.five_card_paytable, poker_counts() if stays else PLAYED, DOLLAR)
        edge = five.house_edge if stays else five.house_edge * _PLAYED_SHARE + 1 - _PLAYED_SHARE
        yield Edge(name, five.paytable, edge, note="" if stays else "lost with every fold of the best play")
    nets = bonus_nets(house.ante_bonus_pays, DOLLAR)
    bonus = sum((nets[kind] * ways for kind, ways in PLAYED.items()), Fraction(0)) / TOTAL
    yield Edge(WagerName.ANTE.value, house.ante_bonus_pays.name, -(ANTE_AND_PLAY + bonus), at_most=True)


AUDITOR: Final = Auditor(_audit, _edges)
