"""What the dealer is told of the deck: what green still needs, and that another deck is recommended."""

from __future__ import annotations

import pytest

from daemon.table.carry_over import carry_over, restored
from daemon.table.facts import AlertCleared, AlertRaised, DeckChanged
from daemon.table.inputs import ChangeDeck, Configured, DayBegan, LoadShoe
from daemon.table.round_facts import DealerPrompted, ShoeChangeDue
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, AlertName
from drivers.events import (
    Button,
    CameBack,
    DeckLoaded,
    DeviceEvent,
    FaultCleared,
    FaultKind,
    FaultRaised,
    LinkLost,
    ShuffleFinished,
    ShuffleStarted,
    Stamp,
    WentStale,
)
from tests.support.sentences import Says
from tests.table.playing import TODAY, Table, settings
from tests.table.test_by_hand import BATCH
from tests.table.test_shoe import a_table

ALERT = AlertName("change-deck-shuffler")
MINUTE_NS = 60_000_000_000


def played(table: Table) -> Table:
    """One more round of seat 1, to its end."""
    table.staked(1).press()
    table.dispense(1)
    table.deliver(1)
    table.press()
    table.eject()
    table.press(Button.NEXT)
    table.deck = list(table.whole_deck)
    assert table.state.phase is Phase.BETTING, table.state.phase
    table.shuffle()
    return table


def at(table: Table, minutes: int) -> None:
    """So much later something happens."""
    table.take(DayBegan(Stamp(1_795_000_000_000_000_000 + minutes * MINUTE_NS, minutes * MINUTE_NS), TODAY))


MISSING: dict[str, tuple[DeviceEvent, ...]] = {
    "a deck that is being shuffled": (ShuffleStarted(),),
    "a deck that nobody shuffled": (DeckLoaded(),),
    "a short deck": (ShuffleStarted(), ShuffleFinished(51)),
    "the machine": (LinkLost("unplugged"),),
    "a word from the machine": (WentStale(4_000_000_000),),
    "a jam that is cleared": (FaultRaised(FaultKind.JAM, ""), FaultCleared(FaultKind.JAM)),
}


@pytest.mark.parametrize("events", MISSING.values(), ids=MISSING)
def test_green_is_not_offered_while_it_would_be_refused(events: tuple[DeviceEvent, ...], says: Says) -> None:
    table = Table().ready().staked(1)
    assert table.state.prompt == "Place your bets, then green: no more bets."
    for event in events:
        table.device(event)
    says(table.state.prompt)
    assert not table.command_press(Button.GREEN).accepted
    assert table.answer is not None
    assert table.answer.message in table.state.prompt


def test_green_is_offered_again_as_soon_as_nothing_is_missing() -> None:
    table = Table().ready().staked(1)
    table.device(WentStale(4_000_000_000))
    table.device(CameBack())
    assert table.state.blocked_by == ("missing-shuffler",)
    assert "shuffler is missing" in table.state.prompt
    table.clear("missing-shuffler")
    assert table.said(DealerPrompted)[-1].sentence == "Place your bets, then green: no more bets."
    assert table.command_press(Button.GREEN).accepted


def test_nobody_is_reminded_unless_the_house_wants_it() -> None:
    table = Table().ready()
    for _ in range(3):
        played(table)
    at(table, 100_000)
    assert table.state.alerts == ()
    assert (table.state.rounds_with_deck, table.state.deck_since_utc_ns) == (0, None)


def test_another_deck_is_recommended_after_so_many_rounds(says: Says) -> None:
    table = Table(settings(deck_change_rounds=2)).ready()
    played(table)
    assert table.state.alerts == ()
    played(table)
    alert = table.last(AlertRaised)
    assert (alert.alert, alert.blocks_play) == (ALERT, False)
    says(f"{alert.message}: {alert.remedy}")
    played(table)  # play goes on
    assert table.clear(ALERT, Actor.DEALER).accepted
    played(table)
    assert [fact.alert for fact in table.said(AlertRaised)] == [ALERT, ALERT], "the deck was left: reminded again"


def test_another_deck_is_recommended_after_so_many_minutes(says: Says) -> None:
    table = Table(settings(deck_change_minutes=240)).ready()
    at(table, 239)
    assert table.state.alerts == ()
    at(table, 241)
    says(table.last(AlertRaised).message)


def test_a_clock_that_is_set_back_keeps_no_reminder_away() -> None:
    """A deck that came at a time that has not come yet would count from that time on."""
    table = Table(settings(deck_change_minutes=240)).ready()
    at(table, -10_000)
    at(table, -10_000 + 239)
    assert table.state.alerts == ()
    at(table, -10_000 + 241)
    assert table.state.alert(ALERT) is not None


def test_a_changed_deck_ends_the_reminder_and_counts_anew() -> None:
    table = Table(settings(deck_change_rounds=1)).ready()
    played(table)
    assert table.state.alert(ALERT) is not None
    assert table.ask(ChangeDeck()).accepted
    assert [type(fact) for fact in table.new if isinstance(fact, DeckChanged | AlertCleared)] == [
        DeckChanged,
        AlertCleared,
    ]
    assert (table.state.alert(ALERT), table.state.rounds_with_deck) == (None, 0)


def test_a_start_between_rounds_knows_how_long_the_deck_was_played() -> None:
    table = played(Table(settings(deck_change_rounds=5)).ready())
    carried, configured = carry_over(table.state), table.inputs[0]
    assert carried is not None
    assert isinstance(configured, Configured)
    assert restored(carried, configured, table.state.at).rounds_with_deck == 1
    assert restored(carried, configured, table.state.at) == table.state


def test_a_shoe_gets_new_cards_by_the_same_word() -> None:
    table = a_table()
    assert table.ask(LoadShoe(1), Actor.DEALER).accepted
    assert table.ask(ChangeDeck()).accepted
    assert table.state.shoe is None
    assert table.said(ShoeChangeDue)
    assert table.ask(LoadShoe(1), Actor.DEALER).accepted


def test_a_deck_that_came_out_whole_is_not_dealt_after_the_change() -> None:
    table = Table(settings(source=BATCH))
    assert table.ask(ChangeDeck()).accepted
    assert table.state.batch is None
