"""An export stands by itself: a stranger's Python accepts it, and names the place in each tampered copy."""

from __future__ import annotations

import json
import random
import re
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
from tests.journal.played import journal_of, shuffled_games
from tests.support.forked import feltd
from tests.support.sentences import Says
from tests.tools.journal.tampering import TAMPERINGS, Bundle, Tamper, checked, expect_named, exported


def test_it_is_short_enough_to_be_read(bundle: Path) -> None:
    written = [line for line in (bundle / "verify.py").read_text().splitlines() if line.strip()]
    assert len(written) < 200


def test_an_export_fits(bundle: Path, unsigned: Path, key: Path, tmp_path: Path, says: Says) -> None:
    lines, public = Bundle(bundle).hashes, Signer.load(key).public_key.hex()
    done = checked(bundle, "--key", public, "--known", f"7:{lines[6]}")
    assert (done.returncode, done.stderr) == (0, "")
    says(done.stdout, last=len(lines), head=lines[-1], key=public)
    done = checked(exported(unsigned, tmp_path / "unsigned"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "unsigned" in done.stdout


def test_an_export_that_begins_in_the_middle_fits(signed: Path, tmp_path: Path) -> None:
    bundle = exported(signed, tmp_path / "later", "t7-9")
    done = checked(bundle)
    assert (done.returncode, done.stderr) == (0, "")
    base = json.loads((bundle / "base.json").read_text())
    assert base["offset"] > 100
    assert checked(bundle, "--known", f"{base['offset']}:{base['hash']}").returncode == 0
    for kept in (f"{base['offset']}:{'00' * 32}", f"7:{'00' * 32}"):
        assert checked(bundle, "--known", kept).returncode == 1, "a hash that it does not hold was passed over"


def test_the_cards_of_a_round_that_is_played_are_not_in_it(tmp_path: Path) -> None:
    inputs = shuffled_games(1, 2)
    dealt = next(n for n, happened in enumerate(inputs) if "PacketDispensed" in repr(happened)) + 25
    path = journal_of(tmp_path / "journal.db", inputs[:dealt])
    with closing(JournalReader.open_read_only(path)) as journal:
        last = journal.stored(journal.last_offset() - 1, 1)[0].line
    bundle = exported(path, tmp_path / "bundle")
    assert last not in (bundle / "records.jsonl").read_bytes()
    assert checked(bundle).returncode == 0


def test_nobody_else_may_open_it(bundle: Path) -> None:
    """A folded hand, or a card that a shoe in play has burned, is for no other user of the machine."""
    assert bundle.stat().st_mode & 0o777 == 0o700


def test_without_a_round_that_is_over_there_is_nothing_to_export(tmp_path: Path) -> None:
    path = journal_of(tmp_path / "journal.db", shuffled_games(1, 1)[:1])
    with closing(JournalReader.open_read_only(path)) as journal, pytest.raises(JournalContentError):
        export(journal, tmp_path / "bundle", "t7-99")


def test_the_command_says_how_to_check_it(signed: Path, tmp_path: Path, says: Says) -> None:
    done = feltd("journal", "export", signed, tmp_path / "given")
    assert done.returncode == 0, done.stderr
    says(re.sub(r"records 1 to \d+", "records 1 to <last>", done.stdout))
    assert feltd("journal", "export", signed, tmp_path / "given").returncode == 69


@pytest.mark.parametrize("tamper", TAMPERINGS, ids=lambda tamper: tamper.__name__.strip("_"))
def test_each_tampered_copy_is_refused_at_its_place(bundle: Path, tamper: Tamper, tmp_path: Path) -> None:
    expect_named(bundle, tamper, range(10), tmp_path)


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        ("base.json", lambda text: text.replace("1 to 1", "2 to 1", 1), ()),
        ("hashes.txt", lambda text: re.sub(r"( \w{64} )\w\w", r"\g<1>00", text), ()),
        ("hashes.txt", lambda text: re.sub(r"( \w{64} )(?=\w)", r"\g<1>00", text), ()),
        ("hashes.txt", lambda text: re.sub(r" .*", "", text), ("--key", "00" * 32)),
        ("hashes.txt", lambda text: text, ("--key", "00" * 32)),
        ("base.json", lambda text: text.replace(r"\"format\":2", r"\"format\":3"), ()),
        ("base.json", lambda text: text.replace('"sequence":0', '"sequence":1'), ()),
        ("hashes.txt", lambda text: text, ("--known", f"5:{'00' * 32}")),
        ("hashes.txt", lambda text: text, ("--known", f"99999:{'00' * 32}")),
    ],
)
def test_what_stands_beside_the_records_is_checked_too(
    bundle: Path, file: str, change: Callable[[str], str], words: tuple[str, ...]
) -> None:
    before = (bundle / file).read_text()
    after = change(before)
    assert after != before or words
    (bundle / file).write_text(after)
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
        public, line = secret.public_key().public_bytes_raw(), dice.randbytes(number * 7).hex()
        signature = secret.sign(line.encode())
        assert is_signed(public, line, signature)
        for damaged in (_flipped(signature, dice), bytes(64), signature[:63], signature[:32] + b"\xff" * 32):
            assert not is_signed(public, line, damaged)
        assert not is_signed(_flipped(public, dice), line, signature)
        assert not is_signed(public, line + " ", signature)


def _flipped(value: bytes, dice: random.Random) -> bytes:
    changed = bytearray(value)
    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    return bytes(changed)


def test_its_readme_names_every_file(bundle: Path) -> None:
    told = (bundle / "README.txt").read_text()
    assert "no Poker Hand History" in told, "an auditor who looks for it finds why it is not there"
    named = re.findall(r"(?m)^(\S+)  +", told)
    assert sorted(named) == sorted({file.name for file in bundle.iterdir()} - {"README.txt"})
    assert any("journal_hash" in file.read_text() for file in (bundle / "schemas").iterdir())


def test_the_program_knows_every_event_that_settles_wagers() -> None:
    source = Path(verify.__file__).read_text(encoding="utf-8")
    settling = [kind for cls, kind in FACT_KINDS.items() if "SettledWager" in str(get_type_hints(cls))]
    assert len(settling) >= 4
    assert [kind for kind in settling if f'"{kind}"' not in source] == []
