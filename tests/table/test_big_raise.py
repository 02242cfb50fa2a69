"""Big Raise Hold'em at the table, clause by clause (big-raise-holdem.md)."""

from __future__ import annotations

import pytest

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.big_raise_pays import FiveCardBonus
from daemon.rules.results import Outcome
from daemon.rules.wagers import GameName, WagerName
from daemon.table.big_raise.facts import CommunityShown, DealerHandShown, FoldSettled, UpCardShown
from daemon.table.facts import ButtonRefused
from daemon.table.inputs import Action, Decide, Press
from daemon.table.round_facts import DeckAccounted, HandDealt, HandSettled, PlayerDecided, RoundSettled, RoundVoided
from daemon.table.settings import Reconciling
from daemon.table.state import Phase
from daemon.table.step import Answer
from daemon.table.view import public
from daemon.table.vocabulary import COMMUNITY, DEALER, Actor, Decision, Evidence, Irregularity, Ruling, SeatNumber
from drivers.commands import Dispense, SetMode
from drivers.events import Button
from protocols.cards import DECK, Card, parse_cards
from tests.support.sentences import Says
from tests.table.playing import Table, settings
from tests.table.test_view import cards_in

PAIR = parse_cards("9c 9d")
NO_PAIR = parse_cards("Ks 4d")
DEALERS = parse_cards("Ac Tc Td")  # the rules' own example: a broken pair, and no two suited cards kept
COMMON = parse_cards("9h 4c 2s")


def table_with(*hands: tuple[Card, ...], **changes: object) -> Table:
    """A table whose deck deals these hands first."""
    first = [card for hand in hands for card in hand]
    deck = (*first, *(card for card in DECK if card not in first))
    asked: dict[str, object] = {"game": GameName.BIG_RAISE, "options": BigRaiseHouse()}
    return Table(settings(**(asked | changes)), deck)


def ready(table: Table) -> Table:
    table.link_up()
    table.set_mode(2)
    table.shuffle()
    return table


def dealt(table: Table, *seats: int) -> Table:
    """Every packet out, the rest collected; the first player is asked."""
    ready(table)
    for seat in seats:
        assert table.bet(seat, WagerName.ANTE, 500).accepted, table.answer
    table.press()
    for position in range(1, len(seats) + 3):
        table.dispense(position)
        table.deliver(position)
    table.press()
    table.eject()
    return table


def decide(table: Table, seat: int, decision: Decision, stake: int | None = None) -> Answer:
    return table.ask(Decide(SeatNumber(seat), decision, stake), Actor.PLAYER)


def fold(table: Table, seat: int) -> Table:
    """A player folds, and the dealer finishes the fold."""
    assert decide(table, seat, Decision.FOLD).accepted, table.answer
    assert table.command_press(Button.NEXT).accepted, table.answer
    return table


def open_house(table: Table) -> Table:
    """The dealer turns over the dealer's hand, then the common cards, that a device read."""
    for _ in range(2):
        assert table.phase() is Phase.SHOWING, table.phase()
        assert table.command_press(Button.NEXT).accepted, table.answer
    return table


def two_players() -> Table:
    return dealt(table_with(PAIR, NO_PAIR, DEALERS, COMMON), 1, 2)


def test_two_cards_a_player_then_three_for_the_dealer_and_three_in_common() -> None:
    table = two_players()
    assert [(fact.seat, fact.count) for fact in table.said(HandDealt)] == [(1, 2), (2, 2), (DEALER, 3), (COMMUNITY, 3)]


def test_the_shuffler_is_set_to_each_packets_size_before_it_is_ordered() -> None:
    table = table_with(PAIR, DEALERS, COMMON)
    ready(table)
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    table.dispense(1)
    table.deliver(1)
    assert table.commands[-1:] == [SetMode(3)]
    table.answer_orders()  # only a machine that says that it is set gives the packet
    assert table.commands[-1:] == [Dispense(2)]


def test_only_the_dealers_up_card_is_public_while_players_decide() -> None:
    table = two_players()
    assert table.phase() is Phase.DECIDING
    assert table.last(UpCardShown).card is DEALERS[0]
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == {DEALERS[0]}


def test_players_decide_from_the_dealers_left() -> None:
    table = two_players()
    assert decide(table, 2, Decision.FOLD).code == "out-of-turn"
    fold(table, 1)
    assert decide(table, 2, Decision.FOLD).accepted


@pytest.mark.parametrize(
    ("seat", "stake", "code"),
    [(1, 900, "below-least"), (1, 2100, "above-most"), (2, 2000, "above-most"), (2, None, "needs-another-wager")],
)
def test_the_play_bet_is_two_to_three_antes_and_four_with_a_pair(seat: int, stake: int | None, code: str) -> None:
    table = two_players()
    if seat == 2:
        decide(table, 1, Decision.PLAY, 2000)
    assert decide(table, seat, Decision.PLAY, stake).code == code
    assert table.phase() is Phase.DECIDING


