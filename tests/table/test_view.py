"""What nobody may see yet is in no public picture, no fact and no repr."""

from __future__ import annotations

from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName, WagerName
from daemon.table.round_facts import DealerPrompted, HandSettled
from daemon.table.view import public
from daemon.table.vocabulary import Ruling
from drivers.events import Button, Restarted
from protocols.cards import DECK, Card
from tests.support.sentences import Says
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import Table, settings


def cards_in(value: object) -> set[Card]:
    """Every card anywhere inside frozen values."""
    if isinstance(value, Card):
        return {value}
    if isinstance(value, tuple):
        return set().union(*map(cards_in, value))
    fields = getattr(value, "__dataclass_fields__", {})
    return set().union(*(cards_in(getattr(value, name)) for name in fields))


def shown(table: Table) -> set[Card]:
    return {card for settled in table.said(HandSettled) for card in settled.cards if isinstance(card, Card)}


def test_before_reconciling_no_card_is_public() -> None:
    table = Table().dealt(1, 2)
    table.press()
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == set()


def test_only_hands_that_lie_open_are_public() -> None:
    table = Table().reconciling(1, 2)
    assert cards_in(public(table.state)) == cards_in(tuple(table.facts)) == set(DECK[5:10])
    table.press(Button.NEXT)
    assert cards_in(public(table.state)) == set(DECK[:10])


def test_a_state_that_holds_hidden_cards_prints_none() -> None:
    table = Table().dealt(1, 2)
    printed = repr(table.state)
    assert "<card>" in printed
    assert not [str(card) for card in DECK[:10] if f"{card}" in printed]


def test_a_voided_rounds_cards_stay_hidden() -> None:
    table = Table().dealt(1, 2)
    table.press()
    table.void()
    table.eject()
    assert cards_in(tuple(table.facts)) == set()
    assert shown(table) == set()


def test_a_device_is_shown_with_who_it_says_it_is() -> None:
    (device,) = public(Table().ready().state).devices
    assert device.identity is not None
    assert (device.identity.model, device.identity.serial) == ("FS-1", "0001")


def test_the_picture_has_the_steps_of_the_prompt() -> None:
    """A program that joins in mid-prompt did not hear the event."""
    table = Table().reconciling(1, 2)
    ask, prompted = public(table.state).ask, table.last(DealerPrompted)
    assert ask is not None
    assert (ask.seat, ask.is_question, ask.steps) == (2, False, prompted.steps)
    assert ask.steps


def test_a_question_to_a_player_is_said_to_be_one() -> None:
    table = Blackjack().deal("Th 9h 8h Tc", 1)
    ask = public(table.state).ask
    assert ask is not None
    assert (ask.seat, ask.is_question, ask.steps) == (1, True, ())


def test_the_spots_have_todays_limits_in_the_order_of_the_felt() -> None:
    limits = Limits(stakes={WagerName.ANTE: StakeRange(Cents(500), Cents(5_000), Cents(500))})
    schedule = LimitSchedule(((Day(0), limits),))
    table = Table(settings(game=GameName.BIG_RAISE, options=BigRaiseHouse(), limits=schedule))
    ante, *others = public(table.state).spots
    assert (ante.wager, ante.name) == (WagerName.ANTE, "ANTE")
    assert (ante.least_cents, ante.most_cents, ante.step_cents) == (500, 5_000, 500)
    named = [spot.wager for spot in others]
    assert named == [WagerName.PLAY, WagerName.ANTE_BONUS, WagerName.TWO_CARD_BONUS]  # this house has no third bonus


def test_a_standstill_says_why_and_what_a_supervisor_can_say(says: Says) -> None:
    table = Table().ready().staked(1, 2)
    table.press()
    table.dispense(1)
    table.device(Restarted("boot-2"))
    standstill = public(table.state).standstill
    assert standstill is not None
    says(standstill.reason)
    assert [(each.ruling, each.refused is None) for each in standstill.rulings] == [
        (Ruling.VOID, True),
        (Ruling.CONTINUE, False),
    ]
    says(standstill.rulings[1].refused)
