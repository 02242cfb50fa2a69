"""Mistakes that people really make in a table's file, each with what it is called and what a person reads."""

from __future__ import annotations

import re
import subprocess
from datetime import date, datetime
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding

from daemon.clock import day_of
from daemon.config.cautions import cautions
from daemon.config.document import InvalidConfigurationError
from daemon.config.load import load
from daemon.tools.doctor.command import _cautions as doctors_cautions
from tests.daemon.config.files import GOOD, SAFE, changed
from tests.support.certificates import certificates
from tests.support.rights import without_rights
from tests.support.sentences import Says

TLS = '[mqtt]\nhost = "broker"\nport = 8883\n[mqtt.tls]\n'
ADDRESS = '"serial:/dev/serial/by-id/usb-shuffler"'
PAD = '[devices.pad]\nprofile = "felt-link-buttons"\naddress = '
SECOND_LIMITS = "[[limits]]\nfirst_day = 2008-01-01\nauthorised_most_cents = 40000\n"

MISTAKES: dict[str, tuple[str, str]] = {
    "a quote that is not closed": (changed('"harbour"', '"harbour'), "syntax"),
    "a quote that is not closed in the last line": (GOOD.rstrip().removesuffix('"'), "syntax"),
    "typographic quotes of a word processor": (changed('"harbour"', "“harbour”"), "syntax"),
    "text without quotes": (changed('"harbour"', "harbour"), "syntax"),
    "a colon for =": (changed("seats = 6", "seats: 6"), "syntax"),
    "no value": (changed("seats = 6", "seats ="), "syntax"),
    "True with a capital": (GOOD + "[mqtt]\ntls = True\n", "syntax"),
    "a decimal comma": (changed("= 40000", "= 400,00"), "syntax"),
    "a table twice": (GOOD + "[journal]\n", "syntax"),
    "a key twice": (changed("seats = 6", "seats = 6\nseats = 7"), "syntax"),
    "a bracket that is not closed": (changed("[journal]", "[journal"), "syntax"),
    "a Windows path": (changed('"table7.journal"', '"C:\\Data\\table7.journal"'), "syntax"),
    "a comment without #": (changed("[journal]", "the journal\n[journal]"), "syntax"),
    "dollars for cents": (changed("= 40000", "= 400.00"), "wrong-type"),
    "a number in quotes": (changed("seats = 6", 'seats = "6"'), "wrong-type"),
    "a day in quotes": (changed("2009-01-01", '"2009-01-01"'), "wrong-type"),
    "a key in the wrong table": (GOOD + "seats = 6\n", "unknown-key"),
    "a misspelt key": (changed("authorised_most", "authorized_most"), "unknown-key"),
    "capital letters in a name": (changed('"harbour"', '"Harbour"'), "not-allowed"),
    "another word for a game": (changed('"big-50"', '"Big 50"'), "not-allowed"),
    "a device file for an address": (changed(ADDRESS, '"/dev/ttyUSB0"'), "bad-address"),
    "a port's bare name": (changed(ADDRESS, '"ttyUSB0"'), "bad-address"),
    "a path that is not whole": (changed(ADDRESS, '"serial:ttyUSB0"'), "bad-address"),
    "a Windows port": (changed(ADDRESS, '"COM3"'), "bad-address"),
    "host and port alone": (changed(ADDRESS, '"10.0.0.40:4001"'), "bad-address"),
    "a device server without its port": (changed(ADDRESS, '"tcp:10.0.0.40"'), "bad-address"),
    "vendor and product alone": (changed(ADDRESS, '"1209:0001"'), "bad-address"),
    "one port for two devices": (GOOD + f"{PAD}{ADDRESS}\n", "address-taken"),
    "a profile that is not known": (changed("felt-link-shuffler-faces", "shuffler"), "unknown-profile"),
    "a device that has no section": (changed('deals_from = "shuffler"', 'deals_from = "shufler"'), "unknown-device"),
    "limits in the wrong order": (GOOD + SECOND_LIMITS, "limits-order"),
    "a password without a user": (GOOD + '[mqtt]\npassword_file = "secret"\n', "mqtt-contradict"),
    "a password file that is missing": (
        GOOD + '[mqtt]\nusername = "t7"\npassword_file = "none"\n',
        "file-unreadable",
    ),
    "a CA file that is missing": (GOOD + TLS + 'ca_file = "none.pem"\n', "file-unreadable"),
    "a CA file that is a text": (GOOD + TLS + 'ca_file = "text"\n', "tls-file"),
    "a key for the CA file": (GOOD + TLS + 'ca_file = "server.key"\n', "tls-file"),
    "a CA file in DER": (GOOD + TLS + 'ca_file = "ca.der"\n', "tls-file"),
    "certificate and key exchanged": (
        GOOD + TLS + 'certificate_file = "server.key"\nkey_file = "server.pem"\n',
        "tls-file",
    ),
    "the key of another certificate": (
        GOOD + TLS + 'certificate_file = "server.pem"\nkey_file = "authority.key"\n',
        "tls-file",
    ),
    "a key with a password": (
        GOOD + TLS + 'certificate_file = "server.pem"\nkey_file = "locked.key"\n',
        "tls-file",
    ),
    "a day as it is written in Europe": (changed("2009-01-01", "01.01.2009"), "syntax"),
    "a day as it is written in America": (changed("2009-01-01", "1/1/2009"), "syntax"),
    "a day without its zeros": (changed("2009-01-01", "2009-1-1"), "syntax"),
    "a day that no calendar has": (changed("2009-01-01", "2009-02-30"), "syntax"),
    "a number with a zero before it": (changed("seats = 6", "seats = 06"), "syntax"),
    "a semicolon at the end": (changed("seats = 6", "seats = 6;"), "syntax"),
    "a blank of a web page": (changed("seats = 6", "seats\u00a0= 6"), "syntax"),
    "a value between braces over two lines": (GOOD + "[mqtt]\ntls = {\n", "syntax"),
    "a comma after the last between braces": (GOOD + '[mqtt]\ntls = { ca_file = "text", }\n', "syntax"),
    "one bracket for two": (changed("[[limits]]", "[limits]"), "wrong-type"),
    "two brackets for one": (changed("[devices.shuffler]", "[[devices.shuffler]]"), "wrong-type"),
    "a device without its name": (changed("[devices.shuffler]", "[devices]"), "wrong-type"),
    "a yes for a section": (GOOD + "[mqtt]\ntls = true\n", "wrong-type"),
    "a version as a number": (GOOD + "[mqtt]\nversion = 5\n", "wrong-type"),
    "a name that is a number": (changed('name = "7"', "name = 7"), "wrong-type"),
    "a truth in quotes": (changed("seats = 6", 'seats = 6\none_position_a_player = "True"'), "wrong-type"),
    "one game where there is a list": (changed("seats = 6", 'seats = 6\nother_games = "big-draw"'), "wrong-type"),
    "a section by its last name": (GOOD + '[tls]\nca_file = "text"\n', "unknown-key"),
    "a key below the next section": (GOOD + '[mqtt]\n[mqtt.tls]\nusername = "t7"\n', "unknown-key"),
    "a section as a key of another": (GOOD + 'people = "people.toml"\n', "unknown-key"),
    "capital letters in a word": (GOOD + '[log]\nlevel = "DEBUG"\n', "not-allowed"),
    "a word of another program": (GOOD + '[log]\nlevel = "verbose"\n', "not-allowed"),
    "the broker as a URL": (GOOD + '[mqtt]\nhost = "mqtt://broker"\n', "not-allowed"),
    "the broker with its port": (GOOD + '[mqtt]\nhost = "broker:8883"\n', "not-allowed"),
    "the broker and a blank": (GOOD + '[mqtt]\nhost = "broker "\n', "not-allowed"),
    "a path from somebody's home": (changed('"table7.journal"', '"~/table7.journal"'), "not-allowed"),
    "a path of a shell": (changed('"table7.journal"', '"$HOME/table7.journal"'), "not-allowed"),
    "a path of a unit": (changed('"table7.journal"', '"/var/lib/feltd/%i/journal.db"'), "not-allowed"),
    "a password file without a password": (
        GOOD + '[mqtt]\nusername = "t7"\npassword_file = "empty"\n',
        "not-allowed",
    ),
    "the file of feltd page": ('[page]\nsite = "harbour"\n', "unknown-key"),
    "a device server as a URL": (changed(ADDRESS, '"tcp://10.0.0.40:4001"'), "bad-address"),
    "a device server at no address": (changed(ADDRESS, '"tcp:10.0.0.400:4001"'), "bad-address"),
    "an address that lacks a number": (changed(ADDRESS, '"tcp:10.0.40:4001"'), "bad-address"),
    "a broker at no address": (GOOD + '[mqtt]\nhost = "10.0.0.400"\n', "not-allowed"),
    "a port with its speed": (changed(ADDRESS, '"serial:/dev/ttyUSB0:9600"'), "bad-address"),
    "a time zone's letters": (changed("seats = 6", 'seats = 6\ntime_zone = "PST"'), "unknown-time-zone"),
    "a time zone by hours": (changed("seats = 6", 'seats = 6\ntime_zone = "UTC+1"'), "unknown-time-zone"),
    "a time zone's city alone": (changed("seats = 6", 'seats = 6\ntime_zone = "Tokyo"'), "unknown-time-zone"),
    "a stake below nothing": (changed("least_cents = 100", "least_cents = -100"), "not-allowed"),
    "a yes for a number": (changed("seats = 6", "seats = true"), "wrong-type"),
    "a table without seats": (changed("seats = 6", "seats = 0"), "not-allowed"),
    "the least and the most exchanged": (
        changed("least_cents = 100", "least_cents = 10100").replace("most_cents = 10000", "most_cents = 100"),
        "limits-contradict",
    ),
    "a game's option at another": (GOOD + "[games.big-50]\ndecks = 6\n", "unknown-key"),
    "a directory for the journal": (changed('"table7.journal"', '"directory"'), "not-allowed"),
    "a key of another kind for the journal": (GOOD + 'key_file = "server.key"\n', "not-allowed"),
    "a key for the journal that is missing": (GOOD + 'key_file = "none"\n', "file-unreadable"),
    "a directory for a password": (
        GOOD + '[mqtt]\nusername = "t7"\npassword_file = "directory"\n',
        "file-unreadable",
    ),
    "a password from nowhere": (
        GOOD + '[mqtt]\nusername = "t7"\npassword_file = "secrets/t7"\n',
        "file-unreadable",
    ),
    "an umlaut in a name without quotes": (GOOD + "[devices.mühle]\n", "syntax"),
    "lines of an old Mac": (GOOD.replace("\n", "\r"), "syntax"),
    "the file of people": ('site = "harbour"\n[tables]\n7 = { user = "t7" }\n', "unknown-key"),
    "a key that is a text": (GOOD + TLS + 'certificate_file = "server.pem"\nkey_file = "text"\n', "tls-file"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a broker's connection, and wrong ones beside them."""
    directory = tmp_path_factory.mktemp("files")
    made = certificates(directory)
    (directory / "text").write_text("mine")
    (directory / "directory").mkdir()
    (directory / "secret").write_text("secret")
    (directory / "empty").write_text("\nsecret\n")
    (directory / "blank").write_text("secret \n")
    (directory / "two").write_text("t7\nsecret\n")
    for name in ("empty", "blank", "two"):
        (directory / name).chmod(0o600)
    for command in (
        ("x509", "-in", str(made.authority), "-outform", "der", "-out", str(directory / "ca.der")),
        ("pkey", "-in", str(made.key), "-aes256", "-passout", "pass:x", "-out", str(directory / "locked.key")),
    ):
        subprocess.run(["openssl", *command], check=True, capture_output=True)
    return directory


def beside(files: Path, directory: Path, text: str | bytes) -> Path:
    """A file of this text in the test's own directory, with all others beside it."""
    for path in files.iterdir():
        (directory / path.name).symlink_to(path)
    file = directory / "t.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.mark.parametrize(("text", "code"), MISTAKES.values(), ids=MISTAKES)
def test_a_mistake_is_named_at_its_line(text: str, code: str, files: Path, tmp_path: Path, says: Says) -> None:
    with pytest.raises(InvalidConfigurationError) as caught:
        load(beside(files, tmp_path, text))
    says(caught.value.message)
    assert {problem.code.value for problem in caught.value.problems} <= {code, "missing-key"}
    assert any(problem.code.value == code and problem.line for problem in caught.value.problems)


def test_there_are_as_many_as_were_tried() -> None:
    assert len(MISTAKES) + len(CAUTIONS) + len(BETWEEN_FILES) + 4 >= 97


@pytest.mark.parametrize("text", [b"\xef\xbb\xbf" + GOOD.encode(), GOOD.replace("\n", "\r\n").encode()])
def test_the_marks_of_a_windows_editor_do_no_harm(text: bytes, files: Path, tmp_path: Path) -> None:
    assert load(beside(files, tmp_path, text)).table.site == "harbour"


def test_a_password_of_a_windows_editor_is_the_password(files: Path, tmp_path: Path) -> None:
    file = beside(files, tmp_path, GOOD + '[mqtt]\nusername = "t7"\npassword_file = "windows"\n')
    (tmp_path / "windows").write_bytes("\ufeffpässword\r\n".encode())
    (tmp_path / "windows").chmod(0o600)
    assert load(file).mqtt.password == "pässword"  # noqa: S105  the test's own


@pytest.mark.parametrize("data", ["a = 1".encode("utf-16"), b"a = '\xff'", None], ids=["UTF-16", "latin-1", "none"])
def test_a_file_that_is_not_text_or_not_there(data: bytes | None, tmp_path: Path, says: Says) -> None:
    file = tmp_path / "t.toml"
    if data is not None:
        file.write_bytes(data)
    with pytest.raises(InvalidConfigurationError) as caught:
        load(file)
    says(caught.value.message)


def test_a_directory_and_a_file_without_rights(tmp_path: Path, says: Says) -> None:
    file = tmp_path / "t.toml"
    file.write_text(GOOD)
    file.chmod(0)
    with pytest.raises(InvalidConfigurationError) as caught:
        load(tmp_path)
    says(caught.value.message)
    with without_rights(), pytest.raises(InvalidConfigurationError) as caught:
        load(file)
    file.chmod(0o600)
    says(caught.value.message)


FIVES = GOOD.replace("= 100\n", "= 500\n").replace(".big_50]", ".range]")
CAUTIONS = {
    "limits that all begin in the future": changed("2009-01-01", "2031-01-01"),
    "a user without a password": GOOD + '[mqtt]\nusername = "t7"\n',
    "the port of TLS without TLS": GOOD + "[mqtt]\nport = 8883\n",
    "TLS at the port without TLS": GOOD + "[mqtt]\n[mqtt.tls]\n",
    "dollars for cents everywhere": changed("= 40000", "= 400")
    .replace("most_cents = 10000", "most_cents = 25")
    .replace("= 100\n", "= 5\n"),
    "a win to verify in dollars": changed("= 40000\n", "= 40000\nverify_over_cents = 3000\n"),
    "chips in dollars": GOOD + '[money]\nchip_cents = 100\nbreakage = "house"\nchips_cents = [1, 5, 25, 100]\n',
    "a time zone without summer time": changed("seats = 6", 'seats = 6\ntime_zone = "EST"'),
    "a password with a blank after it": GOOD + '[mqtt]\nusername = "t7"\npassword_file = "blank"\n',
    "a password's file with the user in it": GOOD + '[mqtt]\nusername = "t7"\npassword_file = "two"\n',
    "limits of a wager that is not played": changed(".big_50]", ".insurance]"),
    "a loss of half that a whole chip gives back": FIVES + "[money]\nchip_cents = 500\n",
    "an Ante that two antes cannot follow": changed('"big-50"', '"big-raise-holdem"').replace(".big_50]", ".play]"),
}


@pytest.mark.parametrize("text", CAUTIONS.values(), ids=CAUTIONS)
def test_what_is_allowed_and_probably_a_mistake_is_told(text: str, files: Path, tmp_path: Path, says: Says) -> None:
    (caution,) = cautions(load(beside(files, tmp_path, text + SAFE)), day_of(date(2026, 11, 18)))
    says(caution.sentence)


PEOPLE = """\
site = "harbour"
[tables]
7 = { user = "table7" }
[people]
seat3 = { role = "player", tables = ["7"], seats = [3] }
"""
WITH_PEOPLE = GOOD + '[people]\nfile = "people.toml"\n'
AS_T8 = WITH_PEOPLE + '[mqtt]\nusername = "t8"\npassword_file = "word"\n'
OWN = WITH_PEOPLE + '[mqtt]\nport = 8883\nusername = "table7"\npassword_file = "word"\n[mqtt.tls]\n'
BETWEEN_FILES: dict[str, tuple[str, str, str, str]] = {
    "another user than the people's": (AS_T8, PEOPLE, "", "user-of-another"),
    "a seat that the table lacks": (WITH_PEOPLE, PEOPLE.replace("[3]", "[9]"), "", "people-seats"),
    "a copied file with its name": (GOOD, PEOPLE, changed("usb-shuffler", "b").replace("table7.j", "j"), "table-twice"),
    "a copied file with its journal": (GOOD, PEOPLE, changed("usb-shuffler", "b").replace('"7"', '"8"'), "table-twice"),
    "a copied file with its device": (GOOD, PEOPLE, changed('"7"', '"8"').replace("table7.j", "j"), "table-twice"),
    "a certificate of last year": (OWN + 'ca_file = "old.pem"\n', PEOPLE, "", "certificate-out-of-date"),
    "another's certificate": (
        OWN + 'certificate_file = "server.pem"\nkey_file = "server.key"\n',
        PEOPLE,
        "",
        "certificate-of-another",
    ),
}


@pytest.mark.parametrize(("text", "people", "copy", "code"), BETWEEN_FILES.values(), ids=BETWEEN_FILES)
def test_files_that_do_not_fit_together_are_told(
    text: str, people: str, copy: str, code: str, files: Path, tmp_path: Path, says: Says
) -> None:
    """By check-config and run from the same list, and by doctor, which shows the list."""
    file = beside(files, tmp_path, text + SAFE)
    (tmp_path / "people.toml").write_text(people)
    (tmp_path / "word").write_text("secret\n")
    (tmp_path / "word").chmod(0o600)
    (tmp_path / "old.pem").write_bytes(of_last_year())
    if copy:
        (tmp_path / "u.toml").write_text(copy)
    config = load(file)
    (caution,) = cautions(config, day_of(date(2026, 11, 18)))
    assert caution.code == code
    says(re.sub(r"today is [0-9-]*", "today is <day>", caution.sentence))
    assert caution.said in [finding.said.removesuffix(".") for finding in doctors_cautions(config)]


def of_last_year() -> bytes:
    key = Ed25519PrivateKey.generate()
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "house")])
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, datetime(2020, 1, 1), datetime(2021, 1, 1))  # noqa: DTZ001
    return made.sign(key, None).public_bytes(Encoding.PEM)


