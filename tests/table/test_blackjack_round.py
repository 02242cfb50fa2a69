"""Bad Beat Blackjack at the table, clause by clause: from the bets to the naturals (bad-beat-blackjack.md, 1 to 5)."""

from __future__ import annotations

import pytest

from daemon.rules.blackjack.house import BlackjackPays, Insurance
from daemon.rules.blackjack.paytables import BadBeatPaytable
from daemon.rules.limits import Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.table.blackjack.facts import DealerCardsShown, DealerPeeked
from daemon.table.round_facts import (
    DealerPrompted,
    HandSettled,
    PlayerDecided,
    PromptStep,
    RoundSettled,
    SeatReconciled,
    WagerTaken,
)
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import DEALER, Decision, PromptAction
from drivers.events import Button
from protocols.cards import parse_cards
from tests.support.sentences import Says
from tests.table.blackjack_playing import INSURED, MAIN, OPTION_2, SIDE, Blackjack, house_of
from tests.table.playing import TODAY
from tests.table.test_view import cards_in

# --- 1. Blackjack wager and side wager ---


def test_a_side_bet_needs_a_blackjack_wager() -> None:
    table = Blackjack()
    assert table.bet(1, SIDE, 200).code == "needs-another-wager"
    table.stake(1, side=200)


def test_where_the_house_allows_it_the_side_bet_is_had_alone() -> None:
    table = Blackjack(house_of(bad_beat_alone=True))
    assert table.bet(1, SIDE, 200).accepted
    table.press()
    table.cards("Tc Th 9d 9h")  # 19 against 19
    table.says(1, Decision.STAND)
    assert table.pays(1) == {SIDE: 1000}
    table.finish()
    settled = table.last(RoundSettled)
    assert (settled.stakes_cents, settled.returned_cents, settled.take_cents) == (200, 1200, -1000)


def test_insurance_is_not_sold_before_the_cards() -> None:
    table = Blackjack()
    table.stake(1)
    assert table.bet(1, INSURED, 500).code == "not-offered"


# --- 2. First two cards ---


def test_two_cards_each_in_turn_and_the_dealers_second_face_down() -> None:
    table = Blackjack().deal("2c 3c 4c 5d 6d 7d", 2, 5)
    assert table.dealt() == [
        (2, 1, 1, "2c"),
        (5, 1, 1, "3c"),
        (DEALER, 1, 1, "4c"),
        (2, 1, 2, "5d"),
        (5, 1, 2, "6d"),
        (DEALER, 1, 2, None),
    ]


def test_each_card_is_asked_for(says: Says) -> None:
    table = Blackjack()
    table.stake(2)
    table.press()
    says(table.state.prompt)
    table.cards("2c")
    says(table.state.prompt)
    assert table.phase() is Phase.DEALING


def test_the_hole_card_is_nobodys_until_it_is_shown() -> None:
    table = Blackjack().deal("Tc 9c Td 7s")
    hole = parse_cards("7s")[0]
    assert hole not in cards_in(tuple(table.facts)) | cards_in(public(table.state))
    table.says(1, Decision.STAND)
    assert table.last(DealerCardsShown).cards == parse_cards("9c 7s")
    assert public(table.state).dealer_cards == parse_cards("9c 7s")


def test_players_cards_lie_open() -> None:
    table = Blackjack().deal("Tc 9c 7d 7s")
    (hand,) = public(table.state).seats[0].hands
    assert (hand.cards, hand.total, hand.soft, hand.state) == (parse_cards("Tc 7d"), 17, False, "deciding")


# --- 3. Early taking of the side bet ---


@pytest.mark.parametrize("first", ["Tc 8d", "8c 8d", "Ac 7d", "Ac Ad"])
def test_option_1_takes_the_side_bet_when_the_first_two_cards_are_not_19_to_21(first: str, says: Says) -> None:
    one, two = first.split()
    table = Blackjack().deal(f"{one} 6c {two} 9s", side=200)
    assert table.taken() == [(1, SIDE, None)]
    step = PromptStep(SIDE, PromptAction.TAKE, 200, seat=table.said(WagerTaken)[0].seat)
    assert table.last(DealerPrompted).steps == (step,)
    says(table.state.prompt)


@pytest.mark.parametrize("first", ["Tc 9d", "Tc Td", "Ac 8d", "Ac 9d"])
def test_option_1_leaves_it_on_19_and_20(first: str) -> None:
    one, two = first.split()
    assert Blackjack().deal(f"{one} 6c {two} 9s", side=200).taken() == []


