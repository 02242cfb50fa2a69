"""Big Raise dealt by hand from a batch: what the table can know, and when (big-raise-holdem.md, games/README.md)."""

from __future__ import annotations

import pytest

from daemon.rules.wagers import WagerName
from daemon.table.big_raise.facts import UpCardShown
from daemon.table.facts import BatchOut, ButtonRefused, DeviceAnomaly
from daemon.table.inputs import EnterCards, ReportIrregularity
from daemon.table.round_facts import (
    DeckAccounted,
    HandDealt,
    HandSettled,
    IrregularityFound,
    RoundInterrupted,
    RoundSettled,
    RoundVoided,
    StubCountAsked,
)
from daemon.table.settings import SourceSettings
from daemon.table.state import Deck, Phase
from daemon.table.view import public
from daemon.table.vocabulary import (
    COMMUNITY,
    DEALER,
    Actor,
    Decision,
    DeckProof,
    Evidence,
    Irregularity,
    Ruling,
    SeatNumber,
    SourceKind,
)
from drivers.events import (
    Button,
    DeckLoaded,
    DeviceEvent,
    EventsLost,
    FaultKind,
    FaultRaised,
    LinkLost,
    PacketDispensed,
    RemainderEjected,
    Restarted,
    ShuffleFinished,
    ShuffleStarted,
)
from protocols.cards import DECK, Card, Face, Misread, parse_cards
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, PAIR, decide, fold, table_with
from tests.table.test_view import cards_in

BATCH = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=False, counts=True, kind=SourceKind.BATCH)
PLACES = (SeatNumber(1), SeatNumber(3), DEALER, COMMUNITY)


def give(table: Table, count: int | None = 52, faces: tuple[Face, ...] | None = None) -> None:
    """The machine shuffles a deck and gives it out."""
    table.shuffle(52)
    table.device(RemainderEjected(count, faces))


def betting(**changes: object) -> Table:
    table = table_with(**{"source": BATCH, **changes})
    table.link_up()
    for seat in (1, 3):
        assert table.bet(seat, WagerName.ANTE, 500).accepted, table.answer
    return table


def dealing(**changes: object) -> Table:
    table = betting(**changes)
    give(table)
    table.press()
    return table


def enter(table: Table, seat: int, cards: tuple[Card, ...]) -> None:
    assert table.ask(EnterCards(SeatNumber(seat), cards), Actor.DEALER).accepted, table.answer


def played(table: Table) -> Table:
    """All hands out, everybody decides, and everything is entered as it lies open."""
    table.press()
    enter(table, DEALER, DEALERS[:1])
    decide(table, 1, Decision.PLAY, 2000)
    enter(table, 1, PAIR)
    decide(table, 3, Decision.PLAY, 1000)
    enter(table, 3, NO_PAIR)
    enter(table, DEALER, DEALERS)
    enter(table, COMMUNITY, COMMON)
    return table


def test_betting_opens_without_a_packet_size_because_there_are_no_packets() -> None:
    table = betting()
    assert table.phase() is Phase.BETTING
    assert table.commands == []


def test_green_waits_until_a_shuffled_deck_is_out(says: Says) -> None:
    table = betting()
    table.press()
    says(table.last(ButtonRefused).message)
    table.shuffle(52)
    table.press()
    says(table.last(ButtonRefused).message)
    table.device(RemainderEjected(52, None))
    assert table.last(BatchOut) == BatchOut(SHUFFLER, 52, is_shuffled=True)
    table.press()
    assert table.phase() is Phase.DEALING


def test_a_deck_that_came_out_unshuffled_is_not_dealt_from() -> None:
    table = betting()
    table.device(DeckLoaded())
    table.device(RemainderEjected(52, None))
    assert table.last(BatchOut).is_shuffled is False
    table.press()
    assert table.phase() is Phase.BETTING


def test_the_dealer_is_told_who_gets_how_many_cards_in_which_order(says: Says) -> None:
    says(dealing().state.prompt)


def test_green_says_that_all_hands_are_out_and_the_up_card_is_asked_for(says: Says) -> None:
    table = dealing()
    table.press()
    assert [(fact.seat, fact.count) for fact in table.said(HandDealt)] == [(seat, None) for seat in PLACES]
    assert table.phase() is Phase.DECIDING
    says(table.state.prompt)


