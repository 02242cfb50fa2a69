"""Journals of tables that were played, for all commands that look at one."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from daemon.journal.signing import Signer
from tests.journal.played import blackjack, journal_of, shuffled_games
from tests.tools.journal.tampering import exported

ROUNDS = 4


@pytest.fixture(scope="session")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("key") / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file], check=True, capture_output=True)
    return file


@pytest.fixture(scope="session")
def _shuffled(tmp_path_factory: pytest.TempPathFactory, key: Path) -> Path:
    path = tmp_path_factory.mktemp("shuffled") / "journal.db"
    return journal_of(path, shuffled_games(1, ROUNDS), Signer.load(key))


@pytest.fixture(scope="session")
def _blackjack(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return journal_of(tmp_path_factory.mktemp("blackjack") / "journal.db", blackjack(1, ROUNDS))


@pytest.fixture
def signed(_shuffled: Path, tmp_path: Path) -> Path:
    """Rounds of Big 50, Big Raise and Big Draw, signed at the end. A copy for this test."""
    return Path(shutil.copy(_shuffled, tmp_path / "signed.db"))


@pytest.fixture
def unsigned(_blackjack: Path, tmp_path: Path) -> Path:
    """Rounds of blackjack, without a signature. A copy for this test."""
    return Path(shutil.copy(_blackjack, tmp_path / "unsigned.db"))


@pytest.fixture(scope="session")
def _bundle(tmp_path_factory: pytest.TempPathFactory, _shuffled: Path) -> Path:
    return exported(_shuffled, tmp_path_factory.mktemp("exported") / "bundle")


@pytest.fixture
def bundle(_bundle: Path, tmp_path: Path) -> Path:
    """The export of the signed journal. A copy for this test."""
    return shutil.copytree(_bundle, tmp_path / "bundle")
