"""An Ante that is taken can be followed: the right to play two antes, under every limit (games/big-raise-holdem.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.big_raise import (
    HOUSE,
    BigRaiseHouse,
    cautions,
    check_before_cards,
    check_play,
    check_wager,
    play_range,
)
from daemon.rules.big_raise_pays import BRH_04
from daemon.rules.limits import NO_LIMITS, Limits, StakeRange
from daemon.rules.money import Cents, MoneyRule
from daemon.rules.results import RefusalCode, Refused
from daemon.rules.wagers import Wager, WagerName
from protocols.cards import parse_cards
from tests.support.sentences import Says

ANTE, PLAY, TWO, FIVE = WagerName.ANTE, WagerName.PLAY, WagerName.TWO_CARD_BONUS, WagerName.FIVE_CARD_BONUS
WITH_FIVE = BigRaiseHouse(five_card_bonus_pays=BRH_04)
NOTHING_IN_HAND, PAIR = parse_cards("Kc 2d"), parse_cards("2c 2d")


def bet(name: WagerName, stake: int) -> Wager:
    return Wager(name, Cents(stake))


def play_limits(**changes: int) -> Limits:
    return Limits(stakes={PLAY: StakeRange(**{name: Cents(value) for name, value in changes.items()})})


UNFOLLOWED: dict[str, tuple[int, list[Wager], Limits]] = {
    "authorised": (30_000, [], Limits(authorised_most=Cents(40_000))),
    "most of Play": (600, [], play_limits(most=1_000)),
    "least of Play": (1_000, [], play_limits(least=2_500)),
    "step of Play": (750, [], play_limits(step=1_000)),
    "number of wagers": (500, [], Limits(wagers_max=1)),
    "number beside a bonus": (500, [bet(TWO, 100)], Limits(wagers_max=2)),
    "large wagers": (501, [], Limits(large_wagers_max=1)),
    "large wagers beside bonuses": (300, [bet(TWO, 600)], Limits(large_wagers_max=1)),
}


@pytest.mark.parametrize(("stake", "beside", "limits"), UNFOLLOWED.values(), ids=UNFOLLOWED)
def test_an_ante_that_two_antes_could_not_follow_is_refused_with_what_would_be_taken(
    stake: int, beside: list[Wager], limits: Limits, says: Says
) -> None:
    refused = check_wager(bet(ANTE, stake), beside, HOUSE, limits)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_FOLLOWED
    says(refused.message)
    before = check_wager(bet(ANTE, stake), beside, replace(HOUSE, ante_can_be_followed=False), limits)
    assert before is None, "a round of before the ruling replays as it was"


def test_what_a_refusal_names_is_taken_and_a_cent_more_is_not() -> None:
    limits = Limits(authorised_most=Cents(40_000))
    assert check_wager(bet(ANTE, 20_000), [], HOUSE, limits) is None
    assert check_wager(bet(ANTE, 20_001), [], HOUSE, limits) is not None


@pytest.mark.parametrize(
    ("placed", "later", "limits"),
    [
        ([bet(ANTE, 500)], bet(TWO, 100), Limits(wagers_max=2)),
        ([bet(ANTE, 600)], bet(TWO, 600), Limits(large_wagers_max=2)),
        ([bet(ANTE, 600), bet(TWO, 500)], bet(FIVE, 600), Limits(large_wagers_max=2)),
    ],
)
def test_a_later_side_bet_that_takes_away_the_right_to_play_is_refused(
    placed: list[Wager], later: Wager, limits: Limits, says: Says
) -> None:
    refused = check_wager(later, placed, WITH_FIVE, limits)
    assert refused is not None
    assert refused.code is RefusalCode.CANNOT_BE_FOLLOWED
    says(refused.message)


AMOUNTS = st.integers(1, 30).map(lambda units: units * 50)
RANGES = st.builds(
    lambda least, more, step: StakeRange(Cents(least), None if more is None else Cents(least + more), Cents(step)),
    st.sampled_from([1, 100, 500]),
    st.none() | AMOUNTS,
    st.sampled_from([1, 25, 100, 200]),
)
ANY_LIMITS = st.builds(
    Limits,
    stakes=st.dictionaries(st.sampled_from([ANTE, PLAY, TWO]), RANGES),
    authorised_most=st.none() | AMOUNTS.map(Cents),
    wagers_max=st.integers(1, 5),
    large_wagers_max=st.none() | st.integers(0, 4),
)
HOUSES = st.builds(
    lambda chip, whole: replace(WITH_FIVE, money=MoneyRule(Cents(chip)), play_in_whole_antes=whole),
    st.sampled_from([1, 5, 25]),
    st.booleans(),
)
BETS = st.lists(st.builds(bet, st.sampled_from([TWO, FIVE]), AMOUNTS), max_size=2, unique_by=lambda wager: wager.name)


def placed_in_turn(bets: Sequence[Wager], house: BigRaiseHouse, limits: Limits) -> list[Wager]:
    placed: list[Wager] = []
    for each in bets:
        if check_wager(each, placed, house, limits) is None:
            placed.append(each)
    return placed


@given(AMOUNTS, BETS, HOUSES, ANY_LIMITS)
def test_whoever_has_an_ante_can_play_all_that_is_offered_and_nothing_more(
    ante: int, bonuses: list[Wager], house: BigRaiseHouse, limits: Limits
) -> None:
    placed = placed_in_turn([bet(ANTE, ante), *bonuses], house, limits)
    if not placed:
        return
    assert check_before_cards(placed, house, limits) is None
    for cards in (NOTHING_IN_HAND, PAIR):
        offered = play_range(Cents(ante), cards, house, limits, placed)
        assert offered.least == 2 * ante <= offered.most
        for stake in range(offered.least, offered.most + 1, offered.step):
            assert check_play(bet(PLAY, stake), cards, placed, house, limits) is None
        for stake in (offered.least - offered.step, offered.most + offered.step):
            assert stake <= 0 or check_play(bet(PLAY, stake), cards, placed, house, limits) is not None


@given(AMOUNTS, BETS, HOUSES, ANY_LIMITS)
def test_a_refused_ante_names_those_that_are_taken(
    ante: int, beside: list[Wager], house: BigRaiseHouse, limits: Limits
) -> None:
    refused = check_wager(bet(ANTE, ante), beside, house, limits)
    if refused is None or refused.code is not RefusalCode.CANNOT_BE_FOLLOWED:
        return
    named = refused.message.rpartition("An Ante here is ")[2].split(" to ")
    if refused.message.endswith("No Ante is taken here"):
        tried = range(house.money.chip, 4_000, house.money.chip)
        assert not any(_taken(stake, beside, house, limits) for stake in tried)
        return
    for text in named:
        stake = int(text.removesuffix(" or more").replace(".", "").replace(",", ""))
        assert _taken(stake, beside, house, limits), refused.message


def _taken(stake: int, beside: Sequence[Wager], house: BigRaiseHouse, limits: Limits) -> bool:
    refused: Refused | None = check_wager(bet(ANTE, stake), beside, house, limits)
    return refused is None


CAUTIOUS = {
    "an Ante above half of the authorised most": Limits(authorised_most=Cents(40_000)),
    "Play's least that no Ante reaches": Limits(
        stakes={ANTE: StakeRange(most=Cents(500)), PLAY: StakeRange(least=Cents(2_000))}
    ),
    "three wagers": Limits(wagers_max=3),
    "three large wagers": Limits(large_wagers_max=3),
}


@pytest.mark.parametrize("limits", CAUTIOUS.values(), ids=CAUTIOUS)
def test_limits_that_refuse_what_a_wager_allows_are_told(limits: Limits, says: Says) -> None:
    (caution,) = cautions(WITH_FIVE, limits)
    says(caution)


def test_limits_under_which_every_ante_can_be_followed_need_no_caution() -> None:
    within = Limits(stakes={ANTE: StakeRange(most=Cents(20_000))}, authorised_most=Cents(40_000))
    assert not list(cautions(WITH_FIVE, within))
    assert not list(cautions(HOUSE, NO_LIMITS))
