"""The one browser of a run. A test that names it is marked for `make test-page`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest_asyncio

if TYPE_CHECKING:
    from playwright.async_api import Browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One for all tests: each screen has a context of its own, which shares nothing with another's."""
    from tests.page.browsing import chromium  # loaded where a browser is asked for

    async with chromium() as running:
        yield running
