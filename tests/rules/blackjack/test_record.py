"""Wrong, impossible and incomplete rounds void; decisions that are not allowed are refused. None of them raises."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.blackjack.house import HOUSE, BlackjackHouse, DoubleOn, Insurance, SplitAces
from daemon.rules.blackjack.record import RoundRecord
from daemon.rules.results import RefusalCode, Refused, VoidReason
from tests.rules.blackjack.rounds import BLACKJACK, hand, pays, record, refused, settled, stood, void

NO_PEEK = replace(HOUSE, peek=False)
PAIR_OF_EIGHTS = ("8c 8d", "6h Td Kc")

VOIDS = [
    ("one first card", record("Ac", "9c 9d"), VoidReason.WRONG_COUNT),
    ("three first cards", record("Ac 2c 3c", "9c 9d"), VoidReason.WRONG_COUNT),
    ("a dealer with one card", stood("Tc 9d", "9c"), VoidReason.WRONG_COUNT),
    ("a dealer without cards", stood("Tc 9d", ""), VoidReason.WRONG_COUNT),
    ("a hand of one card", record("Tc 9d", "9c 9d", hand("Tc", "stand")), VoidReason.WRONG_COUNT),
    ("a split hand of one card", record("8c 8d", "9c 9d", hand("8c", "stand"), hand("8d 9h", "stand")),
     VoidReason.WRONG_COUNT),
    ("a card that could not be read", stood("Tc 9d", "9c ??"), VoidReason.UNREADABLE_CARD),
    ("a boxed card", stood("Tc []", "9c 9d"), VoidReason.BOXED_CARD),
    ("a foreign card in a hand", record("Tc 2d", "9c 9d", hand("Tc 2d ##", "hit", "stand")), VoidReason.FOREIGN_CARD),
    ("a hit without a card", record("Tc 2d", "9c 9d", hand("Tc 2d", "hit", "stand")), VoidReason.WRONG_COUNT),
    ("a double without a card", record("Tc 2d", "9c 9d", hand("Tc 2d", "double")), VoidReason.WRONG_COUNT),
    ("a card without a hit", record("Tc 2d", "9c 9d", hand("Tc 2d 5c", "stand")), VoidReason.WRONG_COUNT),
    ("two cards for one hit", record("Tc 2d", "9c 9d", hand("Tc 2d 2c 3c", "hit", "stand")), VoidReason.WRONG_COUNT),
    ("no decision at all", record("Tc 2d", "9c 9d"), VoidReason.HAND_UNFINISHED),
    ("no decision after a hit", record("Tc 2d", "9c 9d", hand("Tc 2d 2c", "hit")), VoidReason.HAND_UNFINISHED),
    ("a first split hand left open", record("8c 8d", "9c 9d", hand("8c 2d"), hand("8d 9h", "stand")),
     VoidReason.HAND_UNFINISHED),
    ("a second split hand left open", record("8c 8d", "9c 9d", hand("8c 2d", "stand"), hand("8d 9h")),
     VoidReason.HAND_UNFINISHED),
    ("a hit after a bust", record("Tc 9d", "9c 9d", hand("Tc 9d 5c 2c", "hit", "hit")), VoidReason.HAND_PLAYED_ON),
    ("standing after a bust", record("Tc 9d", "9c 9d", hand("Tc 9d 5c", "hit", "stand")), VoidReason.HAND_PLAYED_ON),
    ("a hit after standing", record("Tc 9d", "9c 9d", hand("Tc 9d 2c", "stand", "hit")), VoidReason.HAND_PLAYED_ON),
    ("standing twice", record("Tc 9d", "9c 9d", hand("Tc 9d", "stand", "stand")), VoidReason.HAND_PLAYED_ON),
    ("a hit after a double", record("5c 6d", "9c 9d", hand("5c 6d 2c 3c", "double", "hit")),
     VoidReason.HAND_PLAYED_ON),
    ("a hit on 21", record("5c 6d", "9c 9d", hand("5c 6d Tc 3c", "hit", "hit")), VoidReason.HAND_PLAYED_ON),
    ("a hit on a natural", record("Ac Td", "9c 9d", hand("Ac Td 3c", "hit")), VoidReason.HAND_PLAYED_ON),
    ("standing after a surrender", record("Tc 6d", "9c 9d", hand("Tc 6d", "surrender", "stand")),
     VoidReason.HAND_PLAYED_ON),
    ("a hit on split aces", record("Ac Ad", "9c 9d", hand("Ac 2d 5d", "hit", "stand"), hand("Ad 9h")),
     VoidReason.HAND_PLAYED_ON),
    ("a hand from other cards", record("Tc 9d", "9c 9h", hand("Tc 8d", "stand")), VoidReason.IMPOSSIBLE_PLAY),
    ("a split without a second hand", record(*PAIR_OF_EIGHTS, hand("8c 8d", "split", "stand")),
     VoidReason.IMPOSSIBLE_PLAY),
    ("split hands that keep one of the pair", record(*PAIR_OF_EIGHTS, hand("8c 2c", "stand"), hand("8h 2d", "stand")),
     VoidReason.IMPOSSIBLE_PLAY),
    ("split hands that do not begin alike", record(*PAIR_OF_EIGHTS, hand("8c 2c", "stand"), hand("7d 2d", "stand")),
     VoidReason.IMPOSSIBLE_PLAY),
    ("a first split hand from a later card",
     record(*PAIR_OF_EIGHTS, hand("8h 2c", "stand"), hand("8c 2d", "stand"), hand("8d 2h", "stand")),
     VoidReason.IMPOSSIBLE_PLAY),
    ("a dealer who stopped short", stood("Tc 9d", "Tc 6d"), VoidReason.DEALER_UNFINISHED),
    ("a dealer who went on", stood("Tc 9d", "Tc 7d 2d"), VoidReason.DEALER_PLAYED_ON),
    ("a dealer who drew to a blackjack", stood("Tc 9d", "Ac Td 2d"), VoidReason.DEALER_PLAYED_ON),
    ("a hit after a peeked blackjack", record("Tc 2d", "Ac Kd", hand("Tc 2d 5d", "hit", "stand")),
     VoidReason.HAND_PLAYED_ON),
    ("a split after a peeked blackjack", record("8c 8d", "Ac Kd", hand("8c 9d", "stand"), hand("8d 9h", "stand")),
     VoidReason.HAND_PLAYED_ON),
    ("a surrender after a peeked blackjack", record("Tc 6d", "Ac Kd", hand("Tc 6d", "surrender")),
     VoidReason.HAND_PLAYED_ON),
    ("a double after a peeked blackjack", record("5c 6d", "Ac Kd", hand("5c 6d Td", "double")),
     VoidReason.HAND_PLAYED_ON),
]  # fmt: skip


@pytest.mark.parametrize(("written", "reason"), [row[1:] for row in VOIDS], ids=[row[0] for row in VOIDS])
def test_a_round_that_cannot_have_been_is_void_and_every_stake_goes_back(
    written: RoundRecord, reason: VoidReason
) -> None:
    why = void(written, bad_beat=100).why
    assert why.reason is reason
    assert why.detail


PLACES = [
    (record("Ac", "9c 9d"), "player: 1 card, not 2"),
    (record("8c 8d", "9c 9d", hand("8c 9h", "stand"), hand("8d", "stand")), "hand 2: 1 card, not 2"),
    (stood("Tc 9d", "9c"), "dealer: 1 card, not 2"),
    (stood("Tc []", "9c 9d"), "player: a card that could not be named"),
    (record("Tc 2d", "9c 9d", hand("Tc 2d ##", "hit", "stand")), "hand 1: a card that could not be named"),
    (stood("Tc 9d", "9c ??"), "dealer: a card that could not be named"),
    (
        record("8c 8d", "9c 9d", hand("8c 9h", "stand"), hand("8d 2c 2d", "stand")),
        "hand 2: more cards than its decisions asked for",
    ),
    (
        record("8c 8d", "9c 9d", hand("8c 9h", "stand"), hand("8d 2c", "hit", "stand")),
        "hand 2: fewer cards than its decisions asked for",
    ),
    (
        record("8c 8d", "9c 9d", hand("8c 9h", "stand"), hand("8d 2c", "stand", "stand")),
        "hand 2: something was decided after it was over",
    ),
    (record("8c 8d", "9c 9d", hand("8c 9h", "stand"), hand("8d 2c")), "hand 2: a decision or a card is missing"),
    (record("8c 8d", "9c 9d", hand("8c 9h"), hand("8d 2c", "stand")), "hand 1: a decision or a card is missing"),
    (record(*PAIR_OF_EIGHTS, hand("8c 8d", "split", "stand")), "hand 1: a split left no second hand"),
    (
        record("8c 8d", "9c 9d", hand("8c 9h", "stand"), hand("8d 8h", "hit", "split")),
        "hand 2: fewer cards than its decisions asked for",
    ),
]


@pytest.mark.parametrize(("written", "detail"), PLACES)
def test_a_void_says_which_hand_is_wrong_and_how(written: RoundRecord, detail: str) -> None:
    assert void(written).why.detail == detail


def test_a_void_names_no_card() -> None:
    assert "6" not in void(stood("Tc 9d", "Tc 6d")).why.detail


@pytest.mark.parametrize("decks", range(1, 9))
def test_a_card_more_often_than_the_decks_hold_is_void(decks: int) -> None:
    house = replace(HOUSE, decks=decks, hands_max=4)
    same = " ".join(["2c"] * decks)
    sound = record("2h 3d", "Tc 7d", hand(f"2h 3d {same}", *["hit"] * decks, "stand"))
    assert settled(sound, house=house).findings.hands[0].total.points == 5 + 2 * decks
    wrong = record("2h 3d", "Tc 7d", hand(f"2h 3d {same} 2c", *["hit"] * (decks + 1), "stand"))
    assert void(wrong, house).why.reason is VoidReason.DUPLICATE_CARD


def test_one_deck_counts_the_cards_of_player_and_dealer_together() -> None:
    house = replace(HOUSE, decks=1)
    assert void(stood("Tc 9d", "9d Td"), house).why.reason is VoidReason.DUPLICATE_CARD
    assert void(record("Tc 9d", "9d Td"), house).why.reason is VoidReason.DUPLICATE_CARD
    assert pays(stood("Tc 9d", "9h Td"), house) == {BLACKJACK: 0}


def test_two_decks_may_deal_a_player_the_same_card_twice() -> None:
    assert pays(stood("Tc Tc", "9h Td"), replace(HOUSE, decks=2)) == {BLACKJACK: 1000}
    assert void(stood("Tc Tc", "9h Td"), replace(HOUSE, decks=1)).why.reason is VoidReason.DUPLICATE_CARD


NO_EXTRAS = BlackjackHouse(
    double_on=DoubleOn.TEN_OR_ELEVEN,
    double_after_split=False,
    hands_max=2,
    split_aces=SplitAces.NEVER,
    late_surrender=False,
    insurance=Insurance.NONE,
)

REFUSALS = [
    ("a surrender in a house without", record("Tc 6d", "9c 9d", hand("Tc 6d", "surrender")), RefusalCode.NOT_OFFERED),
    ("a surrender after a hit", record("Tc 2d", "9c 9d", hand("Tc 2d 2c", "hit", "surrender")),
     RefusalCode.NOT_OFFERED),
    ("a double off the totals", record("5c 4d", "9c 9d", hand("5c 4d 2c", "double")), RefusalCode.NOT_OFFERED),
    ("a double of three cards", record("5c 4d", "9c 9d", hand("5c 4d 2c 3c", "hit", "double")),
     RefusalCode.ILLEGAL_ACTION),
    ("a double after a split", record("8c 8d", "9c 9d", hand("8c 2d 9h", "double"), hand("8d 9h", "stand")),
     RefusalCode.NOT_OFFERED),
    ("a split of unlike cards", record("8c 9d", "9c 9d", hand("8c 2d", "stand"), hand("9d 2h", "stand")),
     RefusalCode.ILLEGAL_ACTION),
    ("a lone split of unlike cards", record("8c 9d", "9c 9d", hand("8c 9d", "split", "stand")),
     RefusalCode.ILLEGAL_ACTION),
    ("a third hand", record("8c 8d", "9c 9d", hand("8c 2d", "stand"), hand("8h 2h", "stand"), hand("8d 2c", "stand")),
     RefusalCode.NOT_OFFERED),
    ("a split of aces", record("Ac Ad", "9c 9d", hand("Ac 2d", "stand"), hand("Ad 2h", "stand")),
     RefusalCode.NOT_OFFERED),
    ("even money without insurance", record("Ac Td", "Ad 9d", hand("Ac Td", "even_money")), RefusalCode.NOT_OFFERED),
]  # fmt: skip


@pytest.mark.parametrize(("written", "code"), [row[1:] for row in REFUSALS], ids=[row[0] for row in REFUSALS])
def test_a_decision_that_the_house_does_not_offer_is_refused(written: RoundRecord, code: RefusalCode) -> None:
    assert refused(written, NO_EXTRAS).code is code


def test_aces_are_split_again_only_where_they_split_like_pairs() -> None:
    thrice = record("Ac Ad", "9c 9d", *(hand(f"{ace} 9h", "stand") for ace in ("Ac", "Ad", "Ah")))
    assert refused(thrice).code is RefusalCode.NOT_OFFERED
    house = replace(HOUSE, split_aces=SplitAces.LIKE_PAIRS)
    assert pays(thrice, house) == {BLACKJACK: 3000}


def test_insurance_needs_an_ace_up_and_a_house_that_sells_it() -> None:
    no_ace = refused(stood("Tc 9d", "Kc Ad"), insurance=500)
    assert no_ace == Refused(RefusalCode.NOT_OFFERED, "insurance: is offered against a dealer's ace only")
    no_insurance = refused(stood("Tc 9d", "Ad Kc"), NO_EXTRAS, insurance=500)
    assert no_insurance == Refused(RefusalCode.NOT_OFFERED, "insurance: this house has none")


def test_even_money_and_insurance_are_one_thing_and_not_had_twice() -> None:
    taken = record("Ac Td", "Ad 9d", hand("Ac Td", "even_money"))
    both = refused(taken, insurance=500)
    assert both.code is RefusalCode.ILLEGAL_ACTION
    assert both.message.startswith("even_money: ")


SAME_ROUNDS = [
    (record("Ac Td", "9c 9d"), stood("Ac Td", "9c 9d")),
    (record("Tc 9d", "Ac Kd"), stood("Tc 9d", "Ac Kd")),
    (record("5c 6d", "9c 9d", hand("5c 6d Tc", "hit")), record("5c 6d", "9c 9d", hand("5c 6d Tc", "hit", "stand"))),
    (
        record("5c 6d", "9c 9d", hand("5c 6d 2c", "double")),
        record("5c 6d", "9c 9d", hand("5c 6d 2c", "double", "stand")),
    ),
    (record("5c 6d", "9c 9d", hand("6d 5c Tc", "hit")), record("5c 6d", "9c 9d", hand("5c 6d Tc", "hit"))),
    (
        record("Ac Ad", "9c 9d", hand("Ac 8d"), hand("Ad 2h")),
        record("Ac Ad", "9c 9d", hand("Ac 8d", "split", "stand"), hand("Ad 2h", "split", "stand")),
    ),
]


@pytest.mark.parametrize(("short", "long"), SAME_ROUNDS)
def test_what_goes_without_saying_may_be_written_down_or_left_out(short: RoundRecord, long: RoundRecord) -> None:
    assert pays(short, bad_beat=100) == pays(long, bad_beat=100)


def test_an_unpeeked_blackjack_comes_after_the_decisions() -> None:
    acted = record("Tc 2d", "Ac Kd", hand("Tc 2d 5d", "hit", "stand"))
    assert pays(acted, NO_PEEK) == {BLACKJACK: -1000}
    assert void(record("Tc 2d", "Ac Kd"), NO_PEEK).why.reason is VoidReason.HAND_UNFINISHED
