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
from tests.tools.journal.tampering import written as rewritten

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


def field(key: str, value: Any) -> Spoil:  # noqa: ANN401
    """A base in which one field is another."""
    return lambda bundle: rewritten(bundle, json.loads((bundle / "base.json").read_text()) | {key: value})


def listed(change: Callable[[str], str]) -> Spoil:
    """The hash of one record, with what is signed there, is another, and nothing else."""

    def spoil(bundle: Path) -> None:
        lines = (bundle / "hashes.txt").read_text().splitlines()
        lines[RECORD - 1] = change(lines[RECORD - 1])
        (bundle / "hashes.txt").write_bytes("".join(line + "\n" for line in lines).encode("latin-1"))

    return spoil


def spelled(old: str, new: str) -> Spoil:
    """A base in whose text something stands in another way."""

    def spoil(bundle: Path) -> None:
        before = (bundle / "base.json").read_text()
        assert old in before
        (bundle / "base.json").write_text(before.replace(old, new, 1))

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
    field("paytables", [text])(bundle)
    forged('"paytable_hash":"\\w+"', f'"paytable_hash":"{hash_}"')(bundle)


def _void(_: object) -> None:
    """Writing says how much, and nobody wants to know."""


DEEP = "[" * 100_000
FILES = ("base.json", "hashes.txt", "records.jsonl")

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
    "another spelling of a letter": record(lambda line: line.replace('"input"', '"\\u0069nput"')),
    "a space": record(lambda line: line.replace(":", ": ", 1)),
    "nothing below zero": record(lambda line: line.replace('"offset":6', '"offset":6,"x":-0')),
    "colours": record(lambda line: '{"offset":"\\u001b[31m\\u202e","input":{"kind":"x"}}'),
    "a line of ten million": record(lambda line: "x" * 10_000_000),
    "a hash that is not text": listed(lambda line: "\xff\xfe"),
    "a hash that is none": listed(lambda line: "\x1b[31m"),
    "a hash of another length": listed(lambda line: line[:-2]),
    "no hash": listed(lambda line: ""),
    "a hash and half of a checkpoint": listed(lambda line: f"{line[:64]} {'0' * 64}"),
    "a signature that is none": listed(lambda line: f'{line[:64]} {"0" * 64} zz {{"hash":"{line[:64]}"}}'),
    "a key that is none": listed(lambda line: f'{line[:64]} \x1b[31m {"0" * 128} {{"hash":"{line[:64]}"}}'),
    "a checkpoint that is nested": listed(lambda line: f"{line[:64]} {'0' * 64} {'0' * 128} {DEEP}"),
    "a checkpoint that is a number": listed(lambda line: f"{line[:64]} {'0' * 64} {'0' * 128} 1"),
    "a hash of ten million": listed(lambda line: "0" * 10_000_000),
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
    "a base that is not text": ("base.json", written("base.json", b"\xff\xfe\x00\n")),
    "a base that is nested": ("base.json", written("base.json", DEEP.encode())),
    "a base that is a list of a number": ("base.json", written("base.json", b"[1]")),
    "a base without fields": ("base.json", written("base.json", b'{"a":1}')),
    "a base at no number": ("base.json", field("offset", "x")),
    "a base at infinity": ("base.json", spelled('"offset":0', '"offset":1e999')),
    "a base whose chip is larger than everything": (
        "base.json",
        spelled('"chip":1', '"chip":Infinity'),
    ),
    "a base that says a thing twice": ("base.json", spelled("{", '{"offset":0,')),
    "a base with a hash that is none": (
        "base.json",
        lambda bundle: rewritten(bundle, json.loads((bundle / "base.json").read_text()) | {"offset": 1, "hash": "zz"}),
    ),
    "paytables that are a number": ("base.json", field("paytables", 7)),
    "a paytable that is a number": ("base.json", field("paytables", [7])),
    "a paytable of five columns": ("base.json", field("paytables", ["a\nb\nc\nrow | odds | x | y | z\n"])),
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
    done = checked(bundle)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{place} cannot be read\n")


def test_an_empty_export_is_refused(bundle: Path) -> None:
    (bundle / "records.jsonl").write_bytes(b"")
    assert refused(bundle) == ["record 0: records are missing behind it or before it"]


@pytest.mark.parametrize(
    "words",
    [("--key",), ("--known",), ("--known", "7"), ("--known", "x:y"), ("--knwon", "7:00"), ("--key=00",), ("7:00",)],
)
def test_a_word_that_cannot_be_meant_is_refused(bundle: Path, words: tuple[str, ...]) -> None:
    done = checked(bundle, *words)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "what you wrote behind verify.py cannot be read\n"
