"""The house rules that no linter knows: how long a function and a file may be, and that tests never skip quietly."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
TREES = ("daemon", "drivers", "protocols", "sim_hardware", "tests")
TOP_LEVEL_FOLDERS = {*TREES, "systemd", ".ci"}


def _too_long(path: Path) -> Iterator[str]:
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield f"{path.relative_to(ROOT)}: {lines} lines, at most {FILE_LINES_MAX}"
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or node.lineno) - node.lineno + 1
            if length > FUNCTION_LINES_MAX:
                where = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield f"{where}: {node.name} has {length} lines, at most {FUNCTION_LINES_MAX}"


def _strange_folders() -> Iterator[str]:
    """The customer fixed the top level; .gitignore names what tools leave there."""
    ignored = {line.strip("/\n ") for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()}
    for path in ROOT.iterdir():
        if path.is_dir() and path.name not in TOP_LEVEL_FOLDERS | ignored | {".git"}:
            yield f"{path.name}/: no such top-level folder was agreed"


def main() -> int:
    """Print every broken rule; the exit status says whether there was one."""
    broken = [line for tree in TREES for path in sorted((ROOT / tree).rglob("*.py")) for line in _too_long(path)]
    broken += _strange_folders()
    sys.stdout.writelines(f"{line}\n" for line in broken)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
