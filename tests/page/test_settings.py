"""The page's file: every problem of it at once, and no password in the clear."""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner, Result

from daemon.config.command import check_config
from daemon.config.document import InvalidConfigurationError
from daemon.config.page import BrokerSection, PageSections, ServerSection, load_page
from daemon.config.problems import Problem
from daemon.config.reading import read
from daemon.page.command import page
from tests.support.certificates import certificates
from tests.support.sentences import Says

EXAMPLE: Final = Path(__file__).resolve().parents[2] / "systemd" / "feltd-page.example.toml"
GOOD = """\
[page]
site = "north"
tables = ["t7"]
names = ["pit.north.example"]

[mqtt]
port = 1884
username = "screen"
password_file = "password"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "password").write_text("felt\n")
    (tmp_path / "password").chmod(0o600)
    (tmp_path / "page.toml").write_text(GOOD)
    return tmp_path / "page.toml"


def test_a_good_file(file: Path) -> None:
    settings = load_page(file)
    assert (settings.host, settings.port, settings.tables) == ("127.0.0.1", 8050, ("t7",))
    assert (settings.mqtt.port, settings.mqtt.user, settings.mqtt.password) == (1884, "screen", "felt")
    assert settings.trial_users == ()
    assert settings.tls_context() is None
    assert "felt'" not in repr(settings)


def test_a_certificate_lets_it_listen_to_everybody(file: Path) -> None:
    made = certificates(file.parent)
    made.key.chmod(0o600)
    more = f'host = "0.0.0.0"\ncertificate_file = "{made.certificate}"\nkey_file = "{made.key}"\n'
    file.write_text(GOOD.replace("\n\n[mqtt]", f"\n{more}\n[mqtt]"))
    assert load_page(file).tls_context() is not None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('site = "north"', 'site = "North"'),
        ("port = 1884", 'host = "a"\nprot = 1884'),
        ("\n\n[mqtt]", '\nhost = "0.0.0.0"\n[mqtt]'),
        ("\n\n[mqtt]", '\ncertificate_file = "a.pem"\n[mqtt]'),
        ("\n\n[mqtt]", '\ncertificate_file = "a.pem"\nkey_file = "a.key"\n[mqtt]'),
        ('"password"', '"no-such-file"'),
        ("[page]", "[page"),
    ],
)
def test_what_is_wrong_is_said(file: Path, old: str, new: str, says: Says) -> None:
    file.write_text(GOOD.replace(old, new))
    with pytest.raises(InvalidConfigurationError) as error:
        load_page(file)
    says(error.value)


PEOPLE: Final = """\
site = "north"
[tables.t7]
user = "t7"
[people.ana]
role = "dealer"
tables = ["t7"]
"""
OF_THE_UNIT: Final = GOOD.replace('"password"', '"/run/credentials/feltd-page.service/password"')


def checked(file: Path, *words: str) -> Result:
    return CliRunner().invoke(check_config, [str(file), *words])


def test_the_page_s_file_is_checked_without_its_unit(file: Path, says: Says) -> None:
    """Nothing tried it but a start of the page, and what systemd gives was called missing."""
    (file.parent / "people.toml").write_text(PEOPLE)
    (file.parent / "people.toml").chmod(0o640)
    made = certificates(file.parent)
    key = "/run/credentials/feltd-page.service/key"
    more = f'people_file = "people.toml"\ncertificate_file = "{made.certificate}"\nkey_file = "{key}"\n'
    file.write_text(OF_THE_UNIT.replace("\n\n[mqtt]", f"\n{more}\n[mqtt]"))
    done = checked(file)
    assert (done.exit_code, done.exception) == (0, None)
    says(done.output)
    assert checked(file, "--json").output == "[]\n"


@pytest.mark.parametrize(
    ("more", "people"),
    [
        ("", PEOPLE.replace("dealer", "deeler")),
        ("", PEOPLE.replace('site = "north"', 'site = "south"')),
        ("", PEOPLE.replace("t7", "t8")),
        ("", ""),
        ('journals = { t8 = "page.toml", t7 = "." }', PEOPLE),
        ('certificate_file = "page.toml"\nkey_file = "/run/credentials/feltd-page.service/key"', PEOPLE),
        ('certificate_file = "none.pem"\nkey_file = "/run/credentials/feltd-page.service/key"', PEOPLE),
    ],
)
def test_what_is_wrong_beside_the_page_s_file_is_said(file: Path, more: str, people: str, says: Says) -> None:
    (file.parent / "people.toml").write_text(people)
    (file.parent / "people.toml").chmod(0o640)
    file.write_text(OF_THE_UNIT.replace("\n\n[mqtt]", f'\npeople_file = "people.toml"\n{more}\n[mqtt]'))
    done = checked(file)
    assert isinstance(done.exception, InvalidConfigurationError)
    says(done.exception)
    assert json.loads(checked(file, "--json").output)


def test_the_example_shows_every_key(file: Path) -> None:
    whole = re.sub(r"(?m)^#(?=[^ \n])", "", EXAMPLE.read_text(encoding="utf-8"))
    document = tomllib.loads(whole)
    assert document["page"].keys() == {field.name for field in fields(ServerSection)}
    assert document["mqtt"].keys() == {field.name for field in fields(BrokerSection)}
    problems: list[Problem] = []
    read(PageSections, document, problems)
    assert problems == []
    (file.parent / "page-password").write_text("felt")
    (file.parent / "page-password").chmod(0o600)
    credential = "/run/credentials/feltd-page.service/password"
    file.write_text(EXAMPLE.read_text(encoding="utf-8").replace(credential, "page-password"))
    assert load_page(file).site == "harbour"


def test_a_trial_is_not_for_a_file(file: Path) -> None:
    result = CliRunner().invoke(page, ["--config", str(file), "--trial-user", "ana"])
    assert result.exit_code == 2
    assert "for a trial" in result.output
