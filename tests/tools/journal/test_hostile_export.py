"""An export that somebody made to choke or to fool the program that checks it: each is refused in plain words."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.tools.journal.tampering import Bundle, checked

Spoil = Callable[[Path], None]
"""It spoils an export in this directory."""

RECORD = 6
ENDLESS = "1e999999999"
"""A program that takes this for a number counts until the memory is full."""


def written(name: str, content: bytes) -> Spoil:
    """A file with another content."""
    return lambda bundle: _void((bundle / name).write_bytes(content))


def record(change: Callable[[str], str]) -> Spoil:
    """The line of one record is another, and nothing else."""

    def spoil(bundle: Path) -> None:
        lines = (bundle / "records.jsonl").read_text().splitlines()
        lines[RECORD - 1] = change(lines[RECORD - 1])
        (bundle / "records.jsonl").write_text("".join(line + "\n" for line in lines), errors="surrogatepass")

    return spoil


def forged(pattern: str, replacement: str) -> Spoil:
    """A record that says something else, and all hashes are those of what it says."""

    def spoil(bundle: Path) -> None:
        forger = Bundle(bundle)
        place = next(n for n, line in enumerate(forger.lines) if re.search(pattern.encode(), line))
        forger.lines[place] = re.sub(pattern.encode(), replacement.encode(), forger.lines[place], count=1)
        forger.hash_again()
        forger.write()

    return spoil


def field(name: str, key: str, value: Any) -> Spoil:  # noqa: ANN401
    """A file in whose JSON one field is another."""

    def spoil(bundle: Path) -> None:
        said = json.loads((bundle / name).read_text())
        (bundle / name).write_text(json.dumps(said | {key: value}) + "\n")

    return spoil


def linked(name: str, target: str) -> Spoil:
    """In the place of a file a link."""

    def spoil(bundle: Path) -> None:
        (bundle / name).unlink()
        (bundle / name).symlink_to(target)

    return spoil


def piped(name: str) -> Spoil:
    """In the place of a file a pipe into which nobody writes."""

    def spoil(bundle: Path) -> None:
        (bundle / name).unlink()
        os.mkfifo(bundle / name)

    return spoil


def endless_paytable(bundle: Path) -> None:
    """A paytable of its own making, with its hash in a wager, pays what nobody can count."""
    wager = re.search(r'"row":"([^"]+)"', (bundle / "records.jsonl").read_text())
    assert wager is not None
    text = f"game\nwager\nsource\n{wager[1]} | 1 | {ENDLESS} to 1\n"
    hash_ = hashlib.sha256(text.encode()).hexdigest()
    field("paytables.json", hash_, text)(bundle)
    forged('"paytable_hash":"\\w+"', f'"paytable_hash":"{hash_}"')(bundle)


def _void(_: object) -> None:
    """Writing says how much, and nobody wants to know."""


def _two_columns(bundle: Path) -> None:
    text = "a\nb\nc\nrow | odds | x | y | z\n"
    (bundle / "paytables.json").write_text(json.dumps({hashlib.sha256(text.encode()).hexdigest(): text}))


DEEP = "[" * 100_000
FILES = ("base.json", "paytables.json", "checkpoints.jsonl", "hashes.txt", "header.json", "records.jsonl")

RECORDS: dict[str, Spoil] = {
    "another amount": record(lambda line: line + " "),
    "no number": record(lambda line: re.sub('"offset":6', '"offset":NaN', line)),
    "a part of a number": record(lambda line: re.sub('"offset":6', '"offset":6.0', line)),
    "more than every number": record(lambda line: re.sub('"offset":6', '"offset":6,"x":Infinity', line)),
    "a number too large": record(lambda line: re.sub('"offset":6', '"offset":6,"x":1e999', line)),
    "a name twice": record(lambda line: re.sub('"offset":6', '"offset":6,"offset":6', line)),
    "nested": record(lambda line: DEEP),
    "a number of ten thousand digits": record(lambda line: line.replace('"offset":6', f'"offset":{"9" * 10_000}')),
    "control characters": record(lambda line: "\x1b[2J"),
    "a list": record(lambda line: "[]"),
    "null": record(lambda line: "null"),
    "half a character": record(lambda line: '{"offset":"\\ud800","input":{"kind":"x"}}'),
    "colours": record(lambda line: '{"offset":"\\u001b[31m\\u202e","input":{"kind":"x"}}'),
    "a line of ten million": record(lambda line: "x" * 10_000_000),
    "bytes that are not text": lambda bundle: _void(
        (bundle / "records.jsonl").write_bytes(
            b"\n".join([*(bundle / "records.jsonl").read_bytes().splitlines()[: RECORD - 1], b"\xff\xfe\n"])
        )
    ),
}
FORGED: dict[str, Spoil] = {
    "a rounding without end": forged('("pays_cents":[^}]*?"rounding":)[^,}]+', f'\\1"{ENDLESS}"'),
    "a rounding by nothing": forged('("pays_cents":[^}]*?"rounding":)[^,}]+', '\\1"1/0"'),
    "a stake that is a text": forged('("wagers":\\[[^\\]]*?"stake_cents":)\\d+', '\\1"x"'),
    "a stake without bounds": forged('("wagers":\\[[^\\]]*?"stake_cents":)\\d+', "\\g<1>1e400"),
    "a stake below nothing": forged(
        '("wagers":\\[[^\\]]*?"stake_cents":)\\d+(,[^}]*?"returned_cents":)\\d+', "\\g<1>-5\\g<2>-5"
    ),
    "too many wagers": forged('"wagers":\\[', f'"wagers":[{"{}," * 1000}'),
    "a round's name in colours": forged('("journal_hash":"\\w+"},"round":)"[^"]+"', '\\1"\\\\u001b[31m"'),
    "a paytable without end": endless_paytable,
}
BESIDE: dict[str, tuple[str, Spoil]] = {
    **{f"no {name}": (name, lambda bundle, name=name: (bundle / name).unlink()) for name in FILES},  # type: ignore[misc]
    **{f"{name} never ends": (name, linked(name, "/dev/zero")) for name in FILES},
    **{f"{name} is a pipe": (name, piped(name)) for name in FILES},
    **{f"{name} is a directory": (name, linked(name, "/")) for name in FILES},
    **{f"{name} is not text": (name, written(name, b"\xff\xfe\x00\n")) for name in FILES[:4]},
    **{f"{name} is nested": (name, written(name, DEEP.encode())) for name in FILES[:4]},
    **{f"{name} is a list of a number": (name, written(name, b"[1]")) for name in FILES[:3]},
    "a base without fields": ("base.json", written("base.json", b'{"a":1}')),
    "a base at no number": ("base.json", field("base.json", "offset", "x")),
    "a base at infinity": (
        "base.json",
        written("base.json", b'{"offset":1e999,"hash":"","journal":"","chip_cents":1}'),
    ),
    "a base whose chip is larger than everything": (
        "base.json",
        lambda bundle: _void(
            (bundle / "base.json").write_text(
                re.sub('"chip_cents": [^,}]+', '"chip_cents": Infinity', (bundle / "base.json").read_text())
            )
        ),
    ),
    "a base that says a thing twice": (
        "base.json",
        lambda bundle: _void(
            (bundle / "base.json").write_text('{"offset": 0, ' + (bundle / "base.json").read_text().lstrip("{"))
        ),
    ),
    "a base with a hash that is none": ("base.json", field("base.json", "hash", "zz")),
    "hashes that are none": ("hashes.txt", written("hashes.txt", b"x y z\n\x1b[31m\n")),
    "a signature that is none": (
        "checkpoints.jsonl",
        written("checkpoints.jsonl", b'{"offset":1,"signature":"zz","key":"\x1b[31m"}\n'),
    ),
    "a paytable of two columns": ("paytables.json", _two_columns),
}


def refused(bundle: Path) -> list[str]:
    """What the program said of it: it ended with 1, and wrote nothing that a terminal obeys."""
    done = checked(bundle)
    assert (done.returncode, done.stderr) == (1, "")
    assert re.fullmatch(r"[ -~\n]*", done.stdout)
    *said, _, _, verdict = done.stdout.splitlines()
    assert verdict.endswith("do not fit")
    return said


@pytest.mark.parametrize("spoil", RECORDS.values(), ids=RECORDS)
def test_a_record_that_is_nonsense_is_named(bundle: Path, spoil: Spoil) -> None:
    spoil(bundle)
    assert refused(bundle)[0].startswith(f"record {RECORD}: ")


@pytest.mark.parametrize("spoil", FORGED.values(), ids=FORGED)
def test_a_record_that_was_forged_to_keep_the_reader_busy_is_named(bundle: Path, spoil: Spoil) -> None:
    spoil(bundle)
    assert re.match(r"record \d+: ", refused(bundle)[0])


@pytest.mark.parametrize(("place", "spoil"), BESIDE.values(), ids=BESIDE)
def test_a_file_that_is_nonsense_is_named(bundle: Path, place: str, spoil: Spoil) -> None:
    spoil(bundle)
    assert refused(bundle)[0] == f"{place} cannot be read"


def test_an_empty_export_is_refused(bundle: Path) -> None:
    (bundle / "records.jsonl").write_bytes(b"")
    assert refused(bundle) == ["record 0: records are missing behind it"]


@pytest.mark.parametrize("words", [("--key",), ("--known",), ("--known", "7"), ("--known", "x:y")])
def test_a_word_that_cannot_be_meant_is_refused(bundle: Path, words: tuple[str, ...]) -> None:
    done = checked(bundle, *words)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("what you wrote behind verify.py cannot be read\n")
