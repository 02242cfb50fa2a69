"""Every figure of the link."""

from __future__ import annotations

from typing import Final

FRAME_LENGTH_MAX: Final = 64  # the longest known is 13; beyond this an ETX was lost
COPIES: Final = 3  # of every report, under the same SEQ
ANSWER_NS_MAX: Final = 2_000_000_000
