"""Bad Beat Blackjack at the table, clause by clause: players, dealer, settlement (6 to 8), and the rulings."""

from __future__ import annotations

import pytest

from daemon.rules.blackjack.house import BadBeatOption, SplitAces, UnpeekedTakes
from daemon.rules.blackjack.paytables import BAD_BEATS, BadBeatPaytable
from daemon.rules.limits import AggregateLimit, Limits, LimitSchedule
from daemon.rules.money import Cents
from daemon.rules.paytable_text import read_paytable
from daemon.table.blackjack.facts import DealerCardsShown
from daemon.table.round_facts import DealerPrompted, HandSettled, PlayerDecided, RoundSettled, WinToVerify
from daemon.table.state import Phase
from daemon.table.view import public
from daemon.table.vocabulary import DEALER, Decision, PromptAction
from drivers.events import Button
from tests.support.sentences import Says
from tests.table.blackjack_playing import INSURED, MAIN, OPTION_2, SIDE, Blackjack, house_of
from tests.table.playing import TODAY

# --- 6. Players act ---


def test_players_decide_from_the_dealers_left_each_to_the_end(says: Says) -> None:
    table = Blackjack().deal("5c Tc 9c 5d 7d 9s", 1, 2)
    assert table.decide(2, Decision.STAND).code == "out-of-turn"
    says(table.decide(2, Decision.STAND).message)
    assert table.decide(3, Decision.STAND).code == "no-such-hand"
    table.says(1, Decision.HIT, "2c")
    assert table.decide(2, Decision.STAND).code == "out-of-turn"
    table.says(1, Decision.HIT, "9h").says(2, Decision.STAND)
    assert table.dealt()[6:8] == [(1, 1, 3, "2c"), (1, 1, 4, "9h")]


def test_no_decision_while_a_card_is_due(says: Says) -> None:
    table = Blackjack().deal("5c 9c 5d 9s")
    table.decide(1, Decision.HIT)
    says(table.state.prompt)
    assert table.decide(1, Decision.STAND).code == "illegal-action"


def test_a_hand_that_busts_is_taken_at_once(says: Says) -> None:
    table = Blackjack().deal("Tc Tc 9c 6d 7d 9s", 1, 2)
    table.says(1, Decision.HIT, "Kh")
    assert table.taken() == [(1, MAIN, None)]
    says(table.state.prompt)


def test_when_every_hand_is_bust_the_dealer_shows_and_draws_nothing() -> None:
    table = Blackjack().deal("Tc 2c 6d 9s")
    table.says(1, Decision.HIT, "Kh")
    assert table.phase() is Phase.RECONCILING
    assert [result.pays_cents for result in public(table.state).seats[0].results] == [-1000]
    table.finish()
    assert len(table.said(DealerCardsShown)) == 1
    assert table.last(RoundSettled).take_cents == 1000


def test_a_double_puts_down_as_much_again_and_takes_one_card() -> None:
    table = Blackjack().deal("5c 9c 6d 9s")
    assert table.decide(1, Decision.DOUBLE, 900).code == "wrong-stake"
    table.says(1, Decision.DOUBLE, "Th")
    assert table.last(PlayerDecided).stake_cents == 1000
    assert table.finish().pays(1) == {MAIN: 2000}
    assert table.last(RoundSettled).stakes_cents == 2000


def test_a_split_makes_two_hands_and_each_is_played_to_its_end(says: Says) -> None:
    table = Blackjack().deal("8c 9c 8d 9s")
    table.says(1, Decision.SPLIT, "3c")
    says(table.state.prompt)
    table.says(1, Decision.DOUBLE, "Th")  # 21
    says(table.state.prompt)
    table.cards("Kd")
    table.says(1, Decision.STAND)  # 18 against 18
    assert table.dealt()[4:] == [(1, 1, 2, "3c"), (1, 1, 3, "Th"), (1, 2, 2, "Kd")]
    settled = table.last(HandSettled)
    assert [(wager.hand, wager.stake_cents, wager.pays_cents) for wager in settled.wagers] == [
        (1, 2000, 2000),
        (2, 1000, 0),
    ]
    says(table.state.prompt)
    table.finish()
    assert table.last(RoundSettled).stakes_cents == 3000


def test_a_pair_is_split_into_as_many_hands_as_the_house_allows() -> None:
    table = Blackjack(house_of(hands_max=3)).deal("8c 9c 8d 9s")
    table.says(1, Decision.SPLIT, "8h").says(1, Decision.SPLIT, "8s")
    assert table.decide(1, Decision.SPLIT).code == "not-offered"
    assert len(public(table.state).seats[0].hands) == 3


def test_split_aces_get_one_card_each() -> None:
    table = Blackjack().deal("Ac 9c Ad 9s")
    table.says(1, Decision.SPLIT, "5h Kh")
    assert table.phase() is Phase.RECONCILING
    assert table.pays(1) == {MAIN: 0}  # 16 loses, 21 wins
    assert Blackjack(house_of(split_aces=SplitAces.NEVER)).deal("Ac 9c Ad 9s").decide(1, Decision.SPLIT).code == (
        "not-offered"
    )


