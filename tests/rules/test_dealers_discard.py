"""The Big Raise dealer's discard, clause by clause (games/big-raise-holdem.md, step 4 and the rulings)."""

from __future__ import annotations

from itertools import combinations

import pytest

from daemon.rules.dealers_discard import DiscardReason, dealers_choice
from protocols.cards import DECK, Card, parse_cards, spell
from tests.rules.naive import naive_strength


@pytest.mark.parametrize(
    ("dealer", "keeps", "reason"),
    [
        ("Ac Tc Td", "Ac Td", DiscardReason.BROKEN_PAIR_SUITED),
        ("Ac Td Tc", "Ac Td", DiscardReason.BROKEN_PAIR_SUITED),
        ("Ad Td Tc", "Ad Tc", DiscardReason.BROKEN_PAIR_SUITED),
        ("Td Tc Ah", "Ah Td", DiscardReason.BROKEN_PAIR_FREE),
        ("Ts Th Ac", "Ac Ts", DiscardReason.BROKEN_PAIR_FREE),
        ("Kc Kd 2c", "Kd Kc", DiscardReason.BELOW_PAIR),
        ("Ac 2c Kc", "Ac Kc", DiscardReason.LOWEST),
        ("2c Ad 3h", "Ad 3h", DiscardReason.LOWEST),
        ("9s 9c 9h", "9s 9h", DiscardReason.THREE_ALIKE),
        ("9d 9c 9h", "9h 9d", DiscardReason.THREE_ALIKE),
    ],
)
def test_the_dealer_discards_the_lowest_even_if_that_breaks_a_pair(
    dealer: str, keeps: str, reason: DiscardReason
) -> None:
    choice = dealers_choice(parse_cards(dealer))
    assert (spell(choice.keeps), choice.reason) == (keeps, reason)
    assert {*choice.keeps, choice.discards} == set(parse_cards(dealer))


def test_every_three_cards_leave_what_the_rule_says() -> None:
    for cards in combinations(DECK, 3):
        choice = dealers_choice(cards)
        ranks = sorted(card.rank for card in cards)
        assert choice.discards.rank == ranks[0]
        assert [card.rank for card in choice.keeps] == [ranks[2], ranks[1]]
        broken = ranks[0] == ranks[1] < ranks[2]
        if broken:
            assert choice.keeps[0].suit != choice.keeps[1].suit
        could_have_gone = [
            card for card in cards if card.rank == ranks[0] and not (broken and _suited_without(cards, card))
        ]
        assert choice.reason.suit_was_free == (len(could_have_gone) > 1)
        assert choice.discards == min(could_have_gone, key=lambda card: card.suit)


def _suited_without(cards: tuple[Card, ...], gone: Card) -> bool:
    return len({card.suit for card in cards if card is not gone}) == 1


def test_a_suit_that_is_free_cannot_change_the_dealers_hand() -> None:
    for dealer in ("Td Tc Ah", "9s 9c 9h"):
        three = parse_cards(dealer)
        lowest = min(card.rank for card in three)
        keeps = [[card for card in three if card is not gone] for gone in three if gone.rank == lowest]
        rest = [card for card in DECK if card not in three]
        for community in list(combinations(rest, 3))[::17]:
            assert len({naive_strength([*kept, *community]) for kept in keeps}) == 1
