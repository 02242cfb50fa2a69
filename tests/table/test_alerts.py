"""An alert that stands hides no second cause: it tells of the latest, and each spot of a seat has its own."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.table.alerts import NS_PER_MS
from daemon.table.facts import AlertRaised
from daemon.table.inputs import ClearAlert, Input, JournalDoubted
from daemon.table.view import public
from daemon.table.vocabulary import AlertName
from drivers.events import (
    FOREIGN_ORDER,
    Anomaly,
    DeviceEvent,
    DeviceReport,
    FaultCleared,
    FaultKind,
    FaultRaised,
    PacketDispensed,
    Stamp,
)
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table
from tests.table.test_changing_over import BIG_50, OTHER, offering, started_again
from tests.table.test_seen_stakes import Watched, watched

TWICE: dict[str, tuple[DeviceEvent, DeviceEvent]] = {
    "other-shuffler": (FaultRaised(FaultKind.OTHER, "its fan"), FaultRaised(FaultKind.OTHER, "its belt")),
    "reader-shuffler": (FaultRaised(FaultKind.READER, "above"), FaultRaised(FaultKind.READER, "below")),
}


def stands(table: Table) -> list[str]:
    return [alert.message for alert in table.state.alerts]


@pytest.mark.parametrize("name", TWICE)
def test_an_alert_that_stands_tells_of_a_cause_that_came_later(name: str) -> None:
    table, (first, second) = Table().ready(), TWICE[name]
    for event in (first, second, second):
        table.device(event)
    raised = [alert for alert in table.said(AlertRaised) if alert.alert == name]
    assert len({alert.message for alert in raised}) == len(raised) == 2
    assert stands(table) == [raised[-1].message]
    assert table.state.alerts_since[0].since_utc_ns == table.inputs[-1].at.utc_ns


CAUSES: dict[str, tuple[DeviceEvent | str, DeviceEvent | str]] = {
    "journal-doubted": ("record 5", "record 9"),
    "unexpected-cards-shuffler": (PacketDispensed(1, 5, None), PacketDispensed(1, 5, None)),
    "foreign-order-shuffler": (Anomaly(FOREIGN_ORDER, "x"), Anomaly(FOREIGN_ORDER, "x")),
    "other-shuffler": TWICE["other-shuffler"],
}
"""By the name of an alert: two causes of it. The alert does not always tell the one from the other."""


def comes(table: Table, cause: DeviceEvent | str, at_ms: int) -> None:
    at = Stamp(at_ms * NS_PER_MS + 7, at_ms)
    if isinstance(cause, str):
        table.take(JournalDoubted(at, cause))
        return
    table.shuffle()
    table.take(DeviceReport(SHUFFLER, at, cause))


@pytest.mark.parametrize("name", CAUSES)
def test_a_clearing_on_its_way_leaves_what_came_under_that_name_meanwhile(name: str) -> None:
    """A second jam, other chips or another record was cleared by who had read of the first."""
    table, (first, second) = Table().ready(), CAUSES[name]
    comes(table, first, 5_000)
    (seen,) = public(table.state).alerts
    comes(table, second, 5_250)
    late = table.ask(ClearAlert(AlertName(name), seen.since_ms))
    assert late.code == "changed-since"
    (stands,) = public(table.state).alerts
    assert (stands.alert, stands.since_ms) == (name, 5_250)
    table.device(FaultCleared(FaultKind.OTHER))
    assert table.ask(ClearAlert(AlertName(name), stands.since_ms)).accepted, table.answer


def test_a_clearing_that_names_no_time_is_taken_as_before() -> None:
    table = Table().ready()
    for number, record in enumerate(("record 5", "record 9")):
        comes(table, record, 5_000 + number)
    assert table.clear("journal-doubted").accepted


def test_an_alert_that_an_earlier_version_raised_has_no_time_to_compare() -> None:
    table = Table().ready()
    comes(table, "record 5", 5_000)
    table.state = replace(table.state, alerts_since=())
    assert table.ask(ClearAlert(AlertName("journal-doubted"), 4_000)).accepted


def test_what_a_late_clearing_is_told_is_what_the_alert_says_now(says: Says) -> None:
    table = Table().ready()
    for number, record in enumerate(("record 5", "record 9")):
        comes(table, record, 5_000 + number)
    says(table.ask(ClearAlert(AlertName("journal-doubted"), 5_000)).message)


def test_every_fault_of_the_journal_is_on_record() -> None:
    table = Table().ready()
    doubts: list[Input] = [JournalDoubted(table.state.at, f"record {number}") for number in (5, 9, 9)]
    for doubt in doubts:
        table.take(doubt)
    assert len(table.said(AlertRaised)) == 2
    assert "record 9" in stands(table)[0]


def test_each_spot_of_a_seat_has_its_own_alert_for_moved_chips() -> None:
    """The alert for one spot hid what then happened on the others."""
    table: Watched = watched()
    for spot, cents in (("poker-hand", 1500), ("range", 500)):
        table.sees(2, spot, cents)
    table.press()
    for spot, cents in (("poker-hand", 5000), ("range", 0), ("poker-hand", 2500)):
        table.sees(2, spot, cents)
    moved = {str(alert.alert): alert.message for alert in table.state.alerts}
    assert sorted(moved) == ["stake-moved-seat-2-poker-hand", "stake-moved-seat-2-range"]
    assert "25.00" in moved["stake-moved-seat-2-poker-hand"]


def test_an_alert_from_before_a_device_was_dealt_from_does_not_hide_one_that_blocks() -> None:
    table, jam = Table(offering(BIG_50)), DeviceReport(OTHER, Table().state.at, FaultRaised(FaultKind.JAM, ""), None)
    table.take(jam)
    assert [alert.blocks_play for alert in table.state.alerts] == [False]
    started_again(table, offering(replace(BIG_50, source=replace(BIG_50.source, device=OTHER))))
    table.take(jam)
    assert table.state.blocked_by == ("jam-second",)
