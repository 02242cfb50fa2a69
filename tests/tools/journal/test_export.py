"""An export stands by itself: a stranger's Python accepts it, and names the place in each tampered copy."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import get_type_hints

import pytest

from daemon.journal.errors import JournalContentError
from daemon.journal.kinds import FACT_KINDS
from daemon.journal.reading import JournalReader
from daemon.journal.signing import Signer
from daemon.tools.journal import verify
from daemon.tools.journal.export import export
from tests.daemon.test_cli import feltd
from tests.journal.played import journal_of, shuffled_games
from tests.support.sentences import Says


def exported(path: Path, directory: Path, first_round: str | None = None) -> Path:
    with closing(JournalReader.open_read_only(path)) as journal:
        export(journal, directory, first_round)
    return directory


@pytest.fixture
def bundle(signed: Path, tmp_path: Path) -> Path:
    return exported(signed, tmp_path / "bundle")


def checked(bundle: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """What a stranger sees: Python alone, without any package."""
    program = [sys.executable, "-I", "-S", str(bundle / "verify.py"), *words]
    return subprocess.run(program, capture_output=True, text=True, timeout=60, check=False)


def test_it_is_short_enough_to_be_read(bundle: Path) -> None:
    assert len((bundle / "verify.py").read_text().splitlines()) < 200


def test_an_export_fits(bundle: Path, unsigned: Path, key: Path, tmp_path: Path, says: Says) -> None:
    lines = (bundle / "hashes.txt").read_text().split()
    done = checked(bundle, "--key", Signer.load(key).public_key.hex(), "--known", f"7:{lines[6]}")
    assert (done.returncode, done.stderr) == (0, "")
    says(done.stdout, last=len(lines), head=lines[-1])
    done = checked(exported(unsigned, tmp_path / "unsigned"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "unsigned" in done.stdout


def test_an_export_that_begins_in_the_middle_fits(signed: Path, tmp_path: Path) -> None:
    bundle = exported(signed, tmp_path / "later", "t7-9")
    done = checked(bundle)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads((bundle / "base.json").read_text())["offset"] > 100


def test_the_cards_of_a_round_that_is_played_are_not_in_it(tmp_path: Path) -> None:
    inputs = shuffled_games(1, 2)
    dealt = next(n for n, happened in enumerate(inputs) if "PacketDispensed" in repr(happened)) + 25
    path = journal_of(tmp_path / "journal.db", inputs[:dealt])
    with closing(JournalReader.open_read_only(path)) as journal:
        last = journal.stored(journal.last_offset() - 1, 1)[0].line
    bundle = exported(path, tmp_path / "bundle")
    assert last not in (bundle / "records.jsonl").read_bytes()
    assert checked(bundle).returncode == 0


def test_without_a_round_that_is_over_there_is_nothing_to_export(tmp_path: Path) -> None:
    path = journal_of(tmp_path / "journal.db", shuffled_games(1, 1)[:1])
    with closing(JournalReader.open_read_only(path)) as journal, pytest.raises(JournalContentError):
        export(journal, tmp_path / "bundle", "t7-99")


def test_the_command_says_how_to_check_it(signed: Path, tmp_path: Path, says: Says) -> None:
    done = feltd("journal", "export", signed, tmp_path / "given")
    assert done.returncode == 0, done.stderr
    says(re.sub(r"records 1 to \d+", "records 1 to <last>", done.stdout))
    assert feltd("journal", "export", signed, tmp_path / "given").returncode == 69


# --- tampering ---


class Bundle:
    """An export in the hands of somebody who wants it to say something else."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.lines = (directory / "records.jsonl").read_bytes().splitlines()
        self.hashes = (directory / "hashes.txt").read_text().split()
        self.first: str = json.loads((directory / "base.json").read_text())["hash"]

    def write(self) -> None:
        (self.directory / "records.jsonl").write_bytes(b"".join(line + b"\n" for line in self.lines))
        (self.directory / "hashes.txt").write_text("".join(hash_ + "\n" for hash_ in self.hashes))

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
    del bundle.lines[place], bundle.hashes[place]
    return place


