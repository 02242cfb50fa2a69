"""A pad of keys beside the shuffler: it deals no cards, so what happens to it happens to no deal."""

from __future__ import annotations

import pytest

from daemon.table.facts import AlertRaised, ButtonRefused, DeviceAnomaly
from daemon.table.round_facts import DealerPrompted, RoundInterrupted, SeatSelected
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor
from drivers.commands import Dispense
from drivers.events import (
    FOREIGN_ORDER,
    Anomaly,
    Button,
    ButtonPressed,
    DeviceEvent,
    DeviceName,
    DeviceReport,
    EventsLost,
    FaultKind,
    FaultRaised,
    Identity,
    LinkLost,
    LinkUp,
    PacketDispensed,
    Restarted,
    SetupFailed,
    WentStale,
)
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table
from tests.table.test_big_raise import two_players

PAD = DeviceName("pad")
UP = LinkUp(Identity("KP-1", "0001", "1.0", ("buttons",)), "boot-1", resumed=True)
TROUBLE: list[DeviceEvent] = [
    LinkLost("pulled"),
    WentStale(5_000_000_000),
    Restarted("boot-2"),
    EventsLost(2, "its store was wiped"),
    LinkUp(UP.identity, "boot-2", resumed=False),
    FaultRaised(FaultKind.STORE_FULL, ""),
]


def pad(table: Table, event: DeviceEvent) -> None:
    table.take(DeviceReport(PAD, table.state.at, event, None))


def with_pad(table: Table) -> Table:
    pad(table, UP)
    return table


@pytest.mark.parametrize("trouble", TROUBLE)
def test_trouble_with_a_pad_interrupts_no_deal(trouble: DeviceEvent) -> None:
    table = with_pad(Table()).ready().staked(1, 2)
    table.press()
    pad(table, trouble)
    assert table.phase() is Phase.DEALING
    assert not table.said(RoundInterrupted)
    assert table.commands[-1] == Dispense(1)


@pytest.mark.parametrize("trouble", TROUBLE)
def test_trouble_with_a_pad_leaves_the_deck_as_it_is_and_keeps_no_round_from_opening(trouble: DeviceEvent) -> None:
    table = with_pad(Table()).ready().staked(1)
    deck = table.deck_state()
    pad(table, trouble)
    assert table.deck_state() is deck
    assert not table.state.blocked_by
    table.press()
    assert table.phase() is Phase.DEALING


def test_a_missing_pad_is_an_alert_all_the_same_until_it_is_back_and_somebody_has_looked() -> None:
    table = with_pad(Table()).ready()
    pad(table, LinkLost("pulled"))
    alert = table.last(AlertRaised)
    assert (alert.alert, alert.blocks_play) == ("missing-pad", False)
    assert table.clear("missing-pad", Actor.DEALER).code == "cause-stands"
    pad(table, UP)
    assert table.clear("missing-pad", Actor.DEALER).accepted


@pytest.mark.parametrize("lost", [Restarted("boot-2"), EventsLost(1, "gone")])
def test_lost_keys_decide_nothing_and_what_is_waited_for_is_said_again(lost: DeviceEvent) -> None:
    table = with_pad(two_players())
    asked = table.state.prompt
    pad(table, lost)
    pad(table, lost)
    assert table.phase() is Phase.DECIDING
    (warning,) = [prompt.sentence for prompt in table.said(DealerPrompted) if "may be lost" in prompt.sentence]
    assert warning.endswith(asked)


@pytest.mark.parametrize("before", [[], [SetupFailed("no-port", "there is no such port", "plug it in")]])
def test_of_a_pad_that_is_met_for_the_first_time_no_key_can_be_lost(before: list[DeviceEvent], says: Says) -> None:
    table = two_players()
    asked = table.state.prompt
    for event in (*before, LinkUp(UP.identity, "boot-1", resumed=False)):
        pad(table, event)
    assert table.state.prompt == asked
    pad(table, LinkUp(UP.identity, "boot-2", resumed=False))
    says(table.state.prompt)


