"""One guest for all tests of the lab: it takes longer to start than they take to run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.lab.machine import Machine, machine


@pytest.fixture(scope="session")
def guest() -> Iterator[Machine]:
    with machine() as running:
        yield running
