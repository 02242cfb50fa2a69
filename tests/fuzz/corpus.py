"""The inputs that fuzzing begins with, and those that once broke something: a folder a codec and role."""

from __future__ import annotations

from pathlib import Path
from typing import Final

CORPUS: Final = Path(__file__).with_name("inputs")