@pytest.mark.parametrize("first", ["8c 8d", "9c 9d", "Tc Kd", "Ac Ad", "Tc 9d"])
def test_option_2_leaves_it_on_pairs_of_eights_to_aces_as_well(first: str) -> None:
    one, two = first.split()
    assert Blackjack(OPTION_2).deal(f"{one} 6c {two} 9s", side=200).taken() == []


@pytest.mark.parametrize("first", ["7c 7d", "2c 2d", "Tc 8d"])
def test_option_2_takes_it_on_smaller_pairs_and_other_hands(first: str) -> None:
    one, two = first.split()
    assert Blackjack(OPTION_2).deal(f"{one} 6c {two} 9s", side=200).taken() == [(1, SIDE, None)]


# --- 4. Insurance, and the dealer's blackjack ---


def test_insurance_is_sold_against_an_ace_until_next(says: Says) -> None:
    table = Blackjack().deal("Tc Tc Ac 9d 8d 9s", 1, 2)
    assert table.phase() is Phase.INSURING
    says(table.state.prompt)
    assert table.decide(2, Decision.INSURE).accepted
    assert table.last(PlayerDecided).stake_cents == 500
    assert table.decide(2, Decision.INSURE).code == "already-placed"
    assert table.decide(1, Decision.STAND).code == "not-now"
    table.next()
    assert table.phase() is Phase.DECIDING
    assert table.decide(1, Decision.INSURE).code == "not-offered"


@pytest.mark.parametrize("up", ["Kc", "9c"])
def test_no_insurance_against_another_card(up: str) -> None:
    assert Blackjack().deal(f"Tc {up} 9d 9s").phase() is Phase.DECIDING


def test_a_house_without_insurance_sells_none() -> None:
    assert Blackjack(house_of(insurance=Insurance.NONE)).deal("Tc Ac 9d 9s").phase() is Phase.DECIDING


@pytest.mark.parametrize(
    ("insurance", "stake", "code"),
    [
        (Insurance.HALF, 400, "below-least"),
        (Insurance.HALF, 600, "above-most"),
        (Insurance.UP_TO_HALF, 600, "above-most"),
        (Insurance.UP_TO_HALF, 400, "accepted"),
    ],
)
def test_insurance_is_half_the_stake_or_up_to_it(insurance: Insurance, stake: int, code: str) -> None:
    table = Blackjack(house_of(insurance=insurance)).deal("Tc Ac 9d 9s")
    assert table.decide(1, Decision.INSURE, stake).code == code


def test_insurance_is_under_the_limits_like_any_wager() -> None:
    limits = Limits(stakes={INSURED: StakeRange(most=Cents(300))})
    table = Blackjack(limits=LimitSchedule(((TODAY, limits),))).deal("Tc Ac 9d 9s")
    assert table.decide(1, Decision.INSURE).code == "above-most"


def test_a_key_insures_for_the_seat_that_was_selected_and_for_nobody_else() -> None:
    table = Blackjack().deal("Tc Tc Ac 9d 8d 9s", 1, 2)
    table.press(Button.INSURE)
    assert table.said(PlayerDecided) == []
    table.press(Button.SEAT_2)
    table.press(Button.INSURE)
    assert table.last(PlayerDecided).seat == 2


def test_a_dealers_blackjack_ends_the_round_and_pays_insurance() -> None:
    table = Blackjack().deal("Tc Tc Ac 9d 8d Ks", 1, 2, side=200)
    table.decide(1, Decision.INSURE)
    table.next()
    assert table.last(DealerPeeked).blackjack
    assert table.last(DealerCardsShown).blackjack
    table.finish()
    assert table.pays(1) == {MAIN: -1000, INSURED: 1000, SIDE: 3000}  # 19 beaten
    assert table.pays(2) == {MAIN: -1000, SIDE: -200}


def test_without_a_blackjack_insurance_is_taken_at_once_and_the_hole_card_stays_down(says: Says) -> None:
    table = Blackjack().deal("Tc Ac 9d 8s")
    table.decide(1, Decision.INSURE)
    table.next()
    assert not table.last(DealerPeeked).blackjack
    assert table.taken() == [(1, INSURED, None)]
    assert table.said(DealerCardsShown) == []
    says(table.state.prompt)


def test_under_a_ten_the_dealer_peeks_without_insurance() -> None:
    table = Blackjack().deal("Tc Kc 9d As")
    assert table.last(DealerPeeked).blackjack
    assert table.finish().pays(1) == {MAIN: -1000}


def test_under_another_card_there_is_nothing_to_peek_for() -> None:
    assert Blackjack().deal("Tc 9c 9d As").said(DealerPeeked) == []


# --- 5. Naturals ---


