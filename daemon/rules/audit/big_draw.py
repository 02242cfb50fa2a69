"""Big Draw Poker audited: First 5 as dealt, Big Draw with the best draw for every hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from daemon.rules.audit.auditor import Auditor, Edge, Watch
from daemon.rules.audit.completions import Completions, poker_completions, wild_completions
from daemon.rules.audit.dealt_hands import poker_counts, wild_counts
from daemon.rules.audit.draw import DrawGame
from daemon.rules.audit.orbits import orbits
from daemon.rules.audit.report import GameAudit, WagerAudit, audit_paytable
from daemon.rules.big_draw import HOUSE, BigDrawHouse, Variant, paytable_of
from daemon.rules.limits import Limits
from daemon.rules.money import DOLLAR, Cents, dollars
from daemon.rules.paytable import Paytable, Prize
from daemon.rules.wagers import GameName, WagerName

ASSUMPTIONS: Final = (
    "Every one of the 2,598,960 hands is as likely as any other; so is every draw from the 47 cards that the player"
    " has not seen.",
    "Players see their own five cards and no others, and hold what is worth most to Big Draw. Where holds"
    " are worth the same they keep more cards.",
    "First 5 is settled on the cards as dealt; the draw cannot change it.",
    "The stake is a whole number of chips in every row, so nothing is rounded. A fixed prize does not grow with the"
    " stake, so a larger one returns less of itself.",
)
_DEALT: Final[Mapping[Variant, Any]] = {
    Variant.FIVE_CARD_DRAW: poker_counts,
    Variant.DEUCES_NEVER_LOSES: wild_counts,
}


def completions_of(variant: Variant) -> Completions[Any]:
    """Return what hands are in a variant."""
    return poker_completions() if variant is Variant.FIVE_CARD_DRAW else wild_completions()


def draw_game(variant: Variant, house: BigDrawHouse, stake: Cents) -> DrawGame[Any]:
    """Return a variant's Big Draw bet, to ask for holds."""
    return DrawGame(completions_of(variant), _paytable(WagerName.BIG_DRAW, variant, house), stake)


def _paytable(wager: WagerName, variant: Variant, house: BigDrawHouse) -> Paytable[Any]:
    paytable = paytable_of(wager, variant, house)
    if paytable is None:
        raise ValueError(f"{wager.value} is not a wager of Big Draw")
    return paytable


def audit_first_5(variant: Variant, house: BigDrawHouse, stake: Cents) -> WagerAudit:
    """First 5 of a variant: the hand as dealt."""
    paytable = _paytable(WagerName.FIRST_5, variant, house)
    prizes = any(isinstance(row.award, Prize) for row in paytable.rows)
    staked = max(stake, paytable.prize_stake_min)
    note = f"for a stake of {dollars(staked)}, since its prizes are fixed" if prizes else ""
    return audit_paytable(f"{WagerName.FIRST_5.value}, {variant.value}", paytable, _DEALT[variant](), staked, note)


def audit_draw(variant: Variant, house: BigDrawHouse, stake: Cents, counted: Sequence[int]) -> WagerAudit:
    """Big Draw of a variant, by what its `draw_game` counted over all orbits of five cards."""
    counts = dict(zip(completions_of(variant).kinds, counted, strict=True))
    paytable = _paytable(WagerName.BIG_DRAW, variant, house)
    return audit_paytable(f"{WagerName.BIG_DRAW.value}, {variant.value}", paytable, counts, stake, "optimal draw")


def audit_big_draw(house: BigDrawHouse, stake: Cents, draws: Iterable[WagerAudit]) -> GameAudit:
    """Return both bets of both variants."""
    first_5 = (audit_first_5(variant, house, stake) for variant in Variant)
    return GameAudit(GameName.BIG_DRAW, "Big Draw Poker", ASSUMPTIONS, (*first_5, *draws))


def _audit(house: BigDrawHouse, stake: Cents, watch: Watch) -> GameAudit:
    hands = list(orbits((5,)))
    counted = {
        variant: watch.count(draw_game(variant, house, stake), hands, f"every draw, {variant.value}")
        for variant in Variant
    }
    return audit_big_draw(house, stake, (audit_draw(variant, house, stake, counted[variant]) for variant in Variant))


def _edges(house: BigDrawHouse, limits: Limits) -> Iterator[Edge]:
    for variant in Variant:
        first_5 = audit_first_5(variant, house, limits.range_of(WagerName.FIRST_5).least)
        yield Edge(first_5.name, first_5.paytable, first_5.house_edge, note=first_5.note)
        paytable, published = (paytable_of(WagerName.BIG_DRAW, variant, each) for each in (house, HOUSE))
        if paytable != published:
            counted = draw_game(variant, house, DOLLAR).count(orbits((5,)))
            own = audit_draw(variant, house, DOLLAR, counted)
            yield Edge(own.name, own.paytable, own.house_edge, note=own.note)


AUDITOR: Final = Auditor(_audit, _edges)
