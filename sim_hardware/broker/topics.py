"""Topic names and topic filters: which are well formed, and which filter takes which name.

The codec checks what it writes but takes any text that it reads, so whatever comes from a client is checked here.
"""

from __future__ import annotations

from typing import Final

TOPIC_BYTES_MAX: Final = 65535
"""MQTT 5.0, 4.7.3: a topic is an MQTT string, with two bytes of length."""
SHARED: Final = "$share/"


def is_topic_name(text: str) -> bool:
    """Return whether a message may be published under this text (MQTT 5.0, 3.3.2.1 and 4.7.3)."""
    return _is_plain(text) and "+" not in text and "#" not in text


def is_topic_filter(text: str) -> bool:
    """Return whether this is a valid filter (MQTT 5.0, 4.7.1): + and # stand alone in a level, # in the last one."""
    levels = text.split("/")
    whole = all(level in ("+", "#") or not ("+" in level or "#" in level) for level in levels)
    return _is_plain(text) and whole and "#" not in levels[:-1]


def _is_plain(text: str) -> bool:
    return bool(text) and "\0" not in text and len(text.encode()) <= TOPIC_BYTES_MAX


def matches(pattern: str, topic: str) -> bool:
    """Return whether a valid filter matches a valid name. A leading wildcard matches no $ topic (4.7.2)."""
    if topic.startswith("$") and pattern[0] in "+#":
        return False
    wanted, given = pattern.split("/"), topic.split("/")
    if wanted[-1] == "#":
        wanted.pop()
        given = given[: len(wanted)]
    return len(wanted) == len(given) and all(want in ("+", have) for want, have in zip(wanted, given, strict=True))
