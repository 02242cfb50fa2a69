"""Every irregularity of games/README.md, in both games that are dealt from one deck, against every policy of the house.

`CASES` is the list of the clauses: what is wrong, how it comes about, and who says so. A new irregularity without a
case fails a test here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from daemon.rules.big_50 import Big50House
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.wagers import GameName, WagerName
from daemon.table.games import PROCEDURES
from daemon.table.inputs import EnterCards, ReportIrregularity
from daemon.table.round_facts import CardsAsked, DeckAccounted, HandSettled, IrregularityFound, RoundVoided
from daemon.table.settings import SUPERVISED, SourceSettings
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.vocabulary import Actor, DeckProof, Irregularity, Policy, Ruling, SeatNumber
from protocols.cards import DECK, Misread
from tests.support.sentences import Says
from tests.table.playing import SEES_ALL, SHUFFLER, Table, settings
from tests.table.test_view import cards_in

WATCHED = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=True)
BLIND = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=False)
COUNTING = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=True)
OPTIONS = {GameName.BIG_50: Big50House(), GameName.BIG_RAISE: BigRaiseHouse()}
MAIN_BETS = {GameName.BIG_50: WagerName.POKER_HAND, GameName.BIG_RAISE: WagerName.ANTE}
GAMES = tuple(OPTIONS)
EVERY = tuple(Irregularity)


def started(game: GameName, source: SourceSettings, supervised: tuple[Irregularity, ...]) -> Table:
    """Bets are closed and the first packet is due; seats 1 and 2 play."""
    options = {"game": game, "options": OPTIONS[game], "source": source, "supervised": supervised}
    table = Table(settings(**options, stub_count_rounds_max=1))
    table.link_up()
    table.set_mode(PROCEDURES[game].play.first_packet_cards)
    table.shuffle(52 if source.counts else None)
    for seat in (1, 2):
        assert table.bet(seat, MAIN_BETS[game]).accepted, table.answer
    table.press()
    return table


def hand_out(table: Table, first: int = 1, last: int | None = None) -> None:
    """These packets, or all from the first."""
    for position in range(first, (last or packets(table)) + 1):
        table.dispense(position)
        table.deliver(position)


def packets(table: Table) -> int:
    assert table.state.round is not None
    return len(table.state.round.plan)


def collect(table: Table) -> None:
    table.press()
    table.eject()


def reported(table: Table, irregularity: Irregularity, seat: int | None = 2, role: Actor = Actor.DEALER) -> Answer:
    place = None if seat is None else SeatNumber(seat)
    return table.ask(ReportIrregularity(irregularity, place), role)


# --- how each comes about ---


def one_card_too_many(table: Table) -> None:
    hand_out(table, 1, 1)
    table.dispense(2, table.draw(table.planned(2) + 1))


def one_card_too_few(table: Table) -> None:
    table.dispense(1, table.draw(table.planned(1) - 1))


def sensor_and_reader_disagree(table: Table) -> None:
    table.dispense(1, table.draw(table.planned(1) - 1), count=table.planned(1))


def the_same_card_twice(table: Table) -> None:
    first = table.draw(table.planned(1))
    table.dispense(1, first)
    table.deliver(1)
    table.dispense(2, [*table.draw(table.planned(2))[1:], first[0]])
    table.deliver(2)
    hand_out(table, 3)
    collect(table)


def a_card_of_the_stub_that_was_dealt(table: Table) -> None:
    first = table.deck[0]
    hand_out(table)
    table.press()
    table.eject(faces=[first, *table.draw(52)[1:]])


def unnamed(mark: Misread) -> Callable[[Table], None]:
    def came(table: Table) -> None:
        table.dispense(1, [*table.draw(table.planned(1))[1:], mark])
        table.deliver(1)
        hand_out(table, 2)
        collect(table)

    return came


def one_packet_more_than_stakes(table: Table) -> None:
    hand_out(table)
    table.dispense(packets(table) + 1)


def a_packet_was_passed_over(table: Table) -> None:
    table.dispense(2)


def the_rest_came_before_every_hand(table: Table) -> None:
    hand_out(table, 1, 1)
    table.eject()


def the_same_packet_again(table: Table) -> None:
    table.dispense(1)
    table.dispense(1)


def the_rest_is_short(table: Table) -> None:
    hand_out(table)
    table.press()
    table.eject(faces=table.draw(20))


def the_stub_is_short(table: Table) -> None:
    hand_out(table)
    collect(table)
    assert table.phase() is Phase.COUNTING
    table.stub(40)


def said_by_the_dealer(irregularity: Irregularity) -> Callable[[Table], None]:
    def report(table: Table) -> None:
        hand_out(table)
        assert reported(table, irregularity).accepted, table.answer

    return report


@dataclass(frozen=True, slots=True)
class Case:
    """One clause: what it is, how it comes about, on which machine, and whether a person said it of an unseen hand."""

    clause: str
    irregularity: Irregularity
    source: SourceSettings
    happens: Callable[[Table], None]
    is_reported: bool = False


WRONG_COUNT, DUPLICATE, MISSING = Irregularity.WRONG_COUNT, Irregularity.DUPLICATE_CARD, Irregularity.MISSING_HAND
CASES = (
    Case("a card too many in a hand", WRONG_COUNT, SEES_ALL, one_card_too_many),
    Case("a card too few in a hand", WRONG_COUNT, COUNTING, one_card_too_few),
    Case("sensor and reader count differently", WRONG_COUNT, SEES_ALL, sensor_and_reader_disagree),
    Case("a wrong count that a person saw", WRONG_COUNT, BLIND, said_by_the_dealer(WRONG_COUNT), is_reported=True),
    Case("the same card twice in a single deck", DUPLICATE, SEES_ALL, the_same_card_twice),
    Case("a dealt card among the rest", DUPLICATE, SEES_ALL, a_card_of_the_stub_that_was_dealt),
    Case("the same card twice, seen by a person", DUPLICATE, BLIND, said_by_the_dealer(DUPLICATE), is_reported=True),
    Case("a card that cannot be named", Irregularity.UNREADABLE_CARD, SEES_ALL, unnamed(Misread.UNREADABLE)),
    Case("a boxed card", Irregularity.BOXED_CARD, SEES_ALL, unnamed(Misread.BOXED)),
    Case("a card of another deck", Irregularity.FOREIGN_CARD, SEES_ALL, unnamed(Misread.FOREIGN)),
    Case(
        "a card of another deck, seen by a person",
        Irregularity.FOREIGN_CARD,
        BLIND,
        said_by_the_dealer(Irregularity.FOREIGN_CARD),
        is_reported=True,
    ),
    Case("a hand for a seat without a stake", Irregularity.HAND_WITHOUT_STAKE, WATCHED, one_packet_more_than_stakes),
    Case("a missing hand", MISSING, SEES_ALL, a_packet_was_passed_over),
    Case("a missing hand, and the rest is out", MISSING, WATCHED, the_rest_came_before_every_hand),
    Case("cards out of turn", Irregularity.UNEXPECTED_CARDS, SEES_ALL, the_same_packet_again),
    Case("dealt and remaining are not the deck, counted", Irregularity.DECK_NOT_PROVEN, COUNTING, the_rest_is_short),
    Case("dealt and remaining are not the deck, by stub", Irregularity.DECK_NOT_PROVEN, BLIND, the_stub_is_short),
    Case("an exposed card", Irregularity.EXPOSED_CARD, SEES_ALL, said_by_the_dealer(Irregularity.EXPOSED_CARD)),
    *(
        Case(word.value, word, SEES_ALL, said_by_the_dealer(word))
        for word in (
            Irregularity.MISDEAL,
            Irregularity.FOUL_HAND,
            Irregularity.CARD_OFF_TABLE,
            Irregularity.HANDS_EXCHANGED,
        )
    ),
    Case(
        "a player who acted out of turn",
        Irregularity.ACTED_OUT_OF_TURN,
        SEES_ALL,
        said_by_the_dealer(Irregularity.ACTED_OUT_OF_TURN),
    ),
)
ELSEWHERE = {
    Irregularity.RAISE_WITHOUT_PAIR: "tests/table/test_unread_cards.py",
    Irregularity.CARD_OUT_OF_TURN: "of a shoe",
    Irregularity.CARD_TOO_OFTEN: "of a shoe",
    Irregularity.CARD_MISSING: "of a shoe",
    Irregularity.CARD_RETURNED: "of a shoe",
    Irregularity.CARD_OUTSIDE_GAME: "of a shoe",
    Irregularity.DISPUTED_CARD: "of a shoe",
}
of_each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.clause)
in_each_game = pytest.mark.parametrize("game", GAMES)


def test_every_irregularity_has_a_case() -> None:
    assert {case.irregularity for case in CASES} | set(ELSEWHERE) == set(Irregularity)


def policy_for(case: Case, supervised: tuple[Irregularity, ...]) -> Policy:
    """What the house wants, but for a wrong count that a device saw, and for a person's word on what devices see."""
    is_the_houses = case.irregularity in supervised and case.irregularity is not WRONG_COUNT
    return Policy.SUPERVISOR if case.is_reported or is_the_houses else Policy.VOID


