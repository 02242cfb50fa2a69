"""The side bet: every paytable on every ending, the rulings one by one, and when the dealer takes it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import pytest

from daemon.rules.blackjack.bad_beat import TakenFor, taken_for
from daemon.rules.blackjack.house import HOUSE, BadBeatOption, BlackjackHouse
from daemon.rules.blackjack.paytables import PAYTABLES, BadBeatCase
from daemon.rules.blackjack.play import Action, Play, deal, decide
from daemon.rules.blackjack.record import HandRecord, RoundRecord
from daemon.rules.blackjack.settle import settle
from daemon.rules.paytable import to_one
from daemon.rules.results import Outcome, Settled, WagerResult
from protocols.cards import Card, Rank, Suit, parse_cards
from tests.rules.blackjack.rounds import (
    BAD_BEAT,
    BLACKJACK,
    cards_worth,
    hand,
    played,
    record,
    result_of,
    settled,
    stood,
    wagers,
)

OPTION_1 = replace(HOUSE, option=BadBeatOption.FIRST_TWO_CARDS)
OPTION_2 = replace(HOUSE, option=BadBeatOption.FIRST_SPLIT_HAND)

DOCUMENT = """
20           | beaten      | 20   | 20   | 30   | 30   | 25   | 25   | 25   | 35   | 35   | 30
19           | beaten      | 15   | 15   | 10   | 10   | 15   | 20   | 20   | 15   | 15   | 20
21           | push        | 5    | 10   | 5    | 10   | 5    | 5    | 10   | 5    | 10   | 5
20           | push        | 5    | 5    | 5    | 5    | 5    | 5    | 5    | 5    | 5    | 5
19           | push        | 5    | 5    | 5    | 5    | 5    | 5    | 5    | 5    | 5    | 5
19, 20, 21   | player wins | push | push | push | push | push | lose | lose | lose | lose | lose
"""
NAMES = ("P1", "P2", "P3", "P4", "P5", "L1", "L2", "L3", "L4", "L5")
WORTH = {"push": 0, "lose": -1}


def _document() -> dict[str, dict[tuple[int, str], int]]:
    """The printed table, read here on its own: (total, result) -> stakes to the player, by paytable."""
    tables: dict[str, dict[tuple[int, str], int]] = {name: {} for name in NAMES}
    for line in DOCUMENT.strip().splitlines():
        totals, result, *columns = (word.strip() for word in line.split("|"))
        for name, column in zip(NAMES, columns, strict=True):
            for total in totals.split(", "):
                tables[name][int(total), result] = WORTH[column] if column in WORTH else int(column)
    return tables


PRINTED = _document()


def _dealt_out(cards: tuple[int, ...], hits_soft_17: bool) -> Iterator[tuple[tuple[int, ...], str]]:
    """Every way in which a dealer can end, worth by worth, with the total; it knows nothing of our dealer's rule."""
    hard = sum(cards)
    best = hard + 10 if 1 in cards and hard <= 11 else hard
    soft_17 = best == 17 and best != hard
    if len(cards) >= 2 and best >= 17 and not (soft_17 and hits_soft_17):
        yield cards, "blackjack" if len(cards) == 2 and best == 21 else "bust" if best > 21 else str(best)
        return
    for worth in range(1, 11):
        yield from _dealt_out((*cards, worth), hits_soft_17)


def _expected(player: int, dealer: str) -> tuple[int, str]:
    """How the table reads when these totals meet; a two-card 21 dealt at first is a natural."""
    if dealer == "blackjack":
        return (player, "push" if player == 21 else "beaten")
    if dealer == "bust" or player > int(dealer) or player == 21:
        return (player, "player wins")
    return (player, "push" if player == int(dealer) else "beaten")


@cache
def _endings(hits_soft_17: bool) -> list[tuple[tuple[int, ...], str]]:
    """One order of each: the up card matters, the order of the cards behind it does not."""
    found: dict[tuple[int, ...], tuple[tuple[int, ...], str]] = {}
    for up in range(1, 11):
        for cards, end in _dealt_out((up,), hits_soft_17):
            found.setdefault((up, *sorted(cards[1:])), (cards, end))
    return list(found.values())


TWO_CARDS = [("Tc 9d", 19), ("Ac 8d", 19), ("Kc Qd", 20), ("Ac 9d", 20), ("Ac Jd", 21)]


