"""Records with a hole, what a supervisor can enter, and what a void undoes at a blackjack table."""

from __future__ import annotations

import pytest

from daemon.table.inputs import Configured, EnterCards, ReportIrregularity
from daemon.table.reducer import apply, blank
from daemon.table.round_facts import (
    PromptStep,
    RoundHeld,
    RoundSettled,
    RoundVoided,
)
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, Decision, Irregularity, PromptAction, Ruling, SeatNumber
from drivers.events import (
    Button,
    EventsLost,
    LinkLost,
    Restarted,
)
from protocols.cards import Card
from tests.support.sentences import Says
from tests.table.blackjack_playing import INSURED, MAIN, SIDE, Blackjack, house_of

FIRST_CARDS = "5c 9c 6d 9s"
ANY_CARD = Card.parse("2h")


# --- a link that was lost ---


@pytest.mark.parametrize("lost", [Restarted("boot-2"), EventsLost(1, "gone"), None], ids=["restart", "lost", "link"])
def test_a_record_with_a_hole_interrupts_until_a_supervisor_vouches(lost: Restarted | EventsLost | None) -> None:
    table = Blackjack().deal("5c 9c 6d")
    if lost is None:
        table.device(LinkLost("pulled"))
        table.link_up(resumed=False)
    else:
        table.device(lost)
    assert table.phase() is Phase.INTERRUPTED
    assert "unwatched-shuffler" in table.state.blocked_by
    assert table.rule(Ruling.CONTINUE).accepted
    table.cards("9s")
    assert table.phase() is Phase.DECIDING


def test_a_link_that_proves_that_nothing_was_lost_interrupts_nothing() -> None:
    table = Blackjack().deal("5c 9c 6d")
    table.device(LinkLost("pulled"))
    table.link_up(resumed=True)
    table.cards("9s")
    assert table.phase() is Phase.DECIDING


def test_cards_that_left_unseen_are_entered_place_by_place(says: Says) -> None:
    table = Blackjack().deal("5c Tc 9c", 1, 2)
    table.link_up(resumed=False)
    assert table.enter_hand(2, map(Card.parse, ("Tc", "7d"))).accepted
    assert table.rule(Ruling.CONTINUE).code == "hands-missing"
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d"))).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    says(table.state.prompt)
    table.cards("9s")
    table.says(1, Decision.STAND).says(2, Decision.STAND).finish()
    assert len(table.said(RoundSettled)) == 1


def test_a_record_that_differs_from_the_felt_can_only_be_voided() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    table.link_up(resumed=False)
    answer = table.enter_hand(1, map(Card.parse, ("5c", "7d")))
    assert answer.code == "differs-from-record"
    assert "6d" not in answer.message
    assert table.rule(Ruling.VOID).accepted
    assert table.last(RoundVoided).returned_cents == 1000


def test_nobody_learns_the_hole_card_by_guessing_it() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    table.press(Button.VOID)
    answers = {table.enter_hand(0, map(Card.parse, ("9c", guess))) for guess in ("9s", "2h", "Kd")}
    assert [answer.code for answer in answers] == ["not-shown"]


@pytest.mark.parametrize("stopped", [Button.VOID, None], ids=["held", "interrupted"])
def test_a_dealer_cannot_find_the_hole_card_by_what_is_refused(stopped: Button | None) -> None:
    """Of one deck the ledger would tell: a card that has come already is refused."""
    table = Blackjack(house_of(decks=1)).deal(FIRST_CARDS)
    table.decide(1, Decision.HIT)
    if stopped is None:
        table.link_up(resumed=False)
    else:
        table.press(stopped)
    guesses = [EnterCards(SeatNumber(1), tuple(map(Card.parse, ("5c", "6d", guess)))) for guess in ("9s", "2h")]
    assert {table.ask(guess, Actor.DEALER).code for guess in guesses} == {"not-permitted"}
    assert table.ask(guesses[1]).accepted


def test_no_more_cards_are_entered_than_were_due() -> None:
    table = Blackjack().deal(FIRST_CARDS)
    table.decide(1, Decision.HIT)
    table.link_up(resumed=False)
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d", "2h", "3h"))).code == "wrong-count"
    assert table.enter_hand(2, map(Card.parse, ("5c", "6d"))).code == "no-such-hand"
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d", "2h"))).accepted
    assert table.enter_hand(3, map(Card.parse, ("5c", "6d"))).code == "no-such-hand"
    assert table.enter_hand(1, map(Card.parse, ("5c", "6d")), hand=2).code == "no-such-hand"


def test_a_card_that_the_decks_cannot_hold_is_not_entered_either() -> None:
    table = Blackjack(house_of(decks=1)).deal("5c 9c 6d")
    table.link_up(resumed=False)
    assert table.enter_hand(0, map(Card.parse, ("9c", "5c"))).code == "card-too-often"


def test_a_hand_of_a_split_is_entered_by_its_number() -> None:
    table = Blackjack().deal("8c 9c 8d 9s")
    table.says(1, Decision.SPLIT, "Tc").says(1, Decision.STAND)
    table.link_up(resumed=False)
    assert table.enter_hand(1, map(Card.parse, ("8d", "Kh")), hand=2).accepted
    assert table.rule(Ruling.CONTINUE).accepted
    table.says(1, Decision.STAND).finish()
    assert table.pays(1) == {MAIN: 0}


