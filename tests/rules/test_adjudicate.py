"""`feltd adjudicate`: every line answered in order, in the shape that is promised, whatever the line is."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.errors import ExitStatus
from daemon.tools.rules.adjudicate import LINE_BYTES_MAX, adjudicate
from tests.support.processes import gone_afterwards

BIG_50 = {"id": 1, "game": "big-50", "cards": ["Ah", "Kh", "Qh", "Jh", "Th"], "wagers": {"poker_hand": 500}}
RAISE = {
    "game": "big-raise-holdem",
    "player": ["9s", "9d"],
    "dealer": ["Ac", "Tc", "Td"],
    "community": ["9c", "3h", "4h"],
    "action": "play",
    "wagers": {"ante": 500, "play": 2000, "two_card_bonus": 100, "five_card_bonus": 100},
    "house": {"paytable": "BRH-40", "five_card_bonus": "BRH-06"},
}
DRAW = {
    "game": "big-draw",
    "variant": "deuces-never-loses",
    "first": ["2s", "Kd", "Kh", "7c", "8c"],
    "discards": ["7c", "8c"],
    "drawn": ["Kc", "3h"],
    "wagers": {"big_draw": 300, "first_5": 100},
}


def _answers(*lines: object) -> tuple[list[dict[str, Any]], ExitStatus]:
    encoded = (line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines)
    out = io.BytesIO()
    status = adjudicate(io.BytesIO(b"\n".join(encoded)), out)
    return [json.loads(line) for line in out.getvalue().splitlines()], status


def _answer(line: object) -> dict[str, Any]:
    (answer,), _ = _answers(line)
    return answer


def _amounts(answer: dict[str, Any]) -> dict[str, tuple[object, ...]]:
    return {
        name: tuple(wager[field] for field in ("stake", "outcome", "pays", "returned", "row"))
        for name, wager in answer["wagers"].items()
    }


def test_big_50_is_answered_wager_by_wager_with_what_decided() -> None:
    wagers = {"poker_hand": 500, "red_black": 100, "big_50": 100, "range": 5}
    answer = _answer(BIG_50 | {"wagers": wagers})
    assert _amounts(answer) == {
        "poker_hand": (500, "win", 500_000, 500_500, "royal flush"),
        "red_black": (100, "win", 1700, 1800, "all red"),
        "big_50": (100, "lose", -100, 0, None),
        "range": (5, "win", 8, 13, "40-49"),
    }
    assert (answer["id"], answer["hand"], answer["total"], answer["colours"]) == (1, "royal flush", 41, "all red")
    assert answer["wagers"]["range"]["rounding"] == "1/2"
    assert answer["wagers"]["range"]["paytable"] == "Big 50 Range"
    assert len(answer["wagers"]["range"]["paytable_sha256"]) == 64
    assert answer["wagers"]["poker_hand"]["cards"] == BIG_50["cards"]
    assert "rounding" not in answer["wagers"]["poker_hand"]


def test_a_partial_loss_and_a_push_have_their_own_outcomes() -> None:
    answer = _answer(BIG_50 | {"cards": ["Ac", "2d", "3h", "4s", "Tc"], "wagers": {"range": 100}})
    assert _amounts(answer) == {"range": (100, "partial", -50, 50, "20-29")}
    pushed = _answer(DRAW | {"discards": [], "drawn": [], "wagers": {"big_draw": 300}})
    assert _amounts(pushed) == {"big_draw": (300, "push", 0, 300, "three of a kind")}


@pytest.mark.parametrize(("colour", "pays"), [("red", 1700), ("black", -100)])
def test_a_named_colour_comes_with_the_stake(colour: str, pays: int) -> None:
    line = BIG_50 | {"house": {"red_black": "named"}, "wagers": {"red_black": {"stake": 100, "colour": colour}}}
    assert _answer(line)["wagers"]["red_black"]["pays"] == pays


def test_big_raise_is_answered_with_both_hands_and_the_dealers_discard() -> None:
    answer = _answer(RAISE)
    assert _amounts(answer) == {
        "ante": (500, "win", 500, 1000, "beats the dealer"),
        "play": (2000, "win", 2000, 4000, "beats the dealer"),
        "ante_bonus": (0, "lose", 0, 0, None),
        "two_card_bonus": (100, "win", 500, 600, "other pairs"),
        "five_card_bonus": (100, "win", 600, 700, "three of a kind"),
    }
    decided = {name: answer[name] for name in ("result", "player_hand", "dealer_hand", "dealer_keeps")}
    assert decided == {
        "result": "win",
        "player_hand": "three of a kind",
        "dealer_hand": "high card",
        "dealer_keeps": ["Ac", "Td"],
    }
    assert (answer["dealer_discards"], answer["dealer_suit_was_free"]) == ("Tc", False)


def test_a_fold_with_a_qualifying_bonus() -> None:
    wagers = {"ante": 500, "two_card_bonus": 100}
    answer = _answer(RAISE | {"action": "fold", "wagers": wagers})
    assert _amounts(answer) == {
        "ante": (500, "lose", -500, 0, "folded"),
        "ante_bonus": (0, "lose", 0, 0, None),
        "two_card_bonus": (100, "win", 500, 600, "other pairs"),
    }
    assert answer["result"] == "fold"


def test_big_draw_is_answered_before_and_after_the_draw() -> None:
    answer = _answer(DRAW)
    assert _amounts(answer) == {
        "first_5": (100, "win", 300, 400, "three of a kind"),
        "big_draw": (300, "win", 1200, 1500, "four of a kind"),
    }
    assert (answer["first_hand"], answer["hand"]) == ("three of a kind", "four of a kind")
    assert answer["final"] == ["2s", "Kd", "Kh", "Kc", "3h"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (BIG_50 | {"cards": ["Ah", "Kh", "Qh", "Jh"]}, "wrong-count"),
        (BIG_50 | {"cards": ["Ah", "Kh", "Qh", "Jh", "Ah"]}, "duplicate-card"),
        (BIG_50 | {"cards": ["Ah", "Kh", "Qh", "Jh", "10h"]}, "unreadable-card"),
        (BIG_50 | {"cards": ["Ah", "Kh", "Qh", "Jh", "[]"]}, "boxed-card"),
        (BIG_50 | {"cards": ["Ah", "Kh", "Qh", "Jh", "##"]}, "foreign-card"),
        (RAISE | {"dealer": ["Ac", "Tc"]}, "wrong-count"),
        (RAISE | {"player": ["9s"], "wagers": {"ante": 500, "play": 9000}}, "wrong-count"),
        (DRAW | {"drawn": ["Kc"]}, "wrong-count"),
        (DRAW | {"discards": ["7c", "7d"]}, "discard-not-held"),
    ],
)
def test_a_hand_that_cannot_be_is_void_with_its_reason_and_every_stake_back(line: dict[str, Any], reason: str) -> None:
    answer = _answer(line)
    assert answer["void"] == reason
    assert {name: wager["returned"] for name, wager in answer["wagers"].items()} == line["wagers"]
    assert {(wager["outcome"], wager["pays"]) for wager in answer["wagers"].values()} == {("void", 0)}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (RAISE | {"player": ["9s", "8d"]}, "above-most"),
        (RAISE | {"wagers": {"ante": 500, "play": 999}}, "below-least"),
        (RAISE | {"action": "fold"}, "illegal-action"),
        (RAISE | {"house": {}}, "not-offered"),
        (DRAW | {"wagers": {"first_5": 99}}, "below-least"),
        (DRAW | {"house": {"first_5_alone_least": 500}, "wagers": {"first_5": 499}}, "below-least"),
        (DRAW | {"discards": ["2s"] * 6}, "illegal-action"),
        (BIG_50 | {"wagers": {"ante": 100}}, "not-offered"),
        (BIG_50 | {"wagers": {"range": 0}}, "stake-not-positive"),
        (BIG_50 | {"wagers": {"red_black": {"stake": 1, "colour": "red"}}}, "colour-not-named-here"),
        (BIG_50 | {"house": {"breakage": "exact"}, "wagers": {"range": 5}}, "cannot-be-paid-exactly"),
        (BIG_50 | {"house": {"chip": 50}, "wagers": {"range": 125}}, "not-whole-chips"),
        (BIG_50 | {"limits": {"stakes": {"poker_hand": {"least": 501}}}}, "below-least"),
        (BIG_50 | {"limits": {"authorised_most": 499}}, "above-authorised"),
    ],
)
def test_what_the_rules_do_not_allow_is_refused_with_its_code(line: dict[str, Any], code: str) -> None:
    (answer,), status = _answers(line)
    assert answer["refused"]["code"] == code
    assert answer["refused"]["message"]
    assert "wagers" not in answer
    assert status is ExitStatus.OK


@pytest.mark.parametrize(
    ("line", "code", "where"),
    [
        (b"nonsense", "not-json", ""),
        (b"\xff\xfe", "not-json", ""),
        (b"[" * 100_000, "malformed", ""),
        (b'{"game": "big-50", "wagers": {"range": ' + b"[" * 100_000, "not-json", ""),
        (b'{"game": "big-50", "cards": ["\\ud800"], "wagers": {}}', "not-json", ""),
        (b"[1]", "malformed", ""),
        (b"7", "malformed", ""),
        ({}, "malformed", "game"),
        ({"game": 7}, "malformed", "game"),
        (BIG_50 | {"game": "big-51"}, "unknown-game", "game"),
        (BIG_50 | {"cards": "Ah"}, "malformed", "cards"),
        (BIG_50 | {"cards": ["Ah", 7]}, "malformed", "cards[1]"),
        (BIG_50 | {"card": []}, "malformed", ""),
        (BIG_50 | {"wagers": 5}, "malformed", "wagers"),
        (BIG_50 | {"wagers": {"pokerhand": 5}}, "unknown-wager", "wagers.pokerhand"),
        (BIG_50 | {"wagers": {"range": "5"}}, "malformed", "wagers.range.stake"),
        (BIG_50 | {"wagers": {"range": 5.5}}, "malformed", "wagers.range.stake"),
        (BIG_50 | {"wagers": {"range": True}}, "malformed", "wagers.range.stake"),
        (BIG_50 | {"wagers": {"range": 10**30}}, "malformed", "wagers.range.stake"),
        (BIG_50 | {"wagers": {"range": {"stake": 5, "color": "red"}}}, "malformed", "wagers.range"),
        (BIG_50 | {"house": {"red_blak": "named"}}, "malformed", "house"),
        (BIG_50 | {"house": {"chip": 0}}, "malformed", "house.chip"),
        (BIG_50 | {"limits": {"stakes": {"range": {"least": 2, "most": 1}}}}, "bad-option", "limits.stakes.range"),
        (RAISE | {"action": "raise"}, "malformed", "action"),
        (RAISE | {"house": {"paytable": "BRH-41"}}, "bad-option", "house.paytable"),
        (RAISE | {"house": {"five_card_bonus": "BRH-09"}}, "bad-option", "house.five_card_bonus"),
        (DRAW | {"variant": "draw"}, "malformed", "variant"),
    ],
)
def test_a_line_that_is_no_hand_is_an_error_and_the_others_are_still_done(line: object, code: str, where: str) -> None:
    answers, status = _answers(BIG_50, line, BIG_50 | {"id": 3})
    assert [answer["id"] for answer in answers][::2] == [1, 3]
    assert all("hand" in answer for answer in answers[::2])
    error = answers[1]["error"]
    assert (error["code"], error["where"]) == (code, f"line 2: {where}" if where else "line 2")
    assert error["message"]
    assert status is ExitStatus.REFUSED


def test_a_house_writes_its_own_paytable_into_the_line() -> None:
    own = {"name": "ours", "source": "letter of 1 May", "rows": {"royal flush": "2000 to 1", "jacks or better": "push"}}
    answer = _answer(BIG_50 | {"house": {"poker_hand_pays": own}})
    assert answer["wagers"]["poker_hand"]["pays"] == 1_000_000
    assert answer["wagers"]["poker_hand"]["paytable"] == "ours"
    five = RAISE | {"house": {"five_card_bonus": own | {"rows": {"three of a kind": "77"}}}}
    assert _answer(five)["wagers"]["five_card_bonus"]["pays"] == 7700
    wrong = _answer(BIG_50 | {"house": {"poker_hand_pays": own | {"rows": {"flosh": "7"}}}})
    assert wrong["error"]["where"] == "line 1: house.poker_hand_pays"
    assert "'flush'" in wrong["error"]["message"]


def test_what_one_deal_may_pay_cuts_a_win() -> None:
    """BIG_50 wins 500,000. A fixed prize is outside of the limit, and so is another wager."""
    win = _answer(BIG_50 | {"limits": {"aggregates": {"poker_hand": 250_000, "range": 1}}})["wagers"]["poker_hand"]
    assert (win["pays"], win["returned"], win["aggregate_cut"]) == (250_000, 250_500, 250_000)
    whole = _answer(BIG_50 | {"limits": {"aggregates": {"poker_hand": 500_000}}})["wagers"]["poker_hand"]
    assert (whole["pays"], "aggregate_cut" in whole) == (500_000, False)
    royal = {"first": ["Ah", "Kh", "Qh", "Jh", "Th"], "discards": [], "drawn": [], "wagers": {"first_5": 100}}
    prize = DRAW | royal | {"variant": "five-card-draw", "limits": {"aggregates": {"first_5": 1}}}
    assert _answer(prize)["wagers"]["first_5"]["pays"] == 500_000


def test_a_win_above_the_threshold_is_to_be_verified() -> None:
    assert _answer(BIG_50)["wagers"]["poker_hand"]["verify"] is True
    below = _answer(BIG_50 | {"limits": {"verify_over": 500_000}})["wagers"]["poker_hand"]
    assert "verify" not in below
    after_cut = BIG_50 | {"limits": {"aggregates": {"poker_hand": 250_000}}}
    assert "verify" not in _answer(after_cut)["wagers"]["poker_hand"]


@pytest.mark.parametrize("number", ["null", '"x"', "7", "123456789012345678901234567890", '{"a":[1.50]}'])
def test_the_id_is_echoed_to_the_letter(number: str) -> None:
    out = io.BytesIO()
    adjudicate(io.BytesIO(b'{"id": ' + number.encode() + b', "game": "big-51"}'), out)
    assert out.getvalue().startswith(b'{"id":' + number.encode() + b',"error"')


def test_blank_lines_are_no_hands_but_count_as_lines() -> None:
    answers, _ = _answers(b"", b"  ", b"nonsense", b"")
    assert [answer["error"]["where"] for answer in answers] == ["line 3"]


def test_a_line_that_is_too_long_is_refused_and_skipped() -> None:
    for ending in (b"\n", b"\n" + json.dumps(BIG_50).encode()):
        out = io.BytesIO()
        long = b'{"id": "' + b"x" * (3 * LINE_BYTES_MAX) + b'"}'
        status = adjudicate(io.BytesIO(long + ending), out)
        answers = [json.loads(line) for line in out.getvalue().splitlines()]
        assert answers[0]["error"]["code"] == "too-long"
        assert len(answers) == 1 + (ending != b"\n")
        assert status is ExitStatus.REFUSED


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["big-50", "Ah", "ante"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*BIG_50, *RAISE, *DRAW, "stake"]), inner),
)


def _with(line: dict[str, object], key: str, value: object) -> object:
    return line | {key: value}


NEARLY_LINES = st.builds(_with, st.sampled_from([BIG_50, RAISE, DRAW]), st.sampled_from([*RAISE, *DRAW]), JSON)


@given(JSON | NEARLY_LINES)
def test_any_json_is_answered(line: object) -> None:
    (answer,), _ = _answers(line)
    assert len({"error", "refused", "void", "hand", "player_hand"} & set(answer)) == 1


@given(st.binary().filter(lambda data: data.strip() and b"\n" not in data))
def test_any_bytes_are_answered(data: bytes) -> None:
    (answer,), _ = _answers(data)
    assert answer["error"]["code"] in {"not-json", "malformed"}


FELTD = [sys.executable, "-c", "from daemon.cli import main; main()", "adjudicate"]


def test_a_pipe_is_answered_line_by_line_while_it_is_open() -> None:
    with gone_afterwards(subprocess.Popen(FELTD, stdin=subprocess.PIPE, stdout=subprocess.PIPE)) as feltd:
        assert feltd.stdin is not None
        assert feltd.stdout is not None
        for number in range(3):
            feltd.stdin.write(json.dumps(BIG_50 | {"id": number}).encode() + b"\n")
            feltd.stdin.flush()
            assert json.loads(feltd.stdout.readline())["id"] == number
        feltd.stdin.close()
        assert feltd.wait() == 0


def test_a_file_is_read_and_the_exit_status_remembers_a_line_that_was_no_hand(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_bytes(json.dumps(RAISE).encode() + b"\nnonsense\n")
    done = subprocess.run([*FELTD, str(file)], capture_output=True)
    assert done.returncode == 1
    assert [list(json.loads(line))[1] for line in done.stdout.splitlines()] == ["wagers", "error"]
    assert done.stderr == b""
