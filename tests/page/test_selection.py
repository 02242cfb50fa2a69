"""Every test is run by `make test`, or by `make test-page` if it starts a browser."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.docs.documents import ROOT, text_of

SELECTED = re.compile(r'(?m)^\t\$\(PYTEST\) .*-m ("not browser"|browser) \$\(ARGS\)$')


def test_the_two_verbs_select_by_one_marker() -> None:
    assert SELECTED.findall(text_of("Makefile")) == ['"not browser"', "browser"]
    assert "make test\nmake test-page\n" in text_of(".ci/run")


def starters() -> Iterator[str]:
    """Yield the functions in test modules that start Chromium."""
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and "chromium()" in ast.unparse(node):
                yield f"{path.name}: {node.name}"


def test_nothing_but_the_fixture_browser_starts_one() -> None:
    found = [starter for starter in starters() if not starter.startswith("test_selection.py")]
    assert len(found) > 10
    assert {starter.partition(": ")[2] for starter in found} == {"browser"}, found


def test_a_test_with_a_browser_is_marked_and_no_other(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        has_browser = "browser" in getattr(item, "fixturenames", ())
        assert (item.get_closest_marker("browser") is not None) is has_browser, item.nodeid
