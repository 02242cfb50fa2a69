"""Being somebody who owns nothing, for tests of what such a user is told."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

NOBODY: Final = 65_534


@contextmanager
def without_rights() -> Iterator[None]:
    """Root may open everything, so root becomes nobody meanwhile; another user who runs the tests stays as they are."""
    user = os.geteuid()
    if user != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)
