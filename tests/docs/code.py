"""What is defined in the tree, by file: functions, classes, and what a class or a module holds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.documents import ROOT

TREES = ("daemon", "drivers", "protocols", "sim_hardware", "tests")


@cache
def defined_in(path: Path) -> frozenset[str]:
    """Names, and members as ``Class.member``."""
    return frozenset(_names(ast.parse(path.read_text(encoding="utf-8")).body, ""))


@cache
def lines_in(path: Path) -> dict[str, int]:
    """Return the length of each function, by its name or as ``Class.member``."""
    return dict(_lengths(ast.parse(path.read_text(encoding="utf-8")).body, ""))


def _lengths(body: list[ast.stmt], inside: str) -> Iterator[tuple[str, int]]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield inside + name, (node.end_lineno or node.lineno) - node.lineno + 1
            case ast.ClassDef(name=name):
                yield from _lengths(node.body, f"{name}.")
            case _:
                pass


def _names(body: list[ast.stmt], inside: str) -> Iterator[str]:
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield inside + name
                yield from _set_on_self(node, inside)
            case ast.ClassDef(name=name):
                yield inside + name
                yield from _names(node.body, f"{name}.")
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield inside + name
            case _:
                pass


def _set_on_self(function: ast.FunctionDef | ast.AsyncFunctionDef, inside: str) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield inside + node.attr


@cache
def defined() -> frozenset[str]:
    """Every name of the tree; of a member also ``module.member``, as callers write it."""
    paths = [path for tree in TREES for path in sorted((ROOT / tree).rglob("*.py"))]
    plain = {name for path in paths for name in defined_in(path)}
    return frozenset(plain | {f"{path.stem}.{name}" for path in paths for name in defined_in(path)})