def test_the_file_of_a_table_is_no_file_of_people(files: Path, tmp_path: Path, says: Says) -> None:
    with pytest.raises(InvalidConfigurationError) as caught:
        load(beside(files, tmp_path, GOOD + '[people]\nfile = "t.toml"\n'))
    says(caught.value.message)


@pytest.mark.parametrize(
    "money", ["chip_cents = 100", 'chip_cents = 500\nbreakage = "exact"', 'chip_cents = 500\nbreakage = "house"']
)
def test_rounding_that_gives_little_away_needs_no_caution(money: str, files: Path, tmp_path: Path) -> None:
    text = f"{FIVES}[money]\n{money}\n{SAFE}"
    assert not list(cautions(load(beside(files, tmp_path, text)), day_of(date(2026, 11, 18))))


def test_what_a_dealer_alone_can_void_a_round_with_is_told(files: Path, tmp_path: Path, says: Says) -> None:
    (caution,) = cautions(load(beside(files, tmp_path, GOOD)), day_of(date(2026, 11, 18)))
    says(caution.sentence)


def test_a_good_file_needs_no_caution(files: Path, tmp_path: Path) -> None:
    assert not list(cautions(load(beside(files, tmp_path, GOOD + SAFE)), day_of(date(2009, 1, 1))))
    (tmp_path / "t.toml").unlink()  # or the next would be a copy with its name
    own = 'username = "localhost"\n[mqtt.tls]\ncertificate_file = "server.pem"\nkey_file = "server.key"\n'
    (tmp_path / "u.toml").write_text(GOOD + "[mqtt]\nport = 8883\n" + own + SAFE)
    assert not list(cautions(load(tmp_path / "u.toml"), day_of(date(2009, 1, 1))))
