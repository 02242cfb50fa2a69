"""Bad Beat Blackjack: what the table's settings mean to the rules and to the shoe."""

from __future__ import annotations

from daemon.rules.blackjack.house import BlackjackHouse
from daemon.rules.blackjack.paytables import PAYTABLES
from daemon.table.draft import Draft
from daemon.table.settings import BlackjackSettings, TableSettings
from daemon.table.shoe import ShoeRules
from daemon.table.stakes import in_force


def options_of(settings: TableSettings) -> BlackjackSettings:
    """The game's own options."""
    assert isinstance(settings.options, BlackjackSettings)
    return settings.options


def house_of(settings: TableSettings) -> BlackjackHouse:
    """The rules' house options that the table's settings stand for."""
    options = options_of(settings)
    return BlackjackHouse(
        money=settings.money,
        option=options.option,
        bad_beat_pays=in_force(options.bad_beat_pays, PAYTABLES[options.paytable.value]),
        bad_beat_alone=options.bad_beat_alone,
        decks=options.decks,
        dealer_hits_soft_17=options.dealer_hits_soft_17,
        blackjack_pays=options.blackjack_pays,
        peek=options.peek,
        unpeeked_blackjack_takes=options.unpeeked_blackjack_takes,
        double_on=options.double_on,
        double_after_split=options.double_after_split,
        hands_max=options.hands_max,
        split_aces=options.split_aces,
        late_surrender=options.late_surrender,
        insurance=options.insurance,
    )


def house(draft: Draft) -> BlackjackHouse:
    """The house of the table that is played at."""
    return house_of(draft.state.settings)


def shoe_rules(settings: TableSettings) -> ShoeRules:
    """How many decks, and how many of the first cards go to the discards unseen."""
    options = options_of(settings)
    return ShoeRules(options.decks, options.burn_cards)
