"""Decks: the order that a seed gives permanently, stacked decks from text, and pasteboard apart from faces."""

from __future__ import annotations

import dataclasses
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocols.cards import DECK, Card, Misread, spell
from sim_hardware.deck import Condition, Deck, Piece, choose, in_condition, parse_script, shuffled, standard_deck
from tests.support.sentences import Says

SEVEN_FIRST_SHUFFLE = (
    "2s Th 8s 4s 7d 3c 5d Tc Jd Qs 8c 9d 7c Ah Jc Ts Qd 5s 8h 3s 2c 4h Ks Qh 2d 3d "
    "6c 6d 5c 9h Ad 6h 2h As Ac 7s Qc Kc 6s Td 3h Kd 9s 7h 9c 4d Jh 4c Js Kh 8d 5h"
)


def faces(deck: Deck) -> str:
    return spell(tuple(piece.face for piece in deck.pieces))


def order(pieces: tuple[Piece, ...], seed: int, shuffle: int) -> str:
    return faces(Deck(shuffled(pieces, seed, shuffle)))


def test_a_seed_gives_the_same_deck_for_ever() -> None:
    """A literal: a recorded bench run must replay after any upgrade of Python or of ours."""
    assert order(standard_deck().pieces, 7, 1) == SEVEN_FIRST_SHUFFLE


@given(st.permutations(standard_deck().pieces), st.integers(), st.integers(1, 10**6))
def test_the_order_before_a_shuffle_does_not_matter(pieces: list[Piece], seed: int, shuffle: int) -> None:
    assert shuffled(pieces, seed, shuffle) == shuffled(standard_deck().pieces, seed, shuffle)


@given(st.integers(), st.integers(1, 10**6), st.integers(0, 51))
def test_a_missing_card_leaves_the_others_in_their_order(seed: int, shuffle: int, gone: int) -> None:
    whole = standard_deck().pieces
    short = [piece for piece in whole if piece.number != gone]
    expected = tuple(piece for piece in shuffled(whole, seed, shuffle) if piece.number != gone)
    assert shuffled(short, seed, shuffle) == expected


def test_a_swapped_card_lies_where_the_original_would_have_lain() -> None:
    whole = standard_deck().pieces
    swapped = (dataclasses.replace(whole[0], number=1000, printed=DECK[51]), *whole[1:])
    before, after = shuffled(whole, 3, 9), shuffled(swapped, 3, 9)
    assert [piece.slot for piece in before] == [piece.slot for piece in after]


def test_every_shuffle_of_every_seed_is_another_one() -> None:
    orders = {shuffled(standard_deck().pieces, seed, shuffle) for seed in range(20) for shuffle in range(1, 51)}
    assert len(orders) == 20 * 50


def test_every_card_comes_first_about_equally_often() -> None:
    """Chi-square of 5,200 first cards over 52 values: 51 degrees of freedom exceed 100 once in 20,000 seeds."""
    first = Counter(shuffled(standard_deck().pieces, 1, shuffle)[0].number for shuffle in range(5200))
    assert sum((first[number] - 100) ** 2 / 100 for number in range(52)) < 100


@pytest.mark.parametrize(
    ("condition", "face"),
    [
        (Condition.BOXED, Misread.BOXED),
        (Condition.WORN, Misread.UNREADABLE),
        (Condition.FOREIGN, Misread.FOREIGN),
        (Condition.SOUND, Card.parse("Ah")),
    ],
)
def test_the_condition_of_a_piece_decides_its_face(condition: Condition, face: object) -> None:
    piece = standard_deck().pieces[Card.parse("Ah").index]
    assert in_condition(piece, condition).face is face


def test_a_script_is_dealt_as_it_is_written() -> None:
    (deck,) = parse_script("# a royal flush first\nAh Kh Qh Jh Th  # seat 1\n2c 2d ?? [] ##\n")
    assert deck.stacked
    assert faces(deck) == "Ah Kh Qh Jh Th 2c 2d ?? [] ##"


def test_a_card_named_twice_is_two_pieces_of_pasteboard() -> None:
    (deck,) = parse_script("Ah Ah")
    assert len({piece.number for piece in deck.pieces}) == 2
    assert faces(deck) == "Ah Ah"


def test_three_dots_stand_for_the_cards_not_named() -> None:
    (deck,) = parse_script("Ah Kh ?? ...", seed=5)
    assert len(deck.pieces) == 52
    assert faces(deck).startswith("Ah Kh ?? ")
    assert len({piece.face for piece in deck.pieces[3:]} & set(DECK)) == 49
    assert parse_script("Ah Kh ?? ...", seed=5) == (deck,)


def test_a_line_of_dashes_begins_the_next_deck() -> None:
    assert [faces(deck) for deck in parse_script("Ah\n---\nKd 2c\n")] == ["Ah", "Kd 2c"]


@pytest.mark.parametrize(
    "script",
    [
        "Ah\nAx",
        "",
        "Ah\n---\n",
        "... Ah",
        "Ah " * 417,
    ],
)
def test_a_bad_script_says_where_and_what_is_allowed(script: str, says: Says) -> None:
    with pytest.raises(ValueError) as raised:
        parse_script(script)
    says(raised.value)


@given(st.integers(), st.lists(st.integers(), min_size=1, max_size=3))
def test_a_choice_is_below_its_size(seed: int, place: list[int]) -> None:
    assert 0 <= choose(5, seed, *place) < 5