@in_each_game
@of_each_case
@pytest.mark.parametrize("supervised", [SUPERVISED, EVERY, ()], ids=["default", "supervisor", "void"])
def test_it_voids_with_every_stake_back_or_stands_still_for_a_supervisor(
    game: GameName, case: Case, supervised: tuple[Irregularity, ...]
) -> None:
    table = started(game, case.source, supervised)
    case.happens(table)
    found, wanted = table.last(IrregularityFound), policy_for(case, supervised)
    assert (found.irregularity, found.policy) == (case.irregularity, wanted)
    if wanted is Policy.SUPERVISOR:
        assert table.phase() is Phase.HELD
        assert table.rule(Ruling.VOID).accepted
    voided = table.last(RoundVoided)
    assert voided.returned_cents == sum(stake.stake_cents for stake in voided.returned) == 1000
    assert not table.said(HandSettled)
    assert cards_in(tuple(table.facts)) == set()


# --- what a person reports ---


@in_each_game
def test_a_dealers_word_against_a_sensors_count_is_a_supervisors_to_judge(game: GameName) -> None:
    table = started(game, COUNTING, SUPERVISED)
    hand_out(table)
    assert reported(table, WRONG_COUNT).accepted
    assert (table.phase(), table.last(IrregularityFound).policy) == (Phase.HELD, Policy.SUPERVISOR)