def test_the_same_green_means_nothing_where_a_machine_deals() -> None:
    table = table_with()
    table.link_up()
    table.set_mode(2)
    table.shuffle()
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    table.press()
    assert table.last(ButtonRefused).code == "not-while-dealing"


def test_a_round_is_dealt_decided_entered_and_settled() -> None:
    table = played(dealing())
    table.press(Button.NEXT)
    table.press(Button.NEXT)
    assert {settled.evidence for settled in table.said(HandSettled)} == {Evidence.ENTERED_BY_PERSON}
    settled = table.last(RoundSettled)
    assert settled.stakes_cents == 500 + 2000 + 500 + 1000
    assert settled.stakes_cents == settled.returned_cents + settled.take_cents


def test_a_batch_is_dealt_from_once() -> None:
    table = played(dealing())
    table.void()
    table.put_back()
    for seat in (1, 3):
        table.bet(seat, WagerName.ANTE, 500)
    table.press()
    assert table.last(ButtonRefused).code == "deck-not-ready"
    give(table)
    table.press()
    assert table.phase() is Phase.DEALING


def test_the_next_deck_may_come_out_while_this_one_is_played() -> None:
    table = played(dealing())
    give(table)
    table.void()
    table.put_back()
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    assert table.phase() is Phase.DEALING


AWAY_FROM_THE_ROUND: list[DeviceEvent] = [
    DeckLoaded(),
    ShuffleStarted(),
    ShuffleFinished(52),
    RemainderEjected(52, None),
    FaultRaised(FaultKind.JAM, ""),
    LinkLost("unplugged"),
    Restarted("boot-2"),
    EventsLost(3, "gone"),
]


@pytest.mark.parametrize("event", AWAY_FROM_THE_ROUND)
@pytest.mark.parametrize("stage", ["dealing", "deciding"])
def test_what_the_machine_does_next_is_not_this_rounds_matter(event: DeviceEvent, stage: str) -> None:
    table = dealing()
    if stage == "deciding":
        table.press()
    phase = table.phase()
    table.device(event)
    assert table.phase() is phase
    assert not table.said(RoundInterrupted)


@pytest.mark.parametrize("event", [Restarted("boot-2"), EventsLost(3, "gone")])
def test_a_deck_is_not_dealt_from_when_the_machines_record_has_a_hole(event: DeviceEvent) -> None:
    """Another may have come out since, or this one may have been put back."""
    table = betting()
    give(table)
    table.device(event)
    table.press()
    assert (table.last(ButtonRefused).code, table.phase()) == ("deck-not-ready", Phase.BETTING)


def test_a_fault_that_comes_when_the_deck_is_out_keeps_the_next_round_from_opening_and_not_this_deal() -> None:
    table = dealing()
    table.device(FaultRaised(FaultKind.JAM, ""))
    played(table)
    table.press(Button.NEXT)
    table.press(Button.NEXT)
    assert table.said(RoundSettled)
    assert table.phase() is Phase.IDLE


def test_a_machine_that_gives_whole_decks_has_no_packets() -> None:
    table = dealing()
    table.device(PacketDispensed(1, 2, None))
    assert table.last(DeviceAnomaly).code == "packet-from-a-batch"
    assert not table.said(HandDealt)


# --- the deck: its count before, the stub's count after ---


def test_a_deck_that_came_out_with_another_count_voids_before_a_card_is_dealt() -> None:
    table = betting()
    give(table, count=51)
    table.press()
    voided = table.last(RoundVoided)
    assert (voided.irregularity, voided.returned_cents) == (Irregularity.DECK_NOT_PROVEN, 1000)


def test_or_waits_for_a_supervisor_and_is_dealt_when_he_says_so() -> None:
    table = betting(supervised=(Irregularity.DECK_NOT_PROVEN,))
    give(table, count=51)
    table.press()
    assert table.phase() is Phase.HELD
    assert table.rule(Ruling.CONTINUE).accepted
    assert (table.phase(), "Deal by hand" in table.state.prompt) == (Phase.DEALING, True)


