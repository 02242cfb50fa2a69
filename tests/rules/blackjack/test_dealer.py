"""The dealer's rule: drawn far enough, no further, and what it finds wrong."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.rules.blackjack.dealer import dealer_irregularity, found_by_peeking, has_blackjack
from daemon.rules.blackjack.house import HOUSE
from daemon.rules.results import VoidReason
from protocols.cards import parse_cards

HITS = replace(HOUSE, dealer_hits_soft_17=True)
STANDS = replace(HOUSE, dealer_hits_soft_17=False)

HANDS = [
    # cards, wrong where the dealer hits soft 17, wrong where the dealer stands on it
    ("Tc 6d", VoidReason.DEALER_UNFINISHED, VoidReason.DEALER_UNFINISHED),
    ("Tc 7d", None, None),
    ("Tc 7d 2c", VoidReason.DEALER_PLAYED_ON, VoidReason.DEALER_PLAYED_ON),
    ("Tc 6d Kd", None, None),
    ("Tc 6d Kd 2c", VoidReason.DEALER_PLAYED_ON, VoidReason.DEALER_PLAYED_ON),
    ("Ac 6d", VoidReason.DEALER_UNFINISHED, None),
    ("Ac 6d Td", None, VoidReason.DEALER_PLAYED_ON),
    ("Ac 6d 5d Td", None, VoidReason.DEALER_PLAYED_ON),
    ("Ac 2d 4d", VoidReason.DEALER_UNFINISHED, None),
    ("Ac 7d", None, None),
    ("Ac 7d 2c", VoidReason.DEALER_PLAYED_ON, VoidReason.DEALER_PLAYED_ON),
    ("Ac Kd", None, None),
    ("Kd Ac", None, None),
    ("2c 3d 4h Ac 6d", VoidReason.DEALER_PLAYED_ON, VoidReason.DEALER_PLAYED_ON),
    ("2c 3d Ah Ac 6d", VoidReason.DEALER_UNFINISHED, VoidReason.DEALER_PLAYED_ON),
    ("2c 3d Ah Ac 6d 5d", None, VoidReason.DEALER_PLAYED_ON),
    ("6c Ad", VoidReason.DEALER_UNFINISHED, None),
    ("Tc", VoidReason.WRONG_COUNT, VoidReason.WRONG_COUNT),
    ("", VoidReason.WRONG_COUNT, VoidReason.WRONG_COUNT),
]


@pytest.mark.parametrize(("cards", "hits", "stands"), HANDS)
def test_the_dealer_hits_or_stands_on_soft_17(cards: str, hits: VoidReason | None, stands: VoidReason | None) -> None:
    for house, expected in ((HITS, hits), (STANDS, stands)):
        wrong = dealer_irregularity(parse_cards(cards), True, house)
        assert (wrong.reason if wrong else None) == expected


@pytest.mark.parametrize(
    ("cards", "expected"),
    [
        ("Tc 6d", None),
        ("Tc 6d Kd", None),
        ("2c 3d", None),
        ("2c 3d 4h", VoidReason.DEALER_UNFINISHED),
        ("Tc 7d 2c", VoidReason.DEALER_PLAYED_ON),
    ],
)
def test_without_a_hand_to_beat_the_dealer_may_turn_two_cards_or_play_out(
    cards: str, expected: VoidReason | None
) -> None:
    wrong = dealer_irregularity(parse_cards(cards), False, HOUSE)
    assert (wrong.reason if wrong else None) == expected


@pytest.mark.parametrize(
    ("cards", "has"), [("Ac Td", True), ("Ac Td 2c", True), ("Qc Ad", True), ("Ac 9d", False), ("7c 7d 7h", False)]
)
def test_a_blackjack_is_an_ace_and_a_ten_in_two_cards(cards: str, has: bool) -> None:
    assert has_blackjack(parse_cards(cards)) is has
    assert found_by_peeking(parse_cards(cards), HOUSE) is has
    assert not found_by_peeking(parse_cards(cards), replace(HOUSE, peek=False))
