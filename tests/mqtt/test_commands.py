"""Commands are read exactly, or refused with the place and what is expected."""

from __future__ import annotations

import json
import re
import sys
from typing import Any, Final
from unicodedata import category

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from daemon.config.people import Person, Role
from daemon.mqtt.commands import NAMES, NUMBER_MAX, TEXT_PATTERN, Malformed, Resend, read
from daemon.rules.wagers import WagerName
from daemon.table.inputs import Bet, ClearAlert, EnterCards, OpenTable, Request, Rule, VoidRound
from daemon.table.vocabulary import Actor, AlertName, RequestId, RoundId, Ruling, SeatNumber
from drivers.events import Stamp
from protocols.cards import parse_cards
from tests.support.sentences import Says

NOW = Stamp(1_790_000_000_000_000_000, 5)
WHOLE: dict[str, Any] = {
    "id": "request-1",
    "expires": "2026-09-21T14:14:20.000001+00:00",
    "data": {"seat": 3, "wager": "big_50", "stake_cents": 500},
}

MARKS = (
    *("\u2028", "\u2029", "\u202e", "\u2066", "\u200f", "\u061c", "\u200b", "\ufeff"),
    *("\u200c", "\u200d", "\u00ad", "\u180e", "\u206a", "\ufff9", "\u3164", "\u2800"),
    *("\ufe0f", "\u17b4", "\u180b", "\ufffc", "\uffff", "\U0001d159", "\U00016fe4"),
    *("\U000e0041", "\U000e007f", "\U000e0100", "\U000e0fff", "\U0001d173", "\U0001bca0", "\U00013430"),
)
DRAWN: Final = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
"""Of Unicode's characters of the kind "format" those that are to be seen: each stands round a number or a word."""


def told(name: str, payload: bytes, at: Stamp) -> Request | Resend | Malformed:
    """What a dealer's command is read as."""
    return read("ana", Person(role=Role.DEALER, tables=("*",)), name, payload, at)


def said(**changed: object) -> bytes:
    return json.dumps(WHOLE | changed).encode()


def without(key: str) -> bytes:
    return json.dumps({name: value for name, value in WHOLE.items() if name != key}).encode()


def test_a_bet_is_read_as_it_is_meant() -> None:
    assert told("bet", said(), NOW) == Request(
        at=NOW,
        id=RequestId("request-1"),
        who="ana",
        role=Actor.DEALER,
        expires_utc_ns=1_790_000_060_000_001_000,
        action=Bet(SeatNumber(3), WagerName.BIG_50, 500),
        round_id=None,
    )


@pytest.mark.parametrize("expires", ["2026-09-21T16:14:20.000001+02:00", "2026-09-21T14:14:20.000001Z"])
def test_an_expiry_is_a_moment_wherever_it_is_written(expires: str) -> None:
    request = told("bet", said(expires=expires), NOW)
    assert isinstance(request, Request)
    assert request.expires_utc_ns == 1_790_000_060_000_001_000


def test_a_command_without_data_needs_none() -> None:
    request = told("open-table", without("data"), NOW)
    assert isinstance(request, Request)
    assert request.action == OpenTable()


@pytest.mark.parametrize("since_ms", [1_790_000_000_123, 7_300_000_000_000])
def test_a_time_in_milliseconds_is_a_number_within_bounds_for_centuries(since_ms: int) -> None:
    """The bound for amounts, a third smaller than today's milliseconds, refused each clearing that named its time."""
    request = told("clear-alert", said(data={"alert": "jam-shuffler", "since_ms": since_ms}), NOW)
    assert isinstance(request, Request)
    assert request.action == ClearAlert(AlertName("jam-shuffler"), since_ms)


def test_cards_are_read_by_their_text() -> None:
    request = told("enter-cards", said(data={"seat": 1, "cards": ["Ah", "Td", "2c", "9s", "Kh"]}), NOW)
    assert isinstance(request, Request)
    assert request.action == EnterCards(SeatNumber(1), parse_cards("Ah Td 2c 9s Kh"))


