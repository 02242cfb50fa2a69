"""Check an export of a feltd journal, but not its cards: run `python3 -I verify.py` there, with Python 3.9 or newer.

--key KEY            the public key that must have signed, as its file in PEM or in hex; ask the house for it
--known OFFSET:HASH  the hash of a record; a `round-settled` event with the id X:8:0 names that of record 7
"""

import sys

if __name__ == "__main__" and not sys.flags.isolated:
    sys.exit("Start this with python3 -I verify.py: without -I, programs that somebody put beside it would be run.")

import base64
import json
from collections import Counter
from fractions import Fraction
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

Json = dict[str, Any]
P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519 (RFC 8032): field, order,
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)  # constant of the curve, root of -1, base point
BASE = (0x216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A, 4 * pow(5, -1, P) % P)


def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """Add two points of the curve, each as x and y."""
    x, y, k = a[0] * b[1] + b[0] * a[1], a[1] * b[1] + a[0] * b[0], D * a[0] * a[1] * b[0] * b[1] % P
    return x * pow(1 + k, -1, P) % P, y * pow(1 - k, -1, P) % P


def is_signed(key: bytes, line: bytes, signature: bytes) -> bool:
    """Return whether the owner of the key signed the line: s times the base, less h times the key, is R."""
    y, s = int.from_bytes(key, "little") & (1 << 255) - 1, int.from_bytes(signature[32:], "little")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P  # of x: a key has y, and whether x is odd
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    if len(key) != 32 or len(signature) != 64 or (x * x - square) % P or x == 0 or y >= P or s >= ORDER:
        return False
    less = (P - x if x & 1 == key[31] >> 7 else x, y)
    h, r = int.from_bytes(sha512(signature[:32] + key + line).digest(), "little") % ORDER, (0, 1)
    for bit in reversed(range(ORDER.bit_length())):
        r = add(r, r)
        r = add(r, BASE) if s >> bit & 1 else r
        r = add(r, less) if h >> bit & 1 else r
    return (r[1] | (r[0] & 1) << 255).to_bytes(32, "little") == signature[:32]


def key_of(word: str) -> str:
    """Return a public key in hexadecimal, from there or from its file in PEM, in which 12 bytes stand before it."""
    file = Path(word).read_text().splitlines()[1:-1] if Path(word).is_file() else []
    return base64.b64decode("".join(file)).hex().replace("302a300506032b6570032100", "") or word.lower()


def read(text: str) -> Json:
    """Read JSON in its one spelling. What has a name twice, or 1.0 for 1, is read by programs in two ways."""
    found: Json = json.loads(text, parse_float=int, parse_constant=int)
    if json.dumps(found, ensure_ascii=False, separators=(",", ":")) != text:
        raise ValueError("another spelling")
    return found


def net_of(award: str, stake: int) -> Fraction:
    """Return what an award is worth beyond the stake: `3 to 2`, `push`, `lose 1/2`, `prize 50.00 from 1.00`."""
    if award.startswith("prize "):
        return Fraction(int(award.split()[1].replace(".", "")))
    odds = award.replace(" to ", "/").replace("push", "0").replace("lose ", "-").replace("lose", "-1")
    return stake * Fraction(*map(int, odds.split("/")))  # Fraction("1e999999999") would count without end


