"""What a dealer alone can bring about: a house can have a supervisor rule on it once cards of the round are out."""

from __future__ import annotations

import pytest

from daemon.table.round_facts import IrregularityFound
from daemon.table.settings import AT_A_DEALERS_WILL
from daemon.table.state import Phase
from daemon.table.vocabulary import Irregularity, Policy, Ruling
from drivers.events import PacketDispensed
from protocols.cards import Card
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table, settings
from tests.table.test_blackjack_irregular import draw
from tests.table.test_wrong_deals import BLIND, collect, hand_out

WAITS = pytest.mark.parametrize(
    ("once_seen", "phase"), [(AT_A_DEALERS_WILL, Phase.HELD), ((), Phase.VOIDING)], ids=["once seen", "as ruled"]
)


def expect(table: Table | Blackjack, irregularity: Irregularity, phase: Phase) -> None:
    found = table.last(IrregularityFound)
    assert (found.irregularity, table.state.phase) == (irregularity, phase)
    assert found.policy is (Policy.SUPERVISOR if phase is Phase.HELD else Policy.VOID)
    if phase is Phase.HELD:
        assert table.rule(Ruling.VOID).accepted


@WAITS
def test_a_packet_more_than_stakes(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    table = Table(settings(supervised_once_seen=once_seen)).dealt(1, 2)
    table.press()
    table.device(PacketDispensed(3, 5, None))
    expect(table, Irregularity.HAND_WITHOUT_STAKE, phase)


@WAITS
def test_a_stub_count_that_is_not_the_deck(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    table = Table(settings(source=BLIND, supervised_once_seen=once_seen, stub_count_rounds_max=1)).ready().staked(1)
    table.press()
    hand_out(table)
    collect(table)
    table.stub(40)
    expect(table, Irregularity.DECK_NOT_PROVEN, phase)


@WAITS
def test_a_card_that_the_shoe_counted_and_did_not_report(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    table = Blackjack(supervised_once_seen=once_seen)
    table.stake(1)
    table.press()
    draw(table, Card.parse("5c"), number=1)
    draw(table, Card.parse("9c"), number=3)
    expect(table, Irregularity.CARD_MISSING, phase)