def test_a_command_can_be_meant_for_one_round() -> None:
    request = told("void-round", said(round="round-9", data={"reason": "spilt drink"}), NOW)
    assert isinstance(request, Request)
    assert request.action == VoidRound("spilt drink")
    assert request.round_id == RoundId("round-9")


def test_a_resend_names_both_ends() -> None:
    assert told("resend", said(data={"from": 7, "to": 9}), NOW) == Resend("request-1", 7, 9)


@pytest.mark.parametrize(
    ("name", "payload", "code", "where"),
    [
        ("tea", said(), "unknown-command", "topic"),
        ("bet", b"", "malformed", "$"),
        ("bet", b"{]", "malformed", "$"),
        ("bet", b"\xff\xfe", "malformed", "$"),
        ("bet", b"[]", "malformed", "$"),
        ("bet", without("id"), "malformed", "$"),
        ("bet", without("expires"), "malformed", "$"),
        ("bet", said(tea=1), "malformed", "$"),
        ("bet", said(id=7), "malformed", "$.id"),
        ("bet", said(id="1\n"), "malformed", "$.id"),
        ("bet", said(round="1\n"), "malformed", "$.round"),
        ("bet", said(data=WHOLE["data"] | {"stake_cents": NUMBER_MAX + 1}), "malformed", "$.data.stake_cents"),
        ("bet", said(role="supervisor"), "malformed", "$"),
        ("bet", said(expires="2026-09-21T14:23:21Z"), "expires-too-late", "$.expires"),
        ("bet", said(expires="tomorrow"), "malformed", "$.expires"),
        ("bet", said(expires="2026-09-21T14:14:20"), "malformed", "$.expires"),
        ("bet", without("data"), "malformed", "$.data"),
        ("bet", said(data={"seat": "3"}), "malformed", "$.data"),
        ("bet", said(data=WHOLE["data"] | {"stake_cents": "500"}), "malformed", "$.data.stake_cents"),
        ("bet", said(data=WHOLE["data"] | {"stake_cents": 5.0}), "malformed", "$.data.stake_cents"),
        ("bet", said(data=WHOLE["data"] | {"wager": "big50"}), "malformed", "$.data.wager"),
        ("enter-cards", said(data={"seat": 1, "cards": ["Ah", "1h"]}), "malformed", "$.data.cards.1"),
        ("open-table", said(data={"tea": 1}), "malformed", "$.data"),
        ("resend", said(data={"from": 0, "to": 2}), "malformed", "$.data.from"),
        ("resend", said(data={"from": 1}), "malformed", "$.data"),
    ],
)
def test_what_is_not_a_command_is_refused_with_where_and_what(
    name: str, payload: bytes, code: str, where: str, says: Says
) -> None:
    refused = told(name, payload, NOW)
    assert isinstance(refused, Malformed)
    assert (refused.code, refused.where) == (code, where)
    says(refused.message)


def test_a_refusal_never_repeats_a_card() -> None:
    refused = told("enter-cards", said(data={"seat": 1, "cards": ["Ah", "Kd", "Qx"]}), NOW)
    assert isinstance(refused, Malformed)
    assert not any(text in refused.message for text in ("Kd", "Qx"))


@pytest.mark.parametrize(
    ("payload", "request_id"),
    [(said(tea=1), "request-1"), (without("id"), None), (said(id=7), None), (b"[]", None), (b"{", None)],
)
def test_even_a_broken_command_is_answered_under_its_id(payload: bytes, request_id: str | None) -> None:
    refused = told("bet", payload, NOW)
    assert isinstance(refused, Malformed)
    assert refused.id == request_id


def test_a_player_acts_for_their_own_seats() -> None:
    request = read("seat3", Person(role=Role.PLAYER, tables=("*",), seats=(3, 4)), "bet", said(), NOW)
    assert isinstance(request, Request)
    assert (request.who, request.role, request.seats) == ("seat3", Actor.PLAYER, (3, 4))


