"""What is wrong with a text that is not TOML, in words for the person who wrote it.

tomllib names a place and what its parser expected there. Most mistakes are of a few kinds, which are recognised here by
the parser's message and the text at its place. Any other mistake keeps the parser's own message.
"""

from __future__ import annotations

import re
from typing import Final

from daemon.config.problems import Problem, ProblemCode, shown

_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")
_AT_END: Final = " (at end of document)"
_DECLARED: Final = re.compile(r"Cannot declare \((.*)\) twice")
_TYPOGRAPHIC: Final = "“”„‟‘’‚‛«»"
_BREAKS: Final = ("Illegal character '\\n'", "Found invalid character '\\n'")
_SAID: Final = {
    "Expected '=' after a key in a key/value pair": "there is no = after the key",
    "Cannot overwrite a value": "a key stands here for the second time",
    "Unescaped '\\' in a string": "between double quotes a backslash begins an escape; use single quotes here",
    "Invalid statement": "this line is not key = value, [table] or # comment",
    "Unclosed array": "a [ is not closed",
    "Unclosed inline table": "a { is not closed",
    "Expected ']' at the end of a table declaration": "the [ of this table is not closed",
    "Expected ']]' at the end of an array declaration": "the [[ of this table is not closed",
}


def syntax_problem(message: str, text: str) -> Problem:
    """Return the problem for a message of tomllib about this text."""
    lines = text.split("\n")
    if place := _PLACE.search(message):
        line, column = int(place[1]), int(place[2])
    else:
        line, column = len(lines), len(lines[-1]) + 1
    bare = _PLACE.sub("", message).removesuffix(_AT_END)
    at_end = message.endswith(_AT_END)
    found = _words(bare, lines[line - 1], column, at_end=at_end)
    return Problem(ProblemCode.SYNTAX, (), found, "", line=line if place or at_end else None)


def _words(message: str, line: str, column: int, *, at_end: bool) -> str:
    opening = _open_quote(line)
    if opening is not None and (message in _BREAKS or at_end):
        return f"the quote that opens in column {opening} is not closed"
    if declared := _DECLARED.fullmatch(message):
        name = ".".join(re.findall(r"'([^']*)'", declared[1]))
        return f"[{name}] stands here for the second time; put its keys together"
    rest = line[column - 1 :].strip()
    if message == "Unterminated string":
        return "a text that opens with three quotes is not closed"
    if message == "Invalid value":
        return _no_value(rest)
    if message == "Expected newline or end of document after a statement":
        return f"{shown(rest)} stands after a complete value; texts need quotes, and numbers are whole, as 400"
    return _SAID.get(message, f"this is not TOML: {message}")


def _no_value(rest: str) -> str:
    if not rest:
        return "the value is missing"
    if rest[0] in _TYPOGRAPHIC:
        return f"{rest[0]} is a typographic quote; TOML knows \" and '"
    if rest.lower().startswith(("true", "false")):
        return f"{shown(rest)} is not a value; write true and false in small letters"
    return f"{shown(rest)} is not a value; texts need quotes"


def _open_quote(line: str) -> int | None:
    """Return the column of the quote that this line does not close, or None."""
    opened: tuple[str, int] | None = None
    escaped = False
    for column, character in enumerate(line, 1):
        if opened is None:
            if character == "#":
                return None
            if character in "\"'":
                opened = (character, column)
        elif escaped:
            escaped = False
        elif character == "\\" and opened[0] == '"':
            escaped = True
        elif character == opened[0]:
            opened = None
    return None if opened is None else opened[1]
