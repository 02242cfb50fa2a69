"""Big Raise Hold'em audited: fold, or Play so many times the Ante, whichever is worth most from every start.

What is won at a showdown grows with the Play bet and what is lost does too, in the same measure. So with q the
chance to win or tie and b the mean of the Ante Bonus, Play at m times the Ante is worth (1 + m)(2q - 1) + b, and
only the least and the most of the range can be best: the most when q is above one half, the least below it. The
audit compares all multiples all the same, because a table of them is what a reader wants to see.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb
from typing import Final

from daemon.rules.audit.completions import poker_completions
from daemon.rules.audit.dealt_hands import poker_counts, two_card_counts
from daemon.rules.audit.report import Decision, GameAudit, RowAudit, WagerAudit, audit_paytable, audit_rows
from daemon.rules.audit.showdowns import KINDS, Start, Wins
from daemon.rules.big_raise import (
    BigRaiseHouse,
)
from daemon.rules.big_raise_limits import PLAY_TIMES_LEAST, PLAY_TIMES_MOST, PLAY_TIMES_MOST_WITH_PAIR
from daemon.rules.big_raise_pays import FIVE_CARD_BONUSES, MAIN, Showdown
from daemon.rules.evaluator import PokerHand
from daemon.rules.money import Cents
from daemon.rules.paytable import Paytable, net_exact
from daemon.rules.wagers import GameName, WagerName
from protocols.cards import spell
from protocols.frozen import dataclass

ASSUMPTIONS: Final = (
    "A player knows their own two cards and the dealer's up card, and no other player's cards.",
    "The player folds, or plays 2, 3 or (with a pair) 4 times the Ante, whichever is worth most to Ante, Play and Ante"
    " Bonus together; stakes between those multiples are never better than the best of them.",
    "The side bets do not change that decision.",
    "The 2 Card Bonus is paid in a fold too, so every two cards count. A five-card bonus stays in play"
    " with a fold. The published ones are shown a second time: lost with every fold of the play above.",
    "Every stake is a whole number of chips in every row, so nothing is rounded.",
)

UNSEEN: Final = 49
COMMUNITIES: Final = comb(UNSEEN, 3)
HIDDEN_A_COMMUNITY: Final = comb(UNSEEN - 3, 2)
DEALS: Final = COMMUNITIES * HIDDEN_A_COMMUNITY
"""Deals from one start."""
STARTS: Final = comb(52, 2) * 50
TOTAL: Final = STARTS * DEALS
FOLD: Final = 0


@dataclass(frozen=True, slots=True)
class Choice:
    """What every decision from one start is worth to an Ante of one; `times` 0 is the fold."""

    wins: Wins
    hands: dict[PokerHand, int]  # the player's five cards, over all communities
    worth: dict[int, Fraction]

    @property
    def times(self) -> int:
        """Return the best decision; where two are worth the same the one that stakes less."""
        return max(self.worth, key=lambda times: (self.worth[times], -times))


def times_allowed(start: Start) -> range:
    """Return the multiples of the Ante that Play may be."""
    (first, second), _ = start
    most = PLAY_TIMES_MOST_WITH_PAIR if first.rank == second.rank else PLAY_TIMES_MOST
    return range(PLAY_TIMES_LEAST, most + 1)


def hands_from(start: Start) -> dict[PokerHand, int]:
    """Return what the player's five cards become, over every community that has not the dealer's up card."""
    pair, up = start
    return poker_completions().drawing(pair, (up,))


def bonus_nets(paytable: Paytable[PokerHand], stake: Cents) -> dict[PokerHand, Fraction]:
    """Return the Ante Bonus to an Ante of one, by hand; without a row, or by one that loses, a hand loses nothing."""
    rows = {kind: paytable.row_for(kind) for kind in KINDS}
    return {
        kind: max(Fraction(0), net_exact(row.award, stake) / stake) if row else Fraction(0)
        for kind, row in rows.items()
    }


def choose(wins: Wins, house: BigRaiseHouse, stake: Cents) -> Choice:
    """Weigh the decisions from one start."""
    hands, nets = hands_from(wins.start), bonus_nets(house.ante_bonus_pays, stake)
    bonus = sum((nets[kind] * count for kind, count in hands.items()), Fraction(0)) / COMMUNITIES
    even = Fraction(2 * wins.total - DEALS, DEALS)
    worth = {times: (1 + times) * even + bonus for times in times_allowed(wins.start)}
    return Choice(wins, hands, {FOLD: Fraction(-1), **worth})


def audit_big_raise(house: BigRaiseHouse, stake: Cents, wins: Iterable[Wins]) -> GameAudit:
    """Everything that is staked; `wins` are those of every orbit of starts."""
    choices = [choose(each, house, stake) for each in wins]
    wagers = (
        _ante(choices, house),
        _play(choices, house),
        _ante_bonus(choices, house, stake),
        _together(choices, house, stake),
        audit_paytable(WagerName.TWO_CARD_BONUS.value, house.two_card_bonus_pays, two_card_counts(), stake),
        *_five_card_bonuses(choices, house, stake),
    )
    decisions = tuple(decision_of(choice) for choice in choices)
    return GameAudit(GameName.BIG_RAISE, "Big Raise Hold'em", ASSUMPTIONS, wagers, decisions)


def decision_of(choice: Choice) -> Decision:
    """Return the choice in words."""
    pair, up = choice.wins.start
    worth = {_named(times): value for times, value in choice.worth.items()}
    return Decision(f"{spell(pair)} against {up}", choice.wins.starts, worth, _named(choice.times))


def _named(times: int) -> str:
    return f"play {times} times the Ante" if times else "fold"


def _showdowns(choice: Choice) -> dict[Showdown, int]:
    """Deals of all starts like this one, by how they end."""
    wins, starts = choice.wins, choice.wins.starts
    if choice.times == FOLD:
        return {Showdown.FOLDED: starts * DEALS}
    return {
        Showdown.PLAYER_BEATS: starts * (wins.total - wins.ties),
        Showdown.TIE: starts * wins.ties,
        Showdown.DEALER_BEATS: starts * (DEALS - wins.total),
    }


def _ante(choices: Sequence[Choice], house: BigRaiseHouse) -> WagerAudit:
    counts: Counter[Showdown] = Counter()
    for choice in choices:
        counts.update(_showdowns(choice))
    note = "even money only; its bonus is below"
    return audit_paytable(WagerName.ANTE.value, MAIN, counts, Cents(1), note)


def _play(choices: Sequence[Choice], house: BigRaiseHouse) -> WagerAudit:
    """Per Ante of one: a row says its net in Antes, and a hand that folds stakes nothing here."""
    rows, main = tuple(_play_rows(choices)), MAIN
    return audit_rows(WagerName.PLAY.value, rows, main.name, main.sha256, "in Antes", staked=_mean_play(choices))


def _play_rows(choices: Sequence[Choice]) -> Iterator[RowAudit]:
    for times in (4, 3, 2):
        made = [choice.wins for choice in choices if choice.times == times]
        won = sum(wins.starts * wins.total for wins in made)
        lost = sum(wins.starts * (DEALS - wins.total) for wins in made)
        yield RowAudit(f"{times} times the Ante, beats or ties", f"{times} Antes", won, TOTAL, Fraction(times))
        yield RowAudit(f"{times} times the Ante, loses", f"lose {times} Antes", lost, TOTAL, Fraction(-times))
    yield RowAudit("folded", "no Play bet", _folded(choices), TOTAL, Fraction(0))


def _folded(choices: Sequence[Choice]) -> int:
    return sum(choice.wins.starts for choice in choices if choice.times == FOLD) * DEALS


def _mean_play(choices: Sequence[Choice]) -> Fraction:
    return Fraction(sum(choice.times * choice.wins.starts for choice in choices), STARTS)


def _hands_played(choices: Sequence[Choice]) -> Counter[PokerHand]:
    """Return what players' hands are in all deals that are not folded."""
    hands: Counter[PokerHand] = Counter()
    for choice in choices:
        if choice.times != FOLD:
            ways = choice.wins.starts * HIDDEN_A_COMMUNITY
            hands.update({kind: count * ways for kind, count in choice.hands.items()})
    return hands


