"""Bad Beat Blackjack: what the table's settings mean to the rules and to the shoe."""

from __future__ import annotations

from typing import Final

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.table.draft import Draft
from daemon.table.settings import TableSettings
from daemon.table.shoe import ShoeRules

CARDS_A_HAND: Final = 5
"""What each hand of a full table and the dealer's may come to: hands that are all drawn until they are bust have some
four cards, and a split now and then has more."""


def house_of(settings: TableSettings) -> BlackjackHouse:
    """Return what the rules of blackjack are asked with."""
    house = settings.house
    assert isinstance(house, BlackjackHouse)
    return house


def house(draft: Draft) -> BlackjackHouse:
    """Return the house of the table that is played at."""
    return house_of(draft.state.settings)


def shoe_rules(settings: TableSettings) -> ShoeRules:
    """Return how many decks, how many of the first cards go to the discards unseen, and what a round can need."""
    house = house_of(settings)
    return ShoeRules(house.decks, house.burn_cards, cards_a_round=CARDS_A_HAND * (settings.seats + 1))
