"""What a Bee-Tek's lines mean at the table, and what may have been a card."""

from __future__ import annotations

import pytest

from drivers import events as e
from drivers.commands import NOT_CAPABLE, CommandDue, Lock
from drivers.driver import Damaged, Rejected, Understood
from drivers.profile import Capability
from drivers.profiles import PROFILES
from drivers.shoe import HIDDEN_BY_DAMAGE, NONSENSE_BYTES_MAX
from protocols.cards import Card, Misread
from tests.drivers.shoes import SHOE, Heard

PROFILE = PROFILES["bee-tek-manual"]
MANUAL = e.Claim("Manual Burn Cards", None)
UNCHECKED = e.Confidence.UNCHECKED
OWN_GAME = e.Anomaly("shoe-mode", "the shoe plays its own game; set it to Manual Burn Cards by its key and buttons")
PERHAPS_A_CARD = e.EventsLost(1, "text that cannot be understood may have been a card")
THREE_LINE = b" [Manual Burn Cards]<Card:H3> \r\n"
THREE = e.CardDrawn(Card.parse("3h"), UNCHECKED, claim=MANUAL)


@pytest.mark.parametrize(
    ("line", "events"),
    [
        (b" [Manual Burn Cards]<Card:H3> ", [THREE]),
        (b" [Manual Burn Cards]<Game> ", [e.CardDrawn(Misread.UNREADABLE, UNCHECKED, claim=MANUAL)]),
        (
            b" [Game]<Card:4S> ",
            [OWN_GAME, e.CardDrawn(Card.parse("4s"), UNCHECKED, claim=e.Claim("Game", None))],
        ),
        (b" [Game]<Alarm:E3 Card Not Read> ", [e.ReadFailed("E3 Card Not Read")]),
        (b" [GameAlarm]<Alarm:E7 Cover> ", [e.Anomaly("shoe-alarm", "E7 Cover")]),
        (b"<W0x1f>", [e.Anomaly("shoe-warning", "warning 0x1F")]),
        (b"Bee-Tek 1.2", [e.Anomaly("unknown-line", "a text of 11 characters whose meaning is not known")]),
        (
            b" [Manual Burn Cards]<Card:X3> ",
            [PERHAPS_A_CARD, e.Anomaly("unknown-line", "a text of 28 characters whose meaning is not known")],
        ),
    ],
)
def test_each_line_in_the_tables_language(line: bytes, events: list[e.DeviceEvent]) -> None:
    assert Heard(PROFILE).events(line + b"\r\n") == events


@pytest.mark.parametrize("text", [b"E9 4S", b"E9 s4 seen", b"E9:10h", b"E9 (Ah)"])
def test_an_alarm_that_could_name_a_card_is_told_without_its_text(text: bytes) -> None:
    shoe = Heard(PROFILE)
    assert shoe.events(b" [GameAlarm]<Alarm:" + text + b"> \r\n") == [
        e.Anomaly("shoe-alarm", "an alarm whose text may name a card")
    ]


def test_a_damaged_line_may_have_been_a_card_and_is_told_once() -> None:
    shoe = Heard(PROFILE)
    shoe.outcomes()
    damaged = b"[Manual Burn\xffCards]<Card:H3>"
    lost = Understood(e.EventsLost(None, HIDDEN_BY_DAMAGE))
    assert shoe.outcomes(damaged * 2) == [lost, Damaged(len(damaged)), Damaged(len(damaged))]
    assert shoe.outcomes(THREE_LINE + damaged) == [Understood(THREE), lost, Damaged(len(damaged))]


def test_a_line_of_nothing_but_damage_is_for_a_technician() -> None:
    outcomes = Heard(PROFILE).outcomes(b"\xff" * NONSENSE_BYTES_MAX)
    assert len([one for one in outcomes if isinstance(one, Rejected)]) == 1


def test_it_is_never_told_anything() -> None:
    shoe = Heard(PROFILE)
    shoe.events(THREE_LINE)
    answer = shoe.driver.send(CommandDue(e.CommandId("a"), SHOE, Lock()), 0)
    assert answer == e.CommandAnswered(e.CommandId("a"), NOT_CAPABLE)
    assert shoe.driver.data_to_send() == b""
    assert shoe.driver.next_timeout_ns() is None


def test_its_link_proves_nothing() -> None:
    assert not PROFILE.can(Capability.KEEPS_EVENTS)
    shoe = Heard(PROFILE)
    shoe.outcomes(THREE_LINE)
    shoe.reconnect()
    (up,) = shoe.outcomes()
    assert isinstance(up, Understood)
    assert isinstance(up.event, e.LinkUp)
    assert not up.event.resumed
