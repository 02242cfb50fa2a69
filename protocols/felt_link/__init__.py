"""felt-link: our open link to shufflers, button pads and USB shoes."""

from __future__ import annotations

from typing import Final

NAME: Final = "felt-link"
