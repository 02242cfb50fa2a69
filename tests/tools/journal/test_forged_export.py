"""What a forger can change in an export who makes all hashes again, and what finds it.

The program looks at hashes, stakes and amounts. What it does not look at, as who bet, is proven by a signature behind
it, or by a hash that somebody kept elsewhere, and by nothing else. The auditor's guide says the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest

from tests.tools.journal.tampering import TAMPERINGS, Bundle, Tamper, checked, expect_named, unsigned

Forge = Callable[[Bundle], int]
"""It changes an export, and says at which place."""
BEHIND: Final = 3
"""So many records behind the forgery is the one whose hash somebody kept."""


def another_person(bundle: Bundle) -> int:
    return said_otherwise(bundle, b"bet-placed", rb'"who":"', b'"who":"x')


def another_card(bundle: Bundle) -> int:
    """The program reads no hands. `feltd journal replay` does."""
    return said_otherwise(bundle, b"hand-settled", rb'"([2-9])([cdhs])"', rb'"A\2"')


def another_time(bundle: Bundle) -> int:
    return said_otherwise(bundle, b"betting-closed", rb'"utc_ns":1', b'"utc_ns":2')


def cut_off(bundle: Bundle) -> int:
    """The newest records are missing, with their hashes and the signature behind them."""
    place = len(bundle.lines) // 2
    del bundle.lines[place:], bundle.hashes[place:]
    return place - BEHIND


def said_otherwise(bundle: Bundle, kind: bytes, pattern: bytes, other: bytes) -> int:
    place = bundle.with_facts(kind)[0]
    line = re.sub(pattern, other, bundle.lines[place], count=1)
    assert line != bundle.lines[place]
    bundle.lines[place] = line
    bundle.hash_again()
    return place


FORGERIES: Final[dict[Forge, bool]] = {another_person: True, another_card: True, another_time: True, cut_off: False}
"""And whether a signature behind the place shows it without a word of the auditor's."""


@pytest.fixture
def unsigned_bundle(bundle: Path) -> Path:
    """The same rounds without a signature."""
    unsigned(bundle)
    return bundle


@pytest.mark.parametrize("forge", FORGERIES, ids=lambda forge: forge.__name__)
def test_what_is_hashed_again_is_found_by_a_signature_or_by_a_hash_that_was_kept(bundle: Path, forge: Forge) -> None:
    kept = Bundle(bundle).hashes
    place = forge(forger := Bundle(bundle))
    forger.write()
    signed = checked(bundle)
    assert (signed.returncode == 1) is FORGERIES[forge], signed.stdout
    unsigned(bundle)
    assert checked(bundle).returncode == 0
    assert "unsigned" in checked(bundle).stdout
    assert checked(bundle, "--key", "ab" * 32).returncode == 1
    offset = min(place + BEHIND, len(kept)) if forge is not cut_off else len(kept)
    known = checked(bundle, "--known", f"{offset}:{kept[offset - 1]}")
    assert known.returncode == 1, known.stdout
    if forge is not cut_off:
        assert known.stdout.startswith(f"record {offset}: it does not have the hash that you kept")


NEEDS_A_SIGNATURE: Final = ("_changed_bet",)  # `another_person`, at any place


@pytest.mark.parametrize(
    "tamper",
    [tamper for tamper in TAMPERINGS if tamper.__name__ not in NEEDS_A_SIGNATURE],
    ids=lambda tamper: tamper.__name__.strip("_"),
)
def test_without_a_signature_the_other_places_are_named_too(
    unsigned_bundle: Path, tamper: Tamper, tmp_path: Path
) -> None:
    expect_named(unsigned_bundle, tamper, range(1), tmp_path)