def test_a_surrender_gives_half_back() -> None:
    table = Blackjack().deal("Tc 9c 6d 9s", side=200)
    table.says(1, Decision.SURRENDER).finish()
    assert table.pays(1) == {SIDE: -200, MAIN: -500}
    assert table.last(RoundSettled).returned_cents == 500


def test_option_1_takes_the_side_bet_from_whoever_does_not_stand() -> None:
    table = Blackjack().deal("Tc Tc 9c 9d Td 9s", 1, 2, side=200)
    table.decide(1, Decision.HIT)
    assert table.taken() == [(1, SIDE, None)]
    table.cards("2c")
    table.says(2, Decision.SPLIT, "9h")
    assert table.taken() == [(1, SIDE, None), (2, SIDE, None)]


def test_option_2_follows_the_first_split_hand() -> None:
    table = Blackjack(OPTION_2).deal("9c 9d 9h 9s", side=200)  # 18 of the dealer stands
    table.says(1, Decision.SPLIT, "Tc")
    assert table.taken() == []
    table.says(1, Decision.STAND, "2d").says(1, Decision.HIT, "Th").finish()
    assert table.pays(1)[SIDE] == 0  # its 19 wins


def test_option_2_takes_it_from_a_first_split_hand_that_ends_below_19() -> None:
    table = Blackjack(OPTION_2).deal("9c 9d 9h 9s", side=200)
    table.says(1, Decision.SPLIT, "2c").says(1, Decision.STAND)
    assert table.taken() == [(1, SIDE, None)]


def test_the_keys_say_what_the_commands_say() -> None:
    table = Blackjack().deal("5c 9c 5d 9s")
    table.press(Button.HIT)
    table.cards("2c")
    table.press(Button.STAND)
    assert [fact.decision for fact in table.said(PlayerDecided)] == [Decision.HIT, Decision.STAND]
    assert table.phase() is Phase.RECONCILING


def test_a_decision_of_another_game_is_refused() -> None:
    assert Blackjack().deal("5c 9c 5d 9s").decide(1, Decision.FOLD).code == "not-offered"


# --- 7. The dealer ---


def test_the_dealer_draws_by_his_rule_and_stops(says: Says) -> None:
    table = Blackjack().deal("Tc 6c 9d 6s")
    table.says(1, Decision.STAND)
    assert table.phase() is Phase.DEALER_DRAWING
    says(table.state.prompt)
    table.cards("2h 3h")
    assert table.phase() is Phase.RECONCILING
    assert table.dealt()[-2:] == [(DEALER, 1, 3, "2h"), (DEALER, 1, 4, "3h")]


def test_a_ten_on_a_soft_fifteen_is_asked_for_again_in_other_words(says: Says) -> None:
    table = Blackjack().deal("Tc 4c 9d Ad")
    table.says(1, Decision.STAND)
    says(table.state.prompt)
    table.cards("Th")
    says(table.state.prompt)


@pytest.mark.parametrize(("hits", "phase"), [(True, Phase.DEALER_DRAWING), (False, Phase.RECONCILING)])
def test_a_soft_17_is_the_houses_choice(hits: bool, phase: Phase) -> None:
    table = Blackjack(house_of(dealer_hits_soft_17=hits)).deal("Tc 6c 9d As")
    assert table.says(1, Decision.STAND).phase() is phase


# --- 8. Main bets, insurance, the side bet ---


def test_what_a_natural_was_paid_is_gone_from_what_the_deal_may_pay() -> None:
    """Under a house's own paytable: 60 to 1 for a beaten 19, of which two would be far over the limit."""
    own = read_paytable("ours", "ours", BAD_BEATS, {"19 beaten": "60 to 1", "player wins": "2 to 1"})
    limits = Limits(aggregates=(AggregateLimit(SIDE, Cents(10_000), shares_all=True),))
    table = Blackjack(house_of(bad_beat_pays=own), limits=LimitSchedule(((TODAY, limits),)))
    table.deal("Ac Tc Tc 9c Kd 9d 9h As", 1, 2, 3, side=200)
    table.next()
    table.says(2, Decision.STAND).says(3, Decision.STAND).finish()
    assert [table.pays(seat)[SIDE] for seat in (1, 2, 3)] == [400, 4800, 4800]


def test_seats_are_reconciled_from_the_right_main_bet_before_side_bet() -> None:
    table = Blackjack().deal("Tc Tc 9c 9d Td Ks", 1, 2, side=200)
    table.says(1, Decision.STAND).says(2, Decision.STAND)
    table.finish()
    assert [fact.seat for fact in table.said(HandSettled)] == [2, 1]
    assert [wager.wager for wager in table.last(HandSettled).wagers] == [MAIN, SIDE]
    assert table.pays(1) == {MAIN: 0, SIDE: 1000}  # 19 push
    assert table.pays(2) == {MAIN: 1000, SIDE: 0}


def test_main_bet_insurance_and_side_bet_are_settled_in_that_order() -> None:
    table = Blackjack().deal("Tc Ac 9d Ks", side=200)
    table.decide(1, Decision.INSURE)
    table.next()
    assert [wager.wager for wager in table.last(HandSettled).wagers] == [MAIN, INSURED, SIDE]