class Check:
    """What was seen so far, and how many places do not fit."""

    def __init__(self, base: Json, key: str, known: dict[int, str]) -> None:
        self.key, self.known, self.signed, self.settled, self.number, self.faults = key, known, "unsigned", 0, 0, 0
        self.rounds, self.limits, self.told = Json(), set[Any](), set[str]()
        self.offset, self.sequence = base["offset"], base["sequence"]
        self.hash = bytes.fromhex(base["hash"]).hex() if self.offset else sha256(base["header"].encode()).hexdigest()
        self.configure(base["settings"])
        self.paytables: dict[Any, dict[Any, str]] = {None: {}}
        for text in base["paytables"]:
            rows = [line.split(" | ") for line in text.splitlines()[3:]]
            self.paytables[sha256(text.encode()).hexdigest()] = {row: award for row, _, award in rows}

    def configure(self, settings: Json) -> None:
        """Note the chip, and the most that a deal pays on the odds of a wager, with the least odds that count."""
        self.chip = settings.get("money", {}).get("chip", 1)
        for one in (one for _, day in settings.get("limits", {}).get("dated", []) for one in day.get("aggregates", [])):
            self.limits.add((one["wager"], one["most"], 0 if one.get("shares_all", True) else 50))

    def expect(self, fits: bool, what: str) -> bool:
        """Name the place if it does not fit. What the export says of it goes to a terminal."""
        self.faults += not fits
        sys.stdout.write("" if fits else f"record {self.offset}: {ascii(what[:200])[1:-1]}\n")
        return fits

    def check_record(self, line: bytes, listed: str = "", *signed: str) -> None:
        """Check the next record: its hash, its number, its events, and what was signed there."""
        self.offset, before = self.offset + 1, self.hash
        self.hash = sha256(bytes.fromhex(before) + line).hexdigest()
        self.expect(self.hash == listed, "its content is not what was hashed")
        try:
            self.hash = bytes.fromhex(listed).hex() or self.hash  # so that the next record is not named as well
            self.expect(self.known.pop(self.offset, self.hash) == self.hash, "it does not have the hash that you kept")
            record = read(line.decode())
            self.expect(record["offset"] == self.offset, f"here stands record {record['offset']}")
            if record["input"]["kind"] == "configured":
                self.configure(record["input"]["settings"])
            elif record["input"]["kind"] == "journal-restored":
                self.number = 0  # rounds that were in the lost journal have no number again
                self.told.add(f"record {self.offset} continues a copy in the place of a lost journal\n")
            for fact in record.get("facts", []):
                due, self.sequence = self.sequence + 1, fact["sequence"]
                self.expect(self.sequence == due, f"event {self.sequence} stands where event {due} belongs")
                self.check_event(fact["kind"], fact.get("round", ""), fact["data"], before)
            if signed:
                self.check_signature(*signed)
        except Exception:  # whatever somebody wrote there
            self.expect(False, "it cannot be read")

    def check_signature(self, key: str, signature: str, line: str) -> None:
        """Check the checkpoint of the record that was just read."""
        fits = is_signed(bytes.fromhex(key), line.encode(), bytes.fromhex(signature))
        self.expect(fits, "the signature of its checkpoint is not valid")
        fits &= self.expect(read(line)["hash"] == self.hash, "its checkpoint was signed for another content")
        fits &= self.expect(self.key in ("", key), "its checkpoint is signed by another key")
        self.signed = f"signed up to record {self.offset}" if fits else self.signed

    def check_event(self, kind: str, name: str, data: Json, before: str) -> None:
        """Check what an event says of a round. `lies` has what each seat put down, less what was settled of it."""
        bets, lies, settled = self.rounds.setdefault(name, ({}, Counter(), []))
        if kind == "round-opened":
            follows = self.number in (0, data["number"] - 1) and not any(lies for _, lies, _ in self.rounds.values())
            self.expect(follows, f"{name} opens where a round is missing, or another is not over")
            self.number = data["number"]
        elif kind in ("bet-placed", "bet-removed") and self.expect(len(bets) < 1000, "nobody has so many bets"):
            bets.pop(place := (data["seat"], data["wager"], data["colour"]), None)  # so that the last one stands last
            bets[place] = data.get("stake_cents", 0)
        elif kind == "bets-cleared":
            bets.update({place: 0 for place in bets if place[0] == data["seat"]})
        elif kind == "betting-closed":
            self.check_stakes(data["stakes"], bets, lies)
        elif kind in ("player-decided", "stake-corrected"):
            cents = (data["stake_cents"] or 0) if kind == "player-decided" else data["returned_cents"]
            self.expect(cents >= 0, f"{name}: a stake below nothing")
            lies[data["seat"]] += cents if kind == "player-decided" else -cents
        elif kind in ("hand-settled", "fold-settled", "first-five-settled", "wager-taken"):
            settled += (wagers := data["wagers"] if "wagers" in data else [data["wager"]])
            for wager in wagers if self.expect(len(wagers) < 100, "nobody has so many wagers") else []:
                self.check_wager(wager, f"{name}, {wager['wager']}: ", [one["stake_cents"] for one in wagers])
                lies[data["seat"]] -= wager["stake_cents"]
        elif kind == "round-voided":
            del self.rounds[name]
        elif kind == "round-settled":
            del self.rounds[name]
            self.settled += 1
            self.expect(data["journal_hash"] == before, f"{name} names another hash for the record before")
            self.expect(not any(lies.values()), f"{name}: a seat put down other stakes than were settled")
            totals = [sum(one[of] for one in settled) for of in ("stake_cents", "returned_cents", "pays_cents")]
            fits = totals == [data["stakes_cents"], data["returned_cents"], -data["take_cents"]]
            self.expect(fits, f"{name} does not add up to what its wagers came to")
            self.check_cuts(name, settled)

    def check_stakes(self, stakes: list[Json], bets: dict[Any, int], lies: "Counter[int]") -> None:
        """Check that each stake is a bet or was seen, and the last of each spot is there: others may be replaced."""
        missing = {place for place in {place[:2]: place for place in bets}.values() if bets[place]}
        for one in stakes:
            place, seen = (one["seat"], one["wager"], one["colour"]), one.get("evidence") == "seen-by-device"
            fits = one["stake_cents"] == bets.get(place) or (seen and not bets.get(place))
            missing = missing - {place} if fits else {*missing, place}
            lies[one["seat"]] += one["stake_cents"]
        self.expect(not missing, "betting closed with other stakes than the bets that were placed")

    def check_wager(self, wager: Json, whose: str, beside: list[int]) -> None:
        """Check one wager's amounts, and note its odds. A bonus without a stake is paid on a stake beside it."""
        stake, pays, row, table = (wager[of] for of in ("stake_cents", "pays_cents", "row", "paytable_hash"))
        rounding, rows = net_of(wager["rounding"] or "push", 1), self.paytables.get(table, {})
        is_whole = rounding == 0 or (pays + wager["aggregate_cut_cents"]) % self.chip == 0
        self.expect(wager["returned_cents"] == stake + pays >= 0 <= stake, f"{whose}it does not return what it pays")
        self.expect(abs(rounding) < self.chip and is_whole, f"{whose}it is not rounded to a chip")
        self.expect(table in self.paytables, f"{whose}its paytable is not in the export, or was changed")
        awards = [rows[row]] if row in rows else [] if row else ["push", "lose"]
        due = [net_of(award, on) + rounding for award in awards for on in ([stake] if stake else [0, *beside])]
        self.expect(pays + wager["aggregate_cut_cents"] in due, f"{whose}{row} does not pay {pays} cents")
        wager["odds"] = net_of(rows[row], 1) if " to " in rows.get(row, "") else -1
        self.told |= {f"paid by {wager['paytable']!a}, {table}\n"} if row in rows else set()

    def check_cuts(self, name: str, wagers: list[Json]) -> None:
        """Check that a deal in which wins were cut paid all of an aggregate limit, in whole chips and in proportion."""
        cuts = [one for one in wagers if one["aggregate_cut_cents"]]
        left = {one["wager"] for one in cuts}
        for of, most, least in self.limits if cuts else ():
            won = [one for one in wagers if one["wager"] == of and one["odds"] >= least]
            fits = all(one in won and one["aggregate_cut_cents"] > 0 for one in cuts if one["wager"] == of)
            some = [(one["pays_cents"], one["aggregate_cut_cents"]) for one in cuts if one in won and one["pays_cents"]]
            rate = Fraction(sum(pays for pays, _ in some), sum(map(sum, some)) or 1)  # each is rounded to a chip
            fits &= all(abs(pays - rate * (pays + cut)) < self.chip * (1 + len(won) - len(some)) for pays, cut in some)
            if fits and of in left and 0 <= most - sum(one["pays_cents"] for one in won) < self.chip:
                left.discard(of)
                self.told.add(f"deals paid the aggregate limit of {of!a}, {most / 100:.2f}\n")
        self.expect(not left, f"{name}: wins were cut, and the deal did not pay all of an aggregate limit")