def test_the_dealers_cards_that_left_unseen_are_entered_as_far_as_his_rule_draws(says: Says) -> None:
    table = Blackjack().deal("Tc 2c Td 3s")
    table.says(1, Decision.STAND)
    table.link_up(resumed=False)
    assert table.enter_hand(0, map(Card.parse, ("2c", "3s", "9h", "2d", "Ah", "5h"))).code == "wrong-count"
    assert table.enter_hand(0, map(Card.parse, ("2c", "3s", "9h"))).accepted
    table.rule(Ruling.CONTINUE)
    says(table.state.prompt)


def test_between_rounds_a_hole_in_the_record_has_to_be_seen_to() -> None:
    table = Blackjack()
    table.device(EventsLost(1, "gone"))
    table.stake(1)
    table.press(Button.GREEN)
    assert table.phase() is Phase.BETTING
    assert table.clear("unwatched-shuffler").accepted
    table.press(Button.GREEN)
    assert table.phase() is Phase.DEALING


def test_when_the_last_seats_are_paid_a_lost_link_interrupts_nothing() -> None:
    table = Blackjack().deal("Tc 9c Td 9s")
    table.says(1, Decision.STAND)
    table.link_up(resumed=False)
    assert table.phase() is Phase.RECONCILING


def test_while_a_natural_is_paid_cards_are_still_to_come_and_a_lost_link_interrupts() -> None:
    table = Blackjack().deal("Ac Tc 9c Kd 8d 9s", 1, 2)
    table.link_up(resumed=False)
    assert table.phase() is Phase.INTERRUPTED
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.RECONCILING
    table.next()
    assert table.phase() is Phase.DECIDING


def test_a_restart_in_mid_round_goes_on_from_what_was_remembered() -> None:
    """Replayed from its inputs it is the same table. Its devices are awaited."""
    table = Blackjack().deal("8c 9c 8d 9s", side=200)
    table.says(1, Decision.SPLIT, "Tc")
    first = table.inputs[0]
    assert isinstance(first, Configured)
    replayed = blank(first)
    for happened in table.inputs:
        replayed = apply(replayed, happened).state
    assert replayed == table.state
    table.take(first)
    table.link_up(resumed=True)
    assert table.phase() is Phase.DECIDING
    table.says(1, Decision.STAND, "Kd").says(1, Decision.STAND).finish()
    assert len(table.said(RoundSettled)) == 1


# --- a wrong deal that is found later ---


def test_a_void_gives_every_stake_back_and_says_what_was_done_already() -> None:
    """Doubled, insured and split stakes go back as well; what was paid is taken back, what was taken is returned."""
    table = Blackjack().deal("Ac 5c Ac Kd 6d 9s", 1, 2, side=200)
    table.decide(2, Decision.INSURE)
    table.next()
    table.next()  # the natural is paid 15.00, its side bet pushes
    table.decide(2, Decision.DOUBLE)
    table.void()
    voided = table.last(RoundVoided)
    assert voided.returned_cents == (1000 + 200) + (1000 + 200 + 500 + 1000)
    assert sorted(voided.undone, key=lambda step: (step.seat or 0, step.spot.value)) == [
        PromptStep(MAIN, PromptAction.TAKE, 1500, SeatNumber(1)),
        PromptStep(SIDE, PromptAction.RETURN, 200, SeatNumber(2)),
        PromptStep(INSURED, PromptAction.RETURN, 500, SeatNumber(2)),
    ]


def test_a_void_for_a_stray_card_while_seats_are_paid_undoes_what_was_paid() -> None:
    table = Blackjack().deal("Tc Tc 9c Td 8d 9s", 1, 2)
    table.says(1, Decision.STAND).says(2, Decision.STAND)
    table.next()  # seat 2 pushed
    table.card(ANY_CARD)
    assert table.said(RoundVoided) == []
    table.rule(Ruling.VOID)
    assert table.last(RoundVoided).undone == (PromptStep(MAIN, PromptAction.TAKE, 1000, SeatNumber(1)),)


def test_a_dealer_who_asks_for_a_void_waits_for_the_supervisor(says: Says) -> None:
    table = Blackjack().deal(FIRST_CARDS)
    table.press(Button.VOID)
    says(table.last(RoundHeld).reason)
    table.rule(Ruling.CONTINUE)
    assert table.phase() is Phase.DECIDING
    says(table.state.prompt)


def test_a_reported_wrong_count_waits_for_the_supervisor() -> None:
    """Also where a person named a card, and no device vouches for the count."""
    report = ReportIrregularity(Irregularity.WRONG_COUNT, SeatNumber(1))
    table = Blackjack().deal(FIRST_CARDS)
    assert table.ask(report, Actor.DEALER).accepted
    assert table.phase() is Phase.HELD
    entered = Blackjack().deal("5c 9c")
    entered.link_up(resumed=False)
    entered.enter_hand(1, map(Card.parse, ("5c", "6d")))
    entered.rule(Ruling.CONTINUE)
    entered.cards("9s")
    assert entered.ask(report, Actor.DEALER).accepted
    assert entered.phase() is Phase.HELD