@pytest.mark.parametrize("hits_soft_17", [True, False])
@pytest.mark.parametrize(("cards", "total"), TWO_CARDS)
def test_every_ending_of_a_two_card_19_20_or_21_pays_by_every_printed_table(
    cards: str, total: int, hits_soft_17: bool
) -> None:
    first, second = parse_cards(cards)
    houses = [
        replace(HOUSE, decks=8, dealer_hits_soft_17=hits_soft_17, bad_beat_pays=PAYTABLES[name]) for name in NAMES
    ]
    endings = _endings(hits_soft_17)
    found: set[tuple[BadBeatCase, tuple[int, str]]] = set()
    for number, (worth, end) in enumerate(endings):
        dealer = cards_worth(worth)
        dealt = deal(first, second, dealer[0])
        play = dealt if total == 21 else decide(dealt, Action.STAND, HOUSE)
        assert isinstance(play, Play)
        house = houses[number % len(houses)]
        answer = settle(play, dealer, wagers(bad_beat=100), house)
        assert isinstance(answer, Settled)
        expected = _expected(total, end)
        found.add((answer.findings.bad_beat, expected))
        assert answer.wagers[-1].pays == 100 * PRINTED[house.bad_beat_paytable.name][expected]
    for case, expected in found:
        assert {name: PAYTABLES[name].award_for(case) for name in NAMES} == {
            name: to_one(PRINTED[name][expected]) for name in NAMES
        }
    assert len(endings) > 5_000


ROWS = [
    # what the player stands on, the dealer's hand that just makes the row, the one that just misses it
    ("20 beaten", "Kc Qd", "Tc 5d 6d", "Tc 4d 6d"),
    ("19 beaten", "Kc 9d", "Tc 4d 6d", "Tc 3d 6d"),
    ("21 push", "Kc Ad", "Tc As", "Tc 5d 6d"),
    ("20 push", "Kc Qd", "Tc Jd", "Tc 9d"),
    ("19 push", "Kc 9d", "Tc 9s", "Tc 8s"),
    ("player wins", "Kc 9d", "Tc 8d", "Tc 9s"),
]


@pytest.mark.parametrize(("row", "player", "makes", "misses"), ROWS)
def test_each_row_just_made_and_just_missed(row: str, player: str, makes: str, misses: str) -> None:
    for name in NAMES:
        house = replace(HOUSE, bad_beat_pays=PAYTABLES[name])
        made, missed = _bad_beat(stood(player, makes), house), _bad_beat(stood(player, misses), house)
        assert made.decided_by is not None
        assert missed.decided_by is not None
        assert (made.decided_by.row, made.decided_by.paytable) == (row, name)
        assert made.decided_by.sha256 == PAYTABLES[name].sha256
        assert missed.decided_by.row != row


@pytest.mark.parametrize("player", ["Kc 8d", "9c 9d", "Ac 7d", "5c 6d", "2c 2d"])
@pytest.mark.parametrize("house", [OPTION_1, OPTION_2])
def test_standing_on_less_than_19_loses_whatever_the_dealer_has(player: str, house: BlackjackHouse) -> None:
    for dealer in ("Tc 7d", "Tc 8s", "Tc 6d 5d", "Ac Kd", "Tc 6d Kd"):
        assert _bad_beat(stood(player, dealer), house).pays == -100


def test_only_a_two_card_total_counts() -> None:
    for house in (OPTION_1, OPTION_2):
        hit_to_20 = record("5c 5d", "Tc 5h 6h", hand("5c 5d Td", "hit", "stand"))
        doubled_to_20 = record("5c 5d", "Tc 5h 6h", hand("5c 5d Td", "double"))
        soft_19_hit_to_20 = record("Ac 8d", "Tc 5h 6h", hand("Ac 8d Ah", "hit", "stand"))
        split_and_hit_to_19 = record("8c 8d", "Tc 5h 6h", hand("8c 2d 9h", "hit", "stand"), hand("8d Th", "stand"))
        for written in (hit_to_20, doubled_to_20, soft_19_hit_to_20, split_and_hit_to_19):
            assert _bad_beat(written, house).pays == -100


def test_surrender_and_doubling_are_not_standing() -> None:
    for house in (OPTION_1, OPTION_2):
        assert _bad_beat(record("Tc 9d", "Tc Td", hand("Tc 9d", "surrender")), house).pays == -100
        assert _bad_beat(record("Ac 8d", "6c 5d 9d", hand("Ac 8d Td", "double")), house).pays == -100


# Option 1: only the first two cards qualify. Option 2: the first split hand.

SPLIT = [
    ("the first hand beaten", hand("9c Td", "stand"), hand("9d 2h", "stand"), 15),
    ("the first hand soft and beaten", hand("9c Ad", "stand"), hand("9d 2h", "stand"), 20),
    ("only the second hand qualifies", hand("9c 8d", "stand"), hand("9d Th", "stand"), -1),
    ("the first hand hit", hand("9c 2h 9h", "hit", "stand"), hand("9d Th", "stand"), -1),
    ("the first hand doubled", hand("9c 2h 9h", "double"), hand("9d Th", "stand"), -1),
    ("the first hand bust", hand("9c 5h 9h", "hit"), hand("9d Th", "stand"), -1),
    ("the second hand bust", hand("9c Td", "stand"), hand("9d 5h Th", "hit"), 15),
]


