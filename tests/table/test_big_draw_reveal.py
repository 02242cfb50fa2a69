"""The deck and the hand after the draw, clause by clause (big-draw.md, step 6 of the round, and the rulings)."""

from __future__ import annotations

from daemon.rules.limits import AggregateLimit, Day, Limits, LimitSchedule
from daemon.rules.money import Cents
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.round_facts import CardsAsked, DeckAccounted, HandSettled, RoundSettled
from daemon.table.vocabulary import DeckProof, Evidence
from drivers.events import Button
from protocols.cards import Card, parse_cards
from tests.table.big_draw_playing import JACKS, NOTHING, TWO_PAIR, BigDrawTable
from tests.table.test_big_draw import BIG_DRAW, one, three
from tests.table.test_big_draw_first_5 import COUNTS

# --- the deck ---


def test_dealt_drawn_and_remaining_are_fifty_two_different_cards() -> None:
    table = three().drawing((2, 5), (3, 5), (1, 5)).give_all().collect()
    told = table.last(DeckAccounted)
    assert (told.proof, told.dealt, told.remaining) == (DeckProof.READ, 30, 22)


def test_five_players_who_all_draw_five_use_fifty_cards() -> None:
    table = BigDrawTable().hands_out(1, 2, 3, 4, 5, wagers=BIG_DRAW)
    table.drawing(*((seat, 5) for seat in range(1, 6))).give_all().collect().next_all()
    assert table.last(DeckAccounted).remaining == 2
    assert table.last(RoundSettled).hands == 5


def test_a_shuffler_that_counts_is_added_up() -> None:
    table = one(source=COUNTS).drawing((1, 2)).give_all().collect()
    told = table.last(DeckAccounted)
    assert (told.proof, told.dealt, told.remaining) == (DeckProof.COUNTED, 7, 45)


# --- step 6: the hand after the draw ---


def test_a_hand_that_is_kept_or_given_up_whole_is_known() -> None:
    table = three().drawing((2, 5), (3, 0), (1, 5)).give_all().collect().next_all()
    assert {fact.evidence for fact in table.said(HandSettled)} == {Evidence.SEEN_BY_DEVICE}
    assert table.said(CardsAsked) == []


def test_a_hand_whose_discards_were_named_is_known_by_that_persons_word() -> None:
    table = one()
    table.draw_cards(1, 1, TWO_PAIR[4])
    table.give_all()
    drawn = table.drawn_by(1)
    settled = table.collect().last(HandSettled)
    assert (set(settled.cards), settled.evidence) == ({*TWO_PAIR[:4], *drawn}, Evidence.ENTERED_BY_PERSON)


def test_every_other_hand_is_entered_when_it_is_turned_over() -> None:
    table = one().drawing((1, 1)).give_all().collect()
    assert table.last(CardsAsked).seat == 1
    table.press(Button.NEXT)
    assert table.said(HandSettled) == []
    final = (*TWO_PAIR[:4], *table.drawn_by(1))
    assert table.enter(1, final).accepted
    settled = table.last(HandSettled)
    assert (settled.cards, settled.evidence) == (final, Evidence.ENTERED_BY_PERSON)


def entered(table: BigDrawTable, *cards: Card) -> str:
    return table.enter(1, cards).code


def test_what_is_entered_has_to_be_what_was_kept_and_all_that_was_drawn() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING).hands_out(1, 2, wagers=BIG_DRAW).drawing((1, 2), (2, 0)).give_all()
    drawn = table.drawn_by(1)
    rest = table.deck[0]
    assert isinstance(rest, Card)
    table.collect()
    assert entered(table, *TWO_PAIR[:4]) == "wrong-count"
    assert entered(table, *TWO_PAIR) == "not-this-hand"  # as if the player had not drawn
    assert entered(table, *TWO_PAIR[:4], drawn[0]) == "not-this-hand"  # a drawn card is missing
    assert entered(table, *TWO_PAIR[:3], drawn[0], drawn[0]) == "duplicate-card"
    for hidden in (NOTHING[0], rest):  # another player's, or from the rest of the deck: nobody is told which
        assert entered(table, *TWO_PAIR[:2], hidden, *drawn) == "not-this-hand"
    assert entered(table, *TWO_PAIR[:3], *drawn) == "accepted"


def test_no_refusal_names_a_card() -> None:
    table = one().drawing((1, 1)).give_all().collect()
    table.enter(1, TWO_PAIR)
    assert table.answer is not None
    assert not [card for card in TWO_PAIR if str(card) in table.answer.message]


def test_where_the_device_only_counts_the_drawn_cards_are_the_dealers_word() -> None:
    table = one(source=COUNTS).drawing((1, 3)).give_all().collect()
    assert table.enter(1, JACKS).accepted
    assert (table.last(HandSettled).cards, table.last(HandSettled).evidence) == (JACKS, Evidence.ENTERED_BY_PERSON)


def test_where_one_deals_winnings_are_limited_all_hands_are_entered_before_the_first_is_settled() -> None:
    """Two fours of a kind at 25 to 1 would win 250 dollars each, and the deal may pay 300."""
    limits = Limits(aggregates=(AggregateLimit(WagerName.BIG_DRAW, Cents(30_000), shares_all=True),))
    fours = (parse_cards("9c 9d 9h 9s 2c"), parse_cards("8c 8d 8h 8s 3c"))
    table = BigDrawTable(*fours, limits=LimitSchedule(((Day(0), limits),))).opened()
    table.bets(1, 2, wagers=BIG_DRAW, stake=1000).press()
    table.give_all().drawing((1, 1), (2, 1)).give_all()
    drawn = {seat: table.drawn_by(seat) for seat in (1, 2)}
    table.collect()
    assert table.enter(1, (*fours[0][:4], *drawn[1])).accepted
    assert (table.said(HandSettled), table.last(CardsAsked).seat) == ([], 2)
    assert table.enter(2, (*fours[1][:4], *drawn[2])).accepted
    table.next_all()
    assert [fact.wagers[0].pays_cents for fact in table.said(HandSettled)] == [15_000, 15_000]


def test_a_round_says_how_it_ended_to_the_cent() -> None:
    table = BigDrawTable(TWO_PAIR, NOTHING).hands_out(1, 2).drawing((1, 0), (2, 0)).through_first_5()
    table.collect().next_all()
    assert [wager.outcome for fact in table.said(HandSettled) for wager in fact.wagers] == [Outcome.WIN, Outcome.LOSE]
    settled = table.last(RoundSettled)
    assert (settled.stakes_cents, settled.returned_cents, settled.take_cents) == (2000, 2500 + 1000, -1500)
