"""The public topic names of one table, in one place: `felt/v1/<site>/<table>/…`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

NAMESPACE: Final = "felt/"
VERSION: Final = "felt/v1"

# One level of a topic that is safe in every broker's access list: no separators, no wildcards, no blanks. The end
# is written so that it is one also where $ would let a last end of line pass.
LEVEL: Final = r"^[A-Za-z0-9._-]{1,64}$(?!\n)"

# Mosquitto hangs up on whoever publishes deeper than 200 levels or in control characters, and it would again at
# every repeat of the command that asked for it.
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
        """The filter for every command."""
        return f"{self.base}/cmd/+"

    @property
    def devices(self) -> str:
        """The filter for every device."""
        return f"{self.base}/device/+"

    @property
    def alerts(self) -> str:
        """The filter for every alert."""
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
        """Whether a requester may have its answer there: not where consumers take us at our word."""
        if not topic or topic.startswith("$") or "+" in topic or "#" in topic or not topic.isprintable():
            return False
        if len(topic) > RESPONSE_TOPIC_CHARACTERS_MAX or topic.count("/") >= RESPONSE_TOPIC_LEVELS_MAX:
            return False
        return topic.startswith(f"{self.base}/reply/") or not topic.startswith(NAMESPACE)


def is_level(name: str) -> bool:
    """Whether a name can be one level of a topic."""
    return _LEVEL.match(name) is not None


def require_level(name: str) -> None:
    """ValueError unless a name can be one level of a topic."""
    if not is_level(name):
        raise ValueError(f"{name!r} cannot be part of a topic: 1 to 64 of A–Z a–z 0–9 . _ - are")


def _as_level(name: str) -> str:
    """Names that the table makes up are levels already; whatever else one may hold cannot change the topic's shape."""
    return quote(name, safe="")
