"""Where the source says a code: the calls that take one, with the texts that stand beside it.

What a program puts into a sentence as it runs is shown as an ellipsis.
"""

from __future__ import annotations

import ast
import importlib
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from daemon.table.said_ids import SaidId
from daemon.table.sentences import FORMS
from daemon.tools.selftest import checks
from drivers.errors import SetupCode
from tests.docs.documents import ROOT


@dataclass(frozen=True, slots=True)
class Saying:
    """A call that says a code: who is called, the code, and the texts of the arguments after it."""

    maker: str
    code: str
    texts: tuple[str, ...]


def sayings(*makers: str, folder: str, of: type | None = None, code_at: int = 0) -> list[Saying]:
    """Return each call of these names whose code is known before the program runs.

    With `of`, calls of `super().__init__` in the classes that extend that error.
    """
    found: list[Saying] = []
    for file in [ROOT / folder] if folder.endswith(".py") else sorted((ROOT / folder).rglob("*.py")):
        calls = [
            call for call in _calls_in(file) if _name_of(call.node.func) in makers and len(call.node.args) > code_at + 1
        ]
        named = [call for call in calls if of is None or of.__name__ in call.bases]
        if named:
            names = vars(importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)))
            found += [_saying(call, names, code_at) for call in named]
    return [saying for saying in found if "…" not in saying.code]


LEVELS = frozenset({"debug", "info", "warning", "warn", "error", "critical", "exception"})


def log_events() -> dict[str, set[str]]:
    """Return the name of each line that feltd logs, with its levels."""
    events: dict[str, set[str]] = defaultdict(set)
    for folder in ("daemon", "drivers"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for call in _calls_in(file):
                match call.node:
                    case ast.Call(func=ast.Attribute(value=logger, attr=level), args=[ast.Constant(value=str(event))]):
                        if level in LEVELS and _name_of(logger) in {"_log", "log"}:
                            events[event].add(level)
                    case _:
                        pass
    return events


@dataclass(frozen=True, slots=True)
class _Call:
    scope: ast.AST
    bases: tuple[str, ...]
    """Those of the class whose method it is."""
    node: ast.Call


def _saying(call: _Call, names: Mapping[str, object], code_at: int) -> Saying:
    code, *texts = (_text(arg, call.scope, names) for arg in call.node.args[code_at:])
    return Saying(_name_of(call.node.func), code, tuple(texts))


@cache
def _calls_in(file: Path) -> list[_Call]:
    """Return each call in a function, and at the top of the module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    bases_of = {
        method: tuple(map(_name_of, node.bases))
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
        for method in node.body
    }
    return [
        _Call(scope, bases_of.get(scope, ()), node)
        for scope in ast.walk(tree)
        if isinstance(scope, ast.FunctionDef | ast.AsyncFunctionDef | ast.Assign | ast.AnnAssign)
        for node in ast.walk(scope)
        if isinstance(node, ast.Call)
    ]


def _name_of(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _text(node: ast.expr, scope: ast.AST, names: Mapping[str, object]) -> str:
    """Return the text that an argument will be, with an ellipsis for what is known only as the program runs."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, scope, names) for part in parts)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, scope, names) + _text(right, scope, names)
        case ast.IfExp(body=one, orelse=other):
            return f"{_text(one, scope, names)} / {_text(other, scope, names)}"
        case ast.Call(func=ast.Attribute(value=ast.Name() as template, attr="format")):
            return _text(template, scope, names).replace("{}", "…")
        case ast.Call(func=ast.Name(id="Clause" | "Said" | "of_device"), args=[said, *_]):
            return _text(said, scope, names)
        case ast.Attribute(value=ast.Name(id=enum), attr=name):
            return _of_enum(enum, name)
        case ast.FormattedValue(value=ast.Name(id=name)) if isinstance(names.get(name), str):
            return str(names[name])
        case ast.Name(id=name):
            before = [value for line, value in _assigned(name, scope) if line < node.lineno]
            constant = names.get(name)
            return _text(before[-1], scope, names) if before else constant if isinstance(constant, str) else "…"
        case _:
            return "…"


def _of_enum(enum: str, name: str) -> str:
    """Return the code that a member is, or the sentence of a member of SaidId."""
    if enum == "checks":
        return str(getattr(checks, name))
    return SetupCode[name].value if enum == "SetupCode" else form(SaidId[name]) if enum == "SaidId" else "…"


def form(said: SaidId) -> str:
    """Return an English sentence of the table, with an ellipsis for each of its fields."""
    return re.sub(r"\{\w+\}", "…", FORMS[said])


def _assigned(name: str, scope: ast.AST) -> list[tuple[int, ast.expr]]:
    """Return what a name is assigned in a function, with the lines, in order."""
    values: list[tuple[int, ast.expr]] = []
    for node in ast.walk(scope):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                values.append((node.lineno, value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=several)):
                pairs = zip(targets, several, strict=True)
                values += [(node.lineno, one) for target, one in pairs if _name_of(target) == name]
            case _:
                pass
    return sorted(values, key=lambda found: found[0])
