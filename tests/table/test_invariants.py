"""Each invariant of a step fires on a step that breaks it. The steps are made by hand: no handler makes such a one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.facts import Fact
from daemon.table.inputs import DayBegan
from daemon.table.invariants import check
from daemon.table.reducer import apply
from daemon.table.round_facts import RoundSettled, RoundVoided, SettledWager
from daemon.table.state import Decided, DeviceState, Phase, Round, SaidResult, TableState
from daemon.table.step import Step
from daemon.table.vocabulary import Decision, RoundId, SeatNumber
from drivers.commands import CommandDue, Dispense
from drivers.events import CommandId, DeviceName
from tests.table.playing import SHUFFLER, TODAY, Table

ONE, TWO = SeatNumber(1), SeatNumber(2)
ENDED = RoundVoided("", None, (), 0)


def _won(seat: SeatNumber, **changes: int) -> SaidResult:
    wager = SettledWager(
        WagerName.POKER_HAND, 500, Outcome.WIN, 1000, 1500, row=None, paytable=None, paytable_hash=None, rounding=None
    )
    return SaidResult(seat, replace(wager, **changes))  # type: ignore[arg-type]


def _dealt() -> TableState:
    """Two hands at their seats."""
    return Table().dealt(1, 2).state


def _played(state: TableState) -> Round:
    assert state.round is not None
    return state.round


def _with_round(change: Callable[[Round], Round]) -> Callable[[TableState], TableState]:
    return lambda state: replace(state, round=change(_played(state)))


def _first_hand(**changes: int) -> Callable[[TableState], TableState]:
    def change(played: Round) -> Round:
        first, *others = played.hands
        return replace(played, hands=(replace(first, **changes), *others))  # type: ignore[arg-type]

    return _with_round(change)


BROKEN: dict[str, tuple[Callable[[TableState], TableState], str]] = {
    "a round in a phase that has none": (lambda state: replace(state, phase=Phase.IDLE), "Phase.IDLE and round True"),
    "a phase without its round": (lambda state: replace(state, round=None), "and round False"),
    "a hand beyond the plan": (_first_hand(position=3), "position 3 is not in the plan"),
    "two hands at one position": (_first_hand(position=2), "positions are there twice"),
    "a hand at another seat": (_first_hand(seat=5), "position 1 is another's"),
    "a stake at a seat that is not there": (
        _with_round(lambda played: replace(played, stakes=(replace(played.stakes[0], seat=SeatNumber(9)),))),
        "a stake at seat 9",
    ),
    "a stake of nothing": (
        _with_round(lambda played: replace(played, stakes=(replace(played.stakes[0], stake_cents=0),))),
        "a stake of 0 cents",
    ),
    "a stake twice": (
        _with_round(lambda played: replace(played, stakes=played.stakes[:1] * 2)),
        "stakes are there twice",
    ),
    "a result that does not balance": (
        _with_round(lambda played: replace(played, said=(_won(ONE, returned_cents=1499),))),
        "does not balance",
    ),
    "more taken than was staked": (
        _with_round(lambda played: replace(played, said=(_won(ONE, pays_cents=-501, returned_cents=-1),))),
        "does not balance",
    ),
    "a hand said twice": (
        _with_round(lambda played: replace(played, said=(_won(ONE), _won(TWO), _won(ONE)))),
        "results are there twice",
    ),
    "a seat reconciled twice": (
        _with_round(lambda played: replace(played, reconciled=(ONE, ONE))),
        "reconciled seats are there twice",
    ),
    "a player who decided twice": (
        _with_round(lambda played: replace(played, decided=(Decided(ONE, Decision.FOLD),) * 2)),
        "decisions are there twice",
    ),
    "bets on cards that are dealt": (
        lambda state: replace(state, phase=Phase.BETTING),
        "takes bets and is dealt already",
    ),
    "another round without an end": (
        _with_round(lambda played: replace(played, id=RoundId("t7-2"))),
        "another round has ended than the one that ran",
    ),
    "a device twice": (
        lambda state: replace(state, devices=(DeviceState(SHUFFLER), DeviceState(SHUFFLER))),
        "devices are there twice",
    ),
    "an order that was never sent": (
        lambda state: replace(state, commands_issued=state.commands_issued + 1),
        "an order was issued and not sent",
    ),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_state_that_cannot_be_is_found(what: str) -> None:
    breaks, message = BROKEN[what]
    before = _dealt()
    touched = replace(before, round=replace(_played(before)))  # so that every field of the round is looked at
    with pytest.raises(AssertionError, match=message):
        check(before, Step(breaks(touched), (), ()))


def test_a_sound_step_is_let_through() -> None:
    before = _dealt()
    check(before, Step(replace(before, round=replace(_played(before))), (), ()))


def test_what_has_been_said_is_not_taken_back() -> None:
    before = _with_round(lambda played: replace(played, said=(_won(ONE), _won(TWO))))(_dealt())
    after = _with_round(lambda played: replace(played, said=(_won(TWO),)))(before)
    with pytest.raises(AssertionError, match="has taken back what it has said"):
        check(before, Step(after, (), ()))


def test_a_proof_is_not_taken_back() -> None:
    before = _with_round(lambda played: replace(played, accounted=True))(_dealt())
    with pytest.raises(AssertionError, match="the deck was accounted for, and is not now"):
        check(before, Step(_with_round(lambda played: replace(played, accounted=False))(before), (), ()))


def test_a_round_that_ended_does_not_go_on() -> None:
    before = _dealt()
    after = replace(before, round=replace(_played(before)))
    with pytest.raises(AssertionError, match="a round that opened has not ended once"):
        check(before, Step(after, (Fact(_played(before).id, ENDED),), ()))


@pytest.mark.parametrize(
    "ends",
    [
        pytest.param((), id="never"),
        pytest.param((ENDED, RoundSettled(1000, 0, 1000, 2)), id="twice"),
    ],
)
def test_a_round_ends_once(ends: tuple[RoundVoided | RoundSettled, ...]) -> None:
    before = _dealt()
    after = replace(before, round=None, phase=Phase.IDLE)
    facts = tuple(Fact(_played(before).id, end) for end in ends)
    with pytest.raises(AssertionError, match="a round that opened has not ended once"):
        check(before, Step(after, facts, ()))


def test_the_round_that_ends_is_the_one_that_ran() -> None:
    before = _dealt()
    with pytest.raises(AssertionError, match="another round has ended"):
        check(before, Step(replace(before, round=None, phase=Phase.IDLE), (Fact(RoundId("t7-9"), ENDED),), ()))


def test_an_order_that_was_sent_is_outstanding() -> None:
    before = _dealt()
    due, other = (CommandDue(CommandId(name), DeviceName("shuffler"), Dispense(1)) for name in ("j-99", "j-98"))
    after = replace(before, outstanding=(other,), commands_issued=before.commands_issued + 1)
    with pytest.raises(AssertionError, match="an order was sent that nobody waits for"):
        check(before, Step(after, (), (due,)))


def test_apply_asserts_them_in_every_step() -> None:
    """A round that lost its phase is found by the next input, whatever that is."""
    broken = replace(_dealt(), phase=Phase.IDLE)
    with pytest.raises(AssertionError, match="a round that opened has not ended once"):
        apply(broken, DayBegan(broken.at, TODAY))
