"""The shuffler's mode is checked against the game before betting opens, and again before each packet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.wagers import WagerName
from daemon.table.facts import AlertRaised
from daemon.table.round_facts import DealerPrompted, RoundVoided
from daemon.table.settings import SourceSettings
from daemon.table.state import Phase
from daemon.table.vocabulary import Decision, Irregularity
from drivers.commands import CommandDue, SetMode
from drivers.events import CommandAnswered, CommandId, ModeChanged, PacketRemoved, ShuffleFinished, ShuffleStarted
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, PAIR, dealt, decide, table_with

OBSERVED = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=True)


def observed() -> Table:
    table = table_with(PAIR, NO_PAIR, DEALERS, COMMON, source=OBSERVED)
    table.link_up()
    return table


def dealing(table: Table) -> Table:
    """The only player's hand is out; the dealer's is next."""
    table.device(ShuffleFinished(52))
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    table.dispense(1)
    return table


def test_a_machine_that_takes_orders_is_set_before_any_bet_is_taken(says: Says) -> None:
    table = table_with()
    table.link_up()
    assert table.commands == [SetMode(2)]
    assert table.phase() is Phase.IDLE
    says(table.state.prompt)
    table.set_mode(2)
    assert table.phase() is Phase.BETTING


def test_a_size_that_was_lost_on_the_way_is_not_waited_for_once_a_later_one_is_answered() -> None:
    table = table_with()
    table.link_up()
    lost = CommandDue(CommandId("lost"), SHUFFLER, SetMode(5))
    table.state = replace(table.state, outstanding=(lost, *table.state.outstanding))
    table.device(CommandAnswered(table.state.outstanding[-1].id, None))
    table.device(ModeChanged(2))
    assert table.commands == [SetMode(2)]
    assert table.state.outstanding == ()
    assert table.phase() is Phase.BETTING


@pytest.mark.parametrize("cards", [3, 5])
def test_one_that_takes_none_has_to_be_set_by_hand(cards: int) -> None:
    table = table_with(source=OBSERVED)
    table.device(ModeChanged(cards))
    table.link_up()
    assert table.phase() is Phase.IDLE
    assert table.last(AlertRaised).alert == "wrong-mode-shuffler"
    assert table.clear("wrong-mode-shuffler").code == "cause-stands"
    table.device(ModeChanged(2))
    assert table.clear("wrong-mode-shuffler").accepted
    assert table.phase() is Phase.BETTING
    assert table.commands == []


def test_one_that_never_said_its_mode_is_believed_until_its_packets_are_counted() -> None:
    table = observed()
    assert table.phase() is Phase.BETTING
    table.device(ShuffleFinished(52))
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    table.dispense(1, table.draw(5))
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT


def test_a_machine_with_a_program_of_its_own_changes_its_mode_between_packets_and_no_alert_is_raised() -> None:
    """It says its mode before the packet that it is for, as felt-link's specification has it."""
    table = observed()
    for event in (ShuffleStarted(), ModeChanged(2), ShuffleFinished(52)):
        table.device(event)
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    table.dispense(1)
    table.device(ModeChanged(3))
    table.device(PacketRemoved(1))
    table.dispense(2)
    table.deliver(2)
    table.dispense(3)
    table.deliver(3)
    table.eject()
    assert table.phase() is Phase.DECIDING
    decide(table, 1, Decision.PLAY, 1000)
    assert not table.said(AlertRaised)


def test_after_the_round_it_is_waited_for_until_it_is_at_the_first_packets_size_again(says: Says) -> None:
    table = observed()
    table.device(ModeChanged(2))
    dealing(table)
    table.device(ModeChanged(3))
    table.void()
    table.put_back()
    says(table.state.prompt)
    table.device(ModeChanged(2))
    assert table.phase() is Phase.BETTING


def test_a_machine_that_stays_at_one_size_is_set_by_the_dealer_when_the_table_says_so(says: Says) -> None:
    table = observed()
    table.device(ModeChanged(2))
    dealing(table)
    table.deliver(1)
    says(table.last(DealerPrompted).sentence)
    table.device(ModeChanged(3))
    table.dispense(2)
    table.deliver(2)
    says(table.last(DealerPrompted).sentence)


def test_if_nobody_does_its_packet_is_a_wrong_count() -> None:
    table = observed()
    table.device(ModeChanged(2))
    dealing(table)
    table.deliver(1)
    table.dispense(2, table.draw(2))
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT


def test_a_machine_that_takes_orders_is_set_to_each_size_once_and_back_before_the_next_round() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON), 1)
    assert [order for order in table.commands if isinstance(order, SetMode)] == [SetMode(2), SetMode(3), SetMode(2)]
    table.void()
    table.put_back()
    assert table.phase() is Phase.BETTING
