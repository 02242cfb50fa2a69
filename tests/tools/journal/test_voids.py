"""The checker in an export compares what a void gave back with what was put down, in any game and at any moment.

Every round that is recorded is voided after each of its inputs, as far as a supervisor can. The checker has to take the
true void, and none that gives back, or undoes, something else.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from daemon.journal.kinds import FACT_KINDS
from daemon.journal.record import FACT_BODIES
from daemon.rules.wagers import GameName
from daemon.table.inputs import Configured, Input, Press, Request, VoidRound
from daemon.table.reducer import apply, blank
from daemon.table.state import Phase, TableState
from daemon.table.step import Step
from daemon.table.vocabulary import Actor, RequestId
from daemon.tools.journal.verify import Check
from drivers.events import Button
from tests.journal.played import journal_of
from tests.table.chaos import inputs_of
from tests.table.recorded_rounds import EVERY_ROUND
from tests.tools.journal.tampering import BASE, checked, exported
from tests.tools.journal.test_bets import paytables
from tests.tools.journal.test_cheating_house import data, told_anew

Json = dict[str, Any]


def void(state: TableState) -> Request:
    """A supervisor voids the round."""
    assert state.round is not None
    return Request(state.at, RequestId("void"), "kim", Actor.SUPERVISOR, None, VoidRound("a drink"), state.round.id)


def told(check: Check, step: Step[TableState], change: Callable[[Json], None] | None = None) -> None:
    """Tell the checker what a table said, with another void."""
    for fact in step.facts:
        kind = FACT_KINDS[type(fact.data)]
        body = json.loads(FACT_BODIES[kind].encode(fact.data))
        if kind == "round-voided" and change is not None:
            change(body)
        check.check_event(kind, fact.round_id or "", body, body.get("journal_hash", ""))


def less_goes_back(body: Json) -> None:
    body["returned"][0]["stake_cents"] -= 1
    body["returned_cents"] -= 1


def a_stake_stays(body: Json) -> None:
    body["returned_cents"] -= body["returned"].pop()["stake_cents"]


def another_seat_has_it(body: Json) -> None:
    body["returned"][0]["seat"] += 9


def another_spot_has_it(body: Json) -> None:
    body["returned"][0]["wager"] = "tip"


def more_in_all(body: Json) -> None:
    body["returned_cents"] += 1


def more_is_undone(body: Json) -> None:
    body["undone"][0]["amount_cents"] += 1


def undone_the_other_way(body: Json) -> None:
    body["undone"][0]["action"] = {"take": "return", "return": "take"}[body["undone"][0]["action"]]


def not_undone(body: Json) -> None:
    body["undone"].pop()


OF_STAKES = (less_goes_back, a_stake_stays, another_seat_has_it, another_spot_has_it, more_in_all)
OF_RESULTS = (more_is_undone, undone_the_other_way, not_undone)
PHASES = {
    GameName.BIG_50: {Phase.BETTING, Phase.DEALING, Phase.DEALT, Phase.COLLECTING, Phase.RECONCILING},
    GameName.BIG_RAISE: {Phase.BETTING, Phase.DEALING, Phase.DECIDING, Phase.SHOWING, Phase.RECONCILING},
    GameName.BIG_DRAW: {Phase.BETTING, Phase.DEALING, Phase.DECIDING, Phase.FIRST_FIVE, Phase.RECONCILING},
    GameName.BLACKJACK: {Phase.BETTING, Phase.DEALING, Phase.DECIDING, Phase.DEALER_DRAWING, Phase.RECONCILING},
}


def voided_everywhere(name: str) -> set[Phase]:
    """Void this round after each of its inputs, and return the phases in which that was."""
    configured, *inputs = inputs_of(name)
    assert isinstance(configured, Configured)
    check = Check({**BASE, "paytables": paytables(configured.settings)}, "", {})
    step, phases, undone = apply(blank(configured), configured), set(), 0
    told(check, step)
    for happened in inputs:
        step = apply(step.state, happened)
        told(check, step)
        if step.state.round is None:
            continue
        ended = apply(step.state, void(step.state))
        if ended.answer is None or not ended.answer.accepted:
            continue
        has_stakes, results = bool(step.state.round.stakes), any(one.wager.pays_cents for one in step.state.round.said)
        phases |= {step.state.phase} if has_stakes else set()
        undone += results
        changes = (*(OF_STAKES if has_stakes else ()), *(OF_RESULTS if results else ()))
        for change in (None, *changes):
            trial = deepcopy(check, {id(check.paytables): check.paytables})
            told(trial, ended, change)
            assert bool(trial.faults) is (change is not None), (step.state.phase, change)
    assert check.faults == 0
    assert undone
    return phases


def test_a_void_at_any_moment_gives_back_what_was_put_down_and_no_other_fits() -> None:
    phases: dict[GameName, set[Phase]] = {}
    for name in EVERY_ROUND:
        (configured, *_) = inputs_of(name)
        assert isinstance(configured, Configured)
        phases.setdefault(configured.settings.game, set()).update(voided_everywhere(name))
    assert {game: found & PHASES[game] for game, found in phases.items()} == PHASES


def test_a_void_that_was_forged_in_an_export_is_named(tmp_path: Path) -> None:
    """One that gives back less than lay there, with its sum and all hashes made to fit. It was taken."""
    configured, *inputs = inputs_of("blackjack")
    assert isinstance(configured, Configured)
    played: list[Input] = [configured]
    step = apply(blank(configured), configured)
    while step.state.round is None or not step.state.round.said:
        played.append(inputs.pop(0))
        step = apply(step.state, played[-1])
    done = Request(step.state.at, RequestId("done"), "kim", Actor.DEALER, None, Press(Button.NEXT))
    path = journal_of(tmp_path / "journal.db", [*played, void(step.state), done])
    bundle = exported(path, tmp_path / "bundle")
    assert checked(bundle).returncode == 0
    told_anew(bundle, lambda records: less_goes_back(data(records, "round-voided")))
    forged = checked(bundle)
    assert forged.returncode == 1
    assert "other stakes were put down than settled or given back" in forged.stdout