def _ante_bonus(choices: Sequence[Choice], house: BigRaiseHouse, stake: Cents) -> WagerAudit:
    paytable, hands = house.ante_bonus_pays, _hands_played(choices)
    nets = bonus_nets(paytable, stake)
    rows = [
        RowAudit(row.name, str(row.award), sum(hands[kind] for kind in cases), TOTAL, nets[cases[0]])
        for row in paytable.rows
        if (cases := paytable.cases_of(row))
    ]
    rest = TOTAL - sum(row.ways for row in rows)
    rows.append(RowAudit("nothing, or folded", "no bonus", rest, TOTAL, Fraction(0)))
    note = "paid on the Ante; nothing is staked on it"
    return audit_rows(WagerName.ANTE_BONUS.value, tuple(rows), paytable.name, paytable.sha256, note)


def _together(choices: Sequence[Choice], house: BigRaiseHouse, stake: Cents) -> WagerAudit:
    """Ante, Play and Ante Bonus as the one wager that they are. A row is a decision, its net the mean of it."""
    paytable = house.ante_bonus_pays
    bonus = bonus_nets(paytable, stake)
    nets: Counter[Fraction] = Counter()
    for choice in choices:
        nets.update(_nets(choice, bonus))
    return audit_rows(
        "ante, play and ante_bonus",
        tuple(_decision_row(times, choices) for times in (4, 3, 2, FOLD)),
        paytable.name,
        paytable.sha256,
        "the whole game, per Ante",
        nets=nets,
        staked=1 + _mean_play(choices),
    )


