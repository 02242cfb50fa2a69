"""A felt-link shoe's end: the same link controller as a shuffler's, with the words for shoes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, assert_never

from protocols.felt_link import messages as m
from sim_hardware.felt_link_end import FeltLinkEnd
from sim_hardware.shoe_events import (
    CardOut,
    DealEnded,
    ErrorBegan,
    ErrorEnded,
    LockTurned,
    PoweredOn,
    ShoeError,
    ShoeEvent,
    ShoeOrder,
    Spot,
)


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

    def report_event(self, event: ShoeEvent, now_ns: int) -> None:
        """Keep the event until the host has it."""
        said = _said(event)
        if said is not None:
            self._link.report_event(said, now_ns)

    def serve(self, data: bytes, now_ns: int, obey: Callable[[ShoeOrder], str | None]) -> None:
        """Take bytes, and refuse every command: this shoe takes none."""
        self._link.serve(data, now_ns, lambda _command: m.Refusal.NOT_CAPABLE)

    def data_to_send(self) -> bytes:
        return self._link.data_to_send()

    def next_timeout_ns(self) -> int | None:
        return self._link.next_timeout_ns()

    def handle_timeout(self, now_ns: int) -> None:
        self._link.handle_timeout(now_ns)


def _said(event: ShoeEvent) -> m.WireEvent | None:
    match event:
        case CardOut(number, face, spot, _, no_game):
            where = "locked" if no_game is not None else "game" if spot is Spot.GAME else "burn"
            return m.WireCardDrawn(number, face, where)
        case m.WireCutCardDrawn() | m.WireCardReturned() | m.WireButtonPressed():
            return event
        case ErrorBegan(ShoeError.CANNOT_READ):
            return m.WireFaultRaised(m.FaultWord.READER, "a card was not read")
        case ErrorEnded(ShoeError.CANNOT_READ):
            return m.WireFaultCleared(m.FaultWord.READER)
        case m.DeckLoaded() | ErrorBegan() | ErrorEnded() | PoweredOn() | LockTurned() | DealEnded():
            return None
        case _:
            assert_never(event)
