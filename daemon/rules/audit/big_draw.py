"""Big Draw Poker audited: First 5 as dealt, Big Draw with the best draw for every hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from daemon.rules.audit.completions import Completions, poker_completions, wild_completions
from daemon.rules.audit.dealt_hands import poker_counts, wild_counts
from daemon.rules.audit.draw import DrawGame
from daemon.rules.audit.report import GameAudit, WagerAudit, audit_paytable
from daemon.rules.big_draw import BigDrawHouse, Variant, paytable_of
from daemon.rules.money import Cents, dollars
from daemon.rules.paytable import Paytable, Prize
from daemon.rules.wagers import GameName, WagerName

ASSUMPTIONS: Final = (
    "Every one of the 2,598,960 hands is as likely as any other; so is every draw from the 47 cards that the player"
    " has not seen.",
    "The player sees his own five cards and no other player's, and holds what is worth most to Big Draw. Where holds"
    " are worth the same he keeps more cards.",
    "First 5 is settled on the cards as dealt; the draw cannot change it.",
    "The stake is a whole number of chips in every row, so nothing is rounded. A fixed prize does not grow with the"
    " stake, so a larger one returns less of itself.",
)
_DEALT: Final[Mapping[Variant, Any]] = {
    Variant.FIVE_CARD_DRAW: poker_counts,
    Variant.DEUCES_NEVER_LOSES: wild_counts,
}


def completions_of(variant: Variant) -> Completions[Any]:
    """What hands are in a variant."""
    return poker_completions() if variant is Variant.FIVE_CARD_DRAW else wild_completions()


def draw_game(variant: Variant, house: BigDrawHouse, stake: Cents) -> DrawGame[Any]:
    """A variant's Big Draw bet, to ask for holds."""
    return DrawGame(completions_of(variant), _paytable(WagerName.BIG_DRAW, variant, house), stake)


def _paytable(wager: WagerName, variant: Variant, house: BigDrawHouse) -> Paytable[Any]:
    paytable = paytable_of(wager, variant, house)
    if paytable is None:
        raise ValueError(f"{wager.value} is no wager of Big Draw")
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
    """Both bets of both variants."""
    first_5 = (audit_first_5(variant, house, stake) for variant in Variant)
    return GameAudit(GameName.BIG_DRAW, "Big Draw Poker", ASSUMPTIONS, (*first_5, *draws))
