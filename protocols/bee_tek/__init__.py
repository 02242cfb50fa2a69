"""The host link of the Bee-Tek card-reading shoe, as programs that read it in live rooms know it."""

from __future__ import annotations

from typing import Final

NAME: Final = "bee-tek"
