"""A felt-link shoe's end: the same link controller as a shuffler's, with the words for shoes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, assert_never

from protocols.felt_link import messages as m
from sim_hardware import shoe_events as e
from sim_hardware.felt_link_end import FeltLinkEnd


class FeltLinkShoeEnd:
    """Translates a shoe's events. `FeltLinkEnd` has the link itself."""

    def __init__(self, identity: m.Identity, boots: Iterator[str]) -> None:
        self._link: Final = FeltLinkEnd(identity, boots)

    @property
    def has_room(self) -> bool:
        return self._link.has_room

    def power_back(self, now_ns: int) -> None:
        self._link.power_back(now_ns)

    def power_lost(self) -> None:
        self._link.power_lost()

    def plugged(self, now_ns: int) -> None:
        self._link.plugged(now_ns)

    def unplugged(self) -> None:
        self._link.unplugged()

    def report_event(self, event: e.ShoeEvent, now_ns: int) -> None:
        """Keep the event until the host has it."""
        said = _said(event)
        if said is not None:
            self._link.report_event(said, now_ns)

    def serve(self, data: bytes, now_ns: int, obey: Callable[[e.ShoeOrder], str | None]) -> None:
        """Take bytes, and refuse every command: this shoe takes none."""
        self._link.serve(data, now_ns, lambda _command: m.Refusal.NOT_CAPABLE)

    def data_to_send(self) -> bytes:
        return self._link.data_to_send()

    def next_timeout_ns(self) -> int | None:
        return self._link.next_timeout_ns()

    def handle_timeout(self, now_ns: int) -> None:
        self._link.handle_timeout(now_ns)


def _said(event: e.ShoeEvent) -> m.WireEvent | None:
    match event:
        case e.CardOut(number, face, spot, _, no_game):
            where = "locked" if no_game is not None else "game" if spot is e.Spot.GAME else "burn"
            return m.WireCardDrawn(number, face, where)
        case e.WireCutCardDrawn() | e.WireCardReturned() | e.WireButtonPressed():
            return event
        case e.ErrorBegan(e.ShoeError.CANNOT_READ):
            return m.WireFaultRaised(m.FaultKind.READER, "a card was not read")
        case e.ErrorEnded(e.ShoeError.CANNOT_READ):
            return m.WireFaultCleared(m.FaultKind.READER)
        case e.DeckLoaded() | e.ErrorBegan() | e.ErrorEnded() | e.PoweredOn() | e.LockTurned() | e.DealEnded():
            return None
        case _:
            assert_never(event)
