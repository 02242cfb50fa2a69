"""Where a layer finds what it knows of each game: in a module that has the game's name.

A game is registered once, by its member of `GameName`. For `GameName.BIG_50` the rules look into `daemon.rules.big_50`,
the table into `daemon.table.big_50`, each tool into its own folder. Each takes the value that is called `GAME` there.
A layer may not import the layers above it, so no single record could hold all of a game.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import MappingProxyType, ModuleType
from typing import Final, TypeVar

from daemon.rules.wagers import GameName

PartT = TypeVar("PartT")

PART: Final = "GAME"


def part_of(game: GameName, folder: str, kind: type[PartT], inner: str | None = None) -> PartT:
    """Return a game's `GAME` in this folder. Where the game is a package there, `inner` is the module that has it."""
    part = getattr(part_module(game, folder, inner), PART)
    assert isinstance(part, kind), f"{folder}: {PART} of {game.value} is a {type(part).__name__}, not a {kind.__name__}"
    return part


def parts(folder: str, kind: type[PartT], inner: str | None = None) -> Mapping[GameName, PartT]:
    """Return the `GAME` of every game in this folder, in the order of `GameName`."""
    return MappingProxyType({game: part_of(game, folder, kind, inner) for game in GameName})


def part_module(game: GameName, folder: str, inner: str | None = None) -> ModuleType:
    """Return the module of a game in this folder, or its `inner` module where the game is a package there."""
    module = import_module(f"{folder}.{game.module}")
    return import_module(f"{module.__name__}.{inner}") if inner and hasattr(module, "__path__") else module
