"""What nobody may see yet is in no public picture, no fact and no repr."""

from __future__ import annotations

from dataclasses import replace

from daemon.rules.big_50 import Big50House, RedBlack
from daemon.rules.big_raise import BigRaiseHouse
from daemon.rules.limits import Day, Limits, LimitSchedule, StakeRange
from daemon.rules.money import Cents
from daemon.rules.wagers import GameName, WagerName
from daemon.table.round_facts import DealerPrompted, HandSettled
from daemon.table.view import public
from daemon.table.vocabulary import Ruling
from drivers.events import Button, FaultKind, FaultRaised, Restarted
from protocols.cards import DECK, Card
from tests.support.sentences import Says
from tests.table.blackjack_playing import Blackjack
from tests.table.playing import SEES_ALL, Table, settings


def cards_in(value: object) -> set[Card]:
    """Every card anywhere inside frozen values."""
    found, rest = set[Card](), [value]
    while rest:
        each = rest.pop()
        if isinstance(each, Card):
            found.add(each)
        elif isinstance(each, tuple):
            rest.extend(each)
        else:
            rest.extend(getattr(each, name) for name in getattr(each, "__dataclass_fields__", ()))
    return found


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
    for each in standstill.rulings:
        says(each.does)
    assert standstill.since_ms == table.state.at.utc_ns // 1_000_000
    assert [(each.seat, each.cards_planned, each.cards_counted, each.delivered) for each in standstill.evidence] == [
        (1, 5, 5, False),
        (2, 5, None, False),
    ]


def test_times_are_those_of_the_inputs() -> None:
    table = Table().ready()
    began = table.state.phase_since_utc_ns
    table.staked(1)
    assert table.state.phase_since_utc_ns == began
    table.press()
    assert table.state.phase_since_utc_ns == table.state.at.utc_ns
    picture = public(table.state)
    assert picture.at_ms == picture.phase_since_ms == table.state.at.utc_ns // 1_000_000


def test_an_alert_has_the_time_at_which_it_was_raised() -> None:
    table = Table().ready()
    table.device(FaultRaised(FaultKind.JAM, ""))
    raised = table.state.at.utc_ns // 1_000_000
    table.staked(1)
    (alert,) = public(table.state).alerts
    assert (alert.alert, alert.since_ms) == ("jam-shuffler", raised)


def test_a_void_names_the_steps_that_undo_a_result() -> None:
    table = Table().reconciling(1, 2)
    table.void()
    ask = public(table.state).ask
    assert ask is not None
    assert set(ask.undo) < set(ask.steps)
    assert {step.seat for step in ask.undo} == {2}


def test_a_question_is_apart_from_the_steps_beside_it() -> None:
    table = Blackjack().deal("Th 9h 8h Tc", 1)
    ask = public(table.state).ask
    assert ask is not None
    assert ask.question == "stand, hit, double or surrender?"


def test_hidden_cards_are_backs() -> None:
    table = Blackjack().deal("Th 9h 8h Tc", 1)
    picture = public(table.state)
    assert (len(picture.dealer_cards), picture.dealer_backs) == (1, 1)
    assert picture.seats[0].backs == 0
    assert [seat.backs for seat in public(Table().dealt(1, 2).state).seats[:3]] == [5, 5, 0]


def test_the_picture_has_the_tables_own_words() -> None:
    named = replace(settings(), title="High limit 7", currency="EUR", chips_cents=(100, 2_500))
    picture = public(Table(named).state)
    assert (picture.title, picture.game_title, picture.currency) == ("High limit 7", "Big 50", "EUR")
    assert (picture.decimals, picture.language, picture.chips_cents) == (2, "en", (100, 2_500))
    assert public(Table().state).title == Table().state.settings.table


def test_a_spot_says_whether_the_player_names_a_colour() -> None:
    table = Table(settings(options=Big50House(red_black=RedBlack.NAMED)))
    assert {spot.wager: spot.needs_colour for spot in public(table.state).spots} == {
        WagerName.POKER_HAND: False,
        WagerName.RED_BLACK: True,
        WagerName.BIG_50: False,
        WagerName.RANGE: False,
    }


def test_what_has_to_be_entered_is_said_with_its_count() -> None:
    table = Table(settings(source=replace(SEES_ALL, reads_faces=False))).reconciling(1, 2)
    (want,) = public(table.state).wants
    assert (want.seat, want.hand, want.count, want.may_repeat) == (2, None, 5, False)
