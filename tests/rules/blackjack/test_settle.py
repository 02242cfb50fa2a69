"""The main game's money: naturals, doubles, splits, surrender, insurance, and a dealer blackjack in every house."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.blackjack.bets import SPOTS, check_wager, paytables_of
from daemon.rules.blackjack.house import HOUSE, BlackjackHouse, BlackjackPays, Insurance, UnpeekedTakes
from daemon.rules.blackjack.play import Play
from daemon.rules.blackjack.record import RoundRecord, settle_record
from daemon.rules.blackjack.settle import settle
from daemon.rules.money import Breakage, Cents, MoneyRule
from daemon.rules.results import Outcome, RefusalCode, Settled, Voided, VoidReason
from daemon.rules.wagers import Colour, Wager, WagerName
from protocols.cards import parse_cards, parse_face
from tests.rules.blackjack.dealt import deal_round, random_house
from tests.rules.blackjack.rounds import (
    BAD_BEAT,
    BLACKJACK,
    INSURANCE,
    hand,
    pays,
    played,
    record,
    result_of,
    settled,
    stood,
    wagers,
)
from tests.support.sentences import Says

ALL = replace(HOUSE, peek=False, unpeeked_blackjack_takes=UnpeekedTakes.ALL)
ORIGINAL = replace(HOUSE, peek=False, unpeeked_blackjack_takes=UnpeekedTakes.ORIGINAL)
SPLIT_19_AND_18 = (hand("9c Td", "stand"), hand("9d 9h", "stand"))

ROUNDS = [
    # what happened, the round, stakes won or lost, the row
    ("more than the dealer", stood("Tc 9d", "Tc 8d"), 1, "win"),
    ("as much as the dealer", stood("Tc 8s", "Tc 8d"), 0, "push"),
    ("less than the dealer", stood("Tc 7s", "Tc 8d"), -1, "lose"),
    ("a dealer bust", stood("2c 3s", "Tc 6d Kd"), 1, "win"),
    ("a player bust", record("Tc 6d", "9c 9d", hand("Tc 6d 6c", "hit")), -1, "lose"),
    ("a player bust before a dealer bust", record("Tc 6d", "Tc 6h Kd", hand("Tc 6d 6c", "hit")), -1, "lose"),
    ("a drawn 21", record("Tc 6d", "9c 9d", hand("Tc 6d 5c", "hit")), 1, "win"),
    ("21 against 21", record("Tc 6d", "9c 3d 9h", hand("Tc 6d 5c", "hit")), 0, "push"),
    ("a natural", record("Ac Td", "9c 9d"), Fraction(3, 2), "blackjack"),
    ("a natural against a drawn 21", record("Ac Td", "9c 3d 9h"), Fraction(3, 2), "blackjack"),
    ("a natural against a blackjack", record("Ac Td", "Ad Kd"), 0, "push"),
    ("a 20 against a blackjack", stood("Tc Td", "Ad Kd"), -1, "lose"),
    ("a double that wins", record("5c 6d", "9c 9d", hand("5c 6d Tc", "double")), 2, "win"),
    ("a double that loses", record("5c 6d", "9c 9d", hand("5c 6d 2c", "double")), -2, "lose"),
    ("a double that pushes", record("5c 6d", "9c 9d", hand("5c 6d 7c", "double")), 0, "push"),
    ("a double that goes bust", record("Tc 6d", "9c 9d", hand("Tc 6d 7c", "double")), -2, "lose"),
    ("a surrender", record("Tc 6d", "9c 9d", hand("Tc 6d", "surrender")), Fraction(-1, 2), "surrender"),
    ("a split that wins both", record("9c 9d", "Tc 7d", *SPLIT_19_AND_18), 2, "win + win"),
    ("a split that wins one", record("9c 9d", "Tc 8d", *SPLIT_19_AND_18), 1, "win + push"),
    ("a split that pushes one and loses one", record("9c 9d", "Tc 9h", *SPLIT_19_AND_18), -1, "push + lose"),
    ("a split that loses both", record("9c 9d", "Tc Th", *SPLIT_19_AND_18), -2, "lose + lose"),
    (
        "a split doubled",
        record("9c 9d", "Tc 8d", hand("9c 2d Th", "double"), hand("9d 8h", "stand")),
        1,
        "win + lose",
    ),
    ("split aces with a ten", record("Ac Ad", "Tc 8d", hand("Ac Th"), hand("Ad Kh")), 2, "win + win"),
    ("even money", record("Ac Td", "Ad 9d", hand("Ac Td", "even_money")), 1, "even money"),
    ("even money and a blackjack", record("Ac Td", "Ad Kd", hand("Ac Td", "even_money")), 1, "even money"),
]


@pytest.mark.parametrize(("written", "stakes", "row"), [row[1:] for row in ROUNDS], ids=[row[0] for row in ROUNDS])
def test_what_a_hand_comes_to(written: RoundRecord, stakes: Fraction, row: str) -> None:
    result = result_of(written, BLACKJACK)
    assert result.pays == 1000 * stakes
    assert result.decided_by is not None
    assert result.decided_by.row == row
    assert result.decided_by.paytable == "Blackjack 3 to 2"
    assert len(result.decided_by.sha256) == 64


@pytest.mark.parametrize(
    ("house_pays", "natural"),
    [(BlackjackPays.THREE_TO_TWO, 1500), (BlackjackPays.SIX_TO_FIVE, 1200), (BlackjackPays.EVEN, 1000)],
)
def test_a_blackjack_pays_3_to_2_or_6_to_5_or_even_money(house_pays: BlackjackPays, natural: int) -> None:
    assert pays(record("Ac Td", "9c 9d"), replace(HOUSE, blackjack_pays=house_pays)) == {BLACKJACK: natural}


def test_a_split_21_is_no_blackjack_and_pays_even_money() -> None:
    assert pays(record("Ac Ad", "Tc 8d", hand("Ac Th"), hand("Ad 7h")))[BLACKJACK] == 1000


def test_insurance_pays_2_to_1_on_a_dealer_blackjack_and_loses_otherwise() -> None:
    assert pays(stood("Tc 9d", "Ad Kd"), insurance=500) == {BLACKJACK: -1000, INSURANCE: 1000}
    assert pays(stood("Tc 9d", "Ad 9h"), insurance=500) == {BLACKJACK: -1000, INSURANCE: -500}
    assert pays(stood("Tc 9d", "Ad Kd"), ALL, insurance=500) == {BLACKJACK: -1000, INSURANCE: 1000}
    assert pays(stood("Tc 9d", "Ad 5d 5h"), insurance=500) == {BLACKJACK: -1000, INSURANCE: -500}


def test_an_insured_natural_comes_to_even_money() -> None:
    for dealer in ("Ad Kd", "Ad 9h"):
        assert sum(pays(record("Ac Td", dealer), insurance=500).values()) == 1000


def test_main_wager_then_insurance_then_side_bet() -> None:
    answer = settled(stood("Tc 9d", "Ad Kd"), wagers(insurance=500, bad_beat=100)[::-1])
    assert [result.name for result in answer.wagers] == [BLACKJACK, INSURANCE, BAD_BEAT]


SPLIT_AND_DOUBLED = (hand("9c 2d Th", "double"), hand("9d 9h", "stand"))
SPLIT_AND_BUST = (hand("9c 7d Th", "hit"), hand("9d 2h 9h", "double"))
DOUBLED_BUST = (hand("9c 5d Th", "double"), hand("9d 9h", "stand"))
UNPEEKED = [
    # the player's hands, stakes lost where all is taken, where the original only, and the rows there
    ("untouched", "9c 9d", (hand("9c 9d", "stand"),), 1, 1, "lose"),
    ("hit", "9c 2d", (hand("9c 2d 9h", "hit", "stand"),), 1, 1, "lose"),
    ("doubled", "9c 2d", (hand("9c 2d 9h", "double"),), 2, 1, "dealer blackjack, double spared"),
    ("split", "9c 9d", SPLIT_19_AND_18, 2, 1, "lose + dealer blackjack, stake spared"),
    ("split and doubled", "9c 9d", SPLIT_AND_DOUBLED, 3, 1,
     "dealer blackjack, double spared + dealer blackjack, stake spared"),
    ("bust", "9c 7d", (hand("9c 7d Th", "hit"),), 1, 1, "lose"),
    ("doubled and bust", "9c 5d", (hand("9c 5d Th", "double"),), 2, 2, "lose"),
    ("split, one bust", "9c 9d", SPLIT_AND_BUST, 3, 1, "lose + dealer blackjack, stake spared"),
    ("split, one doubled and bust", "9c 9d", DOUBLED_BUST, 3, 2, "lose + dealer blackjack, stake spared"),
    ("split, the later one bust", "9c 9d", (hand("9c Td", "stand"), hand("9d 7h Th", "hit")), 2, 1,
     "dealer blackjack, stake spared + lose"),
    ("surrendered", "9c 7d", (hand("9c 7d", "surrender"),), 1, 1, "lose"),
    ("natural", "Ac Td", (), 0, 0, "push"),
    ("even money", "Ac Td", (hand("Ac Td", "even_money"),), -1, -1, "even money"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("player", "hands", "lost_all", "lost_original", "row"),
    [row[1:] for row in UNPEEKED],
    ids=[row[0] for row in UNPEEKED],
)
def test_an_unpeeked_blackjack_takes_all_or_the_original_stake_only(
    player: str, hands: tuple[object, ...], lost_all: int, lost_original: int, row: str
) -> None:
    written = record(player, "Ah Kh", *hands)  # type: ignore[arg-type]
    assert pays(written, ALL) == {BLACKJACK: -1000 * lost_all}
    result = result_of(written, BLACKJACK, ORIGINAL)
    assert result.pays == -1000 * lost_original
    assert result.decided_by is not None
    assert result.decided_by.row == row


def test_without_a_blackjack_a_house_that_spares_pays_as_any_other() -> None:
    assert pays(record("9c 9d", "Tc 8d", *SPLIT_AND_DOUBLED), ORIGINAL) == {BLACKJACK: 2000}


@pytest.mark.parametrize(
    ("hands", "outcome"),
    [
        (("9c Td", "9d Th"), Outcome.WIN),
        (("9c Td", "9d 9h"), Outcome.WIN),
        (("9c 9h", "9d 9s"), Outcome.PUSH),
        (("9c Td", "9d 8h"), Outcome.PUSH),
        (("9c 9h", "9d 8h"), Outcome.PARTIAL),
        (("9c 7h", "9d 8h"), Outcome.LOSE),
    ],
)
def test_split_hands_together_win_push_lose_all_or_lose_a_part(hands: tuple[str, str], outcome: Outcome) -> None:
    written = record("9c 9d", "Tc 8d", *(hand(cards, "stand") for cards in hands))
    assert result_of(written, BLACKJACK).outcome is outcome


def test_a_surrender_is_a_partial_loss() -> None:
    assert result_of(record("Tc 6d", "9c 9d", hand("Tc 6d", "surrender")), BLACKJACK).outcome is Outcome.PARTIAL


def test_the_cards_that_decided_are_the_players_and_the_dealers() -> None:
    answer = settled(record("9c 9d", "Tc 7d", *SPLIT_19_AND_18), wagers(bad_beat=100))
    main, side = answer.wagers
    assert main.cards == parse_cards("9c Td 9d 9h Tc 7d")
    assert side.cards == parse_cards("9c Td Tc 7d")
    insured = settled(stood("Tc 9d", "Ad 5d 5h"), wagers(insurance=500)).wagers[1]
    assert insured.cards == parse_cards("Ad 5d")


@pytest.mark.parametrize(
    ("breakage", "natural", "surrender"),
    [(Breakage.PLAYER, 1550, -510), (Breakage.HOUSE, 1540, -520)],
)
def test_odd_amounts_are_rounded_by_the_filed_rule(breakage: Breakage, natural: int, surrender: int) -> None:
    house = replace(HOUSE, money=MoneyRule(Cents(10), breakage))
    won = result_of(record("Ac Td", "9c 9d"), BLACKJACK, house, blackjack=1030)
    assert (won.pays, won.rounding) == (natural, Fraction(natural - 1545))
    gave_up = result_of(record("Tc 6d", "9c 9d", hand("Tc 6d", "surrender")), BLACKJACK, house, blackjack=1030)
    assert (gave_up.pays, gave_up.rounding) == (surrender, Fraction(surrender + 515))


def test_the_rounding_of_split_hands_adds_up() -> None:
    house = replace(HOUSE, money=MoneyRule(Cents(100)), peek=False)
    result = result_of(record("9c 9d", "Ah Kh", *SPLIT_AND_DOUBLED), BLACKJACK, house, blackjack=50)
    assert (result.stake, result.pays, result.rounding) == (150, -100, Fraction(50))


def test_the_hand_in_front_of_an_unfinished_one_is_not_settled() -> None:
    answer = settle(played("8c 8d", "6h", "split", "3c"), parse_cards("6h Td Kd"), wagers())
    assert isinstance(answer, Voided)
    assert answer.why.reason is VoidReason.HAND_UNFINISHED


def test_the_dealers_first_card_is_the_one_that_the_player_saw() -> None:
    answer = settle(played("Tc 9d", "6h", "stand"), parse_cards("Td 6h Kd"), wagers())
    assert isinstance(answer, Voided)
    assert answer.why.reason is VoidReason.IMPOSSIBLE_PLAY


LIVE = [
    ("a card twice in one deck", played("Tc 9d", "6h", "stand"), "6h 9d 2c", VoidReason.DUPLICATE_CARD, "dealer: "),
    ("a player's card twice", played("Tc Tc", "6h", "stand"), "6h Td 2c", VoidReason.DUPLICATE_CARD, "hand 1: "),
    (
        "a hole card that cannot be read",
        played("Tc 9d", "6h", "stand"),
        "6h ??",
        VoidReason.UNREADABLE_CARD,
        "dealer: ",
    ),
    ("no hole card", played("Tc 9d", "6h", "stand"), "6h", VoidReason.WRONG_COUNT, "dealer: fewer than the 2 cards"),
]


@pytest.mark.parametrize(
    ("play", "dealer", "reason", "detail"), [row[1:] for row in LIVE], ids=[row[0] for row in LIVE]
)
def test_a_play_that_the_table_followed_is_counted_again_before_it_is_paid(
    play: Play, dealer: str, reason: VoidReason, detail: str
) -> None:
    faces = [parse_face(word) for word in dealer.split()]
    answer = settle(play, faces, wagers(), replace(HOUSE, decks=1))
    assert isinstance(answer, Voided)
    assert answer.why.reason is reason
    assert answer.why.detail.startswith(detail)


def test_a_wager_of_another_game_is_our_mistake_and_said_so(says: Says) -> None:
    foreign = [Wager(WagerName.RANGE, Cents(100)), *wagers()]
    with pytest.raises(ValueError) as raised:
        settle(played("Tc 9d", "6h", "stand"), parse_cards("6h Td 5c"), foreign)
    says(raised.value)


# Bets.

MAIN = Wager(BLACKJACK, Cents(1000))


def _objection(wager: Wager, placed: list[Wager], house: BlackjackHouse = HOUSE) -> RefusalCode | None:
    why_not = check_wager(wager, placed, house)
    if why_not is None:
        return None
    assert why_not.message.startswith(wager.name.value)
    return why_not.code


def test_every_spot_has_its_paytable_and_no_other_has_one(says: Says) -> None:
    assert [name for name in WagerName if paytables_of(name)] == list(SPOTS)
    no_spot = check_wager(Wager(WagerName.RANGE, Cents(100)), [])
    assert no_spot is not None
    assert no_spot.code is RefusalCode.NOT_OFFERED
    says(no_spot.message)


def test_the_side_bet_and_insurance_need_a_blackjack_wager() -> None:
    assert _objection(MAIN, []) is None
    for name, stake in ((BAD_BEAT, 100), (INSURANCE, 500)):
        assert _objection(Wager(name, Cents(stake)), []) is RefusalCode.NEEDS_ANOTHER_WAGER
        assert _objection(Wager(name, Cents(stake)), [MAIN]) is None


def test_a_house_may_let_the_side_bet_stand_alone() -> None:
    house = replace(HOUSE, bad_beat_alone=True)
    assert _objection(Wager(BAD_BEAT, Cents(100)), [], house) is None
    assert _objection(Wager(INSURANCE, Cents(100)), [], house) is RefusalCode.NEEDS_ANOTHER_WAGER
    assert pays(stood("Tc 9d", "Tc Td"), house, blackjack=0, bad_beat=100) == {BAD_BEAT: 1500}


def test_no_colour_is_named() -> None:
    assert _objection(Wager(BLACKJACK, Cents(100), Colour.RED), []) is RefusalCode.COLOUR_NOT_NAMED_HERE


@pytest.mark.parametrize(
    ("insurance", "stake", "insured", "code"),
    [
        (Insurance.HALF, 1000, 500, None),
        (Insurance.HALF, 1000, 501, RefusalCode.ABOVE_MOST),
        (Insurance.HALF, 1000, 499, RefusalCode.BELOW_LEAST),
        (Insurance.UP_TO_HALF, 1000, 500, None),
        (Insurance.UP_TO_HALF, 1000, 1, None),
        (Insurance.UP_TO_HALF, 1000, 501, RefusalCode.ABOVE_MOST),
        (Insurance.HALF, 1001, 501, RefusalCode.ABOVE_MOST),
        (Insurance.HALF, 1001, 500, None),
    ],
)
def test_insurance_is_half_the_stake(insurance: Insurance, stake: int, insured: int, code: RefusalCode | None) -> None:
    house = replace(HOUSE, insurance=insurance)
    assert _objection(Wager(INSURANCE, Cents(insured)), [Wager(BLACKJACK, Cents(stake))], house) is code


@pytest.mark.parametrize("breakage", [Breakage.PLAYER, Breakage.HOUSE])
def test_insurance_is_never_more_than_half_the_stake_also_after_rounding(breakage: Breakage) -> None:
    """Of 15.00 in chips of a dollar: 7.00. A round that an earlier ruling let be insured for 8.00 still replays."""
    house = replace(HOUSE, money=MoneyRule(Cents(100), breakage))
    main, insured = [Wager(BLACKJACK, Cents(1500))], Wager(INSURANCE, Cents(700))
    assert _objection(insured, main, house) is None
    assert _objection(replace(insured, stake=Cents(800)), main, house) is RefusalCode.ABOVE_MOST
    then = replace(house, insurance_within_half=False, money=MoneyRule(Cents(100), Breakage.PLAYER))
    assert _objection(replace(insured, stake=Cents(800)), main, then) is None


def test_an_exact_house_insures_no_stake_that_has_no_half() -> None:
    house = replace(HOUSE, money=MoneyRule(Cents(5), Breakage.EXACT))
    assert _objection(Wager(INSURANCE, Cents(5)), [Wager(BLACKJACK, Cents(15))], house) is (
        RefusalCode.CANNOT_BE_PAID_EXACTLY
    )
    assert _objection(Wager(INSURANCE, Cents(5)), [Wager(BLACKJACK, Cents(10))], house) is None


def test_whoever_is_refused_insurance_hears_what_is_sold(says: Says) -> None:
    above = check_wager(Wager(INSURANCE, Cents(501)), [MAIN])
    below = check_wager(Wager(INSURANCE, Cents(499)), [MAIN])
    assert above is not None
    assert below is not None
    says(above.message)
    says(below.message)


def test_an_exact_house_minds_only_what_it_offers() -> None:
    """15 cents in chips of 5 pay 6 to 5 exactly; they have no half, which matters where half can be given up."""
    exact = replace(HOUSE, money=MoneyRule(Cents(5), Breakage.EXACT), blackjack_pays=BlackjackPays.SIX_TO_FIVE)
    odd = Wager(BLACKJACK, Cents(25))
    assert _objection(odd, [], replace(exact, late_surrender=False)) is None
    assert _objection(odd, [], exact) is RefusalCode.CANNOT_BE_PAID_EXACTLY


# Conservation.


@given(st.integers(min_value=0, max_value=2**64))
def test_what_player_and_house_get_sums_to_nothing_and_a_written_round_settles_as_the_played_one(seed: int) -> None:
    chance = Random(seed)
    dealt = deal_round(random_house(chance), chance)
    live = settle(dealt.play, dealt.dealer, dealt.wagers, dealt.house)
    written = settle_record(dealt.record, dealt.wagers, dealt.house)
    assert isinstance(live, Settled), f"seed {seed}: {live}"
    assert live == written, f"seed {seed}"
    for result in live.wagers:
        house_takes = result.stake - result.returned
        assert result.pays + house_takes == 0, f"seed {seed}"
        assert result.returned >= 0, f"seed {seed}"
    main = live.wagers[0]
    assert main.stake == dealt.wagers[0].stake * sum(hand.stakes for hand in dealt.play.hands), f"seed {seed}"
    assert main.pays == sum(hand.result.pays for hand in live.findings.hands), f"seed {seed}"
