"""Turns a file into a configuration, or into the list of everything that is wrong with it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path

from daemon.config.checks import cross_check
from daemon.config.files import UnreadableError, file_problems, password_of, text_of
from daemon.config.lines import lines_of
from daemon.config.problems import KeyPath, Problem, ProblemCode
from daemon.config.reading import read
from daemon.config.sections import SECTIONS, RulesSections, Sections
from daemon.config.settings import Config, config_of, money_of
from daemon.config.syntax import syntax_problem
from daemon.errors import ConfigurationError
from daemon.rules.games import GAMES
from daemon.rules.house import House, narrowed
from daemon.rules.wagers import GameName


class InvalidConfigurationError(ConfigurationError):
    """The file cannot be used. `problems` has every reason, in the order of the file."""

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        super().__init__(
            "config.invalid",
            "\n".join(problem.sentence(file) for problem in problems),
            f"Fix {_how_many(len(problems))}, then run feltd check-config {file}.",
        )
        self.file = file
        self.problems = tuple(problems)


def _how_many(problems: int) -> str:
    return "this" if problems == 1 else "both" if problems == 2 else f"all {problems}"


def load(file: Path) -> Config:
    """Return what the file configures, or raise InvalidConfigurationError."""
    text = _read(file)
    sections = examine(text)
    if not isinstance(sections, Sections):
        raise InvalidConfigurationError(file, sections)
    beside = file.absolute().parent
    if problems := list(file_problems(sections.mqtt, beside)):
        raise InvalidConfigurationError(file, _in_order(problems, lines_of(text)))
    return config_of(sections, file, password_of(sections.mqtt, beside))


def _read(file: Path) -> str:
    try:
        return text_of(file)
    except UnreadableError as error:
        raise InvalidConfigurationError(file, [Problem(ProblemCode.UNREADABLE, (), f"this file {error}", "")]) from None


def examine(text: str) -> Sections | tuple[Problem, ...]:
    """Return what the text configures, or everything that is wrong with it."""
    document = _parsed(text)
    if isinstance(document, Problem):
        return (document,)
    problems: list[Problem] = []
    sections = read(Sections, document, problems, {House: SECTIONS})
    problems += cross_check(sections)
    return _in_order(problems, lines_of(text)) if problems else sections


def load_houses(file: Path) -> Mapping[GameName, House]:
    """Return every game's options as the file has them, or raise InvalidConfigurationError.

    Only the money and the games are read, so that a draft can be audited before the rest of it exists.
    """
    text = _read(file)
    document = _parsed(text)
    if isinstance(document, Problem):
        raise InvalidConfigurationError(file, [document])
    problems: list[Problem] = []
    read_keys = {field.name: document[field.name] for field in fields(RulesSections) if field.name in document}
    sections = read(RulesSections, read_keys, problems, {House: SECTIONS})
    if problems:
        raise InvalidConfigurationError(file, _in_order(problems, lines_of(text)))
    chosen = {game: sections.games.get(game, SECTIONS[game]()) for game in GameName}
    money = money_of(sections.money)
    return {game: replace(narrowed(house, type(GAMES[game].house)), money=money) for game, house in chosen.items()}


def _parsed(text: str) -> dict[str, object] | Problem:
    try:
        return tomllib.loads(text)
    except RecursionError:
        return Problem(ProblemCode.SYNTAX, (), "tables or lists are nested too deeply", "")
    except ValueError as error:  # TOMLDecodeError, and what Python's numbers and dates refuse
        return syntax_problem(str(error), text)


def _in_order(problems: Sequence[Problem], lines: Mapping[KeyPath, int]) -> tuple[Problem, ...]:
    placed = [replace(problem, line=_line(problem.key, lines)) for problem in problems]
    return tuple(sorted(placed, key=lambda problem: problem.line or 0))


def _line(key: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """Return the key's line. For a missing key it is the line of the table where the key belongs."""
    return next((lines[key[:length]] for length in range(len(key), 0, -1) if key[:length] in lines), None)
