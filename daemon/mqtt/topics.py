"""The public topic names of one table: `felt/v1/<site>/<table>/…`."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

from protocols.frozen import dataclass

VERSION: Final = "felt/v1"

# One level of a topic that every broker keeps as it is. No separators, wildcards or blanks. No dots: NATS ends the
# connection at a dot, and RabbitMQ and ActiveMQ rewrite it. `(?!\n)`: `$` alone also matches before a line break.
LEVEL: Final = r"^[a-z0-9][a-z0-9_-]{0,63}$(?!\n)"
LEVEL_DESCRIPTION: Final = "1 to 64 of a-z, 0-9, - and _, the first a letter or a digit"

REPLY_LEVELS_MAX: Final = 3  # below `reply/<user>`: for instance an application and a request
_LEVEL: Final = re.compile(LEVEL)


@dataclass(frozen=True, slots=True)
class Topics:
    """One table's topics."""

    site: str
    table: str

    def __post_init__(self) -> None:
        for name in (self.site, self.table):
            require_level(name)

    @property
    def base(self) -> str:
        return f"{VERSION}/{self.site}/{self.table}"

    @property
    def status(self) -> str:
        return f"{self.base}/status"

    @property
    def state(self) -> str:
        return f"{self.base}/state"

    @property
    def metrics(self) -> str:
        return f"{self.base}/metrics"

    @property
    def commands(self) -> str:
        """Return the filter for all commands."""
        return self.commands_of("+")

    @property
    def devices(self) -> str:
        """Return the filter for all devices."""
        return f"{self.base}/device/+"

    @property
    def alerts(self) -> str:
        """Return the filter for all alerts."""
        return f"{self.base}/alert/+"

    def device(self, name: str) -> str:
        return f"{self.base}/device/{_as_level(name)}"

    def alert(self, name: str) -> str:
        return f"{self.base}/alert/{_as_level(name)}"

    def event(self, kind: str) -> str:
        return f"{self.base}/event/{kind}"

    def commands_of(self, user: str) -> str:
        """Return the filter for all commands of one user."""
        return f"{self.base}/cmd/{user}/+"

    def command(self, user: str, name: str) -> str:
        return f"{self.base}/cmd/{user}/{name}"

    def reply(self, user: str) -> str:
        return f"{self.base}/reply/{user}"

    def is_own_reply(self, topic: str, user: str) -> bool:
        """Return whether the topic is `reply/<user>` or below it: the only ones that the broker lets this user read."""
        own = self.reply(user)
        below = topic.removeprefix(f"{own}/").split("/") if topic.startswith(f"{own}/") else []
        return topic == own or (0 < len(below) <= REPLY_LEVELS_MAX and all(map(is_level, below)))


def table_of(topic: str) -> str:
    """Return whose topic this is."""
    return topic.removeprefix(f"{VERSION}/").split("/")[1]


def is_level(name: str) -> bool:
    """Return whether a name can be one level of a topic."""
    return _LEVEL.match(name) is not None


def require_level(name: str) -> None:
    """Raise ValueError unless a name can be one level of a topic."""
    if not is_level(name):
        raise ValueError(f"{name!r} cannot be part of a topic: {LEVEL_DESCRIPTION}")


def _as_level(name: str) -> str:
    """Quote the name. The table's own names are levels already; any other name cannot add a level or a wildcard."""
    return quote(name, safe="")