@pytest.mark.parametrize(("first", "second", "to_one_of"), [row[1:] for row in SPLIT], ids=[row[0] for row in SPLIT])
def test_under_option_2_the_bet_goes_to_the_first_split_hand_and_under_option_1_it_loses(
    first: HandRecord, second: HandRecord, to_one_of: int
) -> None:
    written = record("9c 9d", "Tc 5h 6h", first, second)
    assert _bad_beat(written, OPTION_2).pays == 100 * to_one_of
    assert _bad_beat(written, OPTION_1).pays == -100


def test_split_more_than_once_it_is_still_the_first_hand() -> None:
    hands = (hand("8c Ad", "stand"), hand("8h Td", "stand"), hand("8s Ac", "stand"), hand("8d 3c 9d", "hit", "stand"))
    assert _bad_beat(record("8c 8d", "Tc 4h 6h", *hands), OPTION_2).pays == 1500
    assert _bad_beat(record("8c 8d", "Tc 4h 6h", *reversed(hands)), OPTION_2).pays == -100


def test_a_pair_of_tens_kept_is_a_20_under_both_options() -> None:
    for house in (OPTION_1, OPTION_2):
        assert _bad_beat(stood("Tc Kd", "Tc 5h 6h"), house).pays == 2000


# The rulings, one by one.


@pytest.mark.parametrize("house", [OPTION_1, OPTION_2])
@pytest.mark.parametrize("dealer", ["Ac Kd", "Kd Ac"])
@pytest.mark.parametrize(
    ("player", "row"),
    [
        ("Tc 9d", "19 beaten"),
        ("Ad 8d", "19 beaten"),
        ("Ad 9d", "20 beaten"),
        ("Tc Kh", "20 beaten"),
        ("Ad Kh", "21 push"),
        *((lost, None) for lost in ("8c 8d", "9c 9d", "Ad Ah", "Tc 8d", "5c 6d")),
    ],
)
def test_a_peeked_blackjack_settles_the_first_two_cards_as_if_they_had_stood(
    player: str, row: str | None, dealer: str, house: BlackjackHouse
) -> None:
    for written in (record(player, dealer), stood(player, dealer)):
        decided_by = _bad_beat(written, house).decided_by
        assert decided_by is not None
        assert decided_by.row == row


def test_a_natural_against_no_blackjack_is_a_win_even_where_the_dealer_draws_to_21() -> None:
    for dealer in ("Tc 5h 6h", "Tc 7h", "9c 2h"):
        for name, ends in (("P1", (Outcome.PUSH, 0)), ("L1", (Outcome.LOSE, -100))):
            result = _bad_beat(record("Ac Kd", dealer), replace(HOUSE, bad_beat_pays=PAYTABLES[name]))
            assert (result.outcome, result.pays) == ends
        assert result_of(record("Ac Kd", dealer), BLACKJACK).pays == 1500


def test_a_two_card_21_on_the_first_split_hand_is_a_21() -> None:
    aces = (hand("Ac Kd"), hand("Ad 2h"))
    assert _row(record("Ac Ad", "Tc 5h 6h", *aces), OPTION_2) == "21 push"
    assert _row(record("Ac Ad", "Tc 7h", *aces), OPTION_2) == "player wins"
    tens = (hand("Kc As"), hand("Kd 2h 7c", "hit", "stand"))
    assert _row(record("Kc Kd", "Tc 5h 6h", *tens), OPTION_2) == "21 push"


def test_a_two_card_21_on_the_first_split_hand_against_an_unpeeked_blackjack_has_no_row() -> None:
    aces = record("Ac Ad", "Ah Kh", hand("Ac Kd"), hand("Ad 2h"))
    assert _row(aces, replace(OPTION_2, peek=False)) is None
    assert settled(aces, house=replace(OPTION_2, peek=False)).findings.bad_beat is BadBeatCase.NO_ROW
    assert _bad_beat(aces, replace(OPTION_2, peek=False)).pays == -100


@pytest.mark.parametrize(
    ("first", "row"),
    [("9c Td", "19 beaten"), ("9c As", "20 beaten"), ("9c 8d", None)],
)
def test_a_split_hand_is_beaten_by_an_unpeeked_blackjack(first: str, row: str | None) -> None:
    written = record("9c 9d", "Ah Kh", hand(first, "stand"), hand("9d 9h", "stand"))
    assert _row(written, replace(OPTION_2, peek=False)) == row


@pytest.mark.parametrize("dealer", ["Ah Kh", "Kh Ah"])
def test_without_a_peek_a_natural_pushes_a_blackjack_and_a_20_is_beaten_by_it(dealer: str) -> None:
    house = replace(OPTION_1, peek=False)
    assert _row(record("Ac Kd", dealer), house) == "21 push"
    assert _row(stood("Qc Kd", dealer), house) == "20 beaten"
    assert _row(record("8c 8d", dealer, hand("8c 8d", "stand")), house) is None