def test_a_prompt_that_takes_one_seats_insurance_and_pays_another_seat_has_the_steps_of_both() -> None:
    table = Blackjack().deal("Ac 9c Ad Kd 8s 5h", 1, 2)
    table.decide(2, Decision.INSURE)
    table.next()
    steps = [(step.spot, step.action, step.seat) for step in table.state.prompted.steps]
    assert steps == [(INSURED, PromptAction.TAKE, 2), (MAIN, PromptAction.PAY, None)]
    assert table.last(DealerPrompted).seat == 1


def test_a_large_win_is_verified() -> None:
    limits = Limits(verify_over=Cents(2500))
    table = Blackjack(limits=LimitSchedule(((TODAY, limits),))).deal("Tc Ac 9d Ks", side=200)
    table.next()
    assert (table.last(WinToVerify).wager, table.last(WinToVerify).pays_cents) == (SIDE, 3000)


def test_a_large_win_on_each_hand_of_a_split_is_verified_by_itself() -> None:
    limits = Limits(verify_over=Cents(900))
    table = Blackjack(limits=LimitSchedule(((TODAY, limits),))).deal("8c 9c 8d 8s")
    table.says(1, Decision.SPLIT, "Tc").says(1, Decision.STAND, "Td").says(1, Decision.STAND).finish()
    assert [win.pays_cents for win in table.said(WinToVerify)] == [1000, 1000]
    assert [alert.alert for alert in table.state.alerts] == [
        f"verify-t7-1-seat-1-blackjack-hand-{hand}" for hand in (1, 2)
    ]


def test_an_unpeeked_blackjack_takes_what_the_house_says() -> None:
    for takes, net in ((UnpeekedTakes.ALL, -2000), (UnpeekedTakes.ORIGINAL, -1000)):
        table = Blackjack(house_of(peek=False, unpeeked_blackjack_takes=takes)).deal("5c Tc 6d As")
        table.says(1, Decision.DOUBLE, "Kc").finish()
        assert table.pays(1) == {MAIN: net}


# --- Rulings ---


@pytest.mark.parametrize(
    ("first", "side"), [("Tc 9d", 3000), ("Tc Kd", 4000), ("8c 8d", -200), ("9c 9d", -200), ("Ac Ad", -200)]
)
def test_a_peeked_blackjack_settles_the_first_two_cards_as_if_they_had_stood(first: str, side: int) -> None:
    one, two = first.split()
    table = Blackjack(OPTION_2).deal(f"{one} Kc {two} As", side=200)
    assert table.pays(1)[SIDE] == side


def test_against_a_peeked_blackjack_a_natural_pushes_and_takes_the_21_push_row() -> None:
    assert Blackjack().deal("Ac Kc Kd As", side=200).pays(1) == {MAIN: 0, SIDE: 1000}


def test_a_two_card_21_of_a_split_pushes_against_21_and_has_no_row_against_an_unpeeked_blackjack() -> None:
    pushed = Blackjack(OPTION_2).deal("Tc 5c Td 6s", side=200)
    pushed.says(1, Decision.SPLIT, "Ac 9h").says(1, Decision.STAND, "Th").finish()
    assert pushed.pays(1) == {MAIN: -1000, SIDE: 1000}
    unpeeked = Blackjack(house_of(option=BadBeatOption.FIRST_SPLIT_HAND, peek=False)).deal("Tc Tc Td As", side=200)
    unpeeked.says(1, Decision.SPLIT, "Ac 9h").says(1, Decision.STAND).finish()
    assert unpeeked.pays(1) == {MAIN: -2000, SIDE: -200}


@pytest.mark.parametrize(("hole", "side"), [("Ks", 1000), ("9s", 0)])
def test_even_money_does_not_touch_the_side_bet(hole: str, side: int) -> None:
    table = Blackjack().deal(f"Ac Ac Kd {hole}", side=200)
    assert table.decide(1, Decision.EVEN_MONEY).accepted
    assert table.decide(1, Decision.INSURE).code == "illegal-action"
    table.next()
    assert table.pays(1) == {MAIN: 1000, SIDE: side}


def test_an_insured_natural_takes_no_even_money_as_well() -> None:
    table = Blackjack().deal("Ac Ac Kd 9s")
    table.decide(1, Decision.INSURE)
    assert table.decide(1, Decision.EVEN_MONEY).code == "illegal-action"


def test_surrender_and_doubling_are_not_standing() -> None:
    for decision in (Decision.SURRENDER, Decision.DOUBLE):
        table = Blackjack().deal("Tc 9c 9d 9s", side=200)
        table.decide(1, decision)
        assert table.taken() == [(1, SIDE, None)]


def test_the_l_paytables_pay_19_20_and_21_alike_in_name() -> None:
    table = Blackjack(house_of(paytable=BadBeatPaytable.L4)).deal("Tc 9c Td 9s", side=200)
    table.says(1, Decision.STAND)
    assert table.pays(1) == {MAIN: 1000, SIDE: -200}