if __name__ == "__main__":
    here, place, given = Path(__file__).parent, "what you wrote behind verify.py", {"--key": [""], "--known": [""]}
    try:
        for at in range(1, len(sys.argv), 2):
            given[sys.argv[at]].append(sys.argv[at + 1])
        key = "".join(map(key_of, given["--key"][1:]))
        known = {int(offset): hash_.lower() for offset, hash_ in (word.split(":") for word in given["--known"][1:])}
        for place in ("records.jsonl", "hashes.txt", "base.json"):
            if not (here / place).is_file():  # a device that is linked there never ends
                sys.exit(f"{place} cannot be read")
        check = Check(read((here / place).read_text("utf-8").rstrip("\n")), key, known)
        check.expect(known.pop(check.offset, check.hash) == check.hash, "it does not have the hash that you kept")
        first, place = check.offset + 1, "records.jsonl"
        with (here / "hashes.txt").open(errors="replace") as hashes, (here / place).open("rb") as records:
            for line in iter(lambda: records.readline(1 << 20), b""):  # a table writes less
                check.check_record(line.rstrip(b"\n"), *hashes.readline(1 << 20).strip().split(maxsplit=3))
            check.expect(not hashes.read(1) and not known, "records are missing behind it or before it")
    except Exception:  # whatever somebody wrote there
        sys.exit(f"{place} cannot be read")
    check.expect(not key or check.signed != "unsigned", "nothing up to it is signed by the key that you gave")
    counted = f"records {first} to {check.offset}, {check.settled} settled rounds, {check.signed}\n"
    verdict = f"{check.faults} places do not fit\n" if check.faults else "everything fits\n"
    sys.stdout.writelines([counted, *sorted(check.told), f"last hash {check.hash}\n", verdict])
    sys.exit(1 if check.faults else 0)
