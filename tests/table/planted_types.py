"""Mistakes that mypy has to find in the reducer. Nothing here ever runs.

Each line is wrong, and its comment says which error mypy gives for it. `make check` reports an unused comment
(`warn_unused_ignores`), so it fails as soon as a change hides one of these mistakes from mypy.
"""

from __future__ import annotations

from dataclasses import replace

from daemon.errors import FeltdError, SetupError
from daemon.mqtt.commands import Malformed
from daemon.mqtt.problems import Problems
from daemon.table import betting, packets, standstill
from daemon.table.draft import Draft, Refusal, refuse
from daemon.table.procedure import Asked, Reported, Rows, goes
from daemon.table.said import Clause, SaidId
from daemon.table.state import Phase
from daemon.tools.doctor.findings import Finding, problem


def a_field_of_another_type(draft: Draft) -> None:
    draft.state = replace(draft.state, deck="in use")  # type: ignore[arg-type]
    draft.round = replace(draft.round, accounted="yes")  # type: ignore[arg-type]


def a_field_that_is_not_there(draft: Draft) -> None:
    draft.state = replace(draft.state, fase=3)  # type: ignore[call-arg]
    draft.round = replace(draft.round, stake=())  # type: ignore[call-arg]


def a_round_in_place_of_the_state(draft: Draft) -> None:
    draft.state = replace(draft.round, stakes=())  # type: ignore[assignment]


def a_handler_of_requests_for_what_a_device_reports() -> Rows:
    return Rows(reported={Reported.PACKET_DISPENSED: goes(betting.place, Phase.BETTING)})  # type: ignore[arg-type]


def a_handler_of_reports_for_what_people_ask() -> Rows:
    return Rows(asked={Asked.GREEN: goes(packets.dispensed, Phase.DEALING)})  # type: ignore[arg-type]


def a_trigger_of_devices_among_those_of_people() -> Rows:
    return Rows(asked={Reported.DEVICE_FAULT: goes(standstill.void_round, Phase.IDLE)})  # type: ignore[dict-item]


def a_code_that_the_page_of_codes_does_not_have(phase: Phase, problems: Problems) -> tuple[Refusal, ...]:
    problems.begin("disk-away", "…", "…")  # type: ignore[arg-type]
    by_phase = refuse(f"never-while-{phase.value}", SaidId.NO_BETS)  # type: ignore[arg-type]
    return by_phase, Refusal("no-such-code", Clause(SaidId.NO_BETS))  # type: ignore[arg-type]


def the_same_of_an_error_a_finding_and_a_message() -> tuple[FeltdError, Finding, Malformed]:
    error = SetupError("disk-away", "…", "…")  # type: ignore[arg-type]
    finding = problem("disk", "…", "…", "…")  # type: ignore[arg-type]
    return error, finding, Malformed(None, "wrong", "…")  # type: ignore[arg-type]
