"""What the bench's players of Big Draw keep."""

from __future__ import annotations

import pytest

from daemon.rules.big_draw import Variant
from daemon.tools.bench.games.big_draw import kept
from protocols.cards import parse_cards


@pytest.mark.parametrize("hand", ["Ts Ts 3c 7d 9s", "Ts Ts Ts Ts Ts"])
@pytest.mark.parametrize("variant", Variant)
def test_a_hand_with_a_card_twice_is_kept(variant: Variant, hand: str) -> None:
    """From a spoiled deck: the count of draws has no such hand, and everybody at the bench stood still."""
    assert kept(parse_cards(hand), variant) == parse_cards(hand)
