"""Every figure of the link."""

from __future__ import annotations

from typing import Final

FRAME_LENGTH_MAX: Final = 64  # the longest known is 13; beyond this an ETX was lost
COPIES: Final = 3  # of every report, under the same SEQ
ANSWER_NS_MAX: Final = 2_000_000_000
# Three copies of the longest known report take 81 ms at 4800 baud; the rest is for a device server that packs bytes.
VOTE_NS_MAX: Final = 300_000_000
