"""The games of one file: which are offered, what each is dealt from, and the options that the table is given."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from daemon.config.problems import KeyPath
from daemon.config.reading import known
from daemon.config.sections import SECTIONS, Sections, sources_of
from daemon.rules.house import House, options_of
from daemon.rules.wagers import GameName
from daemon.table.games import PROCEDURES
from daemon.table.settings import SourceSettings


def offered(file: Sections) -> Iterator[GameName]:
    """Yield the games that the file names, as far as they could be read, beginning with the table's first game."""
    others = file.table.other_games if known(file.table.other_games) else ()
    return (game for game in (file.table.game, *others) if known(game))


def section_of(file: Sections, game: GameName) -> House:
    """Return `[games.NAME]`, with every default where the file has no such table."""
    section = file.games.get(game) if known(file.games) else None
    return SECTIONS[game]() if section is None else section


def dealt_from(file: Sections, game: GameName) -> tuple[KeyPath, str | None]:
    """Return the device that a game is dealt from, its own or else the table's, after the key that says so."""
    own: str | None = getattr(section_of(file, game), "deals_from")  # noqa: B009  a field that `SECTIONS` adds
    if own is not None:
        return ("games", game.value, "deals_from"), own
    return ("table", "deals_from"), file.table.deals_from


def more_sources(file: Sections, game: GameName) -> dict[str, str]:
    """Return the other devices that a game's options name, by their keys, as far as they could be read."""
    section = section_of(file, game)
    named = {key: getattr(section, key) for key in sources_of(PROCEDURES[game].play.options)}
    return {key: name for key, name in named.items() if known(name)}


def options_at_table(file: Sections, game: GameName, source_named: Callable[[str], SourceSettings]) -> House:
    """Return a game's options as the table keeps them, without the keys that only the file has."""
    section, kind = section_of(file, game), PROCEDURES[game].play.options
    sources = {key: source_named(name) for key, name in more_sources(file, game).items()}
    own = {option.name: getattr(section, option.name) for option in options_of(kind)}
    return kind(**(own | dict.fromkeys(sources_of(kind)) | sources))
