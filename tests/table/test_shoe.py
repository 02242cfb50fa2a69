"""The shoe: what is known of it, when it has to be loaded or changed, and what a card is that nothing made due."""

from __future__ import annotations

from dataclasses import replace

import pytest

from daemon.table.inputs import LoadShoe, OrderReshuffle
from daemon.table.may import offers
from daemon.table.round_facts import ShoeLoaded
from daemon.table.settings import LoadsShoe, SourceSettings
from daemon.table.shoe import Shoe, ShoeRules, loaded
from daemon.table.state import Phase
from daemon.table.vocabulary import Actor, SourceKind
from drivers.events import DeckLoaded, ShuffleFinished, ShuffleStarted
from protocols.cards import DECK, Card, Misread
from tests.support.sentences import Says
from tests.table.playing import SHUFFLER, Table, settings

ACE = Card.parse("Ah")
READING_SHOE = SourceSettings(SHUFFLER, takes_commands=False, reads_faces=True, counts=False, kind=SourceKind.SHOE)


def a_table() -> Table:
    """Any game will do: loading a shoe is the table's matter and no game's."""
    table = Table(settings(source=READING_SHOE))
    table.link_up()
    return table


# --- the ledger ---


@pytest.mark.parametrize("decks", [1, 6, 8])
def test_a_card_that_comes_more_often_than_the_decks_hold_it_is_seen_at_once(decks: int) -> None:
    shoe = Shoe(decks)
    for _ in range(decks):
        assert not shoe.has_no_more(ACE)
        shoe = shoe.with_card(ACE)
        assert not shoe.cannot_hold(ACE)
    assert shoe.has_no_more(ACE)
    assert shoe.with_card(ACE).cannot_hold(ACE)


def test_every_card_of_the_decks_can_come_and_not_one_more() -> None:
    shoe = Shoe(2)
    for card in DECK * 2:
        shoe = shoe.with_card(card)
        assert not shoe.cannot_hold(card)
    assert (shoe.gone, shoe.left) == (104, 0)
    assert shoe.with_card(Misread.UNREADABLE).cannot_hold(Misread.UNREADABLE)


def test_a_card_without_a_name_is_counted_and_can_be_named_later() -> None:
    shoe = Shoe(1).with_card(Misread.UNREADABLE)
    assert (shoe.gone, shoe.unnamed, shoe.has_no_more(ACE)) == (1, 1, False)
    named = shoe.with_name(ACE)
    assert (named.gone, named.unnamed, named.has_no_more(ACE)) == (1, 0, True)


def test_a_card_that_went_back_leaves_room_for_one_more_of_any() -> None:
    shoe = replace(Shoe(1).with_card(ACE), returned=1)
    assert not shoe.with_card(ACE).cannot_hold(ACE)
    assert shoe.with_card(ACE).with_card(ACE).cannot_hold(ACE)


def test_the_shoes_own_count_has_no_holes() -> None:
    shoe = Shoe(6, number=7)
    assert shoe.follows(8)
    assert shoe.follows(None)
    assert not shoe.follows(9)
    assert not shoe.follows(1)
    assert not shoe.follows(7)
    assert replace(shoe, returned=1).follows(7)


def test_it_is_changed_after_its_last_round_and_once_it_is_spoiled() -> None:
    rules = ShoeRules(6, burn_cards=1)
    shoe = loaded(rules)
    assert shoe.after_round(rules) == shoe
    assert replace(shoe, is_last_round=True, of_this_round=4).after_round(rules) is None
    assert replace(shoe, is_last_round=True).after_round(rules) is not None  # no card of it was dealt
    assert replace(shoe, is_spoiled=True).after_round(rules) is None
    assert loaded(ShoeRules(1, is_for_one_round=True)).with_card(ACE).after_round(rules) is None


# --- loading ---


def test_nothing_opens_until_a_shoe_is_loaded(says: Says) -> None:
    table = a_table()
    assert table.phase() is Phase.IDLE
    says(table.state.prompt)
    assert table.ask(LoadShoe(1), Actor.DEALER).accepted
    assert table.last(ShoeLoaded) == ShoeLoaded(SHUFFLER, 1, "kim")
    assert table.phase() is Phase.BETTING


def test_other_decks_than_the_game_is_dealt_from_are_refused(says: Says) -> None:
    table = a_table()
    answer = table.ask(LoadShoe(6), Actor.DEALER)
    assert answer.code == "wrong-decks"
    says(answer.message)
    assert table.state.shoe is None


def test_a_player_loads_no_shoe() -> None:
    assert a_table().ask(LoadShoe(1), Actor.PLAYER).code == "not-permitted"


@pytest.mark.parametrize("loads", LoadsShoe)
def test_a_house_has_a_supervisor_say_that_a_shoe_was_loaded(loads: LoadsShoe) -> None:
    """Said without new decks, it deals on behind the cut card, and the cards that have come count as not come."""
    table = a_table()
    table.state = replace(table.state, settings=replace(table.state.settings, loads_shoe=loads))
    who = (Actor.DEALER, Actor.SUPERVISOR) if loads is LoadsShoe.DEALER else (Actor.SUPERVISOR,)
    offered = [offer.roles for offer in offers(table.state) if offer.command.value == "load-shoe"]
    assert offered == [who]
    for actor in (Actor.DEALER, Actor.SUPERVISOR):
        answer = table.ask(LoadShoe(1), actor)
        assert (answer.accepted, answer.code) == ((True, "accepted") if actor in who else (False, "not-permitted"))


def test_a_shuffler_is_not_loaded_by_word() -> None:
    table = Table().ready()
    assert table.ask(LoadShoe(1), Actor.DEALER).code == "not-a-shoe"


def test_a_shoe_is_not_ordered_to_shuffle() -> None:
    assert a_table().ask(OrderReshuffle(), Actor.DEALER).code == "not-a-shuffler"


def test_a_shoe_that_says_that_it_was_loaded_is_loaded() -> None:
    table = a_table()
    table.device(DeckLoaded())
    assert table.last(ShoeLoaded).who == SHUFFLER
    assert table.phase() is Phase.BETTING


def test_a_shoe_that_shuffles_is_loaded_when_it_has_finished_with_all_of_its_cards() -> None:
    table = a_table()
    table.device(ShuffleStarted())
    assert table.state.shoe is None
    table.device(ShuffleFinished(51))
    assert table.state.shoe is None
    assert table.state.blocked_by == ("wrong-load-shuffler",)
    table.device(ShuffleFinished(52))
    assert table.state.shoe is not None


def test_a_shoe_that_takes_commands_is_sent_none_that_a_shuffler_is() -> None:
    table = Table(settings(source=replace(READING_SHOE, takes_commands=True)))
    table.link_up()
    table.ask(LoadShoe(1), Actor.DEALER)
    assert table.commands == []