@settings(max_examples=300, deadline=None, database=None)
@given(name=st.sampled_from(NAMES), payload=st.binary(max_size=200))
@example("bet", b"[" * 60_000)
@example("bet", b'{"data":' + b"[" * 60_000 + b"]" * 1)
@example("bet", b"1" * 60_000)
@example("bet", b'{"id":"\\ud800"}')
@example("bet", b'{"expires":"9999-12-31T23:59:59-23:59"}')
def test_any_bytes_come_to_a_command_or_a_refusal(name: str, payload: bytes) -> None:
    assert isinstance(told(name, payload, NOW), Malformed)


@settings(max_examples=300, deadline=None, database=None)
@given(
    name=st.sampled_from(NAMES),
    data=st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(("seat", "cards", "to", "x")), inner)
        ),
        max_leaves=6,
    ),
)
def test_any_data_come_to_a_command_or_a_refusal(name: str, data: object) -> None:
    assert isinstance(told(name, said(data=data), NOW), Request | Resend | Malformed)


@pytest.mark.parametrize("expires", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_the_ends_of_time_are_moments_too(expires: str) -> None:
    assert isinstance(told("bet", said(expires=expires), NOW), Request | Malformed)


@pytest.mark.parametrize(
    "reason",
    ["", " ", "\u2003", "\x1b[2J", "seen\n", "a\x00b", "\x9b31m", *(f"by {mark}nobody" for mark in MARKS)],
)
def test_a_reason_is_one_line_and_reads_as_it_is_written(reason: str) -> None:
    """People read it in a terminal with the journal. A text without a visible character is refused."""
    refused = told("report-irregularity", said(id=reason), NOW), told("bet", said(round=reason), NOW)
    assert [answer.code for answer in refused if isinstance(answer, Malformed)] == ["malformed"] * 2
    boss = Person(role=Role.SUPERVISOR, tables=("*",))
    whole = {"round": "table1-1", "data": {"ruling": "void", "reason": reason, "revision": 1}}
    ruled = read("bob", boss, "rule", said(**whole), NOW)
    assert isinstance(ruled, Malformed)
    assert (ruled.code, ruled.where) == ("malformed", "$.data.reason")


def test_no_character_that_draws_nothing_is_taken() -> None:
    """A ruling's reason with the tags U+E0000 to U+E007F hid a text in the journal, and two ids looked the same."""
    unseen = (chr(code) for code in range(sys.maxunicode + 1) if category(chr(code)) in {"Cc", "Cf", "Zl", "Zp"})
    assert [mark for mark in unseen if mark not in DRAWN and re.match(TEXT_PATTERN, f"a{mark}")] == []
    assert all(re.match(TEXT_PATTERN, seen) for seen in (*DRAWN, "é", "\U0001f0a1", "\U00020000", "\ufffd"))


@pytest.mark.parametrize("revision", [{}, {"revision": None}, {"revision": "1"}])
def test_a_ruling_names_what_its_author_saw(revision: dict[str, object], says: Says) -> None:
    """A journal has older ones without it. A person who rules now looks at something."""
    boss, data = Person(role=Role.SUPERVISOR, tables=("*",)), {"ruling": "continue", "reason": "seen", **revision}
    refused = read("bob", boss, "rule", said(round="table1-1", data=data), NOW)
    assert isinstance(refused, Malformed)
    assert (refused.code, refused.where) == ("malformed", "$.data" + (".revision" if revision else ""))
    says(refused.message)
    asked = read("bob", boss, "rule", said(round="table1-1", data=data | {"revision": 3}), NOW)
    assert isinstance(asked, Request)
    assert asked.action == Rule(Ruling.CONTINUE, "seen", 3)


@pytest.mark.parametrize(
    ("once", "twice"),
    [('"seat": 3', '"seat": 4, "seat": 3'), ('"id":', '"id": "x", "id":'), ('"wager"', '"stake_cents": 5, "wager"')],
)
def test_a_field_that_is_there_twice_is_refused(once: str, twice: str, says: Says) -> None:
    """A gateway that takes the first one would let another bet pass than the table takes."""
    assert isinstance(told("bet", said(), NOW), Request)
    refused = told("bet", said().replace(once.encode(), twice.encode()), NOW)
    assert isinstance(refused, Malformed)
    says(refused.message)
