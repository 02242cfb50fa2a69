"""The driver of the Bee-Tek shoe: its lines in the table's language.

Theory of operation. The line has no check, so a card is `UNCHECKED`, and a damaged record can look like any other text.
Unknown text with a bracket may have been a card, because every record of a card has four. It counts as lost. Text
without a bracket is only unknown. The shoe does not report the end of an alarm. So an alarm becomes an anomaly
and not a fault, which could never be cleared.
"""

from __future__ import annotations

import re
from typing import Final, assert_never

from drivers import events as e
from drivers.errors import LostEventsCode
from drivers.profile import DeviceSettings
from drivers.shoe import ShoeDriver
from protocols.bee_tek import messages as m
from protocols.bee_tek.connection import HostConnection

# Any damage may hide a card: half of its record can be damage while the other half looks like text.
_HIDING_BYTES: Final = 1
_BRACKETS: Final = frozenset("[]<>")
_CARD_LIKE: Final = re.compile(r"(?i)(?<![a-z0-9])(?:(?:10|[2-9tjqka])[cdhs]|[cdhs](?:10|[2-9tjqka]))(?![a-z0-9])")
_NOT_READ: Final = re.compile(r"(?i)not read")


class BeeTekDriver(ShoeDriver[m.ShoeRecord]):
    """One Bee-Tek over all its connections."""

    def __init__(self, settings: DeviceSettings, resume_from: e.Receipt | None) -> None:
        super().__init__(settings, HostConnection, hiding_bytes=_HIDING_BYTES)

    def _understand(self, event: m.ShoeRecord) -> None:
        match event:
            case m.CardPassed(operation, face):
                self._on_card(operation)
                claim = e.Claim(operation.value, None)
                self._report_event(e.CardDrawn(face, e.Confidence.UNCHECKED, claim=claim))
            case m.Alarm(_, _, text):
                told = _told(text)
                self._report_event(e.ReadFailed(told) if _NOT_READ.search(text) else e.Anomaly("shoe-alarm", told))
            case m.Warned(code):
                self._report_event(e.Anomaly("shoe-warning", f"warning 0x{code:02X}"))
            case m.UnknownText(text):
                self._on_unknown(text)
            case _:
                assert_never(event)

    def _on_card(self, operation: m.Operation) -> None:
        if operation is not m.Operation.MANUAL_BURN_CARDS:
            detail = "the shoe plays its own game; set it to Manual Burn Cards by its key and buttons"
            self._report_event(e.Anomaly("shoe-mode", detail))

    def _on_unknown(self, text: str) -> None:
        if _BRACKETS.intersection(text):
            unclear = "text that cannot be understood may have been a card"
            self._report_event(e.EventsLost(1, unclear, LostEventsCode.UNCLEAR_REPORT.value))
        self._report_event(e.Anomaly("unknown-line", f"a text of {len(text)} characters whose meaning is not known"))


def _told(text: str) -> str:
    """Return an alarm's text, unless it could name a card that no player has seen."""
    return "an alarm whose text may name a card" if _CARD_LIKE.search(text) else text
