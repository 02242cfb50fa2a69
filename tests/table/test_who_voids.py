"""No one person ends a round with cards in it: what a dealer reports waits for a supervisor, wherever it is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from daemon.table.inputs import Configured, ReportIrregularity, Request
from daemon.table.reducer import apply, blank
from daemon.table.state import Phase, TableState
from daemon.table.vocabulary import COMMUNITY, Actor, Irregularity, RequestId, SeatNumber
from tests.table.recorded_rounds import EVERY_ROUND, recorded


def standings(name: str) -> Iterator[TableState]:
    """Yield the table with cards out, whenever it stands in another phase or has said another result."""
    configured, *happened = recorded(name).inputs
    assert isinstance(configured, Configured)
    state, seen = blank(configured), None
    for each in (configured, *happened):
        state = apply(state, each).state
        played = state.round
        if played is not None and played.hands and seen != (state.phase, len(played.said)):
            seen = state.phase, len(played.said)
            yield state


def reported(state: TableState, irregularity: Irregularity, place: int | None) -> tuple[Phase, bool]:
    """Return where the table stands after a dealer's report, and whether it was taken."""
    assert state.round is not None
    report = ReportIrregularity(irregularity, None if place is None else SeatNumber(place))
    asked = Request(state.at, RequestId("report"), "dealer", Actor.DEALER, None, report, state.round.id)
    step = apply(state, asked)
    assert step.answer is not None
    return step.state.phase, step.answer.accepted


@pytest.mark.parametrize("name", EVERY_ROUND)
def test_nothing_that_a_dealer_reports_voids_a_round(name: str) -> None:
    """A wrong count at a hand that no device counted gave a lost bet back: its player had looked at the cards."""
    stands = list(standings(name))
    assert {state.phase for state in stands} >= {Phase.RECONCILING}
    for state in stands:
        assert state.round is not None
        places = range(COMMUNITY, state.settings.seats + 1)
        for irregularity in Irregularity:
            after = [reported(state, irregularity, place)[0] for place in (None, *places)]
            assert Phase.VOIDING not in {*after} - {state.phase}, (state.phase, irregularity)


@pytest.mark.parametrize("name", EVERY_ROUND)
def test_a_place_that_the_game_does_not_deal_to_has_no_hand(name: str) -> None:
    state = next(standings(name))
    assert state.round is not None
    taken = {place for place in range(COMMUNITY, 1) if reported(state, Irregularity.WRONG_COUNT, place)[1]}
    assert taken == {place for place in state.round.places if place < 1}