@pytest.mark.parametrize(
    ("dealer", "row"), [("Ah Kh", "21 push"), ("Ah 9h", "player wins"), ("Ah 4h 6h", "player wins")]
)
@pytest.mark.parametrize("peek", [True, False])
def test_even_money_does_not_touch_the_side_bet(dealer: str, row: str, peek: bool) -> None:
    written = record("Ac Kd", dealer, hand("Ac Kd", "even_money"))
    house = replace(HOUSE, peek=peek)
    assert _row(written, house) == row
    assert result_of(written, BLACKJACK, house).pays == 1000


# Taking it early: rounds 3 and 6 of the procedure.

FIRST_TWO = TakenFor.FIRST_TWO_CARDS
NOT_STANDING = TakenFor.NOT_STANDING
ENDED_BELOW = TakenFor.ENDED_BELOW
EARLY = [
    # first two cards, what follows, option 1, option 2
    ("Kc 8d", [], FIRST_TWO, FIRST_TWO),
    ("Kc 8d", ["hit", "2c"], FIRST_TWO, FIRST_TWO),
    ("Kc 9d", [], None, None),
    ("Ac 7d", [], FIRST_TWO, FIRST_TWO),
    ("Ac 8d", [], None, None),
    ("Ac Kd", [], None, None),
    ("7c 7d", [], FIRST_TWO, FIRST_TWO),
    ("8c 8d", [], FIRST_TWO, None),
    ("9c 9d", [], FIRST_TWO, None),
    ("Ac Ad", [], FIRST_TWO, None),
    ("Kc Qd", [], None, None),
    ("2c 2d", [], FIRST_TWO, FIRST_TWO),
    ("Kc 9d", ["stand"], None, None),
    ("Kc 9d", ["hit"], NOT_STANDING, NOT_STANDING),
    ("Kc 9d", ["hit", "2c"], NOT_STANDING, NOT_STANDING),
    ("Ac 8d", ["double"], NOT_STANDING, NOT_STANDING),
    ("Kc 9d", ["surrender"], NOT_STANDING, NOT_STANDING),
    ("Kc Qd", ["split"], NOT_STANDING, None),
    ("8c 8d", ["stand"], FIRST_TWO, ENDED_BELOW),
    ("8c 8d", ["hit"], FIRST_TWO, NOT_STANDING),
    ("8c 8d", ["split"], NOT_STANDING, None),
    ("8c 8d", ["split", "3c"], NOT_STANDING, None),
    ("8c 8d", ["split", "3c", "hit"], NOT_STANDING, NOT_STANDING),
    ("8c 8d", ["split", "3c", "double"], NOT_STANDING, NOT_STANDING),
    ("8c 8d", ["split", "3c", "stand"], NOT_STANDING, ENDED_BELOW),
    ("8c 8d", ["split", "8h", "split"], NOT_STANDING, None),
    ("8c 8d", ["split", "Ac", "stand"], NOT_STANDING, None),
    ("8c 8d", ["split", "Ac", "stand", "9c", "hit"], NOT_STANDING, None),
    ("Ac Ad", ["split", "7c"], NOT_STANDING, ENDED_BELOW),
    ("Ac Ad", ["split", "8c"], NOT_STANDING, None),
    ("Ac Ad", ["split", "Kc"], NOT_STANDING, None),
]


@pytest.mark.parametrize(("first_two", "moves", "option_1", "option_2"), EARLY)
def test_when_the_dealer_takes_the_side_bet(
    first_two: str, moves: list[str], option_1: TakenFor | None, option_2: TakenFor | None
) -> None:
    play = played(first_two, "6h", *moves)
    assert taken_for(play, BadBeatOption.FIRST_TWO_CARDS) is option_1
    assert taken_for(play, BadBeatOption.FIRST_SPLIT_HAND) is option_2


def test_pairs_smaller_than_eights_cannot_split_into_19_to_21_and_all_others_can() -> None:
    for rank in Rank:
        play = deal(Card(rank, Suit.CLUBS), Card(rank, Suit.HEARTS), Card.parse("6h"))
        stays = taken_for(play, BadBeatOption.FIRST_SPLIT_HAND) is None
        assert stays == (rank >= Rank.EIGHT)


def _bad_beat(written: RoundRecord, house: BlackjackHouse) -> WagerResult:
    return result_of(written, BAD_BEAT, house, bad_beat=100)


def _row(written: RoundRecord, house: BlackjackHouse) -> str | None:
    decided_by = _bad_beat(written, house).decided_by
    assert decided_by is not None
    return decided_by.row
