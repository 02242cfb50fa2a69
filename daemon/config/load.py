"""From a file to a configuration, or to the list of everything that is wrong with it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Final

from daemon.config.checks import cross_check
from daemon.config.lines import lines_of
from daemon.config.problems import KeyPath, Problem, ProblemCode
from daemon.config.reading import read
from daemon.config.sections import SECTIONS, MqttSection, RulesSections, Sections, TlsSection
from daemon.config.settings import Config, config_of, money_of
from daemon.errors import ConfigurationError
from daemon.rules.games import GAMES
from daemon.rules.house import House, narrowed
from daemon.rules.wagers import GameName

PASSWORD: Final[KeyPath] = ("mqtt", "password_file")
_SYNTAX_PLACE: Final = re.compile(r" \(at line (\d+), column \d+\)$")


class InvalidConfigurationError(ConfigurationError):
    """The file cannot be used; `problems` has every reason, in the order of the file."""

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        super().__init__(
            "config.invalid",
            "\n".join(problem.sentence(file) for problem in problems),
            f"Mend {'it' if len(problems) == 1 else f'all {len(problems)}'} and try feltd check-config {file}.",
        )
        self.file = file
        self.problems = tuple(problems)


def load(file: Path) -> Config:
    """What the file configures, or InvalidConfigurationError."""
    text = _text(file)
    if isinstance(text, Problem):
        raise InvalidConfigurationError(file, [text])
    sections = examine(text)
    if not isinstance(sections, Sections):
        raise InvalidConfigurationError(file, sections)
    beside = file.absolute().parent
    named = {key: _named(key, beside / path) for key, path in _named_files(sections.mqtt)}
    problems = [found for found in named.values() if isinstance(found, Problem)]
    if problems:
        raise InvalidConfigurationError(file, _in_order(problems, lines_of(text)))
    return config_of(sections, file, _first_line(named.get(PASSWORD)))


def _named_files(mqtt: MqttSection) -> Iterator[tuple[KeyPath, str]]:
    """The files that have to be there before the broker can be reached."""
    tls = mqtt.tls or TlsSection()
    for key, path in (
        (PASSWORD, mqtt.password_file),
        (("mqtt", "tls", "ca_file"), tls.ca_file),
        (("mqtt", "tls", "certificate_file"), tls.certificate_file),
        (("mqtt", "tls", "key_file"), tls.key_file),
    ):
        if path is not None:
            yield key, path


def _named(key: KeyPath, path: Path) -> str | Problem:
    text = _text(path)
    return replace(text, key=key, found=f"{path}, and that is {text.found}") if isinstance(text, Problem) else text


def _first_line(text: str | Problem | None) -> str | None:
    """The password: it stands in a file of its own, so that no secret stands in a configuration."""
    return text.partition("\n")[0].removesuffix("\r") if isinstance(text, str) else None


def _text(path: Path) -> str | Problem:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        found = str(error.strerror)
    except UnicodeDecodeError:
        found = "bytes that are not UTF-8"
    return Problem(ProblemCode.UNREADABLE, (), found, "a text file in UTF-8 that this user can read")


def examine(text: str) -> Sections | tuple[Problem, ...]:
    """What the text configures, or everything that is wrong with it."""
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
    text = _text(file)
    document = text if isinstance(text, Problem) else _parsed(text)
    if isinstance(text, Problem) or isinstance(document, Problem):
        raise InvalidConfigurationError(file, [problem for problem in (text, document) if isinstance(problem, Problem)])
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
        return Problem(ProblemCode.SYNTAX, (), "tables or lists nested beyond reason", "TOML")
    except ValueError as error:  # TOMLDecodeError, and what Python's numbers and dates refuse
        return _syntax(str(error), text)


def _syntax(message: str, text: str) -> Problem:
    place = _SYNTAX_PLACE.search(message)
    at_end = text.count("\n") + 1 if message.endswith("(at end of document)") else None
    line = int(place.group(1)) if place else at_end
    return Problem(ProblemCode.SYNTAX, (), _SYNTAX_PLACE.sub("", message), "TOML", line=line)


def _in_order(problems: Sequence[Problem], lines: Mapping[KeyPath, int]) -> tuple[Problem, ...]:
    placed = [replace(problem, line=_line(problem.key, lines)) for problem in problems]
    return tuple(sorted(placed, key=lambda problem: problem.line or 0))


def _line(key: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """The key's own line; for one that is missing, that of the table where it would stand."""
    return next((lines[key[:length]] for length in range(len(key), 0, -1) if key[:length] in lines), None)
