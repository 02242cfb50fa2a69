"""Big Raise from a shuffler that reads no faces: each place is entered when it lies open (big-raise-holdem.md)."""

from __future__ import annotations

import pytest

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FiveCardBonus
from daemon.rules.results import Outcome
from daemon.rules.wagers import WagerName
from daemon.table.big_raise.facts import CommunityShown, DealerHandShown, FoldSettled, PlayerCardsShown, UpCardShown
from daemon.table.inputs import EnterCards
from daemon.table.round_facts import (
    CardsAsked,
    DealerPrompted,
    HandSettled,
    IrregularityFound,
    PromptStep,
    RoundHeld,
    RoundSettled,
    RoundVoided,
    StakeCorrected,
)
from daemon.table.settings import Reconciling, SourceSettings
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.view import public
from daemon.table.vocabulary import (
    COMMUNITY,
    DEALER,
    Actor,
    Decision,
    Evidence,
    Irregularity,
    Policy,
    PromptAction,
    Ruling,
    SeatNumber,
)
from drivers.events import Button
from protocols.cards import Card, parse_cards
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table
from tests.table.test_big_raise import COMMON, DEALERS, NO_PAIR, PAIR, dealt, decide, open_house, ready, table_with
from tests.table.test_view import cards_in

BLIND = SourceSettings(SHUFFLER, takes_commands=True, reads_faces=False, counts=True)
ENTERED = Evidence.ENTERED_BY_PERSON
UP = DEALERS[:1]
BONUS = WagerName.TWO_CARD_BONUS


def deciding(*seats: int, **changes: object) -> Table:
    """The up card entered; the first player is asked."""
    table = dealt(table_with(PAIR, NO_PAIR, DEALERS, COMMON, **{"source": BLIND, **changes}), *(seats or (1, 2)))
    assert enter(table, DEALER, UP).accepted
    return table


def with_bonus(**changes: object) -> Table:
    """Seat 1 has a 2 Card Bonus beside its ante."""
    table = ready(table_with(source=BLIND, **changes))
    table.bet(1, WagerName.ANTE, 500)
    table.bet(1, BONUS, 500)
    table.bet(2, WagerName.ANTE, 500)
    deal(table, 2)
    enter(table, DEALER, UP)
    return table


def deal(table: Table, players: int) -> None:
    table.press()
    for position in range(1, players + 3):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()


def enter(table: Table, seat: int, cards: tuple[Card, ...], role: Actor = Actor.DEALER) -> Answer:
    return table.ask(EnterCards(seat, cards), role)  # type: ignore[arg-type]


def play(table: Table, seat: int, stake: int, cards: tuple[Card, ...]) -> Table:
    """A player turns the cards face up with the Play bet, and they are entered."""
    assert decide(table, seat, Decision.PLAY, stake).accepted, table.answer
    assert enter(table, seat, cards).accepted, table.answer
    return table


def shown(table: Table) -> Table:
    """The dealer's and the community cards entered."""
    assert enter(table, DEALER, DEALERS).accepted, table.answer
    assert enter(table, COMMUNITY, COMMON).accepted, table.answer
    return table


def raised_without_a_pair(**changes: object) -> Table:
    """Seat 2 played four antes on the word that it has a pair, and has none."""
    table = deciding(**changes)
    decide(table, 1, Decision.FOLD)
    if table.state.settings.reconciling is Reconciling.STEP:
        table.press(Button.NEXT)
    return play(table, 2, 2000, NO_PAIR)


def test_the_up_card_is_entered_before_anybody_decides_on_it() -> None:
    table = dealt(table_with(PAIR, NO_PAIR, DEALERS, COMMON, source=BLIND), 1, 2)
    assert table.last(CardsAsked).seat == DEALER
    assert decide(table, 1, Decision.FOLD).code == "cards-missing"
    assert enter(table, DEALER, UP).accepted
    assert table.last(UpCardShown) == UpCardShown(UP[0], ENTERED)
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == set(UP)
    assert decide(table, 1, Decision.FOLD).accepted


