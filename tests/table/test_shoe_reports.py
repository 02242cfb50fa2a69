"""A shoe at a table whose game is dealt from a shuffler: what it reports is on record, and no card of it is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.table.facts import DeviceAnomaly
from drivers import events as e
from protocols.cards import Card
from tests.table.playing import Table


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (e.CardDrawn(Card.parse("Ah"), e.Confidence.CHECKED, claim=e.Claim("player", 1)), "card-drawn"),
        (e.CutCardDrawn(None), "cut-card-drawn"),
        (e.CardReturned(None), "card-returned"),
        (e.ReadFailed("error 1"), "read-failed"),
        (e.DealCleared(), "deal-cleared"),
        (e.ShoeLockChanged(True), "shoe-lock-changed"),
    ],
)
def test_a_shoes_report_is_an_anomaly_and_moves_nothing(event: e.DeviceEvent, code: str) -> None:
    table = Table()
    before = table.state
    (fact,) = table.device(event)
    assert isinstance(fact, DeviceAnomaly)
    assert fact.code == code
    assert "Ah" not in fact.detail
    assert table.state == replace(before, at=table.state.at)
