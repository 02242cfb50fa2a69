"""A house that owns the machine, the code and the journal cheats in an export, and makes all hashes anew.

What it changes are the events that tell of money. Each change keeps the sums of the round, so that only the check that
is named here speaks against it. A signature, or a hash that was kept elsewhere, finds each of these as well.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tools.journal.tampering import Bundle, checked, unsigned

Json = dict[str, Any]
Cheat = Callable[[list[Json]], None]
"""It changes records."""


def facts(records: list[Json], *kinds: str) -> Iterator[Json]:
    """The events of these kinds."""
    return (fact for record in records for fact in record.get("facts", ()) if fact["kind"] in kinds)


def data(records: list[Json], kind: str) -> Json:
    """What the first event of this kind says."""
    found: Json = next(facts(records, kind))["data"]
    return found


def told_anew(directory: Path, cheat: Cheat) -> None:
    """Change the records. Number the records and the events again, and make all hashes anew."""
    unsigned(directory)
    forger = Bundle(directory)
    records = [json.loads(line) for line in forger.lines]
    cheat(records)
    for offset, record in enumerate(records, start=1):
        record["offset"] = offset
    for sequence, fact in enumerate((fact for record in records for fact in record.get("facts", ())), start=1):
        fact["sequence"] = sequence
    spelled = [json.dumps(record, separators=(",", ":"), ensure_ascii=False).encode() for record in records]
    assert spelled != forger.lines
    forger.lines = spelled
    forger.hash_again()
    forger.write()


def round_of(records: list[Json], kind: str, at: int = 0) -> str:
    name: str = [fact["round"] for fact in facts(records, kind)][at]
    return name


def settled_anew(records: list[Json], wagers: list[Json]) -> None:
    """The sums of the round in which these wagers were settled."""
    name = next(
        fact["round"] for fact in facts(records, "hand-settled", "fold-settled") if fact["data"]["wagers"] is wagers
    )
    its = [
        wager
        for fact in facts(records, "hand-settled", "fold-settled", "first-five-settled", "wager-taken")
        if fact["round"] == name
        for wager in (fact["data"]["wagers"] if "wagers" in fact["data"] else [fact["data"]["wager"]])
    ]
    end = next(fact["data"] for fact in facts(records, "round-settled") if fact["round"] == name)
    end["stakes_cents"] = sum(one["stake_cents"] for one in its)
    end["returned_cents"] = sum(one["returned_cents"] for one in its)
    end["take_cents"] = -sum(one["pays_cents"] for one in its)


def a_decision_takes_a_stake_away(records: list[Json]) -> None:
    """A decision with a stake below nothing pays for a bet that is never settled."""
    hand = next(fact for fact in facts(records, "hand-settled") if len(fact["data"]["wagers"]) > 1)
    wagers = hand["data"]["wagers"]
    gone = wagers.pop(next(n for n, one in enumerate(wagers) if one["stake_cents"]))
    decided = {"seat": hand["data"]["seat"], "decision": "play", "stake_cents": -gone["stake_cents"], "who": "kim"}
    record = next(record for record in records if hand in record.get("facts", ()))
    at = record["facts"].index(hand)
    record["facts"].insert(at, {"sequence": 0, "kind": "player-decided", "data": decided, "round": hand["round"]})
    settled_anew(records, wagers)


def a_round_never_ends(records: list[Json]) -> None:
    """A round with stakes on the table is left open, and the next one begins."""
    for record in records:
        if any(fact["kind"] == "round-settled" for fact in record.get("facts", ())):
            record["facts"] = [fact for fact in record["facts"] if fact["kind"] != "round-settled"]
            return


def an_end_in_other_letters(records: list[Json]) -> None:
    """The word for the end of a round has a Cyrillic e in it: a person reads it, and no program does."""
    next(facts(records, "round-settled"))["kind"] = "round-s\u0435ttled"


def a_round_is_told_twice(records: list[Json]) -> None:
    """All of a round that the house won stands there once more."""
    name = round_of(records, "round-settled")
    first, last = (
        next(
            n
            for n, record in enumerate(records)
            if any(one["kind"] == kind and one.get("round") == name for one in record.get("facts", ()))
        )
        for kind in ("round-opened", "round-settled")
    )
    again = json.loads(json.dumps(records[first : last + 1]))
    records[last + 1 : last + 1] = again


def a_round_that_nobody_opened(records: list[Json]) -> None:
    """All of a round that the house won stands there once more, under another name, and nothing says that it opened."""
    a_round_is_told_twice(records)
    name = round_of(records, "round-settled")
    first, last = (
        n
        for n, record in enumerate(records)
        if any(one["kind"] == "round-settled" for one in record.get("facts", ()))
        and any(one.get("round") == name for one in record["facts"])
    )
    for record in records[first + 1 : last + 1]:
        its = [one for one in record.get("facts", ()) if one.get("round") == name and one["kind"] != "round-opened"]
        record["facts"] = [{**one, "round": f"{name}b"} for one in its]


def a_bet_is_settled_in_the_place_of_another(records: list[Json]) -> None:
    """A seat lost one bet and won the other. It says that the first one was lost twice, and nothing of the second."""
    hands = (hand["data"]["wagers"] for hand in facts(records, "hand-settled"))
    lost, other, wagers = next(
        (lost, other, wagers)
        for wagers in hands
        for lost in wagers
        for other in wagers
        if lost["pays_cents"] == -lost["stake_cents"] < 0 < other["stake_cents"] and other["wager"] != lost["wager"]
    )
    stake = other["stake_cents"]
    wagers[wagers.index(other)] = {**lost, "stake_cents": stake, "pays_cents": -stake}
    settled_anew(records, wagers)


def a_bet_is_two_stakes(records: list[Json]) -> None:
    """A bet was put down once, and is taken twice."""
    name = next(hand["round"] for hand in facts(records, "hand-settled"))
    hand = next(fact["data"] for fact in facts(records, "hand-settled") if fact["round"] == name)
    wager = next(one for one in hand["wagers"] if one["pays_cents"] == -one["stake_cents"] < 0)
    stakes = next(fact["data"]["stakes"] for fact in facts(records, "betting-closed") if fact["round"] == name)
    stakes.append(next(one for one in stakes if (one["seat"], one["wager"]) == (hand["seat"], wager["wager"])))
    hand["wagers"].append(wager)
    settled_anew(records, hand["wagers"])


def a_round_is_left_out(records: list[Json]) -> None:
    """Nothing tells of a round that the house lost: its records are not there."""
    name = round_of(records, "round-settled", 1)
    for record in records:
        if any(one.get("round") == name for one in record.get("facts", ())):
            record["facts"] = [one for one in record["facts"] if one.get("round") != name]


def a_win_is_rounded_within_a_chip(records: list[Json]) -> None:
    """A win that needs no rounding is one cent below the chip less."""
    settings = next(record["input"]["settings"] for record in records if record["input"]["kind"] == "configured")
    settings["money"] = {"chip": 100}
    wagers = next(
        hand["data"]["wagers"]
        for hand in facts(records, "hand-settled")
        if any(one["pays_cents"] > 0 for one in hand["data"]["wagers"])
    )
    win = next(one for one in wagers if one["pays_cents"] > 0)
    win |= {"pays_cents": win["pays_cents"] - 99, "returned_cents": win["returned_cents"] - 99, "rounding": "-99"}
    settled_anew(records, wagers)


CHEATS: dict[Cheat, str] = {
    a_decision_takes_a_stake_away: "a stake below nothing",
    a_round_never_ends: "opens where a round is missing, or another is not over",
    an_end_in_other_letters: "opens where a round is missing, or another is not over",
    a_round_is_told_twice: "opens where a round is missing, or another is not over",
    a_round_that_nobody_opened: "ends, and is not the round that is open",
    a_bet_is_settled_in_the_place_of_another: "other stakes were put down than settled or given back",
    a_bet_is_two_stakes: "the stakes are not the bets that were placed",
    a_round_is_left_out: "opens where a round is missing, or another is not over",
    a_win_is_rounded_within_a_chip: "it is not rounded to a chip",
}


@pytest.mark.parametrize("cheat", CHEATS, ids=lambda cheat: cheat.__name__)
def test_what_a_house_changed_with_all_sums_and_hashes_is_named(bundle: Path, cheat: Cheat) -> None:
    told_anew(bundle, cheat)
    done = checked(bundle)
    assert (done.returncode, done.stderr) == (1, "")
    assert re.match(rf"record \d+: [^\n]*{CHEATS[cheat]}", done.stdout), done.stdout


def test_another_paytable_is_named_beside_the_verdict(bundle: Path) -> None:
    """A house can pay by a paytable of its own. Only a person knows the filed one."""
    texts = json.loads((bundle / "base.json").read_text())["paytables"]
    hashes = {hashlib.sha256(text.encode()).hexdigest(): text.splitlines()[0] for text in texts}
    named = re.findall(r"(?m)^paid by ['\"](.*)['\"], ([0-9a-f]{64})$", checked(bundle).stdout)
    assert len(named) > 3
    assert [f"paytable {name}" for name, _ in named] == [hashes[hash_] for _, hash_ in named]


def test_the_program_checks_the_folder_that_it_was_started_in(bundle: Path, tmp_path: Path) -> None:
    """A link to the program of an honest export lies in a forged one."""
    honest = shutil.copytree(bundle, tmp_path / "honest")
    told_anew(bundle, a_round_never_ends)
    (bundle / "verify.py").unlink()
    (bundle / "verify.py").symlink_to(honest / "verify.py")
    assert checked(bundle).returncode == 1


def test_names_in_an_export_write_no_verdict(bundle: Path) -> None:
    """On a terminal a name could go back a line, and write there."""

    def cheat(records: list[Json]) -> None:
        for hand in facts(records, "hand-settled"):
            for wager in hand["data"]["wagers"]:
                wager["paytable"] = "\x1b[1A\reverything fits\x1b[8m"

    told_anew(bundle, cheat)
    done = checked(bundle)
    assert "paid by" in done.stdout
    assert re.fullmatch(r"[ -~\n]*", done.stdout)