@pytest.mark.parametrize(("cards", "code"), [("Ac Tc", "wrong-count"), ("Ac Tc Td", "wrong-count")])
def test_the_up_card_is_one_card(cards: str, code: str) -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON, source=BLIND), 1)
    assert enter(table, DEALER, parse_cards(cards)).code == code
    assert table.phase() is Phase.DECIDING


def test_a_slip_in_the_up_card_is_mended_and_after_a_decision_by_a_supervisor_only() -> None:
    table = dealt(table_with(PAIR, NO_PAIR, DEALERS, COMMON, source=BLIND), 1, 2)
    enter(table, DEALER, parse_cards("Kc"))
    assert enter(table, DEALER, parse_cards("Qc")).accepted
    decide(table, 1, Decision.FOLD)
    assert enter(table, DEALER, UP).code == "decided-on"
    assert enter(table, DEALER, UP, Actor.SUPERVISOR).accepted
    assert [str(fact.card) for fact in table.said(UpCardShown)] == ["Kc", "Qc", "Ac"]
    assert public(table.state).dealer_cards == UP


def test_the_offer_is_in_the_same_words_whatever_the_player_holds(says: Says) -> None:
    unread, pair, none = deciding(1), table_with(PAIR, DEALERS, COMMON), table_with(NO_PAIR, DEALERS, COMMON)
    prompts = [table.last(DealerPrompted).sentence for table in (unread, dealt(pair, 1), dealt(none, 1))]
    assert len(set(prompts)) == 1
    says(prompts[0])


def test_the_key_for_four_antes_is_taken_at_the_players_word() -> None:
    table = deciding()
    table.press(Button.PLAY_4)
    assert table.state.round is not None
    assert [stake.stake_cents for stake in table.state.round.stakes_of(table.state.round.players[0])] == [500, 2000]


@pytest.mark.parametrize(("stake", "code"), [(900, "below-least"), (2001, "above-most")])
def test_what_not_even_a_pair_may_bet_is_refused_at_once(stake: int, code: str) -> None:
    assert decide(deciding(), 1, Decision.PLAY, stake).code == code


def test_the_dealers_hand_then_the_community_cards_are_entered_when_all_have_decided() -> None:
    table = play(play(deciding(), 1, 2000, PAIR), 2, 1000, NO_PAIR)
    assert (table.phase(), table.last(CardsAsked).seat) == (Phase.SHOWING, DEALER)
    assert enter(table, COMMUNITY, COMMON).code == "not-asked"
    assert enter(table, DEALER, DEALERS).accepted
    assert table.last(CardsAsked).seat == COMMUNITY
    assert not {*COMMON} & cards_in(public(table.state))
    assert enter(table, COMMUNITY, COMMON).accepted
    assert table.last(CommunityShown) == CommunityShown(COMMON, ENTERED)
    assert {*DEALERS, *COMMON} <= cards_in(public(table.state))
    assert table.last(HandSettled).seat == 2


def test_the_dealer_is_told_which_card_he_gives_up_and_why(says: Says) -> None:
    table = play(deciding(1), 1, 1000, PAIR)
    enter(table, DEALER, parse_cards("Td Tc Ac"))  # in any order: the up card is known
    fact = table.last(DealerHandShown)
    assert (str(fact.cards[0]), str(fact.discards), fact.evidence) == ("Ac", "Tc", ENTERED)
    says(table.state.prompt)


def test_what_a_device_read_is_said_to_be_seen_by_it() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON), 1)
    decide(table, 1, Decision.PLAY, 1000)
    open_house(table)
    evidence = {
        table.last(UpCardShown).evidence,
        table.last(DealerHandShown).evidence,
        table.last(CommunityShown).evidence,
        table.last(HandSettled).evidence,
    }
    assert evidence == {Evidence.SEEN_BY_DEVICE}


def test_the_dealers_hand_holds_the_up_card_that_was_shown() -> None:
    table = play(deciding(1), 1, 1000, PAIR)
    answer = enter(table, DEALER, parse_cards("Kc Tc Td"))
    assert (answer.code, "the ace of clubs" in answer.message) == ("up-card-missing", True)
    assert table.phase() is Phase.SHOWING


