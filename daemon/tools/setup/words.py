"""What an answer has to be like, judged as the configuration judges it."""

from __future__ import annotations

import unicodedata
from typing import Final, get_args

import click
import msgspec

from daemon.config.sections import TopicWord

_NO_TEXT: Final = ("Cc", "Cs")
"""Control characters, and the bytes of a terminal that does not send UTF-8."""


def plain(text: str) -> str:
    """Return what can stand in a file of ours, or let click ask again without a word of it: it may be a password."""
    if any(unicodedata.category(one) in _NO_TEXT for one in text):
        raise click.BadParameter(
            "it has bytes that are not text in UTF-8, or control characters; set the terminal to UTF-8"
        )
    return text


def topic_word(text: str) -> str:
    """Return the name of a site, a table or a user, or let click ask again."""
    try:
        return msgspec.convert(text, TopicWord)
    except msgspec.ValidationError:
        _, bounds = get_args(TopicWord)
        raise click.BadParameter(bounds.description) from None
