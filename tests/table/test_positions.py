"""A position belongs to the player who bet there first in the round (games/README.md, "Limits")."""

from __future__ import annotations

import pytest

from daemon.rules.wagers import WagerName
from daemon.table.betting import CHANGES_MAX
from daemon.table.big_draw.inputs import Claim
from daemon.table.inputs import Action, Bet, ClearBets, Decide
from daemon.table.round_facts import BetPlaced, PlayerDecided
from daemon.table.settings import Positions
from daemon.table.step import Answer
from daemon.table.view import public
from daemon.table.vocabulary import Actor, Decision, SeatNumber
from tests.support.sentences import Says
from tests.table.big_draw_playing import TWO_PAIR, BigDrawTable
from tests.table.playing import Table, settings
from tests.table.test_big_raise import COMMON, DEALERS, PAIR, dealt, table_with

ONE, TWO = SeatNumber(1), SeatNumber(2)


def bet(table: Table, seat: SeatNumber, who: str = "lee", role: Actor = Actor.PLAYER) -> Answer:
    return table.ask(Bet(seat, WagerName.RANGE, 500), role, round_id=table.running(), who=who)


def held(**changes: object) -> Table:
    """Kim has bet at seat 1."""
    return Table(settings(**changes)).ready().staked(1)


@pytest.mark.parametrize(
    "action", [Bet(ONE, WagerName.RANGE, 500), Bet(ONE, WagerName.POKER_HAND, 100), ClearBets(ONE)]
)
def test_clause_5_nobody_else_bets_on_overwrites_or_clears_it(action: Action) -> None:
    table = held()
    before = table.state.round
    assert table.ask(action, Actor.PLAYER, who="lee").code == "position-held"
    assert table.state.round == before


def test_clause_5_who_holds_it_is_said_and_shown(says: Says) -> None:
    table = held()
    says(bet(table, ONE).message)
    assert [seat.held_by for seat in public(table.state).seats][:2] == ["kim", None]


def test_clause_5_nobody_else_decides_for_its_hand() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON), 1)
    fold = Decide(ONE, Decision.FOLD)
    assert table.ask(fold, Actor.PLAYER, who="lee").code == "position-held"
    assert table.ask(fold, Actor.PLAYER, who="kim").accepted


def test_clause_5_nobody_else_announces_its_first_5() -> None:
    table = BigDrawTable(TWO_PAIR).hands_out(1)
    assert table.ask(Claim(ONE), Actor.PLAYER, round_id=table.running(), who="lee").code == "position-held"


@pytest.mark.parametrize("role", [Actor.DEALER, Actor.SUPERVISOR])
def test_clause_5_dealer_and_supervisor_act_for_the_player_on_record(role: Actor) -> None:
    table = held()
    assert bet(table, ONE, "pat", role).accepted
    assert (table.last(BetPlaced).who, table.last(BetPlaced).role) == ("pat", role)
    assert table.ask(ClearBets(ONE), role, round_id=table.running(), who="pat").accepted
    assert bet(table, ONE).code == "position-held"
    decided = dealt(table_with(PAIR, DEALERS, COMMON), 1)
    assert decided.ask(Decide(ONE, Decision.FOLD), role, round_id=decided.running(), who="pat").accepted
    assert (decided.last(PlayerDecided).who, decided.last(PlayerDecided).role) == ("pat", role)


def test_clause_5_it_is_held_until_the_round_ends_also_without_a_stake() -> None:
    table = held()
    assert table.ask(ClearBets(ONE), Actor.PLAYER).accepted
    assert bet(table, ONE).code == "position-held"
    assert table.void().accepted
    assert bet(table, ONE).accepted
    assert table.bet(1).code == "position-held"


def test_clause_5_where_the_dealer_bet_first_it_is_no_other_players(says: Says) -> None:
    table = Table().ready()
    assert bet(table, ONE, "pat", Actor.DEALER).accepted
    says(bet(table, ONE).message)
    assert table.ask(ClearBets(ONE), Actor.DEALER, round_id=table.running()).accepted
    assert bet(table, ONE).accepted


def test_clause_5_a_player_may_hold_several() -> None:
    assert held().bet(2).accepted


def test_clause_5_a_house_may_let_a_player_hold_one(says: Says) -> None:
    table = held(positions=Positions.ONE_EACH)
    assert table.bet(1, WagerName.RANGE).accepted
    answer = table.bet(2)
    assert answer.code == "one-position"
    says(answer.message)
    assert bet(table, TWO).accepted
    assert bet(table, SeatNumber(3), "pat", Actor.DEALER).accepted


def test_a_player_changes_a_seats_stakes_only_so_often_in_a_round(says: Says) -> None:
    """Each change is kept permanently: a terminal that bets and clears without end filled the journal's disk."""
    table = Table(settings()).ready()
    asked = (Bet(ONE, WagerName.RANGE, 500), ClearBets(ONE))
    answers = [table.ask(asked[number % 2], Actor.PLAYER) for number in range(CHANGES_MAX + 1)]
    assert [answer.accepted for answer in answers] == [True] * CHANGES_MAX + [False]
    says(answers[-1].message)
    assert table.ask(asked[0], Actor.DEALER).accepted
    assert table.bet(2).accepted