def test_a_card_that_lies_elsewhere_is_not_entered_twice() -> None:
    table = with_bonus()
    decide(table, 1, Decision.FOLD)
    assert enter(table, 1, parse_cards("Ac 2d")).code == "duplicate-card"  # the up card
    assert enter(table, 1, PAIR).accepted
    table.press(Button.NEXT)
    decide(table, 2, Decision.PLAY, 1000)
    assert enter(table, 2, (PAIR[0], NO_PAIR[0])).code == "duplicate-card"
    assert enter(table, 2, NO_PAIR).accepted
    assert enter(table, DEALER, (*UP, *PAIR)).code == "duplicate-card"  # the hand that folded
    enter(table, DEALER, DEALERS)
    assert enter(table, COMMUNITY, parse_cards("Td 2s 3s")).code == "duplicate-card"
    assert enter(table, COMMUNITY, COMMON).accepted


def test_a_fold_with_a_2_card_bonus_is_entered_before_it_is_mucked_and_still_paid() -> None:
    table = with_bonus()
    decide(table, 1, Decision.FOLD)
    assert table.last(CardsAsked).seat == 1
    assert decide(table, 2, Decision.FOLD).code == "cards-missing"
    assert enter(table, 1, PAIR).accepted
    settled = table.last(FoldSettled)
    assert (settled.seat, settled.evidence, settled.cards) == (1, ENTERED, PAIR)
    assert {wager.wager: wager.pays_cents for wager in settled.wagers}[BONUS] == 2500
    assert settled.wagers[0].outcome is Outcome.LOSE
    assert public(table.state).seats[0].open_cards == PAIR  # it lay open, and does not turn over again
    table.press(Button.NEXT)
    assert public(table.state).seats[0].open_cards == PAIR
    assert public(table.state).seats[0].backs == 0


def test_a_fold_with_nothing_riding_on_its_cards_is_settled_unseen() -> None:
    table = deciding()
    decide(table, 1, Decision.FOLD)
    settled = table.last(FoldSettled)
    assert (settled.seat, settled.cards, settled.evidence) == (1, (), Evidence.NOT_SHOWN)
    assert [(wager.wager, wager.outcome, wager.pays_cents) for wager in settled.wagers] == [
        (WagerName.ANTE, Outcome.LOSE, -500),
        (WagerName.ANTE_BONUS, Outcome.LOSE, 0),
    ]


def test_one_card_is_not_entered_twice_in_a_hand() -> None:
    table = deciding(1)
    decide(table, 1, Decision.PLAY, 2000)
    assert enter(table, 1, (PAIR[0], PAIR[0])).code == "duplicate-card"
    assert enter(table, 1, PAIR).accepted


def test_clause_11_a_hand_that_plays_is_turned_face_up_and_entered_before_the_next_player_is_asked() -> None:
    table = deciding()
    assert enter(table, 1, PAIR).code == "not-asked"
    decide(table, 1, Decision.PLAY, 1000)
    assert table.last(CardsAsked).seat == 1
    assert decide(table, 2, Decision.FOLD).code == "cards-missing"
    assert enter(table, 1, PAIR).accepted
    assert table.last(PlayerCardsShown) == PlayerCardsShown(SeatNumber(1), PAIR, ENTERED)
    assert enter(table, 1, PAIR).code == "not-asked"
    assert decide(table, 2, Decision.FOLD).accepted


def test_a_fold_without_a_bonus_is_not_entered() -> None:
    table = deciding()
    decide(table, 1, Decision.FOLD)
    assert enter(table, 1, PAIR).code == "not-asked"


@pytest.mark.parametrize("stays", [True, False])
def test_a_fold_with_a_five_card_bonus_is_entered_where_that_bet_stays_in_play(stays: bool) -> None:
    options = BigRaiseHouse(five_card_bonus=FiveCardBonus.BRH_04, five_card_bonus_on_fold=stays)
    table = ready(table_with(source=BLIND, options=options))
    table.bet(1, WagerName.ANTE, 500)
    table.bet(1, WagerName.FIVE_CARD_BONUS, 500)
    deal(table, 1)
    enter(table, DEALER, UP)
    decide(table, 1, Decision.FOLD)
    over = {wager.wager for wager in table.last(FoldSettled).wagers}
    assert (WagerName.FIVE_CARD_BONUS in over) is not stays
    table.press(Button.NEXT)
    shown(table)
    assert table.phase() is (Phase.RECONCILING if stays else Phase.BETTING)
    if stays:
        assert enter(table, 1, PAIR).accepted
        assert [wager.wager for wager in table.last(HandSettled).wagers] == [WagerName.FIVE_CARD_BONUS]


