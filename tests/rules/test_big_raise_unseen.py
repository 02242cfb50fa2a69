"""Big Raise Hold'em on cards that only their player has seen (games/big-raise-holdem.md)."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.big_raise import (
    Action,
    Deal,
    beyond_range,
    check_action,
    settle,
    settle_unseen_fold,
)
from daemon.rules.money import Cents
from daemon.rules.results import RefusalCode, Settled
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import DECK, Card, parse_cards
from tests.rules.test_big_raise import ANTE, FIVE, TWO, WITH_FIVE


@pytest.mark.parametrize(
    ("stake", "code"), [(999, RefusalCode.BELOW_LEAST), (2000, None), (2001, RefusalCode.ABOVE_MOST)]
)
def test_on_cards_that_only_their_player_has_seen_he_may_have_a_pair(stake: int, code: RefusalCode | None) -> None:
    refused = check_action(Action.PLAY, [ANTE, Wager(WagerName.PLAY, Cents(stake))], None)
    assert (refused and refused.code) is code


@pytest.mark.parametrize(
    ("player", "stake", "beyond"), [("Ac Kd", 2000, 500), ("Ac Kd", 1500, 0), ("Ac Ad", 2000, 0), ("Ac Kd", 1501, 1)]
)
def test_a_raise_on_a_claimed_pair_is_too_much_by_what_exceeds_three_antes(
    player: str, stake: int, beyond: int
) -> None:
    wagers = [ANTE, TWO, Wager(WagerName.PLAY, Cents(stake))]
    assert beyond_range(wagers, parse_cards(player)) == beyond


def test_a_hand_without_a_play_bet_has_bet_nothing_too_much() -> None:
    assert beyond_range([ANTE], parse_cards("Ac Kd")) == 0


@given(cards=st.lists(st.sampled_from(DECK), min_size=8, max_size=8, unique=True))
def test_a_fold_that_nobody_looked_at_comes_to_the_same_as_one_with_any_cards(cards: list[Card]) -> None:
    lost = replace(WITH_FIVE, five_card_bonus_on_fold=False)
    seen = settle(Deal(cards[:2], cards[2:5], cards[5:]), Action.FOLD, [ANTE, FIVE], lost)
    assert isinstance(seen, Settled)
    unseen = settle_unseen_fold([FIVE, ANTE], lost)
    assert unseen == tuple(replace(result, cards=()) for result in seen.wagers)
