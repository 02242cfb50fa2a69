"""What reading any TOML file of a site needs: its text, its TOML, and the error that lists every problem of it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from pathlib import Path

from daemon.config.files import UnreadableError, text_of
from daemon.config.problems import KeyPath, Problem, ProblemCode
from daemon.config.syntax import syntax_problem
from daemon.errors import ConfigurationError


class InvalidConfigurationError(ConfigurationError):
    """The file cannot be used. `problems` has every reason, in the order of the file."""

    def __init__(self, file: Path, problems: Sequence[Problem]) -> None:
        these = {1: "this", 2: "both"}.get(len(problems), f"all {len(problems)}")
        super().__init__(
            "config.invalid",
            "\n".join(problem.sentence(file) for problem in problems),
            f"Fix {these}, then run feltd check-config {file}.",
        )
        self.file = file
        self.problems = tuple(problems)


def text_or_error(file: Path) -> str:
    """Return the file's text, or raise InvalidConfigurationError."""
    try:
        return text_of(file)
    except UnreadableError as error:
        raise InvalidConfigurationError(file, [Problem(ProblemCode.UNREADABLE, (), f"this file {error}", "")]) from None


def parsed(text: str) -> dict[str, object] | Problem:
    """Return the text as TOML has it, or the problem that it is not TOML."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        return Problem(ProblemCode.SYNTAX, (), "tables or lists are nested too deeply", "")
    except ValueError as error:  # TOMLDecodeError, and what Python's numbers and dates refuse
        return syntax_problem(str(error), text)


def has_sections(file: Path, names: AbstractSet[str]) -> bool:
    """Return whether the file has any of these sections and not [table]. One that cannot be read has none."""
    try:
        document = parsed(text_of(file))
    except UnreadableError:
        return False
    return isinstance(document, dict) and "table" not in document and not names.isdisjoint(document)


def in_order(problems: Sequence[Problem], lines: Mapping[KeyPath, int]) -> tuple[Problem, ...]:
    """Give each problem its line, and sort by it."""
    placed = [replace(problem, line=_line(problem.key, lines)) for problem in problems]
    return tuple(sorted(placed, key=lambda problem: problem.line or 0))


def _line(key: KeyPath, lines: Mapping[KeyPath, int]) -> int | None:
    """Return the key's line. For a missing key it is the line of the table where the key belongs."""
    return next((lines[key[:length]] for length in range(len(key), 0, -1) if key[:length] in lines), None)
