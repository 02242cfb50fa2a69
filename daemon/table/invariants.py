"""What is true of a table after every step. `apply` asserts it before anybody hears of the step.

A crash is the answer to a defect. Here it comes at the step that is wrong: before the journal has that step, and
before money moves on it. systemd then starts feltd again, and the journal replays what was right.

Only what a step changed is looked at. Values are frozen, so a field that is the same object has not changed. That keeps
the cost at a few microseconds (`tests/bench/bench_invariants.py`). What holds within one handler is asserted there: its
row in `Procedure`, and that every stake has a result, where `lifecycle` settles the round.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Final

from daemon.table.facts import Fact
from daemon.table.round_facts import RoundSettled, RoundVoided
from daemon.table.state import Phase, Round, TableState
from daemon.table.step import Step

_ENDS: Final = frozenset({RoundSettled, RoundVoided})


def check(before: TableState, step: Step[TableState]) -> None:
    """Assert what must be so after a step."""
    after = step.state
    assert (after.round is None) is (after.phase is Phase.IDLE), f"{after.phase} and round {after.round is not None}"
    assert after.commands_issued - before.commands_issued == len(step.commands), "an order was issued and not sent"
    if after.outstanding is not before.outstanding:
        _check_orders(step)
    if after.devices is not before.devices:
        _assert_unique("devices", [device.name for device in after.devices])
    if after.alerts is not before.alerts:
        _assert_unique("alerts", [alert.alert for alert in after.alerts])
    if after.round is not before.round:
        _check_round(before, after, step.facts)


def _check_orders(step: Step[TableState]) -> None:
    """Assert that every order has an id of its own, and is outstanding until the device answers."""
    ids = [due.id for due in step.state.outstanding]
    _assert_unique("orders", ids)
    assert all(due.id in ids for due in step.commands), "an order was sent that nobody waits for"


def _check_round(before: TableState, after: TableState, facts: Sequence[Fact]) -> None:
    then, now = before.round, after.round
    ended = [fact.round_id for fact in facts if type(fact.data) in _ENDS]
    if now is None or then is None or then.id != now.id or ended:
        _check_succession(before, after, ended)
    if now is None or then is None or then.id != now.id:
        then = None
    if now is not None:
        _check_money(then, now, after.settings.seats)
        _check_hands(then, now)
        is_dealt = bool(now.plan or now.hands or now.said)
        assert not is_dealt or after.phase is not Phase.BETTING, f"{now.id} takes bets and is dealt already"


def _check_succession(before: TableState, after: TableState, ended: Sequence[Hashable]) -> None:
    """Assert that a round ends once, and the next has the next number. A void ended a round that is still put back."""
    then, now = before.round, after.round
    ran = then is not None and before.phase is not Phase.VOIDING
    runs = now is not None and after.phase is not Phase.VOIDING
    opened = after.rounds_opened - before.rounds_opened
    assert len(ended) == ran + opened - runs, "a round that opened has not ended once"
    assert then is None or not ran or ended[:1] == [then.id], "another round has ended than the one that ran"
    is_new = now is not None and (then is None or then.id != now.id)
    assert now is None or not is_new or now.number == after.rounds_opened, "a round runs that was not opened"


def _check_money(then: Round | None, now: Round, seats: int) -> None:
    if then is None or now.stakes is not then.stakes:
        _assert_unique("stakes", [(stake.seat, stake.wager, stake.colour) for stake in now.stakes])
        for stake in now.stakes:
            assert 1 <= stake.seat <= seats, f"{now.id} has a stake at seat {stake.seat}"
            assert stake.stake_cents > 0, f"{now.id} has a stake of {stake.stake_cents} cents"
    if then is None or now.said is not then.said:
        told = 0 if then is None else len(then.said)
        assert then is None or now.said[:told] == then.said, f"{now.id} has taken back what it has said"
        results = [(said.seat, said.wager.wager, said.wager.hand, said.wager.colour) for said in now.said]
        _assert_unique("results", results)
        for said in now.said[told:]:
            wager = said.wager
            balances = wager.returned_cents == wager.stake_cents + wager.pays_cents >= 0
            assert balances, f"{now.id}: {wager.wager.value} at seat {said.seat} does not balance"


def _check_hands(then: Round | None, now: Round) -> None:
    """Assert that each hand is one of the plan, where it has one, and that nothing is settled or done with twice."""
    if then is None or now.hands is not then.hands:
        _assert_unique("positions", [hand.position for hand in now.hands])
        for hand in now.hands:
            assert 1 <= hand.position <= len(now.plan), f"{now.id}: position {hand.position} is not in the plan"
            planned = now.plan[hand.position - 1]
            is_planned = hand.seat == planned.seat and hand.drawn is planned.drawn
            assert is_planned, f"{now.id}: position {hand.position} is another's"
    if then is None or now.settled is not then.settled:
        _assert_unique("settled hands", [settled.seat for settled in now.settled])
    if then is None or now.reconciled is not then.reconciled:
        _assert_unique("reconciled seats", now.reconciled)
    if then is None or now.positions is not then.positions:
        _assert_unique("held seats", [position.seat for position in now.positions])
    if then is None or now.decided is not then.decided:
        _assert_unique("decisions", [decided.seat for decided in now.decided])
    assert then is None or not then.accounted or now.accounted, f"{now.id}: the deck was accounted for, and is not now"


def _assert_unique(what: str, names: Sequence[Hashable]) -> None:
    assert len(set(names)) == len(names), f"{what} are there twice: {names}"
