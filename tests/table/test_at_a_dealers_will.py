"""What a dealer alone can bring about: a house can have a supervisor rule on it once cards of the round are out."""

from __future__ import annotations

import pytest

from daemon.table.round_facts import IrregularityFound
from daemon.table.settings import AT_A_DEALERS_WILL
from daemon.table.state import Phase
from daemon.table.vocabulary import Irregularity, Policy, Ruling
from drivers.events import PacketDispensed
from protocols.cards import Card, Misread
from tests.table.blackjack_playing import Blackjack, house_of
from tests.table.playing import Table, settings
from tests.table.recorded_rounds import OBSERVED
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


@WAITS
def test_the_rest_of_the_deck_before_the_last_hand(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    """The machine's own key in the middle of the deal: players had looked at their hands, and every stake went back."""
    table = observed(once_seen)
    table.press()
    table.eject()
    expect(table, Irregularity.MISSING_HAND, phase)


@WAITS
def test_a_packet_of_another_deck(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    table = observed(once_seen)
    table.dispense(1)
    expect(table, Irregularity.UNEXPECTED_CARDS, phase)


def observed(once_seen: tuple[Irregularity, ...]) -> Table:
    """The first of three hands is out of a machine that deals by itself."""
    table = Table(settings(source=OBSERVED, supervised_once_seen=once_seen))
    table.link_up()
    table.shuffle()
    table.staked(1, 2, 3).press()
    table.dispense(1)
    table.deliver(1)
    return table


@WAITS
def test_a_card_of_another_deck_through_the_shoe(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    table = Blackjack(supervised_once_seen=once_seen)
    table.stake(1)
    table.press()
    table.cards("5c 9c")
    table.card(Misread.FOREIGN)
    expect(table, Irregularity.FOREIGN_CARD, phase)


@WAITS
def test_a_card_from_the_rack_through_the_shoe(once_seen: tuple[Irregularity, ...], phase: Phase) -> None:
    table = Blackjack(house_of(decks=1), supervised_once_seen=once_seen)
    table.stake(1)
    table.press()
    table.cards("5c 5c")
    expect(table, Irregularity.CARD_TOO_OFTEN, phase)
