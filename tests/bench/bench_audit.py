"""How long the exact audits take, and that the stored best play of Big Raise is what they find."""

from __future__ import annotations

from fractions import Fraction
from time import perf_counter

from daemon.rules.audit.best_play import ANTE_AND_PLAY, PLAYED
from daemon.rules.audit.big_raise import bonus_nets
from daemon.rules.audit.report import WagerAudit
from daemon.rules.big_raise_pays import ANTE_BONUS
from daemon.rules.games import GAMES
from daemon.rules.money import DOLLAR
from daemon.rules.wagers import GameName, WagerName
from daemon.tools.rules.counting import ProgressWatch
from daemon.tools.rules.games import GAMES as COMMAND_GAMES
from tests.bench.conftest import Figures
from tests.docs.printed import LONG, ORACLE

AUDIT_S_MAX = 30.0
"""On two processors that have nothing else to do."""


def _audit(game: GameName, figures: Figures) -> dict[str, WagerAudit]:
    started = perf_counter()
    audit = GAMES[game].auditor().audit(GAMES[game].house, DOLLAR, ProgressWatch())
    seconds = perf_counter() - started
    figures.hold(f"audit of {game.value}, {len(audit.wagers)} wagers", seconds, "s", bar=AUDIT_S_MAX)
    return {wager.name: wager for wager in audit.wagers}


def test_every_draw_of_both_big_draw_games_in_half_a_minute(figures: Figures) -> None:
    assert _audit(GameName.BIG_DRAW, figures)


def test_every_option_of_the_side_bet_and_blackjack_itself_in_half_a_minute(figures: Figures) -> None:
    assert WagerName.BLACKJACK.value in _audit(GameName.BLACKJACK, figures)


def test_every_showdown_of_big_raise_gives_the_stored_best_play(figures: Figures) -> None:
    wagers = _audit(GameName.BIG_RAISE, figures)
    assert wagers[WagerName.ANTE.value].expectation + wagers[WagerName.PLAY.value].expectation == ANTE_AND_PLAY
    bonus = wagers[WagerName.ANTE_BONUS.value]
    played = {row.name: row.ways for row in bonus.rows}
    assert played["straight"] == PLAYED[next(hand for hand in PLAYED if hand.value == "straight")]
    nets = bonus_nets(ANTE_BONUS, DOLLAR)
    expected = sum((nets[hand] * ways for hand, ways in PLAYED.items()), Fraction(0)) / bonus.total
    assert bonus.expectation == expected


def test_every_printed_figure_of_big_draw_is_what_another_program_found() -> None:
    known = COMMAND_GAMES[GameName.BIG_DRAW].printed
    assert known is not None
    figures = known.begin(ProgressWatch())
    for name in LONG:
        assert figures(tuple(name.split("/")[1:])) == Fraction(ORACLE[name])