def test_a_natural_is_paid_before_the_players_act_and_its_side_bet_is_settled() -> None:
    table = Blackjack().deal("Ac Tc 9c Kd 8d 9s", 1, 2, side=200)
    assert table.phase() is Phase.RECONCILING
    settled = table.last(HandSettled)
    assert (settled.seat, settled.hand, settled.total) == (1, "blackjack", 21)
    assert table.pays(1) == {MAIN: 1500, SIDE: 0}
    table.next()
    assert table.phase() is Phase.DECIDING
    assert table.last(SeatReconciled).seat == 1
    table.says(2, Decision.STAND).finish()
    assert [fact.seat for fact in table.said(HandSettled)] == [1, 2]
    assert len(table.said(RoundSettled)) == 1


def test_under_an_l_paytable_a_natural_loses_the_side_bet() -> None:
    table = Blackjack(house_of(paytable=BadBeatPaytable.L1)).deal("Ac 9c Kd 9s", side=200)
    assert table.pays(1) == {MAIN: 1500, SIDE: -200}


@pytest.mark.parametrize(
    ("pays", "net"), [(BlackjackPays.THREE_TO_TWO, 1500), (BlackjackPays.SIX_TO_FIVE, 1200), (BlackjackPays.EVEN, 1000)]
)
def test_a_blackjack_pays_what_the_house_says(pays: BlackjackPays, net: int) -> None:
    assert Blackjack(house_of(blackjack_pays=pays)).deal("Ac 9c Kd 9s").pays(1) == {MAIN: net}


def test_where_nobody_peeks_a_natural_waits_for_the_dealers_hand() -> None:
    table = Blackjack(house_of(peek=False)).deal("Ac Tc Tc Kd 8d As", 1, 2, side=200)
    assert table.phase() is Phase.DECIDING
    assert table.said(HandSettled) == []
    table.says(2, Decision.STAND).finish()
    assert table.pays(1) == {MAIN: 0, SIDE: 1000}  # 21 push


def test_naturals_are_settled_in_steps_only_where_the_house_goes_by_steps() -> None:
    table = Blackjack(reconciling=Reconciling.THROUGH).deal("Ac Tc 9c Kd 8d 9s", 1, 2)
    assert table.phase() is Phase.DECIDING
    assert [fact.seat for fact in table.said(SeatReconciled)] == [1]


def test_what_is_to_be_taken_stands_before_the_natural_that_is_paid(says: Says) -> None:
    table = Blackjack().deal("Ac Tc 9c Kd 8d 9s", 1, 2, side=200)
    says(table.state.prompt)
    steps = [(step.seat, step.spot) for step in table.last(DealerPrompted).steps]
    assert steps == [(2, SIDE), (None, MAIN), (None, SIDE)]


# --- what hands do with the dealer's second card, also where the dealer draws nothing ---


def test_the_dealer_is_told_to_look_before_a_natural_is_paid(says: Says) -> None:
    """Under a ten. The other player has still to decide, so the second card stays face down."""
    table = Blackjack().deal("Ac Tc Kc Kd 8d 9s", 1, 2)
    assert table.phase() is Phase.RECONCILING
    says(table.state.prompt)
    assert table.said(DealerCardsShown) == []
    table.next()
    says(table.state.prompt)  # to look once is enough


def test_a_dealer_who_draws_nothing_turns_the_second_card_over_before_anybody_is_paid(says: Says) -> None:
    table = Blackjack().deal("Tc 9c 9d 9s").says(1, Decision.STAND)
    says(table.state.prompt)
    assert table.last(DealerCardsShown).total == 18


def test_where_all_have_naturals_the_dealer_looks_and_turns_over_before_they_are_paid(says: Says) -> None:
    """Nobody decides and nobody waits for a total, so no later prompt would tell the dealer to show."""
    table = Blackjack().deal("Ac As Kc Kd Kh 5s", 1, 2)
    says(table.state.prompt)
    assert not table.last(DealerPeeked).blackjack
    assert table.last(DealerCardsShown).total == 15
    table.next()
    says(table.state.prompt)
    table.finish()
    assert table.pays(1) == table.pays(2) == {MAIN: 1500}
    assert len(table.said(RoundSettled)) == 1


def test_a_blackjack_that_the_dealer_found_is_turned_over_before_it_takes(says: Says) -> None:
    says(Blackjack().deal("Tc Kc 9d As").state.prompt)


def test_a_house_that_goes_through_without_steps_is_told_the_same() -> None:
    table = Blackjack(reconciling=Reconciling.THROUGH).deal("Ac Kc Kd 5s")
    said = [prompt.sentence for prompt in table.said(DealerPrompted)]
    assert any("Look under" in sentence and "Turn over" in sentence for sentence in said)