WITH_A_STRANGER: tuple[Face, ...] = (*DECK[:51], Misread.FOREIGN)
WITH_A_TWIN: tuple[Face, ...] = (*DECK[:51], DECK[0])


@pytest.mark.parametrize(
    ("faces", "irregularity"),
    [
        (WITH_A_STRANGER, Irregularity.FOREIGN_CARD),
        ((*DECK[:51], Misread.BOXED), Irregularity.BOXED_CARD),
        ((*DECK[:51], Misread.UNREADABLE), Irregularity.UNREADABLE_CARD),
        (WITH_A_TWIN, Irregularity.DUPLICATE_CARD),
    ],
)
def test_what_a_machine_reads_of_the_whole_deck_is_looked_at_before_it_is_dealt(
    faces: tuple[Face, ...], irregularity: Irregularity
) -> None:
    table = betting()
    give(table, faces=faces)
    table.press()
    assert table.last(IrregularityFound).irregularity is irregularity
    assert table.said(RoundVoided)


def test_and_says_nothing_of_where_its_cards_went() -> None:
    """The order is known to the machine, and no hand is taken from it: dealing by hand can go wrong unseen."""
    table = betting()
    give(table, faces=DECK)
    table.press()
    table.press()
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == set()
    enter(table, DEALER, DECK[-1:])
    assert table.last(UpCardShown) == UpCardShown(DECK[-1], Evidence.ENTERED_BY_PERSON)


def test_the_stub_is_counted_when_it_is_due_before_anybody_decides() -> None:
    table = dealing(stub_count_rounds_max=1)
    table.press()
    assert (table.phase(), bool(table.said(StubCountAsked))) == (Phase.COUNTING, True)
    assert table.stub(42).accepted
    accounted = table.last(DeckAccounted)
    assert (accounted.proof, accounted.dealt, accounted.remaining) == (DeckProof.STUB_COUNTED, 10, 42)
    assert table.phase() is Phase.DECIDING


def test_a_stub_that_does_not_make_up_the_deck_voids() -> None:
    table = dealing(stub_count_rounds_max=1)
    table.press()
    table.stub(41)
    assert table.last(RoundVoided).irregularity is Irregularity.DECK_NOT_PROVEN


def test_rounds_between_the_counts_say_that_the_deck_was_not_counted() -> None:
    table = dealing()
    table.press()
    assert table.last(DeckAccounted).proof is DeckProof.NOT_DUE
    assert table.state.rounds_since_stub_count == 1


def test_a_dealers_void_request_in_mid_deal_goes_on_with_the_deal() -> None:
    table = dealing()
    table.press(Button.VOID)
    assert table.phase() is Phase.HELD
    table.rule(Ruling.CONTINUE)
    assert (table.phase(), "Deal by hand" in table.state.prompt) == (Phase.DEALING, True)
    table.press()
    assert table.phase() is Phase.DECIDING


def test_a_hand_that_was_entered_during_a_hold_stays_as_it_was_read() -> None:
    table = dealing()
    table.press(Button.VOID)
    assert table.enter(3, parse_cards("Ks Kd")).accepted
    table.rule(Ruling.CONTINUE)
    table.press()
    assert sorted(fact.seat for fact in table.said(HandDealt)) == [COMMUNITY, DEALER, 1]
    enter(table, DEALER, DEALERS[:1])
    fold(table, 1)
    assert decide(table, 3, Decision.PLAY, 2000).accepted


def test_a_wrong_count_is_a_supervisors_to_judge_whatever_a_person_entered_before() -> None:
    """No device counted the hand, so one person's word stands against another's."""
    table = dealing()
    table.press(Button.VOID)
    table.enter(3, parse_cards("Ks Kd"))
    table.rule(Ruling.CONTINUE)
    table.press()
    assert table.ask(ReportIrregularity(Irregularity.WRONG_COUNT, SeatNumber(3)), Actor.DEALER).accepted
    assert table.phase() is Phase.HELD
    table.rule(Ruling.VOID)
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT


def test_the_deck_in_the_machine_is_known_beside_the_one_that_is_dealt() -> None:
    table = dealing()
    assert table.deck_state() is Deck.UNKNOWN
    table.shuffle(52)
    assert table.deck_state() is Deck.READY
