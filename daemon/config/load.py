"""Turns a file into a configuration, or into the list of everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from daemon.config.checks import cross_check
from daemon.config.document import InvalidConfigurationError, in_order, parsed, text_or_error
from daemon.config.files import file_problems, journal_problems, password_of
from daemon.config.lines import lines_of
from daemon.config.people import load_people
from daemon.config.problems import Problem, ProblemCode
from daemon.config.reading import read
from daemon.config.sections import SECTIONS, RulesSections, Sections
from daemon.config.settings import Config, config_of, money_of
from daemon.rules.games import GAMES
from daemon.rules.house import House, narrowed
from daemon.rules.wagers import GameName

_EARLIER: Final[Mapping[str, str]] = MappingProxyType(
    {
        "panel": "this section is not read any longer: the page is a program of its own. Delete the section here, and "
        "write a file like feltd-page.example.toml for feltd page"
    }
)
"""Sections that a table's file once had, and what takes their place."""
_FILE_OF_THE_PAGE: Final = Problem(
    ProblemCode.UNKNOWN_KEY, ("page",), "this is the file of feltd page: name the file of one table here", ""
)
_FILE_OF_PEOPLE: Final = Problem(
    ProblemCode.UNKNOWN_KEY, ("tables",), "this is the site's file of people: name the file of one table here", ""
)


def load(file: Path) -> Config:
    """Return what the file configures, or raise InvalidConfigurationError."""
    text = text_or_error(file)
    sections = examine(text)
    if not isinstance(sections, Sections):
        raise InvalidConfigurationError(file, sections)
    beside = file.absolute().parent
    if problems := [*file_problems(sections.mqtt, beside), *journal_problems(sections.journal, beside)]:
        raise InvalidConfigurationError(file, in_order(problems, lines_of(text)))
    if sections.people.file is not None:
        load_people(beside / sections.people.file, sections.table.site, sections.table.name)
    return config_of(sections, file, password_of(sections.mqtt, beside))


def examine(text: str) -> Sections | tuple[Problem, ...]:
    """Return what the text configures, or everything that is wrong with it."""
    document = parsed(text)
    if isinstance(document, Problem):
        return (document,)
    if "page" in document and "table" not in document:
        return in_order([_FILE_OF_THE_PAGE], lines_of(text))
    if "table" not in document and isinstance(document.get("tables"), dict):
        return in_order([_FILE_OF_PEOPLE], lines_of(text))
    problems = list(_taken_out(document))
    sections = read(Sections, document, problems, {House: SECTIONS})
    problems += cross_check(sections)
    return in_order(problems, lines_of(text)) if problems else sections


def _taken_out(document: dict[str, object]) -> Iterator[Problem]:
    """Take sections of earlier versions out of the document, and yield what to do about each."""
    for section, instead in _EARLIER.items():
        if document.pop(section, None) is not None:
            yield Problem(ProblemCode.UNKNOWN_KEY, (section,), instead, "")


def load_houses(file: Path) -> Mapping[GameName, House]:
    """Return every game's options as the file has them, or raise InvalidConfigurationError.

    Only the money and the games are read, so that a draft can be audited before the rest of it exists.
    """
    text = text_or_error(file)
    document = parsed(text)
    if isinstance(document, Problem):
        raise InvalidConfigurationError(file, [document])
    problems: list[Problem] = []
    read_keys = {field.name: document[field.name] for field in fields(RulesSections) if field.name in document}
    sections = read(RulesSections, read_keys, problems, {House: SECTIONS})
    if problems:
        raise InvalidConfigurationError(file, in_order(problems, lines_of(text)))
    chosen = {game: sections.games.get(game, SECTIONS[game]()) for game in GameName}
    money = money_of(sections.money)
    return {game: replace(narrowed(house, type(GAMES[game].house)), money=money) for game, house in chosen.items()}
