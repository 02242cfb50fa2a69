"""What an answer has to be like, judged as the configuration judges it."""

from __future__ import annotations

from typing import get_args

import click
import msgspec

from daemon.config.sections import TopicWord


def topic_word(text: str) -> str:
    """Return the name of a site, a table or a user, or let click ask again."""
    try:
        return msgspec.convert(text, TopicWord)
    except msgspec.ValidationError:
        _, bounds = get_args(TopicWord)
        raise click.BadParameter(bounds.description) from None
