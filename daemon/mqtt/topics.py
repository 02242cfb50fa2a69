"""The public topic names of one table: `felt/v1/<site>/<table>/…`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

NAMESPACE: Final = "felt/"
VERSION: Final = "felt/v1"

# One level of a topic that every broker keeps as it is. No separators, wildcards or blanks. No dots: NATS ends the
# connection at a dot, and RabbitMQ and ActiveMQ rewrite it. `(?!\n)`: `$` alone also matches before a line break.
LEVEL: Final = r"^[a-z0-9][a-z0-9_-]{0,63}$(?!\n)"
LEVEL_DESCRIPTION: Final = "1 to 64 of a-z, 0-9, - and _, the first a letter or a digit"

# Mosquitto disconnects a client that publishes to more than 200 levels or to a topic with control characters. The
# command that asked for such a topic would be delivered again on the next connection, and so on.
RESPONSE_TOPIC_CHARACTERS_MAX: Final = 256
RESPONSE_TOPIC_LEVELS_MAX: Final = 32
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
    def commands(self) -> str:
        """The filter for all commands."""
        return f"{self.base}/cmd/+"

    @property
    def devices(self) -> str:
        """The filter for all devices."""
        return f"{self.base}/device/+"

    @property
    def alerts(self) -> str:
        """The filter for all alerts."""
        return f"{self.base}/alert/+"

    def device(self, name: str) -> str:
        return f"{self.base}/device/{_as_level(name)}"

    def alert(self, name: str) -> str:
        return f"{self.base}/alert/{_as_level(name)}"

    def event(self, kind: str) -> str:
        return f"{self.base}/event/{kind}"

    def reply(self, client: str) -> str:
        return f"{self.base}/reply/{client}"

    def may_carry_a_reply(self, topic: str) -> bool:
        """Whether an answer may go there. Topics that consumers trust, such as our events, are excluded."""
        if not topic or topic.startswith("$") or "+" in topic or "#" in topic or not topic.isprintable():
            return False
        if len(topic) > RESPONSE_TOPIC_CHARACTERS_MAX or topic.count("/") >= RESPONSE_TOPIC_LEVELS_MAX:
            return False
        return topic.startswith(f"{self.base}/reply/") or not topic.startswith(NAMESPACE)


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
