"""The site's file of people: what is wrong with one, and that a table follows it without a restart."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from daemon.config.document import InvalidConfigurationError
from daemon.config.load import load
from daemon.config.people import PeopleAtTable, Person, Role, examine_people, load_people
from daemon.config.problems import ProblemCode
from tests.daemon.config.files import GOOD
from tests.support.certificates import certificates

PEOPLE = """\
site = "harbour"
[tables]
7 = { user = "table7" }
8 = { user = "table8" }
[people]
ana = { role = "dealer", tables = ["7"] }
seat3 = { role = "player", tables = ["7"], seats = [3] }
store = { role = "collector", tables = ["*"] }
"""


def changed(old: str, new: str) -> str:
    assert PEOPLE.count(old) == 1
    return PEOPLE.replace(old, new)


def codes(text: str) -> list[tuple[str, ProblemCode]]:
    problems = examine_people(text)
    assert isinstance(problems, tuple), problems
    return [(".".join(map(str, problem.key)), problem.code) for problem in problems]


MISTAKES = [
    (changed('"dealer"', '"croupier"'), [("people.ana.role", ProblemCode.NOT_ALLOWED)]),
    (changed('{ role = "dealer", ', "{ "), [("people.ana.role", ProblemCode.MISSING_KEY)]),
    (changed("ana = ", '"a.na" = '), [("people.a.na", ProblemCode.UNKNOWN_KEY)]),
    (changed("ana = ", "Ana = "), [("people.Ana", ProblemCode.UNKNOWN_KEY)]),
    (changed(', tables = ["*"]', ""), [("people.store.tables", ProblemCode.MISSING_KEY)]),
    (changed('["*"]', "[]"), [("people.store.tables", ProblemCode.NOT_ALLOWED)]),
    (changed('["*"]', '["9"]'), [("people.store.tables.0", ProblemCode.UNKNOWN_TABLE)]),
    (changed(", seats = [3]", ""), [("people.seat3.seats", ProblemCode.SEATS)]),
    (changed('["*"] }', '["*"], seats = [1] }'), [("people.store.seats", ProblemCode.SEATS)]),
    (changed("[3]", "[0]"), [("people.seat3.seats.0", ProblemCode.NOT_ALLOWED)]),
    (changed('"table8"', '"table7"'), [("tables.8.user", ProblemCode.USER_TWICE)]),
    (changed("ana = ", "table7 = "), [("people.table7", ProblemCode.USER_TWICE)]),
    ("site = ", [("", ProblemCode.SYNTAX)]),
]


@pytest.mark.parametrize(("text", "expected"), MISTAKES)
def test_what_is_wrong_is_named_with_its_place(text: str, expected: list[tuple[str, ProblemCode]]) -> None:
    assert codes(text) == expected


def written(directory: Path, text: str = PEOPLE) -> Path:
    file = directory / "people.toml"
    file.write_text(text)
    return file


def test_a_file_for_another_site_or_table_is_refused_with_the_table(tmp_path: Path) -> None:
    config = tmp_path / "t.toml"
    config.write_text(GOOD + '[people]\nfile = "people.toml"\n')
    people = written(tmp_path)
    assert load(config).people == people
    for text, code in (
        (changed('"harbour"', '"bay"'), ProblemCode.OTHER_SITE),
        (changed("7 = {", "9 = {").replace('["7"]', '["9"]'), ProblemCode.UNKNOWN_TABLE),
    ):
        people = written(tmp_path, text)
        with pytest.raises(InvalidConfigurationError) as caught:
            load(config)
        assert caught.value.file == people
        assert [problem.code for problem in caught.value.problems] == [code]


def test_a_file_that_everybody_may_write_is_refused(tmp_path: Path) -> None:
    people = written(tmp_path)
    people.chmod(0o666)
    with pytest.raises(InvalidConfigurationError) as caught:
        load_people(people)
    assert [problem.code for problem in caught.value.problems] == [ProblemCode.WRITABLE_BY_ALL]


@pytest.mark.parametrize("is_key", [False, True])
def test_a_secret_that_others_can_read_is_refused(tmp_path: Path, is_key: bool) -> None:
    secret, config = tmp_path / "secret", tmp_path / "t.toml"
    secret.write_text("secret\n")
    mqtt = '[mqtt]\nusername = "table7"\npassword_file = "secret"\n'
    if is_key:
        made = certificates(tmp_path)
        secret = made.key
        mqtt = f'[mqtt.tls]\ncertificate_file = "{made.certificate}"\nkey_file = "{made.key}"\n'
    config.write_text(GOOD + mqtt)
    secret.chmod(0o640)
    load(config)
    secret.chmod(0o644)
    with pytest.raises(InvalidConfigurationError) as caught:
        load(config)
    assert [problem.code for problem in caught.value.problems] == [ProblemCode.READABLE_BY_ALL]


def test_a_user_counts_at_the_tables_of_their_entry(tmp_path: Path) -> None:
    at_8 = PeopleAtTable(written(tmp_path), "harbour", "8", lambda _: None)
    assert at_8.person("ana") is None
    assert at_8.person("store") == Person(role=Role.COLLECTOR, tables=("*",))
    assert at_8.person("nobody") is None


def test_without_a_file_nobody_is_a_user() -> None:
    assert PeopleAtTable(None, "harbour", "7", lambda _: None).person("ana") is None


def test_a_changed_file_counts_from_the_next_command_on(tmp_path: Path) -> None:
    reports: list[InvalidConfigurationError | None] = []
    people = PeopleAtTable(written(tmp_path), "harbour", "7", reports.append)
    assert people.person("ana") is not None
    replace_file(tmp_path, changed("ana = ", "bob = "))
    assert people.person("ana") is None
    assert people.person("bob") is not None
    assert reports == [None]


def test_who_may_give_commands_is_told_from_the_file_as_it_is(tmp_path: Path) -> None:
    reports: list[InvalidConfigurationError | None] = []
    people = PeopleAtTable(written(tmp_path), "harbour", "7", reports.append)
    assert "bob" not in people.users()
    replace_file(tmp_path, changed("ana = ", "bob = "))
    assert "bob" in people.users()
    assert "ana" not in people.users()
    assert reports == [None]


def test_a_changed_file_with_a_mistake_stops_nobody_and_is_reported_once(tmp_path: Path) -> None:
    reports: list[InvalidConfigurationError | None] = []
    people = PeopleAtTable(written(tmp_path), "harbour", "7", reports.append)
    for _ in range(2):
        replace_file(tmp_path, changed('"dealer"', '"croupier"'))
        assert people.person("ana") is not None
        assert people.person("ana") is not None
    (tmp_path / "people.toml").unlink()
    assert people.person("ana") is not None
    replace_file(tmp_path, PEOPLE)
    assert people.person("ana") is not None
    assert [error is None for error in reports] == [False, False, False, True]


def test_a_pipe_or_a_device_in_the_files_place_stops_nobody(tmp_path: Path) -> None:
    """Reading it held the whole table up."""
    reports: list[InvalidConfigurationError | None] = []
    people = PeopleAtTable(written(tmp_path), "harbour", "7", reports.append)
    file = tmp_path / "people.toml"
    file.unlink()
    os.mkfifo(file)
    assert people.person("ana") is not None
    file.unlink()
    file.symlink_to("/dev/zero")
    assert people.person("ana") is not None
    assert [error is None for error in reports] == [False, False]


def replace_file(directory: Path, text: str) -> None:
    """As an editor does: another file under the same name."""
    new = directory / "people.new"
    new.write_text(text)
    new.replace(directory / "people.toml")