def test_an_entry_of_a_wrong_number_of_cards_leads_to_the_report_that_is_then_taken(says: Says) -> None:
    table = started(GameName.BIG_50, BLIND, SUPERVISED)
    hand_out(table)
    table.press()
    table.eject()
    table.stub(len(DECK) - 2 * 5)
    seat = table.last(CardsAsked).seat
    refused = table.ask(EnterCards(seat, tuple(DECK[:4])), Actor.DEALER)
    assert refused.code == "wrong-count"
    says(refused.message)
    assert reported(table, WRONG_COUNT, seat=seat).accepted
    assert table.phase() is Phase.HELD
    table.rule(Ruling.VOID)
    assert table.last(RoundVoided).irregularity is WRONG_COUNT


def test_where_no_report_is_taken_an_entry_does_not_lead_to_one(says: Says) -> None:
    table = started(GameName.BIG_50, BLIND, SUPERVISED)
    hand_out(table)
    reported(table, Irregularity.MISDEAL)
    refused = table.enter(1, tuple(DECK[:4]))
    assert refused.code == "wrong-count"
    says(refused.message)


@in_each_game
def test_a_wrong_count_is_that_of_a_hand(game: GameName) -> None:
    table = started(game, BLIND, SUPERVISED)
    assert reported(table, WRONG_COUNT, seat=None).code == "place-missing"
    assert reported(table, WRONG_COUNT, seat=3).code == "no-such-hand"
    assert table.phase() is Phase.DEALING


@in_each_game
def test_an_exposed_card_on_which_a_supervisor_ruled_is_not_reported_again(game: GameName) -> None:
    table = started(game, SEES_ALL, SUPERVISED)
    reported(table, Irregularity.EXPOSED_CARD)
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DEALING
    assert reported(table, Irregularity.EXPOSED_CARD).code == "already-reported"
    assert reported(table, Irregularity.EXPOSED_CARD, seat=1).accepted


@in_each_game
def test_before_the_deal_and_while_a_supervisor_is_called_nothing_is_reported(game: GameName) -> None:
    table = started(game, SEES_ALL, SUPERVISED)
    reported(table, Irregularity.EXPOSED_CARD)
    assert reported(table, Irregularity.EXPOSED_CARD, seat=None).code == "not-while-held"
    table.rule(Ruling.VOID)
    assert reported(table, Irregularity.EXPOSED_CARD, seat=None).code == "not-while-voiding"
    table.put_back()
    assert reported(table, Irregularity.EXPOSED_CARD, seat=None).code == "not-while-betting"


@in_each_game
def test_a_player_reports_nothing(game: GameName) -> None:
    table = started(game, SEES_ALL, SUPERVISED)
    assert reported(table, Irregularity.EXPOSED_CARD, role=Actor.PLAYER).code == "not-permitted"


@in_each_game
def test_a_report_while_reconciling_holds_and_goes_on_where_it_stood(game: GameName) -> None:
    table = started(game, SEES_ALL, SUPERVISED)
    hand_out(table)
    collect(table)
    phase = table.phase()
    reported(table, Irregularity.ACTED_OUT_OF_TURN, seat=None)
    assert table.phase() is Phase.HELD
    table.rule(Ruling.CONTINUE)
    assert table.phase() is phase
    assert table.last(DeckAccounted).proof is DeckProof.READ
