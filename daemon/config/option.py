"""The type of an option or argument that names a file which feltd reads."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

FILE: Final = click.Path(path_type=Path, readable=False)
"""Who reads the file says what is wrong with it. click would call a file without rights a wrong command, with status 2,
and systemd would start the unit again and again."""