def test_a_selection_is_let_go_when_keys_may_be_lost() -> None:
    """The key that is lost may have selected another seat."""
    table = with_pad(two_players())
    pad(table, ButtonPressed(Button.SEAT_2))
    assert table.said(SeatSelected)
    pad(table, EventsLost(1, "gone"))
    assert table.state.round is not None
    assert table.state.round.selected is None


@pytest.mark.parametrize("button", [Button.FOLD, Button.PLAY_2, Button.SEAT_2, Button.GREEN, Button.NEXT])
def test_keys_that_waited_in_an_unplugged_pad_do_nothing_when_it_is_back(button: Button) -> None:
    """A dealer who pressed three times because nothing happened meant it once."""
    table = with_pad(two_players())
    asked = table.state.prompt
    for _ in range(3):
        pad(table, ButtonPressed(button, kept=True))
        assert table.last(ButtonRefused).code == "pressed-unheard"
    assert (table.phase(), table.state.prompt) == (Phase.DECIDING, asked)
    pad(table, ButtonPressed(Button.FOLD))
    assert table.state.prompt != asked


def test_asking_for_a_void_is_never_too_late() -> None:
    table = with_pad(two_players())
    pad(table, ButtonPressed(Button.VOID, kept=True))
    assert table.phase() is Phase.HELD


def test_the_dealing_machines_own_green_counts_when_its_link_is_back_and_a_decision_on_it_does_not() -> None:
    table = Table().ready().staked(1)
    table.device(ButtonPressed(Button.GREEN, kept=True))
    assert table.phase() is Phase.DEALING
    players = two_players()
    players.device(ButtonPressed(Button.FOLD, kept=True))
    assert players.last(ButtonRefused).code == "pressed-unheard"


@pytest.mark.parametrize("button", [button for button in Button if button is not Button.GREEN])
def test_of_the_dealing_machines_keys_only_green_and_calls_count_when_its_link_is_back(button: Button) -> None:
    """Next was pressed three times while its cable was out, and three seats passed for paid that nobody was told of."""
    table = Table().reconciling(1, 2, 3)
    asked = table.state.prompt
    is_call = button in (Button.VOID, Button.SUPERVISOR)
    for _ in range(1 if is_call else 3):
        table.device(ButtonPressed(button, kept=True))
    assert {refused.code for refused in table.said(ButtonRefused)} >= (set() if is_call else {"pressed-unheard"})
    assert table.phase() is (Phase.HELD if button is Button.VOID else Phase.RECONCILING)
    assert is_call or table.state.prompt == asked


def test_without_a_round_no_keys_are_missed() -> None:
    table = Table()
    before = table.state.prompt
    pad(table, Restarted("boot-2"))
    assert table.state.prompt == before


def test_cards_from_a_device_that_the_game_is_not_dealt_from_are_no_hand() -> None:
    table = Table().ready().staked(1)
    table.press()
    pad(table, PacketDispensed(1, 5, None))
    assert table.state.round is not None
    assert not table.state.round.hands
    assert table.last(DeviceAnomaly).code == "not-the-source"


@pytest.mark.parametrize("device", [SHUFFLER, PAD])
def test_an_answer_to_an_order_that_the_table_did_not_give_is_an_alert(device: DeviceName) -> None:
    table = with_pad(Table()).ready()
    foreign = Anomaly(FOREIGN_ORDER, "it answered the order x1, which was not given here")
    table.take(DeviceReport(device, table.state.at, foreign, None))
    alert = table.last(AlertRaised)
    assert (alert.alert, alert.blocks_play, alert.device) == (f"foreign-order-{device}", device == SHUFFLER, device)
    assert table.last(DeviceAnomaly) == DeviceAnomaly(device, foreign.code, foreign.detail)
    assert table.clear(alert.alert, Actor.DEALER).code == "not-permitted"
    assert table.clear(alert.alert, Actor.TECHNICIAN).accepted