@pytest.mark.parametrize("role", [Actor.PLAYER, Actor.DEALER, Actor.SUPERVISOR])
@pytest.mark.parametrize("action", [Decide(SeatNumber(2), Decision.PLAY, 2000), Press(Button.PLAY_4)])
def test_staff_that_asks_a_hand_for_its_pair_leaves_a_trace(action: Action, role: Actor) -> None:
    """A dealer asked every hand before its player decided, and nothing was on record. A player asks their own hand."""
    table = fold(two_players(), 1)
    before = len(table.facts)
    refused = table.ask(action, role)
    said = [fact for fact in table.facts[before:] if isinstance(fact, ButtonRefused)]
    if role is Actor.PLAYER:
        assert (refused.accepted, said) == (False, [])
    else:
        assert (refused.code, [fact.button for fact in said]) == ("above-most", [Button.PLAY_4])


def test_a_pair_may_play_four_antes() -> None:
    table = two_players()
    assert decide(table, 1, Decision.PLAY, 2000).accepted
    assert (table.last(PlayerDecided).seat, table.last(PlayerDecided).stake_cents) == (1, 2000)


def test_when_all_have_decided_the_dealer_shows_and_says_which_card_he_gives_up_and_why() -> None:
    table = two_players()
    decide(table, 1, Decision.PLAY, 1000)
    open_house(fold(table, 2))
    shown = table.last(DealerHandShown)
    assert shown.cards == DEALERS
    assert [str(card) for card in shown.keeps] == ["Ac", "Td"]
    assert (str(shown.discards), shown.suit_was_free) == ("Tc", False)
    assert table.last(CommunityShown).cards == COMMON


def test_hands_are_reconciled_right_to_left_and_a_fold_gives_up_the_ante() -> None:
    table = two_players()
    decide(table, 1, Decision.PLAY, 1000)
    open_house(fold(table, 2))
    folded = table.last(FoldSettled)
    assert (folded.seat, folded.cards, folded.evidence) == (2, (), Evidence.NOT_SHOWN)
    assert (folded.wagers[0].wager, folded.wagers[0].outcome) == (WagerName.ANTE, Outcome.LOSE)
    won = table.last(HandSettled)
    assert (won.seat, won.hand) == (1, "three of a kind")
    assert {wager.wager: wager.pays_cents for wager in won.wagers} == {
        WagerName.ANTE: 500,
        WagerName.PLAY: 1000,
        WagerName.ANTE_BONUS: 0,
    }
    table.press(Button.NEXT)
    settled = table.last(RoundSettled)
    assert (settled.stakes_cents, settled.returned_cents, settled.take_cents) == (2000, 3000, -1000)


def test_a_fold_with_a_play_bet_is_refused() -> None:
    table = two_players()
    assert decide(table, 1, Decision.FOLD, 1000).code == "illegal-action"


def test_a_bonus_needs_the_ante_first() -> None:
    table = ready(table_with())
    assert table.bet(1, WagerName.TWO_CARD_BONUS, 500).code == "needs-another-wager"
    assert table.bet(1, WagerName.PLAY, 1000).code == "not-offered"


def test_a_wrong_count_in_the_dealers_hand_voids_all_hands(says: Says) -> None:
    table = table_with(PAIR, DEALERS, COMMON)
    ready(table)
    table.bet(1, WagerName.ANTE, 500)
    table.press()
    table.dispense(1)
    table.deliver(1)
    table.dispense(2, table.draw(2))
    assert table.last(RoundVoided).irregularity is Irregularity.WRONG_COUNT
    says(table.last(RoundVoided).reason)


def test_a_void_gives_the_play_bet_back_too() -> None:
    table = two_players()
    decide(table, 1, Decision.PLAY, 1500)
    table.void()
    assert table.last(RoundVoided).returned_cents == 500 + 500 + 1500


def test_a_hold_while_players_decide_goes_on_at_the_same_player_and_shows_nothing_twice() -> None:
    table = fold(two_players(), 1)
    table.press(Button.VOID)
    assert decide(table, 2, Decision.FOLD).code == "not-while-held"
    assert table.rule(Ruling.CONTINUE).accepted
    assert table.phase() is Phase.DECIDING
    assert (len(table.said(UpCardShown)), len(table.said(DeckAccounted))) == (1, 1)
    assert decide(table, 2, Decision.FOLD).accepted


def test_it_can_run_through_at_once() -> None:
    table = dealt(table_with(PAIR, DEALERS, COMMON, reconciling=Reconciling.THROUGH), 1)
    decide(table, 1, Decision.PLAY, 2000)
    open_house(table)
    assert len(table.said(RoundSettled)) == 1
    assert table.phase() is Phase.BETTING


def test_the_five_card_bonus_is_the_houses_choice() -> None:
    without = ready(table_with())
    without.bet(1, WagerName.ANTE, 500)
    assert without.bet(1, WagerName.FIVE_CARD_BONUS, 500).code == "not-offered"
    with_it = dealt(
        table_with(PAIR, DEALERS, COMMON, options=BigRaiseHouse(five_card_bonus=FiveCardBonus.BRH_04)),
    )
    with_it.bet(1, WagerName.ANTE, 500)
    assert with_it.bet(1, WagerName.FIVE_CARD_BONUS, 500).accepted


def test_a_decision_of_another_game_is_refused() -> None:
    table = two_players()
    assert decide(table, 1, Decision.HIT).code == "not-offered"
