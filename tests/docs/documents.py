"""The documents taken apart: blocks of a language, the commands in them, the names that stand in backticks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("daemon/mqtt", "daemon/tools", "systemd", "sim_hardware")
"""Each has a README for its own reader."""
GUIDES = (
    "daemon/table/DEALER.md",
    "daemon/table/PIT.md",
    "drivers/TECHNICIAN.md",
    "systemd/IT.md",
    "daemon/journal/AUDITOR.md",
    "daemon/mqtt/INTEGRATOR.md",
)
"""Two printed pages for one reader, with commands that are run in a folder of their own."""
NAMES = (
    *("README.md", "ARCHITECTURE.md", "HACKING.md", "DECISIONS.md", "CHANGELOG.md"),
    *(f"{folder}/README.md" for folder in FOLDERS),
    *GUIDES,
)
ELLIPSIS = "…"

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`([^`\n]+)`")


@dataclass(frozen=True, slots=True)
class Example:
    """A command of a console block, and what the document says it prints."""

    command: str
    printed: str


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    """What stands between fences of this language, also within a list, without its indent."""
    return [dedent(body) for _, found, body in _FENCE.findall(text) if found == language]


def prose(text: str) -> str:
    """The text without its fenced blocks."""
    return _FENCE.sub("", text)


def quoted(text: str) -> list[str]:
    """What stands in backticks outside fenced blocks."""
    return _INLINE.findall(prose(text))


def examples(block: str) -> Iterator[Example]:
    """Every ``$ command`` of a console block with the lines that follow it."""
    for part in re.split(r"(?m)^\$ ", block)[1:]:
        command, _, printed = part.partition("\n")
        yield Example(command, printed)


def commands(text: str) -> list[str]:
    """Every command line that a reader may type, from console and shell blocks, without comments."""
    typed = [example.command for block in blocks(text, "console") for example in examples(block)]
    typed += [line for block in blocks(text, "sh") for line in block.splitlines()]
    return [re.sub(r"\s#.*$", "", line) for line in typed]


def matches(printed: str, really: str) -> bool:
    """Whether this is what came out: an ellipsis stands for some text, alone on a line for any number of lines."""
    pattern = "".join(_pattern(line.rstrip()) for line in printed.strip("\n").splitlines())
    came_out = "".join(f"{line.rstrip()}\n" for line in really.strip("\n").splitlines())
    return re.fullmatch(pattern, came_out) is not None


def _pattern(line: str) -> str:
    if line == ELLIPSIS:
        return r"(?:.*\n)*"
    return ".*".join(re.escape(part) for part in line.split(ELLIPSIS)) + r"\n"


def section(text: str, title: str) -> str:
    """Return what stands below this title, up to the next of the same rank."""
    return text.partition(f"{title}\n")[2].partition("\n## ")[0]


def cells(text: str, column: int) -> list[str]:
    """Return one column of the first table, without its head."""
    rows = [line.strip("|").split("|") for line in text.partition("\n|")[2].partition("\n\n")[0].splitlines()]
    return [row[column].strip() for row in rows[2:]]
