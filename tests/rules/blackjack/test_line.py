"""`feltd adjudicate` on rounds of blackjack: what a line may say, and how it is answered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.rules.blackjack.bets import GAME
from daemon.rules.blackjack.house import HOUSE
from daemon.rules.blackjack.paytables import PAYTABLES
from daemon.tools.rules.adjudicate import adjudicate_line
from daemon.tools.rules.options import read_house

LINE: dict[str, Any] = {
    "id": "r1",
    "game": "bad-beat-blackjack",
    "player": ["Th", "9d"],
    "dealer": ["Tc", "4d", "6s"],
    "hands": [{"cards": ["Th", "9d"], "actions": ["stand"]}],
    "option": 1,
    "paytable": "P3",
    "wagers": {"blackjack": 1000, "bad_beat": 500},
}
SPLIT: dict[str, Any] = LINE | {
    "player": ["9h", "9d"],
    "hands": [{"cards": ["9h", "Ts"], "actions": ["stand"]}, {"cards": ["9d", "5s", "7h"], "actions": ["hit"]}],
    "option": 2,
}


def _answer(line: dict[str, Any]) -> dict[str, Any]:
    answer, _ = adjudicate_line(json.dumps(line).encode(), 1)
    return {name: value for name, value in answer.items() if name != "id"}


def _pays(line: dict[str, Any]) -> dict[str, int]:
    return {name: wager["pays"] for name, wager in _answer(line)["wagers"].items()}


def test_a_round_is_answered_with_every_wager_and_what_decided() -> None:
    answer = _answer(LINE)
    assert answer["wagers"]["bad_beat"] == {
        "stake": 500,
        "outcome": "win",
        "pays": 5000,
        "returned": 5500,
        "row": "19 beaten",
        "paytable": "P3",
        "paytable_sha256": PAYTABLES["P3"].sha256,
        "cards": ["Th", "9d", "Tc", "4d", "6s"],
    }
    assert answer["wagers"]["blackjack"]["outcome"] == "lose"
    decided = {name: value for name, value in answer.items() if name not in ("wagers", "hands")}
    assert decided == {
        "total": 19,
        "dealer_total": 20,
        "dealer_blackjack": False,
        "result": "lose",
        "bad_beat": "19 beaten",
    }


def test_a_split_is_answered_hand_by_hand() -> None:
    answer = _answer(SPLIT | {"dealer": ["Tc", "8d"]})
    assert answer["hands"] == [
        {"cards": ["9h", "Ts"], "total": 19, "result": "win", "stake": 1000, "pays": 1000, "returned": 2000},
        {"cards": ["9d", "5s", "7h"], "total": 21, "result": "win", "stake": 1000, "pays": 1000, "returned": 2000},
    ]
    assert (answer["result"], answer["total"]) == ("win + win", 19)
    assert answer["wagers"]["blackjack"]["stake"] == 2000


def test_option_and_paytable_may_be_the_houses() -> None:
    moved = {name: value for name, value in SPLIT.items() if name not in ("option", "paytable")}
    assert _pays(moved | {"house": {"option": 2, "paytable": "P3"}}) == _pays(SPLIT)
    assert _pays(SPLIT | {"house": {"option": 1, "paytable": "L1"}}) == _pays(SPLIT)


@pytest.mark.parametrize("name", ["option", "paytable"])
def test_the_side_bet_needs_its_option_and_its_paytable(name: str) -> None:
    line = {key: value for key, value in LINE.items() if key != name}
    assert _answer(line)["error"]["where"] == f"line 1: {name}"
    assert _pays(line | {"wagers": {"blackjack": 1000}}) == {"blackjack": -1000}


def test_the_side_bet_can_be_asked_about_alone() -> None:
    assert _pays(LINE | {"wagers": {"bad_beat": 500}}) == {"bad_beat": 5000}


def test_a_house_brings_its_own_paytable() -> None:
    own = {"name": "ours", "source": "letter of 1 May", "rows": {"20 beaten": "40 to 1", "19 beaten": "12 to 1"}}
    assert _pays(LINE | {"paytable": own})["bad_beat"] == 6000
    assert _pays(LINE | {"paytable": None, "house": {"paytable": own}})["bad_beat"] == 6000
    assert _pays(LINE | {"paytable": own, "dealer": ["Tc", "8d"]})["bad_beat"] == -500


HOUSES = [
    ({"dealer_hits_soft_17": False}, {"dealer": ["Ac", "6d"]}, 1000),
    ({"dealer_hits_soft_17": True}, {"dealer": ["Ac", "6d", "Th"]}, 1000),
    ({"blackjack_pays": "6 to 5"}, {"player": ["Ah", "Kd"], "hands": [], "dealer": ["Tc", "8d"]}, 1200),
    ({"blackjack_pays": "1 to 1"}, {"player": ["Ah", "Kd"], "hands": [], "dealer": ["Tc", "8d"]}, 1000),
    ({"peek": False}, {"dealer": ["Ac", "Kd"]}, -1000),
    ({"peek": False, "unpeeked_blackjack_takes": "original"}, SPLIT | {"dealer": ["Ac", "Kd"]}, -1000),
    ({"peek": False, "unpeeked_blackjack_takes": "all"}, SPLIT | {"dealer": ["Ac", "Kd"]}, -2000),
]
REFUSING = [
    ({"double_on": "10-11"}, {"hands": [{"cards": ["Th", "9d", "2c"], "actions": ["double"]}]}),
    ({"late_surrender": False}, {"hands": [{"cards": ["Th", "9d"], "actions": ["surrender"]}]}),
    ({"insurance": "none"}, {"dealer": ["Ac", "9c"], "wagers": {"blackjack": 1000, "insurance": 500}}),
    ({"split_aces": "never"}, {"player": ["Ah", "Ad"], "hands": [{"cards": ["Ah", "2d"]}, {"cards": ["Ad", "2c"]}]}),
    (
        {"hands_max": 2},
        SPLIT | {"hands": [{"cards": [nine, "Ts"], "actions": ["stand"]} for nine in ("9h", "9d", "9s")]},
    ),
    (
        {"double_after_split": False},
        SPLIT | {"hands": [{"cards": [nine, "2s", "Ts"], "actions": ["double"]} for nine in ("9h", "9d")]},
    ),
]


@pytest.mark.parametrize(("house", "change", "main"), HOUSES)
def test_every_option_of_the_house_that_changes_an_amount(
    house: dict[str, object], change: dict[str, object], main: int
) -> None:
    assert _pays(LINE | change | {"wagers": {"blackjack": 1000}, "house": house}) == {"blackjack": main}


@pytest.mark.parametrize(("house", "change"), REFUSING)
def test_every_option_of_the_house_that_forbids(house: dict[str, object], change: dict[str, object]) -> None:
    line = LINE | {"wagers": {"blackjack": 1000}} | change
    assert _answer(line | {"house": house})["refused"]["code"] == "not-offered"
    assert "wagers" in _answer(line)


def test_decks_say_how_often_a_card_can_be_there() -> None:
    twice = LINE | {"dealer": ["Tc", "Tc"]}
    assert _answer(twice | {"house": {"decks": 1}})["void"] == "duplicate-card"
    assert _pays(twice | {"house": {"decks": 2}})["bad_beat"] == 5000


def test_the_default_options_make_the_default_house() -> None:
    assert read_house({}, GAME, {}) == HOUSE


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"player": ["Th"]}, "wrong-count"),
        ({"dealer": ["Tc"]}, "wrong-count"),
        ({"player": ["Th", "9x"]}, "unreadable-card"),
        ({"dealer": ["Tc", "4d"]}, "dealer-unfinished"),
        ({"dealer": ["Tc", "7d", "3s"]}, "dealer-played-on"),
        ({"hands": [{"cards": ["Th", "9d", "5d"], "actions": ["hit", "hit"]}]}, "hand-played-on"),
        ({"hands": [{"cards": ["Th", "9d"]}]}, "hand-unfinished"),
        ({"hands": [{"cards": ["Th", "8d"], "actions": ["stand"]}]}, "impossible-play"),
        ({"hands": [{"cards": [], "actions": []}]}, "wrong-count"),
    ],
)
def test_a_round_that_cannot_be_is_void(change: dict[str, object], reason: str) -> None:
    answer = _answer(LINE | change)
    assert answer["void"] == reason
    assert {name: wager["returned"] for name, wager in answer["wagers"].items()} == LINE["wagers"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"option": 3}, "option"),
        ({"paytable": "P6"}, "paytable"),
        ({"house": {"paytable": "P6"}}, "house.paytable"),
        ({"paytable": {"name": "x", "source": "y", "rows": {"18 beaten": "5"}}}, "paytable"),
        ({"house": {"decks": 0}}, "house.decks"),
        ({"house": {"decks": 9}}, "house.decks"),
        ({"house": {"hands_max": 1}}, "house.hands_max"),
        ({"house": {"hands_max": 5}}, "house.hands_max"),
        ({"hands": [{"cards": ["Th", "9d"], "actions": ["sit"]}]}, "hands[0].actions[0]"),
    ],
)
def test_a_line_that_is_no_round_says_where(change: dict[str, object], where: str) -> None:
    assert _answer(LINE | change)["error"]["where"] == f"line 1: {where}"


CARDS = st.lists(st.sampled_from(["Ah", "Ad", "8c", "8d", "Th", "Kd", "5c", "6d", "??", "1x"]), max_size=5)
ACTIONS = st.lists(st.sampled_from(["stand", "hit", "double", "split", "surrender", "even_money"]), max_size=4)
HANDS = st.lists(st.fixed_dictionaries({"cards": CARDS, "actions": ACTIONS}), max_size=5)


@given(player=CARDS, dealer=CARDS, hands=HANDS, option=st.sampled_from([1, 2]), insurance=st.integers(0, 600))
def test_any_cards_and_any_decisions_are_answered(
    player: list[str], dealer: list[str], hands: list[dict[str, object]], option: int, insurance: int
) -> None:
    wagers = {"blackjack": 1000, "bad_beat": 100} | ({"insurance": insurance} if insurance else {})
    line = LINE | {"player": player, "dealer": dealer, "hands": hands, "option": option, "wagers": wagers}
    answer = _answer(line)
    assert len({"void", "refused", "result"} & set(answer)) == 1, answer
    for wager in answer.get("wagers", {}).values():
        assert wager["returned"] == wager["stake"] + wager["pays"] >= 0
