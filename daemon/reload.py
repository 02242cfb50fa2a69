"""SIGHUP, or `systemctl reload`: read the file again, take what may change while a table plays, and refuse the rest.

The log level and the people count at once. New limits count from the next round: the table restarts between two rounds,
because the settings of a start are what the journal records. Every other change is refused as a whole, in one line that
names its keys, and nothing of the file is taken.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Final

import structlog

from daemon import logs
from daemon.config.document import InvalidConfigurationError
from daemon.config.load import load
from daemon.config.people import PeopleAtTable
from daemon.config.settings import Config

_REMEDY: Final = (
    "Nothing of the file was taken. A restart takes all of it. To restart the table between two rounds: "
    "systemctl kill --kill-who=main --signal=USR1 feltd@TABLE."
)
_log = structlog.get_logger(__name__)


class Reload:
    """Takes a changed file, compared with the file as it was taken last."""

    def __init__(self, config: Config, people: PeopleAtTable, restart: Callable[[], None] | None) -> None:
        """`restart` ends the table between two rounds. It is None if nobody would start it again."""
        self._config = config
        self._people = people
        self._restart = restart

    async def read_again(self) -> None:
        """Take what may change. Log what was taken, or why nothing was."""
        try:
            config = await asyncio.to_thread(load, self._config.file)
        except InvalidConfigurationError as error:
            _log.error("reload-refused", message=error.message, remedy=error.remedy)
            return
        limits_changed = config.table.limits != self._config.table.limits
        refused = list(_changed(self._config, config))
        if limits_changed and self._restart is None:
            refused.append("limits")
        if refused:
            _log.error("reload-refused", changed=refused, remedy=_REMEDY)
            return
        self._people.read_again()
        logs.configure(config.log_level)
        self._config = replace(self._config, log_level=config.log_level)
        _log.info("reloaded", log_level=config.log_level.value, limits_changed=limits_changed)
        if limits_changed and self._restart is not None:
            self._restart()


def _changed(before: Config, after: Config) -> Iterator[str]:
    """Yield what only a restart takes, in the words of the file where they are the same."""
    yield from _differing(before.table, replace(after.table, limits=before.table.limits))
    yield from _differing(before, replace(after, table=before.table, log_level=before.log_level))


def _differing(before: object, after: object) -> list[str]:
    names = (field.name for field in fields(before))  # type: ignore[arg-type]
    return [name for name in names if getattr(before, name) != getattr(after, name)]
