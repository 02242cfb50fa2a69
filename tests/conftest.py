"""What holds for every test."""

from __future__ import annotations

import dataclasses
import gc
import os
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis.strategies import none

from daemon.lazy import importing

pytest_plugins = ["tests.support.chromium", "tests.support.sentences"]

# Verbs that search ask hypothesis for new examples; make test tries the same ones everywhere and every time.
SEARCHES = {"FELTD_FUZZ", "FELTD_STORM", "FELTD_SOAK"} & os.environ.keys()

# A busy machine is slow, which is not a failure; and a failure says how to have it again.
settings.register_profile("feltd", deadline=None, print_blob=True, derandomize=not SEARCHES)
settings.load_profile("feltd")

COLLECT_AFTER: Final = (20_000, 20, 20)
"""New objects before the garbage collector looks at them, and so on. At a tests' process it may look less often than
at a table's (700, 10, 10): frozen modules and this take a fifth of the processor time from every test that computes."""


@given(none())
def _first_example(_: None) -> None:
    """Have Hypothesis make its chance before anything is frozen: on Python 3.14 it sees no frozen holder of it."""


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect tests without looking for garbage, and look at none of them again: they stay until the end."""
    _first_example()
    with importing():
        collected = yield
    gc.set_threshold(*COLLECT_AFTER)
    return collected


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None]:
    """Mark what needs a real browser, by the fixture that starts one: `make test-page` runs it, not `make test`."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
    yield
    items[:] = _long_ones_first(items, getattr(config, "workerinput", {}).get("workercount", 1))


def _long_ones_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Let each worker begin with some modules' long tests: at the end of all they would keep a processor waiting.

    Each worker is first given an equal share of the list, in its order.
    """
    long_of_modules: dict[Path, list[pytest.Item]] = {}
    others: list[pytest.Item] = []
    for item in items:
        is_long = item.get_closest_marker("long") is not None
        (long_of_modules.setdefault(item.path, []) if is_long else others).append(item)
    ordered: list[pytest.Item] = []
    for worker in range(workers):
        for longs in list(long_of_modules.values())[worker::workers]:
            ordered += longs
        count = max(0, len(items) * (worker + 1) // workers - len(ordered))
        ordered += others[:count]
        del others[:count]
    return ordered


def pytest_assertrepr_compare(op: str, left: object, right: object) -> list[str] | None:
    """Say which fields differ: pytest does so only for the classes that Python's own `dataclass` made."""
    if op != "==" or not dataclasses.is_dataclass(left) or type(left) is not type(right):
        return None
    pairs = ((each.name, getattr(left, each.name), getattr(right, each.name)) for each in dataclasses.fields(left))
    differing = [f"  {name}: {one!r} != {other!r}" for name, one, other in pairs if one != other]
    return [f"two {type(left).__name__}s that are not equal; these fields differ:", *differing]