def _put_in_twice(bundle: Bundle, dice: random.Random) -> int:
    place = dice.randrange(len(bundle.lines) - 1)
    bundle.lines.insert(place, bundle.lines[place])
    bundle.hashes.insert(place, bundle.hashes[place])
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
    """Hashed again, and nothing is paid by it: only the signature, of the last record, speaks against it."""
    place = dice.choice(bundle.with_facts(b"bet-placed"))
    bundle.lines[place] = bundle.lines[place].replace(b'"who":"kim"', b'"who":"tim"')
    bundle.hash_again()
    return len(bundle.lines) - 1


TAMPERINGS: list[Callable[[Bundle, random.Random], int]] = [
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
]


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__.strip("_"))
def test_each_tampered_copy_is_refused_at_its_place(
    bundle: Path, tamper: Callable[[Bundle, random.Random], int], tmp_path: Path
) -> None:
    for seed in range(10):
        copy = Path(shutil.copytree(bundle, tmp_path / str(seed)))
        tampered = Bundle(copy)
        place = tamper(tampered, random.Random(seed))
        tampered.write()
        done = checked(copy)
        assert (done.returncode, done.stderr) == (1, ""), f"seed {seed}"
        assert done.stdout.startswith(f"record {place + 1}: "), f"seed {seed}: {done.stdout}"


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        ("paytables.json", lambda text: text.replace("1 to 1", "2 to 1", 1), ()),
        ("checkpoints.jsonl", lambda text: text.replace('"signature": "', '"signature": "00'), ()),
        ("checkpoints.jsonl", lambda text: "", ("--key", "00" * 32)),
        ("checkpoints.jsonl", lambda text: text, ("--key", "00" * 32)),
        ("header.json", lambda text: text.replace('"format":2', '"format":3'), ()),
        ("base.json", lambda text: text.replace('"sequence": 0', '"sequence": 1'), ()),
        ("hashes.txt", lambda text: text, ("--known", f"5:{'00' * 32}")),
        ("hashes.txt", lambda text: text, ("--known", f"99999:{'00' * 32}")),
    ],
)
def test_what_stands_beside_the_records_is_checked_too(
    bundle: Path, file: str, change: Callable[[str], str], words: tuple[str, ...]
) -> None:
    before = (bundle / file).read_text()
    (bundle / file).write_text(change(before))
    done = checked(bundle, *words)
    assert done.returncode == 1, done.stdout
    assert done.stderr == ""


def test_its_signature_check_agrees_with_a_library(tmp_path: Path) -> None:
    """Pure Python against `cryptography`, on sound signatures and on damaged ones."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from daemon.tools.journal.verify import is_signed

    dice = random.Random(1)
    for number in range(20):
        secret = Ed25519PrivateKey.from_private_bytes(dice.randbytes(32))
        public, line = secret.public_key().public_bytes_raw(), dice.randbytes(number * 7)
        signature = secret.sign(line)
        assert is_signed(public, line, signature)
        for damaged in (_flipped(signature, dice), bytes(64), signature[:63], signature[:32] + b"\xff" * 32):
            assert not is_signed(public, line, damaged)
        assert not is_signed(_flipped(public, dice), line, signature)
        assert not is_signed(public, line + b" ", signature)


def _flipped(value: bytes, dice: random.Random) -> bytes:
    changed = bytearray(value)
    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def test_its_readme_names_every_file(bundle: Path) -> None:
    named = re.findall(r"(?m)^(\S+)  +", (bundle / "README.txt").read_text())
    assert sorted(named) == sorted({file.name for file in bundle.iterdir()} - {"README.txt"})
    assert any("journal_hash" in file.read_text() for file in (bundle / "schemas").iterdir())


def test_the_program_knows_every_event_that_settles_wagers() -> None:
    source = Path(verify.__file__).read_text(encoding="utf-8")
    settling = [kind for cls, kind in FACT_KINDS.items() if "SettledWager" in str(get_type_hints(cls))]
    assert len(settling) >= 4
    assert [kind for kind in settling if f'"{kind}"' not in source] == []
