"""feltd: one process beside one casino table. ARCHITECTURE.md walks its one straight line."""

from typing import Final

PROGRAM: Final = "feltd"
"""PyPI's python-daemon installs a package of this name too; the command line looks here for whose it got."""
