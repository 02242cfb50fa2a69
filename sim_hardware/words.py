"""The few words of a control interface: one line in, one line out, `ok …` or `error …` with what would be accepted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Final

from protocols.frozen import dataclass

OK: Final = "ok"
ERROR: Final = "error"


class WordError(Exception):
    """The line asks for something unknown, or for something that cannot be done now. The text is the answer."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word of the interface. `act` gets the words that follow, and returns what to add to `ok`."""

    name: str
    usage: str
    meaning: str
    act: Callable[[Sequence[str]], str]


class Vocabulary:
    """All the words of one emulated device."""

    def __init__(self, words: Sequence[Word]) -> None:
        described = Word("help", "help [WORD]", "what can be said", self._help)
        self._words: Final = {word.name: word for word in (*words, described)}

    def answer(self, line: str) -> str:
        """Return the answer to a line, itself one line."""
        name, *rest = line.split() or [""]
        try:
            return f"{OK} {self._known(name).act(rest)}".rstrip()
        except WordError as error:
            return f"{ERROR} {error}"

    def _known(self, name: str) -> Word:
        word = self._words.get(name)
        if word is None:
            raise WordError(f"{name!r} is not a word here{did_you_mean(name, self._words)}; there are: {self._names()}")
        return word

    def _help(self, rest: Sequence[str]) -> str:
        if not rest:
            return self._names()
        word = self._known(rest[0])
        return f"{word.usage}: {word.meaning}"

    def _names(self) -> str:
        return ", ".join(self._words)


def did_you_mean(text: str, names: Sequence[str] | dict[str, Word]) -> str:
    """Return a hint at the nearest name, or an empty text."""
    near = get_close_matches(text, list(names), n=1)
    return f", did you mean {near[0]}?" if near else ""


def nothing_follows(name: str, rest: Sequence[str]) -> None:
    """Raise WordError if more words follow one that stands alone."""
    if rest:
        raise WordError(f"nothing follows {name}, and here {rest[0]!r} does")
