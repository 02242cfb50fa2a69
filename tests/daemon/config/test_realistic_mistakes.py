"""Mistakes that people really make in a table's file, each with what it is called and what a person reads."""

from __future__ import annotations

import subprocess
from datetime import date
from pathlib import Path

import pytest

from daemon.clock import day_of
from daemon.config.cautions import cautions
from daemon.config.document import InvalidConfigurationError
from daemon.config.load import load
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
    "a port with its speed": (changed(ADDRESS, '"serial:/dev/ttyUSB0:9600"'), "bad-address"),
    "a time zone's letters": (changed("seats = 6", 'seats = 6\ntime_zone = "PST"'), "unknown-time-zone"),
    "a time zone by hours": (changed("seats = 6", 'seats = 6\ntime_zone = "UTC+1"'), "unknown-time-zone"),
    "a time zone's city alone": (changed("seats = 6", 'seats = 6\ntime_zone = "Tokyo"'), "unknown-time-zone"),
    "a key that is a text": (GOOD + TLS + 'certificate_file = "server.pem"\nkey_file = "text"\n', "tls-file"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The files of a broker's connection, and wrong ones beside them."""
    directory = tmp_path_factory.mktemp("files")
    made = certificates(directory)
    (directory / "text").write_text("mine")
    (directory / "secret").write_text("secret")
    (directory / "empty").write_text("\nsecret\n")
    (directory / "empty").chmod(0o600)
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
    assert len(MISTAKES) + len(CAUTIONS) + 4 >= 75


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
    "limits of a wager that is not played": changed(".big_50]", ".insurance]"),
    "a loss of half that a whole chip gives back": FIVES + "[money]\nchip_cents = 500\n",
    "an Ante that two antes cannot follow": changed('"big-50"', '"big-raise-holdem"').replace(".big_50]", ".play]"),
}


@pytest.mark.parametrize("text", CAUTIONS.values(), ids=CAUTIONS)
def test_what_is_allowed_and_probably_a_mistake_is_told(text: str, files: Path, tmp_path: Path, says: Says) -> None:
    (caution,) = cautions(load(beside(files, tmp_path, text + SAFE)), day_of(date(2026, 11, 18)))
    says(caution.sentence)


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
    own = 'username = "t7"\n[mqtt.tls]\ncertificate_file = "server.pem"\nkey_file = "server.key"\n'
    (tmp_path / "u.toml").write_text(GOOD + "[mqtt]\nport = 8883\n" + own + SAFE)
    assert not list(cautions(load(tmp_path / "u.toml"), day_of(date(2009, 1, 1))))
