"""What can be wrong with a configuration, as values. All problems together are the report.

A problem's code never changes and says which kind it is. Its sentence is for the operator. It is made here and nowhere
else, so that every report has the same order: where, what was found, what is allowed, and the name that was
probably meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from enum import Enum
from pathlib import Path
from typing import Final, TypeAlias

from protocols.frozen import dataclass

KeyPath: TypeAlias = tuple[str | int, ...]

FOUND_CHARS_MAX: Final = 60
_LIKENESS_MIN: Final = 0.51  # difflib's 0.6 does not find big_50 in big_fifty; at 0.5 verbose would mean error
_WITHIN_CHARS_MIN: Final = 5  # shuffler is within several profiles; EST is within many a word
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]{1,60}")


class ProblemCode(Enum):
    """Every kind of problem. The names never change."""

    UNREADABLE = "file-unreadable"
    SYNTAX = "syntax"
    UNKNOWN_KEY = "unknown-key"
    MISSING_KEY = "missing-key"
    WRONG_TYPE = "wrong-type"
    NOT_ALLOWED = "not-allowed"
    GAME_TWICE = "game-twice"
    TOO_MANY_SEATS = "too-many-seats"
    UNKNOWN_DEVICE = "unknown-device"
    SHUFFLER_MISSING = "shuffler-missing"
    UNKNOWN_TIME_ZONE = "unknown-time-zone"
    WRONG_ROLE = "wrong-role"
    PAYTABLE = "paytable"
    COMMANDS_NEEDED = "commands-needed"
    PACKETS_NEEDED = "packets-needed"
    UNKNOWN_PROFILE = "unknown-profile"
    FIRMWARE_RANGE = "firmware-range"
    OPTIONS_OF_ANOTHER = "options-of-another"
    SEQ_RANGE = "seq-range"
    BAD_ADDRESS = "bad-address"
    ADDRESS_TAKEN = "address-taken"
    AGGREGATE_LIMIT = "aggregate-limit"
    LIMITS_ORDER = "limits-order"
    LIMITS_CONTRADICT = "limits-contradict"
    FIXED_POLICY = "fixed-policy"
    MQTT_CONTRADICT = "mqtt-contradict"
    TLS_FILE = "tls-file"
    READABLE_BY_ALL = "readable-by-all"
    WRITABLE_BY_ALL = "writable-by-all"
    OTHER_SITE = "other-site"
    UNKNOWN_TABLE = "unknown-table"
    USER_TWICE = "user-twice"
    SEATS = "seats"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to correct. `found` is a clause of its own if `allowed` is empty.

    `nearest` is the known name or the form that the writer probably meant.
    """

    code: ProblemCode
    key: KeyPath
    found: str
    allowed: str
    nearest: str | None = None
    line: int | None = None

    def sentence(self, file: Path) -> str:
        where = f"{file}:{self.line}" if self.line else str(file)
        key = f"{spell_path(self.key)}: " if self.key else ""
        hint = f" Did you mean {self.nearest}?" if self.nearest else ""
        words = f"found {self.found}; allowed: {self.allowed}" if self.allowed else self.found
        return f"{where}: {key}{words}.{hint} [{self.code.value}]"


def spell_path(path: KeyPath) -> str:
    """Return a key as operators write it: ``devices.shuffler.profile``. The second of a list is ``limits[2]``."""
    text = ""
    for part in path:
        match part:
            case int():
                text += f"[{part + 1}]"
            case str():
                key = part if _BARE_KEY.fullmatch(part) else shown(part)
                text += f".{key}" if text else key
    return text


def nearest(found: object, known: Iterable[str]) -> str | None:
    """Return the known name that the writer probably meant, or None: one that is like it, or that has it within."""
    if not isinstance(found, str):
        return None
    word, names = found.lower(), {name.lower(): name for name in known}
    like = get_close_matches(word, names, n=1, cutoff=_LIKENESS_MIN)
    within = (name for name in names if len(word) >= _WITHIN_CHARS_MIN and word in name)
    return next((names[name] for name in (*like, *within)), None)


def shown(found: object) -> str:
    """Return a value of the file as a sentence quotes it: like TOML, short, and on one line."""
    match found:
        case bool():
            text = str(found).lower()
        case dict():
            text = "a table"
        case list():
            text = "a list"
        case str():
            text = f'"{found}"' if found.isprintable() else ascii(found)
        case _:
            text = str(found)
    return text if len(text) <= FOUND_CHARS_MAX else text[: FOUND_CHARS_MAX - 1] + "…"
