"""The houses that an audit or an advice is for: the published rules, or what a configuration file makes of them.

Of the file only the money and the games are read, so that a draft can be audited before the rest of it exists.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import click
import msgspec

from daemon.errors import ExitStatus
from daemon.rules.wagers import GameName
from daemon.tools.rules.blackjack import BlackjackOptions
from daemon.tools.rules.options import Big50Options, BigDrawOptions, BigRaiseOptions, OptionError

Houses: TypeAlias = Mapping[GameName, Any]

OPTIONS: Final[Mapping[GameName, type[Any]]] = MappingProxyType(
    {
        GameName.BIG_50: Big50Options,
        GameName.BIG_RAISE: BigRaiseOptions,
        GameName.BIG_DRAW: BigDrawOptions,
        GameName.BLACKJACK: BlackjackOptions,
    }
)


class UnusableFileError(click.ClickException):
    """A configuration file that says something about a game that cannot be."""

    exit_code = ExitStatus.CONFIGURATION


def published() -> Houses:
    """Every game by the manufacturers' rules and our defaults."""
    return {game: options().house() for game, options in OPTIONS.items()}


def configured(file: Path) -> Houses:
    """Every game as a configuration has it, else UnusableFileError with the key."""
    try:
        document = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise UnusableFileError(f"{file}: {error}") from error
    games = document.get("games", {})
    return {game: _house(file, game, document.get("money", {}), games.get(game.value, {})) for game in OPTIONS}


def _house(file: Path, game: GameName, money: Mapping[str, object], options: Mapping[str, object]) -> object:
    try:
        return msgspec.convert(_money(money) | dict(options), OPTIONS[game]).house()
    except msgspec.ValidationError as error:
        raise UnusableFileError(f"{file}: games.{game.value}: {error}") from error
    except OptionError as error:
        raise UnusableFileError(f"{file}: games.{game.value}.{error.where}: {error}") from error


def _money(section: Mapping[str, object]) -> dict[str, object]:
    """The configuration's words for the money, in the options' words."""
    words = {"chip_cents": "chip", "breakage": "breakage"}
    return {field: section[key] for key, field in words.items() if key in section}
