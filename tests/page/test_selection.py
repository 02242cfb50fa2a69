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
    both = "by_an_ordinary_user; else make test; fi\nmake test-page\n"
    assert both in text_of(".ci/run"), "CI runs the two, no matter who runs CI"
    assert "&& make test' || status=$?" in text_of(".ci/run")


def starters() -> Iterator[tuple[str, str]]:
    """Yield the functions in tests and their fixtures that start Chromium, by file."""
    places = [(ROOT / "tests").rglob(name) for name in ("test_*.py", "conftest.py", "support/*.py")]
    for path in sorted(path for place in places for path in place):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.AsyncFunctionDef) and "with chromium()" in ast.unparse(node):
                yield path.relative_to(ROOT).as_posix(), node.name


def test_nothing_but_the_one_fixture_starts_one() -> None:
    assert list(starters()) == [("tests/support/chromium.py", "browser")]


def test_a_test_with_a_browser_is_marked_and_no_other(request: pytest.FixtureRequest) -> None:
    for item in request.session.items:
        has_browser = "browser" in getattr(item, "fixturenames", ())
        assert (item.get_closest_marker("browser") is not None) is has_browser, item.nodeid
