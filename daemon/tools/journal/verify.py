"""Check an export of a feltd journal: run `python3 -I verify.py` in its directory.

With Python 3.9 or newer it checks the chain (SHA-256), the signatures (Ed25519, RFC 8032), that the bets of each seat
are its stakes and are settled, and amounts by stake, row, paytable and limit. It does not look whether a hand is worth
its row. JSON with a name twice, or with a number that is not whole, is refused: programs read it in two ways.

    --key KEY            the public key that must have signed, as its file in PEM or in hex; ask the house for it
    --known OFFSET:HASH  the hash of a record; a `round-settled` event with the id X:8:0 names that of record 7
"""

import sys

if __name__ == "__main__" and not sys.flags.isolated:
    sys.exit("Start this with python3 -I verify.py: without -I, programs that somebody put beside it would be run.")

import base64
import hashlib
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493
D, ROOT = -121665 * pow(121666, P - 2, P) % P, pow(2, (P - 1) // 4, P)
ED25519 = bytes.fromhex("302a300506032b6570032100")  # what stands before a public key in its file (RFC 8410)
Point = tuple[int, int, int, int]  # extended coordinates: x = X/Z, y = Y/Z, T = XY/Z
BETS = ("bet-placed", "bet-removed", "bets-cleared")


def add(a: Point, b: Point) -> Point:
    """Add two points of the curve."""
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    return ((f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P)


def times(number: int, point: Point) -> Point:
    """Multiply a point of the curve."""
    rest = times(number >> 1, add(point, point)) if number else (0, 1, 1, 0)
    return add(rest, point) if number & 1 else rest


def point_of(packed: bytes) -> "Point | None":
    """Read a point, or return None if the bytes are not one."""
    sign, y = packed[31] >> 7, int.from_bytes(packed, "little") & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    is_none = y >= P or (x * x - square) % P or (x == 0 and sign)
    return None if is_none else (x, y, 1, x * y % P) if x & 1 == sign else (P - x, y, 1, (P - x) * y % P)


def is_signed(key: bytes, line: bytes, signature: bytes) -> bool:
    """Return whether the owner of the key signed the line."""
    owner, r, base = point_of(key), point_of(signature[:32]), point_of(b"\x58" + b"\x66" * 31)
    s = int.from_bytes(signature[32:], "little")
    if owner is None or r is None or base is None or s >= ORDER or len(key + signature) != 96:
        return False
    h = int.from_bytes(hashlib.sha512(signature[:32] + key + line).digest(), "little") % ORDER
    a, b = times(s, base), add(r, times(h, owner))
    return (a[0] * b[2] - b[0] * a[2]) % P == 0 == (a[1] * b[2] - b[1] * a[2]) % P


def ratio(text: str) -> Fraction:
    """Read `1/2` or `3`. Fraction alone would also take 1e999999999, and count without end."""
    return Fraction(*map(int, text.split("/")))


def net_of(award: str, stake: int) -> Fraction:
    """Return what an award is worth beyond the stake: `3 to 2`, `push`, `lose 1/2`, `prize 50.00 from 1.00`."""
    first, *rest = award.split()
    if first == "prize":
        return Fraction(int(rest[0].replace(".", "")))
    lost = {"push": "0", "lose": "1"}.get(award) or rest[0]
    return stake * ratio(f"{first}/{rest[1]}") if rest[:1] == ["to"] else -stake * ratio(lost)


def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object of JSON in which no name stands twice."""
    if len(found := dict(pairs)) != len(pairs):
        raise ValueError("a name stands twice")
    return found


def read(text: "bytes | str") -> dict[str, Any]:
    """Read JSON that can be read in one way. `int` refuses NaN, Infinity, 1.5 and 1e999."""
    found: dict[str, Any] = json.loads(text, object_pairs_hook=once, parse_float=int, parse_constant=int)
    return found


def key_of(word: str) -> str:
    """Return a public key in hexadecimal, from there or from its file in PEM."""
    if not Path(word).is_file():
        return word.lower()
    packed = base64.b64decode("".join(line for line in Path(word).read_text().splitlines() if "-" not in line))
    if len(packed) != len(ED25519) + 32 or not packed.startswith(ED25519):
        raise ValueError(f"{word} is not an Ed25519 public key in PEM")
    return packed[len(ED25519) :].hex()


class Check:
    """What was seen so far, and every place that does not fit."""

    def __init__(self, directory: Path) -> None:
        self.directory, self.place, self.signed = directory, "what you wrote behind verify.py", "unsigned"
        self.key, self.known, self.limits = "", dict[int, str](), set[tuple[str, int, int]]()
        self.rounds, self.reached = dict[str, tuple[Any, Any, Any]](), set[str]()
        self.faults, self.settled, self.first, self.offset, self.hash = list[str](), 0, 0, 0, ""

    def file(self, name: str) -> Path:
        """Return where a file of the export is. A device that is linked there never ends."""
        self.place = name
        if not (self.directory / name).is_file():
            raise OSError
        return self.directory / name

    def load(self) -> None:
        """Read what stands beside the records."""
        base = read(self.file("base.json").read_bytes())
        self.chip, self.journal, self.hash = base["chip_cents"], base["journal"], bytes.fromhex(base["hash"]).hex()
        self.learn(base["limits"])
        self.first, self.offset, self.sequence = int(base["offset"]), int(base["offset"]), int(base["sequence"])
        texts = read(self.file("paytables.json").read_bytes()).items()
        tables = [(name, text) for name, text in texts if hashlib.sha256(text.encode()).hexdigest() == name]
        self.paytables = {name: dict(row.split(" | ")[::2] for row in text.splitlines()[3:]) for name, text in tables}
        signed = [read(line) for line in self.file("checkpoints.jsonl").read_bytes().splitlines()]
        self.checkpoints = {read(one["line"])["offset"]: one for one in signed}
        self.listed = iter([bytes.fromhex(each).hex() for each in self.file("hashes.txt").read_text("ascii").split()])
        header = hashlib.sha256(self.file("header.json").read_bytes()).hexdigest()
        self.expect(self.offset != 0 or header == self.hash, "the first hash is not that of the header")

    def learn(self, limits: dict[str, Any]) -> None:
        """Note the most that a deal pays on the odds of a wager, and the least odds that count."""
        for one in (one for _, day in limits.get("dated", []) for one in day.get("aggregates", [])):
            self.limits.add((one["wager"], one["most"], 0 if one.get("shares_all", True) else 50))

    def expect(self, fits: bool, what: str) -> bool:
        """Note the place if it does not fit; what the export says of it goes to a terminal."""
        self.faults += [] if fits else [f"record {self.offset}: {ascii(what[:200])[1:-1]}\n"]
        return fits

    def take(self, line: bytes) -> None:
        """Check the next record."""
        before, self.hash = self.hash, hashlib.sha256(bytes.fromhex(self.hash) + line).hexdigest()
        self.offset += 1
        if not self.expect((listed := next(self.listed, "")) == self.hash, "its content is not what was hashed"):
            self.hash = listed or self.hash
        self.expect(self.known.get(self.offset, self.hash) == self.hash, "it does not have the hash that you kept")
        try:
            happened = (record := read(line))["input"]
            self.expect(record["offset"] == self.offset, f"here stands record {record['offset']}")
            if happened["kind"] == "configured":
                self.chip = happened["settings"].get("money", {}).get("chip", 1)
                self.learn(happened["settings"].get("limits", {}))
            self.journal = happened["journal"] if happened["kind"] == "journal-restored" else self.journal
            for fact in record.get("facts", []):
                self.sequence, here = self.sequence + 1, fact["sequence"]
                self.expect(here == self.sequence, f"event {here} stands where event {self.sequence} belongs")
                self.take_event(fact["kind"], fact.get("round", ""), fact["data"], before)
            if self.offset in self.checkpoints:
                self.take_checkpoint(self.checkpoints[self.offset])
        except Exception:  # whatever somebody wrote there
            self.expect(False, "it cannot be read")

    def take_event(self, kind: str, name: str, data: dict[str, Any], before: str) -> None:
        """Check what an event says of amounts and of the chain. `lies` has what seats put down and what was settled."""
        settled, lies, bets = self.rounds.setdefault(name, ([], [], {}))
        self.take_bet(kind, data, bets) if kind in BETS else None
        is_one = kind in ("first-five-settled", "wager-taken")
        wagers = [data["wager"]] if is_one else data["wagers"] if kind in ("hand-settled", "fold-settled") else []
        for wager in wagers if self.expect(len(wagers) < 100, "nobody has so many wagers") else []:
            self.take_wager(wager, f"{name}, {wager['wager']}: ", [beside["stake_cents"] for beside in wagers])
        settled += wagers
        put = data.get("stakes", [data][: kind == "player-decided"])
        lies += [(one["seat"], one["stake_cents"] or 0) for one in put]
        if kind == "betting-closed":
            self.take_close({(one["seat"], one["wager"], one["colour"]): one for one in put}, bets)
        lies += [(data["seat"], -one["stake_cents"]) for one in wagers]
        lies += [(data["seat"], -data["returned_cents"])] if kind == "stake-corrected" else []
        if kind == "round-settled":
            self.expect(data["journal_hash"] == before, f"{name} names another hash for the record before")
            said = {"stake": data["stakes_cents"], "returned": data["returned_cents"], "pays": -data["take_cents"]}
            totals = {of: sum(each[f"{of}_cents"] for each in settled) for of in said}
            self.expect(totals == said, f"{name} does not add up to what its wagers came to")
            left = [sum(cents for at, cents in lies if at == seat) for seat in {at for at, _ in lies[:500]}]
            self.expect(len(lies) < 500 and not any(left), f"{name}: a seat put down other stakes than were settled")
            self.take_cuts(name, settled)
            self.settled += 1
        if kind in ("round-settled", "round-voided"):
            del self.rounds[name]

    def take_bet(self, kind: str, data: dict[str, Any], bets: dict[Any, Any]) -> None:
        """Note a bet by its place, and its colour by its spot: a later bet may have taken an earlier one's place."""
        spot = (data["seat"], data.get("wager"))
        gone = [place for place in bets if place[0] == spot[0]] if kind == "bets-cleared" else [(*spot, data["colour"])]
        gone += [spot] if kind == "bet-removed" and bets.get(spot, 0) == data["colour"] else []
        for place in gone if self.expect(len(bets) < 1000, "nobody has so many bets") else ():
            bets.pop(place, None)
        if kind == "bet-placed":
            bets[spot], bets[(*spot, data["colour"])] = data["colour"], data["stake_cents"]

    def take_close(self, stakes: dict[Any, Any], bets: dict[Any, Any]) -> None:
        """Check that each stake is a bet, or was seen before the round, and that no last bet of a spot is missing."""
        left_out = [spot for spot, colour in bets.items() if len(spot) == 2 and (*spot, colour) not in stakes]
        seen = {place: one["stake_cents"] for place, one in stakes.items() if one.get("evidence") == "seen-by-device"}
        fits = all({**seen, **bets}.get(place) == one["stake_cents"] for place, one in stakes.items())
        self.expect(fits and not left_out, "betting closed with other stakes than the bets that were placed")

    def take_cuts(self, name: str, wagers: list[dict[str, Any]]) -> None:
        """Check that a deal in which wins were cut paid all of an aggregate limit, in whole chips and in proportion."""
        cuts = [one for one in wagers if one["aggregate_cut_cents"]]
        left = {one["wager"] for one in cuts}
        awards = [(self.paytables.get(one["paytable_hash"], {}).get(one["row"], ""), one) for one in wagers]
        for of, most, least in self.limits if cuts else ():
            won = [one for row, one in awards if one["wager"] == of and " to " in row and net_of(row, 1) >= least]
            fits = all(one in won and one["aggregate_cut_cents"] > 0 for one in cuts if one["wager"] == of)
            some = [(one["pays_cents"], one["aggregate_cut_cents"]) for one in cuts if one in won and one["pays_cents"]]
            rate = Fraction(sum(pays for pays, _ in some), sum(map(sum, some)) or 1)  # each is rounded to a chip
            fits &= all(abs(pays - rate * (pays + cut)) < self.chip * (1 + len(won) - len(some)) for pays, cut in some)
            if fits and of in left and 0 <= most - sum(one["pays_cents"] for one in won) < self.chip:
                left.discard(of)
                self.reached.add(f"deals paid the aggregate limit of {of}, {most / 100:.2f}\n")
        self.expect(not left, f"{name}: wins were cut, and the deal did not pay all of an aggregate limit")

    def take_wager(self, wager: dict[str, Any], whose: str, beside: list[int]) -> None:
        """Check one wager's amounts. A bonus without a stake is paid on a stake beside it."""
        stake, pays, row, table = (wager[of] for of in ("stake_cents", "pays_cents", "row", "paytable_hash"))
        rows, rounding = self.paytables.get(table), ratio(wager["rounding"] or "0")
        fits = wager["returned_cents"] == stake + pays >= 0 <= stake
        self.expect(fits, f"{whose}it does not return the stake and what it pays")
        self.expect(abs(rounding) < self.chip, f"{whose}it is rounded by more than a chip")
        self.expect(rows is not None or not table, f"{whose}its paytable is not in the export, or was changed")
        if rows is None or row is None:
            self.expect(pays in (0, -stake), f"{whose}it pays without a row of a paytable")
        elif self.expect(row in rows, f"{whose}its paytable has no row {row}"):
            due = [net_of(rows[row], on) + rounding for on in ([stake] if stake else [0, *beside])]
            self.expect(pays + wager["aggregate_cut_cents"] in due, f"{whose}{row} does not pay {pays} cents")

    def take_checkpoint(self, one: dict[str, str]) -> None:
        """Check the signed checkpoint of the record that was just read."""
        is_valid = is_signed(bytes.fromhex(one["key"]), one["line"].encode(), bytes.fromhex(one["signature"]))
        fits = self.expect(is_valid, "the signature of its checkpoint is not valid")
        is_same = [read(one["line"])[of] for of in ("journal", "hash")] == [self.journal, self.hash]
        fits &= self.expect(is_same, "its checkpoint was signed for another content")
        fits &= self.expect(self.key in ("", one["key"]), "its checkpoint is signed by another key")
        self.signed = f"signed up to record {self.offset}" if fits else self.signed


def main(words: list[str]) -> int:
    """Check the export in this file's directory, and say what was found."""
    check = Check(Path(__file__).resolve().parent)
    try:
        check.key = key_of("".join(words[at + 1] for at, word in enumerate(words) if word == "--key"))
        known = [words[at + 1].split(":") for at, word in enumerate(words) if word == "--known"]
        check.known = {int(offset): hash_.lower() for offset, hash_ in known}
        check.load()
        with check.file("records.jsonl").open("rb") as records:
            for line in iter(lambda: records.readline(1 << 20), b""):  # a table writes less
                check.take(line.rstrip(b"\n"))
        check.expect(not [*check.listed] and max([0, *check.known]) <= check.offset, "records are missing behind it")
        check.expect(not check.key or check.signed != "unsigned", "nothing up to it is signed by the key that you gave")
    except Exception:  # whatever somebody wrote there
        check.faults.append(f"{check.place} cannot be read\n")
    counted = f"records {check.first + 1} to {check.offset}, {check.settled} settled rounds, {check.signed}\n"
    verdict = f"{len(check.faults)} places do not fit\n" if check.faults else "everything fits\n"
    sys.stdout.writelines([*check.faults, counted, *sorted(check.reached), f"last hash {check.hash}\n", verdict])
    return 1 if check.faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
