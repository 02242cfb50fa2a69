"""Cards: 52 of them, read strictly, never named by accident."""

from __future__ import annotations

import copy
import pickle

import pytest

from protocols.cards import DECK, Card, Misread, Rank, Suit, parse_cards, parse_face, spell


def test_there_are_52_different_cards_and_each_is_one_object() -> None:
    assert len(set(DECK)) == 52
    assert all(Card(card.rank, card.suit) is card and DECK[card.index] is card for card in DECK)
    assert all(pickle.loads(pickle.dumps(card)) is card and copy.deepcopy(card) is card for card in DECK)  # noqa: S301


def test_text_is_rank_then_suit_and_reads_back() -> None:
    assert str(Card(Rank.ACE, Suit.HEARTS)) == "Ah"
    assert all(Card.parse(str(card)) is card for card in DECK)


@pytest.mark.parametrize("text", ["", "A", "ah", "AH", "10h", "1h", "Ahh", " Ah", "hA", "??"])
def test_whatever_is_not_a_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        Card.parse(text)


def test_a_printed_card_names_nothing() -> None:
    hidden = parse_cards("Ah Kd")
    assert "A" not in repr(hidden)
    assert spell(hidden) == "Ah Kd"


def test_a_face_is_a_card_or_why_it_is_none() -> None:
    assert parse_face("Ah") is Card(Rank.ACE, Suit.HEARTS)
    assert [parse_face(mark.value) for mark in Misread] == list(Misread)


def test_a_card_never_changes() -> None:
    with pytest.raises(AttributeError):
        DECK[0].rank = Rank.ACE
