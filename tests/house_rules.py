"""The house rules that no linter knows.

How long a function and a file may be; that the table's code is typed without `Any`; and that what all games share
names none of them, but in the lists that have to. What ships takes its frozen classes from one place. No test
asserts a constant. No function stands there that nothing names. And idioms at which a reader with little English stops
are not written.
"""

from __future__ import annotations

import ast
import contextlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
SHIPS = ("daemon", "drivers", "protocols", "sim_hardware")
TREES = (*SHIPS, "tests")
TOP_LEVEL_FOLDERS = {*TREES, "systemd", ".ci"}

HACKING = ROOT / "HACKING.md"
"""It offers a new game what no game of today needs."""
WORD, FUNCTION = re.compile(r"\w+"), re.compile(r"^(?:async )?def (\w+)", re.MULTILINE)
PLANTED = ROOT / "tests" / "table" / "planted_types.py"
"""Errors that mypy has to find; nothing calls them."""

SCREENS = ROOT / "daemon" / "page" / "site"
TABLE = ROOT / "daemon" / "table"
LISTS_OF_GAMES = frozenset({"facts.py", "inputs.py", "own.py", "picture.py", "requests.py"})
"""Closed unions, who may ask for what, and the public picture have to say which types of each game belong to them."""
GAME_NAMES = re.compile(r"big[ _-]?(?:50|raise|draw)|black[ _-]?jack|bad[ _-]?beat|hold'?em", re.IGNORECASE)

IDIOMS = re.compile(r"\b(?:for ever|any more|whoever|of its own accord|he|him|his)\b", re.IGNORECASE)
"""`../shared/WORDS.md` says them plainly: permanently, no longer, a person who, by itself, they."""
NOT_OUR_WORDS = re.compile(
    r"\.(?:db|json|txt|jsonl)$|^LICENSE$|\.es\.js$|^(?:CHANGELOG|DECISIONS)\.md$|house_rules\.py$"
)
"""Data, Spanish, what is kept as it was written, and this list."""


def idioms_in(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines in which such an idiom stands, with it."""
    for number, line in enumerate(text.splitlines(), start=1):
        yield from ((number, found) for found in IDIOMS.findall(line))


def any_in(source: str) -> Iterator[int]:
    """Give the lines on which `Any` stands: it would hide from mypy what a handler takes and what a step changes."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id="Any") | ast.Attribute(attr="Any") | ast.alias(name="Any"):
                yield node.lineno
            case _:
                pass


def games_named_in(source: str) -> Iterator[tuple[int, str]]:
    """Give the lines on which a game is named, in code, a comment or a sentence, with the name."""
    for number, line in enumerate(source.splitlines(), start=1):
        yield from ((number, named) for named in GAME_NAMES.findall(line))


def constants_asserted_in(source: str) -> Iterator[int]:
    """Give the lines of `assert a >= 10 if b else 7`: wherever b does not hold, it asserts 7, which is true."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Assert(test=ast.IfExp(body=ast.Constant()) | ast.IfExp(orelse=ast.Constant())):
                yield node.lineno
            case _:
                pass


def functions_in(source: str) -> Iterator[tuple[int, str]]:
    """Give the lines and names of a module's functions that somebody has to name: no test, hook or decorated one."""
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name=name, decorator_list=[]) | ast.AsyncFunctionDef(name=name, decorator_list=[]):
                if not name.startswith(("test_", "pytest_")):
                    yield node.lineno, name
            case _:
                pass


def costly_classes_in(source: str) -> Iterator[int]:
    """Give the lines that take `dataclass` from Python in a module with a class that is frozen and has slots."""
    if "@dataclass(frozen=True, slots=True" in source:
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.ImportFrom(module="dataclasses", names=names) if "dataclass" in {each.name for each in names}:
                    yield node.lineno
                case _:
                    pass


def _in_table(path: Path) -> Iterator[str]:
    if TABLE not in path.parents:
        return
    source, where = path.read_text(encoding="utf-8"), path.relative_to(ROOT)
    yield from (f"{where}:{line}: Any; name the type" for line in any_in(source))
    if path.parent == TABLE and path.name not in LISTS_OF_GAMES and not GAME_NAMES.fullmatch(path.stem):
        for line, name in games_named_in(source):
            yield f"{where}:{line}: {name}: what only one game has belongs into its package or its GamePlay"


def _idioms() -> Iterator[str]:
    # Not by git: a fresh machine that tries a copy of the tree need not have it.
    inside = (path for folder in sorted(TOP_LEVEL_FOLDERS) for path in sorted((ROOT / folder).rglob("*")))
    for path in (*sorted(ROOT.iterdir()), *inside):
        name = path.relative_to(ROOT).as_posix()
        if not path.is_file() or path.parent.name == "__pycache__" or NOT_OUR_WORDS.search(name):
            continue
        with contextlib.suppress(UnicodeDecodeError):  # pictures
            for line, found in idioms_in(path.read_text(encoding="utf-8")):
                yield f"{name}:{line}: {found}: say it in plain words, as WORDS.md does"


def _too_many_lines(path: Path) -> Iterator[str]:
    lines = path.read_text(encoding="utf-8").count("\n")
    if lines > FILE_LINES_MAX:
        yield f"{path.relative_to(ROOT)}: {lines} lines, at most {FILE_LINES_MAX}"


def _in_any_file(path: Path) -> Iterator[str]:
    yield from _too_many_lines(path)
    text = path.read_text(encoding="utf-8")
    for line in constants_asserted_in(text):
        yield f"{path.relative_to(ROOT)}:{line}: asserts a constant; put the condition in parentheses"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield f"{where}: {node.name} has {length} lines, at most {FUNCTION_LINES_MAX}"


def _in_what_ships(path: Path) -> Iterator[str]:
    for line in costly_classes_in(path.read_text(encoding="utf-8")):
        yield f"{path.relative_to(ROOT)}:{line}: take dataclass from protocols.frozen; Python's own costs each start"


def _functions_that_nothing_names(paths: list[Path]) -> Iterator[str]:
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    documents = HACKING.read_text(encoding="utf-8")
    words = Counter(word for text in (*sources.values(), documents) for word in WORD.findall(text))
    for path, source in sources.items():
        if path == PLANTED or all(words[name] > 1 for name in FUNCTION.findall(source)):
            continue  # most modules need not be parsed once more
        for line, name in functions_in(source):
            if words[name] == 1:
                yield f"{path.relative_to(ROOT)}:{line}: nothing names {name}; remove it"


def _strange_folders() -> Iterator[str]:
    """The customer fixed the top level; .gitignore names what tools leave there."""
    ignored = {line.strip("/\n ") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}
    for path in ROOT.iterdir():
        if path.is_dir() and path.name not in TOP_LEVEL_FOLDERS | ignored | {".git"}:
            yield f"{path.name}/: no such top-level folder was agreed"


def main() -> int:
    """Print every broken rule; the exit status says whether there was one."""
    modules = [path for tree in TREES for path in sorted((ROOT / tree).rglob("*.py"))]
    broken = [line for path in modules for line in _in_any_file(path)]
    broken += _functions_that_nothing_names(modules)
    broken += [line for tree in SHIPS for path in sorted((ROOT / tree).rglob("*.py")) for line in _in_what_ships(path)]
    broken += [line for path in sorted(TABLE.rglob("*.py")) for line in _in_table(path)]
    broken += [
        line for kind in ("*.js", "*.css") for path in sorted(SCREENS.rglob(kind)) for line in _too_many_lines(path)
    ]
    broken += _strange_folders()
    broken += _idioms()
    sys.stdout.writelines(f"{line}\n" for line in broken)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
