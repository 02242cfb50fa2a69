"""What nobody may see yet is in no public picture, no fact and no repr."""

from __future__ import annotations

from daemon.table.round_facts import HandSettled
from daemon.table.view import public
from drivers.events import Button
from protocols.cards import DECK, Card
from tests.table.playing import Table


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
