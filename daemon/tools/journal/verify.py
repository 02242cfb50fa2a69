"""Check an export of a feltd journal: run `python3 verify.py` in its directory.

This file needs nothing of feltd, only Python 3.9 or newer. It checks the hashes that chain the records (SHA-256), the
signatures of checkpoints (Ed25519, RFC 8032), that no number is missing, and that amounts follow from the paytables,
which the hashes in the events prove. It names each record that does not fit, and then ends with status 1.

    --key HEX            the public key that must have signed; ask the house for it, not this export
    --known OFFSET:HASH  the hash of a record; a `round-settled` event with the id X:8:0 names that of record 7
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)
Point = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, T = XY/Z


def add(a: Point, b: Point) -> Point:
    """Add two points of the curve."""
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    x, y, z, t = f - e, h + g, h - g, f + e
    return (x * z % P, y * t % P, z * y % P, x * t % P)


def times(number: int, point: Point) -> Point:
    """Multiply a point of the curve."""
    result: Point = (0, 1, 1, 0)
    while number:
        result = add(result, point) if number & 1 else result
        point, number = add(point, point), number >> 1
    return result


def point_of(packed: bytes) -> Point | None:
    """Read a point, or return None if the bytes are not one."""
    sign, y = packed[31] >> 7, int.from_bytes(packed, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    is_none = y >= P or (x * x - square) % P or (x == 0 and sign)
    x = P - x if x & 1 != sign else x
    return None if is_none else (x, y, 1, x * y % P)


def is_signed(key: bytes, line: bytes, signature: bytes) -> bool:
    """Return whether the owner of the key signed the line."""
    owner, r, base = point_of(key), point_of(signature[:32]), point_of(b"\x58" + b"\x66" * 31)
    s = int.from_bytes(signature[32:], "little")
    if owner is None or r is None or base is None or s >= ORDER or len(key + signature) != 96:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + line).digest(), "little") % ORDER
    a, b = times(s, base), add(r, times(h, owner))
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 == (a[1] * b[2] - b[1] * a[2]) % P


def net_of(award: str, stake: int) -> Fraction:
    """Return what an award is worth beyond the stake: `3 to 2`, `push`, `lose 1/2`, `prize 50.00 from 1.00`."""
    if award.startswith("prize"):
        return Fraction(award.split()[1]) * 100
    if " to " in award:
        return stake * Fraction(award.replace(" to ", "/"))
    return -stake * Fraction({"push": "0", "lose": "1"}.get(award) or award.split()[1])


class Check:
    """What was seen so far, and every place that does not fit."""

    def __init__(self, directory: Path, key: str | None, known: dict[int, str]) -> None:
        def lines(name: str) -> list[Any]:
            return [json.loads(line) for line in (directory / name).read_text("utf-8").splitlines()]

        self.base, texts = lines("base.json")[0], lines("paytables.json")[0].items()
        proven = [(sha256, text) for sha256, text in texts if hashlib.sha256(text.encode()).hexdigest() == sha256]
        self.paytables = {name: dict(row.split(" | ")[::2] for row in text.splitlines()[3:]) for name, text in proven}
        self.checkpoints = {json.loads(one["line"])["offset"]: one for one in lines("checkpoints.jsonl")}
        self.listed = (directory / "hashes.txt").read_text("ascii").split()
        self.known, self.key, self.chip, self.journal = known, key, self.base["chip_cents"], self.base["journal"]
        self.offset, self.sequence, self.hash = self.base["offset"], self.base["sequence"], self.base["hash"]
        self.rounds: dict[str, list[dict[str, Any]]] = {}
        self.faults, self.settled, self.signed = list[str](), 0, 0
        if self.offset == 0 and hashlib.sha256((directory / "header.json").read_bytes()).hexdigest() != self.hash:
            self.fault("the first hash is not that of the header")

    def fault(self, what: str) -> None:
        self.faults.append(f"record {self.offset}: {what}\n")

    def take(self, line: bytes) -> None:
        """Check the next record."""
        before, self.hash = self.hash, hashlib.sha256(bytes.fromhex(self.hash) + line).hexdigest()
        self.offset += 1
        place = self.offset - self.base["offset"] - 1
        if self.listed[place : place + 1] != [self.hash]:
            self.fault("its content is not what was hashed")
            self.hash = (self.listed[place : place + 1] or [self.hash])[0]
        if self.known.get(self.offset, self.hash).lower() != self.hash:
            self.fault("it does not have the hash that you kept")
        try:
            self.read(json.loads(line), before)
        except (ValueError, KeyError, TypeError, AttributeError):
            self.fault("it cannot be read")

    def read(self, record: dict[str, Any], before: str) -> None:
        """Check what a record says."""
        if record["offset"] != self.offset:
            self.fault(f"here stands record {record['offset']}")
        happened = record["input"]
        if happened["kind"] == "configured":
            self.chip = happened["settings"].get("money", {}).get("chip", 1)
        self.journal = happened["journal"] if happened["kind"] == "journal-restored" else self.journal
        for fact in record.get("facts", []):
            self.sequence += 1
            if fact["sequence"] != self.sequence:
                self.fault(f"event {fact['sequence']} stands where event {self.sequence} belongs")
            self.take_event(fact["kind"], fact.get("round", ""), fact["data"], before)
        if self.offset in self.checkpoints:
            self.take_checkpoint(self.checkpoints[self.offset])

    def take_event(self, kind: str, name: str, data: dict[str, Any], before: str) -> None:
        """Check what an event says of amounts and of the chain."""
        one = kind in ("first-five-settled", "wager-taken")
        wagers = [data["wager"]] if one else data["wagers"] if kind in ("hand-settled", "fold-settled") else []
        for wager in wagers:
            for what in self.amounts(wager, [beside["stake_cents"] for beside in wagers]):
                self.fault(f"{name}, {wager['wager']}: {what}")
        self.rounds.setdefault(name, []).extend(wagers)
        if kind == "round-settled":
            if data["journal_hash"] != before:
                self.fault(f"{name} names another hash for the record before")
            totals = [
                sum(each[of] for each in self.rounds[name]) for of in ("stake_cents", "returned_cents", "pays_cents")
            ]
            if totals != [data["stakes_cents"], data["returned_cents"], -data["take_cents"]]:
                self.fault(f"{name} does not add up to what its wagers came to")
            self.settled += 1
        if kind in ("round-settled", "round-voided"):
            del self.rounds[name]

    def amounts(self, wager: dict[str, Any], beside: list[int]) -> Iterator[str]:
        """Yield what is wrong with one wager's amounts. A bonus without a stake is paid on a stake beside it."""
        stake, pays, row = wager["stake_cents"], wager["pays_cents"], wager["row"]
        rows, rounding = self.paytables.get(wager["paytable_hash"]), Fraction(wager["rounding"] or 0)
        if wager["returned_cents"] != stake + pays or abs(rounding) >= self.chip:
            yield "what is returned is not the stake and what it pays, or it is rounded by more than a chip"
        if wager["paytable_hash"] and rows is None:
            yield "its paytable is not in the export, or was changed"
        elif rows is None or row is None:
            if pays not in (0, -stake):
                yield "it pays without a row of a paytable"
        elif row not in rows:
            yield f"its paytable has no row {row}"
        else:
            due = [net_of(rows[row], on) for on in ([stake] if stake else [0, *beside])]
            if pays + wager["aggregate_cut_cents"] - rounding not in due:
                yield f"{row} does not pay {pays} cents"

    def take_checkpoint(self, one: dict[str, str]) -> None:
        """Check the signed checkpoint of the record that was just read."""
        said = json.loads(one["line"])
        if not is_signed(bytes.fromhex(one["key"]), one["line"].encode(), bytes.fromhex(one["signature"])):
            self.fault("the signature of its checkpoint is not valid")
        elif (said["journal"], said["hash"]) != (self.journal, self.hash):
            self.fault("its checkpoint was signed for another content")
        elif self.key not in (None, one["key"]):
            self.fault("its checkpoint is signed by another key")
        else:
            self.signed = self.offset


def main(words: list[str]) -> int:
    """Check the export in this file's directory, and say what was found."""
    values = {name: [words[at + 1] for at, word in enumerate(words) if word == name] for name in ("--key", "--known")}
    known = {int(value.split(":")[0]): value.split(":")[1] for value in values["--known"]}
    directory = Path(__file__).resolve().parent
    check = Check(directory, values["--key"][0].lower() if values["--key"] else None, known)
    with (directory / "records.jsonl").open("rb") as records:
        for line in records:
            check.take(line.rstrip(b"\n"))
    if len(check.listed) != check.offset - check.base["offset"] or max(known, default=0) > check.offset:
        check.fault("records are missing behind it")
    if check.key and not check.signed:
        check.fault("nothing up to it is signed by the key that you gave")
    signed = f"signed up to record {check.signed}" if check.signed else "unsigned"
    counted = f"records {check.base['offset'] + 1} to {check.offset}, {check.settled} settled rounds, {signed}\n"
    verdict = f"{len(check.faults)} places do not fit\n" if check.faults else "everything fits\n"
    sys.stdout.writelines([*check.faults, counted, f"last hash {check.hash}\n", verdict])
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
