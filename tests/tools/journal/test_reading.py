"""verify, rounds and show: what a person learns of a journal, and what stays hidden."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import cast

import apsw
import pytest

from daemon.errors import ExitStatus
from daemon.journal.reading import JournalReader
from daemon.journal.signing import Signer
from daemon.tools.journal.rounds import last_rounds
from drivers.events import DeviceReport
from tests.journal.played import journal_of, shuffled_games
from tests.journal.values import tampered
from tests.support.forked import feltd
from tests.support.sentences import Says


def test_a_journal_that_fits_is_said_to_fit(signed: Path, key: Path, says: Says) -> None:
    public = Signer.load(key).public_key.hex()
    with closing(JournalReader.open_read_only(signed)) as journal:
        id_, head = journal.id, journal.hash_at(journal.last_offset()).hex()
        last, seventh = journal.last_offset(), journal.hash_at(7).hex()
    done = feltd("journal", "verify", signed, "--key", public, "--known", f"7:{seventh}")
    assert (done.returncode, done.stderr) == (0, "")
    says(done.stdout, id=id_, head=head, last=last, public=public)


def test_a_journal_without_a_signature_is_said_to_be_unsigned(unsigned: Path) -> None:
    done = feltd("journal", "verify", unsigned)
    assert done.returncode == 0
    assert "It is unsigned." in done.stdout
    assert feltd("journal", "verify", unsigned, "--key", "00" * 32).returncode == 74


def test_each_place_that_does_not_fit_is_named(signed: Path, says: Says) -> None:
    tampered(signed, 9, b'"seat":1', b'"seat":2', is_hashed_again=False)
    done = feltd("journal", "verify", signed, "--known", f"5:{'00' * 32}", "--known", f"99999:{'00' * 32}")
    assert done.returncode == 74
    says(done.stderr)


def test_a_forged_journal_writes_no_verdict_of_its_own(unsigned: Path) -> None:
    """What it says is text: on a terminal it could go back a line, write there, and hide the rest."""
    lie = r"\u001b[1A\rEverything fits.\u001b[8m\u202e"
    with closing(apsw.Connection(str(unsigned))) as db:
        (header,) = db.execute("SELECT value FROM meta WHERE key = 'header'").fetchone() or (b"",)
        own = json.loads(cast("bytes", header))["journal"]
        lied = cast("bytes", header).replace(own.encode(), f"{own}{lie}".encode())
        db.execute("UPDATE meta SET value = ? WHERE key = 'header'", (lied,))
    with closing(JournalReader.open_read_only(unsigned)) as journal:
        shown = last_rounds(journal, 1)[0]
        bet = next(line["offset"] for line in shown.lines if line["input"]["kind"] == "request")
        who = next(line["input"]["who"] for line in shown.lines if line["offset"] == bet)
    tampered(unsigned, bet, f'"who":"{who}"'.encode(), f'"who":"{who}{lie}"'.encode())
    for words in (("verify",), ("rounds",), ("show", shown.id)):
        command, *rest = words
        done = feltd("journal", command, unsigned, *rest)
        said = done.stdout + done.stderr
        assert all(line.isprintable() for line in said.split("\n")), words
        assert ("Everything fits." in said) is (command != "rounds"), "and it was shown, as text"


def test_another_key_is_not_the_one_that_must_have_signed(signed: Path) -> None:
    done = feltd("journal", "verify", signed, "--key", "00" * 32)
    assert done.returncode == 74
    assert "signed by another key" in done.stderr


def test_the_key_that_an_auditor_was_given_can_be_the_file_that_openssl_writes(
    signed: Path, key: Path, tmp_path: Path
) -> None:
    public = tmp_path / "public.pem"
    subprocess.run(["openssl", "pkey", "-in", key, "-pubout", "-out", public], check=True)
    assert feltd("journal", "verify", signed, "--key", public).returncode == 0
    exported = tmp_path / "given"
    assert feltd("journal", "export", signed, exported).returncode == 0
    checked = [sys.executable, "-I", str(exported / "verify.py"), "--key", str(public)]
    assert subprocess.run(checked, capture_output=True, text=True, timeout=500).stdout.endswith("everything fits\n")
    other = tmp_path / "other.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", other], check=True, capture_output=True)
    refused = feltd("journal", "verify", signed, "--key", other)
    assert refused.returncode == ExitStatus.USAGE
    assert "is not an Ed25519 public key in PEM" in refused.stderr


def test_nothing_that_lies_beside_the_program_is_run_in_place_of_pythons_own(signed: Path, tmp_path: Path) -> None:
    """A house could put a `json.py` into the folder, and have it say that everything fits."""
    exported = tmp_path / "given"
    said = feltd("journal", "export", signed, exported).stdout
    for module in ("json", "hashlib", "__future__", "os", "sys", "site", "base64", "typing"):
        (exported / f"{module}.py").write_text("raise SystemExit('everything fits')\n")
    command = said.splitlines()[-1].removeprefix("Check it with: ").split()
    done = subprocess.run(command, capture_output=True, text=True, timeout=100)
    assert done.stdout.startswith("records 1 to ")
    assert done.stderr == ""
    typed = [word for word in command if word != "-I"]  # as somebody types it
    refused = subprocess.run(typed, capture_output=True, text=True, timeout=100)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr.startswith("Start this with python3 -I verify.py: ")


def test_a_hash_that_is_none_is_refused(signed: Path) -> None:
    assert feltd("journal", "verify", signed, "--known", "7").returncode == 2


def test_rounds_are_listed_with_what_they_came_to(signed: Path, unsigned: Path, says: Says) -> None:
    says(feltd("journal", "rounds", signed).stdout)
    says(feltd("journal", "rounds", unsigned, "--last", "2").stdout)


@pytest.mark.parametrize("round_id", ["t7-1", "t7-5", "t7-9"])
def test_a_round_is_shown_as_a_person_reads_it(signed: Path, round_id: str, says: Says) -> None:
    done = feltd("journal", "show", signed, round_id)
    assert done.returncode == 0, done.stderr
    with closing(JournalReader.open_read_only(signed)) as journal:
        says(done.stdout, id=journal.id)


def test_what_a_device_said_is_shown_as_bytes(tmp_path: Path) -> None:
    said = b"\x02PACKET|1|5|Ah\xff\r\n"
    inputs = [
        replace(each, heard=said.decode("latin-1")) if isinstance(each, DeviceReport) else each
        for each in shuffled_games(1, 1)
    ]
    done = feltd("journal", "show", journal_of(tmp_path / "journal.db", inputs), "t7-1")
    assert done.returncode == 0, done.stderr
    assert f"as bytes: {said!r}" in done.stdout


def test_a_round_that_is_played_keeps_its_cards_hidden(tmp_path: Path) -> None:
    inputs = shuffled_games(1, 1)
    path = journal_of(tmp_path / "journal.db", inputs[:12])
    rounds = [f"t7-{number}" for number in (1, 2, 3)]
    done = [feltd("journal", "show", path, each) for each in rounds]
    assert {each.returncode for each in done} == {2}
    assert any("is being played" in each.stderr for each in done)
    assert all("faces" not in each.stdout + each.stderr for each in done)


def test_a_forged_number_does_not_keep_the_rounds_from_being_listed(unsigned: Path) -> None:
    """Two to the 63rd records lie before it, and none of them is there."""
    rounds = feltd("journal", "rounds", unsigned).stdout
    with closing(apsw.Connection(str(unsigned))) as db:
        db.execute("INSERT INTO records SELECT ?, sequence, hash, body FROM records LIMIT 1", (2**63 - 1,))
    done = feltd("journal", "rounds", unsigned)
    assert (done.returncode, done.stdout) == (0, rounds)


def test_a_name_inside_a_forged_file_writes_no_verdict_either(unsigned: Path) -> None:
    with closing(apsw.Connection(str(unsigned))) as db:
        db.execute('CREATE VIEW "\x1b[1A\r\nEverything fits.\x1b[8m" AS SELECT * FROM requests')
    done = feltd("journal", "verify", unsigned)
    assert done.returncode == 74
    assert all(line.isprintable() and not line.startswith("Everything") for line in done.stderr.split("\n"))