def _decision_row(times: int, choices: Sequence[Choice]) -> RowAudit:
    made = [choice for choice in choices if choice.times == times]
    starts = sum(choice.wins.starts for choice in made)
    worth = sum((choice.worth[times] * choice.wins.starts for choice in made), Fraction(0))
    return RowAudit(_named(times), "where it is best", starts * DEALS, TOTAL, worth / starts if starts else Fraction(0))


def _nets(choice: Choice, bonus: Mapping[PokerHand, Fraction]) -> dict[Fraction, int]:
    """Return the ways to every net of Ante, Play and Ante Bonus from all starts like this one."""
    starts, raised = choice.wins.starts, 1 + choice.times
    if choice.times == FOLD:
        return {Fraction(-1): starts * DEALS}
    nets: Counter[Fraction] = Counter()
    for kind, won in zip(KINDS, choice.wins.by_kind, strict=True):
        nets[bonus[kind] + raised] += starts * won
        nets[bonus[kind] - raised] += starts * (choice.hands[kind] * HIDDEN_A_COMMUNITY - won)
    return nets


def _five_card_bonuses(choices: Sequence[Choice], house: BigRaiseHouse, stake: Cents) -> Iterator[WagerAudit]:
    """Yield the house's own as it is played there, or all that are published, in play with a fold and lost with it."""
    own, stays = house.five_card_paytable, house.five_card_bonus_on_fold
    for paytable in FIVE_CARD_BONUSES if own is None else (own,):
        name = f"{WagerName.FIVE_CARD_BONUS.value}, {paytable.name}"
        if own is None or stays:
            yield audit_paytable(name, paytable, poker_counts(), stake, "paid in a fold too")
        if own is None or not stays:
            yield _lost_with_folds(name, paytable, choices, stake)


def _lost_with_folds(name: str, paytable: Paytable[PokerHand], choices: Sequence[Choice], stake: Cents) -> WagerAudit:
    played = audit_paytable(name, paytable, _hands_played(choices), stake)
    rows = [RowAudit(row.name, row.award, row.ways, TOTAL, row.net) for row in played.rows]
    rows.append(RowAudit("folded", "lose", _folded(choices), TOTAL, Fraction(-1)))
    return audit_rows(name, tuple(rows), paytable.name, paytable.sha256, "lost with every fold")