def test_a_raise_that_its_pair_proves_is_settled() -> None:
    table = shown(play(deciding(1), 1, 2000, PAIR))
    assert table.last(HandSettled).evidence is ENTERED
    assert not table.said(IrregularityFound)


def test_a_raise_to_four_antes_without_a_pair_stands_still_for_a_supervisor(says: Says) -> None:
    table = raised_without_a_pair()
    found = table.last(IrregularityFound)
    assert (found.irregularity, found.policy, found.seat) == (
        Irregularity.RAISE_WITHOUT_PAIR,
        Policy.SUPERVISOR,
        2,
    )
    assert table.phase() is Phase.HELD
    says(table.last(RoundHeld).reason)
    assert not table.said(HandSettled)


def test_to_go_on_returns_what_was_too_much_and_the_rest_plays() -> None:
    table = raised_without_a_pair()
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.last(StakeCorrected) == StakeCorrected(SeatNumber(2), WagerName.PLAY, 1500, 500)
    back = PromptStep(WagerName.PLAY, PromptAction.RETURN, 500, SeatNumber(2))
    assert table.state.prompted.steps == (back,)  # nobody told the dealer, and the chips stayed there
    shown(table)
    assert {wager.wager: wager.stake_cents for wager in table.last(HandSettled).wagers}[WagerName.PLAY] == 1500
    table.press(Button.NEXT)
    settled = table.last(RoundSettled)
    assert settled.stakes_cents == 500 + 500 + 1500


def test_a_house_may_void_for_it() -> None:
    table = raised_without_a_pair(supervised=())
    voided = table.last(RoundVoided)
    assert (voided.irregularity, voided.returned_cents) == (Irregularity.RAISE_WITHOUT_PAIR, 500 + 500 + 2000)


def test_a_hold_while_the_dealers_hand_is_shown_goes_on_there() -> None:
    table = play(deciding(1), 1, 1000, PAIR)
    enter(table, DEALER, DEALERS)
    table.press(Button.VOID)
    table.rule(Ruling.CONTINUE)
    assert (table.phase(), table.last(CardsAsked).seat) == (Phase.SHOWING, COMMUNITY)
    assert len(table.said(DealerHandShown)) == 1


@pytest.mark.parametrize("dealers", [UP, ()])
def test_a_hold_before_the_decision_goes_on_at_what_was_asked(dealers: tuple[Card, ...]) -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON, source=BLIND), 1)
    if dealers:
        enter(table, DEALER, dealers)
    before = table.state.prompt
    table.press(Button.VOID)
    table.rule(Ruling.CONTINUE)
    assert (table.phase(), table.state.prompt) == (Phase.DECIDING, before)


def test_a_hold_at_a_hand_that_is_to_be_entered_asks_for_it_again() -> None:
    table = deciding(1)
    decide(table, 1, Decision.PLAY, 1000)
    before = table.state.prompt
    table.press(Button.VOID)
    table.rule(Ruling.CONTINUE)
    assert (table.phase(), table.last(CardsAsked).seat, table.state.prompt) == (Phase.DECIDING, 1, before)
    assert enter(table, 1, PAIR).accepted


def test_it_can_run_through_as_the_hands_are_entered() -> None:
    table = play(deciding(reconciling=Reconciling.THROUGH), 1, 1000, PAIR)
    decide(table, 2, Decision.FOLD)
    shown(table)
    assert table.said(RoundSettled)


def test_a_hand_that_was_held_for_its_raise_runs_through_when_the_supervisor_goes_on() -> None:
    table = raised_without_a_pair(reconciling=Reconciling.THROUGH)
    table.rule(Ruling.CONTINUE)
    shown(table)
    assert table.said(RoundSettled)
