"""A ruling holds for what its author saw: what came since they looked, they have to look at first."""

from __future__ import annotations

import pytest

from daemon.table.inputs import EnterCards, Rule
from daemon.table.settings import SourceSettings
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Ruling, SeatNumber
from drivers.events import Button, FaultKind, FaultRaised, PacketDispensed, Restarted
from protocols.cards import Misread, parse_cards
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table, settings

OBSERVED = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=True)
HAND = parse_cards("Ah Kh Qh Jh Th")


def test_a_ruling_on_an_older_picture_is_refused_and_says_what_came_since(says: Says) -> None:
    """The supervisor who ruled on the dealer's wish for a void had not seen that the shuffler started anew."""
    table = _stands_by_the_dealers_word()
    seen = table.revision()
    table.device(Restarted("boot-2"))
    for ruling in Ruling:
        answer = table.ask(Rule(ruling, "seen", seen), round_id=table.running())
        assert (answer.code, table.phase()) == ("changed-since", Phase.INTERRUPTED)
        says(answer.message)
    assert table.rule(Ruling.VOID).accepted


def test_a_ruling_that_comes_late_does_not_fall_on_the_next_stand_of_the_round(says: Says) -> None:
    """Two supervisors rule on the same stand, and the second word arrives when the round stands still again."""
    table = _stands_by_the_dealers_word()
    seen = table.revision()
    assert table.rule(Ruling.CONTINUE).accepted
    table.device(FaultRaised(FaultKind.JAM, "exit roller"))
    answer = table.ask(Rule(Ruling.CONTINUE, "seen", seen), round_id=table.running())
    assert (answer.code, table.phase()) == ("changed-since", Phase.HELD)
    says(answer.message)


def test_cards_that_a_dealer_enters_after_the_supervisors_look_are_not_vouched_for(says: Says) -> None:
    table = Table(settings(source=OBSERVED)).ready().staked(1)
    table.press()
    table.device(PacketDispensed(1, 5, (*HAND[:4], Misread.UNREADABLE)))
    table.deliver(1)
    table.press(Button.VOID)
    seen = table.revision()
    assert table.ask(EnterCards(SeatNumber(1), HAND), Actor.DEALER, who="deb").accepted
    answer = table.ask(Rule(Ruling.CONTINUE, "seen", seen), round_id=table.running())
    assert answer.code == "changed-since"
    says(answer.message)


@pytest.mark.parametrize("ahead", [-1, 99])
def test_a_ruling_on_what_never_was_is_refused(ahead: int) -> None:
    table = _stands_by_the_dealers_word()
    answer = table.ask(Rule(Ruling.CONTINUE, "seen", ahead), round_id=table.running())
    assert (answer.code, table.phase()) == ("changed-since", Phase.HELD)


def test_a_ruling_of_a_journal_from_before_is_played_as_it_was() -> None:
    table = _stands_by_the_dealers_word()
    table.device(Restarted("boot-2"))
    assert table.ask(Rule(Ruling.VOID, "seen", None), round_id=table.running()).accepted


def _stands_by_the_dealers_word() -> Table:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.press(Button.VOID)
    return table
