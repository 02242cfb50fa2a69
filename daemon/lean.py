"""Import structlog without rich.

structlog imports rich where it is installed, for coloured tracebacks that feltd never prints. At a table that would be
a tenth of the start, and memory for as long as it runs. A command that draws on a terminal imports rich as always.
"""

from __future__ import annotations

import sys
from importlib import import_module

if "rich" not in sys.modules:
    sys.modules["rich"] = None  # type: ignore[assignment]  # "is not installed"
    import_module("structlog")
    del sys.modules["rich"]
