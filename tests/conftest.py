"""What holds for every test."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

pytest_plugins = ["tests.support.sentences"]

# Verbs that search ask hypothesis for new examples; make test tries the same ones everywhere and every time.
SEARCHES = {"FELTD_FUZZ", "FELTD_STORM", "FELTD_SOAK"} & os.environ.keys()

# A busy machine is slow, and slow is no failure; and a failure says how to have it again.
settings.register_profile("feltd", deadline=None, print_blob=True, derandomize=not SEARCHES)
settings.load_profile("feltd")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a real browser, by the fixture that starts one: `make test-page` runs it, not `make test`."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.browser)
