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
# What word processors, web pages and mail put in the place of a blank, or where nobody sees anything.
_UNUSUAL_BLANK: Final = re.compile(r"[\u00a0\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff]")
_DAY: Final = re.compile(r"\d{1,4}([./-])\d{1,2}\1\d{1,4}")
_LEADING_ZERO: Final = re.compile(r"[+-]?0[\d_]+")
_BREAKS: Final = ("Illegal character '\\n'", "Found invalid character '\\n'")
_SAID: Final = {
    "Expected '=' after a key in a key/value pair": "there is no = after the key",
    "Cannot overwrite a value": "a key stands here for the second time",
    "Unescaped '\\' in a string": "between double quotes a backslash begins an escape; use single quotes here",
    "Invalid statement": "this line is not key = value, [table] or # comment",
    "Unclosed array": "a [ is not closed",
    "Unclosed inline table": "a { is not closed",
    "Invalid date or datetime": "there is no such day or time",
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
    if "\r" in line:
        return "the lines of this file end with CR alone, as on an old Mac; save it with LF or CRLF"
    if rest and rest[0].isalpha() and not rest[0].isascii():
        return f"column {column} holds {rest[0]}: names and keys without quotes are of a-z, 0-9, - and _"
    if blank := _UNUSUAL_BLANK.match(line, column - 1):
        return f"column {column} holds U+{ord(blank[0]):04X}, which only looks like a blank or like nothing; delete it"
    if message == "Unterminated string":
        return "a text that opens with three quotes is not closed"
    if message == "Invalid value":
        return _no_value(rest)
    if message == "Expected newline or end of document after a statement":
        return _after_value(line, rest)
    if message == "Invalid initial character for a key part" and rest in ("", "}") and "{" in line:
        return "the keys between { and } stand on one line, and no comma stands after the last of them"
    return _SAID.get(message, f"this is not TOML: {message}")


def _after_value(line: str, rest: str) -> str:
    value = line.partition("=")[2].partition("#")[0].strip()
    if _DAY.fullmatch(value):
        return f"{shown(value)} is not a day; days are as 2009-01-31"
    if _LEADING_ZERO.fullmatch(value):
        return f"{shown(value)} is not a number; numbers do not begin with 0"
    if rest in (";", ","):
        return f"{shown(rest)} stands after a complete value; delete it"
    return f"{shown(rest)} stands after a complete value; texts need quotes, and numbers are whole, as 400"


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
