"""Exports in the hands of somebody who wants them to say something else, and the stranger who checks them."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final

import msgspec

from daemon.journal.reading import JournalReader
from daemon.tools.journal.export import export

CHECK_S_MAX = 600
"""A day's export takes seconds, on a machine that does nothing else."""

BASE: Final = {"offset": 1, "sequence": 0, "hash": "00", "chip": 1, "limits": [], "paytables": []}
"""The least that the program has to know of what stands before the first record."""


def exported(path: Path, directory: Path, first_round: str | None = None) -> Path:
    """The export of the journal at this path."""
    with closing(JournalReader.open_read_only(path)) as journal:
        export(journal, directory, first_round)
    return directory


def checked(bundle: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a stranger sees: Python alone, without any package."""
    program = [sys.executable, "-I", "-S", str(bundle / "verify.py"), *words]
    return subprocess.run(program, capture_output=True, text=True, timeout=CHECK_S_MAX, check=False)


def written(bundle: Path, base: dict[str, Any]) -> None:
    """Another base, spelled as ours."""
    (bundle / "base.json").write_bytes(msgspec.json.encode(base) + b"\n")


def unsigned(bundle: Path) -> None:
    """The export without its signatures."""
    forger = Bundle(bundle)
    forger.checkpoints = []
    forger.write()


class Bundle:
    """An export in the hands of somebody who wants it to say something else."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.lines = (directory / "records.jsonl").read_bytes().splitlines()
        listed = [line.partition(" ") for line in (directory / "hashes.txt").read_text().splitlines()]
        self.hashes = [hash_ for hash_, _, _ in listed]
        self.checkpoints = [checkpoint for _, _, checkpoint in listed]
        self.first: str = json.loads((directory / "base.json").read_text())["hash"]

    @property
    def signed(self) -> list[int]:
        """The places that are signed."""
        return [place for place, checkpoint in enumerate(self.checkpoints) if checkpoint]

    def write(self) -> None:
        (self.directory / "records.jsonl").write_bytes(b"".join(line + b"\n" for line in self.lines))
        listed = zip_longest(self.hashes, self.checkpoints[: len(self.hashes)], fillvalue="")
        (self.directory / "hashes.txt").write_text("".join(" ".join(each).strip() + "\n" for each in listed))

    def hash_again(self) -> None:
        """As a careful forger does: every hash, and the ones that settled rounds name."""
        before, self.hashes = self.first, []
        for place, line in enumerate(self.lines):
            self.lines[place] = re.sub(rb'"journal_hash":"\w+"', b'"journal_hash":"%s"' % before.encode(), line)
            before = hashlib.sha256(bytes.fromhex(before) + self.lines[place]).hexdigest()
            self.hashes.append(before)

    def with_facts(self, *kinds: bytes) -> list[int]:
        """The places of lines that say one of these."""
        return [place for place, line in enumerate(self.lines) if any(b'"kind":"%s"' % kind in line for kind in kinds)]


Tamper = Callable[[Bundle, random.Random], int]
"""It changes an export, and says the place of the line at which that is found first."""


def _changed_byte(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(len(bundle.lines))
    line = bytearray(bundle.lines[place])
    line[dice.randrange(len(line))] ^= 1 << dice.randrange(7)
    bundle.lines[place] = bytes(line).replace(b"\n", b" ")
    return place


def _changed_card(bundle: Bundle, dice: random.Random) -> int:
    place = dice.choice(bundle.with_facts(b"packet-dispensed", b"hand-settled"))
    bundle.lines[place] = re.sub(rb'"([2-9])([cdhs])"', rb'"A\2"', bundle.lines[place], count=1) + b" "
    return place


def _taken_out(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(len(bundle.lines) - 1)
    del bundle.lines[place], bundle.hashes[place], bundle.checkpoints[place]
    return place


def _put_in_twice(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(len(bundle.lines) - 1)
    bundle.lines.insert(place, bundle.lines[place])
    bundle.hashes.insert(place, bundle.hashes[place])
    bundle.checkpoints.insert(place, "")
    return place + 1


def _swapped(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(len(bundle.lines) - 1)
    bundle.lines[place : place + 2] = reversed(bundle.lines[place : place + 2])
    return place


def _cut_off(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(1, len(bundle.lines) - 1)
    del bundle.lines[place:]
    return place - 1


def _changed_hash(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(len(bundle.hashes))
    bundle.hashes[place] = "00" * 32
    return place


def _changed_amount(bundle: Bundle, dice: random.Random) -> int:
    """Hashed again: only the paytable speaks against it."""
    place = dice.choice(
        [n for n in bundle.with_facts(b"hand-settled") if re.search(rb'"pays_cents":[1-9]', bundle.lines[n])]
    )
    bundle.lines[place] = re.sub(
        rb'"pays_cents":(\d+)', lambda found: b'"pays_cents":%d' % (int(found[1]) + 50), bundle.lines[place], count=1
    )
    bundle.hash_again()
    return place


def _changed_total(bundle: Bundle, dice: random.Random) -> int:
    """Hashed again: only the sum speaks against it."""
    place = dice.choice(bundle.with_facts(b"round-settled"))
    bundle.lines[place] = bundle.lines[place].replace(b'"take_cents":', b'"take_cents":1')
    bundle.hash_again()
    return place


def _changed_bet(bundle: Bundle, dice: random.Random) -> int:
    """Hashed again, and nothing is paid by it: only the signature after it speaks against it."""
    place = dice.choice([place for place in bundle.with_facts(b"bet-placed") if place <= bundle.signed[-1]])
    bundle.lines[place] = bundle.lines[place].replace(b'"who":"', b'"who":"x', 1)
    bundle.hash_again()
    return next(signed for signed in bundle.signed if signed >= place)


def _settled_later(bundle: Bundle, *kinds: bytes) -> dict[int, int]:
    """The places of lines that say one of these, of rounds that were settled, each with the place where that was."""
    voided = set(bundle.with_facts(b"round-voided"))
    ends = bundle.with_facts(b"round-settled", b"round-voided")
    after = {place: next((end for end in ends if end >= place), None) for place in bundle.with_facts(*kinds)}
    return {place: end for place, end in after.items() if end is not None and end not in voided}


def _nine_times_ten(line: bytes, of: bytes) -> bytes:
    """A first digit before the first stake behind these words."""
    at = line.index(of)
    return line[:at] + re.sub(rb'"stake_cents":(\d+)', rb'"stake_cents":9\1', line[at:], count=1)


def _changed_stake(bundle: Bundle, dice: random.Random) -> int:
    """Hashed again: a stake is higher than the bet that was placed."""
    place = dice.choice(bundle.with_facts(b"betting-closed"))
    bundle.lines[place] = _nine_times_ten(bundle.lines[place], b'"betting-closed"')
    bundle.hash_again()
    return place


def _changed_bet_and_stake(bundle: Bundle, dice: random.Random) -> int:
    """Hashed again: a bet and its stake are higher than what was settled."""
    place, end = dice.choice(list(_settled_later(bundle, b"betting-closed").items()))
    facts = json.loads(bundle.lines[place])["facts"]
    stake = next(fact["data"]["stakes"][0] for fact in facts if fact["kind"] == "betting-closed")
    words = b'"data":{"seat":%d,"wager":"%s","stake_cents":' % (stake["seat"], stake["wager"].encode())
    placed = bundle.with_facts(b"bet-placed")
    bet = max(n for n in placed if n < place and words in bundle.lines[n])
    bundle.lines[bet] = _nine_times_ten(bundle.lines[bet], words[:-14])
    bundle.lines[place] = _nine_times_ten(bundle.lines[place], b'"betting-closed"')
    bundle.hash_again()
    return end


def _staked_hand(record: dict[str, Any]) -> dict[str, Any] | None:
    """The first hand that is settled there with a stake, or None: a bonus is settled without one."""
    hands = (fact["data"] for fact in record["facts"] if fact["kind"] == "hand-settled")
    return next((hand for hand in hands if any(one["stake_cents"] for one in hand["wagers"])), None)


def _left_out_wager(bundle: Bundle, dice: random.Random) -> int:
    """Hashed again, with the round's sums: a bet was never settled."""
    later = [(place, end) for place, end in _settled_later(bundle, b"hand-settled").items() if end > place]
    place, end = dice.choice([each for each in later if _staked_hand(json.loads(bundle.lines[each[0]])) is not None])
    record, over = json.loads(bundle.lines[place]), json.loads(bundle.lines[end])
    hand = _staked_hand(record)
    assert hand is not None
    wager = hand["wagers"].pop(next(n for n, one in enumerate(hand["wagers"]) if one["stake_cents"]))
    sums = next(fact["data"] for fact in over["facts"] if fact["kind"] == "round-settled")
    sums["stakes_cents"] -= wager["stake_cents"]
    sums["returned_cents"] -= wager["returned_cents"]
    sums["take_cents"] += wager["pays_cents"]
    for at, written in ((place, record), (end, over)):
        bundle.lines[at] = json.dumps(written, separators=(",", ":"), ensure_ascii=False).encode()
    bundle.hash_again()
    return end


TAMPERINGS: list[Tamper] = [
    _changed_byte,
    _changed_card,
    _taken_out,
    _put_in_twice,
    _swapped,
    _cut_off,
    _changed_hash,
    _changed_amount,
    _changed_total,
    _changed_bet,
    _changed_stake,
    _changed_bet_and_stake,
    _left_out_wager,
]


def expect_named(bundle: Path, tamper: Tamper, seeds: Iterable[int], scratch: Path) -> None:
    """Tamper with a copy of the export for each seed, and have each place named."""
    for seed in seeds:
        copy = Path(shutil.copytree(bundle, scratch / "tampered"))
        tampered = Bundle(copy)
        place = tamper(tampered, random.Random(seed))
        tampered.write()
        done = checked(copy)
        assert (done.returncode, done.stderr) == (1, ""), f"{tamper.__name__}, seed {seed}"
        assert done.stdout.startswith(f"record {place + 1}: "), f"{tamper.__name__}, seed {seed}: {done.stdout}"
        shutil.rmtree(copy)
