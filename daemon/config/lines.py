"""Finds the line of each key in a TOML file. tomllib tells what a file says, but not where.

Only text that tomllib has already accepted comes here, so this walks the tokens and checks nothing.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Final

from daemon.config.problems import KeyPath

_TOKEN: Final = re.compile(
    r"""
    (?P<skip>[ \t\r]+|\#[^\n]*)
  | (?P<newline>\n)
  | (?P<string>\"{3}(?:\\.|[^\\])*?\"{3,5}(?!\")|'{3}.*?'{3,5}(?!')|"(?:\\.|[^"\\])*"|'[^']*')
  | (?P<mark>[\[\]{}=,.])
  | (?P<bare>[^\s\[\]{}=,.\#"']+)
    """,
    re.VERBOSE | re.DOTALL,
)
_END: Final = ("end", "", 0)
_CLOSING: Final = {",", "]", "}"}


def lines_of(text: str) -> Mapping[KeyPath, int]:
    """Return each key's first line, counted from 1, also for tables that only a longer name implies."""
    walk = _Walk(text)
    walk.document()
    return walk.lines


class _Walk:
    """One pass over the tokens, along TOML's grammar."""

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._tokens = _tokens(text)
        self._kind, self._text, self._line = next(self._tokens, _END)
        self._lengths: dict[KeyPath, int] = {}  # of lists that are written as [[headers]]

    def document(self) -> None:
        table: KeyPath = ()
        while self._kind != "end":
            if self._kind == "newline":
                self._next()
            elif self._text == "[" and self._kind == "mark":
                table = self._header()
            else:
                self._pair(table)

    def _next(self) -> None:
        self._kind, self._text, self._line = next(self._tokens, _END)

    def _at(self, mark: str) -> bool:
        return self._kind == "mark" and self._text == mark

    def _header(self) -> KeyPath:
        self._next()
        is_list = self._at("[")
        if is_list:
            self._next()
        line = self._line
        path = self._place(self._key(), is_list)
        self._note(path, line)
        while self._at("]"):
            self._next()
        return path

    def _place(self, key: list[str], is_list: bool) -> KeyPath:
        """Return a header's table. Under a list it belongs to the last item; a list's own header adds an item."""
        path: KeyPath = ()
        for part in key[:-1]:
            path = self._last_item((*path, part))
        whole = (*path, key[-1])
        if is_list:
            self._lengths[whole] = self._lengths.get(whole, 0) + 1
        return self._last_item(whole)

    def _last_item(self, path: KeyPath) -> KeyPath:
        return (*path, self._lengths[path] - 1) if path in self._lengths else path

    def _note(self, path: KeyPath, line: int) -> None:
        for length in range(1, len(path) + 1):
            self.lines.setdefault(path[:length], line)

    def _key(self) -> list[str]:
        parts = [self._key_part()]
        while self._at("."):
            self._next()
            parts.append(self._key_part())
        return parts

    def _key_part(self) -> str:
        text = self._text
        if self._kind == "string":
            text = tomllib.loads(f"k = {text}")["k"]
        self._next()
        return text

    def _pair(self, table: KeyPath) -> None:
        line = self._line
        path = (*table, *self._key())
        self._note(path, line)
        self._next()
        self._value(path)

    def _value(self, path: KeyPath) -> None:
        if self._at("["):
            self._list(path)
        elif self._at("{"):
            self._inline_table(path)
        else:
            while self._kind not in ("newline", "end") and not (self._kind == "mark" and self._text in _CLOSING):
                self._next()

    def _list(self, path: KeyPath) -> None:
        self._next()
        place = 0
        while not self._at("]") and self._kind != "end":
            if self._kind == "newline":
                self._next()
            elif self._at(","):
                place += 1
                self._next()
            else:
                self._note((*path, place), self._line)
                self._value((*path, place))
        self._next()

    def _inline_table(self, path: KeyPath) -> None:
        self._next()
        while not self._at("}") and self._kind != "end":
            if self._at(",") or self._kind == "newline":
                self._next()
            else:
                self._pair(path)
        self._next()


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "skip":
            yield kind, match.group(), line
        line += match.group().count("\n")
