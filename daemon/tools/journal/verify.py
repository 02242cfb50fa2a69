"""Check an export of a feltd journal, but not its cards: run `python3 -I verify.py` there, with Python 3.9 or newer.

--key KEY            the public key that must have signed, as its file in PEM or in hex; ask the house for it
--known OFFSET:HASH  the hash of a record; a `round-settled` event with the id X:8:0 names that of record 7
"""

import sys

if __name__ == "__main__" and not sys.flags.isolated:
    sys.exit("Start this with python3 -I verify.py: without -I, programs that somebody put beside it would be run.")

import json
from base64 import b64decode
from collections import Counter
from fractions import Fraction
from hashlib import sha256, sha512
from pathlib import Path
from typing import Any

P, ORDER = 2**255 - 19, 2**252 + 27742317777372353535851937790883648493  # Ed25519 (RFC 8032): field, order,
D, ROOT = -121665 * pow(121666, -1, P) % P, pow(2, (P - 1) // 4, P)  # constant of the curve, root of -1, base point
BASE = (0x216936D3CD6E53FEC0A4E231FDD6DC5C692CC7609525A7B2C9562D608F25D51A, 4 * pow(5, -1, P) % P)
SPOTS = {"play": "play", "insure": "insurance", "double": "blackjack", "split": "blackjack"}  # of a decision's stake


def add(a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int]:
    """Add two points of the curve, each as x and y."""
    x, y, k = a[0] * b[1] + b[0] * a[1], a[1] * b[1] + a[0] * b[0], D * a[0] * a[1] * b[0] * b[1] % P
    return x * pow(1 + k, -1, P) % P, y * pow(1 - k, -1, P) % P


def is_signed(key: bytes, line: str, signature: bytes) -> bool:
    """Return whether the owner of the key signed the line: s times the base, less h times the key, is R."""
    y, s = int.from_bytes(key, "little") & (1 << 255) - 1, int.from_bytes(signature[32:], "little")
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P  # of x: a key has y, and whether x is odd
    x = pow(square, (P + 3) // 8, P)
    x = x * ROOT % P if (x * x - square) % P else x
    if len(key) != 32 or len(signature) != 64 or (x * x - square) % P or x == 0 or y >= P or s >= ORDER:
        return False
    less = (P - x if x & 1 == key[31] >> 7 else x, y)
    h, r = int.from_bytes(sha512(signature[:32] + key + line.encode()).digest(), "little") % ORDER, (0, 1)
    some = ((0, 1), BASE, less, add(BASE, less))  # what to add for a bit of s, and 2 for a bit of h
    for bit in reversed(range(ORDER.bit_length())):
        r = add(add(r, r), some[(s >> bit & 1) + 2 * (h >> bit & 1)])
    return (r[1] | (r[0] & 1) << 255).to_bytes(32, "little") == signature[:32]


def read(text: str) -> dict[str, Any]:
    """Read JSON in its one spelling. What has a name twice, or 1.0 for 1, is read by programs in two ways."""
    found: dict[str, Any] = json.loads(text, parse_float=int, parse_constant=int)
    return found if json.dumps(found, ensure_ascii=False, separators=(",", ":")) == text else {}


def net_of(award: str, stake: int) -> Fraction:
    """Return what an award is worth beyond the stake: `3 to 2`, `push`, `lose 1/2`, `prize 50.00 from 1.00`."""
    if award.startswith("prize "):
        return Fraction(int(award.split()[1].replace(".", "")))
    odds = award.replace(" to ", "/").replace("push", "0").replace("lose ", "-").replace("lose", "-1")
    return stake * Fraction(*map(int, odds.split("/")))  # Fraction("1e999999999") would count without end


class Check:
    """What was seen so far, of all records and of the round that is open, and how many places do not fit."""

    def __init__(self, base: dict[str, Any], key: str, known: dict[int, str]) -> None:
        self.key, self.known, self.signed, self.rounds, self.faults = key, known, "unsigned", 0, 0
        self.offset, self.sequence, self.chip, self.told = base["offset"], base["sequence"], base["chip"], set[str]()
        self.limits, self.paytables, self.next_chip = base["limits"], dict[Any, dict[Any, str]](), base["chip"]
        self.hash = bytes.fromhex(base["hash"]).hex() if self.offset else sha256(base["header"].encode()).hexdigest()
        self.expect(known.pop(self.offset, self.hash) == self.hash, "it does not have the hash that you kept")
        for text in base["paytables"]:
            rows = [line.split(" | ") for line in text.splitlines()[3:]]
            self.paytables[sha256(text.encode()).hexdigest()] = {row: award for row, _, award in rows}
        self.number, self.open, self.bets = 0, "", dict[Any, int]()  # a round without a number may be open already
        self.stakes, self.wagers = Counter[Any](), list[dict[str, Any]]()

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
            self.expect(b'stake_cents":-' not in line and b'returned_cents":-' not in line, "a stake below nothing")
            if record["input"]["kind"] == "configured":
                self.next_chip = record["input"]["settings"].get("money", {}).get("chip", 1)
            elif record["input"]["kind"] == "journal-restored":
                self.number = 0  # rounds that were in the lost journal have no number again
                self.told.add(f"record {self.offset} continues a copy in the place of a lost journal\n")
            for fact in record.get("facts", []):
                due, self.sequence = self.sequence + 1, fact["sequence"]
                self.expect(self.sequence == due, f"event {self.sequence} stands where event {due} belongs")
                self.check_event(fact["kind"], fact.get("round", ""), fact["data"], before)
            if signed:
                key, signature, said = bytes.fromhex(signed[0]), bytes.fromhex(signed[1]), signed[2]
                fits = self.expect(is_signed(key, said, signature), "the signature of its checkpoint is not valid")
                fits &= self.expect(read(said)["hash"] == self.hash, "its checkpoint was signed for another content")
                fits &= self.expect(self.key in ("", key.hex()), "its checkpoint is signed by another key")
                self.signed = f"signed up to record {self.offset}, by {key.hex()}" if fits else self.signed
        except Exception:  # whatever somebody wrote there
            self.expect(False, "it cannot be read")

    def check_event(self, kind: str, name: str, data: dict[str, Any], before: str) -> None:
        """Check what an event says of a round. `stakes` has what lies on each spot of a seat once betting closed."""
        if kind == "round-opened":
            follows = self.number in (0, data["number"] - 1) and not self.open
            self.expect(follows, f"{name} opens where a round is missing, or another is not over")
            self.open, self.number, self.chip = name, data["number"], self.next_chip
            self.bets, self.stakes, self.wagers = {}, Counter(), []
        elif kind in ("bet-placed", "bet-removed") and self.expect(len(self.bets) < 1000, "nobody has so many bets"):
            self.bets.pop(place := (data["seat"], data["wager"], data["colour"]), None)  # so that the last stands last
            self.bets[place] = data.get("stake_cents", 0)
        elif kind == "bets-cleared":
            self.bets.update({place: 0 for place in self.bets if place[0] == data["seat"]})
        elif kind == "betting-closed":
            self.check_stakes(data["stakes"])
        elif kind == "player-decided":
            self.stakes[data["seat"], SPOTS.get(data["decision"])] += data["stake_cents"] or 0
        elif kind == "stake-corrected":
            self.stakes[data["seat"], data["wager"]] -= data["returned_cents"]
        elif kind in ("hand-settled", "fold-settled", "first-five-settled", "wager-taken"):
            for wager in (wagers := data.get("wagers", [data.get("wager")]))[:100]:  # nobody has more
                self.check_wager(wager, f"{name}, {wager['wager']}: ", [one["stake_cents"] for one in wagers])
                self.wagers.append({**wager, "seat": data["seat"]})
        elif kind in ("round-settled", "round-voided"):
            self.check_end(kind, name, data, before)

    def check_stakes(self, stakes: list[dict[str, Any]]) -> None:
        """Check that each stake is a bet or was seen, and the last of each spot is there: others may be replaced."""
        missing = {place for place in {place[:2]: place for place in self.bets}.values() if self.bets[place]}
        for one in stakes:
            place, seen = (one["seat"], one["wager"], one["colour"]), one.get("evidence") == "seen-by-device"
            bet, self.bets[place] = self.bets.get(place, 0), 0  # so that no bet is two stakes
            missing = missing - {place} if one["stake_cents"] == bet or (seen and not bet) else {*missing, place}
            self.stakes[place[:2]] += one["stake_cents"]
        self.expect(not missing, "the stakes are not the bets that were placed")

    def check_wager(self, wager: dict[str, Any], whose: str, beside: list[int]) -> None:
        """Check one wager's amounts, and note its odds. A bonus without a stake is paid on a stake beside it."""
        stake, pays, row, table = (wager[of] for of in ("stake_cents", "pays_cents", "row", "paytable_hash"))
        rounding, rows = net_of(wager["rounding"] or "push", 1), self.paytables.get(table, {})
        won, chip = pays + wager["aggregate_cut_cents"], self.chip
        self.expect(wager["returned_cents"] == stake + pays, f"{whose}it does not return what it pays")
        self.expect(abs(rounding) < chip and (not rounding or won % chip == 0), f"{whose}it is not rounded to a chip")
        self.expect(not table or table in self.paytables, f"{whose}its paytable is not in the export, or was changed")
        awards = [rows[row]] if row in rows else [] if row else ["push", "lose"]
        due = [net_of(award, on) + rounding for award in awards for on in ([stake] if stake else [0, *beside])]
        self.expect(won in due, f"{whose}{row} does not pay {pays} cents")
        wager["odds"] = net_of(rows[row], 1) if " to " in rows.get(row, "") else -1
        self.told |= {f"paid by {wager['paytable']!a}, {table}\n"} if row in rows else set()

    def check_end(self, kind: str, name: str, data: dict[str, Any], before: str) -> None:
        """Check what a round came to. If it is void, all stakes go back, and what was paid or taken is undone."""
        self.expect(self.open == name or self.number == 0, f"{name} ends, and is not the round that is open")
        self.open = ""
        if kind == "round-settled":
            self.rounds, ended = self.rounds + 1, self.wagers
            self.expect(data["journal_hash"] == before, f"{name} names another hash for the record before")
            sums = {of: sum(one[of] for one in ended) for of in ("stake_cents", "returned_cents", "pays_cents")}
            fits = [*sums.values()] == [data["stakes_cents"], data["returned_cents"], -data["take_cents"]]
            self.check_cuts(name, ended)
        else:
            ended, sign = data["returned"], {"take": 1, "return": -1}
            if not self.stakes:  # bets were still taken
                self.check_stakes(ended)
            undone = [(one["seat"], one["spot"], one["amount_cents"] * sign[one["action"]]) for one in data["undone"]]
            paid = [(one["seat"], one["wager"], one["pays_cents"]) for one in self.wagers if one["pays_cents"]]
            fits = undone == paid and data["returned_cents"] == sum(one["stake_cents"] for one in ended)
        self.expect(fits, f"{name} does not add up to what its wagers came to")
        for one in ended:
            self.stakes[one["seat"], one["wager"]] -= one["stake_cents"]
        self.expect(not any(self.stakes.values()), f"{name}: other stakes were put down than settled or given back")

    def check_cuts(self, name: str, wagers: list[dict[str, Any]]) -> None:
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
        word = given["--key"][-1]  # a key in PEM stands behind 12 bytes, in the line between two others
        key = b64decode(Path(word).read_text().splitlines()[1])[12:].hex() if Path(word).is_file() else word.lower()
        known = {int(offset): hash_.lower() for offset, hash_ in (word.split(":") for word in given["--known"][1:])}
        for place in ("records.jsonl", "hashes.txt", "base.json"):
            if not (here / place).is_file():  # a device that is linked there never ends
                sys.exit(f"{place} cannot be read")
        check = Check(read((here / place).read_text("utf-8").rstrip("\n")), key, known)
        first, place = check.offset + 1, "records.jsonl"
        with (here / "hashes.txt").open(errors="replace") as hashes, (here / place).open("rb") as records:
            for line in iter(lambda: records.readline(1 << 20), b""):  # a table writes less
                check.check_record(line.rstrip(b"\n"), *hashes.readline(1 << 20).strip().split(maxsplit=3))
            check.expect(not hashes.read(1) and not known, "records are missing behind it or before it")
    except Exception:  # whatever somebody wrote there
        sys.exit(f"{place} cannot be read")
    check.expect(not key or check.signed != "unsigned", "nothing up to it is signed by the key that you gave")
    counted = f"records {first} to {check.offset}, {check.rounds} settled rounds, {check.signed}\n"
    verdict = f"{check.faults} places do not fit\n" if check.faults else "everything fits\n"
    sys.stdout.writelines([counted, *sorted(check.told), f"last hash {check.hash}\n", verdict])
    sys.exit(1 if check.faults else 0)
